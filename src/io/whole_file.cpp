#include "io/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

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

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& expected, int reason) {
  throw Error(Error::Kind::run, path.string(), expected, std::strerror(reason));
}

}  // namespace

std::filesystem::path aside(const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  return part;
}

void write_whole_file(const std::filesystem::path& path, std::string_view contents) {
  const std::string expected = fmt::format("to write {} bytes", contents.size());
  const std::filesystem::path part = aside(path);
  const int file = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) fail(path, expected, errno);

  int reason = write_all(file, contents) ? 0 : errno;
  // Network file systems report a full disk or quota only here.
  if (::close(file) != 0 && reason == 0) reason = errno;
  if (reason == 0 && std::rename(part.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(part.c_str());
    fail(path, expected, reason);
  }
}

std::string read_whole_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "a readable file", errno);
  try {
    return {std::istreambuf_iterator<char>(file), {}};
  } catch (const std::ios_base::failure&) {  // what the buffer says of a read that fails
    fail(path, "a readable file", errno);
  }
}

}  // namespace terrace
