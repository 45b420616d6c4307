#include "dynamics/system/mesh_system.hpp"

#include <algorithm>
#include <memory>

#include "mesh/boundary.hpp"
#include "numerics/at.hpp"
#include "potentials/elastic/elastic_potential.hpp"
#include "potentials/elastic/stable_step.hpp"

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
  for (const double rate : largest_rates) system.body_stable_steps.push_back(1 / rate);
}

/// Replaces the element lists of each block by lists that equal blocks share.
void let_pass(std::vector<ElasticBlock>& blocks) {
  PassingElementsMaker maker;
  for (ElasticBlock& block : blocks) {
    block.passing = maker.make(block.tetrahedra, block.global_tetrahedra);
    std::vector<Tetrahedron>().swap(block.tetrahedra);
    std::vector<std::int32_t>().swap(block.global_tetrahedra);
  }
}

/// Tells which of this rank's elements load a node that other ranks hold. Where elements come and go these
/// are the nodes of surfaces, which other ranks may follow when ranks work together.
class SharedElements {
 public:
  SharedElements(const Model& model, const SystemBuilder& builder, const Lagrangian& system,
                 Elements elements)
      : shared_(system.masses.size(), 0) {
    if (elements == Elements::on_demand) {
      is_divided_.assign(system.subdomains.size(), true);
      for (const Body& body : model.bodies)
        for (const std::int32_t node : surface_nodes(body.boundary))
          at(shared_, at(builder.local_numbers(), node)) = 1;
      return;
    }
    for (const Subdomain& subdomain : system.subdomains) {
      is_divided_.push_back(subdomain.only_rank < 0);
      for (const std::int32_t node : subdomain.shared_nodes.outgoing()) at(shared_, node) = 1;
    }
  }
  /// Puts these elements first in the block, keeps the order otherwise, and sets block.inner to the number of
  /// the others. Leaves alone the block of a subdomain that is on one rank, which waits for no messages.
  void put_first(ElasticBlock& block) const {
    if (!at(is_divided_, block.subdomain)) return;
    const ElasticBlock whole = block;
    block.tetrahedra.clear();
    block.global_tetrahedra.clear();
    for (const bool first : {true, false})
      for (std::size_t e = 0; e < whole.tetrahedra.size(); ++e) {
        if (is_shared(whole.tetrahedra[e]) != first) continue;
        block.tetrahedra.push_back(whole.tetrahedra[e]);
        block.global_tetrahedra.push_back(whole.global_tetrahedra[e]);
        block.inner += first ? 0 : 1;
      }
  }

 private:
  [[nodiscard]] bool is_shared(const Tetrahedron& nodes) const {
    return std::any_of(nodes.begin(), nodes.end(), [&](std::int32_t node) { return at(shared_, node) != 0; });
  }

  std::vector<std::uint8_t> shared_;  // by local node
  std::vector<bool> is_divided_;
};

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
                         Elements elements, std::span<const double> body_stable_steps,
                         SystemBuilder& builder) {
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
  const SharedElements shared(model, builder, system, elements);
  for (std::size_t t = 0; t < blocks.size(); ++t) {
    ElasticBlock& block = blocks[t];
    if (block.tetrahedra.empty()) continue;
    const Term& term = localization.terms[t];
    block.body = term.body;
    block.subdomain = term.subdomain;
    block.first_tetrahedron = at(model.bodies, term.body).first_tetrahedron;
    block.material = material_of(model, term.body);
    shared.put_first(block);
    if (elements == Elements::at_once) {
      auto elastic = make_elastic(
          system.reference, block.tetrahedra, block.material,
          {block.global_tetrahedra, at(system.body_names, block.body), block.first_tetrahedron}, block.inner);
      block.elastic = elastic.get();
      block.potential = builder.add(term.subdomain, std::move(elastic));
    }
    system.elastic_blocks.push_back(std::move(block));
  }
  if (body_stable_steps.empty())
    find_stable_steps(model, system);
  else
    system.body_stable_steps.assign(body_stable_steps.begin(), body_stable_steps.end());
  if (elements == Elements::on_demand) let_pass(system.elastic_blocks);
  system.stable_step = std::ranges::min(system.body_stable_steps);
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
