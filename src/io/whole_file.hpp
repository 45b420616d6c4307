// Files that appear whole or not at all, and that grow by whole pieces.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace terrace {

/// Where a file is written before it takes its place: its own name and ".part", in the same directory.
std::filesystem::path aside(const std::filesystem::path& path);

/// Writes `contents` behind the `length` bytes of the file, which is made if these are none. Throws
/// Error(run) naming the file and the reason; then it is `length` bytes long, and gone if that is nothing. A
/// file of any other length has another writer and is left as it is.
void append_to_file(const std::filesystem::path& path, std::uint64_t length, std::string_view contents);

/// Throws Error(input) at `where` unless the directory that the file would be in is there: before the work of
/// making what is to be written.
void require_directory_of(const std::filesystem::path& path, const std::string& where);

/// Writes `contents` aside and renames, so that a reader sees the old file or the new one, never half of
/// either. Throws Error(run) naming the file and the reason (a full disk, no permission …); then the old
/// file, if any, is untouched and nothing is left aside.
void write_whole_file(const std::filesystem::path& path, std::string_view contents);

/// Writes the file itself, which no one else may look at yet, down to the disk. Throws Error(run) naming the
/// file and the reason; then it is gone.
void write_to_disk(const std::filesystem::path& path, std::string_view contents);

/// Of a file or a directory that is there: what was written survives the machine's end. Throws Error(run).
void bring_to_disk(const std::filesystem::path& path);

/// A file that is written piece by piece, aside, and takes its place at the end.
class WholeFile {
 public:
  /// Throws Error(run) naming the file where it cannot be made.
  explicit WholeFile(std::filesystem::path path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  /// Leaves nothing where `commit` was not called or has failed.
  ~WholeFile();

  /// At the end. Throws Error(run) naming the file and the reason, like write_at and commit.
  void write(std::string_view contents);
  /// From a place up to the end on: over what is there, and beyond.
  void write_at(std::uint64_t place, std::string_view contents);
  void commit();
  [[nodiscard]] std::uint64_t length() const { return written_ + waiting_.size(); }  ///< so far [bytes]

 private:
  void put(std::string_view contents);
  void drain();

  std::filesystem::path path_, part_;
  int file_ = -1;
  std::uint64_t written_ = 0;  ///< bytes
  std::string waiting_;        ///< behind them
};

/// Why nothing is found under this name: that nothing is there, or what keeps from looking, such as a
/// directory that must not be searched; empty where something is.
std::string why_not_found(const std::filesystem::path& path);

/// The whole of a file. Throws Error(run) naming it when it cannot be read.
std::string read_whole_file(const std::filesystem::path& path);

}  // namespace terrace
