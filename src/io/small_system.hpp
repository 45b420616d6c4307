// What a deck says of a small system and its integrator.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hamiltonian/methods.hpp"
#include "hamiltonian/systems.hpp"
#include "io/deck_reader.hpp"

namespace terrace {

struct ForceChoice {
  std::string name;
  std::string where;  ///< for messages
  std::optional<bool> on, implicit;
};

/// The tables [system] and [integrator] of a deck of a small system.
struct SmallSystem {
  const SystemEntry* kind = nullptr;
  std::string where;  ///< of [system]
  SystemParameters parameters;
  std::optional<Values> coordinates, momenta;
  std::vector<ForceChoice> forces;
  const MethodEntry* method = nullptr;
  std::string method_where;  ///< of integrator.method
  MethodSettings settings;

  /// Makes the system, with the parameters, the start and the forces that the deck chooses.
  [[nodiscard]] std::unique_ptr<HamiltonianSystem> make() const;
};

/// Reads both tables. Throws Error(input) with the deck's line for everything that is wrong with them, and
/// where the method is not valid for the system, naming the property.
[[nodiscard]] std::shared_ptr<const SmallSystem> read_small_system(const TableReader& root);

}  // namespace terrace
