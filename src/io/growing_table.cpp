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

void GrowingTable::resume(double time) {
  std::ifstream file(path_, std::ios::binary);
  if (!file) throw Error(Error::Kind::run, path_.string(), "a readable file", std::strerror(errno));
  std::string line;
  std::uint64_t kept = 0;
  bool reached = false;
  for (bool header = true; std::getline(file, line) && !file.eof(); header = false) {
    const double of_row = header ? time : std::strtod(line.c_str(), nullptr);
    if (of_row > time) break;
    reached = !header && of_row == time;
    kept += line.size() + 1;
  }
  if (!reached) throw Error(Error::Kind::run, path_.string(), fmt::format("a row at time {}", time), "none");
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
