// A temporary directory that is removed with the object that made it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace terrace {

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "terrace-io-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline void touch(const std::filesystem::path& path) { std::ofstream(path) << "x"; }

/// The number of files that were not written to the end: those with the extension .part.
inline int leftovers(const std::filesystem::path& directory) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.path().extension() == ".part") ++count;
  return count;
}

}  // namespace terrace
