// Contact between bodies: which pairs may touch, their parameters, and the subdomains they get when they come
// near each other.
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

/// A rank's knowledge of contact pairs. With `localization.contact = "own"` a pair becomes a subdomain of its
/// own when its bodies come near each other, and is left alone until then: the cost of an event does not
/// depend on bodies far away. Every rank then holds the surface nodes of all bodies, in windows beside its
/// share, so that all know without messages which bodies are near. The pair's potential lies on one rank,
/// that of its first body (Lagrangian::rank_of_body); with the layout "slice" smooth contact of bodies that
/// share a terrace while they touch is divided over all ranks, as the bodies are.
class ContactPairs {
 public:
  /// `contact_bodies`: of the model. `local`: the number of every model node in the system of which pairs get
  /// their potentials, −1 where this rank has no copy. Throws Error(input), on all ranks alike, for bodies
  /// that start too near each other (contact_table) or within each other.
  ContactPairs(const Model& model, std::span<const ContactBody> contact_bodies, const ContactEntry& contact,
               const Localization& localization, const Layout& layout, std::span<const std::int32_t> local);

  /// Whether a pair's potential can look at near sides alone (PotentialOnLine::look_at_near_sides).
  [[nodiscard]] bool looks_near() const {
    return contact_.model == ContactModel::barrier || contact_.model == ContactModel::gap;
  }
  [[nodiscard]] bool may_touch(const BodyPair& pair) const;
  [[nodiscard]] std::int32_t bodies() const { return static_cast<std::int32_t>(surfaces_.size()); }
  /// Local numbers of a body's surface nodes, ascending.
  [[nodiscard]] std::span<const std::int32_t> surface_nodes(std::int32_t body) const;
  [[nodiscard]] double activation(const BodyPair& pair) const { return parameters(pair).activation; }
  [[nodiscard]] double largest_activation() const { return largest_activation_; }  ///< no pair's is larger
  [[nodiscard]] ContactParameters parameters(const BodyPair& pair) const;

  /// Of contact by Hertz's law; null for other models.
  [[nodiscard]] const HertzPairs* hertz() const { return hertz_ ? &*hertz_ : nullptr; }

  /// Stable explicit Newmark step of smooth contact between two bodies; infinite for other contact.
  [[nodiscard]] double stable_step(const BodyPair& pair) const;
  /// The least between any two bodies.
  [[nodiscard]] double stable_step() const;

  /// A warning of the first pair with weak contact (weak_contact.hpp), and how many more there are; of the
  /// first 1,500 bodies. `terraces`: the integrator steps by levels of energy.
  [[nodiscard]] std::vector<Warning> weak_contact(bool terraces) const;

  /// The potential of a pair, where contact has an energy. `share`: this rank's of a smooth contact.
  [[nodiscard]] std::unique_ptr<Potential> make(const BodyPair& pair, std::span<const Vector3> reference,
                                                const PairShare& share = {}) const;
  /// The constraint of a pair, where it has none.
  [[nodiscard]] std::unique_ptr<SetConstraint> make_constraint(const BodyPair& pair,
                                                               std::span<const Vector3> reference) const;
  [[nodiscard]] bool has_energy() const { return contact_.model != ContactModel::rigid; }

  /// Whether the ranks of a pair's two bodies share its potential while the bodies touch, though one of them
  /// has it before.
  [[nodiscard]] bool are_shared_in_touch(const Lagrangian& system, const BodyPair& pair) const;
  /// Whether ranks that work together each hold all of a pair (Subdomain::everywhere), as long as its
  /// bodies do not touch, or where each of them holds these too.
  [[nodiscard]] static bool is_everywhere(const Lagrangian& system, const BodyPair& pair, bool in_touch);
  /// The subdomain of a pair that is or will be the system's `number`th, without neighbours; with this rank's
  /// share. `in_touch`: of bodies that touch.
  [[nodiscard]] PairSubdomain subdomain_of(const Lagrangian& system, const BodyPair& pair,
                                           std::int32_t number, bool in_touch = false) const;

 private:
  [[nodiscard]] bool any_may_touch(std::span<const std::int32_t> some,
                                   std::span<const std::int32_t> others) const;
  [[nodiscard]] std::string weakness_of(const BodyPair& pair, bool terraces) const;
  struct BodySurface {
    std::string name;
    std::shared_ptr<const std::vector<Triangle>> triangles;  ///< of places in `nodes`: bodies of equal shape
                                                             ///< have them in common
    std::vector<std::int32_t> nodes;  ///< local numbers, ascending where this rank has all
    ContactBody contact;
    Box velocities;  ///< of the body's nodes at the start
    /// In local numbers.
    [[nodiscard]] std::vector<Triangle> local_triangles() const;
  };
  /// Pairs whose boxes are nearer than `reach`, ascending; of a body with itself too.
  [[nodiscard]] std::vector<BodyPair> pairs_at_start(const Model& model, double reach) const;
  void look_at_start(const Model& model);
  [[nodiscard]] std::vector<int> ranks_of(const Lagrangian& system, const BodyPair& pair,
                                          std::int32_t subdomain, bool in_touch) const;
  [[nodiscard]] ContactSurfaces surfaces_of(const BodyPair& pair, std::span<const Vector3> reference) const;

  ContactEntry contact_;
  double energy_step_;
  double speed_;
  double largest_activation_ = 0;
  bool own_;  ///< pairs have terraces of their own
  bool slice_;
  std::vector<BodySurface> surfaces_;
  /// By body: made where a pair of this rank first needs it, then shared by all pairs of the body until the
  /// last of them ends.
  mutable std::vector<std::weak_ptr<const TriangulatedSurface>> shared_surfaces_;
  std::optional<HertzPairs> hertz_;                // with Hertz's law
  std::map<BodyPair, ContactParameters> adapted_;  // pairs that start near each other
  struct Asked {
    ContactBody first, second;
    ContactParameters chosen;
  };
  mutable std::optional<Asked> last_asked_;  // most pairs of a packing are of bodies like the last one's
};

}  // namespace terrace
