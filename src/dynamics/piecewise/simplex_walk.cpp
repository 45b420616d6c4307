#include "dynamics/piecewise/simplex_walk.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "numerics/contract.hpp"
#include "numerics/infinity.hpp"
#include "parallel/error.hpp"

namespace terrace {

/// Vertex k of the walk's simplex.
class SimplexWalk::VertexOfWalk : public Vertex {
 public:
  VertexOfWalk(const SimplexWalk& walk, std::size_t k) : walk_(walk), k_(k) {}
  [[nodiscard]] double operator[](std::size_t coordinate) const override {
    return walk_.vertex(k_, coordinate);
  }

 private:
  const SimplexWalk& walk_;
  std::size_t k_;
};

SimplexWalk::SimplexWalk(std::vector<GridLine> grid, VertexPotential& potential)
    : grid_(std::move(grid)), potential_(&potential), motions_(grid_.size()), values_(grid_.size() + 1) {
  TERRACE_VERIFY(!grid_.empty() && grid_.size() == potential.coordinates(), grid_.size(),
                 potential.coordinates());
  for (const GridLine& line : grid_) {
    TERRACE_VERIFY(line.spacing > 0, line.spacing);
    double& of_axis = spacings_[line.axis];
    TERRACE_VERIFY(of_axis == 0 || of_axis == line.spacing || potential.parts() == 0, line.spacing, of_axis);
    of_axis = line.spacing;
  }
  exits_.resize(grid_.size() + 1);
}

double SimplexWalk::plane(std::size_t i, std::int64_t cell) const {
  return grid_[i].origin + motions_[i].side * (grid_[i].spacing * static_cast<double>(cell));
}

double SimplexWalk::vertex(std::size_t k, std::size_t i) const {
  return plane(i, motions_[i].cell + (rank_of(i) <= k ? 1 : 0));
}

double SimplexWalk::vertex_value(std::size_t k) const {
  return to_double(values_[slot(k)]) * potential_->quantum();
}

double SimplexWalk::acceleration(std::size_t i) const {
  return motions_[i].side * (motions_[i].acceleration * grid_[i].spacing);
}

SimplexWalk::Parabola SimplexWalk::at(std::size_t i, double offset) const {
  const GridMotion& motion = motions_[i];
  const double s = offset - motion.time;
  return {motion.fraction + s * (motion.speed + 0.5 * s * motion.acceleration),
          motion.speed + s * motion.acceleration, motion.acceleration};
}

double SimplexWalk::value(std::size_t i, double time) const {
  const double along = static_cast<double>(motions_[i].cell) + at(i, offset_of(time)).value;
  return grid_[i].origin + motions_[i].side * (grid_[i].spacing * along);
}

double SimplexWalk::rate(std::size_t i, double time) const {
  return motions_[i].side * (grid_[i].spacing * at(i, offset_of(time)).slope);
}

// V(z⁰) + Σ f_π(k) (V(z^k) − V(z^{k−1})).
double SimplexWalk::potential(double time) const {
  double sum = vertex_value(0);
  for (std::size_t k = 1; k <= dimension(); ++k)
    sum += at(coordinate_at(k), offset_of(time)).value *
           (to_double(values_[slot(k)] - values_[slot(k - 1)]) * potential_->quantum());
  return sum;
}

// Finds the cell, and the order π of the coordinates in it.
void SimplexWalk::locate(std::span<const double> values, std::span<const double> rates) {
  for (std::size_t i = 0; i < dimension(); ++i) {
    const GridLine& line = grid_[i];
    double along = (values[i] - line.origin) / line.spacing, speed = rates[i] / line.spacing;
    const bool beyond = line.mirrored && (along < 0 || (along == 0 && speed < 0));
    if (beyond) along = -along, speed = -speed;
    constexpr double most = 0x1p40;  // in cells farther away few digits are left for the place within
    if (!(std::abs(along) < most))
      throw Error(Error::Kind::input, "integrator.grid_spacing",
                  fmt::format("at least {:.3g} for a coordinate of {:.3g}",
                              std::abs(values[i] - line.origin) / most, values[i]),
                  fmt::format("{:.3g}", line.spacing));
    const double cell = std::floor(along);
    motions_[i] = {static_cast<std::int64_t>(cell), along - cell, speed, 0, 0, beyond ? -1.0 : 1.0};
  }
  order_.resize(dimension());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  // Of coordinates with equal fractions the faster one is ahead at once.
  std::stable_sort(order_.begin(), order_.end(), [&](std::size_t i, std::size_t j) {
    return std::pair(motions_[i].fraction, motions_[i].speed) >
           std::pair(motions_[j].fraction, motions_[j].speed);
  });
  place_.resize(dimension());
  for (std::size_t p = 0; p < dimension(); ++p) place_[order_[p]] = p;
}

void SimplexWalk::start(std::span<const double> values, std::span<const double> rates, double time) {
  TERRACE_VERIFY(values.size() == dimension() && rates.size() == dimension(), values.size(), rates.size());
  first_ = lowest_ = 0;
  epoch_ = time;
  epoch_rest_ = now_ = 0;
  crossings_ = standing_ = 0;
  locate(values, rates);
  const std::size_t parts = potential_->parts();
  rises_of_parts_.assign(parts * dimension(), 0);
  total_rises_.assign(parts, {0, 0, 0});
  received_.assign(parts, Vector3{});
  values_[0] = potential_->value(VertexOfWalk(*this, 0));
  for (std::size_t k = 1; k <= dimension(); ++k) evaluate_above(k);
  for (std::size_t k = 1; k <= dimension(); ++k) accelerate(k);
  restart_clock();
}

// Finds V(z^k) from V(z^{k−1}).
void SimplexWalk::evaluate_above(std::size_t k) {
  const std::size_t i = coordinate_at(k);
  values_[slot(k)] = potential_->value_beyond(VertexOfWalk(*this, k - 1), values_[slot(k - 1)], i,
                                              plane(i, motions_[i].cell + 1));
  note_rises(i, 1);
}

// Notes how much each part of V rises along coordinate i, after a value_beyond in this direction of it.
void SimplexWalk::note_rises(std::size_t i, double direction) {
  const std::span<const Integer128> changes = potential_->part_changes();
  for (std::size_t part = 0; part < received_.size(); ++part)
    note_rise(part, i, direction > 0 ? changes[part] : -changes[part]);
}

void SimplexWalk::note_rise(std::size_t part, std::size_t i, Integer128 rise) {
  Integer128& of_coordinate = rises_of_parts_[i * received_.size() + part];
  Integer128& total = total_rises_[part][grid_[i].axis];
  total += motions_[i].side > 0 ? rise - of_coordinate : of_coordinate - rise;
  of_coordinate = rise;
}

Vector3 SimplexWalk::received(std::size_t part, double time) const {
  return received_until(part, offset_of(time));
}

Vector3 SimplexWalk::received_until(std::size_t part, double offset) const {
  Vector3 sum = received_[part];
  const double quanta = (offset - now_) * potential_->quantum();
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (total_rises_[part][axis] != 0)
      sum[axis] += to_double(total_rises_[part][axis]) * quanta / spacings_[axis];
  return sum;
}

// Free fall of the coordinate of this rank in π: −∇V_h / m, in spacings.
void SimplexWalk::accelerate(std::size_t rank) {
  const std::size_t i = coordinate_at(rank);
  const double rise = to_double(values_[slot(rank)] - values_[slot(rank - 1)]) * potential_->quantum();
  motions_[i].acceleration = -rise * grid_[i].inverse_mass / (grid_[i].spacing * grid_[i].spacing);
}

SimplexWalk::Parabola SimplexWalk::barycentric(std::size_t k) const {
  const Parabola above = k == 0 ? Parabola{1, 0, 0} : at(coordinate_at(k), now_);
  const Parabola below = k == dimension() ? Parabola{0, 0, 0} : at(coordinate_at(k + 1), now_);
  return {above.value - below.value, above.slope - below.slope, above.curvature - below.curvature};
}

/// The least s ≥ 0 at which c + b s + ½ a s² falls to 0, or +∞; c ≥ 0 but for rounding.
static double time_to_zero(double c, double b, double a) {
  constexpr double never = infinity;
  if (!(c > 0)) {
    if (b < 0 || (b == 0 && a < 0)) return 0;
    return a < 0 ? -2 * b / a : never;
  }
  if (b >= 0 && a >= 0) return never;
  const double discriminant = b * b - 2 * a * c;
  if (discriminant < 0) return never;
  const double root = std::sqrt(discriminant);
  return b > 0 ? -(b + root) / a : 2 * c / (root - b);
}

// Finds when μ_k = 0 next. Where the walk has just entered through that face μ_k is 0 but for rounding, and
// grows.
void SimplexWalk::renew_exit(std::size_t k, bool just_entered) {
  const Parabola mu = barycentric(k);
  exits_.set(slot(k), now_ + time_to_zero(just_entered ? 0 : mu.value, mu.slope, mu.curvature));
}

void SimplexWalk::bring_to(double offset, std::size_t i) {
  const Parabola present = at(i, offset);
  motions_[i].fraction = present.value;
  motions_[i].speed = present.slope;
  motions_[i].time = offset;
}

void SimplexWalk::exchange(std::size_t rank) {
  const std::size_t one = (first_ + rank - 1) % dimension(), other = (one + 1) % dimension();
  std::swap(order_[one], order_[other]);
  place_[order_[one]] = one;
  place_[order_[other]] = other;
}

// Applies the replacement rule (Lemma 3.3.3) to vertex k, and returns the number of the new vertex. Where z⁰
// is replaced the new vertex is the last, and where z^d is the first: then the rings turn.
std::size_t SimplexWalk::replace_vertex(std::size_t k) {
  const std::size_t d = dimension();
  if (k > 0 && k < d) {
    std::vector<Integer128>& rises = rises_of_parts_;
    const std::size_t i = coordinate_at(k + 1), j = coordinate_at(k), parts = received_.size();
    // V rises along both coordinates together by the same, whichever goes first.
    rises_of_both_.resize(parts);
    for (std::size_t part = 0; part < parts; ++part)
      rises_of_both_[part] = rises[i * parts + part] + rises[j * parts + part];
    exchange(k);
    evaluate_above(k);
    for (std::size_t part = 0; part < parts; ++part)
      note_rise(part, j, rises_of_both_[part] - rises[i * parts + part]);
    return k;
  }
  GridMotion& motion = motions_[coordinate_at(k == 0 ? 1 : d)];
  if (k == 0) {
    ++motion.cell;
    motion.fraction -= 1;
    first_ = (first_ + 1) % d;
    lowest_ = slot(1);
    evaluate_above(d);
    return d;
  }
  if (grid_[coordinate_at(d)].mirrored && motion.cell == 0) {
    motion.side = -motion.side;
    motion.fraction = -motion.fraction;
    motion.speed = -motion.speed;
    // On the other side the coordinate, and so the rises along it, count in the other direction.
    const std::size_t i = coordinate_at(d), parts = received_.size();
    for (std::size_t part = 0; part < parts; ++part) rises_of_parts_[i * parts + part] *= -1;
    evaluate_above(d);
    return d;
  }
  --motion.cell;
  motion.fraction += 1;
  first_ = (first_ + d - 1) % d;
  lowest_ = slot(d);
  const std::size_t i = coordinate_at(1);
  values_[slot(0)] =
      potential_->value_beyond(VertexOfWalk(*this, 1), values_[slot(1)], i, plane(i, motion.cell));
  note_rises(i, -1);
  return 0;
}

void SimplexWalk::cross() {
  const std::size_t d = dimension(), k = (exits_.index() + d + 1 - lowest_) % (d + 1);
  const double before = now_;
  for (std::size_t part = 0; part < received_.size(); ++part)
    received_[part] = received_until(part, exits_.time());
  now_ = exits_.time();
  standing_ = now_ > before ? 0 : standing_ + 1;
  if (standing_ > static_cast<std::int64_t>(4 * (d + 1) * (d + 1) + 64))
    throw Error(Error::Kind::run, at_time(time()), "a motion across the faces of the grid",
                "one that stays on an edge of it: set integrator.grid_offset, so that not all coordinates "
                "begin on planes of the grid");
  if (k > 0) bring_to(now_, coordinate_at(k));
  if (k < d) bring_to(now_, coordinate_at(k + 1));
  const std::size_t fresh = replace_vertex(k);
  if (fresh > 0) accelerate(fresh);
  if (fresh < d) accelerate(fresh + 1);
  renew_exit(fresh, true);
  renew_exit((fresh + 1) % (d + 1), false);
  renew_exit((fresh + d) % (d + 1), false);
  ++crossings_;
  if (++since_epoch_ > static_cast<std::int64_t>(d)) restart_clock();
}

// Moves the epoch to now: times counted from it keep their digits, however long the run.
void SimplexWalk::restart_clock() {
  for (std::size_t i = 0; i < dimension(); ++i) {
    bring_to(now_, i);
    motions_[i].time = 0;
  }
  const double step = epoch_rest_ + now_, sum = epoch_ + step;
  epoch_rest_ = step - (sum - epoch_);
  epoch_ = sum;
  now_ = 0;
  since_epoch_ = 0;
  for (std::size_t k = 0; k <= dimension(); ++k) renew_exit(k, false);
}

}  // namespace terrace
