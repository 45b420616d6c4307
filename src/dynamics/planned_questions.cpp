#include "dynamics/planned_questions.hpp"

#include <algorithm>

#include "numerics/at.hpp"

namespace terrace {

void PlannedQuestions::has_moved(std::int32_t body, int rank) {
  at(known_, rank)[body] = {++at(times_moved_, body), KnownBodies::Part::whole};
}

void PlannedQuestions::ask(int rank, const KnownBodies::Need& need) {
  if (at(times_moved_, need.body) == 0) return;  // at the start all know it
  Known& known = at(known_, rank)[need.body];
  if (known.times_moved != at(times_moved_, need.body))
    known = {at(times_moved_, need.body), KnownBodies::Part::none};
  if (known.part >= need.part) return;
  known.part = need.part;
  const Size& size = at(sizes_, need.body);
  at(came_, rank) += need.part == KnownBodies::Part::whole ? size.whole : size.surface;
}

std::int64_t PlannedQuestions::most_that_came() {
  const std::int64_t most = *std::ranges::max_element(came_);
  std::ranges::fill(came_, 0);
  return most;
}

}  // namespace terrace
