// Sums of momenta that grow for as long as a run lasts, as integers of 192 bits.
//
// What walls, supports and gravity have received is bounded by nothing that is known at the start: a weight
// gives m g t. Nodal momenta are bounded by the energy, and keep 128 bits.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "dynamics/exact_momentum.hpp"

namespace terrace {

/// In two's complement: sums are exact, below 2^191 in size.
class WideInteger {
 public:
  static constexpr std::size_t words = 3;

  WideInteger() = default;
  WideInteger(Integer128 value)  // NOLINT(google-explicit-constructor): a wider integer of the same value
      : words_{static_cast<std::uint64_t>(value), static_cast<std::uint64_t>(value >> 64),
               value < 0 ? ~std::uint64_t{0} : 0} {}
  /// By its digits to base 2^64, the last first.
  explicit WideInteger(const std::array<std::uint64_t, words>& digits) : words_(digits) {}

  WideInteger& operator+=(const WideInteger& more) {
    __extension__ using Unsigned128 = unsigned __int128;
    Unsigned128 sum = 0;
    for (std::size_t w = 0; w < words; ++w) {
      sum = (sum >> 64) + words_[w] + more.words_[w];
      words_[w] = static_cast<std::uint64_t>(sum);
    }
    return *this;
  }
  [[nodiscard]] WideInteger operator-() const {
    WideInteger negative;
    for (std::size_t w = 0; w < words; ++w) negative.words_[w] = ~words_[w];
    negative += WideInteger(1);
    return negative;
  }
  bool operator==(const WideInteger&) const = default;

  /// Modulo 2^128: itself where it has room there.
  [[nodiscard]] Integer128 narrow() const { return joined(words_[1], words_[0]); }
  /// Rounded once, to the nearest and halves to even.
  [[nodiscard]] double value() const {
    if (WideInteger(narrow()) == *this) return to_double(narrow());
    // The last digit is 1 if anything follows, and stands far behind those of the double.
    return to_double(joined(words_[2], words_[1] | static_cast<std::uint64_t>(words_[0] != 0))) * 0x1p64;
  }
  /// One of these digits.
  [[nodiscard]] std::uint64_t word(std::size_t w) const { return words_[w]; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    archive(self.words_);
  }

 private:
  static Integer128 joined(std::uint64_t high, std::uint64_t low) {
    __extension__ using Unsigned128 = unsigned __int128;
    return static_cast<Integer128>(static_cast<Unsigned128>(high) << 64 | low);
  }

  std::array<std::uint64_t, words> words_{};
};

using WideMomentum = std::array<WideInteger, 3>;

template <class Momentum>
void add_momentum(WideMomentum& sum, const Momentum& more) {
  for (std::size_t d = 0; d < 3; ++d) sum[d] += more[d];
}

/// Adds those of `more`, of which there are no more than of `all`.
inline void add_momenta(std::span<WideMomentum> all, std::span<const WideMomentum> more) {
  for (std::size_t i = 0; i < more.size(); ++i) add_momentum(all[i], more[i]);
}

inline Vector3 to_momentum(const WideMomentum& quanta, double quantum) {
  return {quanta[0].value() * quantum, quanta[1].value() * quantum, quanta[2].value() * quantum};
}

}  // namespace terrace
