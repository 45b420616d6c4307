#include "mesh/shape_meshers.hpp"
#include "mesh/size_limits.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Position on the grid of half cells: coordinates are even at corners of cells and odd at their centres.
using HalfStep = std::array<int, 3>;

/// Numbers the grid points that serve as nodes, in the order of the grid, and places them.
class LatticeNodes {
 public:
  explicit LatticeNodes(const LatticeShape& shape) : cells_(shape.cells) {
    number_.assign(index_of({2 * cells_[0], 2 * cells_[1], 2 * cells_[2]}) + 1, -1);
    HalfStep point;
    for (point[2] = 0; point[2] <= 2 * cells_[2]; ++point[2])
      for (point[1] = 0; point[1] <= 2 * cells_[1]; ++point[1])
        for (point[0] = 0; point[0] <= 2 * cells_[0]; ++point[0]) add(point, shape.extent);
  }

  [[nodiscard]] std::int32_t number(const HalfStep& point) const { return number_[index_of(point)]; }
  [[nodiscard]] const std::vector<Vector3>& positions() const { return positions_; }

 private:
  /// Numbers and places the point, unless it has one odd coordinate: then it is the middle of an edge.
  void add(const HalfStep& point, const Vector3& extent) {
    if (point[0] % 2 + point[1] % 2 + point[2] % 2 == 1) return;
    number_[index_of(point)] = static_cast<std::int32_t>(positions_.size());
    Vector3 position;
    for (std::size_t axis = 0; axis < 3; ++axis)
      position[axis] = (point[axis] - cells_[axis]) / (2.0 * cells_[axis]) * extent[axis];
    positions_.push_back(position);
  }

  [[nodiscard]] std::size_t index_of(const HalfStep& point) const {
    const std::size_t width = 2 * static_cast<std::size_t>(cells_[0]) + 1,
                      depth = 2 * static_cast<std::size_t>(cells_[1]) + 1;
    return static_cast<std::size_t>(point[0]) +
           width * (static_cast<std::size_t>(point[1]) + depth * static_cast<std::size_t>(point[2]));
  }

  std::array<int, 3> cells_;
  std::vector<std::int32_t> number_;
  std::vector<Vector3> positions_;
};

/// The four tetrahedra between a cell's centre and its face normal to `axis` on the given `side` (±1).
void append_tetrahedra_of_face(const LatticeNodes& nodes, const HalfStep& cell_centre, std::size_t axis,
                               int side, std::vector<Tetrahedron>& tetrahedra) {
  // Corners counter-clockwise as seen from the positive side of the axis.
  constexpr std::array<std::array<int, 2>, 4> corners{{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};
  HalfStep face_centre = cell_centre;
  face_centre[axis] += side;
  const auto corner = [&](std::size_t k) {
    HalfStep point = face_centre;
    point[(axis + 1) % 3] += corners[k % 4][0];
    point[(axis + 2) % 3] += corners[k % 4][1];
    return nodes.number(point);
  };
  for (std::size_t k = 0; k < 4; ++k) {
    const std::int32_t first = corner(side > 0 ? k : k + 1), second = corner(side > 0 ? k + 1 : k);
    tetrahedra.push_back({nodes.number(cell_centre), first, second, nodes.number(face_centre)});
  }
}

void check(const LatticeShape& shape, const std::string& where) {
  double tetrahedra = 24;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    require_positive(shape.extent[axis], "an extent of the block", where);
    if (shape.cells[axis] < 1)
      throw Error(Error::Kind::input, where, "at least one cell along each axis",
                  std::to_string(shape.cells[axis]));
    tetrahedra *= shape.cells[axis];
  }
  require_room(tetrahedra, "a number of cells", where);
}

}  // namespace

TetrahedralMesh mesh_lattice(const LatticeShape& shape, const std::string& where) {
  check(shape, where);
  const LatticeNodes nodes(shape);
  std::vector<Tetrahedron> tetrahedra;
  HalfStep centre;
  for (centre[2] = 1; centre[2] < 2 * shape.cells[2]; centre[2] += 2)
    for (centre[1] = 1; centre[1] < 2 * shape.cells[1]; centre[1] += 2)
      for (centre[0] = 1; centre[0] < 2 * shape.cells[0]; centre[0] += 2)
        for (std::size_t axis = 0; axis < 3; ++axis)
          for (const int side : {-1, 1}) append_tetrahedra_of_face(nodes, centre, axis, side, tetrahedra);
  return {nodes.positions(), std::move(tetrahedra)};
}

}  // namespace terrace
