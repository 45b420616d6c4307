// Sections [materials.NAME], [[bodies]] and [[walls]]: what is in the model.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

#include "geometry/box.hpp"
#include "io/deck_sections.hpp"
#include "io/text_bytes.hpp"
#include "io/whole_file.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// Sets λ and μ by Young's modulus E and Poisson's ratio ν.
static void set_lame_constants(Material& material, double modulus, double ratio) {
  material.lame_lambda = modulus * ratio / ((1 + ratio) * (1 - 2 * ratio));
  material.lame_mu = modulus / (2 * (1 + ratio));
}

static void read_elastic_constants(const TableReader& table, const std::string& name, Material& material) {
  const bool has_lame = table.has("lame_lambda") || table.has("lame_mu");
  const bool has_young = table.has("youngs_modulus") || table.has("poissons_ratio");
  const std::string pairs = "either lame_lambda and lame_mu or youngs_modulus and poissons_ratio";
  if (has_lame && has_young)
    table.fail(table.has("youngs_modulus") ? "youngs_modulus" : "poissons_ratio", pairs, "keys of both");
  if (!has_lame && !has_young) table.fail("", pairs, "none of them in materials." + name);
  if (has_young) {
    const double modulus = table.number("youngs_modulus", Range::positive());
    set_lame_constants(material, modulus, table.number("poissons_ratio", Range::between_exclusive(-1, 0.5)));
    return;
  }
  material.lame_mu = table.number("lame_mu", Range::positive());
  // The bulk modulus λ + 2μ/3 must be positive, or the stress-free state is unstable.
  const double lowest = -2.0 / 3.0 * material.lame_mu;
  material.lame_lambda =
      table.number("lame_lambda", Range::above(lowest, fmt::format("a number > -2/3 lame_mu = {}", lowest)));
}

/// Reads c₀₁ = ratio μ / 2. With λ < 4 c₀₁ an element could be squeezed to nothing at a gain of energy.
static void read_mooney_ratio(const TableReader& table, Material& material) {
  const double ratio = table.number("mooney_ratio", Range::not_negative());
  const double most = std::min(1.0, material.lame_lambda / (2 * material.lame_mu));
  if (ratio > most)
    table.fail("mooney_ratio",
               fmt::format("{} to be at most 1 and at most lame_lambda / (2 lame_mu) = {:.6g}",
                           table.full_name("mooney_ratio"), material.lame_lambda / (2 * material.lame_mu)),
               fmt::format("{}", ratio));
  material.c01 = 0.5 * ratio * material.lame_mu;
}

static Material read_material(const TableReader& table, const std::string& name) {
  table.allow_only(
      {"density", "law", "lame_lambda", "lame_mu", "youngs_modulus", "poissons_ratio", "mooney_ratio"});
  Material material{name, table.number("density", Range::positive()), 0, 0};
  if (table.has("law"))
    material.law =
        table.choice<MaterialLaw>("law", {{"neo-hookean", MaterialLaw::neo_hookean},
                                          {"mooney-rivlin", MaterialLaw::mooney_rivlin},
                                          {"st-venant-kirchhoff", MaterialLaw::st_venant_kirchhoff}});
  read_elastic_constants(table, name, material);
  if (material.law == MaterialLaw::mooney_rivlin)
    read_mooney_ratio(table, material);
  else if (table.has("mooney_ratio"))
    table.fail("mooney_ratio", table.full_name("mooney_ratio") + " only with the law \"mooney-rivlin\"",
               "another law");
  return material;
}

std::vector<Material> read_materials(const TableReader& root) {
  const TableReader section = root.table("materials");
  std::vector<Material> materials;
  for (const std::string& name : section.keys()) {
    if (std::ranges::any_of(name, is_control_character))
      section.fail("", "names of materials without control characters", fmt::format("\"{}\"", name));
    materials.push_back(read_material(section.table(name), name));
  }
  if (materials.empty()) root.fail("materials", "at least one table [materials.NAME]", "none");
  return materials;
}

/// `size`: of the body's other elements, to which refined ones grow; `distance`: of a point from the body, in
/// its own frame.
static std::vector<Refinement> read_refinements(const TableReader& body, double size,
                                                const std::function<double(const Vector3&)>& distance) {
  std::vector<Refinement> refinements;
  for (const TableReader& table : body.tables("refine")) {
    table.allow_only({"point", "size", "radius", "core", "slope"});
    Refinement refinement{table.vector("point"), table.number("size", Range::positive()), 0,
                          table.number("core", Range::not_negative(), 0)};
    if (table.has("radius") == table.has("slope"))
      table.fail(table.has("slope") ? "slope" : "", "either radius or slope in a refinement",
                 table.has("slope") ? "both" : "neither");
    if (table.has("radius"))
      refinement.radius = table.number(
          "radius", Range::above(refinement.core, fmt::format("a number > core = {}", refinement.core)));
    else if (!(refinement.size < size))
      table.fail("size",
                 fmt::format("a size below the body's, {}, to which elements grow by the slope", size),
                 fmt::format("{}", refinement.size));
    else
      refinement.radius =
          refinement.core + (size - refinement.size) / table.number("slope", Range::positive());
    if (const double away = distance(refinement.point); !(away < refinement.radius))
      table.fail("point",
                 fmt::format("a refinement that reaches the body, in its own frame: less than {:g} from it",
                             refinement.radius),
                 fmt::format("{:g}", away));
    refinements.push_back(refinement);
  }
  return refinements;
}

static FileShape read_file_shape(const TableReader& body, const std::string& deck_file) {
  namespace fs = std::filesystem;
  const std::string name = body.text("file");
  const fs::path path = fs::path(deck_file).parent_path() / name;
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    const std::string reason = why_not_found(path);
    body.fail("file", body.full_name("file") + " to name a mesh or geometry file, relative to the deck",
              fmt::format("\"{}\", {}: {}", name, path.string(),
                          !reason.empty()                   ? reason
                          : fs::is_directory(path, ignored) ? "a directory"
                                                            : "no regular file"));
  }
  if (path.extension() == ".msh" && body.has("size"))
    body.fail("size", body.full_name("size") + " only of a geometry (.geo, .step): a mesh has its own",
              fmt::format("one of \"{}\"", name));
  return {path.string(), body.text("group", ""), body.number("size", Range::positive(), 0),
          body.number("scale", Range::positive(), 1)};
}

enum class ShapeKind { ball, block, lattice, file };

static Shape read_shape(const TableReader& body, const std::string& deck_file) {
  const ShapeKind kind = body.choice<ShapeKind>("shape", {{"ball", ShapeKind::ball},
                                                          {"block", ShapeKind::block},
                                                          {"lattice", ShapeKind::lattice},
                                                          {"file", ShapeKind::file}});
  std::vector<std::string> allowed = {"name",     "material", "shape", "position",
                                      "rotation", "velocity", "spin",  "repeat"};
  const std::map<ShapeKind, std::vector<std::string>> own = {
      {ShapeKind::ball, {"radius", "size", "refine", "contacts", "mass"}},
      {ShapeKind::block, {"extent", "size", "refine"}},
      {ShapeKind::lattice, {"extent", "cells"}},
      {ShapeKind::file, {"file", "group", "size", "scale"}}};
  allowed.insert(allowed.end(), own.at(kind).begin(), own.at(kind).end());
  body.allow_only(allowed);
  switch (kind) {
    case ShapeKind::ball: {
      const double radius = body.number("radius", Range::positive()),
                   size = body.number("size", Range::positive());
      return BallShape{radius, size, read_refinements(body, size, [&](const Vector3& point) {
                         return std::max(norm(point) - radius, 0.0);
                       })};
    }
    case ShapeKind::block: {
      const Vector3 extent = body.positive_vector("extent");
      const double size = body.number("size", Range::positive());
      return BlockShape{extent, size, read_refinements(body, size, [&](const Vector3& point) {
                          return distance_apart(Box{point, point}, Box{-0.5 * extent, 0.5 * extent});
                        })};
    }
    case ShapeKind::lattice:
      return LatticeShape{body.positive_vector("extent"), body.counts("cells")};
    case ShapeKind::file:
      break;
  }
  return read_file_shape(body, deck_file);
}

std::string read_name(const TableReader& table) {
  std::string name = table.text("name");
  if (std::ranges::any_of(name, is_control_character) || name.find_first_of(",\"") != std::string::npos)
    table.fail("name", table.full_name("name") + " without commas, double quotes and control characters",
               fmt::format("\"{}\"", name));
  return name;
}

static std::int32_t find_material(const TableReader& body, const std::vector<Material>& materials) {
  const std::string found = body.text("material");
  std::vector<std::string> names;
  for (const Material& material : materials) names.push_back(material.name);
  const auto place = std::find(names.begin(), names.end(), found);
  if (place == names.end())
    body.fail("material", fmt::format("{} to be one of {}", body.full_name("material"), quoted_list(names)),
              fmt::format("\"{}\"{}", found, did_you_mean(found, names)));
  return static_cast<std::int32_t>(place - names.begin());
}

static void read_placement(const TableReader& body, BodyEntry& entry) {
  entry.position = body.vector("position", {});
  if (const auto rotation = body.optional_table("rotation")) {
    rotation->allow_only({"axis", "angle"});
    entry.rotation_axis = rotation->nonzero_vector("axis");
    entry.rotation_angle = rotation->number("angle", Range::any());
  }
  entry.velocity = body.vector("velocity", {});
  entry.spin = body.vector("spin", {});
  if (const auto repeat = body.optional_table("repeat")) {
    repeat->allow_only({"count", "offset", "counts", "spacing", "random_speed", "seed"});
    if (repeat->has("counts")) {
      if (repeat->has("count") || repeat->has("offset"))
        repeat->fail("counts", "either count and offset or counts and spacing", "both");
      entry.counts = repeat->counts("counts");
      entry.spacing = repeat->positive_vector("spacing");
      const double product = static_cast<double>(entry.counts[0]) * entry.counts[1] * entry.counts[2];
      if (product > 1e6) repeat->fail("counts", "at most 1000000 bodies", fmt::format("{}", product));
      entry.count = static_cast<int>(product);
    } else {
      if (repeat->has("spacing"))
        repeat->fail("spacing", "either count and offset or counts and spacing", "both");
      entry.count = static_cast<int>(repeat->integer("count", 1, 1000000));
      entry.offset = repeat->nonzero_vector("offset");
    }
    entry.random_speed = repeat->number("random_speed", Range::not_negative(), 0);
    if (repeat->has("seed"))
      entry.seed = repeat->integer("seed", 0, std::numeric_limits<std::int64_t>::max());
  }
}

static BodyEntry read_body(const TableReader& body, const std::vector<Material>& materials,
                           const std::string& deck_file) {
  BodyEntry entry{};
  entry.where = body.where();
  entry.rotation_axis = {0, 0, 1};
  entry.count = 1;
  entry.shape = read_shape(body, deck_file);
  entry.name = read_name(body);
  entry.material = find_material(body, materials);
  entry.contacts = body.directions("contacts");
  if (body.has("mass")) entry.mass_of_sphere = body.choice<bool>("mass", {{"mesh", false}, {"sphere", true}});
  read_placement(body, entry);
  return entry;
}

std::vector<std::string> repeated_names(const BodyEntry& entry) {
  if (entry.count == 1) return {entry.name};
  std::vector<std::string> names;
  for (int i = 1; i <= entry.count; ++i) names.push_back(fmt::format("{}-{}", entry.name, i));
  return names;
}

std::map<std::string, std::string> names_of_bodies(const std::vector<BodyEntry>& bodies) {
  std::map<std::string, std::string> names;
  for (const BodyEntry& body : bodies) {
    names.emplace(body.name, body.where);
    for (const std::string& name : repeated_names(body)) names.emplace(name, body.where);
  }
  return names;
}

/// Records a name and where it was used; throws if it was used before.
static void claim_name(std::map<std::string, std::string>& used, const TableReader& table,
                       const std::string& name) {
  const auto [place, is_new] = used.emplace(name, table.where("name"));
  if (!is_new)
    table.fail("name", table.full_name("name") + " to be a name not used before",
               fmt::format("\"{}\", already used at {}", name, place->second));
}

std::vector<BodyEntry> read_bodies(const TableReader& root, const std::vector<Material>& materials,
                                   const std::string& deck_file) {
  std::vector<BodyEntry> bodies;
  std::map<std::string, std::string> used;
  for (const TableReader& table : root.tables("bodies")) {
    bodies.push_back(read_body(table, materials, deck_file));
    for (const std::string& name : repeated_names(bodies.back())) claim_name(used, table, name);
    if (bodies.back().count > 1) claim_name(used, table, bodies.back().name);  // the name of all of them
  }
  if (bodies.empty()) root.fail("bodies", "at least one table [[bodies]]", "none");
  return bodies;
}

std::vector<Wall> read_walls(const TableReader& root, const std::vector<BodyEntry>& bodies) {
  std::map<std::string, std::string> used = names_of_bodies(bodies);
  std::vector<Wall> walls;
  for (const TableReader& table : root.tables("walls")) {
    table.allow_only({"name", "point", "normal", "model", "stiffness", "distance", "two_sided", "active"});
    const Vector3 normal = table.nonzero_vector("normal");
    Wall wall{read_name(table), table.vector("point"), unit_vector(normal), 0};
    if (table.has("model"))
      wall.model = table.choice<WallModel>(
          "model",
          {{"penalty", WallModel::penalty}, {"barrier", WallModel::barrier}, {"hertz", WallModel::hertz}});
    if (wall.model == WallModel::hertz) {
      for (const char* key : {"stiffness", "distance"})
        if (table.has(key))
          table.fail(key, table.full_name(key) + " only with the models \"penalty\" and \"barrier\"",
                     "hertz");
    } else if (wall.model == WallModel::penalty) {
      wall.stiffness = table.number("stiffness", Range::positive());
      if (table.has("distance"))
        table.fail("distance", table.full_name("distance") + " only with the model \"barrier\"", "a penalty");
    } else {
      wall.stiffness = table.number("stiffness", Range::positive(), 0);
      wall.distance = table.number("distance", Range::positive(), 0);
    }
    wall.two_sided = table.flag("two_sided", false);
    claim_name(used, table, wall.name);
    if (table.flag("active", true)) walls.push_back(wall);
  }
  return walls;
}

}  // namespace terrace
