// Which object of a run this is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrace {

/// A number that no other object of the run has, not even one that took its place in memory; and a place in
/// tables, which another object gets when this one is gone, so that tables are no longer than there were
/// objects at a time. One thread makes them.
class SerialNumber {
 public:
  SerialNumber();
  ~SerialNumber();
  SerialNumber(const SerialNumber&) = delete;
  SerialNumber& operator=(const SerialNumber&) = delete;

  [[nodiscard]] std::uint64_t value() const { return value_; }  ///< from 1 on
  [[nodiscard]] std::size_t place() const { return place_; }    ///< from 0 on

 private:
  std::uint64_t value_;
  std::size_t place_;
};

}  // namespace terrace
