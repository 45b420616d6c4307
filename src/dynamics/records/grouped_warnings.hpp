// Warnings of many subdomains, told once.
#pragma once

#include <fmt/core.h>

#include <map>
#include <string>
#include <vector>

#include "dynamics/records/records.hpp"

namespace terrace {

/// Adds of `all` the first of each subject, and to its text how many more subdomains have the same.
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
