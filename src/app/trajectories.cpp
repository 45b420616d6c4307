#include "app/trajectories.hpp"

#include <cstdio>
#include <filesystem>

#include "numerics/at.hpp"
#include "parallel/archive.hpp"
#include "parallel/gathered.hpp"
#include "parallel/tell_user.hpp"

namespace terrace {

TrajectoryOutput::TrajectoryOutput(const Deck& deck, double interval, const Lagrangian& system,
                                   const Model& model)
    : system_(system),
      file_(std::filesystem::path(deck.output.directory) / "trajectories.vtu"),
      wanted_(model.particles.dimension > 0 &&
              deck.end_time / interval * static_cast<double>(system.node_count) <= most),
      count_(static_cast<std::size_t>(system.node_count)) {
  if (!wanted_ || system.communicator->rank() != 0) return;
  std::vector<std::int32_t> bodies(count_, 0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    for (std::int32_t i = 0; i < model.bodies[b].node_count; ++i)
      at(bodies, model.bodies[b].first_node + i) = static_cast<std::int32_t>(b);
  ways_.emplace(file_, std::move(bodies));
}

void TrajectoryOutput::resume(double time) {
  // There is no file where the run before would have had too many points.
  if (ways_ && ways_->is_there()) ways_->resume(time);
  if (ways_ || !std::filesystem::exists(file_)) return;
  std::filesystem::remove(file_);
  tell_user("\nwarning: {} is removed: with the present intervals it would have more than {:g} points\n",
            file_.string(), most);
}

void TrajectoryOutput::add(const State& state) {
  if (!wanted_) return;
  std::vector<std::int32_t> numbers;
  std::vector<Vector3> positions, velocities;
  for (std::size_t a = 0; a < system_.owned.size(); ++a) {
    if (system_.owned[a] == 0) continue;
    numbers.push_back(system_.global_nodes[a]);
    positions.push_back(system_.reference[a] + state.lines[a].displacement_at(state.time));
    velocities.push_back(state.lines[a].velocity);
  }
  ByteWriter writer;
  writer(numbers, positions, velocities);
  const auto parts = gathered_at_root(system_.communicator->handle(), writer.take());
  if (!ways_) return;
  std::vector<Vector3> all_positions(count_), all_velocities(count_);
  for (const std::vector<std::byte>& part : parts) {
    ByteReader reader(part);
    reader(numbers, positions, velocities);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      at(all_positions, numbers[i]) = positions[i];
      at(all_velocities, numbers[i]) = velocities[i];
    }
  }
  ways_->add(state.time, all_positions, all_velocities);
}

void TrajectoryOutput::write() const {
  if (ways_) ways_->write();
}

}  // namespace terrace
