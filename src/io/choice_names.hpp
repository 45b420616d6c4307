// The names that some choices have in decks: to read them, and to tell which one was found.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "io/deck.hpp"

namespace terrace {

template <class Choice>
using ChoiceNames = std::vector<std::pair<std::string, Choice>>;  // as TableReader::choice takes them

inline const ChoiceNames<Executor> executor_names = {{"sequential", Executor::sequential},
                                                     {"checking", Executor::checking},
                                                     {"concurrent", Executor::concurrent},
                                                     {"validating", Executor::validating}};
/// Of bodies; particles have other kinds.
inline const ChoiceNames<LocalizationKind> localization_names = {{"global", LocalizationKind::global},
                                                                 {"bodies", LocalizationKind::bodies},
                                                                 {"metis", LocalizationKind::metis}};
inline const ChoiceNames<ContactLocalization> contact_localization_names = {
    {"own", ContactLocalization::own},
    {"with-bodies", ContactLocalization::with_bodies},
    {"touching", ContactLocalization::touching},
    {"auto", ContactLocalization::automatic}};

inline const ChoiceNames<LayoutKind> layout_names = {{"own", LayoutKind::own},
                                                     {"slice", LayoutKind::slice},
                                                     {"windows", LayoutKind::windows},
                                                     {"auto", LayoutKind::automatic}};

/// The choice's name in quotes, for messages.
template <class Choice>
[[nodiscard]] std::string quoted_name(const ChoiceNames<Choice>& names, Choice choice) {
  for (const auto& [name, named] : names)
    if (named == choice) return "\"" + name + "\"";
  return "another";
}

}  // namespace terrace
