#include "parallel/petsc_options.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "parallel/error.hpp"

namespace terrace {

namespace {

// Options that PETSc looks for only when it ends.
constexpr std::array<std::string_view, 13> options_of_the_end = {
    "log_view",     "log_summary",  "log_trace",      "log_all",     "log",
    "options_left", "options_view", "objects_dump",   "memory_view", "malloc_dump",
    "malloc_view",  "malloc_debug", "get_total_flops"};

/// An error handler for PETSc that keeps the message of the place where the error arose; the callers that the
/// error passes through add nothing to it.
PetscErrorCode keep_words(MPI_Comm, int, const char*, const char*, PetscErrorCode code, PetscErrorType type,
                          const char* words, void* kept) {
  if (type == PETSC_ERROR_INITIAL && words != nullptr) *static_cast<std::string*>(kept) = words;
  return code;
}

}  // namespace

void require_petsc_options(std::span<char* const> words) {
  bool may_be_value = false;
  for (const char* word : words) {
    // PETSc would drop one dash and take it for an option of its own.
    if (std::string_view(word).starts_with("--"))
      throw Error(Error::Kind::input, "command line", "options of PETSc after --, -name or -name value",
                  fmt::format("\"{}\", with two dashes: those of terrace go before the --", word));
    PetscBool is_option = PETSC_FALSE;
    if (PetscOptionsValidKey(word, &is_option) != 0) return;
    if (!is_option && !may_be_value)
      throw Error(Error::Kind::input, "command line", "options of PETSc after --, -name or -name value",
                  fmt::format("\"{}\"", word));
    may_be_value = is_option;
  }
}

void take_petsc_options(const std::function<PetscErrorCode()>& take) {
  std::string words;
  if (PetscPushErrorHandler(keep_words, &words) != 0) return;
  const PetscErrorCode code = take();
  const bool popped = PetscPopErrorHandler() == 0;
  if (code == 0 && popped) return;
  if (words.empty()) words = fmt::format("PETSc error {}", int{code});
  const bool is_machines = code == PETSC_ERR_MEM || code == PETSC_ERR_SYS || code == PETSC_ERR_MPI;
  throw Error(is_machines ? Error::Kind::run : Error::Kind::input, "PETSc options", "values that PETSc knows",
              words);
}

std::string petsc_options() {
  char* all = nullptr;
  if (PetscOptionsGetAll(nullptr, &all) != 0) return {};
  std::string options = all;
  static_cast<void>(PetscFree(all));
  options.erase(options.find_last_not_of(' ') + 1);
  return options;
}

std::vector<std::string> warnings_of_unused_petsc_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  if (PetscOptionsLeftGet(nullptr, &count, &names, &values) != 0) return {};
  std::vector<std::string> warnings;
  for (PetscInt k = 0; k < count; ++k)
    if (std::find(options_of_the_end.begin(), options_of_the_end.end(), names[k]) == options_of_the_end.end())
      warnings.push_back(fmt::format("PETSc option -{}: nothing asked for it", names[k]));
  static_cast<void>(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  return warnings;
}

}  // namespace terrace
