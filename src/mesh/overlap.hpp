// Finds bodies of a model that occupy the same space.
#pragma once

#include <optional>
#include <utility>

#include "geometry/box.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// The smallest box about all nodes of a body.
Box bounding_box(const Model& model, const Body& body);

/// Two bodies (indices into Model::bodies, first < second), a point in both, and how deep it is.
struct Overlap {
  std::size_t first, second;
  Vector3 place;  ///< the deepest node, or centre of a tetrahedron, of one body in the other
  double depth;   ///< its distance from the other's surface [length]; 0 if no such point is inside, and
  ///< only edges pierce faces
};

/// The first pair of bodies found that overlap by more than a touch: a tetrahedron of one and a tetrahedron
/// of the other are in each other by more than a millionth of an element. No absolute length matters. Needs
/// `positions`, `bodies` with their boundary and `tetrahedra` of the model. Time is about linear in the
/// number of elements that are inside the bounding boxes of two bodies.
std::optional<Overlap> find_overlap(const Model& model);

}  // namespace terrace
