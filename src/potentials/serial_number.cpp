#include "potentials/serial_number.hpp"

#include <vector>

namespace terrace {
namespace {

struct Places {
  std::uint64_t last_value = 0;
  std::vector<std::size_t> free;
  std::size_t taken = 0;  // places given out so far, free ones included
};

// Never destroyed: static objects may outlive others, and give back their places then.
Places& places() {
  static Places* const all = new Places;
  return *all;
}

}  // namespace

SerialNumber::SerialNumber() : value_(++places().last_value) {
  Places& all = places();
  if (all.free.empty()) {
    place_ = all.taken++;
    if (all.free.capacity() < all.taken)
      all.free.reserve(2 * all.taken);  // so that giving one back cannot fail
  } else {
    place_ = all.free.back();
    all.free.pop_back();
  }
}

SerialNumber::~SerialNumber() { places().free.push_back(place_); }

}  // namespace terrace
