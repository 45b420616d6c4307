// That no two runs write to one directory.
#pragma once

#include <filesystem>
#include <string>

namespace terrace {

/// A directory that is this run's alone while the object lives, by a lock on a file ".lock" in it, which is
/// gone afterwards. The kernel frees the lock of a process that is killed, also over NFS and Lustre; the file
/// that is left then means nothing.
class DirectoryLock {
 public:
  /// Name of the file.
  static constexpr const char* file_name = ".lock";

  /// Of no directory.
  DirectoryLock() = default;
  /// Throws Error(input) naming the other run when one has it. Where files cannot be locked it is nobody's:
  /// `trouble` says why.
  explicit DirectoryLock(const std::filesystem::path& directory);
  DirectoryLock(DirectoryLock&& other) noexcept;
  DirectoryLock& operator=(DirectoryLock&& other) noexcept;
  ~DirectoryLock();

  /// Throws Error(input) naming the run that has the directory, if one has; needs no permission to write.
  static void require_none(const std::filesystem::path& directory);
  /// Whether a file of its name is a lock's, which a run that was killed has left, and nobody else's.
  [[nodiscard]] static bool is_left(const std::filesystem::path& file);

  /// Why the directory could not be locked; empty if it is.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  /// False where the file was removed meanwhile, by the run that had it.
  bool take();
  void release() noexcept;
  [[nodiscard]] bool is_in_its_place() const noexcept;

  std::filesystem::path path_;
  std::string trouble_;
  int file_ = -1;
};

}  // namespace terrace
