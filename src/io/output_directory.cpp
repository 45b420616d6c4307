#include "io/output_directory.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <regex>
#include <string>
#include <system_error>
#include <vector>

#include "parallel/error.hpp"

namespace terrace {

namespace {

namespace fs = std::filesystem;

// Everything terrace writes at the top of an output directory, and in its `fields`.
const char* const top_files =
    "(fields\\.pvd|trajectories\\.vtu|"
    "(history|probes|bodies|subdomains|steps|trace|trace_ranks|trace_operations)\\.csv|bodies\\.h5|"
    "summary\\.json|"
    "restart(-before)?\\.h5)(\\.part)?";
const char* const field_files = "[0-9]+(\\.pvtu|(_[0-9]+)?\\.vtu)(\\.part)?";

[[noreturn]] void refuse(const fs::path& path, const std::string& expected, const std::string& found) {
  throw Error(Error::Kind::input, "output directory " + path.string(), expected, found);
}

template <class Choice>
void remove_matching(const fs::path& directory, const char* pattern, Choice chosen) {
  const std::regex ours(pattern);
  std::vector<fs::path> doomed;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (!entry.is_directory() && std::regex_match(name, ours) && chosen(name)) doomed.push_back(entry.path());
  }
  for (const fs::path& path : doomed) fs::remove(path);
}

/// Whether there is more than a run leaves that ended before it wrote anything: its lock's file, and an empty
/// "fields".
bool has_files(const fs::path& directory) {
  const fs::path fields = directory / "fields";
  return std::any_of(fs::directory_iterator(directory), fs::directory_iterator(), [&](const auto& entry) {
    const bool is_empty =
        entry.path() == fields && !entry.is_symlink() && entry.is_directory() && fs::is_empty(fields);
    const bool is_lock =
        entry.path().filename() == DirectoryLock::file_name && DirectoryLock::is_left(entry.path());
    return !is_empty && !is_lock;
  });
}

void remove_own_files(const fs::path& directory) {
  const auto all = [](const std::string&) { return true; };
  remove_matching(directory, top_files, all);
  const fs::path fields = directory / "fields";
  if (!fs::is_directory(fields)) return;
  remove_matching(fields, field_files, all);
  if (fs::is_empty(fields)) fs::remove(fields);
}

}  // namespace

void require_writable_directory(const fs::path& path) {
  if (std::error_code none; !fs::is_directory(path, none)) return;
  if (::access(path.c_str(), W_OK | X_OK) == 0) return;
  refuse(path, "a writable directory",
         errno == EROFS ? "a file system that cannot be written to" : "no permission to write");
}

void require_free_directory(const fs::path& path, bool overwrite) {
  try {
    if (fs::is_symlink(path) && !fs::exists(path))
      refuse(path, "a directory or nothing", "a symbolic link to nothing");
    if (!fs::exists(path)) return;
    if (!fs::is_directory(path)) refuse(path, "a directory or nothing", "a file");
    if (!overwrite && has_files(path))
      refuse(path, "a new or empty directory (or output.overwrite = true)",
             fs::exists(path / "restart.h5") ? "a run in it: --resume goes on, --set output.overwrite=true "
                                               "replaces it"
                                             : "files in it");
    if (fs::is_symlink(path / "fields"))  // which may lead to frames of others
      refuse(path, "a directory \"fields\" of its own in it", "a symbolic link");
  } catch (const fs::filesystem_error& error) {
    refuse(path, "a directory that can be made and written", error.code().message());
  }
  require_writable_directory(path);
}

DirectoryLock create_output_directory(const fs::path& path, bool overwrite) {
  require_free_directory(path, overwrite);
  try {
    fs::create_directories(path);
    DirectoryLock lock(path);
    require_free_directory(path, overwrite);  // another run may have been there and gone
    remove_own_files(path);
    return lock;
  } catch (const fs::filesystem_error& error) {
    refuse(path, "a directory that can be made and written", error.code().message());
  }
}

bool has_frames(const fs::path& path) {
  const std::regex frame(field_files);
  const fs::path fields = path / "fields";
  try {
    if (!fs::is_directory(fields)) return false;
    return std::any_of(fs::directory_iterator(fields), fs::directory_iterator(), [&](const auto& entry) {
      const std::string name = entry.path().filename().string();
      return std::regex_match(name, frame) && !name.ends_with(".part");
    });
  } catch (const fs::filesystem_error& error) {
    refuse(fields, "a directory that can be read", error.code().message());
  }
}

void remove_unfinished(const fs::path& path, std::size_t frames) {
  const auto aside = [](const std::string& name) { return name.ends_with(".part"); };
  // Written at the end of a run: with them a run that is killed would look as if it were done.
  const auto of_the_end = [](const std::string& name) {
    return name.starts_with("trace") || name == "summary.json" || name == "subdomains.csv" ||
           name == "steps.csv";
  };
  try {
    remove_matching(path, top_files,
                    [&](const std::string& name) { return aside(name) || of_the_end(name); });
    if (fs::is_directory(path / "fields"))
      remove_matching(path / "fields", field_files, [&](const std::string& name) {
        return aside(name) || std::strtoull(name.c_str(), nullptr, 10) >= frames;
      });
  } catch (const fs::filesystem_error& error) {
    refuse(path, "a directory that can be written", error.code().message());
  }
}

}  // namespace terrace
