// Section [[probes]]: nodes whose motion is written.
#include <fmt/core.h>

#include <set>

#include "io/deck_sections.hpp"

namespace terrace {

std::vector<ProbeEntry> read_probes(const TableReader& root, const std::vector<BodyEntry>& bodies) {
  std::set<std::string> used;
  std::vector<ProbeEntry> probes;
  for (const TableReader& table : root.tables("probes")) {
    table.allow_only({"name", "body", "point"});
    ProbeEntry probe;
    probe.where = table.where();
    probe.name = read_name(table);
    if (!used.insert(probe.name).second)
      table.fail("name", table.full_name("name") + " to be a name of no other probe",
                 fmt::format("\"{}\"", probe.name));
    probe.body = read_named_body(table, bodies);
    const BodyEntry& entry = bodies[probe.body.entry];
    if (!probe.body.number && entry.count > 1)
      table.fail("body",
                 fmt::format("one of the {} bodies {}", entry.count,
                             repeated_names(entry).front() + " … " + repeated_names(entry).back()),
                 fmt::format("\"{}\", which are all of them", probe.body.name));
    probe.point = table.vector("point");
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace terrace
