// Sections [[supports]] and [gravity]: what acts on bodies from outside, but for walls.
#include <fmt/core.h>

#include <algorithm>

#include "io/deck_sections.hpp"

namespace terrace {

NamedBody read_named_body(const TableReader& table, const std::vector<BodyEntry>& bodies) {
  NamedBody body;
  body.name = table.text("body");
  for (; body.entry < bodies.size(); ++body.entry) {
    const BodyEntry& entry = bodies[body.entry];
    if (entry.name == body.name) return body;
    const std::vector<std::string> names = repeated_names(entry);
    const auto place = std::find(names.begin(), names.end(), body.name);
    if (place == names.end()) continue;
    body.number = static_cast<std::size_t>(place - names.begin());
    return body;
  }
  std::vector<std::string> names;
  for (const BodyEntry& entry : bodies) names.push_back(entry.name);
  table.fail("body", fmt::format("{} to be a body: {}", table.full_name("body"), quoted_list(names)),
             fmt::format("\"{}\"{}", body.name, did_you_mean(body.name, names)));
}

namespace {

void read_nodes(const TableReader& table, std::vector<BodyEntry>& bodies, SupportEntry& support) {
  BodyEntry& entry = bodies[support.body.entry];
  const bool surface = table.flag("surface", false), group = table.has("group"), box = table.has("box");
  if (group + box + surface != 1)
    table.fail("", "one of the keys group, box and surface = true, to choose the nodes of the support",
               group + box + surface == 0 ? "none" : "more than one");
  if (box) {
    support.nodes = SupportEntry::Nodes::box;
    support.box = table.corners("box");
  }
  if (!group) return;
  support.nodes = SupportEntry::Nodes::group;
  support.group = table.text("group");
  auto* file = std::get_if<FileShape>(&entry.shape);
  if (file == nullptr)
    table.fail("group", table.full_name("group") + " only for bodies of the shape \"file\"", "another shape");
  file->node_groups.push_back(support.group);
}

void read_motion(const TableReader& table, SupportEntry& support) {
  support.components = table.components("components");
  support.velocity = table.vector("velocity", {});
  for (std::size_t d = 0; d < 3; ++d)
    if (!support.components[d] && support.velocity[d] != 0)
      table.fail("velocity", table.full_name("velocity") + " to be 0 in components that are not held",
                 fmt::format("{}", support.velocity[d]));
}

}  // namespace

std::vector<SupportEntry> read_supports(const TableReader& root, std::vector<BodyEntry>& bodies,
                                        const std::vector<Wall>& walls) {
  std::map<std::string, std::string> used = names_of_bodies(bodies);
  for (const Wall& wall : walls) used.emplace(wall.name, "");
  std::vector<SupportEntry> supports;
  for (const TableReader& table : root.tables("supports")) {
    table.allow_only({"name", "body", "group", "box", "surface", "components", "velocity"});
    SupportEntry support;
    support.where = table.where();
    support.name = read_name(table);
    if (!used.emplace(support.name, table.where()).second)
      table.fail("name", table.full_name("name") + " to be a name of no other body, wall or support",
                 fmt::format("\"{}\"", support.name));
    support.body = read_named_body(table, bodies);
    read_nodes(table, bodies, support);
    read_motion(table, support);
    supports.push_back(std::move(support));
  }
  return supports;
}

Vector3 read_gravity(const TableReader& root, const std::vector<BodyEntry>& bodies,
                     const std::vector<Wall>& walls, const std::vector<SupportEntry>& supports) {
  const auto section = root.optional_table("gravity");
  if (!section) return {};
  section->allow_only({"acceleration", "active"});
  bool taken = names_of_bodies(bodies).contains("gravity");
  for (const Wall& wall : walls) taken = taken || wall.name == "gravity";
  for (const SupportEntry& support : supports) taken = taken || support.name == "gravity";
  if (taken)
    section->fail(
        "", "no body, wall or support of the name \"gravity\", which is that of a row of bodies.csv", "one");
  const Vector3 acceleration = section->nonzero_vector("acceleration");
  return section->flag("active", true) ? acceleration : Vector3{};
}

}  // namespace terrace
