// The one exception type of terrace.
#pragma once

#include <stdexcept>
#include <string>

namespace terrace {

/// What went wrong: what was expected, what was found and where. Thrown by every part of terrace; `app`
/// prints it once, on rank 0, and ends all ranks with `exit_status()`.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    input,  ///< the command line, the deck or a file it names is wrong: exit status 2, nothing was written
    run     ///< the computation or the machine failed: exit status 1
  };

  /// `where` names the deck line, body, element or time ("deck.toml:12", "body ball-1, element 7"); may be
  /// empty.
  Error(Kind kind, const std::string& where, const std::string& expected, const std::string& found);

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] int exit_status() const { return kind_ == Kind::input ? 2 : 1; }

 private:
  Kind kind_;
};

}  // namespace terrace
