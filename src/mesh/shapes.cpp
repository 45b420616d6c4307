#include "mesh/shapes.hpp"

#include <fmt/core.h>

#include "mesh/shape_meshers.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// One mesher for each alternative of `Shape`.
struct Mesher {
  const std::string& where;
  TetrahedralMesh operator()(const BallShape& shape) const { return mesh_ball(shape, where); }
  TetrahedralMesh operator()(const BlockShape& shape) const { return mesh_block(shape, where); }
  TetrahedralMesh operator()(const LatticeShape& shape) const { return mesh_lattice(shape, where); }
  TetrahedralMesh operator()(const FileShape& shape) const { return mesh_file(shape, where); }
};

}  // namespace

void require_positive(double value, const std::string& quantity, const std::string& where) {
  if (!(std::isfinite(value) && value > 0))
    throw Error(Error::Kind::input, where, fmt::format("{} that is finite and positive", quantity),
                fmt::format("{:g}", value));
}

TetrahedralMesh make_mesh(const Shape& shape, const std::string& where) {
  TetrahedralMesh mesh = std::visit(Mesher{where}, shape);
  verify_mesh(mesh, where);
  return mesh;
}

}  // namespace terrace
