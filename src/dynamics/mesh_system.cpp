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

/// Which of this rank's elements load a node that other ranks hold.
class SharedElements {
 public:
  explicit SharedElements(const Lagrangian& system) : shared_(system.masses.size(), 0) {
    for (const Subdomain& subdomain : system.subdomains) {
      is_divided_.push_back(subdomain.only_rank < 0);
      for (const std::int32_t node : subdomain.shared_nodes.outgoing()) at(shared_, node) = 1;
    }
  }
  /// Of a subdomain on one rank alone none are: it has no messages to wait for.
  [[nodiscard]] bool are_inner(const Tetrahedron& nodes, std::int32_t subdomain) const {
    return at(is_divided_, subdomain) && std::none_of(nodes.begin(), nodes.end(), [&](std::int32_t node) {
             return at(shared_, node) != 0;
           });
  }

 private:
  std::vector<std::uint8_t> shared_;  // by local node
  std::vector<bool> is_divided_;
};

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
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
                         SystemBuilder& builder) {
  Lagrangian& system = builder.system();
  std::vector<ElasticBlock> blocks(localization.terms.size()), inner_blocks(blocks.size());
  const SharedElements shared(system);
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
    if (layout.rank_of_tetrahedron[e] != system.communicator->rank()) continue;
    const std::int32_t term = localization.term_of_tetrahedron[e];
    const Tetrahedron tetrahedron = builder.local_element(model.tetrahedra[e]);
    const bool is_inner = shared.are_inner(tetrahedron, at(localization.terms, term).subdomain);
    ElasticBlock& block = at(is_inner ? inner_blocks : blocks, term);
    block.tetrahedra.push_back(tetrahedron);
    block.global_tetrahedra.push_back(static_cast<std::int32_t>(e));
  }
  for (std::size_t t = 0; t < blocks.size(); ++t) {
    ElasticBlock& block = blocks[t];
    const ElasticBlock& inner = inner_blocks[t];
    append(block.tetrahedra, inner.tetrahedra);
    append(block.global_tetrahedra, inner.global_tetrahedra);
    if (block.tetrahedra.empty()) continue;
    const Term& term = localization.terms[t];
    const Material& material = material_of(model, term.body);
    block.body = term.body;
    block.subdomain = term.subdomain;
    block.density = material.density;
    auto elastic = make_elastic(system.reference, block.tetrahedra, material, block.global_tetrahedra,
                                inner.tetrahedra.size());
    block.elastic = elastic.get();
    block.potential = builder.add(term.subdomain, std::move(elastic));
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
