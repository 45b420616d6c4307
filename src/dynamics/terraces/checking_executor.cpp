#include "dynamics/terraces/checking_executor.hpp"

#include "parallel/error.hpp"

namespace terrace {

std::vector<std::byte> CheckingExecutor::saved(const State& state) const {
  ByteWriter writer;
  writer(state);
  integrator_->save(writer);
  return writer.take();
}

std::vector<std::byte> CheckingExecutor::came_to(const State& state) const {
  ByteWriter writer;
  writer(state);
  integrator_->save_motion(writer);
  return writer.take();
}

bool CheckingExecutor::advance(State& state, double until) {
  const auto advance = [&] {
    const bool went_on = integrator_->advance(state, until);
    integrator_->bring_up_to_date(state);
    return went_on;
  };
  const std::vector<std::byte> before = saved(state);
  advance();
  const std::vector<std::byte> first = came_to(state);
  ByteReader reader(before);
  reader(state);
  integrator_->restore(state, reader);
  const bool unread = !reader.at_end(), changed = saved(state) != before;
  const bool went_on = advance();
  if (unread || changed || came_to(state) != first)
    throw Error(Error::Kind::run,
                "event " + std::to_string(integrator_->events()) + ", " + at_time(state.time),
                "the same bits when it is undone and done again",
                changed || unread ? "another state after going back" : "another state after it");
  return went_on;
}

}  // namespace terrace
