// Elastic bodies of tetrahedra as parts of a system.
#pragma once

#include <span>
#include <vector>

#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/system_builder.hpp"

namespace terrace {

/// Tells the builder, in its first step, the bodies and which ranks load their nodes.
void load_bodies(const Model& model, const Localization& localization, const Layout& layout,
                 SystemBuilder& builder);

/// Whether a system has all elastic potentials from the start, or only while they are asked for
/// (LivingSubdomains::make_elements, end_elements).
enum class Elements { at_once, on_demand };

/// Makes, in the builder's second step, the elastic potentials of this rank, their blocks, and the bodies'
/// stable steps. `body_stable_steps`: these, where they are known; else empty, and the call is collective.
void make_elastic_blocks(const Model& model, const Localization& localization, const Layout& layout,
                         Elements elements, std::span<const double> body_stable_steps,
                         SystemBuilder& builder);

/// For each body the largest number of elements at one of its nodes.
[[nodiscard]] std::vector<double> valences(const Model& model);

}  // namespace terrace
