// Work that may crash, in a process of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace terrace {

/// What a child process may use.
struct ChildLimits {
  std::uint64_t memory = 0;   ///< [bytes] beyond what this process has already; 0: no limit
  std::uint64_t seconds = 0;  ///< [s] of processor time; 0: no limit
};

/// Runs `work` in a copy of this process and returns its result; it may crash, call abort, or use up its
/// limits. An Error that it throws is thrown here again. If something else ends the child, throws
/// Error(input) with `where`, `expected` and what ended it; but Error(run) if, without a limit of memory, it
/// was killed or threw an exception that is no Error. Also throws Error(run) if no child can be made. `work`
/// must not communicate; what it changes and what it prints is lost. The child ends with its parent and
/// ignores the signals that ask a run to stop or to save.
[[nodiscard]] std::vector<std::byte> in_child_process(const std::string& where, const std::string& expected,
                                                      const ChildLimits& limits,
                                                      const std::function<std::vector<std::byte>()>& work);

}  // namespace terrace
