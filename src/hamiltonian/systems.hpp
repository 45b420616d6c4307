// The list of small systems: their names, their parameters, and how they are made.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// A parameter of a system and its allowed values.
struct SystemParameter {
  enum class Range { any, positive, not_negative, count };
  std::string name;
  double value;  ///< the default
  Range range = Range::positive;
  std::string description;
};

using SystemParameters = std::map<std::string, double>;

/// A system in the list.
struct SystemEntry {
  std::string_view name;         ///< system.kind
  std::string_view description;  ///< for `terrace list`
  std::vector<SystemParameter> parameters;
  std::unique_ptr<HamiltonianSystem> (*make)(const SystemParameters&);
};

/// All small systems.
[[nodiscard]] const std::vector<SystemEntry>& systems();

/// The system of this name, or nullptr.
[[nodiscard]] const SystemEntry* find_system(std::string_view name);

/// Makes a system with its default parameters, except those in `changed`, which must be parameters of its
/// own.
[[nodiscard]] std::unique_ptr<HamiltonianSystem> make_system(const SystemEntry& entry,
                                                             const SystemParameters& changed = {});

}  // namespace terrace
