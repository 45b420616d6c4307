#include "dynamics/windows/shown_contact.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "geometry/box_index.hpp"
#include "numerics/at.hpp"
#include "numerics/contract.hpp"

namespace terrace {

ShownContact::ShownContact(const Lagrangian& share, const Lagrangian& whole) : share_(share), whole_(whole) {
  TERRACE_VERIFY(whole_.contact_pairs != nullptr && whole_.contact_pairs->has_energy());
}

std::vector<BodyPair> ShownContact::near_pairs(std::vector<Box> surfaces) const {
  const ContactPairs& contact = *whole_.contact_pairs;
  double largest_diagonal = 0;
  for (const Box& box : surfaces) largest_diagonal = std::max(largest_diagonal, box.diagonal());
  BoxIndex boxes;
  boxes.build(std::move(surfaces));
  const double rounding = 1e-9 * (contact.largest_activation() + 2 * largest_diagonal);
  std::vector<BodyPair> pairs;
  for (std::int32_t first = 0; first < contact.bodies(); ++first) {
    if (at(share_.rank_of_body, first) != share_.communicator->rank()) continue;
    for (const std::int32_t second : boxes.near(boxes[first], contact.largest_activation() + rounding))
      if (second >= first && contact.may_touch({first, second}) &&
          boxes[first].overlaps(boxes[second], contact.activation({first, second}) + rounding))
        pairs.push_back({first, second});
  }
  return pairs;
}

// Pairs that were shown before keep their potential.
void ShownContact::show(const std::vector<BodyPair>& pairs) {
  std::map<BodyPair, std::unique_ptr<Potential>> former;
  for (std::size_t i = 0; i < shown_.size(); ++i) former[shown_[i]] = std::move(potentials_[i]);
  shown_.clear();
  potentials_.clear();
  for (const BodyPair& pair : pairs) {
    const auto known = former.find(pair);
    potentials_.push_back(known == former.end() ? whole_.contact_pairs->make(pair, whole_.reference)
                                                : std::move(known->second));
    shown_.push_back(pair);
  }
}

}  // namespace terrace
