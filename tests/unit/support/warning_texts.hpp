// The texts of warnings.
#pragma once

#include <string>
#include <vector>

#include "dynamics/records/records.hpp"

namespace terrace {

inline std::vector<std::string> texts_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> texts;
  for (const Warning& warning : warnings) texts.push_back(warning.text);
  return texts;
}

}  // namespace terrace
