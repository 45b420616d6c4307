#include "dynamics/system/particle_localization.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <span>

#include "numerics/at.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Every terrace has its lists, whether its particles ever meet or not.
constexpr std::size_t most_terraces = 20000;

using Parts = std::vector<std::int32_t>;  // of each particle

/// Divides the particles into `count` parts of nearly equal numbers, which get the numbers from `first` on:
/// cuts across the longest extent again and again.
void bisect(const Model& model, std::span<std::int32_t> particles, std::int32_t first, std::int32_t count,
            Parts& parts) {
  if (count == 1) {
    for (const std::int32_t particle : particles) at(parts, particle) = first;
    return;
  }
  std::size_t axis = 0;
  double longest = -1;
  for (std::size_t d = 0; d < 3; ++d) {
    const auto along = [&](std::int32_t particle) { return at(model.positions, particle)[d]; };
    const auto [low, high] = std::minmax_element(particles.begin(), particles.end(),
                                                 [&](auto a, auto b) { return along(a) < along(b); });
    if (along(*high) - along(*low) > longest) {
      longest = along(*high) - along(*low);
      axis = d;
    }
  }
  std::sort(particles.begin(), particles.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(at(model.positions, a)[axis], a) < std::pair(at(model.positions, b)[axis], b);
  });
  const std::int32_t half = count / 2;
  const std::size_t cut = particles.size() * static_cast<std::size_t>(half) / static_cast<std::size_t>(count);
  bisect(model, particles.first(cut), first, half, parts);
  bisect(model, particles.subspan(cut), first + half, count - half, parts);
}

Parts parts_of(const Model& model, const LocalizationEntry& choice) {
  Parts parts(model.positions.size(), 0);
  std::vector<std::int32_t> all(parts.size());
  std::iota(all.begin(), all.end(), 0);
  switch (choice.kind) {
    case LocalizationKind::global:
      break;
    case LocalizationKind::bodies:
      for (std::size_t b = 0; b < model.bodies.size(); ++b)
        for (std::int32_t i = 0; i < model.bodies[b].node_count; ++i)
          at(parts, model.bodies[b].first_node + i) = static_cast<std::int32_t>(b);
      break;
    case LocalizationKind::clusters:
      if (static_cast<std::size_t>(choice.parts) > all.size())
        throw Error(Error::Kind::input, "localization.parts",
                    fmt::format("at most as many clusters as there are particles, {}", all.size()),
                    fmt::format("{}", choice.parts));
      bisect(model, all, 0, choice.parts, parts);
      break;
    case LocalizationKind::pairs:
      parts = all;
      break;
    case LocalizationKind::metis:
      throw Error(Error::Kind::input, "localization.kind",
                  "one of \"global\", \"bodies\", \"clusters\", \"pairs\" for particles", "\"metis\"");
  }
  return parts;
}

class Localizer {
 public:
  Localizer(const Model& model, const LocalizationEntry& choice)
      : model_(model), choice_(choice), part_(parts_of(model, choice)) {
    const auto most = std::max_element(part_.begin(), part_.end());
    members_.resize(most == part_.end() ? 0 : static_cast<std::size_t>(*most) + 1);
    for (std::size_t a = 0; a < part_.size(); ++a)
      at(members_, part_[a]).push_back(static_cast<std::int32_t>(a));
  }

  ParticleLocalization result() {
    const std::vector<Interaction>& interactions = model_.particles.interactions;
    for (std::size_t i = 0; i < interactions.size(); ++i) {
      which_ = static_cast<std::int32_t>(i);
      if (!interactions[i].smooth()) continue;
      if (!interactions[i].of_pairs())
        add_to_parts(ParticleTerm::Kind::field, interactions[i].groups[0]);
      else if (!interactions[i].pairs.empty())
        add_listed(interactions[i]);
      else
        add_pairs(interactions[i]);
    }
    for (std::size_t w = 0; w < model_.walls.size(); ++w) {
      which_ = static_cast<std::int32_t>(w);
      for (std::size_t b = 0; b < model_.bodies.size(); ++b)  // each body has its own side of a wall
        add_to_parts(ParticleTerm::Kind::wall, static_cast<std::int32_t>(b));
    }
    if (model_.gravity != Vector3{}) add_to_parts(ParticleTerm::Kind::gravity, -1);
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool is_in(std::int32_t particle, std::int32_t body) const {
    if (body < 0) return true;
    const Body& of = at(model_.bodies, body);
    return particle >= of.first_node && particle < of.first_node + of.node_count;
  }
  [[nodiscard]] std::vector<std::int32_t> members(std::int32_t part, std::int32_t body) const {
    std::vector<std::int32_t> found;
    for (const std::int32_t particle : at(members_, part))
      if (is_in(particle, body)) found.push_back(particle);
    return found;
  }

  [[nodiscard]] std::string name_of(std::int32_t part) const {
    if (choice_.kind == LocalizationKind::bodies) return at(model_.bodies, part).name;
    if (choice_.kind == LocalizationKind::clusters) return fmt::format("cluster-{}", part + 1);
    if (choice_.kind == LocalizationKind::pairs) return particle_name(model_, part);
    return "particles";
  }
  std::int32_t subdomain_of(std::int32_t a, std::int32_t b) {
    const std::array<std::int32_t, 2> key = {std::min(a, b), std::max(a, b)};
    const auto [entry, is_new] = numbers_.try_emplace(key, static_cast<std::int32_t>(numbers_.size()));
    if (is_new) {
      if (numbers_.size() > most_terraces)
        throw Error(
            Error::Kind::input, "localization.kind",
            fmt::format("at most {} terraces of particles: \"clusters\" with fewer localization.parts",
                        most_terraces),
            "more");
      result_.subdomains.push_back(a == b ? name_of(a) : name_of(key[0]) + "/" + name_of(key[1]));
    }
    return entry->second;
  }

  void add(ParticleTerm::Kind kind, std::int32_t subdomain, PairSet pairs, std::vector<std::int32_t> nodes) {
    result_.terms.push_back({kind, which_, subdomain, std::move(pairs), std::move(nodes)});
  }
  void add_set(std::int32_t a, std::int32_t b, PairSet set) {
    if (set.count() == 0) return;
    std::vector<std::int32_t> nodes = set.particles();
    add(ParticleTerm::Kind::pairs, subdomain_of(a, b), std::move(set), std::move(nodes));
  }

  void add_to_parts(ParticleTerm::Kind kind, std::int32_t body) {
    for (std::int32_t part = 0; part < static_cast<std::int32_t>(members_.size()); ++part)
      if (std::vector<std::int32_t> nodes = members(part, body); !nodes.empty())
        add(kind, subdomain_of(part, part), {}, std::move(nodes));
  }

  void add_listed(const Interaction& interaction) {
    std::map<std::array<std::int32_t, 2>, PairSet> sets;
    for (const auto& [i, j] : interaction.pairs)
      sets[{std::min(at(part_, i), at(part_, j)), std::max(at(part_, i), at(part_, j))}].listed.push_back(
          {std::min(i, j), std::max(i, j)});
    for (auto& [key, set] : sets) add_set(key[0], key[1], std::move(set));
  }

  // Adds the pairs of one particle in each of the interaction's two bodies, which may be the same, or −1:
  // any.
  void add_pairs(const Interaction& interaction) {
    const auto [first, second] = interaction.groups;
    const auto count = static_cast<std::int32_t>(members_.size());
    for (std::int32_t a = 0; a < count; ++a)
      for (std::int32_t b = a; b < count; ++b) {
        if (first == second && a == b) {
          if (std::vector<std::int32_t> all = members(a, first); all.size() > 1)
            add_set(a, a, {std::move(all), {}, {}});
          continue;
        }
        add_between(a, b, members(a, first), members(b, second));
        // Where parts differ, the second body's particles in the first part make further pairs.
        if (first != second && a != b) add_between(a, b, members(b, first), members(a, second));
      }
  }
  void add_between(std::int32_t a, std::int32_t b, std::vector<std::int32_t> first,
                   std::vector<std::int32_t> second) {
    if (!first.empty() && !second.empty()) add_set(a, b, {std::move(first), std::move(second), {}});
  }

  const Model& model_;
  const LocalizationEntry& choice_;
  Parts part_;
  std::vector<std::vector<std::int32_t>> members_;  // of each part
  std::map<std::array<std::int32_t, 2>, std::int32_t> numbers_;
  std::int32_t which_ = 0;
  ParticleLocalization result_;
};

}  // namespace

std::string particle_name(const Model& model, std::int32_t particle) {
  for (const Body& body : model.bodies)
    if (particle >= body.first_node && particle < body.first_node + body.node_count)
      return body.node_count == 1 ? body.name
                                  : fmt::format("{}.{}", body.name, particle - body.first_node + 1);
  return fmt::format("{}", particle + 1);
}

ParticleLocalization localize_particles(const Model& model, const LocalizationEntry& choice) {
  return Localizer(model, choice).result();
}

}  // namespace terrace
