#include "dynamics/layout.hpp"

#include <algorithm>
#include <numeric>

#include "mesh/partition.hpp"
#include "numerics/at.hpp"

namespace terrace {

namespace {

std::vector<std::int32_t> whole_subdomains(const Model& model, const Localization& localization, int ranks) {
  std::vector<double> work(localization.subdomains.size(), 0.0);
  for (const std::int32_t term : localization.term_of_tetrahedron)
    at(work, at(localization.terms, term).subdomain) += 1;
  for (const Term& term : localization.terms) {
    if (term.kind == Term::Kind::elastic) continue;
    at(work, term.subdomain) += static_cast<double>(at(model.bodies, term.body).boundary.size());
  }
  std::vector<std::size_t> order(work.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return work[a] > work[b]; });
  std::vector<double> load(static_cast<std::size_t>(ranks), 0.0);
  std::vector<std::int32_t> rank_of(work.size());
  for (const std::size_t s : order) {
    const auto lightest = std::min_element(load.begin(), load.end());
    *lightest += work[s];
    rank_of[s] = static_cast<std::int32_t>(lightest - load.begin());
  }
  return rank_of;
}

// Each elastic term cut on its own, so that every rank has a share of whatever is active.
void slice_terms(const Model& model, const Localization& localization, int ranks, Layout& layout) {
  std::vector<std::vector<std::int32_t>> members(localization.terms.size());
  for (std::size_t e = 0; e < model.tetrahedra.size(); ++e)
    at(members, localization.term_of_tetrahedron[e]).push_back(static_cast<std::int32_t>(e));
  std::vector<std::int32_t> compact(model.positions.size(), -1), seen;
  for (const auto& tetrahedra : members) {
    std::vector<Tetrahedron> part;
    for (const std::int32_t e : tetrahedra) {
      Tetrahedron nodes = at(model.tetrahedra, e);
      for (std::int32_t& node : nodes) {
        std::int32_t& number = at(compact, node);
        if (number < 0) {
          number = static_cast<std::int32_t>(seen.size());
          seen.push_back(node);
        }
        node = number;
      }
      part.push_back(nodes);
    }
    const auto ranks_of = partition_tetrahedra(part, static_cast<std::int32_t>(seen.size()), ranks);
    for (std::size_t k = 0; k < tetrahedra.size(); ++k)
      at(layout.rank_of_tetrahedron, tetrahedra[k]) = ranks_of[k];
    for (const std::int32_t node : seen) at(compact, node) = -1;
    seen.clear();
  }
}

}  // namespace

Layout lay_out_on_one_rank(const Model& model, const Localization& localization) {
  return {"one rank", std::vector<std::int32_t>(model.tetrahedra.size(), 0),
          std::vector<std::int32_t>(localization.subdomains.size(), 0)};
}

Layout lay_out(const Model& model, const Localization& localization, LayoutKind kind, int ranks) {
  Layout layout;
  layout.rank_of_tetrahedron.resize(model.tetrahedra.size());
  if (kind == LayoutKind::own || kind == LayoutKind::windows) {
    layout.name = kind == LayoutKind::own ? "own" : "windows";
    layout.rank_of_subdomain = whole_subdomains(model, localization, ranks);
    for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
      const Term& term = at(localization.terms, localization.term_of_tetrahedron[e]);
      layout.rank_of_tetrahedron[e] = at(layout.rank_of_subdomain, term.subdomain);
    }
    return layout;
  }
  layout.name = "slice";
  for (std::size_t s = 0; s < localization.subdomains.size(); ++s)
    layout.rank_of_subdomain.push_back(static_cast<std::int32_t>(s % static_cast<std::size_t>(ranks)));
  slice_terms(model, localization, ranks, layout);
  return layout;
}

}  // namespace terrace
