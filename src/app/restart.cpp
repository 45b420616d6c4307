#include "app/restart.hpp"

#include <fmt/core.h>

#include <array>
#include <filesystem>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "app/version.hpp"
#include "dynamics/state/momenta_of_all.hpp"
#include "io/deck_difference.hpp"
#include "io/restart_file.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/tell_user.hpp"
#include "parallel/together.hpp"

/// What the integrator saves, the same bytes on every rank. Collective.
namespace terrace {
namespace {

std::vector<std::byte> shared_bytes(const RunParts& run) {
  run.integrator.share();
  ByteWriter writer;
  run.integrator.save(writer);
  std::vector<std::byte> bytes = writer.take();
  Hasher hasher;
  hasher(bytes);
  std::array<std::uint64_t, 2> least_and_most = {hasher.value(), ~hasher.value()};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, least_and_most.data(), 2, MPI_UINT64_T, MPI_MIN,
                          run.system.communicator->handle()),
            "MPI_Allreduce");
  TERRACE_VERIFY(least_and_most[0] == ~least_and_most[1], run.state.time);  // or another rank could not go on
  return bytes;
}

/// Opens the last restart file that is whole; `which` becomes its place in restart_files.
RestartReader last_whole_one(const std::string& directory, int& which) {
  std::string trouble;
  const auto files = restart_files(directory);
  for (which = 0; which < std::ssize(files); ++which) {
    try {
      RestartReader found(at(files, which));
      if (!trouble.empty()) tell_user("{}\nwarning: going on from {}\n", trouble, found.path().string());
      return found;
    } catch (const Error& error) {
      trouble += fmt::format("\nwarning: {}", error.what());
    }
  }
  throw Error(Error::Kind::input, "--resume", fmt::format("a restart file in {}", directory),
              "none that can be read" + trouble);
}

/// Opens the same file on all ranks, as rank 0 chooses. Collective.
RestartReader open_restart(const RunParts& run) {
  Communicator& communicator = *run.system.communicator;
  const std::string& directory = run.deck.output.directory;
  std::optional<RestartReader> found;
  int which = 0;
  together(communicator.handle(), [&] {
    if (communicator.rank() == 0) found.emplace(last_whole_one(directory, which));
  });
  communicator.broadcast(std::as_writable_bytes(std::span(&which, 1)), 0);
  together(communicator.handle(), [&] {
    if (communicator.rank() != 0) found.emplace(at(restart_files(directory), which));
  });
  return std::move(*found);
}

void require_same(const RunParts& run, const RestartReader& file) {
  if (const auto key = first_difference(file.content().deck, run.deck.text))
    throw Error(
        Error::Kind::input, "--resume",
        fmt::format(
            "the deck that {} was written for, but for title, time, output, layout and integrator.executor",
            file.path().string()),
        fmt::format("another {}", *key));
  if (file.content().mesh_hash != run.mesh_hash || file.node_count() != run.system.node_count)
    throw Error(
        Error::Kind::input, "--resume",
        fmt::format("the mesh {} that {} was written for", file.content().mesh_hash, file.path().string()),
        "the mesh " + run.mesh_hash);
  // The deck's text has been compared. This compares velocities, masses and supports that its files give.
  if (file.content().model_hash != run.model_hash)
    throw Error(Error::Kind::input, "--resume",
                fmt::format("mesh and particle files that have not changed since {} was written",
                            file.path().string()),
                "files that give other velocities, masses or supports");
}

// The archive has the members of this version's types: no other version can read it.
void require_version(ByteReader& reader, const std::filesystem::path& path) {
  std::string written_by;
  reader(written_by);
  if (written_by != version)
    throw Error(Error::Kind::input, path.string(), fmt::format("a restart file of terrace {}", version),
                "one of terrace " + written_by);
}

void require_all_read(const ByteReader& reader) { TERRACE_VERIFY(reader.at_end()); }

// An integrator by steps may be beyond the end of the saved run; the same end may then be given again.
void require_later_end(const RunParts& run) {
  if (run.deck.end_time < run.state.time && run.deck.end_time < run.progress.end)
    throw Error(Error::Kind::input, run.deck.place("time.end"),
                fmt::format("at least {}, which the run has reached", run.state.time),
                fmt::format("{}", run.deck.end_time));
}

void require_more_events(const RunParts& run) {
  const std::int64_t most = run.deck.maximum_events, done = run.integrator.events();
  if (most > 0 && most < done)
    throw Error(Error::Kind::input, run.deck.place("time.events"),
                fmt::format("at least {}, which the run has reached", done), fmt::format("{}", most));
}

}  // namespace

// Throws Error(input) where the other table of bodies would be continued: rows are not converted.
static void require_same_table_of_bodies(const Deck& deck) {
  const bool is_hdf5 = deck.output.bodies == BodyTable::hdf5;
  const std::filesystem::path directory(deck.output.directory);
  if (std::filesystem::exists(directory / (is_hdf5 ? "bodies.h5" : "bodies.csv"))) return;
  if (!std::filesystem::exists(directory / (is_hdf5 ? "bodies.csv" : "bodies.h5"))) return;
  const std::array<const char*, 2> kinds = {"\"csv\"", "\"hdf5\""};
  throw Error(
      Error::Kind::input, deck.place("output.bodies"),
      fmt::format("{}, the format of the rows that the run has written already", kinds[is_hdf5 ? 0 : 1]),
      kinds[is_hdf5 ? 1 : 0]);
}

void save_run(const RunParts& run) {
  run.progress.end = run.deck.end_time;
  run.measurements.note_extremes();
  RestartContent content{.deck = run.deck.text,
                         .mesh_hash = run.mesh_hash,
                         .model_hash = run.model_hash,
                         .time = run.state.time,
                         .state = {}};
  std::vector<WideMomentum> ledger = run.state.ledger;       // each rank holds what it booked itself
  Communicator of_saves(run.system.communicator->handle());  // its reductions are none of stepping
  add_up_momenta(of_saves, ledger);
  std::vector<std::byte> integrator = shared_bytes(run);
  together(run.system.communicator->handle(), [&] {
    if (run.system.communicator->rank() != 0) return;  // rank 0 alone writes them
    const std::string written_by = version;
    ByteWriter writer;
    writer(written_by, std::as_const(ledger), std::as_const(integrator), std::as_const(run.measurements),
           std::as_const(run.progress));
    content.state = writer.take();
  });
  std::vector<std::byte>().swap(integrator);
  std::vector<std::int32_t> nodes;
  std::vector<NodeRow> rows;
  for (std::size_t a = 0; a < run.system.global_nodes.size(); ++a) {
    if (!run.system.owned[a]) continue;
    nodes.push_back(run.system.global_nodes[a]);
    rows.push_back(run.state.row(a));
  }
  write_restart(run.deck.output.directory, run.system.communicator->handle(), std::move(content),
                run.system.node_count, nodes, std::move(rows));
}

void resume_run(const RunParts& run) {
  Communicator& communicator = *run.system.communicator;
  std::vector<std::byte> integrator;
  std::optional<RestartReader> file(open_restart(run));
  together(communicator.handle(), [&] {
    require_same(run, *file);
    for (std::size_t a = 0; a < run.system.global_nodes.size(); ++a)
      run.state.set_row(a, file->row(run.system.global_nodes[a]));
    std::vector<WideMomentum> ledger;
    ByteReader reader(file->content().state);
    require_version(reader, file->path());
    run.state.time = file->content().time;
    reader(ledger, integrator, run.measurements, run.progress);
    require_all_read(reader);
    require_later_end(run);
    if (communicator.rank() == 0) require_same_table_of_bodies(run.deck);
    if (communicator.rank() != 0) ledger.assign(ledger.size(), WideMomentum{});
    run.state.ledger = ledger;
  });
  file.reset();  // frees the rows of all nodes
  ByteReader reader(integrator);
  run.integrator.restore(run.state, reader);
  require_all_read(reader);
  require_more_events(run);
}

void resume_output(const RunOutput& output, const OutputProgress& progress, Communicator& communicator) {
  together(communicator.handle(), [&] {
    if (communicator.rank() != 0) return;
    output.histories->require_rows(progress.last_row, progress.last_bodies);
    output.fields.require_frame(progress.last_frame);
    output.trajectories.resume(progress.last_bodies);  // into memory
    output.histories->resume(progress.last_row, progress.last_bodies);
  });
  output.fields.resume(progress.last_frame);
}

}  // namespace terrace
