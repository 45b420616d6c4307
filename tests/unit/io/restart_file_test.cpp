// Restart files: what was written is read, and whatever is cut off or damaged is refused.
#include "io/restart_file.hpp"

#include <gmock/gmock.h>

#include <random>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::restart_file_test {
namespace {

namespace fs = std::filesystem;

struct Saved {
  RestartContent content{.deck = "title = \"τ\"\n",
                         .mesh_hash = "0123456789abcdef",
                         .model_hash = "fedcba9876543210",
                         .time = 0.1,
                         .state = {}};
  std::vector<std::int32_t> nodes;
  std::vector<NodeRow> rows;
  std::int64_t node_count = 40;

  explicit Saved(std::size_t bytes = 3000) {
    std::mt19937_64 random(7);
    for (std::size_t i = 0; i < bytes; ++i) content.state.push_back(static_cast<std::byte>(random()));
    for (std::int32_t node = 39; node >= 0; node -= 2) {  // descending; every other node has no row
      nodes.push_back(node);
      NodeRow& row = rows.emplace_back();
      for (double& x : row.line) x = std::ldexp(static_cast<double>(random()), -60);
      for (std::uint64_t& half : row.momentum) half = random();
    }
  }
  void write(const fs::path& directory) const {
    write_restart(directory, MPI_COMM_SELF, content, node_count, nodes, rows);
  }
  void expect_in(const RestartReader& file) const {
    EXPECT_EQ(file.content().deck, content.deck);
    EXPECT_EQ(file.content().mesh_hash, content.mesh_hash);
    EXPECT_EQ(file.content().model_hash, content.model_hash);
    EXPECT_EQ(file.content().time, content.time);
    EXPECT_EQ(file.content().state, content.state);
    ASSERT_EQ(file.node_count(), node_count);
    for (std::size_t a = 0; a < nodes.size(); ++a) EXPECT_EQ(file.row(nodes[a]), rows[a]) << nodes[a];
    EXPECT_EQ(file.row(0), NodeRow{});
  }
};

TEST(RestartFile, IsReadAsItWasWrittenAndTheOneBeforeIsKept) {
  const ScratchDirectory scratch;
  const Saved first(100), second;
  first.write(scratch.path());
  EXPECT_FALSE(fs::exists(scratch.path() / "restart-before.h5"));
  second.write(scratch.path());
  const auto [last, before] = restart_files(scratch.path());
  second.expect_in(RestartReader(last));
  first.expect_in(RestartReader(before));
  EXPECT_FALSE(fs::exists(aside(last)));
}

TEST(RestartFile, TakesAHundredBytesForANode) {
  const ScratchDirectory scratch;
  Saved many;
  for (std::int32_t node = 40; node < 4040; ++node) {
    many.nodes.push_back(node);
    many.rows.push_back(many.rows.front());
  }
  many.node_count = 4040;
  many.write(scratch.path());
  EXPECT_LE(fs::file_size(scratch.path() / "restart.h5"), 4040u * 110);
}

TEST(RestartFile, CutOffAtAnyLengthIsRefused) {
  const ScratchDirectory scratch;
  const Saved saved(200);
  saved.write(scratch.path());
  const std::string whole = read_whole_file(scratch.path() / "restart.h5");
  const fs::path part = scratch.path() / "cut.h5";
  for (std::size_t length = 0; length < whole.size(); length += 97) {
    write_whole_file(part, whole.substr(0, length));
    EXPECT_THROW(RestartReader{part}, Error) << length << " of " << whole.size() << " bytes";
  }
}

TEST(RestartFile, NoDamageGoesUnseen) {
  const ScratchDirectory scratch;
  const Saved saved(200);
  saved.write(scratch.path());
  const std::string whole = read_whole_file(scratch.path() / "restart.h5");
  const fs::path path = scratch.path() / "damaged.h5";
  std::mt19937 random(11);
  int refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::string damaged = whole;
    const std::size_t place = random() % damaged.size();
    damaged[place] = static_cast<char>(damaged[place] ^ static_cast<char>(1u << (random() % 8)));
    write_whole_file(path, damaged);
    try {
      const RestartReader reader(path);
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 400) << "seed 11";
}

TEST(RestartFile, ForeignAndMissingFilesAreRefusedWithTheirNames) {
  const ScratchDirectory scratch;
  const fs::path path = scratch.path() / "restart.h5";
  const auto message = [&] {
    try {
      const RestartReader reader(path);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("read");
  };
  EXPECT_THAT(message(), testing::HasSubstr("restart.h5: expected a restart file, found no such file"));
  fs::create_symlink(path.filename(), path);
  EXPECT_THAT(message(), testing::HasSubstr("restart.h5: expected a restart file, found Too many"));
  fs::remove(path);
  write_whole_file(path, "title = 1\n");
  EXPECT_THAT(message(),
              testing::HasSubstr("restart.h5: expected a whole restart file, found one that is damaged, cut "
                                 "off, or another file"));
  Saved().write(scratch.path());
  EXPECT_EQ(message(), "read");
}

TEST(RestartFile, WhatWasThereStaysWhereNothingCanBeWritten) {
  const ScratchDirectory scratch;
  const Saved saved;
  saved.write(scratch.path());
  fs::create_directory(aside(scratch.path() / "restart.h5"));
  EXPECT_THROW(Saved(10).write(scratch.path()), Error);
  saved.expect_in(RestartReader(scratch.path() / "restart.h5"));
  EXPECT_THROW(saved.write(scratch.path() / "absent"), Error);
}

}  // namespace
}  // namespace terrace::restart_file_test
