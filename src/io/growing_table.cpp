#include "io/growing_table.hpp"

#include <fmt/core.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "io/whole_file.hpp"
#include "parallel/error.hpp"

namespace terrace {

GrowingTable::GrowingTable(std::filesystem::path path, std::string header)
    : path_(std::move(path)), pending_(std::move(header)) {}

namespace {

/// The length of the header and the rows up to and including `time` [bytes]. Throws Error(run) where no row
/// is at `time`.
std::uint64_t length_up_to(double time, const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(Error::Kind::run, path.string(), "a readable file", std::strerror(errno));
  file.exceptions(std::ios::badbit);  // else lines would seem to end where reading fails
  std::string line;
  std::uint64_t length = 0;
  bool reached = false;
  try {
    for (bool header = true; std::getline(file, line) && !file.eof(); header = false) {
      const double of_row = header ? time : std::strtod(line.c_str(), nullptr);
      if (of_row > time) break;
      reached = !header && of_row == time;
      length += line.size() + 1;
    }
  } catch (const std::ios_base::failure&) {  // thrown by the stream's buffer where a read fails
    throw Error(Error::Kind::run, path.string(), "a readable file", std::strerror(errno));
  }
  if (!reached) throw Error(Error::Kind::run, path.string(), fmt::format("a row at time {}", time), "none");
  return length;
}

}  // namespace

void GrowingTable::require_row(double time) const { static_cast<void>(length_up_to(time, path_)); }

void GrowingTable::resume(double time) {
  const std::uint64_t kept = length_up_to(time, path_);
  std::error_code reason;
  std::filesystem::resize_file(path_, kept, reason);
  if (reason) throw Error(Error::Kind::run, path_.string(), "to shorten it", reason.message());
  length_ = kept;
  pending_.clear();
}

void GrowingTable::flush() {
  if (pending_.empty()) return;
  append_to_file(path_, length_, pending_);
  length_ += pending_.size();
  pending_.clear();
}

}  // namespace terrace
