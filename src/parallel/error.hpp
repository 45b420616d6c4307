// The one exception type of terrace.
#pragma once

#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace terrace {

/// What went wrong: what was expected, what was found and where. Thrown by every part of terrace; `app`
/// prints it once, on rank 0, and ends all ranks with `exit_status()`.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    input,  ///< the command line, the deck or a file it names is wrong: exit status 2, nothing was written
    run     ///< the computation or the machine failed: exit status 1
  };

  /// Whether the other ranks know of the error.
  enum class Reach {
    one_rank,  ///< perhaps this rank alone throws: the others may be waiting for it in a reduction
    all_ranks  ///< all ranks throw at the same point of the program and may still communicate
  };

  /// `where` names the deck line, body, element or time ("deck.toml:12", "body ball-1, element 7"); may be
  /// empty. Input errors reach all ranks whatever `reach` says: every rank checks the same input.
  Error(Kind kind, const std::string& where, const std::string& expected, const std::string& found,
        Reach reach = Reach::one_rank);

  /// Gives the error a number, such as that of an element. If errors are met in several places at once, on
  /// one rank or on several, the one with the least number is reported.
  [[nodiscard]] Error with_number(std::int64_t number) && {
    number_ = number;
    return std::move(*this);
  }
  [[nodiscard]] std::int64_t number() const { return number_; }

  [[nodiscard]] Kind kind() const { return kind_; }
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] const std::string& expected() const { return expected_; }
  [[nodiscard]] const std::string& found() const { return found_; }
  [[nodiscard]] bool on_all_ranks() const { return reach_ == Reach::all_ranks || kind_ == Kind::input; }
  [[nodiscard]] int exit_status() const { return kind_ == Kind::input ? 2 : 1; }

 private:
  Kind kind_;
  Reach reach_;
  std::string where_, expected_, found_;
  std::int64_t number_ = 0;
};

/// Throws Error(input).
[[noreturn]] inline void reject(const std::string& where, const std::string& expected,
                                const std::string& found) {
  throw Error(Error::Kind::input, where, expected, found);
}

/// Whether all ranks throw this error at the same point of the program (Error::Reach); false for an exception
/// that is not an Error.
[[nodiscard]] bool is_known_to_all(const std::exception& error);

/// The text "time 1.25e-09": nine significant digits, and no unit, as decks may use any unit of time.
std::string at_time(double time);

}  // namespace terrace
