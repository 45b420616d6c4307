// Sections [contact], [localization], [integrator], [layout] and [output]: how the model is computed.
#include "io/deck_sections.hpp"

#include <limits>

namespace terrace {

ContactEntry read_contact(const TableReader& root) {
  ContactEntry contact;
  const auto section = root.optional_table("contact");
  if (!section) return contact;
  section->allow_only({"model", "stiffness", "energy_step"});
  contact.where = section->where();
  contact.model = section->choice<ContactModel>("model",
                                                {{"none", ContactModel::none},
                                                 {"face-intersection", ContactModel::face_intersection},
                                                 {"rigid", ContactModel::rigid}},
                                                {"gap", "barrier"});
  if (contact.model == ContactModel::rigid) {
    for (const char* key : {"stiffness", "energy_step"})
      if (section->has(key))
        section->fail(key, "no contact." + std::string(key) + " with contact.model = \"rigid\"", "one");
    return contact;
  }
  contact.stiffness = contact.model == ContactModel::none ? section->number("stiffness", Range::positive(), 0)
                                                          : section->number("stiffness", Range::positive());
  contact.energy_step = section->number("energy_step", Range::positive(), 0);
  return contact;
}

LocalizationEntry read_localization(const TableReader& root) {
  LocalizationEntry localization;
  const auto section = root.optional_table("localization");
  if (!section) return localization;
  section->allow_only({"kind", "parts", "contact"});
  if (section->has("kind"))
    localization.kind = section->choice<LocalizationKind>("kind", {{"global", LocalizationKind::global},
                                                                   {"bodies", LocalizationKind::bodies},
                                                                   {"metis", LocalizationKind::metis}});
  if (localization.kind == LocalizationKind::metis)
    localization.parts = static_cast<int>(section->integer("parts", 1, 1000000));
  else if (section->has("parts"))
    section->fail("parts", "localization.parts only with localization.kind = \"metis\"", "another kind");
  if (section->has("contact"))
    localization.contact = section->choice<ContactLocalization>(
        "contact", {{"own", ContactLocalization::own}, {"with-bodies", ContactLocalization::with_bodies}});
  return localization;
}

/// Throws if the table has both keys, of which the one would make the other meaningless.
static void reject_both(const TableReader& table, const std::string& one, const std::string& other) {
  if (table.has(one) && table.has(other))
    table.fail(other, table.full_name(one) + " or " + table.full_name(other) + ", not both", "both");
}

IntegratorEntry read_integrator(const TableReader& root) {
  const TableReader section = root.table("integrator");
  section.allow_only({"method", "energy_step", "energy_step_fraction", "time_step", "time_step_factor"});
  IntegratorEntry integrator;
  integrator.where = section.where();
  integrator.method = section.choice<Method>(
      "method", {{"energy-stepping", Method::energy_stepping}, {"newmark", Method::newmark}},
      {"force-stepping", "sem", "modin", "labudde-greenspan", "discontinuous-potential"});
  reject_both(section, "energy_step", "energy_step_fraction");
  reject_both(section, "time_step", "time_step_factor");
  integrator.energy_step = section.number("energy_step", Range::positive(), 0);
  integrator.energy_step_fraction = section.number("energy_step_fraction", Range::positive(), 0);
  integrator.time_step = section.number("time_step", Range::positive(), 0);
  integrator.time_step_factor =
      section.number("time_step_factor", Range::positive(), integrator.time_step_factor);
  const bool has_energy_step = integrator.energy_step > 0 || integrator.energy_step_fraction > 0;
  if (integrator.method == Method::energy_stepping && !has_energy_step)
    section.fail(
        "", "integrator.energy_step or integrator.energy_step_fraction with the method \"energy-stepping\"",
        "neither");
  return integrator;
}

LayoutKind read_layout(const TableReader& root) {
  const auto section = root.optional_table("layout");
  if (!section) return LayoutKind::automatic;
  section->allow_only({"kind"});
  return section->choice<LayoutKind>(
      "kind", {{"own", LayoutKind::own}, {"slice", LayoutKind::slice}, {"auto", LayoutKind::automatic}});
}

OutputEntry read_output(const TableReader& root, const std::string& default_directory) {
  OutputEntry output;
  output.directory = default_directory;
  const auto section = root.optional_table("output");
  if (!section) return output;
  section->allow_only(
      {"directory", "overwrite", "field_interval", "history_interval", "surface_only", "single_precision"});
  output.directory = section->text("directory", default_directory);
  output.overwrite = section->flag("overwrite", output.overwrite);
  output.field_interval = section->number("field_interval", Range::any(), output.field_interval);
  output.history_interval =
      section->number("history_interval", Range::not_negative(), output.history_interval);
  output.surface_only = section->flag("surface_only", output.surface_only);
  output.single_precision = section->flag("single_precision", output.single_precision);
  return output;
}

}  // namespace terrace
