// The list of integrators of small systems: names, keys, what each is claimed to keep, and what it needs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltonian/method.hpp"

namespace terrace {

/// How well a method keeps a quantity: to round-off; within a bound that does not grow; not at all.
enum class Keeps { exactly, bounded, not_at_all };

/// The properties of a method at its default settings; tests/unit/hamiltonian/method_claims_test.cpp measures
/// them.
struct MethodClaims {
  int order = 2;
  bool symplectic = false, reversible = false;
  Keeps energy = Keeps::bounded;
  Keeps angular_momentum = Keeps::exactly;  ///< with central forces
  bool is_explicit = false;
};

/// What a method asks of a system. A refusal names the property that a system lacks.
struct MethodNeeds {
  bool separable = true;         ///< H = T(p) + V(q)
  bool quadratic = false;        ///< and T = ½ pᵀM⁻¹p
  bool autonomous = false;       ///< no force depends on time
  bool conservative = true;      ///< every force has a potential
  bool constraint = false;       ///< there is a constraint
  bool rigid_body = false;       ///< it is a free rigid body
  bool canonical = true;         ///< its state is coordinates q and momenta p
  bool constraints_too = false;  ///< the method allows systems with and without a constraint
};

/// An integrator in the list.
struct MethodEntry {
  std::string_view name;          ///< integrator.method
  std::string_view description;   ///< for `terrace list`
  std::vector<std::string> keys;  ///< of [integrator], besides `method`; the first is required, or one of
                                  ///< time_step and step_parameter
  MethodClaims claims;
  MethodNeeds needs;
  std::vector<std::string> variants;  ///< values of integrator.variant; the first is the default
  std::vector<int> orders;            ///< values of integrator.order
  MadeMethod (*make)(HamiltonianSystem&, const MethodSettings&);
};

[[nodiscard]] const std::vector<MethodEntry>& methods();

/// The method of this name, or nullptr.
[[nodiscard]] const MethodEntry* find_method(std::string_view name);

/// Why a method is not valid for a system: what it needs and what was found.
struct Refusal {
  std::string expected, found;
};
/// Why `method` is not valid for `system`; nothing if it is valid.
[[nodiscard]] std::optional<Refusal> refusal(const MethodEntry& method, const MethodSettings& settings,
                                             const HamiltonianSystem& system);

/// Whether `key` of [integrator] is one of the method's.
[[nodiscard]] bool has_key(const MethodEntry& method, std::string_view key);

}  // namespace terrace
