// How far a body's mesh yields under the load of a patch of its surface.
#pragma once

#include "mesh/model.hpp"
#include "potentials/contact/sphere_patch.hpp"

namespace terrace {

/// Displacement of a patch's load-weighted mean along `axis`, against the centre of mass, per force along it
/// [length/force], of the body as it is meshed: linear elasticity, accelerated by the load as a rigid body
/// would be (inertia relief). `patch` in the model's node numbers. Throws Error(input) without convergence in
/// `most_steps`.
///
/// Conjugate gradients of our own, one after the other in a fixed order: the result decides a trajectory and
/// must be the same bits on every rank and machine, which no library of linear algebra promises.
[[nodiscard]] double patch_compliance(const Model& model, const Body& body, const SpherePatch& patch,
                                      const Vector3& axis, int most_steps = 20000);

}  // namespace terrace
