// Contact between bodies: which pairs may touch, their parameters, and the subdomains that pairs get when
// their bodies come near each other.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dynamics/records/records.hpp"
#include "dynamics/system/contact_parameters.hpp"
#include "dynamics/system/hertz_pairs.hpp"
#include "dynamics/system/lagrangian.hpp"
#include "dynamics/system/layout.hpp"
#include "dynamics/system/living_subdomains.hpp"
#include "geometry/box.hpp"
#include "numerics/at.hpp"
#include "potentials/contact/surface_contact.hpp"

namespace terrace {

/// What a rank knows of all contact pairs, and what makes their potentials. Where pairs are apart
/// (Localization::pairs_apart) a pair becomes a subdomain of its own when its bodies come near each other,
/// and costs nothing before: an event does not depend on bodies far away. Every rank then holds the surface
/// nodes of all bodies, in windows beside its share, so that all know without messages which bodies are near.
/// A pair's potential lies on one rank, that of its first body (Lagrangian::rank_of_body). With the layout
/// "slice" it lies on the rank of the pair's number, or, for gap and barrier between bodies that share a
/// terrace while they touch, is divided over all ranks, as the bodies are.
class ContactPairs {
 public:
  /// `contact_bodies`: of the model's bodies, in their order. `local`: for every model node its number in the
  /// system that the pairs' potentials are for, −1 where this rank has no copy. Throws Error(input), on all
  /// ranks alike, for bodies that start too near each other (adapt_to_start) or within each other, and as
  /// HertzPairs does.
  ContactPairs(const Model& model, std::span<const ContactBody> contact_bodies, const ContactEntry& contact,
               const Localization& localization, const Layout& layout, std::span<const std::int32_t> local);

  /// Whether pairs' potentials can look at near sides alone (PotentialOnLine::look_at_near_sides).
  [[nodiscard]] bool looks_near() const {
    return contact_.model == ContactModel::barrier || contact_.model == ContactModel::gap;
  }
  [[nodiscard]] bool may_touch(const BodyPair& pair) const;
  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(surfaces_.size()); }
  /// Local numbers of a body's surface nodes, ascending.
  [[nodiscard]] std::span<const std::int32_t> surface_nodes(std::int32_t body) const;
  /// The distance [length] from which on a pair's surfaces feel each other.
  [[nodiscard]] double activation(const BodyPair& pair) const { return parameters(pair).activation; }
  [[nodiscard]] double largest_activation() const { return largest_activation_; }  ///< no pair's is larger
  /// Those of a gap or barrier; by Hertz's law the activation distance alone is set; else all are 0.
  [[nodiscard]] ContactParameters parameters(const BodyPair& pair) const;

  /// The pairs of balls where contact is by Hertz's law; null for other models.
  [[nodiscard]] const HertzPairs* hertz() const { return hertz_ ? &*hertz_ : nullptr; }

  /// Stable explicit Newmark step [s] of smooth contact between two bodies; infinite for other contact.
  [[nodiscard]] double stable_step(const BodyPair& pair) const;
  /// The least between any two bodies that may touch, or less.
  [[nodiscard]] double stable_step() const;

  /// A warning that names the first pair with weak contact (weak_contact.hpp) and tells how many more there
  /// are; nothing if there is none. Looks at the first 1,500 bodies. `terraces`: the integrator steps by
  /// levels of energy.
  [[nodiscard]] std::vector<Warning> weak_contact(bool terraces) const;

  /// The potential of a pair, where contact has an energy. `share`: this rank's share of a gap's or
  /// barrier's potential; others are whole.
  [[nodiscard]] std::unique_ptr<Potential> make(const BodyPair& pair, std::span<const Vector3> reference,
                                                const PairShare& share = {}) const;
  /// The constraint of a pair, where contact has no energy (rigid).
  [[nodiscard]] std::unique_ptr<SetConstraint> make_constraint(const BodyPair& pair,
                                                               std::span<const Vector3> reference) const;
  [[nodiscard]] bool has_energy() const { return contact_.model != ContactModel::rigid; }

  /// Whether the ranks of a pair's two bodies share its potential while the bodies touch; before, one of them
  /// has all of it.
  [[nodiscard]] bool are_shared_in_touch(const Lagrangian& system, const BodyPair& pair) const;
  /// Whether each of the ranks that work together on shared bodies holds all of a pair
  /// (Subdomain::everywhere): where its bodies do not touch, or each rank holds both of them too.
  [[nodiscard]] static bool is_everywhere(const Lagrangian& system, const BodyPair& pair, bool in_touch);
  /// Makes the subdomain of a pair with this rank's share; its number is or will be `number`. Its neighbours
  /// are left out. `in_touch`: whether the bodies touch.
  [[nodiscard]] PairSubdomain subdomain_of(const Lagrangian& system, const BodyPair& pair,
                                           std::int32_t number, bool in_touch = false) const;

 private:
  [[nodiscard]] bool any_may_touch(std::span<const std::int32_t> some,
                                   std::span<const std::int32_t> others) const;
  [[nodiscard]] std::string weakness_of(const BodyPair& pair, bool terraces) const;
  struct BodySurface {
    std::string name;
    std::shared_ptr<const std::vector<Triangle>> triangles;  ///< of indices into `nodes`, so that bodies of
                                                             ///< equal shape share one list
    std::vector<std::int32_t> nodes;  ///< local numbers, ascending where this rank has all
    ContactBody contact;
    Box velocities;  ///< range of the velocities of the body's nodes at the start
    /// The triangles in local node numbers.
    [[nodiscard]] std::vector<Triangle> local_triangles() const;
  };
  /// Pairs of bodies (or one with itself) that may touch and whose boxes are nearer than `reach` at the
  /// start, ascending.
  [[nodiscard]] std::vector<BodyPair> pairs_at_start(const Model& model, double reach) const;
  void look_at_start(const Model& model);
  [[nodiscard]] std::vector<int> ranks_of(const Lagrangian& system, const BodyPair& pair,
                                          std::int32_t subdomain, bool in_touch) const;
  [[nodiscard]] ContactSurfaces surfaces_of(const BodyPair& pair, std::span<const Vector3> reference) const;

  ContactEntry contact_;
  double energy_step_;
  double speed_;
  double largest_activation_ = 0;
  bool own_;  ///< touching bodies share no terrace
  bool slice_;
  std::vector<BodySurface> surfaces_;
  /// By body: made when a pair of this rank first needs it, then shared by all pairs of the body until the
  /// last of them ends.
  mutable std::vector<std::weak_ptr<const TriangulatedSurface>> shared_surfaces_;
  std::optional<HertzPairs> hertz_;                // of Hertz's law
  std::map<BodyPair, ContactParameters> adapted_;  // of pairs that start nearer than the usual d̂
  struct Asked {
    ContactBody first, second;
    ContactParameters chosen;
  };
  mutable std::optional<Asked> last_asked_;  // most pairs of a packing have bodies equal to the last pair's
};

}  // namespace terrace
