#include "dynamics/system/living_subdomains.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "numerics/contract.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {
namespace {

// Swaps with empty lists, as assigning an empty list would keep the memory.
void let_go(Subdomain& subdomain) {
  subdomain.constraint = nullptr;
  std::vector<const Potential*>().swap(subdomain.potentials);
  std::vector<int>().swap(subdomain.reaction_of_potential);
  std::vector<std::array<std::int32_t, 2>>().swap(subdomain.loads_of_potential);
  subdomain.loaded_bodies = 1;
  std::vector<std::int32_t>().swap(subdomain.nodes);
  std::vector<std::int32_t>().swap(subdomain.owned_nodes);
  std::vector<std::uint8_t>().swap(subdomain.is_shared);
  SharedNodes none;
  std::swap(subdomain.shared_nodes, none);
}

}  // namespace

LivingSubdomains::LivingSubdomains(Lagrangian& system) : system_(system) {
  for (std::size_t b = 0; b < system.elastic_blocks.size(); ++b)
    if (system.elastic_blocks[b].potential < 0) of_passing_.emplace(system.elastic_blocks[b].subdomain, b);
}

template <class Owned>
void LivingSubdomains::take_in(Owned source, std::vector<Owned>& all, Places& places) {
  places[source.get()] = all.size();
  all.push_back(std::move(source));
}

// Moves the last element into the gap: thousands of pairs may end at a time.
template <class Owned, class Source>
void LivingSubdomains::end(const Source* source, std::vector<Owned>& all, Places& places) {
  const auto entry = places.find(source);
  TERRACE_VERIFY(entry != places.end() && at(all, entry->second).get() == source, all.size());
  const std::size_t place = entry->second;
  places.erase(entry);
  if (place + 1 < all.size()) {
    all[place] = std::move(all.back());
    places.at(all[place].get()) = place;
  }
  all.pop_back();
}

// Hands what the pair brings over to the system, and notes it in the pair's subdomain.
void LivingSubdomains::adopt(PairSubdomain& pair) {
  TERRACE_VERIFY(pair.potential == nullptr || pair.constraint == nullptr, pair.subdomain.name);
  if (pair.potential != nullptr) {
    pair.subdomain.potentials.push_back(pair.potential.get());
    pair.subdomain.reaction_of_potential.push_back(-1);
    take_in(std::move(pair.potential), system_.potentials, potentials_);
  }
  if (pair.constraint != nullptr) {
    pair.subdomain.constraint = pair.constraint.get();
    take_in(std::move(pair.constraint), system_.constraints, constraints_);
  }
}

void LivingSubdomains::add_pair(std::int32_t number, PairSubdomain pair) {
  TERRACE_VERIFY(number <= count(), number, count());
  adopt(pair);
  if (number == count())
    system_.subdomains.push_back(std::move(pair.subdomain));
  else
    at(system_.subdomains, number) = std::move(pair.subdomain);
}

std::int32_t LivingSubdomains::add_group(Subdomain group) {
  system_.subdomains.push_back(std::move(group));
  return count() - 1;
}

void LivingSubdomains::replace_group(std::int32_t number, Subdomain group) {
  at(system_.subdomains, number) = std::move(group);
}

void LivingSubdomains::set_asleep(std::int32_t pair, bool asleep) {
  at(system_.subdomains, pair).asleep = asleep;
}

// Potentials of pairs stand behind the system's permanent ones: no index of those, which others keep,
// changes.
void LivingSubdomains::end_potentials_of(const Subdomain& pair) {
  TERRACE_VERIFY(pair.order[0] >= 0, pair.order[0], pair.name);
  for (const Potential* potential : pair.potentials) end(potential, system_.potentials, potentials_);
  if (pair.constraint != nullptr) end(pair.constraint, system_.constraints, constraints_);
}

void LivingSubdomains::release(std::int32_t number) {
  Subdomain& pair = at(system_.subdomains, number);
  TERRACE_VERIFY(pair.asleep, number, pair.name);
  end_potentials_of(pair);
  let_go(pair);
  if (std::exchange(pair.everywhere, false)) pair.only_rank = 0;
}

void LivingSubdomains::drop_pair(std::int32_t number) {
  if (!is_released(number)) release(number);
  Subdomain none;
  none.order = {-1, -1};
  none.asleep = true;
  at(system_.subdomains, number) = std::move(none);
}

void LivingSubdomains::make_again(std::int32_t number, PairSubdomain made) {
  Subdomain& pair = at(system_.subdomains, number);
  TERRACE_VERIFY(is_released(number) && made.subdomain.order == pair.order, number, pair.name,
                 made.subdomain.name);
  adopt(made);
  pair = std::move(made.subdomain);
}

void LivingSubdomains::replace_pair(std::int32_t number, PairSubdomain made) {
  Subdomain& pair = at(system_.subdomains, number);
  TERRACE_VERIFY(!pair.asleep && made.subdomain.order == pair.order, number, pair.name, made.subdomain.name);
  end_potentials_of(pair);
  adopt(made);
  pair = std::move(made.subdomain);
}

template <class Visit>
void LivingSubdomains::for_each_passing_block(std::int32_t number, Visit visit) {
  const auto [first, last] = of_passing_.equal_range(number);
  for (auto entry = first; entry != last; ++entry) visit(system_.elastic_blocks[entry->second]);
}

// Puts elements before walls, the order that a subdomain with permanent elements has.
void LivingSubdomains::make_elements(std::int32_t number) {
  Subdomain& subdomain = at(system_.subdomains, number);
  for_each_passing_block(number, [&](ElasticBlock& block) {
    if (block.elastic != nullptr) return;
    auto elastic = make_elastic(
        system_.reference, block.passing.tetrahedra(), block.material,
        {block.passing.numbers(), at(system_.body_names, block.body), block.first_tetrahedron}, block.inner);
    block.elastic = elastic.get();
    subdomain.potentials.insert(subdomain.potentials.begin(), elastic.get());
    subdomain.reaction_of_potential.insert(subdomain.reaction_of_potential.begin(), -1);
    take_in<std::unique_ptr<Potential>>(std::move(elastic), system_.potentials, potentials_);
  });
}

void LivingSubdomains::end_elements(std::int32_t number) {
  Subdomain& subdomain = at(system_.subdomains, number);
  for_each_passing_block(number, [&](ElasticBlock& block) {
    if (block.elastic == nullptr) return;
    const auto place = std::find(subdomain.potentials.begin(), subdomain.potentials.end(), block.elastic);
    TERRACE_VERIFY(place != subdomain.potentials.end(), number, subdomain.name);
    subdomain.reaction_of_potential.erase(subdomain.reaction_of_potential.begin() +
                                          (place - subdomain.potentials.begin()));
    subdomain.potentials.erase(place);
    end(static_cast<const Potential*>(std::exchange(block.elastic, nullptr)), system_.potentials,
        potentials_);
  });
}

void LivingSubdomains::share_out(std::int32_t body, int rank, std::span<const std::int32_t> surface) {
  TERRACE_VERIFY(!is_shared_out(body) && !surface.empty(), body, surface.size());
  system_.bodies_are_shared_out = true;
  Subdomain& subdomain = at(system_.subdomains, body);
  subdomain.everywhere = false;
  Whole& whole = shared_out_[body];
  const std::vector<std::int32_t> of_surface(surface.begin(), surface.end());
  SharedNodes::OnAllRanks common;
  subdomain.only_rank = at(system_.rank_of_body, body) = rank;
  if (rank == system_.communicator->rank()) {
    common.send = of_surface;
  } else {
    common.receive[rank] = of_surface;
    whole.nodes = std::exchange(subdomain.nodes, of_surface);
    std::swap(whole.owned_nodes, subdomain.owned_nodes);
    std::swap(whole.potentials, subdomain.potentials);
    std::swap(whole.reaction_of_potential, subdomain.reaction_of_potential);
    for (const std::int32_t node : whole.nodes) at(system_.owned, node) = 0;
  }
  subdomain.shared_nodes = SharedNodes({}, std::move(common));
  subdomain.is_shared = subdomain.shared_nodes.are_shared(subdomain.nodes);
}

void LivingSubdomains::hold_everywhere(std::int32_t body, int rank) {
  TERRACE_VERIFY(!is_shared_out(body), body);
  system_.bodies_are_shared_out = true;
  Subdomain& subdomain = at(system_.subdomains, body);
  subdomain.everywhere = true;
  subdomain.only_rank = system_.communicator->rank();
  at(system_.rank_of_body, body) = rank;
}

void LivingSubdomains::take_back(std::int32_t body) {
  constexpr int one_rank = 0;
  Subdomain& subdomain = at(system_.subdomains, body);
  subdomain.only_rank = at(system_.rank_of_body, body) = one_rank;
  subdomain.everywhere = false;
  if (!is_shared_out(body)) return;
  Whole whole = std::move(shared_out_.at(body));
  shared_out_.erase(body);
  subdomain.shared_nodes = {};
  std::vector<std::uint8_t>().swap(subdomain.is_shared);
  if (whole.nodes.empty()) return;
  subdomain.nodes = std::move(whole.nodes);
  subdomain.owned_nodes = std::move(whole.owned_nodes);
  subdomain.potentials = std::move(whole.potentials);
  subdomain.reaction_of_potential = std::move(whole.reaction_of_potential);
  for (const std::int32_t node : subdomain.nodes) at(system_.owned, node) = 1;
}

void LivingSubdomains::retire_group(std::int32_t number) { let_go(at(system_.subdomains, number)); }

void LivingSubdomains::remove_last_pair() {
  end_potentials_of(system_.subdomains.back());
  system_.subdomains.pop_back();
}

}  // namespace terrace
