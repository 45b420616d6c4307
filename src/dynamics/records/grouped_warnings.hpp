// Joins warnings of many subdomains that have the same subject.
#pragma once

#include <fmt/core.h>

#include <map>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"

namespace terrace {

/// Adds to `warnings` the first warning of each subject in `all`. Its text ends with the number of further
/// subdomains that have the same trouble.
inline void add_one_of_each_subject(const std::vector<Warning>& all, std::vector<Warning>& warnings) {
  std::map<std::string, int> count;
  for (const Warning& warning : all) ++count[warning.subject];
  for (const Warning& warning : all) {
    int& left = count[warning.subject];
    if (left == 0) continue;  // it was told
    const std::string others =
        left > 1 ? fmt::format(" (and {} more subdomain{})", left - 1, left > 2 ? "s" : "") : "";
    warnings.push_back({warning.subject, warning.text + others, warning.tell});
    left = 0;
  }
}

}  // namespace terrace
