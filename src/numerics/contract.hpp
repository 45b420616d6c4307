// Contracts: what callers promise and what must hold inside, checked while the program runs.
//
//   TERRACE_VERIFY(level >= 0, level, energy);
//
// throws BrokenContract with the expression, the function and "level = -1, energy = 0.5". TERRACE_ASSERT is
// the same for places where speed matters: it is checked in debug builds and under sanitizers; elsewhere
// nothing is evaluated.
#pragma once

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace terrace {

/// A mistake in terrace itself, not in a user's input. `app` reports it as any other failure of the run, ends
/// all ranks, and keeps what was reached.
class BrokenContract : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Where a contract stands in the sources.
struct ContractSite {
  const char *expression, *function, *file;
  int line;
};

/// Throws BrokenContract. `names`: those of the values as in the source, separated by commas.
[[noreturn]] void break_contract(const ContractSite& site, const char* names,
                                 std::initializer_list<std::string> values);

/// A value as text, for the message.
[[nodiscard]] std::string contract_value(double value);
template <class T>
[[nodiscard]] std::string contract_value(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_enum_v<T>)
    return std::to_string(static_cast<std::underlying_type_t<T>>(value));
  else if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else if constexpr (std::is_convertible_v<T, double>)
    return contract_value(static_cast<double>(value));
  else
    return std::string(value);
}

template <class... Values>
[[noreturn]] void break_contract_with(const ContractSite& site, const char* names, const Values&... values) {
  break_contract(site, names, {contract_value(values)...});
}

}  // namespace terrace

#define TERRACE_VERIFY(condition, ...)                                                                      \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                                      \
                                : ::terrace::break_contract_with(                                           \
                                      {#condition, static_cast<const char*>(__func__), __FILE__, __LINE__}, \
                                      #__VA_ARGS__ __VA_OPT__(, ) __VA_ARGS__))

#ifdef TERRACE_ASSERTIONS
#define TERRACE_ASSERT(...) TERRACE_VERIFY(__VA_ARGS__)
#else
#define TERRACE_ASSERT(condition, ...) static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif
