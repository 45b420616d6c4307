// What the tests of decks share: a valid deck, ways to change it, and reading it from a scratch directory.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/deck.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// A valid deck; every line has a number that the broken decks refer to.
inline const char* const valid_deck = R"(title = "Two balls"
[time]
end = 0.04
[materials.gel]
density = 1059
lame_lambda = 12.04e4
lame_mu = 1.34e4
[[bodies]]
name = "left"
material = "gel"
shape = "ball"
radius = 0.025
size = 0.008
velocity = [4, 0, 0]
[[bodies]]
name = "right"
material = "gel"
shape = "block"
extent = [0.1, 0.1, 0.1]
size = 0.02
position = [1, 0, 0]
[contact]
model = "face-intersection"
stiffness = 1e4
[[walls]]
name = "floor"
point = [0, 0, -1]
normal = [0, 0, 2]
stiffness = 1e3
[localization]
kind = "bodies"
[integrator]
method = "energy-stepping"
energy_step = 5e-5
)";

/// The valid deck with `from` replaced by `to`; `from` must occur in it.
inline std::string changed(const std::string& from, const std::string& to) {
  std::string text = valid_deck;
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

/// Reads decks from a directory of the test's own.
class DeckTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 ("terrace_deck_" + std::string(info->name()) + "_" + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& text) const {
    const std::filesystem::path path = directory_ / "deck.toml";
    std::ofstream(path) << text;
    return path.string();
  }

  Deck read(const std::string& text, const std::vector<std::string>& settings = {}) const {
    return read_deck(write(text), settings);
  }

  /// The message of the Error(input) that reading must throw; "" (and a failure) if it does not.
  std::string message(const std::string& text, const std::vector<std::string>& settings = {}) const {
    try {
      read(text, settings);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::input);
      return error.what();
    }
    ADD_FAILURE() << "a broken deck was accepted:\n" << text;
    return "";
  }

  std::filesystem::path directory_;
};

}  // namespace terrace
