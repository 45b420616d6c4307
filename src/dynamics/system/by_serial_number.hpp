// A table of what is kept for objects that come and go.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "potentials/serial_number.hpp"

namespace terrace {

/// One T for each of some objects, found by the object's serial number. The table is a vector indexed by
/// SerialNumber::place(): places are few and close together, and each event looks here a dozen times.
template <class T>
class BySerialNumber {
 public:
  /// The T of this object; `make()` makes it when it is first asked for.
  template <class Make>
  T& of(const SerialNumber& number, Make make) {
    if (number.place() >= all_.size()) all_.resize(number.place() + 1);
    Entry& entry = all_[number.place()];
    if (entry.kept == nullptr || entry.of != number.value()) entry = {number.value(), make()};
    return *entry.kept;
  }
  /// Removes the T of this object from the table and returns it; null if there is none.
  std::unique_ptr<T> take(const SerialNumber& number) {
    if (number.place() >= all_.size() || all_[number.place()].of != number.value()) return nullptr;
    return std::move(all_[number.place()].kept);
  }
  /// Forgets the T of every object for whose serial number's value `is_alive(value)` is false, after
  /// drop(T&).
  template <class IsAlive, class Drop>
  void keep(IsAlive is_alive, Drop drop) {
    for (Entry& entry : all_) {
      if (is_alive(entry.of)) continue;
      if (entry.kept != nullptr) drop(*entry.kept);
      entry = {};
    }
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const Entry& entry : all_)
      if (entry.kept) visit(*entry.kept);
  }

 private:
  struct Entry {
    std::uint64_t of = 0;  // the value of the serial number
    std::unique_ptr<T> kept;
  };
  std::vector<Entry> all_;
};

}  // namespace terrace
