// The trajectories of particles as polylines in one file, trajectories.vtu.
#pragma once

#include <filesystem>
#include <vector>

#include "geometry/vector3.hpp"

namespace terrace {

/// Holds the trajectories so far and writes them: one polyline for each particle, with the point arrays time
/// and velocity and the cell arrays body and particle. Lives on rank 0.
class Trajectories {
 public:
  /// `bodies`: the body of each particle.
  Trajectories(std::filesystem::path file, std::vector<std::int32_t> bodies)
      : file_(std::move(file)), bodies_(std::move(bodies)) {}

  [[nodiscard]] bool is_there() const { return std::filesystem::exists(file_); }
  /// Takes over what an earlier run left in the file, up to `time`, that of the last row; nothing where the
  /// file ends before `time`, as after a part of the run that had too many points. Throws Error(run) where
  /// the file cannot be read or is of other particles.
  void resume(double time);
  /// Adds positions and velocities of all particles at one time, later than those before.
  void add(double time, const std::vector<Vector3>& positions, const std::vector<Vector3>& velocities);
  /// Writes the file, whole or not at all. Throws Error(run) naming it.
  void write() const;

 private:
  std::filesystem::path file_;
  std::vector<std::int32_t> bodies_;
  struct Instant {
    double time;
    std::vector<Vector3> positions, velocities;
  };
  std::vector<Instant> instants_;
};

}  // namespace terrace
