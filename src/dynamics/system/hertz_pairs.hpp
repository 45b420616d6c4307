// Contact of balls by Hertz's law: which bodies are balls, how large the patches between them are, and what
// their meshes yield.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "dynamics/system/contact_parameters.hpp"
#include "mesh/model.hpp"
#include "potentials/contact/hertz_contact.hpp"

namespace terrace {

/// What Hertz's contact has to know of a body.
struct Ball {
  std::string name;
  Sphere sphere;       ///< of its boundary nodes, in the reference positions
  double modulus = 0;  ///< E/(1 − ν²) [pressure]
  double mass = 0;
  double lightness = 0;  ///< as ContactBody
};

/// Throws Error(input), with the place of `contact`, if the body's boundary nodes are on no sphere.
[[nodiscard]] Ball ball_of(const Model& model, const Body& body, const ContactEntry& contact);
/// What a rigid plane is to a ball: of infinite radius, stiffness and mass.
[[nodiscard]] Ball rigid_plane(const std::string& name);

/// Radius of the contact of two balls under a force [length].
[[nodiscard]] double contact_radius(const Ball& first, const Ball& second, double force);
/// The largest force of an impact of two balls that are free, by Hertz; 0 without speed.
[[nodiscard]] double impact_force(const Ball& first, const Ball& second, double speed);
/// Of their patches: contact.patch; else twice the contact radius under the larger of contact.forces; else
/// under that of an impact with `speed` [length]. Throws Error(input) where there is no speed either.
[[nodiscard]] double patch_radius(const Ball& first, const Ball& second, double speed,
                                  const ContactEntry& contact);
/// What two half-spaces yield at patches of this radius [length/force].
[[nodiscard]] double half_space_compliance(const Ball& first, const Ball& second, double patch);
[[nodiscard]] HertzLaw hertz_law(const Ball& first, const Ball& second, double patch, double compliance);
/// The stable explicit Newmark step of the patches on the law's largest stiffness.
[[nodiscard]] double hertz_stable_step(const Ball& first, const Ball& second, const HertzLaw& law);
/// Throws Error(input) at `where` if spheres overlap at the start or if the patch is as large as a ball.
void require_possible(const Ball& ball, const Ball& other, double gap, double patch,
                      const std::string& where);
/// Throws Error(input) at `where` if fewer than `fewest_nodes_in_patch` nodes are in the patch.
void require_resolved(const SpherePatch& patch, const Ball& ball, double radius, const std::string& where);
constexpr int fewest_nodes_in_patch = 7;
/// Balls whose gap is less than this share of the smaller radius are neighbours.
constexpr double neighbourhood = 0.2;

/// The pairs of a system of balls. Neighbours at the start get a law that makes up for what their meshes
/// yield (patch_compliance); pairs that come near later take them for half-spaces.
class HertzPairs {
 public:
  /// `neighbours`: pairs that may be, ascending. `speed`: of an impact, which decides the patches where the
  /// deck does not. All ranks come to the same. Throws Error(input) as ball_of, patch_radius and, of
  /// neighbours, require_possible and require_resolved do.
  HertzPairs(const Model& model, const ContactEntry& contact, double speed,
             std::span<const BodyPair> neighbours);

  /// How far apart facets may be whose spheres touch [length].
  [[nodiscard]] double activation(const BodyPair& pair) const;
  /// The least stable explicit Newmark step of patches on a law's largest stiffness, of any two bodies.
  [[nodiscard]] double stable_step() const;
  [[nodiscard]] double stable_step(const BodyPair& pair) const;

  [[nodiscard]] HertzLaw law(const BodyPair& pair) const;
  /// At the start.
  [[nodiscard]] bool are_neighbours(const BodyPair& pair) const { return compliances_.contains(pair); }

  /// The potential of a pair; `reference`: the positions by which the triangles, of its balls' boundaries,
  /// are numbered. Of balls that come near each other later the patch may have few nodes.
  [[nodiscard]] std::unique_ptr<HertzContact> make(const BodyPair& pair, std::span<const Vector3> reference,
                                                   std::span<const Triangle> first_triangles,
                                                   std::span<const Triangle> second_triangles) const;

 private:
  struct Patches;
  [[nodiscard]] Patches patches(const BodyPair& pair, std::span<const Vector3> reference,
                                std::span<const Triangle> first_triangles,
                                std::span<const Triangle> second_triangles) const;
  [[nodiscard]] double patch(const BodyPair& pair) const;

  ContactEntry contact_;
  double speed_;
  std::vector<Ball> balls_;
  std::map<BodyPair, double> compliances_;  // of neighbours' meshes
};

}  // namespace terrace
