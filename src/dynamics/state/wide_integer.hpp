// Integers of 192 bits, for sums that grow for as long as a run lasts.
//
// No bound is known at the start on the momentum that walls, supports and gravity receive (a weight gives
// m g t), nor on the energy that a moving support brings in. Nodal momenta have 128 bits.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "dynamics/state/exact_momentum.hpp"

namespace terrace {

/// An integer of 192 bits in two's complement; sums are exact as long as they stay below 2^191 in size.
class WideInteger {
 public:
  static constexpr std::size_t words = 3;

  WideInteger() = default;
  WideInteger(Integer128 value)  // NOLINT(google-explicit-constructor): a wider integer of the same value
      : words_{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64),
               value < 0 ? ~std::uint64_t{0} : 0} {}
  /// From its digits to base 2^64, the least significant first.
  explicit WideInteger(const std::array<std::uint64_t, words>& digits) : words_(digits) {}

  /// The integer nearest to `value`; 0 where that is 2^190 or more in size, or not a number.
  [[nodiscard]] static WideInteger nearest(double value) {
    if (!(std::abs(value) < 0x1p190)) return {};
    const IntegerMultiplier factor = IntegerMultiplier::nearest(value);
    WideInteger whole(factor.mantissa);
    for (int digits = factor.exponent; digits > 0; digits -= 32) whole.shift_up(std::min(digits, 32));
    return whole;
  }

  WideInteger& operator+=(const WideInteger& more) {
    __extension__ using Unsigned128 = unsigned __int128;
    Unsigned128 sum = 0;
    for (std::size_t w = 0; w < words; ++w) {
      sum = (sum >> 64) + words_[w] + more.words_[w];
      words_[w] = static_cast<std::uint64_t>(sum);
    }
    return *this;
  }
  WideInteger& operator-=(const WideInteger& less) { return *this += -less; }
  [[nodiscard]] WideInteger operator-() const {
    WideInteger negative;
    for (std::size_t w = 0; w < words; ++w) negative.words_[w] = ~words_[w];
    negative += WideInteger(1);
    return negative;
  }
  bool operator==(const WideInteger&) const = default;

  /// The integer modulo 2^128: the same value where it fits into 128 bits.
  [[nodiscard]] Integer128 narrow() const { return joined(words_[1], words_[0]); }
  /// The nearest double, ties to even.
  [[nodiscard]] double value() const {
    if (WideInteger(narrow()) == *this) return to_double(narrow());
    // The last digit is set if any digit below is, and lies far below the last digit of the double.
    return to_double(joined(words_[2], words_[1] | static_cast<std::uint64_t>(words_[0] != 0))) * 0x1p64;
  }
  /// Digit w to base 2^64, 0 being the least significant.
  [[nodiscard]] std::uint64_t word(std::size_t w) const { return words_[w]; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.words_);
  }

 private:
  void shift_up(int digits) {
    for (std::size_t w = words - 1; w > 0; --w)
      words_[w] = words_[w] << digits | words_[w - 1] >> (64 - digits);
    words_[0] <<= digits;
  }
  static Integer128 joined(std::uint64_t high, std::uint64_t low) {
    __extension__ using Unsigned128 = unsigned __int128;
    return static_cast<Integer128>(static_cast<Unsigned128>(high) << 64 | low);
  }

  std::array<std::uint64_t, words> words_{};
};

}  // namespace terrace
