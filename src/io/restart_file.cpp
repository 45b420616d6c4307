#include "io/restart_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <system_error>

#include "io/whole_file.hpp"
#include "parallel/communicator.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/together.hpp"

namespace terrace {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t format_version = 1;

[[noreturn]] void fail(const fs::path& path, const std::string& expected, const std::string& found) {
  throw Error(Error::Kind::run, path.string(), expected, found);
}

/// The innermost message of HDF5's last error, which knows of full disks and the like.
std::string reason_of_last_error() {
  std::string reason = "an error of HDF5";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
        if (error->desc != nullptr && *error->desc != 0) *static_cast<std::string*>(text) = error->desc;
        return 0;
      },
      &reason);
  return reason;
}

/// An identifier of HDF5, closed at the end.
class Handle {
 public:
  Handle(hid_t id, herr_t (*closes)(hid_t), const fs::path& path, const std::string& expected)
      : id_(id), closes_(closes) {
    if (id < 0) fail(path, expected, reason_of_last_error());
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() {
    if (id_ >= 0) closes_(id_);
  }
  operator hid_t() const { return id_; }
  /// Files tell only here what could not be written.
  void close(const fs::path& path) {
    const herr_t result = closes_(id_);
    id_ = -1;
    if (result < 0) fail(path, "to write it", reason_of_last_error());
  }

 private:
  hid_t id_;
  herr_t (*closes_)(hid_t);
};

void check(herr_t result, const fs::path& path, const std::string& expected) {
  if (result < 0) fail(path, expected, reason_of_last_error());
}

/// The last bytes of a file: HDF5 does not survive every damage to what it reads, so that it must not begin
/// before the file is known to be whole. It takes no notice of what follows its own.
struct Seal {
  std::array<char, 8> name = {'t', 'e', 'r', 'r', 'a', 'c', 'e', '\n'};
  std::uint64_t length = 0, hash = 0;
  bool operator==(const Seal&) const = default;
};

/// Of the first `length` bytes; of none where there are not so many.
Seal seal_of(const fs::path& path, std::uint64_t length) {
  Seal seal;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 20);
  for (std::uint64_t left = length; left > 0;) {
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, block.size()));
    std::fill(block.begin(), block.end(), 0);
    if (!file.read(block.data(), static_cast<std::streamsize>(wanted))) return {};
    for (std::size_t first = 0; first < wanted; first += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, block.data() + first, sizeof(word));
      seal.hash = chain(seal.hash, word);
    }
    left -= wanted;
  }
  seal.length = length;
  return seal;
}

void put_seal(const fs::path& path) {
  const Seal seal = seal_of(path, fs::file_size(path));
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(&seal), sizeof(seal)).flush();
  if (!file || seal.length == 0) fail(path, "to write it", std::strerror(errno));
}

bool is_whole(const fs::path& path) {
  std::error_code error;
  const std::uint64_t size = fs::file_size(path, error);
  if (error || size < sizeof(Seal)) return false;
  Seal seal;
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(size - sizeof(Seal)));
  return file.read(reinterpret_cast<char*>(&seal), sizeof(seal)) && seal.length == size - sizeof(Seal) &&
         seal == seal_of(path, seal.length);
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

/// A row of bytes; rank 0 writes it, or all of its part.
struct Table {
  const char* name;
  hid_t type;
  hsize_t count;
};

class Writer {
 public:
  Writer(const fs::path& path, MPI_Comm communicator)
      : path_(path),
        access_(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, path, expected_),
        file_(made(communicator), H5Fclose, path, expected_) {}

  /// `places`: which elements this rank writes; all from 0 on if null.
  void write(const Table& table, const void* values, const std::vector<hsize_t>* places, hsize_t mine) {
    const Handle space(H5Screate_simple(1, &table.count, nullptr), H5Sclose, path_, expected_);
    const Handle data(H5Dcreate2(file_, table.name, table.type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                      H5Dclose, path_, expected_);
    const hsize_t room = std::max<hsize_t>(mine, 1);
    const Handle memory(H5Screate_simple(1, &room, nullptr), H5Sclose, path_, expected_);
    if (mine == 0) {
      check(H5Sselect_none(memory), path_, expected_);
      check(H5Sselect_none(space), path_, expected_);
    } else if (places != nullptr) {
      check(H5Sselect_elements(space, H5S_SELECT_SET, mine, places->data()), path_, expected_);
    }
    // The others go on to what all do together; what went wrong here is told at the end.
    if (H5Dwrite(data, table.type, memory, space, H5P_DEFAULT, values) < 0 && reason_.empty())
      reason_ = reason_of_last_error();
  }
  void close() {
    if (H5Fflush(file_, H5F_SCOPE_GLOBAL) < 0 && reason_.empty()) reason_ = reason_of_last_error();
    file_.close(path_);
    if (!reason_.empty()) fail(path_, expected_, reason_);
  }

 private:
  hid_t made(MPI_Comm communicator) {
    int size = 1;
    check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
    // One rank needs none of MPI-IO, which keeps files in a directory that other runs of the machine may
    // share.
    if (size > 1) check(H5Pset_fapl_mpio(access_, communicator, MPI_INFO_NULL), path_, expected_);
    return H5Fcreate(path_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_);
  }
  const std::string expected_ = "to write it";
  fs::path path_;
  std::string reason_;
  Handle access_, file_;
};

/// Until no signal comes in between; `call` returns what errno would be, or 0.
template <class Call>
int uninterrupted(Call call) {
  int reason = EINTR;
  while (reason == EINTR) reason = call();
  return reason;
}

// MPI-IO says little of a full disk and HDF5 does not survive one: whether there is room is found out before.
void require_room(const fs::path& path, std::uint64_t bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  int reason =
      file < 0 ? errno : uninterrupted([&] { return ::posix_fallocate(file, 0, static_cast<off_t>(bytes)); });
  if (reason == 0) reason = uninterrupted([&] { return ::ftruncate(file, 0) != 0 ? errno : 0; });
  if (file >= 0 && ::close(file) != 0 && reason == 0) reason = errno;
  if (reason != 0) fail(path, fmt::format("to write {} bytes", bytes), std::strerror(reason));
}

// Another node may not see what rank 0 has made, in a directory of its own; MPI-IO would leave the others
// waiting.
void require_seen(const fs::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail(path, "an output directory that all ranks see", std::strerror(errno));
  ::close(file);
}

void to_disk(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int reason = file < 0 ? errno : uninterrupted([&] { return ::fsync(file) != 0 ? errno : 0; });
  if (file >= 0) ::close(file);
  if (reason != 0) fail(path, "to bring it to the disk", std::strerror(reason));
}

// At every moment one of the two names stands for a whole file; one that is damaged takes no other's place.
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
  to_disk(directory);
}

void start_hdf5() {
  // Before all other calls: a file that could not be closed would be closed again after MPI's end.
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
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

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* const first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

std::array<fs::path, 2> restart_files(const fs::path& directory) {
  return {directory / "restart.h5", directory / "restart-before.h5"};
}

void write_restart(const fs::path& directory, MPI_Comm communicator, const RestartContent& content,
                   std::int64_t node_count, std::span<const std::int32_t> nodes,
                   std::span<const NodeRow> rows) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  const fs::path part = aside(restart_files(directory)[0]);
  try {
    together(communicator, [&] {
      start_hdf5();
      constexpr std::uint64_t of_hdf5 = 16384;
      if (rank == 0)
        require_room(part, static_cast<std::uint64_t>(node_count) * sizeof(NodeRow) + content.state.size() +
                               content.deck.size() + of_hdf5);
    });
    together(communicator, [&] { require_seen(part); });
    // Every call here is made by all ranks, with the same outcome but for what a single disk does.
    together(communicator, [&] {
      Writer writer(part, communicator);
      const hsize_t alone = rank == 0 ? 1 : 0;
      const std::array<double, 1> time = {content.time};
      const std::array<std::uint64_t, 1> head = {format_version};
      const std::vector<std::byte> deck = bytes_of(content.deck), mesh = bytes_of(content.mesh_hash);
      writer.write({"head", H5T_NATIVE_UINT64, head.size()}, head.data(), nullptr, alone * head.size());
      writer.write({"time", H5T_NATIVE_DOUBLE, 1}, time.data(), nullptr, alone);
      writer.write({"deck", H5T_NATIVE_UCHAR, deck.size()}, deck.data(), nullptr, alone * deck.size());
      writer.write({"mesh_hash", H5T_NATIVE_UCHAR, mesh.size()}, mesh.data(), nullptr, alone * mesh.size());
      writer.write({"state", H5T_NATIVE_UCHAR, content.state.size()}, content.state.data(), nullptr,
                   alone * content.state.size());
      const std::vector<hsize_t> places(nodes.begin(), nodes.end());
      const Handle type(row_type(), H5Tclose, part, "to write it");
      writer.write({"nodes", type, static_cast<hsize_t>(node_count)}, rows.data(), &places, places.size());
      writer.close();
    });
    together(communicator, [&] {
      if (rank != 0) return;
      put_seal(part);
      to_disk(part);
      put_in_place(part, directory);
    });
  } catch (const Error&) {
    if (rank == 0) ::unlink(part.c_str());
    throw;
  }
}

RestartReader::RestartReader(const fs::path& path) : path_(path) {
  start_hdf5();
  std::error_code error;
  if (!fs::exists(path, error)) fail(path, "a restart file", "no such file");
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
  content_.state = read_all<std::byte>(file, {"state", H5T_NATIVE_UCHAR, 0}, path);
  const Handle type(row_type(), H5Tclose, path, "a whole restart file");
  rows_ = read_all<NodeRow>(file, {"nodes", type, 0}, path);
}

}  // namespace terrace
