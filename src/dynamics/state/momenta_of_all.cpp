#include "dynamics/state/momenta_of_all.hpp"

#include <cstdint>

namespace terrace {

// Adds up digits of 32 bits, so that their sums over ranks do not overflow 64 bits, and then carries from
// digit to digit. The carry out of the last one is dropped, as in two's complement.
void add_up_momenta(Communicator& communicator, std::vector<WideMomentum>& momenta) {
  constexpr std::uint64_t half = 0xffffffffU;
  std::vector<std::int64_t> words;
  for (const WideMomentum& momentum : momenta)
    for (const WideInteger& component : momentum)
      for (std::size_t w = 0; w < WideInteger::words; ++w)
        for (const int shift : {0, 32})
          words.push_back(static_cast<std::int64_t>(component.word(w) >> shift & half));
  communicator.sum(words);
  std::size_t next = 0;
  for (WideMomentum& momentum : momenta)
    for (WideInteger& component : momentum) {
      std::uint64_t carry = 0;
      std::array<std::uint64_t, WideInteger::words> digits{};
      for (std::uint64_t& digit : digits)
        for (const int shift : {0, 32}) {
          carry += static_cast<std::uint64_t>(words[next++]);
          digit |= (carry & half) << shift;
          carry >>= 32;
        }
      component = WideInteger(digits);
    }
}

}  // namespace terrace
