// Files that appear whole or not at all, and that grow by whole pieces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace terrace {

/// The path at which a file is written before it takes its place: its own and ".part", in the same directory.
std::filesystem::path aside(const std::filesystem::path& path);

/// Appends `contents` to a file of `length` bytes, which is made if `length` is 0. Throws Error(run) naming
/// the file and the reason; the file then has `length` bytes again, and is gone if these are none. A file of
/// any other length has another writer: it is left as it is, with such an Error.
void append_to_file(const std::filesystem::path& path, std::uint64_t length, std::string_view contents);

/// Throws Error(input) at `where` unless the directory of the file is there. Call it before the work of
/// making the file's contents.
void require_directory_of(const std::filesystem::path& path, const std::string& where);

/// Writes `contents` aside and renames, so that a reader sees the old file or the new one, never half of
/// either. Throws Error(run) naming the file and the reason (a full disk, no permission …); then the old
/// file, if any, is untouched and nothing is left aside.
void write_whole_file(const std::filesystem::path& path, std::string_view contents);

/// Writes `contents` to the path itself, at which no one may look yet, down to the disk. Throws Error(run)
/// naming the file and the reason; the file is then gone.
void write_to_disk(const std::filesystem::path& path, std::string_view contents);

/// Brings a file or a directory that is there to the disk: it then survives the machine's end. Throws
/// Error(run).
void bring_to_disk(const std::filesystem::path& path);

/// A file that is written aside, piece by piece, and takes its place at the end.
class WholeFile {
 public:
  /// Throws Error(run) naming the file where it cannot be made.
  explicit WholeFile(std::filesystem::path path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  /// Removes what was written where `commit` was not called or has failed.
  ~WholeFile();

  /// Appends `contents`. Throws Error(run) naming the file and the reason, like write_at and commit.
  void write(std::string_view contents);
  /// Writes `contents` from `place` on, over what is there and beyond; `place` is at most length().
  void write_at(std::uint64_t place, std::string_view contents);
  /// Puts the file in its place.
  void commit();
  [[nodiscard]] std::uint64_t length() const { return written_ + waiting_.size(); }  ///< so far [bytes]

 private:
  void put(std::string_view contents);
  void drain();

  std::filesystem::path path_, part_;
  int file_ = -1;
  std::uint64_t written_ = 0;  ///< bytes in the file
  std::string waiting_;        ///< bytes to be written after them
};

/// Why nothing is found at this path: nothing is there, or something keeps from looking, such as a directory
/// that must not be searched. Empty where something is found.
std::string why_not_found(const std::filesystem::path& path);

/// The contents of a file. Throws Error(run) naming it when it cannot be read.
std::string read_whole_file(const std::filesystem::path& path);

}  // namespace terrace
