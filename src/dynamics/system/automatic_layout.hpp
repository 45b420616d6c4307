// Chooses the layout that is likely the fastest, by what is known at the start.
#pragma once

#include "dynamics/system/localization.hpp"

namespace terrace {

/// Whether the layout "windows" (WindowedEnergyStepping) is likely the fastest, with an integrator that can
/// do it. That is so where there are many bodies for each rank, each with a terrace of its own that touching
/// bodies share; where no large part of them is close together at the start, nor comes to lie on one heap
/// (under gravity); and where every rank can hold them all.
[[nodiscard]] bool windows_are_worth_while(const Model& model, const Localization& localization, int ranks);

}  // namespace terrace
