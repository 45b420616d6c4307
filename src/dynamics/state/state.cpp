#include "dynamics/state/state.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/profile.hpp"

namespace terrace {

State::State(const Lagrangian& lagrangian, double largest_momentum, InParts)
    : quantum(momentum_quantum(largest_momentum)),
      lines(lagrangian.masses.size()),
      momenta(lagrangian.masses.size()),
      ledger(lagrangian.reaction_names.size()),
      held_by_(lagrangian.held_by) {}

State::State(const Lagrangian& lagrangian, double largest_momentum)
    : State(lagrangian, largest_momentum, InParts{}) {
  for (std::size_t a = 0; a < lines.size(); ++a) lines[a].inverse_mass = 1.0 / lagrangian.masses[a];
}

void State::set_velocities(std::span<const Vector3> velocities) {
  TERRACE_VERIFY(velocities.size() == lines.size(), velocities.size(), lines.size());
  for (std::size_t a = 0; a < lines.size(); ++a) set_velocity(a, velocities[a]);
}

void State::start_row(std::size_t a, double mass, const Vector3& velocity) {
  lines[a].inverse_mass = 1.0 / mass;
  set_velocity(a, velocity);
}

void State::set_velocity(std::size_t a, const Vector3& velocity) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double size = velocity[d] / velocity_per_quantum(a);
    if (!(std::abs(size) < 0x1p121))
      throw Error(Error::Kind::run, "", "nodal momenta within the range of the exact grid",
                  "a momentum thousands of times the largest the initial energy allows");
    const IntegerMultiplier quanta = IntegerMultiplier::nearest(size);
    momenta[a][d] = quanta.times(1);
    const bool held = !held_by_.empty() && held_by_[a][d] != nothing_holds;
    lines[a].velocity[d] = held ? velocity[d] : to_double(momenta[a][d]) * velocity_per_quantum(a);
  }
}

void State::complete_momentum(std::size_t node, const IntegerMomentum& total) {
  for (std::size_t d = 0; d < 3; ++d) {
    Integer128 rest = total[d];
    for (std::size_t a = 0; a < momenta.size(); ++a)
      if (a != node) rest -= momenta[a][d];
    momenta[node][d] = rest;
    lines[node].velocity[d] = to_double(rest) * velocity_per_quantum(node);
  }
}

NodeRow State::row(std::size_t a) const {
  NodeRow row;
  for (std::size_t d = 0; d < 3; ++d) {
    row.line[d] = lines[a].displacement[d];
    row.line[3 + d] = lines[a].velocity[d];
    row.momentum[2 * d] = static_cast<std::uint64_t>(momenta[a][d]);
    row.momentum[2 * d + 1] = static_cast<std::uint64_t>(momenta[a][d] >> 64);
  }
  row.line[6] = lines[a].time;
  return row;
}

void State::set_row(std::size_t a, const NodeRow& row) {
  for (std::size_t d = 0; d < 3; ++d) {
    lines[a].displacement[d] = row.line[d];
    lines[a].velocity[d] = row.line[3 + d];
    momenta[a][d] = static_cast<Integer128>(static_cast<std::int64_t>(row.momentum[2 * d + 1])) *
                        (static_cast<Integer128>(1) << 64) +
                    static_cast<Integer128>(row.momentum[2 * d]);
  }
  lines[a].time = row.line[6];
}

void State::set_row(std::size_t a, const NodeRow& row, double mass) {
  set_row(a, row);
  lines[a].inverse_mass = 1.0 / mass;
}

// 0 where −2^122 ≤ x < 2^122, else not; found from the leading 64 bits.
static std::uint64_t out_of_range(Integer128 x) {
  constexpr int leading = 58;
  return (static_cast<std::uint64_t>(x >> 64) + (std::uint64_t{1} << leading)) >> (leading + 1);
}

// Adds an impulse to one node. False where a momentum leaves its range. `factor`: IntegerMultiplier::whole.
// Two loops, sums first: in one loop GCC stores each sum in halves and loads it whole, and an impulse
// takes 1.4 times as long.
template <bool may_be_held>
inline bool State::push(std::size_t a, IntegerMultiplier::Unsigned128 factor, double per_grid,
                        const Vector3& normal, bool books) {
  IntegerMomentum& momentum = momenta[a];
  NodeLine& line = lines[a];
  const double per_quantum = velocity_per_quantum(a);
  IntegerMomentum after{};
#pragma GCC unroll 3
  for (std::size_t d = 0; d < 3; ++d) {
    const Integer128 impulse =
        IntegerMultiplier::product(factor, static_cast<std::int64_t>(normal[d] * per_grid));
    const std::int32_t reaction = may_be_held ? held_by_[a][d] : nothing_holds;
    if (reaction == nothing_holds)
      after[d] = momentum[d] + impulse;
    else if (books)
      ledger[static_cast<std::size_t>(reaction)][d] += impulse;
  }
  std::uint64_t outside = 0;
#pragma GCC unroll 3
  for (std::size_t d = 0; d < 3; ++d) {
    if (may_be_held && held_by_[a][d] != nothing_holds) continue;
    momentum[d] = after[d];
    outside |= out_of_range(after[d]);
    line.velocity[d] = to_double(after[d]) * per_quantum;
  }
  return outside == 0;
}

template <bool may_be_held>
bool State::push_nodes(double instant, const IntegerMultiplier& factor, double grid,
                       std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                       std::span<std::uint8_t> changed, std::span<const std::uint8_t> books) {
  constexpr double far = 0x1p121;  // smaller impulses cannot overflow 128 bits before the range is checked
  // With any force, a factor of a larger exponent is beyond `far`: the loop returns before it is used.
  const IntegerMultiplier::Unsigned128 whole = factor.exponent < 127 ? factor.whole() : 0;
  const double per_grid = 1.0 / grid, quanta_per_force = std::abs(factor.value()) * per_grid;
  for (const std::int32_t node : nodes) {
    const auto a = static_cast<std::size_t>(node);
    const Vector3 normal = gradient[a];
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0) continue;
    const double largest = std::max({std::abs(normal[0]), std::abs(normal[1]), std::abs(normal[2])});
    if (!(quanta_per_force * largest < far)) return false;
    for ([[maybe_unused]] const double component : normal)
      TERRACE_ASSERT(std::nearbyint(component * per_grid) == component * per_grid, node, component, grid);
    if (!may_be_held || !is_held(held_by_[a])) {
      NodeLine& line = lines[a];
      line.displacement = line.displacement_at(instant);
      line.time = instant;
      changed[a] = 1;
    }
    if (!push<may_be_held>(a, whole, per_grid, normal, !books.empty() && books[a] != 0)) return false;
  }
  return true;
}

void State::apply_impulse(double instant, const IntegerMultiplier& factor, double grid,
                          std::span<const Vector3> gradient, std::span<const std::int32_t> nodes,
                          std::span<std::uint8_t> changed, std::span<const std::uint8_t> books) {
  const OperationScope operation(Operation::impulse);
  TERRACE_VERIFY(grid == 0 || std::ldexp(1.0, std::ilogb(grid)) == grid, grid);  // a power of two
  TERRACE_VERIFY(gradient.size() == lines.size() && changed.size() == lines.size(), gradient.size(),
                 changed.size(), lines.size());
  const bool inside = held_by_.empty()
                          ? push_nodes<false>(instant, factor, grid, gradient, nodes, changed, books)
                          : push_nodes<true>(instant, factor, grid, gradient, nodes, changed, books);
  if (!inside)
    throw Error(Error::Kind::run, at_time(instant), "nodal momenta within the range of the exact grid",
                "a momentum thousands of times the largest the initial energy allows");
}

void State::add_to_ledger(std::size_t reaction, const IntegerMultiplier& factor, double grid,
                          const Vector3& gradient) {
  for (std::size_t d = 0; d < 3; ++d)
    ledger[reaction][d] -= factor.times(static_cast<std::int64_t>(gradient[d] / grid));
}

}  // namespace terrace
