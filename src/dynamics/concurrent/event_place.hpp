// Where an event stands in the order in which one executor would do them all, one after the other.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "numerics/infinity.hpp"

namespace terrace {

/// By what the schedule chooses the next of the crossings it knows.
struct EventKey {
  double time = 0;                      ///< of the crossing
  std::array<std::int32_t, 2> order{};  ///< Subdomain::order, of simultaneous ones
  friend auto operator<=>(const EventKey&, const EventKey&) = default;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, order] = self;
    archive(time, order);
  }
};

/// The schedule always takes the crossing with the least key of those there are. An event makes new
/// crossings, and one of these may have a lesser key than the event itself: at the same instant, of a
/// subdomain that comes first, or, after a reflection on the near side of a surface, earlier by the last
/// digit. Such a crossing is next, before all that waited already. A place is therefore a row of keys, none
/// greater than the one before: its own, behind those of the events it could not come before. Places are
/// compared key by key, and a row comes before those that it begins. Thousands of events may follow each
/// other at one instant: equal keys stand once, with their number, of which the less comes first, as what
/// follows them is a lesser key or nothing.
class EventPlace {
 public:
  /// Before all events.
  EventPlace() = default;

  /// Of a crossing with this key that an event at this place made: the first such place after it.
  [[nodiscard]] EventPlace followed_by(const EventKey& key) const {
    EventPlace place = *this;
    std::vector<EqualKeys>& keys = place.keys_;
    while (!keys.empty() && keys.back().key < key) keys.pop_back();
    if (!keys.empty() && keys.back().key == key)
      ++keys.back().number;
    else
      keys.push_back({key, 1});
    return place;
  }
  /// Of the crossings at and after this place none is later in the order and earlier in time than this, but
  /// by the last digits; −∞ before all events.
  [[nodiscard]] double time() const { return keys_.empty() ? -infinity : keys_.front().key.time; }

  friend auto operator<=>(const EventPlace&, const EventPlace&) = default;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [keys] = self;
    archive(keys);
  }

 private:
  struct EqualKeys {
    EventKey key;
    std::int64_t number = 0;
    friend auto operator<=>(const EqualKeys&, const EqualKeys&) = default;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [key, number] = self;
      archive(key, number);
    }
  };
  std::vector<EqualKeys> keys_;
};

}  // namespace terrace
