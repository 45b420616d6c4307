#include "io/window_tables.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string>

#include "io/whole_file.hpp"

namespace terrace {

void write_window_tables(const std::filesystem::path& directory, const WindowTraces& traces) {
  WholeFile clusters(directory / "trace.csv"), ranks(directory / "trace_ranks.csv");
  clusters.write(
      "window,begin,end,reached,cut,cluster,rank,team,bodies,elements,contact,leaves,foreseen,events,"
      "element_evaluations,seconds,critical_seconds,news_bytes\n");
  for (const ClusterTrace& row : traces.clusters)
    clusters.write(fmt::format(
        "{},{},{},{},{:d},{},{},{},{},{:.0f},{:.1f},{},{},{},{},{:.9f},{:.9f},{}\n", row.window, row.begin,
        row.end, row.reached, row.reached < row.end, row.cluster, row.rank, fmt::join(row.team, " "),
        row.bodies, row.to_take_over.elements, row.to_take_over.contact, row.leaves, row.foreseen, row.events,
        row.element_evaluations, row.seconds, row.critical_seconds, row.news_bytes));
  ranks.write(
      "window,rank,planned_for,events,element_evaluations,news_bytes,collectives,fetched_bytes,"
      "coming_elements,coming_contact,planning,beginning,working,redoing,telling,exchanging,learning,divided_"
      "planning\n");
  for (const RankTrace& row : traces.ranks) {
    std::string line = fmt::format("{},{},{},{},{},{},{},{},{},{:.1f}", row.window, row.rank, row.planned_for,
                                   row.events, row.element_evaluations, row.news_bytes, row.collectives,
                                   row.fetched_bytes, row.coming_elements, row.coming_contact);
    for (const double seconds : row.seconds) fmt::format_to(std::back_inserter(line), ",{:.9f}", seconds);
    ranks.write(fmt::format("{},{:.9f}\n", line, row.divided_planning));
  }
  clusters.commit();
  ranks.commit();
}

}  // namespace terrace
