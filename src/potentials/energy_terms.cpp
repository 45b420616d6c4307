#include "potentials/energy_terms.hpp"

#include "potentials/potential.hpp"

namespace terrace {
namespace {

class NothingKept : public EnergyTerms {
 public:
  explicit NothingKept(const Potential& potential) : potential_(potential) {}
  [[nodiscard]] std::vector<double> at(const Displacements& displacements) override {
    return potential_.energies(displacements);
  }

 private:
  const Potential& potential_;
};

}  // namespace

std::unique_ptr<EnergyTerms> energy_terms_of_nothing_kept(const Potential& potential) {
  return std::make_unique<NothingKept>(potential);
}

}  // namespace terrace
