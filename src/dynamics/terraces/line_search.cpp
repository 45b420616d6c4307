#include "dynamics/terraces/line_search.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "dynamics/terraces/crossing_numbers.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"
#include "parallel/archive.hpp"
#include "parallel/error.hpp"
#include "parallel/profile.hpp"

namespace terrace {

namespace {

/// All grids of a line but that of the value, in the order of LineSums::seen (whose first number is the
/// value's).
std::array<Grid*, LineSums::ranges - 1> single_grids(LineGrids& grids) {
  auto& [value, slope, curvature, third, below, above, rise, fall] = grids;
  return {&slope, &curvature, &third, &below, &above, &rise, &fall};
}

/// The bounds of the grids, and the largest terms that they have to hold, both in the order of
/// LineSums::seen.
std::array<double, LineSums::ranges> bounds_of(const LineGrids& grids) {
  const auto& [value, slope, curvature, third, below, above, rise, fall] = grids;
  return {value.coarse.bound, slope.bound, curvature.bound, third.bound,
          below.bound,        above.bound, rise.bound,      fall.bound};
}
std::array<double, LineSums::ranges> largest_of(const LineSample& sum, const LineBound& bound) {
  return {sum.largest_value,   sum.largest_slope,   sum.largest_curvature, bound.largest_third,
          bound.largest_below, bound.largest_above, bound.largest_rise,    bound.largest_fall};
}

}  // namespace

// Returns the number of terms of a subdomain's sums, counting as many contact terms as its grids have room
// for.
double LineSearcher::terms(std::int32_t subdomain) const {
  const auto j = static_cast<std::size_t>(subdomain);
  return lagrangian_.subdomains[j].terms + (states_[j].line_sums.now.contact_terms - usual_contact_terms);
}

// Whether the grids follow the terms seen. They do not where touching bodies share a terrace: contact divided
// over ranks shows each rank other terms, and pairs that wait for a touch see no peaks.
bool LineSearcher::follows_peaks(std::int32_t number) const {
  const Subdomain& subdomain = at(lagrangian_.subdomains, number);
  return subdomain.contact && !(subdomain.elements > 0) && !lagrangian_.touching_bodies_share;
}

void LineSearcher::begin(std::int32_t number) {
  ++searches_;
  // Which searches of a waiting pair took samples depends on how far ahead somebody looked and, where each
  // rank searches by itself, on what that rank has seen. No later search may depend on that, so the grids
  // begin anew.
  if (waits(number)) at(states_, number).line_sums = {};
  if (!follows_peaks(number)) return;
  constexpr double much = 1024;
  auto& [grids, held_terms, seen] = at(states_, number).line_sums.now;
  if (much * seen[0] < grids.value.coarse.bound)
    grids.value = DoubleGrid::holding(4 * seen[0], terms(number));
  const auto others = single_grids(grids);
  for (std::size_t q = 1; q < ranges; ++q)
    if (much * seen[q] < others[q - 1]->bound) *others[q - 1] = Grid::holding(4 * seen[q], terms(number));
  seen = {};
}

void LineSearcher::sample(Active& search, std::span<double> numbers) {
  const OperationScope operation(Operation::sampling);
  const Subdomain& subdomain = at(lagrangian_.subdomains, search.subdomain);
  const LineGrids& grids = sums(search).grids;
  const double s = search.crossing.sample_at();
  LineSample sum;
  LineBound bound;
  double trial = infinity;
  for (const Potential* potential : subdomain.potentials) {
    // The certificate comes first: it may find out that there is nothing to sample.
    PotentialOnLine& line = lines_.of(*potential);
    const OperationScope contact(Operation::contact, potential->is_contact());
    if (search.crossing.wants_bound()) {
      const OperationScope certificate(Operation::certificate, !potential->is_contact());
      line.bound(s, search.crossing.certify_to(), grids, bound);
    }
    line.sample(s, grids, sum);
    if (!potential->certified()) trial = std::min(trial, line.longest_trial(s));
    element_evaluations_ += whole_elements(potential->work());
  }
  search.largest = largest_of(sum, bound);
  remember(search);
  numbers[value_coarse] = sum.value.coarse;
  numbers[value_fine] = sum.value.fine;
  numbers[slope] = sum.slope;
  numbers[curvature] = sum.curvature;
  numbers[infinite] = sum.infinite;
  numbers[third] = bound.third;
  numbers[below] = bound.below;
  numbers[above] = bound.above;
  numbers[rise] = bound.rise;
  numbers[fall] = bound.fall;
  numbers[bound_invalid] = bound.invalid;
  numbers[longest_trial] = std::isfinite(trial) ? trial : 0;
  numbers[overflow] = 0;
  const auto limits = bounds_of(grids);
  for (std::size_t q = 0; q < ranges; ++q) {
    if (!(search.largest[q] <= limits[q])) numbers[overflow] = 1;
    constexpr double much = 0x1p20;
    numbers[votes + q] = search.largest[q] == 0 ? 0 : much * search.largest[q] < limits[q] ? coarse : fine;
  }
  numbers[contact_terms] = sum.contact_terms + bound.contact_terms;
}

void LineSearcher::remember(Active& search) {
  if (!follows_peaks(search.subdomain)) return;
  std::array<double, ranges>& seen = sums(search).seen;
  bool larger = false;
  for (std::size_t q = 0; q < ranges; ++q) larger = larger || seen[q] < search.largest[q];
  if (!larger) return;
  at(states_, search.subdomain).line_sums.about_to_change(search.crossing.certain_until());
  for (std::size_t q = 0; q < ranges; ++q) seen[q] = std::max(seen[q], search.largest[q]);
}

// Whether a grid is far too coarse: some rank votes so, and none votes against it. An element that was close
// to inversion may have left a grid behind on which the terms of all others round to 0. V, the first, is
// summed on two grids and needs no such care.
static bool is_coarse(double votes, std::size_t range, double fine) {
  return range > 0 && votes > 0 && votes < fine;
}

// Whether the grids suit the sample. Follows from the totals over all ranks, so that all ranks that search
// the subdomain agree.
bool LineSearcher::fits(const Active& search, std::span<const double> numbers) {
  for (std::size_t q = 0; q < ranges; ++q)
    if (is_coarse(numbers[votes + q], q, fine)) return false;
  return !(numbers[overflow] > 0) && numbers[contact_terms] <= sums(search).contact_terms;
}

// Guards against a certificate that is too weak to advance: an error is better than an endless search.
void LineSearcher::require_progress(const Active& search) const {
  constexpr int most = 200000;
  if (search.crossing.samples() <= most) return;
  throw Error(Error::Kind::run,
              fmt::format("subdomain {}, {}", at(lagrangian_.subdomains, search.subdomain).name,
                          at_time(search.crossing.origin() + search.crossing.sample_at())),
              "the next edge of its terrace, or none, to be found",
              fmt::format("neither after {} samples: lower its energy step", most));
}

LineTotals LineSearcher::totals(std::span<const double> numbers) {
  LineTotals totals;
  totals.value = numbers[value_coarse] + numbers[value_fine];
  totals.slope = numbers[slope];
  totals.curvature = numbers[curvature];
  totals.infinite = numbers[infinite] > 0;
  totals.third = numbers[third];
  totals.below = numbers[below];
  totals.above = numbers[above];
  totals.rise = numbers[rise];
  totals.fall = numbers[fall];
  totals.bound_invalid = numbers[bound_invalid] > 0;
  totals.longest_trial = numbers[longest_trial];
  return totals;
}

void LineSearcher::refit(const Active& search, std::span<const double> largest,
                         std::span<const double> numbers) {
  const double terms_of_contact = numbers[contact_terms];
  const std::int32_t subdomain = search.subdomain;
  const auto j = static_cast<std::size_t>(subdomain);
  for (const double x : largest)
    if (!std::isfinite(4 * x))  // there is no grid for such terms
      throw Error(Error::Kind::run, "subdomain " + lagrangian_.subdomains[j].name,
                  "finite energies along its line", std::to_string(x));
  states_[j].line_sums.about_to_change(search.crossing.certain_until());
  auto& [grids, held_terms, seen] = states_[j].line_sums.now;
  if (terms_of_contact > held_terms) {
    held_terms = 4 * terms_of_contact;
    grids = {};
  }
  if (largest[0] > grids.value.coarse.bound)
    grids.value = DoubleGrid::holding(4 * largest[0], terms(subdomain));
  const auto others = single_grids(grids);
  for (std::size_t q = 1; q < ranges; ++q)
    if (largest[q] > others[q - 1]->bound || is_coarse(numbers[votes + q], q, fine))
      *others[q - 1] = Grid::holding(4 * largest[q], terms(subdomain));
}

CrossingFound LineSearcher::result_of(const Active& search) {
  const FirstCrossing& crossing = search.crossing;
  CrossingFound found;
  if (search.apart > 0) {
    found.certain_until = search.apart_until;
    found.apart = search.apart;
    return found;
  }
  found.known = crossing.done();
  found.certain_until = crossing.certain_until();
  found.surface = crossing.surface();
  found.instant = crossing.instant();
  found.instant_before = crossing.instant_before();
  found.gradient_instant = crossing.gradient_instant();
  found.level_beyond = crossing.level_beyond();
  found.first_value = crossing.first_value();
  return found;
}

// Only one rank contributes to each number, the others add zero: the sums are not rounded.
void LineSearcher::publish(std::span<const Active> searches) {
  Communicator& communicator = *lagrangian_.communicator;
  std::vector<std::size_t> alone;
  for (std::size_t k = 0; k < searches.size(); ++k)
    if (communicator.size() > 1 && is_to_be_told(searches[k].subdomain)) alone.push_back(k);
  std::vector<double> numbers(result_width * alone.size(), 0.0);
  for (std::size_t k = 0; k < alone.size(); ++k) {
    const Active& search = searches[alone[k]];
    if (only_rank(search.subdomain) != communicator.rank()) continue;
    const auto all = packed(result_of(search));
    std::copy(all.begin(), all.end(), numbers.begin() + static_cast<std::ptrdiff_t>(result_width * k));
  }
  if (!alone.empty()) communicator.sum(numbers);
  for (const Active& search : searches) at(states_, search.subdomain).next = result_of(search);
  for (std::size_t k = 0; k < alone.size(); ++k)
    at(states_, searches[alone[k]].subdomain).next = unpacked(numbers.data() + result_width * k);
}

void LineSearcher::list(std::span<const PendingSearch> pending) {
  found_.clear();
  failures_.clear();
  for (const PendingSearch& next : pending)
    found_.push_back({next.subdomain, at(states_, next.subdomain).search, next.until});
}

void LineSearcher::find(std::span<const PendingSearch> pending,
                        const std::function<void(std::int32_t)>& done) {
  list(pending);
  if (done) {
    for (Active& one : found_) {
      search({&one, 1});
      done(one.subdomain);
    }
  } else {
    search(found_);
  }
  require_success(found_);
}

std::vector<double> LineSearcher::ask(std::span<const PendingSearch> pending) {
  list(pending);
  before_.clear();
  std::vector<double> numbers;
  for (Active& search : found_) {
    before_.push_back({search.crossing, at(states_, search.subdomain).line_sums});
    const int only = only_rank(search.subdomain);
    const std::size_t place = numbers.size();
    const bool everywhere = at(lagrangian_.subdomains, search.subdomain).everywhere;
    if (everywhere || only < 0 || only == lagrangian_.communicator->rank()) look_for_room(search);
    if (everywhere) {
      search_alone({&search, 1});
      continue;
    }
    numbers.resize(place + (only < 0 ? std::size_t{width} : result_width), 0.0);
    if (only < 0) {
      if (!search.paused()) sample(search, std::span(numbers).subspan(place));
    } else if (only == lagrangian_.communicator->rank()) {
      search_alone({&search, 1});
      const auto all = packed(result_of(search));
      std::copy(all.begin(), all.end(), numbers.begin() + static_cast<std::ptrdiff_t>(place));
    }
  }
  return numbers;
}

std::vector<std::uint8_t> LineSearcher::understand(std::span<const double> sums) {
  std::vector<std::uint8_t> finished;
  for (Active& search : found_) {
    CrossingFound& next = at(states_, search.subdomain).next;
    const bool everywhere = at(lagrangian_.subdomains, search.subdomain).everywhere;
    if (everywhere || only_rank(search.subdomain) >= 0) {
      next = everywhere ? result_of(search) : unpacked(sums.data());
      if (!everywhere) sums = sums.subspan(result_width);
      finished.push_back(next.known || search.origin() + next.certain_until > search.until ? 1 : 0);
      continue;
    }
    const auto numbers = sums.first(width);
    sums = sums.subspan(width);
    if (!search.paused() && fits(search, numbers)) search.crossing.supply(totals(numbers));
    finished.push_back(search.paused() ? 1 : 0);
    if (search.paused()) next = result_of(search);
  }
  return finished;
}

void LineSearcher::withdraw() {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    found_[k].crossing = before_[k].search;
    at(states_, found_[k].subdomain).line_sums = before_[k].line_sums;
  }
}

void LineSearcher::share() {
  Communicator& communicator = *lagrangian_.communicator;
  if (communicator.size() == 1) return;
  ByteWriter writer;
  for (std::size_t j = 0; j < states_.size(); ++j)
    if (lagrangian_.subdomains[j].only_rank == communicator.rank()) writer(states_[j]);
  const std::vector<std::byte> all = communicator.bytes_of_all(writer.take());
  ByteReader reader(all);
  for (int rank = 0; rank < communicator.size(); ++rank)
    for (std::size_t j = 0; j < states_.size(); ++j)
      if (lagrangian_.subdomains[j].only_rank == rank) reader(states_[j]);
}

double LineSearcher::value(std::int32_t subdomain) {
  // A search over an empty interval takes one sample; that of a waiting pair with room takes none, as V = 0.
  const auto huge = Terrace{std::numeric_limits<double>::max() / 4, 0};
  FirstCrossing once(huge, true, 0, 0, 0, 0);
  SubdomainState& state = at(states_, subdomain);
  const CrossingFound before = state.next;
  Active only{subdomain, once, 0};
  failures_.clear();
  search({&only, 1});
  try {
    require_success({&only, 1});
  } catch (const Error&) {
    state.next = before;
    throw;
  }
  return std::exchange(state.next, before).first_value;
}

}  // namespace terrace
