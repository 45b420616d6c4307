// What is kept of objects that come and go.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "potentials/serial_number.hpp"

namespace terrace {

/// By the places of serial numbers, which are few and near each other: events look here a dozen times each.
template <class T>
class BySerialNumber {
 public:
  /// What `make()` makes when this object is first asked for.
  template <class Make>
  T& of(const SerialNumber& number, Make make) {
    if (number.place() >= all_.size()) all_.resize(number.place() + 1);
    Entry& entry = all_[number.place()];
    if (entry.kept == nullptr || entry.of != number.value()) entry = {number.value(), make()};
    return *entry.kept;
  }
  /// What there is of this number, which is forgotten; or null.
  std::unique_ptr<T> take(const SerialNumber& number) {
    if (number.place() >= all_.size() || all_[number.place()].of != number.value()) return nullptr;
    return std::move(all_[number.place()].kept);
  }
  /// Forgets those of which `is_alive` does not know the value.
  template <class IsAlive>
  void keep(IsAlive is_alive) {
    for (Entry& entry : all_)
      if (!is_alive(entry.of)) entry = {};
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
