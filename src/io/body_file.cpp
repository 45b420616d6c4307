#include "io/body_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <system_error>
#include <utility>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"

namespace terrace {

namespace fs = std::filesystem;
using hdf5::check;
using hdf5::fail;
using hdf5::Handle;

namespace {

const std::string to_write = "to write it", to_read = "the rows of an earlier run";

/// A quantity of bodies: its name, its number of components, and where it is in a record.
struct Column {
  const char* name;
  hsize_t components;
  const double* (*of)(const BodyRecord&);
};
constexpr std::array<Column, 9> columns_of_bodies = {{
    {"momentum", 3, [](const BodyRecord& b) { return b.momentum.data(); }},
    {"velocity", 3, [](const BodyRecord& b) { return b.velocity.data(); }},
    {"position", 3, [](const BodyRecord& b) { return b.position.data(); }},
    {"spin", 3, [](const BodyRecord& b) { return b.spin.data(); }},
    {"kinetic", 1, [](const BodyRecord& b) { return &b.kinetic; }},
    {"vibrational_kinetic", 1, [](const BodyRecord& b) { return &b.vibrational_kinetic; }},
    {"element_scale_kinetic", 1, [](const BodyRecord& b) { return &b.element_scale_kinetic; }},
    {"potential", 1, [](const BodyRecord& b) { return &b.potential; }},
    {"contact_force", 3, [](const BodyRecord& b) { return b.contact_force.data(); }},
}};

int rank_of(hsize_t components) { return components == 1 ? 2 : 3; }

void write_names(hid_t file, const std::vector<std::string>& names, const fs::path& path) {
  std::size_t longest = 1;
  for (const std::string& name : names) longest = std::max(longest, name.size());
  std::string text;
  for (const std::string& name : names) text += name + std::string(longest - name.size(), '\0');
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, path, to_write);
  check(H5Tset_size(type, longest), path, to_write);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), path, to_write);
  check(H5Tset_cset(type, H5T_CSET_UTF8), path, to_write);
  const hsize_t count = names.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, path, to_write);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path, to_write);
  check(H5Pset_obj_track_times(properties, false), path, to_write);
  const Handle data(H5Dcreate2(file, "name", type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose,
                    path, to_write);
  check(H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), path, to_write);
}

std::vector<std::string> read_names(hid_t file, const fs::path& path) {
  const Handle data(H5Dopen2(file, "name", H5P_DEFAULT), H5Dclose, path, to_read);
  const Handle type(H5Dget_type(data), H5Tclose, path, to_read);
  const Handle space(H5Dget_space(data), H5Sclose, path, to_read);
  const std::size_t longest = H5Tget_size(type);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0 || longest == 0) fail(path, to_read, "none");
  std::string text(static_cast<std::size_t>(count) * longest, '\0');
  check(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), path, to_read);
  std::vector<std::string> names;
  for (std::size_t first = 0; first < text.size(); first += longest)
    names.emplace_back(text.substr(first, longest).c_str());
  return names;
}

/// Reads a row of a dataset into `values`.
void read_row(hid_t data, hsize_t row, hsize_t bodies, hsize_t components, std::vector<double>& values,
              const fs::path& path) {
  const std::array<hsize_t, 3> start = {row, 0, 0}, count = {1, bodies, components};
  values.resize(bodies * components);
  const hsize_t length = values.size();
  const Handle space(H5Dget_space(data), H5Sclose, path, to_read);
  const Handle memory(H5Screate_simple(1, &length, nullptr), H5Sclose, path, to_read);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path,
        to_read);
  check(H5Dread(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values.data()), path, to_read);
}

/// Opens a file that an earlier run has left.
Handle opened(const fs::path& path) {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path, to_read);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), path, to_read);
  // The file of a run that was killed says that it is still being written.
  return {H5Fopen(path.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access), H5Fclose, path, to_read};
}

/// The times of the file's rows up to and including `until`. Throws Error(run) where none is at `until`.
std::vector<double> times_up_to(double until, hid_t file, const fs::path& path) {
  const Handle data(H5Dopen2(file, "time", H5P_DEFAULT), H5Dclose, path, to_read);
  const Handle space(H5Dget_space(data), H5Sclose, path, to_read);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<double> times(static_cast<std::size_t>(std::max<hssize_t>(count, 0)));
  check(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data()), path, to_read);
  times.erase(std::ranges::find_if(times, [&](double time) { return time > until; }), times.end());
  if (times.empty() || times.back() != until) fail(path, fmt::format("a row at time {}", until), "none");
  return times;
}

Handle extendible(hid_t file, const char* name, int rank, const std::array<hsize_t, 3>& row_extent,
                  hid_t type, bool compressed, const fs::path& path) {
  constexpr hsize_t chunk_numbers = 65536;
  std::array<hsize_t, 3> none = row_extent, most = row_extent, chunk = row_extent;
  hsize_t numbers = 1;
  for (std::size_t d = 1; d < static_cast<std::size_t>(rank); ++d)
    numbers *= std::max<hsize_t>(row_extent[d], 1);
  none[0] = 0;
  most[0] = H5S_UNLIMITED;
  // A compressed chunk that changes is written anew elsewhere, as readers must find the file whole: then a
  // row is a chunk of its own.
  chunk[0] = compressed ? 1 : std::clamp<hsize_t>(chunk_numbers / numbers, 1, 1024);
  const Handle space(H5Screate_simple(rank, none.data(), most.data()), H5Sclose, path, to_write);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, path, to_write);
  check(H5Pset_obj_track_times(properties, false), path, to_write);  // the same run, the same file
  check(H5Pset_chunk(properties, rank, chunk.data()), path, to_write);
  if (compressed) {
    check(H5Pset_shuffle(properties), path, to_write);
    check(H5Pset_deflate(properties, 4), path, to_write);
  }
  return {H5Dcreate2(file, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT), H5Dclose, path,
          to_write};
}

void append_row(hid_t data, int rank, std::array<hsize_t, 3> extent, const double* values,
                const fs::path& path) {
  std::array<hsize_t, 3> start = {extent[0] - 1, 0, 0}, count = extent;
  count[0] = 1;
  check(H5Dset_extent(data, extent.data()), path, to_write);
  const Handle space(H5Dget_space(data), H5Sclose, path, to_write);
  const Handle memory(H5Screate_simple(rank, count.data(), nullptr), H5Sclose, path, to_write);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path,
        to_write);
  check(H5Dwrite(data, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values), path, to_write);
}

}  // namespace

BodyFile::BodyFile(fs::path path, bool single_precision, bool compressed)
    : path_(std::move(path)), single_precision_(single_precision), compressed_(compressed) {
  hdf5::start();
}

BodyFile::~BodyFile() {
  // Closing would fail again, and hold up the program's end.
  if (failed_) visit_handles([](Handle& handle) { handle.abandon(); });
}

template <class Visit>
void BodyFile::visit_handles(Visit visit) {
  visit(time_);
  for (Quantity& quantity : quantities_) visit(quantity.data);
  visit(file_);
}

void BodyFile::create(const fs::path& path, const std::vector<std::string>& names) {
  bodies_ = names.size();
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path, to_write);
  check(H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST), path, to_write);
  const Handle properties(H5Pcreate(H5P_FILE_CREATE), H5Pclose, path, to_write);
  check(H5Pset_obj_track_times(properties, false), path, to_write);
  file_ = Handle(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties, access), H5Fclose, path, to_write);
  write_names(file_, names, path);
  const hid_t type = single_precision_ ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
  time_ = extendible(file_, "time", 1, {1, 1, 1}, H5T_NATIVE_DOUBLE, false, path);
  for (const Column& column : columns_of_bodies)
    quantities_.push_back({column.name, column.components,
                           extendible(file_, column.name, rank_of(column.components),
                                      {1, bodies_, column.components}, type, compressed_, path)});
  check(H5Fstart_swmr_write(file_), path, to_write);
}

// HDF5 does not survive a full disk: whether there is room must be known before.
void BodyFile::require_room() const {
  constexpr std::uintmax_t spare = 1 << 18;
  const std::uintmax_t row = bodies_ * 19 * sizeof(double);  // each waiting row needs as much
  std::error_code error;
  const fs::space_info space = fs::space(path_.parent_path(), error);
  if (error) fail(path_, "a directory to write to", error.message());
  if (space.available < (2 + waiting_) * row + spare)
    fail(path_, "room for another row", std::make_error_code(std::errc::no_space_on_device).message());
}

void BodyFile::append(double time, const std::vector<std::vector<double>>& values) {
  require_room();
  ++rows_;
  ++waiting_;
  for (std::size_t q = 0; q < quantities_.size(); ++q)
    append_row(quantities_[q].data, rank_of(quantities_[q].components),
               {rows_, bodies_, quantities_[q].components}, values[q].data(), path_);
  append_row(time_, 1, {rows_, 1, 1}, &time, path_);
}

void BodyFile::add(double time, const std::vector<BodyRecord>& bodies) {
  if (failed_) return;
  std::vector<std::string> names;
  if (file_ < 0)
    for (const BodyRecord& body : bodies) names.push_back(body.name);
  std::vector<std::vector<double>> values(columns_of_bodies.size());
  for (std::size_t q = 0; q < columns_of_bodies.size(); ++q)
    for (const BodyRecord& body : bodies)
      values[q].insert(values[q].end(), columns_of_bodies[q].of(body),
                       columns_of_bodies[q].of(body) + columns_of_bodies[q].components);
  failed_ = true;  // unless it comes to its end
  if (file_ < 0) create(path_, names);
  append(time, values);
  failed_ = false;
}

void BodyFile::flush() {
  if (failed_ || file_ < 0) return;
  failed_ = true;
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL), path_, to_write);
  waiting_ = 0;
  failed_ = false;
}

void BodyFile::close() {
  if (failed_ || file_ < 0) return;
  failed_ = true;
  visit_handles([&](Handle& handle) { handle.close(path_); });
  failed_ = false;
}

void BodyFile::copy_rows(const fs::path& to, double until) {
  constexpr std::uint64_t rows_at_once = 64;
  const Handle old = opened(path_);
  const std::vector<double> times = times_up_to(until, old, path_);
  create(to, read_names(old, path_));
  std::vector<Handle> data;
  for (const Column& column : columns_of_bodies)
    data.emplace_back(H5Dopen2(old, column.name, H5P_DEFAULT), H5Dclose, path_, to_read);
  std::vector<std::vector<double>> values(columns_of_bodies.size());
  for (std::size_t row = 0; row < times.size(); ++row) {
    for (std::size_t q = 0; q < columns_of_bodies.size(); ++q)
      read_row(data[q], row, bodies_, columns_of_bodies[q].components, values[q], path_);
    append(times[row], values);
    if (waiting_ < rows_at_once) continue;  // there must be room for all that waits
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL), to, to_write);
    waiting_ = 0;
  }
}

void BodyFile::require_row(double time) const { static_cast<void>(times_up_to(time, opened(path_), path_)); }

void BodyFile::resume(double time) {
  require_row(time);
  const fs::path part = aside(path_);
  std::error_code error;
  failed_ = true;  // unless it comes to its end
  try {
    copy_rows(part, time);
    failed_ = false;
    flush();
    fs::rename(part, path_, error);
    if (error) fail(path_, "to put it in its place", error.message());
  } catch (...) {
    fs::remove(part, error);
    throw;
  }
}

}  // namespace terrace
