// Numbers that identify the objects of a run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace terrace {

/// Identifies one object. `value` is a number that no other object of the run has, not even one that later
/// takes the same place in memory. `place` is an index into tables; another object gets it when this one is
/// gone, so that tables are no longer than the largest number of objects at a time. Not for more than one
/// thread.
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
