// V(s) = Φ(δ(s)) of Hertz's law on a line where δ(s) is known: its terms in samples and certificates.
#pragma once

#include "potentials/contact/hertz_law.hpp"
#include "potentials/on_line.hpp"

namespace terrace {

/// δ′ and δ″ at an instant.
struct PenetrationRates {
  double first, second;
};

/// Adds V, V′ and V″ to a sample; `law`: Φ, Φ′ and Φ″ at the present δ.
void add_to(LineSample& sum, const LineGrids& grids, const HertzLaw::Values& law,
            const PenetrationRates& rates);

/// Adds the certificate of an interval of length `duration`, at whose beginning δ is `penetration`, known to
/// `rounding`, with these rates; |δ‴| ≤ `third` on it. Since Φ′ and Φ″ never decrease with δ, the ranges of
/// δ, δ′ and δ″ bound V″ = Φ″ δ′² + Φ′ δ″. Without a bound (`sum.invalid`) where δ may change by a tenth of
/// the largest penetration or more.
void add_to(LineBound& sum, const LineGrids& grids, const HertzLaw& law, double penetration,
            const PenetrationRates& rates, double third, double duration, double rounding);

}  // namespace terrace
