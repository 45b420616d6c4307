// Frames of the fields: what a rank's piece of a frame is made of.
#pragma once

#include "dynamics/state/state.hpp"
#include "io/deck.hpp"
#include "io/vtk_fields.hpp"

namespace terrace {

class FieldOutput {
 public:
  /// Collective; makes the directory. `model` is only read here.
  FieldOutput(const OutputEntry& choice, const Lagrangian& system, const Model& model,
              Communicator& communicator);

  /// Rank 0's alone; as FieldWriter::require_frame.
  void require_frame(double time) const { writer_.require_frame(time); }
  /// Collective. Goes on after the frames that are there, up to this time.
  void resume(double time) { writer_.resume(time); }
  /// Collective. Writes a frame of the state at its time.
  void write(const State& state);
  /// Collective. All frames are listed.
  void flush() { writer_.flush(); }

 private:
  void take_particles();
  void take_elements(const OutputEntry& choice, const Model& model);
  void forget_frame();

  const Lagrangian& system_;
  FieldWriter writer_;
  FieldPiece piece_;
  std::vector<std::int32_t> nodes_;  // local node of each point
};

/// The piece of the undeformed model on one rank, for `terrace mesh`.
FieldPiece undeformed_piece(const Model& model, const std::vector<std::int32_t>& subdomain_of_tetrahedron);

}  // namespace terrace
