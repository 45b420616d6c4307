// How far a body's mesh yields under the load of a patch of its surface.
#pragma once

#include "mesh/model.hpp"
#include "potentials/contact/sphere_patch.hpp"

namespace terrace {

/// The compliance of a patch on a body as it is meshed [length/force]: the displacement along `axis` of the
/// patch's load-weighted mean, against the centre of mass, per force along `axis`. By linear elasticity; the
/// load accelerates the body as if it were rigid (inertia relief). `patch` is in the model's node numbers.
/// Throws Error(input) if conjugate gradients do not converge in `most_steps`.
///
/// They are not a library's, and sum in a fixed order: the result decides a trajectory and must be the same
/// bits on every rank and machine, which no library of linear algebra promises.
[[nodiscard]] double patch_compliance(const Model& model, const Body& body, const SpherePatch& patch,
                                      const Vector3& axis, int most_steps = 20000);

}  // namespace terrace
