#include "hamiltonian/compositions.hpp"

#include "numerics/contract.hpp"
#include "numerics/elementary.hpp"

namespace terrace {

std::span<const double> symmetric_composition(int order) {
  static const std::vector<double> second = {1};
  static const double outer = 1 / (2 - numerics::cube_root(2.0));
  static const std::vector<double> fourth = {outer, 1 - 2 * outer, outer};
  static const std::vector<double> sixth = [] {
    constexpr double w1 = -1.17767998417887100695, w2 = 0.23557321335935813368, w3 = 0.78451361047755726382;
    return std::vector<double>{w3, w2, w1, 1 - 2 * (w1 + w2 + w3), w1, w2, w3};
  }();
  static const std::vector<double> eighth = [] {
    const std::vector<double> half = {
        0.74167036435061295345, -0.40910082580003159400, 0.19075471029623837995, -0.57386247111608226666,
        0.29906418130365592384, 0.33462491824529818378,  0.31529309239676659663};
    std::vector<double> all = half;
    all.push_back(-0.79688793935291635402);
    all.insert(all.end(), half.rbegin(), half.rend());
    return all;
  }();
  switch (order) {
    case 2:
      return second;
    case 4:
      return fourth;
    case 6:
      return sixth;
    default:
      TERRACE_VERIFY(order == 8, order);
      return eighth;
  }
}

const std::vector<int>& composition_orders() {
  static const std::vector<int> orders = {2, 4, 6, 8};
  return orders;
}

}  // namespace terrace
