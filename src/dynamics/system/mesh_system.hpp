// Elastic bodies of tetrahedra as parts of a system.
#pragma once

#include <span>
#include <vector>

#include "dynamics/system/layout.hpp"
#include "dynamics/system/localization.hpp"
#include "dynamics/system/system_builder.hpp"

namespace terrace {

/// Bodies and which ranks load their nodes: the first step of the builder.
void load_bodies(const Model& model, const Localization& localization, const Layout& layout,
                 SystemBuilder& builder);

/// Whether a system has the elastic potentials of its bodies from the start, or those that are asked for
/// (LivingSubdomains::make_elements).
enum class Elements { at_once, on_demand };

/// The elastic potentials of this rank, their blocks, and the stable steps of bodies: the second step.
/// `body_stable_steps`: the last, if they are known. Collective.
void make_elastic_blocks(const Model& model, const Localization& localization, const Layout& layout,
                         Elements elements, std::span<const double> body_stable_steps,
                         SystemBuilder& builder);

/// Elements at a node, the most of each body.
[[nodiscard]] std::vector<double> valences(const Model& model);

}  // namespace terrace
