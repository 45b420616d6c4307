// The one list of small systems: their names, their parameters, and how they are made.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

struct SystemParameter {
  enum class Range { any, positive, not_negative, count };
  std::string name;
  double value;  ///< if the deck says nothing
  Range range = Range::positive;
  std::string description;
};

using SystemParameters = std::map<std::string, double>;

struct SystemEntry {
  std::string_view name;         ///< system.kind
  std::string_view description;  ///< for `terrace list`
  std::vector<SystemParameter> parameters;
  std::unique_ptr<HamiltonianSystem> (*make)(const SystemParameters&);
};

/// All systems there are.
[[nodiscard]] const std::vector<SystemEntry>& systems();

/// The one of this name, or nullptr.
[[nodiscard]] const SystemEntry* find_system(std::string_view name);

/// A system with the parameters as they are and some of them set otherwise; each must be one of its own.
[[nodiscard]] std::unique_ptr<HamiltonianSystem> make_system(const SystemEntry& entry,
                                                             const SystemParameters& changed = {});

}  // namespace terrace
