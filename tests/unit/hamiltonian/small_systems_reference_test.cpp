// The tables of inputs/small_systems.md are those of the registries. TERRACE_REWRITE_TABLES=1 writes them
// anew.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "hamiltonian/methods.hpp"
#include "hamiltonian/systems.hpp"
#include "support/table_in_text.hpp"

namespace terrace::small_systems_reference_test {
namespace {

TEST(SmallSystemsReference, NamesAllSystemsAndParameters) {
  std::string table = "| kind | is | coordinates | parameters |\n|---|---|---|---|\n";
  for (const SystemEntry& entry : systems()) {
    const auto system = make_system(entry);
    std::string parameters;
    for (const SystemParameter& parameter : entry.parameters)
      parameters +=
          fmt::format("{}`{}` = {}{}", parameters.empty() ? "" : "; ", parameter.name, parameter.value,
                      parameter.description.empty() ? "" : ", " + parameter.description);
    std::string forces;
    for (const auto& force : system->forces)
      if (force->name().find("walls_") == std::string::npos)
        forces += fmt::format("{}`{}`", forces.empty() ? ". Forces: " : ", ", force->name());
    table += fmt::format("| `\"{}\"` | {}{} | {} | {} |\n", entry.name, entry.description, forces,
                         system->initial.q.size(), parameters);
  }
  testing_of_tables::expect_table("inputs/small_systems.md",
                                  "<!-- table of systems: made by SmallSystemsReference -->\n",
                                  "<!-- end of the table of systems -->", table);
}

TEST(SmallSystemsReference, NamesAllMethodsAndKeys) {
  std::string table = "| method | is | keys |\n|---|---|---|\n";
  for (const MethodEntry& entry : methods()) {
    std::string keys;
    for (const std::string& key : entry.keys) {
      keys += fmt::format("{}`{}`", keys.empty() ? "" : ", ", key);
      if (key == "variant") keys += fmt::format(" (\"{}\")", fmt::join(entry.variants, "\", \""));
      if (key == "order") keys += fmt::format(" ({})", fmt::join(entry.orders, ", "));
    }
    table += fmt::format("| `\"{}\"` | {} | {} |\n", entry.name, entry.description, keys);
  }
  testing_of_tables::expect_table("inputs/small_systems.md",
                                  "<!-- table of methods: made by SmallSystemsReference -->\n",
                                  "<!-- end of the table of methods -->", table);
}

}  // namespace
}  // namespace terrace::small_systems_reference_test
