// Compares a table of the documentation with the one that a test makes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "io/whole_file.hpp"

namespace terrace::testing_of_tables {

/// Expects that `table` stands between the lines `begin` and `end` of a file of the project. With
/// TERRACE_REWRITE_TABLES set, writes it there instead.
inline void expect_table(const std::string& file, const std::string& begin, const std::string& end,
                         const std::string& table) {
  const std::filesystem::path path = std::filesystem::path(TERRACE_SOURCE_DIR) / file;
  const std::string text = read_whole_file(path);
  const std::size_t from = text.find(begin), to = text.find(end);
  ASSERT_NE(from, std::string::npos) << begin;
  ASSERT_NE(to, std::string::npos) << end;
  const std::size_t first = from + begin.size();
  if (std::getenv("TERRACE_REWRITE_TABLES") != nullptr)  // NOLINT(concurrency-mt-unsafe)
    write_whole_file(path, text.substr(0, first) + table + text.substr(to));
  else
    EXPECT_EQ(text.substr(first, to - first), table);
}

}  // namespace terrace::testing_of_tables
