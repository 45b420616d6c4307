#include "potentials/terms_at_nodes.hpp"

#include <algorithm>

#include "numerics/sort_each_once.hpp"
#include "potentials/potential.hpp"

namespace terrace {
namespace {

class AllTerms : public TermsAtNodes {
 public:
  explicit AllTerms(const Potential& potential) : potential_(potential) {}
  [[nodiscard]] std::span<const std::int32_t> nodes_around(std::int32_t node) const override {
    const std::span<const std::int32_t> nodes = potential_.nodes();
    return std::binary_search(nodes.begin(), nodes.end(), node) ? nodes : std::span<const std::int32_t>{};
  }
  void append_energies(std::int32_t node, const Displacements& displacements,
                       std::vector<double>& energies) const override {
    if (nodes_around(node).empty()) return;
    const std::vector<double> all = potential_.energies(displacements);
    energies.insert(energies.end(), all.begin(), all.end());
  }

 private:
  const Potential& potential_;
};

}  // namespace

ListsOfNodes::ListsOfNodes(std::vector<std::pair<std::int32_t, std::int32_t>> entries, std::size_t nodes)
    : first_(nodes + 1, 0) {
  sort_each_once(entries);
  for (const auto& [node, number] : entries) {
    ++first_[static_cast<std::size_t>(node) + 1];
    numbers_.push_back(number);
  }
  for (std::size_t a = 0; a < nodes; ++a) first_[a + 1] += first_[a];
}

std::unique_ptr<TermsAtNodes> all_terms_at_every_node(const Potential& potential) {
  return std::make_unique<AllTerms>(potential);
}

}  // namespace terrace
