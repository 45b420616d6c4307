#include "dynamics/momenta_of_all.hpp"

namespace terrace {

// Integers of 128 bits as four words of 32 bits, whose sums over ranks no reduction can overflow.
void add_up_momenta(Communicator& communicator, std::vector<IntegerMomentum>& momenta) {
  std::vector<std::int64_t> words;
  for (const IntegerMomentum& momentum : momenta)
    for (const Integer128 component : momentum)
      for (int w = 0; w < 4; ++w) {
        const Integer128 shifted = component >> (32 * w);
        words.push_back(w == 3 ? static_cast<std::int64_t>(shifted)
                               : static_cast<std::int64_t>(shifted & 0xffffffffLL));
      }
  communicator.sum(words);
  std::size_t next = 0;
  for (IntegerMomentum& momentum : momenta)
    for (Integer128& component : momentum) {
      component = 0;
      for (int w = 0; w < 4; ++w)
        component += static_cast<Integer128>(words[next++]) * (static_cast<Integer128>(1) << (32 * w));
    }
}

}  // namespace terrace
