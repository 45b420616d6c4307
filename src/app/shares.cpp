// terrace check --shares: what ranks would hold.
#include "dynamics/system/shares.hpp"

#include <fmt/core.h>

#include <cstdio>

#include "app/preparation.hpp"
#include "app/simulation.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

static void print_row(int ranks, const Shares& shares) {
  fmt::print("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", ranks, shares.elements,
             static_cast<double>(shares.elements) / ranks, shares.largest_elements, shares.event_elements,
             shares.empty_ranks, shares.nodes, shares.boundary_nodes, shares.mean_boundary_nodes,
             shares.neighbours, shares.sent_nodes, shares.surface_nodes, shares.surface_copies);
  std::fflush(stdout);  // one by one: METIS takes minutes on large models
}

void print_shares(const Deck& deck, Communicator& communicator, std::span<const int> numbers_of_ranks) {
  together(communicator.handle(), [&] {
    if (deck.system != nullptr || !deck.particles.empty())
      throw Error(Error::Kind::input, "--shares", "a deck of meshes, whose tetrahedra ranks share",
                  deck.system != nullptr ? "a small system" : "particles");
  });
  const Model model = distribute_model(deck, communicator);
  together(communicator.handle(), [&] {
    if (communicator.rank() != 0) return;
    fmt::print(
        "ranks,elements,mean_elements,largest_elements,event_elements,empty_ranks,nodes,boundary_nodes,"
        "mean_boundary_nodes,neighbours,sent_nodes,surface_nodes,surface_copies\n");
    for (const int ranks : numbers_of_ranks) {
      const Division division = divide(deck, model, ranks);
      print_row(ranks, shares_of(model, division.localization, division.layout, ranks,
                                 deck.contact.model != ContactModel::none));
    }
  });
}

}  // namespace terrace
