// The value of a serial number is unique in a run. Its place is given to another object once it is free.
#include "potentials/serial_number.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

namespace terrace::serial_number_test {
namespace {

TEST(SerialNumber, ValuesAreNeverGivenTwiceAndPlacesAreWhenTheyAreFree) {
  const SerialNumber first, second;
  EXPECT_GT(first.value(), 0u);
  EXPECT_NE(first.value(), second.value());
  EXPECT_NE(first.place(), second.place());
  std::set<std::uint64_t> values;
  std::set<std::size_t> places;
  for (int i = 0; i < 100; ++i) {
    const SerialNumber number;
    values.insert(number.value());
    places.insert(number.place());
  }
  EXPECT_EQ(values.size(), 100u);
  EXPECT_EQ(places.size(), 1u);
}

TEST(SerialNumber, ObjectsThatAreThereAtATimeHavePlacesOfTheirOwn) {
  std::vector<std::unique_ptr<SerialNumber>> all;
  for (int i = 0; i < 50; ++i) all.push_back(std::make_unique<SerialNumber>());
  std::set<std::size_t> before, after;
  for (const auto& number : all) before.insert(number->place());
  for (std::size_t i = 0; i < 50; i += 2) all[i] = nullptr;
  for (std::size_t i = 0; i < 50; i += 2) all[i] = std::make_unique<SerialNumber>();
  for (const auto& number : all) after.insert(number->place());
  EXPECT_EQ(before.size(), 50u);
  EXPECT_EQ(after, before);
}

}  // namespace
}  // namespace terrace::serial_number_test
