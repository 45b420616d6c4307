#include "potentials/contact/law_on_line.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

void add_to(LineSample& sum, const LineGrids& grids, const HertzLaw::Values& law,
            const PenetrationRates& rates) {
  if (law.first == 0) return;
  const double slope = law.first * rates.first;
  const double curvature = law.second * rates.first * rates.first + law.first * rates.second;
  sum.contact_terms += 1;
  sum.add(grids, law.value, slope, curvature);
}

void add_to(LineBound& sum, const LineGrids& grids, const HertzLaw& law, double penetration,
            const PenetrationRates& rates, double third, double duration, double rounding) {
  constexpr double outwards = 1 + 1e-12;
  const double most_second = outwards * (std::abs(rates.second) + third * duration);
  const double change = outwards * most_second * duration;  // largest change of δ′
  const double fastest = outwards * (std::abs(rates.first) + change);
  const double slowest = std::max(0.0, std::abs(rates.first) - change);
  const double way = outwards * fastest * duration + rounding;
  if (!(penetration + way > 0)) return;
  if (!(fastest * duration < 0.1 * law.largest_penetration())) {  // a good bound needs a steady force
    sum.invalid += 1;
    return;
  }
  const HertzLaw::Values here = law.at(penetration), deepest = law.at(penetration + way),
                         flattest = law.at(penetration - way);
  const double curvature = here.second * rates.first * rates.first + here.first * rates.second;
  const double bend = deepest.first * most_second;  // bound of |Φ′ δ″|
  const double highest = deepest.second * fastest * fastest + bend;
  const double lowest = flattest.second * slowest * slowest - bend;
  const double scale = highest - lowest + std::abs(curvature);
  const double above = std::max(0.0, highest - curvature) + 1e-12 * scale;
  const double below = std::max(0.0, curvature - lowest) + 1e-12 * scale;
  sum.contact_terms += 1;
  sum.add_change(grids, above, below);
}

}  // namespace terrace
