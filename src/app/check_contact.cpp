#include "app/check_contact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/measuring/coarse_contact.hpp"
#include "dynamics/system/contact_pairs.hpp"
#include "dynamics/system/walls.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

void print_parameters(const std::string& subject, std::size_t others, const std::array<double, 3>& chosen) {
  fmt::print("  {:<24} activation distance {:.4g}, stiffness {:.4g}", subject, chosen[0], chosen[1]);
  if (chosen[2] > 0) fmt::print(" (for a pressure of {:.3g})", chosen[2]);
  if (others > 0) fmt::print(", and {} more the same", others);
  fmt::print("\n");
}

/// Collects the patches of contacts by Hertz's law. Each radius, as printed, is there once.
class PatchesOfHertz {
 public:
  void note(const HertzLaw& law, const std::string& first, const std::string& second) {
    const std::string radius = fmt::format("{:.4g}", law.patch_radius());
    const auto entry = laws_.try_emplace(radius, law.largest_force(), "").first;
    if (entry->second.second.empty() || law.largest_force() < entry->second.first)
      entry->second = {law.largest_force(), first + "/" + second};
  }
  [[nodiscard]] bool any() const { return !laws_.empty(); }
  void print() const {
    for (const auto& [radius, force] : laws_)
      fmt::print("contact by Hertz's law: patches of radius {}, for forces up to {:.4g} ({})\n", radius,
                 force.first, force.second);
  }

 private:
  std::map<std::string, std::pair<double, std::string>> laws_;  // least of the largest forces, its pair
};

/// Notes the pairs of balls that are neighbours at the start; where there are none, all that may come to
/// touch.
void note_pairs_of_balls(const Model& model, const ContactPairs& pairs, PatchesOfHertz& patches) {
  const HertzPairs& hertz = *pairs.hertz();
  for (const bool all : {false, true}) {
    if (patches.any()) return;
    for (std::int32_t a = 0; a < pairs.bodies(); ++a)
      for (std::int32_t b = a + 1; b < pairs.bodies(); ++b)
        if (all ? pairs.may_touch({a, b}) : hertz.are_neighbours({a, b}))
          patches.note(hertz.law({a, b}), at(model.bodies, a).name, at(model.bodies, b).name);
  }
}

void print_hertz_contact(const Deck& deck, const Model& model, const Lagrangian& system,
                         std::span<const ContactBody> of_bodies) {
  PatchesOfHertz of_pairs, of_walls;
  if (system.contact_pairs != nullptr && system.contact_pairs->hertz() != nullptr)
    note_pairs_of_balls(model, *system.contact_pairs, of_pairs);
  for (std::size_t w = 0; w < model.walls.size(); ++w) {
    if (model.walls[w].model != WallModel::hertz) continue;
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const Term term{Term::Kind::wall, static_cast<std::int32_t>(b), static_cast<std::int32_t>(w), 0};
      const WallMeeting meeting = meet(model, of_bodies, term, deck.contact);
      if (meeting.ball) of_walls.note(meeting.ball->law, model.bodies[b].name, model.walls[w].name);
    }
  }
  of_pairs.print();
  of_walls.print();
}

/// Prints the parameters of smooth contact and of barrier walls, each distinct set once.
void print_layers(const Deck& deck, const Model& model, const Lagrangian& system,
                  std::span<const ContactBody> of_bodies) {
  std::map<std::array<double, 3>, std::pair<std::string, std::size_t>> groups;
  const auto note = [&](const std::string& subject, const ContactParameters& p, bool is_chosen) {
    const auto [entry, is_new] =
        groups.try_emplace({p.activation, p.stiffness, is_chosen ? p.pressure : 0}, subject, 0);
    if (!is_new) ++entry->second.second;
  };
  if (system.contact_pairs != nullptr && deck.contact.has_layer()) {
    const ContactPairs& pairs = *system.contact_pairs;
    for (std::int32_t a = 0; a < pairs.bodies(); ++a)
      for (std::int32_t b = a; b < pairs.bodies(); ++b)
        if (pairs.may_touch({a, b}))
          note(at(model.bodies, a).name + "/" + at(model.bodies, b).name, pairs.parameters({a, b}),
               !(deck.contact.stiffness > 0));
  }
  for (const Wall& wall : model.walls)
    if (wall.model == WallModel::barrier)
      for (std::size_t b = 0; b < of_bodies.size(); ++b) {
        const Body& body = model.bodies[b];
        const Wall faced = facing(wall, model, body);
        ContactParameters chosen = wall_parameters(of_bodies[b], speed_at_wall(model, body, faced), wall);
        adapt_to_wall(model, body, faced, deck.contact, chosen);
        note(body.name + "/" + wall.name, chosen, !(wall.stiffness > 0));
      }
  if (groups.empty()) return;
  fmt::print("contact:\n");
  for (const auto& [values, group] : groups) print_parameters(group.first, group.second, values);
}

void print_coarse_contacts(const Deck& deck, const Model& model) {
  for (const Warning& coarse : coarse_contacts(model, deck.contact)) fmt::print("warning: {}\n", coarse.text);
}

/// Warns of impacts faster than pressure waves, which may crush elements or stem from units that do not fit.
void print_fast_impacts(const Deck& deck, const Model& model) {
  double speed = deck.contact.model == ContactModel::none ? 0 : impact_speed(model), slowest = infinity;
  const Body* softest = nullptr;
  for (const Body& body : model.bodies) {
    for (const Wall& wall : model.walls)
      speed = std::max(speed, speed_at_wall(model, body, facing(wall, model, body)));
    const Material& material = at(model.materials, body.material);
    const double wave = std::sqrt((material.lame_lambda + 2 * material.lame_mu) / material.density);
    if (!(wave < slowest)) continue;
    slowest = wave;
    softest = &body;
  }
  if (softest == nullptr || !(speed > slowest)) return;
  fmt::print(
      "warning: impacts may come at a speed of {:.3g}, {:.2g} times that of pressure waves in {}: elements "
      "may be crushed; if that is not meant, look at the units of density, moduli and velocities\n",
      speed, speed / slowest, softest->name);
}

void print_weak_contacts(const Deck& deck, const Lagrangian& system) {
  if (system.contact_pairs == nullptr) return;
  for (const Warning& weak : system.contact_pairs->weak_contact(deck.integrator.method->needs.energy_steps))
    fmt::print("warning: {}\n", weak.text);
}

}  // namespace

void print_contact(const Deck& deck, const Model& model, const Lagrangian& system) {
  const std::vector<ContactBody> of_bodies = contact_bodies(model);
  print_hertz_contact(deck, model, system, of_bodies);
  print_layers(deck, model, system, of_bodies);
  print_weak_contacts(deck, system);
  print_fast_impacts(deck, model);
  print_coarse_contacts(deck, model);
}

}  // namespace terrace
