// Contact of balls by Hertz's law: which bodies are balls, how large the patches between them are, and how
// far their meshes yield under a patch's load.
#pragma once

#include <functional>
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

/// A body as Hertz's law sees it.
struct Ball {
  std::string name;
  Sphere sphere;       ///< on which its boundary nodes are in the reference positions
  double modulus = 0;  ///< E/(1 − ν²) [pressure]
  double mass = 0;
  double lightness = 0;  ///< as ContactBody
};

/// A body as a ball. Throws Error(input) at contact.where if its boundary nodes are on no sphere.
[[nodiscard]] Ball ball_of(const Model& model, const Body& body, const ContactEntry& contact);
/// A rigid plane as a ball of infinite radius, modulus and mass.
[[nodiscard]] Ball rigid_plane(const std::string& name);

/// Radius of the contact of two balls under a force [length].
[[nodiscard]] double contact_radius(const Ball& first, const Ball& second, double force);
/// The largest force of an impact of two free balls by Hertz's law; 0 without speed.
[[nodiscard]] double impact_force(const Ball& first, const Ball& second, double speed);
/// Radius of the patches between two balls [length]: contact.patch; else twice the contact radius under the
/// larger of contact.forces; else twice that under the largest force of an impact with `speed`. Throws
/// Error(input) where there is no speed either.
[[nodiscard]] double patch_radius(const Ball& first, const Ball& second, double speed,
                                  const ContactEntry& contact);
/// Compliance of two half-spaces under patches of this radius [length/force] (hertz_law.hpp).
[[nodiscard]] double half_space_compliance(const Ball& first, const Ball& second, double patch);
/// Hertz's law between patches of the radius `patch` [length] on bodies that yield by `compliance`
/// [length/force] together.
[[nodiscard]] HertzLaw hertz_law(const Ball& first, const Ball& second, double patch, double compliance);
/// The stable explicit Newmark step [s] of the patches' nodes on the law's largest stiffness.
[[nodiscard]] double hertz_stable_step(const Ball& first, const Ball& second, const HertzLaw& law);
/// Throws Error(input) at `where` if the spheres overlap at the start (`gap` < 0) or if the patch is as large
/// as a ball.
void require_possible(const Ball& ball, const Ball& other, double gap, double patch,
                      const std::string& where);
/// Throws Error(input) at `where` if fewer than fewest_nodes_in_patch nodes of the ball are in the patch.
void require_resolved(const SpherePatch& patch, const Ball& ball, double radius, const std::string& where);
constexpr int fewest_nodes_in_patch = 7;
/// Balls are neighbours if their gap is less than this share of the smaller radius.
constexpr double neighbourhood = 0.2;

/// The pairs of a system of balls. Neighbours at the start get a law that allows for the compliance of their
/// meshes (patch_compliance); the law of pairs that come near later takes it for that of half-spaces.
class HertzPairs {
 public:
  /// `neighbours`: all pairs that may be neighbours at the start, ascending. `speed`: of an impact, which
  /// decides the patches' radii where the deck does not. All ranks compute the same. Throws Error(input) as
  /// ball_of and, for neighbours, patch_radius, require_possible, require_resolved and patch_compliance do.
  HertzPairs(const Model& model, const ContactEntry& contact, double speed,
             std::span<const BodyPair> neighbours);

  /// How far apart the facets of two meshes may be while their spheres touch [length].
  [[nodiscard]] double activation(const BodyPair& pair) const;
  /// Whether any body of one list may touch any of the other.
  using AnyMayTouch =
      std::function<bool(std::span<const std::int32_t> some, std::span<const std::int32_t> others)>;
  /// The least hertz_stable_step of any two kinds of bodies that may touch [s]; +∞ where none may.
  [[nodiscard]] double stable_step(const AnyMayTouch& any_may_touch) const;
  [[nodiscard]] double stable_step(const BodyPair& pair) const;

  [[nodiscard]] HertzLaw law(const BodyPair& pair) const;
  /// Whether the two were neighbours at the start.
  [[nodiscard]] bool are_neighbours(const BodyPair& pair) const { return compliances_.contains(pair); }

  /// The potential of a pair. The triangles are the balls' boundaries, in numbers of nodes whose positions
  /// are `reference`. The patch of balls that come near each other later may have few nodes.
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
  std::map<BodyPair, double> compliances_;  // of both meshes, for neighbours at the start
};

}  // namespace terrace
