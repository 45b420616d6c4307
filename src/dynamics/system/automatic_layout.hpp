// Which layout is the fastest, as far as can be said at the start.
#pragma once

#include "dynamics/system/localization.hpp"

namespace terrace {

/// Whether ranks should take the bodies through windows of time alone (WindowedEnergyStepping): where there
/// are many for each rank, each with a terrace of its own, of which no large part is near each other at the
/// start or will come to lie on one heap, and where every rank can hold them all. Of a model and its
/// localization, which share a terrace where bodies touch, with an integrator that can do it.
[[nodiscard]] bool windows_are_worth_while(const Model& model, const Localization& localization, int ranks);

}  // namespace terrace
