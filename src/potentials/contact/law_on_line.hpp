// V(s) = Φ(δ(s)) of Hertz's law on a line where δ(s) is known: what it adds to samples and certificates.
#pragma once

#include "potentials/contact/hertz_law.hpp"
#include "potentials/on_line.hpp"

namespace terrace {

/// δ′ and δ″ at an instant.
struct PenetrationRates {
  double first, second;
};

/// Adds V, V′ and V″.
void add_to(LineSample& sum, const LineGrids& grids, const HertzLaw::Values& law,
            const PenetrationRates& rates);

/// Adds the certificate of the interval from an instant with this δ and these rates on. |δ‴| ≤ `third` there;
/// δ is known to `rounding`. Since Φ′ and Φ″ never fall with δ, V″ = Φ″ δ′² + Φ′ δ″ is between its bounds of
/// the ranges of δ, δ′ and δ″.
void add_to(LineBound& sum, const LineGrids& grids, const HertzLaw& law, double penetration,
            const PenetrationRates& rates, double third, double duration, double rounding);

}  // namespace terrace
