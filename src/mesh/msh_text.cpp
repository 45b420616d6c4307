#include "mesh/msh_text.hpp"

#include <fmt/core.h>

#include <iterator>

#include "numerics/at.hpp"

namespace terrace {

std::string msh_text(const Model& model) {
  constexpr int volume = 3, linear_tetrahedron = 4;
  std::string text =
      fmt::format("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n{}\n", model.bodies.size());
  const auto out = std::back_inserter(text);
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    fmt::format_to(out, "{} {} \"{}\"\n", volume, b + 1, model.bodies[b].name);
  fmt::format_to(out, "$EndPhysicalNames\n$Nodes\n{}\n", model.positions.size());
  for (std::size_t a = 0; a < model.positions.size(); ++a) {
    const Vector3& x = model.positions[a];
    fmt::format_to(out, "{} {:.17g} {:.17g} {:.17g}\n", a + 1, x[0], x[1], x[2]);
  }
  fmt::format_to(out, "$EndNodes\n$Elements\n{}\n", model.tetrahedra.size());
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    for (std::int32_t i = 0; i < body.tetrahedron_count; ++i) {
      const std::int32_t number = body.first_tetrahedron + i;
      const Tetrahedron& nodes = at(model.tetrahedra, number);
      fmt::format_to(out, "{} {} 2 {} {} {} {} {} {}\n", number + 1, linear_tetrahedron, b + 1, b + 1,
                     nodes[0] + 1, nodes[1] + 1, nodes[2] + 1, nodes[3] + 1);
    }
  }
  text += "$EndElements\n";
  return text;
}

}  // namespace terrace
