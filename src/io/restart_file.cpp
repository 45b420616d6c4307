#include "io/restart_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/hdf5.hpp"
#include "io/whole_file.hpp"
#include "numerics/at.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/gathered.hpp"
#include "parallel/hash.hpp"
#include "parallel/together.hpp"

namespace terrace {
namespace {

namespace fs = std::filesystem;
using hdf5::check;
using hdf5::fail;
using hdf5::Handle;
using hdf5::reason_of_last_error;

constexpr std::uint64_t format_version = 14;

/// The last bytes of a file, after HDF5's own, which HDF5 ignores. HDF5 does not survive every damage to what
/// it reads: a file must be known to be whole before HDF5 opens it.
struct Seal {
  std::array<char, 8> name = {'t', 'e', 'r', 'r', 'a', 'c', 'e', '\n'};
  std::uint64_t length = 0, hash = 0;
  bool operator==(const Seal&) const = default;
};

/// Adds a block of the file to the hash. Every block but the last consists of whole words.
void add_to(Seal& seal, std::string_view block) {
  for (std::size_t first = 0; first < block.size(); first += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, block.data() + first, std::min(sizeof(word), block.size() - first));
    seal.hash = chain(seal.hash, word);
  }
}

/// The seal of the first `length` bytes; an empty one where there are not so many.
Seal seal_of(std::istream& file, std::uint64_t length) {
  Seal seal;
  std::string block(std::size_t{1} << 20, '\0');
  for (std::uint64_t left = length; left > 0;) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    if (!file.read(block.data(), static_cast<std::streamsize>(wanted))) return {};
    add_to(seal, std::string_view(block).substr(0, wanted));
    left -= wanted;
  }
  seal.length = length;
  return seal;
}

bool is_whole(const fs::path& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (error || size < sizeof(Seal)) return false;
  Seal seal;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(size - sizeof(Seal)));
  if (!file.read(reinterpret_cast<char*>(&seal), sizeof(seal)) || seal.length != size - sizeof(Seal))
    return false;
  file.seekg(0);
  return seal == seal_of(file, seal.length);
}

hid_t row_type() {
  const hsize_t seven = 7, six = 6;
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(NodeRow));
  const hid_t line = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &seven);
  const hid_t momentum = H5Tarray_create2(H5T_NATIVE_UINT64, 1, &six);
  const bool made = type >= 0 && H5Tinsert(type, "line", offsetof(NodeRow, line), line) >= 0 &&
                    H5Tinsert(type, "momentum", offsetof(NodeRow, momentum), momentum) >= 0;
  H5Tclose(line);
  H5Tclose(momentum);
  return made ? type : -1;
}

struct Table {
  const char* name;
  hid_t type;
  hsize_t count;
};

/// A file of HDF5 in memory. Of a disk that fails HDF5 tells late, twice, or never, and with MPI-IO its ranks
/// then wait for each other for ever.
class Image {
 public:
  explicit Image(const fs::path& path)
      : path_(path),
        access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path, expected_),
        file_(made(), H5Fclose, path, expected_) {}

  void add(const Table& table, const void* values) {
    const Handle space(H5Screate_simple(1, &table.count, nullptr), H5Sclose, path_, expected_);
    const Handle data(H5Dcreate2(file_, table.name, table.type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose, path_, expected_);
    if (table.count > 0)
      check(H5Dwrite(data, table.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), path_, expected_);
  }
  /// The file's bytes, in a string with room for `more`.
  [[nodiscard]] std::string bytes(std::size_t more) const {
    check(H5Fflush(file_, H5F_SCOPE_GLOBAL), path_, expected_);
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    std::string all;
    all.reserve(static_cast<std::size_t>(std::max<ssize_t>(size, 0)) + more);
    all.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    if (size <= 0 || H5Fget_file_image(file_, all.data(), all.size()) != size)
      fail(path_, expected_, reason_of_last_error());
    return all;
  }

 private:
  hid_t made() {
    constexpr std::size_t growth = std::size_t{1} << 22;
    check(H5Pset_fapl_core(access_, growth, 0), path_, expected_);
    return H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_);
  }
  const std::string expected_ = "memory for its contents";
  fs::path path_;
  Handle access_, file_;
};

/// On rank 0 the rows of all ranks in the order of the model's nodes; none on the others. Collective.
std::vector<NodeRow> all_rows(MPI_Comm communicator, std::int64_t node_count,
                              std::span<const std::int32_t> nodes, std::span<const NodeRow> rows) {
  const std::vector<std::vector<std::byte>> numbers = gathered_at_root(communicator, std::as_bytes(nodes));
  std::vector<NodeRow> all(numbers.empty() ? 0 : static_cast<std::size_t>(node_count));
  visit_gathered(communicator, std::as_bytes(rows), [&](int rank, std::span<const std::byte> values) {
    const std::vector<std::byte>& of_rank = at(numbers, rank);
    for (std::size_t i = 0; i < of_rank.size() / sizeof(std::int32_t); ++i) {
      std::int32_t node = 0;
      std::memcpy(&node, of_rank.data() + i * sizeof(node), sizeof(node));
      std::memcpy(&at(all, node), values.data() + i * sizeof(NodeRow), sizeof(NodeRow));
    }
  });
  return all;
}

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// The bytes of a restart file, with their seal at the end. At most two copies of anything exist at a time.
std::string sealed_image(const fs::path& path, RestartContent content, std::vector<NodeRow> rows) {
  hdf5::start();
  std::string bytes;
  {
    Image image(path);
    const std::array<double, 1> time = {content.time};
    const std::array<std::uint64_t, 1> head = {format_version};
    const std::vector<std::byte> deck = bytes_of(content.deck), mesh = bytes_of(content.mesh_hash),
                                 model = bytes_of(content.model_hash);
    const Handle type(row_type(), H5Tclose, path, "to describe a row");
    image.add({"head", H5T_NATIVE_UINT64, head.size()}, head.data());
    image.add({"time", H5T_NATIVE_DOUBLE, time.size()}, time.data());
    image.add({"deck", H5T_NATIVE_UCHAR, deck.size()}, deck.data());
    image.add({"mesh_hash", H5T_NATIVE_UCHAR, mesh.size()}, mesh.data());
    image.add({"model_hash", H5T_NATIVE_UCHAR, model.size()}, model.data());
    image.add({"state", H5T_NATIVE_UCHAR, content.state.size()}, content.state.data());
    std::vector<std::byte>().swap(content.state);
    image.add({"nodes", type, rows.size()}, rows.data());
    std::vector<NodeRow>().swap(rows);
    bytes = image.bytes(sizeof(Seal));
  }
  Seal seal;
  seal.length = bytes.size();
  add_to(seal, bytes);
  bytes.append(reinterpret_cast<const char*>(&seal), sizeof(seal));
  return bytes;
}

// At every moment one of the two names leads to a whole file; a last file that is damaged does not become the
// one before.
void put_in_place(const fs::path& part, const fs::path& directory) {
  const auto [last, before] = restart_files(directory);
  std::error_code error;
  if (is_whole(last)) {
    fs::remove(before, error);
    fs::create_hard_link(last, before, error);
    if (error) fs::rename(last, before, error);  // a file system without links
  }
  if (!error) fs::rename(part, last, error);
  if (error) fail(last, "to put it in its place", error.message());
  bring_to_disk(directory);
}

template <class T>
std::vector<T> read_all(hid_t file, const Table& table, const fs::path& path) {
  const std::string expected = std::string("a whole restart file, with \"") + table.name + "\"";
  const Handle data(H5Dopen2(file, table.name, H5P_DEFAULT), H5Dclose, path, expected);
  const Handle space(H5Dget_space(data), H5Sclose, path, expected);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  if (count < 0) fail(path, expected, reason_of_last_error());
  std::vector<T> values(static_cast<std::size_t>(count));
  check(H5Dread(data, table.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path, expected);
  return values;
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::array<fs::path, 2> restart_files(const fs::path& directory) {
  return {directory / "restart.h5", directory / "restart-before.h5"};
}

void write_restart(const fs::path& directory, MPI_Comm communicator, RestartContent content,
                   std::int64_t node_count, const std::vector<std::int32_t>& nodes,
                   std::vector<NodeRow> rows) {
  int rank = 0;
  check_mpi(MPI_Comm_rank(communicator, &rank), "MPI_Comm_rank");
  std::vector<NodeRow> all = all_rows(communicator, node_count, nodes, rows);
  std::vector<NodeRow>().swap(rows);
  together(communicator, [&] {
    if (rank != 0) return;
    const fs::path part = aside(restart_files(directory)[0]);
    write_to_disk(part, sealed_image(part, std::move(content), std::move(all)));
    try {
      put_in_place(part, directory);
    } catch (...) {
      ::unlink(part.c_str());
      throw;
    }
  });
}

RestartReader::RestartReader(const fs::path& path) : path_(path) {
  hdf5::start();
  if (const std::string reason = why_not_found(path); !reason.empty()) fail(path, "a restart file", reason);
  std::error_code error;
  if (fs::is_directory(path, error)) fail(path, "a restart file", "a directory");
  if (::access(path.c_str(), R_OK) != 0) fail(path, "a restart file that can be read", std::strerror(errno));
  if (!is_whole(path)) fail(path, "a whole restart file", "one that is damaged, cut off, or another file");
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, path,
                    "a whole restart file");
  const auto head = read_all<std::uint64_t>(file, {"head", H5T_NATIVE_UINT64, 0}, path);
  if (head.empty() || head[0] != format_version)
    fail(path, fmt::format("a restart file of version {}", format_version),
         head.empty() ? "none" : fmt::format("version {}", head[0]));
  const auto time = read_all<double>(file, {"time", H5T_NATIVE_DOUBLE, 0}, path);
  content_.time = time.empty() ? 0 : time[0];
  content_.deck = text_of(read_all<std::byte>(file, {"deck", H5T_NATIVE_UCHAR, 0}, path));
  content_.mesh_hash = text_of(read_all<std::byte>(file, {"mesh_hash", H5T_NATIVE_UCHAR, 0}, path));
  content_.model_hash = text_of(read_all<std::byte>(file, {"model_hash", H5T_NATIVE_UCHAR, 0}, path));
  content_.state = read_all<std::byte>(file, {"state", H5T_NATIVE_UCHAR, 0}, path);
  const Handle type(row_type(), H5Tclose, path, "a whole restart file");
  rows_ = read_all<NodeRow>(file, {"nodes", type, 0}, path);
}

}  // namespace terrace
