// Two boundary surfaces on their nodes' straight lines: the geometry that contact potentials share.
#pragma once

#include <vector>

#include "mesh/tetrahedral_mesh.hpp"
#include "potentials/broad_phase.hpp"
#include "potentials/node_line.hpp"

namespace terrace {

/// An edge of a surface: its nodes, ascending.
using Edge = std::array<std::int32_t, 2>;

/// One surface in the pair's own numbering.
struct Surface {
  std::vector<Triangle> triangles;
  std::vector<Edge> edges;               ///< each once
  std::vector<std::int32_t> vertices;    ///< each once, ascending
  std::vector<double> vertex_areas;      ///< a third of the triangles around, by place in `vertices`
  std::vector<double> edge_areas;        ///< a third of the triangles beside
  std::vector<double> edge_lengths;      ///< reference lengths
  /// Every vertex and edge is listed with one of its triangles, so that a pair of triangles names the vertex and
  /// edge pairs it stands for, each pair once.
  std::vector<std::vector<std::int32_t>> vertices_of, edges_of;  ///< places in `vertices` and `edges`
};

/// Positions and velocities of two surfaces, or of one against itself, in a numbering of their own: the first
/// surface's nodes, then the second's. A surface against itself appears twice.
class ContactSurfaces {
 public:
  /// `reference_positions`: all local nodes [length]; triangles in local node numbers. `where` names the pair
  /// in messages. Throws Error(input) if a surface is empty, a node number is out of range, or an edge has
  /// length 0.
  ContactSurfaces(std::span<const Vector3> reference_positions, const std::vector<Triangle>& first,
                  const std::vector<Triangle>& second, const std::string& where);

  /// Local numbers of all nodes, ascending, each once.
  [[nodiscard]] std::span<const std::int32_t> nodes() const { return nodes_; }
  [[nodiscard]] std::size_t local(std::size_t own) const { return static_cast<std::size_t>(local_[own]); }
  [[nodiscard]] std::size_t size() const { return local_.size(); }
  [[nodiscard]] std::size_t first_nodes() const { return first_nodes_; }
  [[nodiscard]] const Surface& first() const { return first_; }
  [[nodiscard]] const Surface& second() const { return second_; }
  [[nodiscard]] bool is_self() const { return self_; }
  [[nodiscard]] double mean_edge() const { return mean_edge_; }
  [[nodiscard]] double smallest_edge() const { return smallest_edge_; }
  [[nodiscard]] std::span<const Vector3> reference() const { return reference_; }

  void set_line(std::span<const NodeLine> lines, double origin);
  void update_line(std::span<const NodeLine> lines, double origin, std::span<const std::uint8_t> changed);
  /// Positions at an instant, without touching the line.
  void positions_at(std::span<const NodeLine> lines, double instant, std::span<Vector3> positions) const;
  void positions_at(double s, std::span<Vector3> positions) const;

  [[nodiscard]] const Vector3& start(std::size_t own) const { return start_[own]; }
  [[nodiscard]] const Vector3& velocity(std::size_t own) const { return velocity_[own]; }

  /// No node of one surface moves faster than this relative to a node of the other: the norm of the largest
  /// components.
  [[nodiscard]] double relative_speed() const;
  /// Earliest time from s on at which the surfaces' boxes can come within `distance`; +∞ if never. 0 for a
  /// surface against itself.
  [[nodiscard]] double meeting_time(double s, double distance) const;

 private:
  void set_node(std::size_t i, const NodeLine& line, double origin);
  void find_velocity_boxes() const;

  std::vector<std::int32_t> nodes_, local_;
  std::size_t first_nodes_ = 0;
  bool self_ = false;
  Surface first_, second_;
  double mean_edge_ = 0, smallest_edge_ = 0;
  std::vector<Vector3> reference_, start_, velocity_;

  // Found when first asked for on a line.
  mutable bool speeds_known_ = false;
  mutable Box first_velocities_, second_velocities_, first_box_, second_box_;
  mutable double box_at_ = -1;
};

}  // namespace terrace
