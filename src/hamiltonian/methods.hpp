// The one list of integrators of small systems: names, keys, what each is claimed to keep, and what it needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltonian/method.hpp"

namespace terrace {

/// How well a method keeps a quantity: to round-off; within a bound that does not grow; not.
enum class Keeps { exactly, bounded, not_at_all };

/// What is said of a method at its default settings, and tested of each
/// (tests/unit/hamiltonian/method_claims_test.cpp).
struct MethodClaims {
  int order = 2;
  bool symplectic = false, reversible = false;
  Keeps energy = Keeps::bounded;
  Keeps angular_momentum = Keeps::exactly;  ///< of central forces
  bool is_explicit = false;
};

/// What a system must be. Each is told by name where it is not.
struct MethodNeeds {
  bool separable = true;         ///< H = T(p) + V(q)
  bool quadratic = false;        ///< and T = ½ pᵀM⁻¹p
  bool autonomous = false;       ///< no force depends on time
  bool conservative = true;      ///< every force has a potential
  bool constraint = false;       ///< there is one
  bool rigid_body = false;       ///< a free one
  bool canonical = true;         ///< q and p
  bool constraints_too = false;  ///< can do with one and without
};

struct MethodEntry {
  std::string_view name;          ///< integrator.method
  std::string_view description;   ///< for `terrace list`
  std::vector<std::string> keys;  ///< of [integrator], besides `method`; the first is required, or one of
                                  ///< time_step and step_parameter
  MethodClaims claims;
  MethodNeeds needs;
  std::vector<std::string> variants;  ///< integrator.variant, the first by default
  std::vector<int> orders;            ///< integrator.order
  MadeMethod (*make)(HamiltonianSystem&, const MethodSettings&);
};

[[nodiscard]] const std::vector<MethodEntry>& methods();

/// The one of this name, or nullptr.
[[nodiscard]] const MethodEntry* find_method(std::string_view name);

/// Why the method is not valid for the system: what it needs and what was found.
struct Refusal {
  std::string expected, found;
};
[[nodiscard]] std::optional<Refusal> refusal(const MethodEntry& method, const MethodSettings& settings,
                                             const HamiltonianSystem& system);

[[nodiscard]] bool has_key(const MethodEntry& method, std::string_view key);

}  // namespace terrace
