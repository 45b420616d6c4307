// Work that may crash, in a process of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace terrace {

struct ChildLimits {
  std::uint64_t memory = 0;   ///< [bytes] beyond what there is already; 0: none
  std::uint64_t seconds = 0;  ///< of processor time; 0: none
};

/// What `work` returns, run in a copy of this process: it may crash, call abort, or use up its limits. An
/// Error is thrown here as it was there. Throws Error(input) with `where`, `expected` and what ended the
/// child if that was something else; Error(run) if there can be no child, or without a limit of memory if it
/// was killed or threw what is no Error. `work` must not communicate; what it changes, and what it prints, is
/// lost. The child ends with its parent; signals that ask a run to stop or to save are left to that.
[[nodiscard]] std::vector<std::byte> in_child_process(const std::string& where, const std::string& expected,
                                                      const ChildLimits& limits,
                                                      const std::function<std::vector<std::byte>()>& work);

}  // namespace terrace
