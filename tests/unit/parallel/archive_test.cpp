// Values written, read and hashed field by field.
#include "parallel/archive.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "dynamics/terraces/subdomain_state.hpp"
#include "numerics/infinity.hpp"

namespace terrace::archive_test {
namespace {

struct Inner {
  double number = 0;
  std::int64_t count = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [number, count] = self;
    archive(number, count);
  }
  bool operator==(const Inner&) const = default;
};

enum class Colour : std::uint8_t { red, green };

struct Everything {
  bool flag = false;
  std::string text;
  std::vector<Inner> list;
  std::deque<double> row;
  std::array<double, 3> vector{};
  std::array<bool, 2> flags{};
  std::array<Colour, 2> colours{};
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> table;
  std::set<std::int32_t> names;
  std::optional<Inner> perhaps, not_there;
  __extension__ __int128 large = 0;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [flag, text, list, row, vector, flags, colours, table, names, perhaps, not_there, large] = self;
    archive(flag, text, list, row, vector, flags, colours, table, names, perhaps, not_there, large);
  }
};

Everything example() {
  Everything all;
  all.flag = true;
  all.text = "ball";
  all.list = {{1.5, -7}, {infinity, 1}};
  all.row = {-0.0, 2};
  all.vector = {1, 2, 3};
  all.flags = {false, true};
  all.colours = {Colour::green, Colour::red};
  all.table = {{{0, 1}, {5, 6}}, {{2, 2}, {}}};
  all.names = {3, 1};
  all.perhaps = Inner{4, 4};
  all.large = static_cast<__int128>(1) << 100;
  return all;
}

template <class Value>
std::vector<std::byte> written(const Value& value) {
  ByteWriter writer;
  writer(value);
  return writer.take();
}

template <class Value>
std::uint64_t hash_of(const Value& value) {
  Hasher hasher;
  hasher(value);
  return hasher.value();
}

TEST(Archive, WhatWasWrittenIsReadAgain) {
  const std::vector<std::byte> bytes = written(example());
  Everything copy;
  copy.names = {9};
  copy.not_there = Inner{1, 1};
  ByteReader reader(bytes);
  reader(copy);
  EXPECT_TRUE(reader.at_end());
  EXPECT_EQ(copy.text, "ball");
  EXPECT_EQ(copy.list, example().list);
  EXPECT_TRUE(std::signbit(copy.row[0]));
  EXPECT_EQ(copy.vector, example().vector);
  EXPECT_EQ(copy.flags, example().flags);
  EXPECT_EQ(copy.colours, example().colours);
  EXPECT_EQ(copy.table, example().table);
  EXPECT_EQ(copy.names, (std::set<std::int32_t>{1, 3}));
  EXPECT_EQ(copy.perhaps, example().perhaps);
  EXPECT_FALSE(copy.not_there.has_value());
  EXPECT_TRUE(copy.large == example().large);
  EXPECT_EQ(written(copy), bytes);
}

TEST(Archive, BytesThatEndTooEarlyAreAnError) {
  std::vector<std::byte> bytes = written(example());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Everything copy;
    ByteReader reader(std::span<const std::byte>(bytes).first(length));
    EXPECT_THROW(reader(copy), Error) << length << " of " << bytes.size() << " bytes";
  }
}

TEST(Archive, BoolsInARowAreTrueOrFalse) {
  const std::vector<std::byte> bytes = {std::byte{1}, std::byte{2}};
  ByteReader reader(bytes);
  std::array<bool, 2> values{};
  EXPECT_THROW(reader(values), Error);
}

TEST(Archive, ABoolIsTrueOrFalse) {
  for (const int byte : {0, 1, 2, 255}) {
    const std::vector<std::byte> bytes = {static_cast<std::byte>(byte)};
    ByteReader reader(bytes);
    bool value = false;
    if (byte < 2) {
      reader(value);
      EXPECT_EQ(value, byte == 1);
      continue;
    }
    try {
      reader(value);
      FAIL() << byte << " was taken for a bool";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("true or false as 1 or 0"), std::string::npos) << error.what();
    }
  }
}

// Every bit of a subdomain's state, as it is written, must change its hash. Members that
// SubdomainState::fields leaves out are not seen by this test.
TEST(Archive, EveryBitOfASubdomainsStateChangesItsHash) {
  SubdomainState state;
  state.monitor = EventMonitor("cube", 0.5);
  state.monitor.remember(0.25, true, FirstCrossing::Surface::top);
  state.line_sums.about_to_change(0.5);
  const std::uint64_t hash = hash_of(state);
  const std::vector<std::byte> bytes = written(state);
  SubdomainState same;
  ByteReader again(bytes);
  again(same);
  EXPECT_EQ(hash_of(same), hash);
  int changes = 0, readable = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<std::byte> other = bytes;
      other[i] ^= std::byte{1} << bit;
      SubdomainState changed;
      try {
        ByteReader reader(other);
        reader(changed);
      } catch (const Error&) {
        continue;  // the size of a container
      } catch (const std::bad_alloc&) {
        continue;
      }
      if (written(changed) == bytes) continue;  // a bit that reading ignores
      ++readable;
      if (hash_of(changed) != hash) ++changes;
    }
  EXPECT_GT(readable, 1000);
  EXPECT_EQ(changes, readable);
}

}  // namespace
}  // namespace terrace::archive_test
