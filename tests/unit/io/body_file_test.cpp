// bodies.h5: what was written is read back, also from the file of a run that was killed; a resumed run goes
// on with it.
#include "io/body_file.hpp"

#include <gmock/gmock.h>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"
#include "support/scratch_directory.hpp"

namespace terrace::body_file_test {
namespace {

namespace fs = std::filesystem;

std::vector<BodyRecord> bodies_at(double time) {
  std::vector<BodyRecord> bodies(3);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyRecord& body = bodies[b];
    body.name = std::array{"a", "τ, \"2\"", "floor"}[b];
    double next = 100 * static_cast<double>(b) + time;
    for (Vector3* vector : {&body.momentum, &body.velocity, &body.position, &body.spin, &body.contact_force})
      for (double& x : *vector) x = next++;
    for (double* x : {&body.kinetic, &body.vibrational_kinetic, &body.element_scale_kinetic, &body.potential})
      *x = next++;
  }
  return bodies;
}

/// All numbers of a dataset.
std::vector<double> read(const fs::path& path, const char* name, unsigned flags = H5F_ACC_RDONLY) {
  const hdf5::Handle file(H5Fopen(path.c_str(), flags, H5P_DEFAULT), H5Fclose, path, "a file");
  const hdf5::Handle data(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, path, name);
  const hdf5::Handle space(H5Dget_space(data), H5Sclose, path, name);
  std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  hdf5::check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path, name);
  return values;
}

/// The numbers `of` the bodies at these times, row by row, body by body.
template <class Of>
std::vector<double> expected(const std::vector<double>& times, const Of& of) {
  std::vector<double> values;
  for (const double time : times)
    for (const BodyRecord& body : bodies_at(time)) {
      const auto of_body = of(body);
      values.insert(values.end(), std::begin(of_body), std::end(of_body));
    }
  return values;
}

void expect_rows(const fs::path& path, const std::vector<double>& times, unsigned flags = H5F_ACC_RDONLY) {
  using One = std::array<double, 1>;
  EXPECT_EQ(read(path, "time", flags), times);
  EXPECT_EQ(read(path, "momentum", flags), expected(times, [](const BodyRecord& b) { return b.momentum; }));
  EXPECT_EQ(read(path, "velocity", flags), expected(times, [](const BodyRecord& b) { return b.velocity; }));
  EXPECT_EQ(read(path, "position", flags), expected(times, [](const BodyRecord& b) { return b.position; }));
  EXPECT_EQ(read(path, "spin", flags), expected(times, [](const BodyRecord& b) { return b.spin; }));
  EXPECT_EQ(read(path, "contact_force", flags),
            expected(times, [](const BodyRecord& b) { return b.contact_force; }));
  EXPECT_EQ(read(path, "kinetic", flags),
            expected(times, [](const BodyRecord& b) { return One{b.kinetic}; }));
  EXPECT_EQ(read(path, "vibrational_kinetic", flags),
            expected(times, [](const BodyRecord& b) { return One{b.vibrational_kinetic}; }));
  EXPECT_EQ(read(path, "element_scale_kinetic", flags),
            expected(times, [](const BodyRecord& b) { return One{b.element_scale_kinetic}; }));
  EXPECT_EQ(read(path, "potential", flags),
            expected(times, [](const BodyRecord& b) { return One{b.potential}; }));
}

TEST(BodyFile, HoldsEveryNumberOfEveryBodyAndRow) {
  for (const bool compressed : {false, true}) {
    const ScratchDirectory scratch;
    BodyFile file(scratch.path() / "bodies.h5", false, compressed);
    for (const double time : {0.0, 0.1, 1.0 / 3}) file.add(time, bodies_at(time));
    file.close();
    expect_rows(scratch.path() / "bodies.h5", {0.0, 0.1, 1.0 / 3});
  }
}

TEST(BodyFile, InSinglePrecisionTakesHalfTheRoom) {
  const ScratchDirectory scratch;
  const auto size = [&](bool single) {
    const auto path = scratch.path() / (single ? "single.h5" : "double.h5");
    BodyFile file(path, single, false);
    std::vector<BodyRecord> many(3000);
    for (int row = 0; row < 30; ++row) file.add(row, many);
    file.close();
    EXPECT_EQ(read(path, "time").size(), 30u);
    return static_cast<double>(fs::file_size(path));
  };
  EXPECT_NEAR(size(true) / size(false), 0.5, 0.05);
}

// Times stay in double precision: a run goes on from the row of its own time.
TEST(BodyFile, InSinglePrecisionHoldsRoundedNumbersAndGoesOn) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "bodies.h5";
  const std::vector<double> times = {0.0, 0.1, 1.0 / 3};
  {
    BodyFile file(path, true, false);
    for (const double time : {0.0, 0.1}) file.add(time, bodies_at(time));
    file.close();
  }
  BodyFile again(path, true, false);
  again.resume(0.1);
  again.add(times.back(), bodies_at(times.back()));
  again.close();
  EXPECT_EQ(read(path, "time"), times);
  const std::vector<double> written = read(path, "position"),
                            wanted = expected(times, [](const BodyRecord&b) { return b.position; });
  ASSERT_EQ(written.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_EQ(written[i], static_cast<double>(static_cast<float>(wanted[i]))) << i;
}

TEST(BodyFile, CanBeReadWhileItIsWrittenAndAfterItWasLeft) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "bodies.h5", copy = scratch.path() / "copy.h5";
  BodyFile file(path, false, false);
  file.add(0, bodies_at(0));
  file.add(0.5, bodies_at(0.5));
  file.flush();
  fs::copy_file(path, copy);  // as a run leaves it that is killed now
  expect_rows(copy, {0, 0.5}, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ);

  BodyFile again(copy, false, false);
  again.resume(0.5);
  again.add(0.75, bodies_at(0.75));
  again.close();
  expect_rows(copy, {0, 0.5, 0.75});
  EXPECT_EQ(leftovers(scratch.path()), 0);
}

TEST(BodyFile, KeepsTheRowsUpToTheRestart) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "bodies.h5";
  {
    BodyFile file(path, false, false);
    for (const double time : {0.0, 0.1, 0.2, 0.3}) file.add(time, bodies_at(time));
    file.close();
  }
  BodyFile second(path, false, false);
  const auto expect_refused = [&](const auto& goes_on) {
    try {
      goes_on(BodyFile(path, false, false));
      FAIL() << "a row is lost";
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("bodies.h5: expected a row at time 0.15, found none"));
    }
  };
  expect_refused([](BodyFile&& file) { file.resume(0.15); });
  expect_refused([](const BodyFile& file) { file.require_row(0.15); });
  BodyFile(path, false, false).require_row(0.2);
  expect_rows(path, {0.0, 0.1, 0.2, 0.3});
  EXPECT_EQ(leftovers(scratch.path()), 0);
  second.resume(0.2);
  second.add(0.25, bodies_at(0.25));
  second.close();
  expect_rows(path, {0.0, 0.1, 0.2, 0.25});
}

TEST(BodyFile, AnotherFileOrNoneIsAnError) {
  const ScratchDirectory scratch;
  const auto path = scratch.path() / "bodies.h5";
  EXPECT_THROW(BodyFile(path, false, false).resume(0), Error);
  write_whole_file(path, "time,body\n0,a\n");
  EXPECT_THROW(BodyFile(path, false, false).resume(0), Error);
  EXPECT_EQ(read_whole_file(path), "time,body\n0,a\n") << "left as it was";
  BodyFile nowhere(scratch.path() / "none" / "bodies.h5", false, false);
  EXPECT_THROW(nowhere.add(0, bodies_at(0)), Error);
  nowhere.close();  // its failure was told by add
}

}  // namespace
}  // namespace terrace::body_file_test
