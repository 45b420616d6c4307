#include "numerics/contract.hpp"

#include <cstdio>
#include <string_view>

namespace terrace {
namespace {

/// The path of a source file without the directories of the machine it was compiled on.
std::string_view inside_sources(std::string_view file) {
  const auto at = file.rfind("src/");
  return at == std::string_view::npos ? file.substr(file.rfind('/') + 1) : file.substr(at + 4);
}

/// Removes from `names` the text up to the next comma outside brackets, and returns it.
std::string_view next_name(std::string_view& names) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < names.size() && (depth > 0 || names[end] != ','); ++end) {
    if (names[end] == '(' || names[end] == '[' || names[end] == '{') ++depth;
    if (names[end] == ')' || names[end] == ']' || names[end] == '}') --depth;
  }
  const std::string_view name = names.substr(0, end);
  names.remove_prefix(end);
  while (!names.empty() && (names.front() == ',' || names.front() == ' ')) names.remove_prefix(1);
  return name;
}

}  // namespace

std::string contract_value(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void break_contract(const ContractSite& site, const char* names, std::initializer_list<std::string> values) {
  std::string text = std::string("broken contract, a mistake in terrace: ") + site.expression + " in " +
                     site.function + " (" + std::string(inside_sources(site.file)) + ":" +
                     std::to_string(site.line) + ")";
  std::string_view left = names;
  bool first = true;
  for (const std::string& value : values) {
    text += (first ? " with " : ", ") + std::string(next_name(left)) + " = " + value;
    first = false;
  }
  throw BrokenContract(text);
}

}  // namespace terrace
