#include "potentials/contact/surface_contact.hpp"

#include <optional>
#include <utility>

#include "numerics/infinity.hpp"
#include "potentials/contact/penetration.hpp"
#include "potentials/contact/surface_contact_on_line.hpp"
#include "potentials/kernels/point_boxes.hpp"

namespace terrace {
namespace {

/// Keeps the lists of near pairs from one configuration to the next, as long as the surfaces are not far
/// apart.
class EnergiesOfNearContacts : public EnergyTerms {
 public:
  EnergiesOfNearContacts(const SurfaceContact& contact, NearContacts::Use use)
      : contact_(contact), use_(use) {}

  [[nodiscard]] std::vector<double> at(const Displacements& displacements) override {
    const SmoothContact& pair = contact_.contact();
    std::vector<Vector3> positions(pair.surfaces.size());
    pair.surfaces.positions_at(displacements, positions);
    if (contact_.apart(positions)) {
      lists_.reset();
      return {};
    }
    if (!lists_) lists_.emplace(pair, use_);
    return contact_.energies_of(*lists_, positions);
  }

 private:
  const SurfaceContact& contact_;
  NearContacts::Use use_;
  std::optional<NearContacts> lists_;
};

}  // namespace

SurfaceContact::SurfaceContact(std::span<const Vector3> reference_positions,
                               const std::vector<Triangle>& first, const std::vector<Triangle>& second,
                               const ContactProfile& profile, double stiffness, const std::string& where,
                               const PairShare& share)
    : SurfaceContact({reference_positions, first, second, where}, profile, stiffness, share) {}

SurfaceContact::SurfaceContact(ContactSurfaces surfaces, const ContactProfile& profile, double stiffness,
                               const PairShare& share)
    : contact_{std::move(surfaces), share, profile, stiffness} {}

bool SurfaceContact::apart(std::span<const Vector3> positions) const {
  const ContactSurfaces& surfaces = contact_.surfaces;
  if (surfaces.is_self()) return false;
  const Box first = box_about(positions.first(surfaces.first_nodes())),
            second = box_about(positions.subspan(surfaces.first_nodes()));
  return !first.overlaps(second, contact_.felt_from());
}

std::vector<double> SurfaceContact::energies(const Displacements& displacements) const {
  return EnergiesOfNearContacts(*this, NearContacts::Use::once).at(displacements);
}

std::vector<double> SurfaceContact::energies_of(NearContacts& lists,
                                                std::span<const Vector3> positions) const {
  std::vector<double> energies;
  const double listed = lists.listed_within(positions, {}, 0);
  for (const NearContacts::Gap& gap : lists.find_gaps(positions, listed, contact_.felt_from())) {
    const NearContacts::NearPair& near = lists.pair(gap);
    const PairSample sample =
        sample_pair(near.pair, contact_.profile, relative_positions(near.nodes, positions), PairNodes{});
    if (sample.touching) energies.push_back(infinity);
    if (!sample.touching && sample.value != 0) energies.push_back(sample.value);
  }
  return energies;
}

double SurfaceContact::add_gradient(const Displacements& displacements, const Grid& grid,
                                    std::span<Vector3> gradient) const {
  std::vector<Vector3> positions(contact_.surfaces.size());
  contact_.surfaces.positions_at(displacements, positions);
  if (apart(positions)) return 0;
  NearContacts lists(contact_, NearContacts::Use::once);
  return add_gradient_of(lists, positions, grid, gradient, [](const auto&, const auto&, const auto&) {});
}

// The gap's layer has a finite energy: bodies can pass through it, and then it pushes them through each
// other.
double SurfaceContact::unfelt_penetration(const Displacements& displacements, bool /*has_energy*/) const {
  if (contact_.profile.diverges()) return 0;
  std::vector<Vector3> positions(contact_.surfaces.size());
  contact_.surfaces.positions_at(displacements, positions);
  return penetration(contact_.surfaces, positions);
}

std::unique_ptr<EnergyTerms> SurfaceContact::energy_terms() const {
  return std::make_unique<EnergiesOfNearContacts>(*this, NearContacts::Use::kept);
}

std::unique_ptr<PotentialOnLine> SurfaceContact::on_line() const {
  return std::make_unique<SurfaceContactOnLine>(*this);
}

}  // namespace terrace
