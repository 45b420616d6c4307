#include "io/whole_file.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>

#include "numerics/contract.hpp"
#include "parallel/error.hpp"

namespace terrace {

namespace {

// POSIX calls rather than a stream: a stream forgets why it failed.
bool write_all(int file, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t written = ::write(file, contents.data(), contents.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    contents.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

/// 0, or the error number: what was written may then not survive the machine's end.
int sync(int file) {
  while (::fsync(file) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& expected, int reason) {
  throw Error(Error::Kind::run, path.string(), expected, std::strerror(reason));
}

}  // namespace

std::filesystem::path aside(const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  return part;
}

void append_to_file(const std::filesystem::path& path, std::uint64_t length, std::string_view contents) {
  const std::string expected = fmt::format("to write {} bytes", contents.size());
  const int file = ::open(path.c_str(), O_WRONLY | (length == 0 ? O_CREAT : 0) | O_CLOEXEC, 0666);
  if (file < 0) fail(path, expected, errno);
  const auto end = static_cast<off_t>(length);
  struct stat found = {};
  if (::fstat(file, &found) == 0 && found.st_size != end) {
    ::close(file);
    throw Error(Error::Kind::run, path.string(), fmt::format("the {} bytes written so far", length),
                std::to_string(found.st_size));
  }
  int reason = ::lseek(file, end, SEEK_SET) == end ? 0 : errno;
  if (reason == 0 && !write_all(file, contents)) reason = errno;
  if (reason != 0) std::ignore = ::ftruncate(file, end);
  if (::close(file) != 0 && reason == 0) {
    reason = errno;
    std::ignore = ::truncate(path.c_str(), end);
  }
  if (reason == 0) return;
  if (length == 0) ::unlink(path.c_str());
  fail(path, expected, reason);
}

void write_to_disk(const std::filesystem::path& path, std::string_view contents) {
  const std::string expected = fmt::format("to write {} bytes", contents.size());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path, expected, errno);
  int reason = write_all(file, contents) ? 0 : errno;
  if (reason == 0) reason = sync(file);
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0) return;
  ::unlink(path.c_str());
  fail(path, expected, reason);
}

void bring_to_disk(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  int reason = file < 0 ? errno : sync(file);
  if (file >= 0 && ::close(file) != 0 && reason == 0) reason = errno;
  if (reason != 0) fail(path, "to bring it to the disk", reason);
}

WholeFile::WholeFile(std::filesystem::path path)
    : path_(std::move(path)),
      part_(aside(path_)),
      file_(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
  if (file_ < 0) fail(path_, "to write it", errno);
}

WholeFile::~WholeFile() {
  if (file_ < 0) return;
  ::close(file_);
  ::unlink(part_.c_str());
}

void WholeFile::write(std::string_view contents) {
  constexpr std::size_t enough = std::size_t{1} << 20;
  if (waiting_.size() + contents.size() < enough) {
    waiting_ += contents;
    return;
  }
  drain();
  put(contents);
}

void WholeFile::write_at(std::uint64_t place, std::string_view contents) {
  TERRACE_VERIFY(place <= length(), place, length());
  if (place < length()) {
    drain();
    const std::string_view over =
        contents.substr(0, std::min<std::uint64_t>(contents.size(), written_ - place));
    const bool done = ::lseek(file_, static_cast<off_t>(place), SEEK_SET) >= 0 && write_all(file_, over) &&
                      ::lseek(file_, static_cast<off_t>(written_), SEEK_SET) >= 0;
    if (!done) fail(path_, fmt::format("to write {} bytes", written_), errno);
    contents.remove_prefix(over.size());
  }
  write(contents);
}

void WholeFile::put(std::string_view contents) {
  written_ += contents.size();
  if (!write_all(file_, contents)) fail(path_, fmt::format("to write {} bytes", written_), errno);
}

void WholeFile::drain() {
  put(waiting_);
  waiting_.clear();
}

void WholeFile::commit() {
  drain();
  // Network file systems report a full disk or quota only here.
  int reason = ::close(std::exchange(file_, -1)) == 0 ? 0 : errno;
  if (reason == 0 && std::rename(part_.c_str(), path_.c_str()) != 0) reason = errno;
  if (reason == 0) return;
  ::unlink(part_.c_str());
  fail(path_, fmt::format("to write {} bytes", written_), reason);
}

void require_directory_of(const std::filesystem::path& path, const std::string& where) {
  std::error_code unknown;
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), unknown))
    throw Error(Error::Kind::input, where, "a file in a directory that is there",
                fmt::format("\"{}\"", path.string()));
}

void write_whole_file(const std::filesystem::path& path, std::string_view contents) {
  WholeFile file(path);
  file.write(contents);
  file.commit();
}

std::string why_not_found(const std::filesystem::path& path) {
  std::error_code reason;
  if (std::filesystem::exists(path, reason)) return "";
  return reason ? reason.message() : "no such file";
}

std::string read_whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "a readable file", errno);
  try {
    return {std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure&) {  // thrown by the stream's buffer where a read fails
    fail(path, "a readable file", errno);
  }
}

}  // namespace terrace
