// terrace check and terrace mesh: everything but the time loop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/check_contact.hpp"
#include "app/coarse_start.hpp"
#include "app/fields.hpp"
#include "app/moving_system.hpp"
#include "app/preparation.hpp"
#include "app/simulation.hpp"
#include "app/small_system_run.hpp"
#include "dynamics/measuring/advice.hpp"
#include "dynamics/steps/newmark.hpp"
#include "dynamics/system/decomposition.hpp"
#include "io/deck_sections.hpp"
#include "io/small_system.hpp"
#include "io/vtk_grid.hpp"
#include "io/vtu_file.hpp"
#include "io/whole_file.hpp"
#include "mesh/body_totals.hpp"
#include "mesh/mesh_hash.hpp"
#include "mesh/msh_text.hpp"
#include "numerics/at.hpp"
#include "parallel/error.hpp"
#include "parallel/together.hpp"

namespace terrace {

namespace {

TetrahedralMesh mesh_of(const Model& model, const Body& body) {
  TetrahedralMesh mesh;
  const auto first_node = model.positions.begin() + body.first_node;
  mesh.nodes.assign(first_node, first_node + body.node_count);
  const auto first = model.tetrahedra.begin() + body.first_tetrahedron;
  mesh.tetrahedra.assign(first, first + body.tetrahedron_count);
  for (Tetrahedron& tetrahedron : mesh.tetrahedra)
    for (std::int32_t& node : tetrahedron) node -= body.first_node;
  return mesh;
}

/// Prints a row for each body; equal rows once, with how many there are.
void print_bodies(const Model& model) {
  fmt::print("{:<16} {:>8} {:>8} {:>12} {:>12} {:>12} {:>9} {:>9}\n", "body", "tets", "nodes", "mass",
             "least volume", "least edge", "worst q", "mean q");
  struct Row {
    std::string first, text;
    std::size_t more = 0;
  };
  std::vector<Row> rows;
  std::map<std::string, std::size_t> places;  // in `rows`, by their texts
  for (const Body& body : model.bodies) {
    const MeshQuality quality = measure_quality(mesh_of(model, body));
    const double density = at(model.materials, body.material).density;
    const std::string text =
        fmt::format("{:>8} {:>8} {:>12.5g} {:>12.5g} {:>12.5g} {:>9.3f} {:>9.3f}", body.tetrahedron_count,
                    body.node_count, density * quality.volume, quality.smallest_volume, quality.smallest_edge,
                    quality.smallest_radius_ratio, quality.mean_radius_ratio);
    const auto [place, is_new] = places.try_emplace(text, rows.size());
    if (is_new)
      rows.push_back({body.name, text});
    else
      ++rows[place->second].more;
  }
  for (const Row& row : rows)
    fmt::print("{:<16} {}{}\n", row.first, row.text,
               row.more > 0 ? fmt::format(", and {} more the same", row.more) : "");
  fmt::print("(q: radius ratio, 1 for the regular tetrahedron)\n");
}

/// Prints the node that each probe follows.
void print_probes(const Deck& deck, const Model& model) {
  for (std::size_t i = 0; i < model.probes.size(); ++i) {
    const Vector3& x = at(model.positions, model.probes[i].node);
    fmt::print("probe {}: node {} at [{:.6g}, {:.6g}, {:.6g}], {:.3g} from its point\n", model.probes[i].name,
               model.probes[i].node, x[0], x[1], x[2], norm(x - deck.probes[i].point));
  }
}

void print_mesh_hash(const Model& model) { fmt::print("mesh hash {:016x}\n", mesh_hash(model)); }

/// The number of particles that each subdomain loads; a particle in several of its terms counts once.
std::vector<double> particles_of_subdomains(const Deck& deck, const Model& model, const Lagrangian& system) {
  std::vector<double> counts;
  for (const Subdomain& subdomain : system.subdomains) counts.push_back(subdomain.node_count);  // of walls
  std::map<std::int32_t, std::set<std::int32_t>> particles;
  for (const ParticleTerm& term : localize_particles(model, deck.localization).terms)
    particles[term.subdomain].insert(term.nodes.begin(), term.nodes.end());
  for (const auto& [subdomain, loaded] : particles)
    at(counts, subdomain) = static_cast<double>(loaded.size());
  return counts;
}

std::vector<double> elements_of_subdomains(const Lagrangian& system) {
  std::vector<double> counts;
  for (const Subdomain& subdomain : system.subdomains) counts.push_back(subdomain.elements);
  return counts;
}

// Prints the subdomains. `counts`: for each, in what `unit` names. `terraces`: the method uses energy steps.
void print_subdomains(const Lagrangian& system, const std::vector<double>& counts, const char* unit,
                      bool terraces) {
  constexpr std::size_t most = 20;
  fmt::print("{} subdomains:\n", system.subdomains.size());
  for (std::size_t s = 0; s < std::min(most, system.subdomains.size()); ++s)
    fmt::print("  {:<24} {:>8.0f} {}  {:>3} neighbours{}\n", system.subdomains[s].name, at(counts, s), unit,
               system.subdomains[s].neighbours.size(),
               terraces ? fmt::format("  energy step {:.4g}", system.subdomains[s].energy_step) : "");
  if (system.subdomains.size() > most) fmt::print("  … and {} more\n", system.subdomains.size() - most);
}

/// Warns of materials with λ < 0: by W = λ/2 ln² J their energy does not keep elements from becoming flat.
void print_collapsing(const Model& model) {
  std::set<std::string> told;
  for (const Material& material : model.materials)
    if (material.law == MaterialLaw::neo_hookean && material.lame_lambda < 0 &&
        told.insert(material.name).second)
      fmt::print(
          "warning: material {} has lambda = {:.4g} < 0 (Poisson's ratio below 0): its energy falls without "
          "bound as an element becomes flat, from about J = {:.2g} on: strong impacts may end the run\n",
          material.name, material.lame_lambda, std::exp(material.lame_mu / material.lame_lambda));
}

/// Warns of locking: tetrahedra of constant stress have too few ways to deform at constant volume.
void print_locking(const Model& model) {
  constexpr double most = 0.45, rounding = 1e-9;
  std::set<std::string> told;  // a material is there again for balls of another density
  for (const Material& material : model.materials) {
    const double ratio = material.lame_lambda / (2 * (material.lame_lambda + material.lame_mu));
    if (ratio > most + rounding && told.insert(material.name).second)
      fmt::print(
          "warning: material {} has Poisson's ratio {:.4g}: beyond {} tetrahedra of constant strain lock and "
          "are too stiff where the shape changes at nearly constant volume\n",
          material.name, ratio, most);
  }
}

void print_warnings(const std::vector<Warning>& warnings) {
  for (const Warning& warning : warnings) fmt::print("warning: {}\n", warning.text);
}

void print_coarse_energy_steps(const Deck& deck, const Lagrangian& system, double kinetic, double potential) {
  if (!deck.integrator.method->needs.energy_steps) return;
  print_warnings(coarse_energy_steps(system, kinetic, potential));
  print_warnings(coarse_energy_step_of_contact(deck, system, kinetic));
}

/// The settings to change in the deck for the recommended method to be at its best.
std::vector<std::string> advised_settings(const Deck& deck) {
  const IntegratorEntry& method = recommended_integrator();
  std::vector<std::string> settings;
  if (deck.integrator.method != &method)
    settings.push_back(fmt::format("integrator.method = \"{}\"", method.name));
  if (!can_do(method, deck.contact.model))
    settings.emplace_back(
        deck.contact.stiffness > 0
            ? "contact.model = \"barrier\" without contact.stiffness, which is the face penalty's"
            : "contact.model = \"barrier\"");
  if (deck.localization.kind == LocalizationKind::metis)
    settings.emplace_back("localization.kind = \"bodies\" without localization.parts");
  const bool may_touch = deck.contact.model != ContactModel::none || !deck.walls.empty();
  if (may_touch && deck.localization.contact == ContactLocalization::own)
    settings.emplace_back("localization.contact = \"touching\"");
  return settings;
}

/// Words for the steps after the first, of methods with equal steps or with a given first step; with their
/// number where it is known.
std::string further_steps(const Deck& deck, double step) {
  const IntegratorEntry& method = *deck.integrator.method;
  if (!method.needs.whole_steps) return "";
  if (method.name == "symplectic-energy-momentum") return " at first, then such as keep the energy";
  const bool is_scaled = std::ranges::find(method.keys, "scaling_exponent") != method.keys.end();
  const double exponent = is_scaled ? deck.integrator.settings.scaling_exponent : 0;
  if (exponent != 0)
    return fmt::format(" where no energy is stored, {} where it is", exponent < 0 ? "shorter" : "longer");
  return fmt::format(", {:.6g} of them to time.end", std::ceil(deck.end_time / step));
}

void print_step(const Deck& deck, const Lagrangian& system) {
  const IntegratorEntry& method = *deck.integrator.method;
  const std::optional<double> step = step_of_a_run(method, deck.integrator.settings, system);
  if (!step) return;
  const IntegratorSettings& settings = deck.integrator.settings;
  const double alone = settings.time_step > 0 ? std::min(settings.time_step, system.stable_step)
                                              : settings.time_step_factor * system.stable_step;
  fmt::print("integrator: steps of {:.4g}{}{}\n", *step,
             method.bounded_steps && alone > 1.001 * *step ? ", longer where nothing touches" : "",
             further_steps(deck, *step));
  for (const Warning& unstable : unstable_step(method, deck.integrator.settings, system))
    fmt::print("warning: {}\n", unstable.text);
}

/// Prints the settings to change for the recommended method; README, "Which method when".
void print_advice(const Deck& deck) {
  const std::vector<std::string> settings = advised_settings(deck);
  if (!settings.empty())
    fmt::print("recommended: {}: exact energy and momentum with Newmark's accuracy\n",
               fmt::join(settings, ", "));
}

void print_balance(const Layout& layout, int ranks) {
  std::vector<std::size_t> tetrahedra(static_cast<std::size_t>(ranks), 0);
  for (const std::int32_t rank : layout.rank_of_tetrahedron) ++at(tetrahedra, rank);
  const auto [least, most] = std::minmax_element(tetrahedra.begin(), tetrahedra.end());
  fmt::print("layout {} on {} rank{}: {} to {} tets a rank\n", layout.name, ranks, ranks == 1 ? "" : "s",
             *least, *most);
}

}  // namespace

static void print_particles(const Model& model) {
  fmt::print("{} particles in {} dimensions\n{:<16} {:>8} {:>12}\n", model.positions.size(),
             model.particles.dimension, "body", "count", "mass");
  for (const Body& body : model.bodies)
    fmt::print("{:<16} {:>8} {:>12.5g}\n", body.name, body.node_count, mass_of(model, body));
}

/// Makes the integrator and drops it: what a run would refuse then is refused here too. Returns the system.
static Lagrangian require_integrator(const Deck& deck, const Model& model, Lagrangian system) {
  const std::size_t subdomains = system.subdomains.size();
  MovingSystem moving = make_moving_system(deck, model, std::move(system));
  make_integrator(deck, moving).reset();
  moving.system.subdomains.resize(subdomains);  // without pairs that the integrator woke
  return std::move(moving.system);
}

/// check_simulation for decks of particles.
static void check_particles(const Deck& deck, const Model& model, Communicator& communicator) {
  const Lagrangian system = require_integrator(deck, model, make_system(deck, model, communicator));
  if (communicator.rank() != 0) return;
  print_particles(model);
  print_mesh_hash(model);
  print_subdomains(system, particles_of_subdomains(deck, model, system), "particles",
                   deck.integrator.method->needs.energy_steps);
  const double kinetic = initial_kinetic_energy(model), potential = survey_particles(model).potential;
  fmt::print("initial kinetic energy {:.8g}, potential energy {:.8g}, together {:.8g}\n", kinetic, potential,
             kinetic + potential);
  fmt::print("stable explicit Newmark step {:.4g}, by the stiffness at the start\n", system.stable_step);
  print_step(deck, system);
  print_coarse_energy_steps(deck, system, kinetic, potential);
  print_warnings(coarse_at_start(deck, model));
  if (const double step = suggested_energy_step(deck, model); step > 0)
    fmt::print("for energy-stepping: suggested energy step {:.3g}; watch the monitors of the summary\n",
               step);
}

void check_simulation(const Deck& deck, Communicator& communicator) {
  if (deck.system != nullptr) return check_small_system(deck, communicator);
  const Model model = distribute_model(deck, communicator);
  if (model.particles.dimension > 0) return check_particles(deck, model, communicator);
  const Division division = divide(deck, model, communicator.size(), communicator.handle());
  const Lagrangian system = require_integrator(
      deck, model, decompose(model, division.localization, division.layout, deck.contact, communicator));
  if (communicator.rank() != 0) return;
  print_bodies(model);
  print_mesh_hash(model);
  print_subdomains(system, elements_of_subdomains(system), "tets",
                   deck.integrator.method->needs.energy_steps);
  print_contact(deck, model, system);
  print_probes(deck, model);
  print_collapsing(model);
  print_locking(model);
  print_balance(division.layout, communicator.size());
  const double kinetic = initial_kinetic_energy(model);
  fmt::print("initial kinetic energy {:.6g}\nstable explicit Newmark step {:.4g}", kinetic,
             system.stable_step);
  if (std::isfinite(system.stable_contact_step))
    fmt::print(", with contact and walls {:.4g}", stable_newmark_step(system));
  fmt::print("\n");
  print_step(deck, system);
  print_coarse_energy_steps(deck, system, kinetic, 0);  // undeformed bodies have no potential energy
  print_warnings(coarse_at_start(deck, model));
  print_advice(deck);
  if (kinetic > 0)
    fmt::print(
        "for energy-stepping: suggested energy step {:.3g} (a ten-thousandth of the largest kinetic energy "
        "of a body{}{}); watch the monitors of the summary\n",
        suggested_energy_step(deck, model),
        model.gravity != Vector3{} && !model.walls.empty() ? ", with that of its fall to a wall" : "",
        deck.localization.kind == LocalizationKind::metis ? ", divided by the parts of a body" : "");
}

/// Writes a VTK file with the subdomain of every tetrahedron.
static void write_mesh_as_vtu(const Deck& deck, const Model& model, int ranks, const std::string& path) {
  const Division division = divide(deck, model, ranks);
  std::vector<std::int32_t> subdomains;
  for (const std::int32_t term : division.localization.term_of_tetrahedron)
    subdomains.push_back(at(division.localization.terms, term).subdomain);
  const vtkSmartPointer<vtkUnstructuredGrid> grid = make_grid(undeformed_piece(model, subdomains), 0, {});
  write_vtu(path, grid, FieldCompression::zlib);
}

/// Throws Error(input) unless `path` ends in .vtu or .msh and is no file that the deck reads.
static void require_own_file(const Deck& deck, const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (extension != ".vtu" && extension != ".msh")
    throw Error(Error::Kind::input, "--output", "a file ending in .vtu or .msh", fmt::format("\"{}\"", path));
  std::vector<std::string> sources = {deck.path};
  for (const BodyEntry& body : deck.bodies)
    if (const auto* file = std::get_if<FileShape>(&body.shape)) sources.push_back(file->path);
  for (const std::string& source : sources) {
    std::error_code differs;
    if (std::filesystem::equivalent(source, path, differs))
      throw Error(Error::Kind::input, "--output", "a file that the deck does not read",
                  fmt::format("\"{}\"", path));
  }
}

// Gmsh cuts longer names: decks that read the .msh file could not ask for these groups.
static void require_names_that_gmsh_keeps(const Deck& deck) {
  constexpr std::size_t most = 250;
  for (const BodyEntry& body : deck.bodies) {
    const std::size_t longest = repeated_names(body).back().size();
    if (longest > most)
      throw Error(Error::Kind::input, body.where,
                  fmt::format("a name of at most {} bytes in a .msh file, of which Gmsh reads no more", most),
                  fmt::format("one of {}", longest));
  }
}

void write_mesh(const Deck& deck, Communicator& communicator, const std::string& path) {
  together(communicator.handle(), [&] {
    if (deck.system != nullptr)
      throw Error(Error::Kind::input, deck.system->where, "a deck of meshes for terrace mesh",
                  "a small system, which has none");
    if (!deck.particles.empty())
      throw Error(Error::Kind::input, deck.particles.front().where, "a deck of meshes for terrace mesh",
                  "particles: fields.pvd of a run has them");
    require_own_file(deck, path);
    if (communicator.rank() == 0) require_directory_of(path, "--output");
    if (std::filesystem::path(path).extension() == ".msh") require_names_that_gmsh_keeps(deck);
  });
  const Model model = distribute_model(deck, communicator);
  together(communicator.handle(), [&] {
    if (communicator.rank() != 0) return;
    if (std::filesystem::path(path).extension() == ".msh")
      write_whole_file(path, msh_text(model));
    else
      write_mesh_as_vtu(deck, model, communicator.size(), path);
    print_bodies(model);
    print_mesh_hash(model);
  });
}

}  // namespace terrace
