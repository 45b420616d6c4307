#include "io/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>
#include <tuple>
#include <utility>

#include "parallel/error.hpp"

namespace terrace {

namespace {

// Symbolic links may lead to files that are not this run's to change, and opening a pipe may wait for ever.
constexpr int as_it_stands = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;

std::string first_line(int file) {
  std::array<char, 300> text{};
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  const std::string_view words(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  return std::string(words.substr(0, words.find('\n')));
}

/// Whether a line is what this_run writes, or still empty.
bool is_of_a_run(const std::string& line) { return line.empty() || line.starts_with("process "); }

struct flock whole_file() {
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  return whole;
}

[[noreturn]] void refuse(const std::filesystem::path& directory, const std::string& holder) {
  throw Error(Error::Kind::input, "output directory " + directory.string(), "one that no other run writes to",
              "one in use by " + (holder.empty() ? "another run" : holder));  // it has yet to write
}

std::string this_run() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC\n", ::getpid(), host.data(),
                     fmt::gmtime(std::time(nullptr)));
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) : path_(directory / file_name) {
  constexpr int most = 100;  // for file systems in which files change their numbers from look to look
  for (int attempt = 0; !take(); ++attempt) {
    release();
    if (attempt < most) continue;
    trouble_ = "the file is another each time";
    return;
  }
}

DirectoryLock::DirectoryLock(DirectoryLock&& other) noexcept
    : path_(std::move(other.path_)),
      trouble_(std::move(other.trouble_)),
      file_(std::exchange(other.file_, -1)) {}

DirectoryLock& DirectoryLock::operator=(DirectoryLock&& other) noexcept {
  release();
  path_ = std::move(other.path_);
  trouble_ = std::move(other.trouble_);
  file_ = std::exchange(other.file_, -1);
  return *this;
}

DirectoryLock::~DirectoryLock() { release(); }

void DirectoryLock::require_none(const std::filesystem::path& directory) {
  const int file = ::open((directory / file_name).c_str(), O_RDONLY | as_it_stands);
  if (file < 0) return;
  struct flock other = whole_file();
  const bool is_held = ::fcntl(file, F_OFD_GETLK, &other) == 0 && other.l_type != F_UNLCK;
  const std::string holder = first_line(file);
  ::close(file);
  if (is_held) refuse(directory, holder);
}

bool DirectoryLock::is_left(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | as_it_stands);
  if (opened < 0) return false;
  struct stat about = {};
  const bool is_file = ::fstat(opened, &about) == 0 && S_ISREG(about.st_mode);
  const std::string line = is_file ? first_line(opened) : "";
  ::close(opened);
  return is_file && is_of_a_run(line);
}

bool DirectoryLock::take() {
  require_none(path_.parent_path());  // also where the file below cannot be opened for writing
  const std::string words = this_run();
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | as_it_stands, 0666);
  if (file_ < 0) {
    trouble_ = std::strerror(errno);
    return true;
  }
  // The lock is the open file's, not the process's: libraries that open and close the file do not free it.
  struct flock whole = whole_file();
  if (::fcntl(file_, F_OFD_SETLK, &whole) != 0) {
    const int reason = errno;
    const bool held = reason == EAGAIN || reason == EACCES;
    const std::string holder = held ? first_line(file_) : "";
    ::close(std::exchange(file_, -1));
    if (held) refuse(path_.parent_path(), holder);
    trouble_ = std::strerror(reason);
    return true;
  }
  if (!is_in_its_place()) return false;
  if (!is_of_a_run(first_line(file_))) {
    ::close(std::exchange(file_, -1));
    trouble_ = "the file is not a run's";
    return true;
  }
  // Whoever may write to the directory may lock it when this run is gone.
  if (struct stat of_all = {}; ::stat(path_.parent_path().c_str(), &of_all) == 0)
    std::ignore = ::fchmod(file_, of_all.st_mode & 0666);
  // For others to read. That a full disk has no room for it is no error: that is reported where results are
  // lost.
  if (::ftruncate(file_, 0) == 0) std::ignore = ::pwrite(file_, words.data(), words.size(), 0);
  return true;
}

bool DirectoryLock::is_in_its_place() const noexcept {
  struct stat own = {}, named = {};
  return ::fstat(file_, &own) == 0 && ::stat(path_.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}

// Unlinks before it unlocks: whoever then gets the lock of a file that is gone looks again.
void DirectoryLock::release() noexcept {
  if (file_ < 0) return;
  if (is_in_its_place()) ::unlink(path_.c_str());
  ::close(std::exchange(file_, -1));
}

}  // namespace terrace
