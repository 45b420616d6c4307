// Smaller elements at the contact points of balls, sized by the forces for which contact is to be right.
#include <fmt/core.h>

#include <algorithm>

#include "io/deck_sections.hpp"
#include "numerics/at.hpp"
#include "numerics/elementary.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// Radius of the contact of two equal balls under a force, by Hertz [length].
static double contact_radius(const Material& material, double radius, double force) {
  const double lambda = material.lame_lambda, mu = material.lame_mu;
  const double modulus = 2 * mu * (lambda + mu) / (lambda + 2 * mu);  // E* = E/(1 − ν²)/2
  return numerics::cube_root(0.75 * force * 0.5 * radius / modulus);
}

// Measured (tests/README.md, bead chains): where forces act by Hertz's law between patches, three elements
// over the patch's radius suffice. Where facets touch, the approach is off by 0.27 (h/a)^1.75, with edges h
// at a contact of radius a: 3 % at h = 0.28 a, from the smallest contact on.
static Refinement refinement_at(const Vector3& direction, const BallShape& ball, const Material& material,
                                const ContactEntry& contact, bool hertz) {
  Refinement refinement{ball.radius * unit_vector(direction), 0, 0};
  double slope = 0;
  if (hertz) {
    const double patch =
        contact.patch > 0 ? contact.patch : 2 * contact_radius(material, ball.radius, contact.largest_force);
    refinement.size = patch / 3;
    slope = 0.4;
  } else {
    slope = 0.28;
    refinement.size = slope * contact_radius(material, ball.radius, contact.least_force);
  }
  refinement.size = std::min(refinement.size, ball.size);
  refinement.radius = std::max((ball.size - refinement.size) / slope, refinement.size);
  return refinement;
}

void refine_contacts(const ContactEntry& contact, const std::vector<Material>& materials,
                     const std::vector<Wall>& walls, std::vector<BodyEntry>& bodies) {
  const bool hertz = contact.model == ContactModel::hertz ||
                     std::any_of(walls.begin(), walls.end(),
                                 [](const Wall& wall) { return wall.model == WallModel::hertz; });
  const bool known = contact.largest_force > 0 || (hertz && contact.patch > 0);
  for (BodyEntry& entry : bodies) {
    if (entry.contacts.empty()) continue;
    if (!known)
      throw Error(Error::Kind::input, entry.where,
                  "contact.forces (or contact.patch with the model \"hertz\") for bodies.contacts to choose "
                  "elements by",
                  "neither");
    auto& ball = std::get<BallShape>(entry.shape);
    for (const Vector3& direction : entry.contacts)
      ball.refinements.push_back(
          refinement_at(direction, ball, at(materials, entry.material), contact, hertz));
  }
}

}  // namespace terrace
