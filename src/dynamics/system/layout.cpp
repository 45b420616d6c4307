#include "dynamics/system/layout.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "mesh/partition.hpp"
#include "numerics/at.hpp"
#include "parallel/on_last_rank.hpp"

namespace terrace {

namespace {

// Elements, and triangles of surfaces with contact or walls, of each subdomain.
std::vector<double> work_of_subdomains(const Model& model, const Localization& localization) {
  std::vector<double> work(localization.subdomains.size(), 0.0);
  for (const std::int32_t term : localization.term_of_tetrahedron)
    at(work, at(localization.terms, term).subdomain) += 1;
  for (const Term& term : localization.terms) {
    if (term.kind == Term::Kind::elastic) continue;
    at(work, term.subdomain) += static_cast<double>(at(model.bodies, term.body).boundary.size());
  }
  return work;
}

// The rank of each subdomain: the heaviest first, each to the rank with least work so far.
std::vector<std::int32_t> whole_subdomains(const std::vector<double>& work, int ranks) {
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

/// The tetrahedra of every term in one list: those of term t, ascending, begin at first[t].
struct MembersOfTerms {
  std::vector<std::size_t> first;
  std::vector<std::int32_t> tetrahedra;
  explicit MembersOfTerms(const Localization& localization)
      : first(localization.terms.size() + 1, 0), tetrahedra(localization.term_of_tetrahedron.size()) {
    for (const std::int32_t term : localization.term_of_tetrahedron) ++at(first, term + 1);
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next = first;
    for (std::size_t e = 0; e < tetrahedra.size(); ++e)
      tetrahedra[at(next, localization.term_of_tetrahedron[e])++] = static_cast<std::int32_t>(e);
  }
  [[nodiscard]] std::span<const std::int32_t> of(std::size_t term) const {
    return std::span(tetrahedra).subspan(first[term], first[term + 1] - first[term]);
  }
};

// The rank of every tetrahedron where each elastic term is cut on its own, so that every rank has a share of
// whatever is active.
std::vector<std::int32_t> slice_terms(const Model& model, const Localization& localization, int ranks) {
  if (localization.terms.size() == 1)  // without the lists below: METIS's memory bounds the size of a body
    return partition_tetrahedra(model.tetrahedra, static_cast<std::int32_t>(model.positions.size()), ranks);
  const MembersOfTerms members(localization);
  std::vector<std::int32_t> rank_of(model.tetrahedra.size());
  std::vector<std::int32_t> compact(model.positions.size(), -1), seen;
  for (std::size_t term = 0; term < localization.terms.size(); ++term) {
    const std::span<const std::int32_t> tetrahedra = members.of(term);
    std::vector<Tetrahedron> part;
    part.reserve(tetrahedra.size());
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
    const auto ranks_of =
        partition_tetrahedra(std::move(part), static_cast<std::int32_t>(seen.size()), ranks);
    for (std::size_t k = 0; k < tetrahedra.size(); ++k) at(rank_of, tetrahedra[k]) = ranks_of[k];
    for (const std::int32_t node : seen) at(compact, node) = -1;
    seen.clear();
  }
  return rank_of;
}

}  // namespace

std::vector<std::int32_t> ranks_in_a_row(const std::vector<double>& work, int ranks) {
  const double all = std::accumulate(work.begin(), work.end(), 0.0);
  double before = 0;
  std::vector<std::int32_t> rank_of;
  for (const double of_one : work) {
    const double middle = all > 0 ? (before + 0.5 * of_one) / all : 0;
    rank_of.push_back(std::min(static_cast<std::int32_t>(middle * ranks), ranks - 1));
    before += of_one;
  }
  return rank_of;
}

Layout lay_out_on_one_rank(const Model& model, const Localization& localization) {
  return {"one rank", std::vector<std::int32_t>(model.tetrahedra.size(), 0),
          std::vector<std::int32_t>(localization.subdomains.size(), 0)};
}

Layout lay_out(const Model& model, const Localization& localization, LayoutKind kind, int ranks,
               MPI_Comm communicator) {
  Layout layout;
  if (kind == LayoutKind::own || kind == LayoutKind::windows) {
    layout.name = kind == LayoutKind::own ? "own" : "windows";
    const std::vector<double> work = work_of_subdomains(model, localization);
    layout.rank_of_subdomain =
        kind == LayoutKind::own ? whole_subdomains(work, ranks) : ranks_in_a_row(work, ranks);
    layout.rank_of_tetrahedron.resize(model.tetrahedra.size());
    for (std::size_t e = 0; e < model.tetrahedra.size(); ++e) {
      const Term& term = at(localization.terms, localization.term_of_tetrahedron[e]);
      layout.rank_of_tetrahedron[e] = at(layout.rank_of_subdomain, term.subdomain);
    }
    return layout;
  }
  layout.name = "slice";
  for (std::size_t s = 0; s < localization.subdomains.size(); ++s)
    layout.rank_of_subdomain.push_back(static_cast<std::int32_t>(s % static_cast<std::size_t>(ranks)));
  layout.rank_of_tetrahedron = ranks == 1 ? std::vector<std::int32_t>(model.tetrahedra.size(), 0)
                                          : on_last_rank(communicator, model.tetrahedra.size(), [&] {
                                              return slice_terms(model, localization, ranks);
                                            });
  return layout;
}

}  // namespace terrace
