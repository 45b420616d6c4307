// UntouchedArray: rows that are zero at first and take memory only where they are written.
#include "numerics/untouched_array.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <limits>
#include <new>
#include <utility>
#include <vector>

namespace terrace::untouched_array_test {
namespace {

struct alignas(64) Row {
  double values[8];
};

/// Pages of the array that are in memory.
std::size_t resident_pages(const UntouchedArray<Row>& rows) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> resident((rows.size() * sizeof(Row) + page - 1) / page);
  EXPECT_EQ(::mincore(const_cast<Row*>(rows.data()), rows.size() * sizeof(Row), resident.data()), 0);
  std::size_t count = 0;
  for (const unsigned char one : resident) count += one & 1u;
  return count;
}

TEST(UntouchedArray, TakesMemoryWhereItIsWritten) {
  constexpr std::size_t many = 1 << 19;  // 32 MB
  UntouchedArray<Row> rows(many);
  ASSERT_EQ(rows.size(), many);
  EXPECT_EQ(resident_pages(rows), 0u);
  for (std::size_t i = 300000; i < 300100; ++i) rows[i].values[3] = 1.5;
  EXPECT_GE(resident_pages(rows), 1u);
  // A page of 2 MB where the system gives them unasked.
  EXPECT_LE(resident_pages(rows), 1024u);
}

// Small arrays come from the heap, whose memory may hold earlier values: it must be cleared. Each size is
// made twice for that.
TEST(UntouchedArray, IsZeroAtFirstAndStaysWhatItWasInCopiesAndInMoreRoom) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{1020}, std::size_t{5000}}) {
    for (int again = 0; again < 2; ++again) {
      UntouchedArray<Row> rows(size);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(rows.data()) % alignof(Row), 0u);
      for (const Row& row : rows)
        for (const double value : row.values) ASSERT_EQ(value, 0);
      for (std::size_t i = 0; i < size; ++i) rows[i].values[i % 8] = static_cast<double>(i + 1);
      UntouchedArray<Row> copy = rows;
      rows[0].values[0] = -1;
      EXPECT_EQ(copy[0].values[0], 1);
      copy.resize(size + 7);
      ASSERT_EQ(copy.size(), size + 7);
      EXPECT_EQ(copy[size - 1].values[(size - 1) % 8], static_cast<double>(size));
      EXPECT_EQ(copy[size].values[size % 8], 0);
      copy.resize(1);
      EXPECT_EQ(copy[0].values[0], 1);
      rows = copy;
      EXPECT_EQ(rows.size(), 1u);
      EXPECT_EQ(rows[0].values[0], 1);
      UntouchedArray<Row>& same = rows;
      rows = same;
      EXPECT_EQ(rows[0].values[0], 1);
      copy.resize(size + 7);
      rows = std::move(copy);
      EXPECT_EQ(rows.size(), size + 7);
      EXPECT_EQ(rows[0].values[0], 1);
      EXPECT_EQ(rows[size].values[size % 8], 0) << "not as it was before there were fewer";
    }
  }
  EXPECT_EQ(UntouchedArray<Row>().size(), 0u);
  EXPECT_EQ(UntouchedArray<Row>(0).data(), nullptr);
}

// Whole pages of forgotten rows are given back and read as 0. Small arrays, from the heap, give nothing back.
TEST(UntouchedArray, WhatIsForgottenTakesNoMemoryAndItsNeighboursStay) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) / sizeof(Row);  // in rows
  for (const std::size_t size : {std::size_t{100}, 64 * page}) {
    UntouchedArray<Row> rows(size);
    for (std::size_t i = 0; i < size; ++i) rows[i].values[0] = static_cast<double>(i + 1);
    const std::size_t first = size / 8 + 3, last = size - size / 4 - 5;
    const bool has_pages = size > 100;
    const std::size_t before = has_pages ? resident_pages(rows) : 0;
    rows.forget(first, last);
    rows.forget(7, 7);
    if (has_pages) {
      EXPECT_LE(resident_pages(rows) + (last - first) / page - 1, before);
      EXPECT_EQ(rows[(first + last) / 2].values[0], 0);
    }
    for (std::size_t i = 0; i < size; ++i) {
      if (i >= first && i < last) continue;
      ASSERT_EQ(rows[i].values[0], static_cast<double>(i + 1)) << i;
    }
    rows[first].values[0] = -1;
    EXPECT_EQ(rows[first].values[0], -1);
  }
}

TEST(UntouchedArray, OfMoreThanThereIsIsAnError) {
  EXPECT_THROW(UntouchedArray<Row>(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
  EXPECT_THROW(UntouchedArray<Row>(std::size_t{1} << 56), std::bad_alloc);
}

}  // namespace
}  // namespace terrace::untouched_array_test
