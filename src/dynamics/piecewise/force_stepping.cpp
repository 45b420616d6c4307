#include "dynamics/piecewise/force_stepping.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>

#include "dynamics/piecewise/jacobi_coordinates.hpp"
#include "dynamics/piecewise/nodal_coordinates.hpp"
#include "dynamics/piecewise/radial_coordinate.hpp"
#include "dynamics/terraces/event_monitor.hpp"
#include "numerics/contract.hpp"
#include "parallel/error.hpp"
#include "parallel/hash.hpp"
#include "parallel/together.hpp"

namespace terrace {
namespace {

void require_valid(const Lagrangian& system, const GridChoice& grid) {
  const auto refuse = [](const std::string& where, const std::string& expected, const std::string& found) {
    throw Error(Error::Kind::input, where, expected, found);
  };
  for (const double spacing : grid.spacing)
    if (!(spacing > 0))
      refuse("integrator.grid_spacing", "a positive spacing of the grid", fmt::format("{:g}", spacing));
  if (grid.parity && grid.offset != 0)
    refuse("integrator.grid_offset", "none with integrator.parity: the planes of symmetry are planes of it",
           fmt::format("{:g}", grid.offset));
  if (system.contact_pairs != nullptr)
    refuse("contact.model", "\"none\" with force-stepping, whose potentials do not come and go",
           "pairs of bodies that may touch");
  for (const Vector3& velocity : system.reaction_velocities)
    if (norm(velocity) > 0) refuse("supports", "supports at rest with force-stepping", "one that moves");
}

/// The share of a spacing by which coordinate i's planes are shifted.
double shift(std::size_t i, double offset) {
  const double turns = static_cast<double>(i) * offset;
  return turns - std::floor(turns);
}

std::unique_ptr<GridCoordinates> make_coordinates(const Lagrangian& system, const State& state,
                                                  const GridChoice& grid) {
  const double scale = energy_scale(system, state, grid.spacing);
  switch (grid.reduction) {
    case Reduction::translations:
      return std::make_unique<JacobiCoordinates>(system, system.dimension, scale);
    case Reduction::rotations:
      return std::make_unique<RadialCoordinate>(system, state, scale);
    case Reduction::none:
      break;
  }
  return std::make_unique<NodalCoordinates>(
      system, state, system.dimension, *std::max_element(grid.spacing.begin(), grid.spacing.end()), scale);
}

/// What rank 0 tells the other ranks in each call of advance.
struct Told {
  enum class What { crossing, nothing, failure } what = What::nothing;
  double step = 0, time = 0;
};

}  // namespace

ForceStepping::ForceStepping(const Lagrangian& system, State& state, const GridChoice& grid)
    : system_(system),
      steps_(no_events("grid", grid.spacing[0])),
      start_(state.time),
      last_step_(state.time) {
  require_valid(system, grid);
  together(system.communicator->handle(), [&] {
    if (system_.communicator->rank() == 0) begin(state, grid);
  });
  std::array<std::uint8_t, 1> books = {
      grid.reduction == Reduction::rotations ? system.reaction_names.size() < 2 : system.held_by.empty()};
  system.communicator->broadcast(std::as_writable_bytes(std::span(books)), 0);
  books_reactions_ = books[0] != 0;
  ForceStepping::bring_up_to_date(state);
}

void ForceStepping::begin(const State& state, const GridChoice& grid) {
  TERRACE_VERIFY(static_cast<std::int64_t>(system_.masses.size()) == system_.node_count,
                 system_.masses.size(), system_.node_count);
  coordinates_ = make_coordinates(system_, state, grid);
  std::vector<GridLine> lines;
  for (const GridCoordinates::Coordinate& coordinate : coordinates_->list()) {
    const double spacing = grid.spacing[coordinate.axis];
    lines.push_back({1 / coordinate.mass, spacing, spacing * shift(lines.size(), grid.offset), grid.parity,
                     coordinate.axis});
  }
  if (lines.empty())
    throw Error(Error::Kind::input, "integrator.method", "something that is free to move",
                "no coordinate that is");
  std::vector<double> values(lines.size()), rates(lines.size());
  coordinates_->read(state, values, rates);
  walk_.emplace(std::move(lines), *coordinates_);
  walk_->start(values, rates, state.time);
}

void ForceStepping::step() {
  coordinates_->follow(*walk_);
  walk_->cross();
}

bool ForceStepping::advance(State& state, double until) {
  Told told;
  std::exception_ptr failure;
  if (walk_.has_value() && walk_->next() <= until) {
    try {
      const double before = walk_->time();
      step();
      told = {Told::What::crossing, walk_->time() - before, walk_->time()};
    } catch (...) {
      failure = std::current_exception();
      told.what = Told::What::failure;
    }
  }
  system_.communicator->broadcast(std::as_writable_bytes(std::span(&told, 1)), 0);
  if (told.what == Told::What::failure)
    together(system_.communicator->handle(), [&] {
      if (failure) std::rethrow_exception(failure);
    });
  if (told.what == Told::What::crossing) {
    count_step(steps_, told.step);
    state.time = last_step_ = told.time;
    return true;
  }
  state.time = until;
  bring_up_to_date(state);
  return false;
}

void ForceStepping::bring_up_to_date(State& state) {
  if (walk_.has_value()) {
    coordinates_->write(*walk_, state.time, state);
    for (std::size_t part = 0; part < coordinates_->parts(); ++part)
      state.ledger[part] = nearest_momentum(walk_->received(part, state.time), state.quantum);
    potential_ = walk_->potential(state.time) - coordinates_->kinetic_part(*walk_, state.time);
  }
  system_.communicator->broadcast(std::as_writable_bytes(std::span(&potential_, 1)), 0);
}

double ForceStepping::average_step() const {
  return steps_.events > 0 ? (last_step_ - start_) / static_cast<double>(steps_.events) : 0;
}

std::vector<SubdomainRecord> ForceStepping::subdomain_records() const {
  SubdomainRecord record = steps_;
  record.step_mean = average_step();
  if (record.events == 0) record.step_min = 0;
  return {record};
}

void ForceStepping::share() {
  if (walk_.has_value()) {
    ByteWriter writer;
    writer(*walk_);
    coordinates_->save(writer);
    shared_ = writer.take();
  }
  std::uint64_t size = shared_.size();
  system_.communicator->broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
  shared_.resize(size);
  system_.communicator->broadcast(std::as_writable_bytes(std::span(shared_)), 0);
}

void ForceStepping::save(ByteWriter& writer) const {
  ByteWriter own;
  if (walk_.has_value()) {
    own(*walk_);
    coordinates_->save(own);
  }
  writer(steps_, start_, last_step_, potential_, walk_.has_value() ? own.take() : shared_);
}

void ForceStepping::restore(const State& /*state*/, ByteReader& reader) {
  reader(steps_, start_, last_step_, potential_, shared_);
  if (!walk_.has_value()) return;
  ByteReader own(shared_);
  own(*walk_);
  coordinates_->restore(own);
}

std::uint64_t ForceStepping::hash() const {
  return chain(mix(static_cast<std::uint64_t>(steps_.events)), last_step_);
}

}  // namespace terrace
