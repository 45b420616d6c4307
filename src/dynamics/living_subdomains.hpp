// Subdomains that come and go while a system moves.
#pragma once

#include <cstdint>
#include <memory>

#include "dynamics/lagrangian.hpp"

namespace terrace {

/// A contact pair's subdomain with this rank's share of it, if it has one: a potential or a constraint.
struct PairSubdomain {
  Subdomain subdomain;
  std::unique_ptr<Potential> potential;
  std::unique_ptr<SetConstraint> constraint;
};

/// The one writer to a system that the SystemBuilder has finished. Contact pairs and groups of touching
/// bodies have their subdomains behind those of the localization, each in its place for good; on all ranks
/// alike.
class LivingSubdomains {
 public:
  /// `system` outlives this.
  explicit LivingSubdomains(Lagrangian& system) : system_(system) {}

  [[nodiscard]] const Lagrangian& system() const { return system_; }  ///< as it is now
  /// Of all kinds, in use or not.
  [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(system_.subdomains.size()); }

  /// These append a subdomain and return its number.
  std::int32_t add_pair(PairSubdomain pair);
  std::int32_t add_group(Subdomain group);
  /// A group in the place of a former one, or of none.
  void replace_group(std::int32_t number, Subdomain group);
  /// Of a contact pair whose bodies are far apart.
  void set_asleep(std::int32_t pair, bool asleep);
  /// The last subdomain is a pair's: takes it away with what it brought.
  void remove_last_pair();
  /// The last subdomain is a group's.
  void remove_last_group() { system_.subdomains.pop_back(); }

 private:
  Lagrangian& system_;
};

}  // namespace terrace
