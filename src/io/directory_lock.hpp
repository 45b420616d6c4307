// A lock that keeps two runs from writing to one directory.
#pragma once

#include <filesystem>
#include <string>

namespace terrace {

/// Keeps a directory for this run alone while it lives, by a lock on a file ".lock" in it, which is gone
/// afterwards. The kernel frees the lock of a process that is killed, also over NFS and Lustre; the file that
/// is then left means nothing.
class DirectoryLock {
 public:
  /// Name of the file.
  static constexpr const char* file_name = ".lock";

  /// Locks no directory.
  DirectoryLock() = default;
  /// Throws Error(input) naming the other run when one has the directory. Where the file cannot be locked the
  /// directory is used without a lock: `trouble` says why.
  explicit DirectoryLock(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock();

  /// Throws Error(input) naming the run that has the directory, if one has. Needs no permission to write.
  static void require_none(const std::filesystem::path& directory);
  /// Whether this file, which has the name of a lock's, was left by a run, and is nobody else's.
  [[nodiscard]] static bool is_left(const std::filesystem::path& file);

  /// Why the directory could not be locked; empty if it is.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  /// Takes the lock, or says in `trouble_` why not. False where the run that had it has removed the file
  /// meanwhile.
  bool take();
  void release() noexcept;
  /// Whether the path still leads to the file that is open.
  [[nodiscard]] bool is_in_its_place() const noexcept;

  std::filesystem::path path_;
  std::string trouble_;
  int file_ = -1;
};

}  // namespace terrace
