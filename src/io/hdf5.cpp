#include "io/hdf5.hpp"

#include <utility>

#include "parallel/error.hpp"

namespace terrace::hdf5 {

void start() {
  [[maybe_unused]] static const herr_t once = H5dont_atexit();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

void fail(const std::filesystem::path& path, const std::string& expected, const std::string& found) {
  throw Error(Error::Kind::run, path.string(), expected, found);
}

std::string reason_of_last_error() {
  std::string reason = "an error of HDF5";
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_DOWNWARD,
      [](unsigned, const H5E_error2_t* error, void* text) -> herr_t {
        if (error->desc != nullptr && *error->desc != 0) *static_cast<std::string*>(text) = error->desc;
        return 0;
      },
      &reason);
  // In errors of the system the message is on one line with the time and much else.
  const std::string told = "error message = '";
  const std::size_t first = reason.find(told);
  if (first == std::string::npos) return reason;
  const std::size_t begin = first + told.size();
  return reason.substr(begin, reason.find('\'', begin) - begin);
}

void check(herr_t result, const std::filesystem::path& path, const std::string& expected) {
  if (result < 0) fail(path, expected, reason_of_last_error());
}

Handle::Handle(hid_t id, herr_t (*closes)(hid_t), const std::filesystem::path& path,
               const std::string& expected)
    : id_(id), closes_(closes) {
  if (id < 0) fail(path, expected, reason_of_last_error());
}

Handle::Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closes_(other.closes_) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(closes_, other.closes_);
  return *this;
}

static bool abandoned = false;

Handle::~Handle() {
  if (id_ >= 0 && closes_(id_) < 0) abandoned = true;  // it is still open
}

bool anything_abandoned() { return abandoned; }

void Handle::abandon() {
  abandoned = abandoned || id_ >= 0;
  id_ = -1;
}

void Handle::close(const std::filesystem::path& path) {
  const herr_t result = closes_(std::exchange(id_, -1));
  if (result >= 0) return;
  abandoned = true;  // it is still open
  fail(path, "to write it", reason_of_last_error());
}

}  // namespace terrace::hdf5
