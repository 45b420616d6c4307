// Where an event stands in the order in which one executor would do them all, one after the other.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "numerics/infinity.hpp"

namespace terrace {

/// The key by which the schedule chooses the next of the crossings that it knows: the least one.
struct EventKey {
  double time = 0;                      ///< of the crossing
  std::array<std::int32_t, 2> order{};  ///< Subdomain::order, which decides between simultaneous ones
  friend auto operator<=>(const EventKey&, const EventKey&) = default;
  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [time, order] = self;
    archive(time, order);
  }
};

/// The place of an event in the order of one after the other. The schedule always takes the crossing with the
/// least key of those that there are. An event makes new crossings, and one of these may have a lesser key
/// than the event itself: at the same instant if its subdomain comes first, or earlier by the last digit
/// after a reflection on the near side of a surface. Such a crossing is next, before all that waited already.
/// A place is therefore a row of keys, none greater than the one before it: first those of the events that it
/// could not come before, last its own. Places are compared key by key; a row comes before longer rows that
/// begin with it. As thousands of events may follow each other at one instant, equal keys are kept once, with
/// their number. The lesser number comes first, since after equal keys comes a lesser key or nothing.
class EventPlace {
 public:
  /// Before all events.
  EventPlace() = default;

  /// The place of a crossing with this key that an event at the present place made: the first one after the
  /// present place that such a key allows.
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
  /// A time before which no event at or after this place lies, but for the last digits; −∞ before all events.
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
