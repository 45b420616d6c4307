// Sections [[particles]] and [[potentials]]: point masses and what acts on them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "io/deck_sections.hpp"
#include "io/parse_formula.hpp"
#include "io/particle_file.hpp"
#include "numerics/at.hpp"
#include "numerics/infinity.hpp"

namespace terrace {
namespace {

Vector3 padded(const std::vector<double>& components) {
  Vector3 vector{};
  std::copy(components.begin(), components.end(), vector.begin());
  return vector;
}

void read_masses(const TableReader& table, ParticleEntry& entry) {
  const std::size_t count = entry.positions.size();
  if (table.is_array("mass"))
    entry.masses = table.numbers("mass", count);
  else
    entry.masses.assign(count, table.number("mass", Range::positive()));
  for (const double mass : entry.masses)
    if (!(mass > 0))
      table.fail("mass", table.full_name("mass") + " to be numbers > 0", fmt::format("{}", mass));
}

/// Reads positions, velocities and masses from the deck's lists; returns the dimension.
std::size_t read_lists(const TableReader& table, ParticleEntry& entry) {
  const auto positions = table.rows("positions", 1, 3);
  const std::size_t dimension = positions.front().size();
  for (const auto& row : positions) entry.positions.push_back(padded(row));
  if (table.has("velocities"))
    for (const auto& row : table.rows("velocities", dimension, dimension))
      entry.velocities.push_back(padded(row));
  else
    entry.velocities.assign(positions.size(), Vector3{});
  if (entry.velocities.size() != positions.size())
    table.fail("velocities",
               fmt::format("{} to have as many rows as there are positions, {}",
                           table.full_name("velocities"), positions.size()),
               fmt::format("{}", entry.velocities.size()));
  read_masses(table, entry);
  return dimension;
}

/// Reads them from a file; returns the dimension.
std::size_t read_file(const TableReader& table, const std::string& deck_file, ParticleEntry& entry) {
  for (const char* key : {"positions", "velocities"})
    if (table.has(key))
      table.fail(key, "either " + table.full_name("file") + " or " + table.full_name(key), "both");
  const ParticleFile file =
      read_particle_file(deck_file, table.text("file"), table.where("file"), table.full_name("file"));
  entry.positions = file.positions;
  entry.velocities = file.velocities;
  entry.masses = file.masses;
  if (entry.masses.empty())
    read_masses(table, entry);
  else if (table.has("mass"))
    table.fail("mass", "masses in the file or in the deck", "both");
  return file.dimension;
}

const std::vector<std::pair<std::string, InteractionKind>>& kinds() {
  static const std::vector<std::pair<std::string, InteractionKind>> all = {
      {"lennard-jones", InteractionKind::lennard_jones},
      {"gravity", InteractionKind::gravity},
      {"spring", InteractionKind::spring},
      {"hertz", InteractionKind::hertz},
      {"central", InteractionKind::central},
      {"harmonic", InteractionKind::harmonic},
      {"polynomial", InteractionKind::polynomial},
      {"circle", InteractionKind::circle},
      {"expression", InteractionKind::expression},
      {"pair-expression", InteractionKind::pair_expression},
      {"step", InteractionKind::step}};
  return all;
}

class InteractionReader {
 public:
  InteractionReader(const TableReader& table, const std::vector<ParticleEntry>& particles, int dimension)
      : table_(table), particles_(particles), dimension_(static_cast<std::size_t>(dimension)) {}

  Interaction read() {
    of_.kind = table_.choice<InteractionKind>("kind", kinds());
    of_.where = table_.where();
    of_.name = read_name(table_);
    allow_keys();
    if (of_.of_pairs())
      read_between();
    else
      of_.groups[0] = table_.has("on") ? find("on", table_.text("on")) : -1;
    read_parameters();
    return of_;
  }

 private:
  void allow_keys() const {
    std::vector<std::string> allowed = {"name", "kind", "active"};
    if (of_.of_pairs())
      allowed.emplace_back("between");
    else
      allowed.emplace_back("on");
    const std::map<InteractionKind, std::vector<std::string>> own = {
        {InteractionKind::lennard_jones, {"depth", "diameter", "cutoff"}},
        {InteractionKind::gravity, {"constant"}},
        {InteractionKind::spring, {"stiffness", "length", "pairs"}},
        {InteractionKind::hertz, {"stiffness", "length", "pairs"}},
        {InteractionKind::central, {"strength", "centre"}},
        {InteractionKind::harmonic, {"stiffness", "centre"}},
        {InteractionKind::polynomial, {"coefficients", "direction", "centre"}},
        {InteractionKind::circle, {"stiffness", "radius", "centre", "side"}},
        {InteractionKind::expression, {"energy"}},
        {InteractionKind::pair_expression, {"energy"}},
        {InteractionKind::step, {"height", "wall", "side", "parts"}}};
    const auto& keys = own.at(of_.kind);
    allowed.insert(allowed.end(), keys.begin(), keys.end());
    table_.allow_only(allowed);
  }

  void read_parameters() {
    switch (of_.kind) {
      case InteractionKind::lennard_jones:
        of_.strength = table_.number("depth", Range::positive());
        of_.length = table_.number("diameter", Range::positive());
        if (table_.has("cutoff")) read_cutoff();
        break;
      case InteractionKind::gravity:
        of_.strength = table_.number("constant", Range::positive());
        break;
      case InteractionKind::spring:
      case InteractionKind::hertz:
        of_.strength = table_.number("stiffness", Range::positive());
        of_.length = table_.number(
            "length", of_.kind == InteractionKind::spring ? Range::not_negative() : Range::positive());
        if (table_.has("pairs")) read_pairs();
        break;
      case InteractionKind::central:
        of_.strength = table_.number("strength", Range::positive());
        break;
      case InteractionKind::harmonic:
        read_stiffness();
        break;
      case InteractionKind::polynomial:
        of_.coefficients = table_.numbers("coefficients", 0);
        of_.direction =
            table_.has("direction") ? padded(table_.numbers("direction", dimension_)) : Vector3{1, 0, 0};
        if (of_.direction == Vector3{})
          table_.fail("direction", table_.full_name("direction") + " along which the field changes", "0");
        break;
      case InteractionKind::circle:
        of_.strength = table_.number("stiffness", Range::positive());
        of_.length = table_.number("radius", Range::positive());
        if (table_.has("side"))
          of_.inside = table_.choice<bool>("side", {{"inside", true}, {"outside", false}});
        break;
      case InteractionKind::expression:
        of_.formula = formula_of(table_, "energy", {"x", "y", "z"});
        break;
      case InteractionKind::pair_expression:
        of_.formula = formula_of(table_, "energy", {"r"});
        break;
      case InteractionKind::step:
        read_step();
    }
    if (table_.has("centre")) of_.centre = padded(table_.numbers("centre", dimension_));
  }

  [[nodiscard]] Formula formula_of(const TableReader& table, const std::string& key,
                                   std::vector<std::string> variables) const {
    if (variables.size() > 1) variables.resize(dimension_);
    const std::string text = table.text(key);
    try {
      return parse_formula(text, variables);
    } catch (const FormulaError& error) {
      table.fail(key, fmt::format("{} to be {}", table.full_name(key), error.expected),
                 fmt::format("{} at character {} of \"{}\"", error.found, error.place, text));
    }
  }

  void read_step() {
    const bool wall = table_.flag("wall", false);
    if (wall && table_.has("height"))
      table_.fail("height", "either " + table_.full_name("height") + " or wall = true", "both");
    of_.strength = wall ? infinity : table_.number("height", Range::any());
    if (table_.has("side"))
      of_.region.complement = table_.choice<bool>("side", {{"inside", false}, {"outside", true}});
    for (const TableReader& part : table_.tables("parts")) {
      part.allow_only({"shape", "point", "normal", "radius", "side", "piece", "function"});
      const auto piece = part.has("piece") ? static_cast<std::size_t>(part.integer("piece", 1, 1000)) : 1;
      if (of_.region.pieces.size() < piece) of_.region.pieces.resize(piece);
      of_.region.pieces[piece - 1].push_back(read_part(part));
    }
    for (const auto& piece : of_.region.pieces)
      if (piece.empty())
        table_.fail("parts", table_.full_name("parts") + " of pieces 1, 2, … without a gap",
                    "a piece without parts");
    if (of_.region.pieces.empty())
      table_.fail("parts", "at least one table of " + table_.full_name("parts"), "none");
  }

  [[nodiscard]] RegionPart read_part(const TableReader& part) const {
    RegionPart result;
    result.kind = part.choice<RegionPart::Kind>("shape", {{"half-space", RegionPart::Kind::half_space},
                                                          {"ball", RegionPart::Kind::ball},
                                                          {"formula", RegionPart::Kind::formula}});
    if (result.kind == RegionPart::Kind::formula) {
      for (const char* key : {"point", "normal", "radius", "side"})
        if (part.has(key)) part.fail(key, "no " + std::string(key) + " of a formula", "one");
      result.function = formula_of(part, "function", {"x", "y", "z"});
      return result;
    }
    if (part.has("function")) part.fail("function", "a function with shape = \"formula\" alone", "one");
    result.point = padded(part.numbers("point", dimension_));
    if (result.kind == RegionPart::Kind::ball) {
      if (part.has("normal")) part.fail("normal", "no normal of a ball", "one");
      result.radius = part.number("radius", Range::positive());
      if (part.has("side")) result.inside = part.choice<bool>("side", {{"inside", true}, {"outside", false}});
      return result;
    }
    for (const char* key : {"radius", "side"})
      if (part.has(key)) part.fail(key, "no " + std::string(key) + " of a half-space", "one");
    const Vector3 normal = padded(part.numbers("normal", dimension_));
    if (normal == Vector3{}) part.fail("normal", part.full_name("normal") + " not to be zero", "zero");
    result.normal = unit_vector(normal);
    return result;
  }

  void read_stiffness() {
    if (table_.is_array("stiffness")) {
      of_.direction = padded(table_.numbers("stiffness", dimension_));
      return;
    }
    const double stiffness = table_.number("stiffness", Range::positive());
    for (std::size_t d = 0; d < dimension_; ++d) of_.direction[d] = stiffness;
  }

  // A cut-off beyond all distances, which cuts off nothing, or where the force repels is a mistake.
  void read_cutoff() {
    of_.cutoff = table_.number("cutoff", Range::positive());
    constexpr double least = 1.1225;  // 2^{1/6}, rounded up
    if (of_.cutoff < least * of_.length)
      table_.fail("cutoff",
                  fmt::format("{} to be at least 1.1225 diameters, {:.6g}, from where the particles attract "
                              "each other",
                              table_.full_name("cutoff"), least * of_.length),
                  fmt::format("{}", of_.cutoff));
    Vector3 low = particles_.front().positions.front(), high = low;
    for (const ParticleEntry& entry : particles_)
      for (const Vector3& x : entry.positions)
        for (std::size_t d = 0; d < 3; ++d) {
          low[d] = std::min(low[d], x[d]);
          high[d] = std::max(high[d], x[d]);
        }
    if (of_.cutoff > norm(high - low))
      table_.fail("cutoff",
                  fmt::format("{} to be at most the diagonal of the particles' box, {:.6g}; leave it out to "
                              "cut nothing off",
                              table_.full_name("cutoff"), norm(high - low)),
                  fmt::format("{}", of_.cutoff));
  }

  [[nodiscard]] std::int32_t find(const std::string& key, const std::string& name) const {
    std::vector<std::string> names;
    for (const ParticleEntry& entry : particles_) names.push_back(entry.name);
    const auto place = std::find(names.begin(), names.end(), name);
    if (place == names.end())
      table_.fail(key, fmt::format("{} of names of particles: {}", table_.full_name(key), quoted_list(names)),
                  fmt::format("\"{}\"{}", name, did_you_mean(name, names)));
    return static_cast<std::int32_t>(place - names.begin());
  }

  void read_between() {
    if (!table_.has("between")) return;
    const auto names = table_.names("between", 2);
    for (std::size_t i = 0; i < 2; ++i) of_.groups[i] = find("between", names[i]);
  }

  void read_pairs() {
    if (table_.has("between"))
      table_.fail("pairs", "either " + table_.full_name("between") + " or pairs", "both");
    std::size_t count = 0;
    for (const ParticleEntry& entry : particles_) count += entry.positions.size();
    std::set<std::pair<double, double>> seen;
    for (const auto& row : table_.rows("pairs", 2, 2)) {
      const bool known = std::all_of(row.begin(), row.end(), [&](double n) {
        return n == std::floor(n) && n >= 1 && n <= static_cast<double>(count);
      });
      if (!known || row[0] == row[1])
        table_.fail("pairs",
                    fmt::format("{} of two different numbers of particles, from 1 to {}",
                                table_.full_name("pairs"), count),
                    fmt::format("[{}, {}]", row[0], row[1]));
      if (!seen.insert(std::minmax(row[0], row[1])).second)
        table_.fail("pairs", table_.full_name("pairs") + " that are named once",
                    fmt::format("[{}, {}] again", row[0], row[1]));
      of_.pairs.push_back({static_cast<std::int32_t>(row[0]) - 1, static_cast<std::int32_t>(row[1]) - 1});
    }
  }

  const TableReader& table_;
  const std::vector<ParticleEntry>& particles_;
  std::size_t dimension_;
  Interaction of_;
};

}  // namespace

std::vector<ParticleEntry> read_particles(const TableReader& root, const std::string& deck_file,
                                          int& dimension) {
  std::vector<ParticleEntry> particles;
  std::size_t of_first = 0;
  for (const TableReader& table : root.tables("particles")) {
    table.allow_only({"name", "mass", "positions", "velocities", "file"});
    ParticleEntry entry;
    entry.where = table.where();
    entry.name = read_name(table);
    for (const ParticleEntry& other : particles)
      if (other.name == entry.name)
        table.fail("name", table.full_name("name") + " to be a name not used before",
                   fmt::format("\"{}\", already used at {}", entry.name, other.where));
    const std::size_t found =
        table.has("file") ? read_file(table, deck_file, entry) : read_lists(table, entry);
    if (particles.empty()) of_first = found;
    if (found != of_first)
      table.fail(table.has("file") ? "file" : "positions",
                 fmt::format("positions of {} coordinates, as of {}", of_first, particles.front().name),
                 fmt::format("{}", found));
    particles.push_back(std::move(entry));
  }
  if (particles.empty()) root.fail("particles", "at least one table [[particles]]", "none");
  dimension = static_cast<int>(of_first);
  return particles;
}

std::vector<Interaction> read_interactions(const TableReader& root,
                                           const std::vector<ParticleEntry>& particles,
                                           const std::vector<Wall>& walls, int dimension) {
  std::map<std::string, std::string> used = {{"gravity", "the name of uniform gravity"}};
  for (const ParticleEntry& entry : particles)
    if (const auto [place, is_new] = used.emplace(entry.name, entry.where); !is_new)
      root.fail("particles", "a name for every group of particles that nothing else has",
                fmt::format("\"{}\", {}", entry.name, place->second));
  for (const Wall& wall : walls)
    if (!used.emplace(wall.name, "[[walls]]").second)
      root.fail("walls", "a name for every wall that nothing else has", "\"" + wall.name + "\"");
  for (const Wall& wall : walls)
    if (wall.model == WallModel::hertz)
      root.fail("walls", "walls.model = \"penalty\" or \"barrier\" for particles",
                "\"hertz\" of " + wall.name);
  for (const Wall& wall : walls)
    if (wall.model == WallModel::barrier && !(wall.stiffness > 0 && wall.distance > 0))
      root.fail("walls", "stiffness [J] and distance of barrier walls for particles", "none of " + wall.name);
  std::vector<Interaction> interactions;
  for (const TableReader& table : root.tables("potentials")) {
    interactions.push_back(InteractionReader(table, particles, dimension).read());
    const auto [place, is_new] = used.emplace(interactions.back().name, table.where());
    if (!is_new)
      table.fail("name", table.full_name("name") + " to be a name not used before",
                 fmt::format("\"{}\", already used at {}", place->first, place->second));
    if (!table.flag("active", true)) interactions.pop_back();
  }
  return interactions;
}

}  // namespace terrace
