#include "dynamics/system/shares.hpp"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "mesh/boundary.hpp"
#include "numerics/at.hpp"

namespace terrace {
namespace {

/// That `rank` has a share of `subdomain` which loads `node`, as in SystemBuilder.
struct Load {
  std::int32_t node, subdomain, rank;
  friend auto operator<=>(const Load&, const Load&) = default;
};

class Counter {
 public:
  Counter(const Model& model, const Localization& localization, const Layout& layout, int ranks,
          bool all_hold_surfaces)
      : model_(model),
        localization_(localization),
        layout_(layout),
        all_hold_surfaces_(all_hold_surfaces),
        on_all_ranks_(model.positions.size(), 0),
        nodes_(static_cast<std::size_t>(ranks), 0),
        boundary_(nodes_) {}

  Shares result() {
    count_elements();
    hold_surfaces();
    find_loads();
    auto first = loads_.begin();
    while (first != loads_.end()) {
      const auto last =
          std::find_if(first, loads_.end(), [&](const Load& load) { return load.node != first->node; });
      count_node(std::span(first, last));
      first = last;
    }
    summarize();
    return shares_;
  }

 private:
  using OfSubdomain = std::pair<std::int32_t, std::int32_t>;  // subdomain and rank

  [[nodiscard]] std::int32_t subdomain_of(std::size_t e) const {
    return at(localization_.terms, localization_.term_of_tetrahedron[e]).subdomain;
  }

  void count_elements() {
    std::vector<std::int64_t> of_rank(nodes_.size(), 0);
    std::map<OfSubdomain, std::int64_t> of_subdomain;
    for (std::size_t e = 0; e < layout_.rank_of_tetrahedron.size(); ++e) {
      const std::int32_t rank = layout_.rank_of_tetrahedron[e];
      ++at(of_rank, rank);
      ++of_subdomain[{subdomain_of(e), rank}];
    }
    shares_.elements = static_cast<std::int64_t>(layout_.rank_of_tetrahedron.size());
    shares_.largest_elements = *std::max_element(of_rank.begin(), of_rank.end());
    shares_.empty_ranks = static_cast<std::int32_t>(std::count(of_rank.begin(), of_rank.end(), 0));
    for (const auto& [place, count] : of_subdomain) {
      std::int64_t& most = elements_[place.first];
      most = std::max(most, count);
    }
    for (const auto& [subdomain, most] : elements_) shares_.event_elements += most;
  }

  void hold_surfaces() {
    if (!all_hold_surfaces_) return;
    for (const Body& body : model_.bodies)
      for (const std::int32_t node : surface_nodes(body.boundary)) at(on_all_ranks_, node) = 1;
    shares_.surface_nodes = std::count(on_all_ranks_.begin(), on_all_ranks_.end(), std::uint8_t{1});
  }

  void find_loads() {
    loads_.reserve(4 * model_.tetrahedra.size());
    for (std::size_t e = 0; e < model_.tetrahedra.size(); ++e)
      for (const std::int32_t node : model_.tetrahedra[e])
        loads_.push_back({node, subdomain_of(e), layout_.rank_of_tetrahedron[e]});
    for (const Term& term : localization_.terms) {
      if (term.kind == Term::Kind::elastic) continue;
      load_surface(term.body, term);
      if (term.kind == Term::Kind::contact) load_surface(term.second, term);
    }
    std::sort(loads_.begin(), loads_.end());
    loads_.erase(std::unique(loads_.begin(), loads_.end()), loads_.end());
  }

  void load_surface(std::int32_t body, const Term& term) {
    for (const std::int32_t node : surface_nodes(at(model_.bodies, body).boundary))
      loads_.push_back({node, term.subdomain, at(layout_.rank_of_subdomain, term.subdomain)});
  }

  void count_node(std::span<const Load> loads) {
    if (at(on_all_ranks_, loads.front().node) != 0) {
      for (const Load& load : loads) surface_copies_ += elements_.contains(load.subdomain) ? 1 : 0;
      return;
    }
    std::set<std::int32_t> holders;
    for (const Load& load : loads) holders.insert(load.rank);
    for (const std::int32_t rank : holders) {
      ++at(nodes_, rank);
      if (holders.size() > 1) ++at(boundary_, rank);
    }
    if (holders.size() == 1) return;
    for (const Load& load : loads)
      for (const std::int32_t holder : holders)
        if (holder != load.rank) ++sent_[{load.subdomain, load.rank}][holder];
  }

  void summarize() {
    shares_.nodes = shares_.surface_nodes + *std::max_element(nodes_.begin(), nodes_.end());
    shares_.boundary_nodes = *std::max_element(boundary_.begin(), boundary_.end());
    for (const std::int64_t count : boundary_)
      shares_.mean_boundary_nodes += static_cast<double>(count) / static_cast<double>(boundary_.size());
    std::map<std::int32_t, std::int64_t> most_sent;  // by subdomain
    for (const auto& [place, of_neighbours] : sent_) {
      shares_.neighbours = std::max(shares_.neighbours, static_cast<std::int32_t>(of_neighbours.size()));
      std::int64_t sent = 0;
      for (const auto& [neighbour, count] : of_neighbours) sent += count;
      std::int64_t& most = most_sent[place.first];
      if (elements_.contains(place.first)) most = std::max(most, sent);
    }
    const auto subdomains = static_cast<double>(elements_.size());
    if (elements_.empty()) return;
    for (const auto& [subdomain, most] : most_sent)
      shares_.sent_nodes += static_cast<double>(most) / subdomains;
    shares_.surface_copies = static_cast<double>(surface_copies_) / subdomains;
  }

  const Model& model_;
  const Localization& localization_;
  const Layout& layout_;
  bool all_hold_surfaces_;
  Shares shares_;
  std::map<std::int32_t, std::int64_t> elements_;  // by subdomain: its largest share
  std::vector<std::uint8_t> on_all_ranks_;
  std::vector<std::int64_t> nodes_, boundary_;  // by rank
  std::vector<Load> loads_;
  std::int64_t surface_copies_ = 0;
  std::map<OfSubdomain, std::map<std::int32_t, std::int64_t>> sent_;  // number of nodes to each neighbour
};

}  // namespace

Shares shares_of(const Model& model, const Localization& localization, const Layout& layout, int ranks,
                 bool bodies_may_touch) {
  const bool all_hold_surfaces = localization.pairs_apart && bodies_may_touch && layout.name != "windows";
  return Counter(model, localization, layout, ranks, all_hold_surfaces).result();
}

}  // namespace terrace
