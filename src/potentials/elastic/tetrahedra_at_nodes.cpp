// The elements around each node: TermsAtNodes of a block of tetrahedra.
#include "numerics/at.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"

namespace terrace {

template <class Law>
class TetrahedraAtNodes : public TermsAtNodes {
 public:
  explicit TetrahedraAtNodes(const TetrahedralBlock<Law>& block) : block_(block) {
    std::vector<std::pair<std::int32_t, std::int32_t>> elements, nodes;
    for (std::size_t e = 0; e < block.tetrahedra_.size(); ++e)
      for (const std::int32_t node : block.tetrahedra_[e]) {
        elements.emplace_back(node, static_cast<std::int32_t>(e));
        for (const std::int32_t other : block.tetrahedra_[e]) nodes.emplace_back(node, other);
      }
    const std::size_t count = block.nodes_.empty() ? 0 : static_cast<std::size_t>(block.nodes_.back()) + 1;
    elements_ = ListsOfNodes(std::move(elements), count);
    nodes_ = ListsOfNodes(std::move(nodes), count);
  }
  [[nodiscard]] std::span<const std::int32_t> nodes_around(std::int32_t node) const override {
    return nodes_.of(node);
  }
  void append_energies(std::int32_t node, const Displacements& displacements,
                       std::vector<double>& energies) const override {
    for (const std::int32_t number : elements_.of(node))
      energies.push_back(block_.element_energy(index(number), displacements));
  }

 private:
  const TetrahedralBlock<Law>& block_;
  ListsOfNodes elements_, nodes_;
};

template <class Law>
std::unique_ptr<TermsAtNodes> TetrahedralBlock<Law>::terms_at_nodes() const {
  return std::make_unique<TetrahedraAtNodes<Law>>(*this);
}

template std::unique_ptr<TermsAtNodes> NeoHookeanBlock::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> MooneyRivlinBlock::terms_at_nodes() const;
template std::unique_ptr<TermsAtNodes> StVenantKirchhoffBlock::terms_at_nodes() const;

}  // namespace terrace
