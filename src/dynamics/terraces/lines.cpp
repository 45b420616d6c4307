#include "dynamics/terraces/lines.hpp"

#include <algorithm>
#include <unordered_set>

namespace terrace {
namespace {

template <class Sources>
std::unordered_set<std::uint64_t> numbers_of(const Sources& sources) {
  std::unordered_set<std::uint64_t> numbers;
  for (const auto& source : sources) numbers.insert(source->serial_number().value());
  return numbers;
}

}  // namespace

void Lines::keep_those_of(const Lagrangian& system) {
  const auto keep = [&](auto& lines, const auto& sources) {
    const std::unordered_set<std::uint64_t> alive = numbers_of(sources);
    lines.keep([&](std::uint64_t number) { return alive.contains(number); },
               [&](const OnLine& line) { line.report(forgotten_); });
  };
  keep(potentials_, system.potentials);
  keep(constraints_, system.constraints);
}

void include(ContactExtremes& all, const ContactExtremes& more) {
  all.least_distance = std::min(all.least_distance, more.least_distance);
  all.deepest_penetration = std::max(all.deepest_penetration, more.deepest_penetration);
  all.unfelt_penetration = std::max(all.unfelt_penetration, more.unfelt_penetration);
  all.lists += more.lists;
  all.widest_contact = std::max(all.widest_contact, more.widest_contact);
  all.largest_shift = std::max(all.largest_shift, more.largest_shift);
}

void Lines::forget(const Subdomain& subdomain) {
  for (const Potential* potential : subdomain.potentials)
    if (const auto line = potentials_.take(potential->serial_number())) line->report(forgotten_);
  if (subdomain.constraint != nullptr) constraints_.take(subdomain.constraint->serial_number());
}

void Lines::report(ContactExtremes& extremes) const {
  include(extremes, forgotten_);
  potentials_.for_each([&](const PotentialOnLine& line) { line.report(extremes); });
}

}  // namespace terrace
