// Frames of the fields: what a rank's piece of a frame is made of.
#pragma once

#include "dynamics/state/state.hpp"
#include "io/deck.hpp"
#include "io/vtk_fields.hpp"

namespace terrace {

/// Writes the frames of the fields; each rank gives the piece of its own elements, or of the particles that
/// it owns.
class FieldOutput {
 public:
  /// Collective. Makes the directory of the frames. `model` is used only in the constructor.
  FieldOutput(const OutputEntry& choice, const Lagrangian& system, const Model& model,
              Communicator& communicator);

  /// Call on rank 0. As FieldWriter::require_frame.
  void require_frame(double time) const { writer_.require_frame(time); }
  /// Collective. Continues the frames that are there, up to and including `time` (FieldWriter::resume).
  void resume(double time) { writer_.resume(time); }
  /// Collective. Writes a frame of `state` at its time.
  void write(const State& state);
  /// Collective. Makes fields.pvd list all frames.
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

/// The whole undeformed model as one piece of a frame, for `terrace mesh`.
FieldPiece undeformed_piece(const Model& model, const std::vector<std::int32_t>& subdomain_of_tetrahedron);

}  // namespace terrace
