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

/// Who has the lock, as that run has written it: its first line.
std::string holder_of(int file) {
  std::array<char, 300> text{};
  const ssize_t count = ::pread(file, text.data(), text.size(), 0);
  const std::string_view words(text.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  const std::string_view line = words.substr(0, words.find('\n'));
  return line.empty() ? "another run" : std::string(line);  // which has not yet written
}

std::string this_run() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on {} since {:%Y-%m-%d %H:%M:%S} UTC\n", ::getpid(), host.data(),
                     fmt::gmtime(std::time(nullptr)));
}

}  // namespace

DirectoryLock::DirectoryLock(const std::filesystem::path& directory) : path_(directory / file_name) {
  constexpr int most = 100;  // where files change their numbers from look to look
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

bool DirectoryLock::take() {
  const std::string words = this_run();
  file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file_ < 0) {
    trouble_ = std::strerror(errno);
    return true;
  }
  // Of the open file, not of the process: libraries that open and close the file do not free it.
  struct flock whole = {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  if (::fcntl(file_, F_OFD_SETLK, &whole) != 0) {
    const int reason = errno;
    const bool held = reason == EAGAIN || reason == EACCES;
    const std::string holder = held ? holder_of(file_) : "";
    ::close(std::exchange(file_, -1));
    if (held)
      throw Error(Error::Kind::input, "output directory " + path_.parent_path().string(),
                  "one that no other run writes to", "one in use by " + holder);
    trouble_ = std::strerror(reason);
    return true;
  }
  if (!is_in_its_place()) return false;
  // For others to read; a full disk is told of where results are lost by it.
  if (::ftruncate(file_, 0) == 0) std::ignore = ::pwrite(file_, words.data(), words.size(), 0);
  return true;
}

bool DirectoryLock::is_in_its_place() const noexcept {
  struct stat own = {}, named = {};
  return ::fstat(file_, &own) == 0 && ::stat(path_.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}

// The file first: whoever gets the lock of one that is gone looks again.
void DirectoryLock::release() noexcept {
  if (file_ < 0) return;
  if (is_in_its_place()) ::unlink(path_.c_str());
  ::close(std::exchange(file_, -1));
}

}  // namespace terrace
