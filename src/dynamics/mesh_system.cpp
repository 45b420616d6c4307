#include "dynamics/mesh_system.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "numerics/at.hpp"
#include "potentials/elastic_potential.hpp"
#include "potentials/stable_step.hpp"

namespace terrace {
namespace {

const Material& material_of(const Model& model, std::int32_t body) {
  return at(model.materials, at(model.bodies, body).material);
}

void find_stable_steps(const Model& model, Lagrangian& system) {
  std::vector<double> largest_rates(model.bodies.size(), 0.0);
  for (const ElasticBlock& block : system.elastic_blocks) {
    double& rate = at(largest_rates, block.body);
    rate = std::max(
        rate, 1 / element_stable_step(system.reference, block.tetrahedra, material_of(model, block.body)));
  }
  system.communicator->maximum(largest_rates);
  system.stable_step = std::numeric_limits<double>::infinity();
  for (const double rate : largest_rates) {
    system.body_stable_steps.push_back(1 / rate);
    system.stable_step = std::min(system.stable_step, 1 / rate);
  }
}

}  // namespace

void load_bodies(const Model& model, const Localization& localization, const Layout& layout,
                 SystemBuilder& builder) {
  for (const Body& body : model.bodies) builder.add_body(body.name, body.first_node, body.node_count);
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
    const Term& term = at(localization.terms, localization.term_of_tetrahedron[e]);
    builder.load(model.tetrahedra[e], term.subdomain, layout.rank_of_tetrahedron[e]);
  }
}

void make_elastic_blocks(const Model& model, const Localization& localization, const Layout& layout,
                         Elements elements, SystemBuilder& builder) {
  Lagrangian& system = builder.system();
  std::vector<ElasticBlock> blocks(localization.terms.size());
  const auto for_each_own = [&](auto visit) {
    for (std::size_t e = 0; e < model.tetrahedra.size(); ++e)
      if (layout.rank_of_tetrahedron[e] == system.communicator->rank())
        visit(e, static_cast<std::size_t>(localization.term_of_tetrahedron[e]));
  };
  std::vector<std::size_t> counts(blocks.size(), 0);
  for_each_own([&](std::size_t, std::size_t term) { ++at(counts, term); });
  for (std::size_t t = 0; t < blocks.size(); ++t) {
    blocks[t].tetrahedra.reserve(counts[t]);
    blocks[t].global_tetrahedra.reserve(counts[t]);
  }
  for_each_own([&](std::size_t e, std::size_t term) {
    blocks[term].tetrahedra.push_back(builder.local_element(model.tetrahedra[e]));
    blocks[term].global_tetrahedra.push_back(static_cast<std::int32_t>(e));
  });
  for (std::size_t t = 0; t < blocks.size(); ++t) {
    ElasticBlock& block = blocks[t];
    if (block.tetrahedra.empty()) continue;
    const Term& term = localization.terms[t];
    block.body = term.body;
    block.subdomain = term.subdomain;
    block.material = material_of(model, term.body);
    if (elements == Elements::at_once) {
      auto elastic =
          make_elastic(system.reference, block.tetrahedra, block.material, block.global_tetrahedra);
      block.elastic = elastic.get();
      block.potential = builder.add(term.subdomain, std::move(elastic));
    }
    system.elastic_blocks.push_back(std::move(block));
  }
  find_stable_steps(model, system);
}

std::vector<double> valences(const Model& model) {
  std::vector<std::int32_t> valence(model.positions.size(), 0);
  for (const Tetrahedron& tetrahedron : model.tetrahedra)
    for (const std::int32_t node : tetrahedron) ++at(valence, node);
  std::vector<double> most;
  for (const Body& body : model.bodies) {
    const std::span of_body = std::span(valence).subspan(static_cast<std::size_t>(body.first_node),
                                                         static_cast<std::size_t>(body.node_count));
    most.push_back(of_body.empty() ? 0 : *std::max_element(of_body.begin(), of_body.end()));
  }
  return most;
}

}  // namespace terrace
