// What differs between two decks.
#pragma once

#include <optional>
#include <string>

namespace terrace {

/// The first key, as "bodies.0.velocity", at which two decks (TOML texts) differ; nothing if there is none.
/// Leaves aside what a run that goes on may change: title, time, output, layout and the executor. Throws
/// Error(input) for a text that is no TOML.
[[nodiscard]] std::optional<std::string> first_difference(const std::string& before, const std::string& now);

}  // namespace terrace
