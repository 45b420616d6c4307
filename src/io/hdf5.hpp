// Checked calls of HDF5, and identifiers that close themselves.
#pragma once

#include <hdf5.h>

#include <filesystem>
#include <string>

namespace terrace::hdf5 {

/// Call it before all others. Silences HDF5's own messages, and keeps HDF5 from closing files after the end
/// of main: one that could not be closed would be closed again after MPI's end.
void start();

/// Throws Error(run).
[[noreturn]] void fail(const std::filesystem::path& path, const std::string& expected,
                       const std::string& found);

/// The innermost message of HDF5's last error, which tells of full disks and the like.
[[nodiscard]] std::string reason_of_last_error();

/// Throws Error(run) with the reason where `result` says that a call has failed.
void check(herr_t result, const std::filesystem::path& path, const std::string& expected);

/// An identifier of HDF5, closed when the object ends.
class Handle {
 public:
  Handle() = default;
  /// Throws Error(run) with the reason where `id` says that the call has failed.
  Handle(hid_t id, herr_t (*closes)(hid_t), const std::filesystem::path& path, const std::string& expected);
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  ~Handle();
  operator hid_t() const { return id_; }
  /// Closes it. Only here does HDF5 tell what could not be written of a file. Throws Error(run).
  void close(const std::filesystem::path& path);
  /// Leaves it open to the end of the program: for a file that cannot be written any more, whose closing
  /// would fail again, and crash.
  void abandon();

 private:
  hid_t id_ = -1;
  herr_t (*closes_)(hid_t) = nullptr;
};

/// Whether something was abandoned: then MPI's end, at which HDF5 closes all that is open, must not be
/// reached.
[[nodiscard]] bool anything_abandoned();

}  // namespace terrace::hdf5
