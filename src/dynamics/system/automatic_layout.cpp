#include "dynamics/system/automatic_layout.hpp"

#include <algorithm>
#include <utility>

#include "geometry/box_index.hpp"
#include "mesh/overlap.hpp"
#include "numerics/at.hpp"
#include "numerics/disjoint_sets.hpp"

namespace terrace {
namespace {

/// Whether each body is one subdomain, perhaps with its walls, and there are no others.
bool is_of_whole_bodies(const Model& model, const Localization& localization) {
  if (!localization.touching_share || localization.subdomains.size() != model.bodies.size()) return false;
  return std::all_of(localization.terms.begin(), localization.terms.end(),
                     [](const Term& term) { return term.subdomain == term.body; });
}

/// Number of tetrahedra in the largest cluster of bodies that are next to each other.
double largest_cluster(const Model& model) {
  constexpr double next_to = 0.05;  // mean sizes of a body (diagonals of bounding boxes)
  std::vector<Box> of_bodies;
  double sizes = 0;
  for (const Body& body : model.bodies) {
    of_bodies.push_back(bounding_box(model, body));
    sizes += of_bodies.back().diagonal();
  }
  BoxIndex boxes;
  boxes.build(std::move(of_bodies));
  const auto count = static_cast<std::int32_t>(boxes.size());
  DisjointSets clusters(boxes.size());
  for (std::int32_t a = 0; a < count; ++a)
    for (const std::int32_t b : boxes.near(boxes[a], next_to * sizes / count)) clusters.unite(a, b);
  std::vector<double> elements(boxes.size(), 0.0);
  for (std::int32_t body = 0; body < count; ++body)
    at(elements, clusters.of(body)) += static_cast<double>(at(model.bodies, body).tetrahedron_count);
  return *std::max_element(elements.begin(), elements.end());
}

}  // namespace

bool windows_are_worth_while(const Model& model, const Localization& localization, int ranks) {
  constexpr int fewest = 32, fewest_for_a_rank = 8, plenty = 4;
  constexpr double most_elements = 5e5;  // every rank holds the surfaces, places and lists of all of them
  const auto bodies = static_cast<std::int64_t>(model.bodies.size());
  const auto elements = static_cast<double>(model.tetrahedra.size());
  if (bodies < std::max<std::int64_t>(fewest, std::int64_t{fewest_for_a_rank} * ranks)) return false;
  if (elements > most_elements || model.gravity != Vector3{} || !is_of_whole_bodies(model, localization))
    return false;
  return largest_cluster(model) * std::max(2 * ranks, plenty) <= elements;
}

}  // namespace terrace
