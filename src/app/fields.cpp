#include "app/fields.hpp"

#include <map>
#include <type_traits>

#include "numerics/at.hpp"
#include "potentials/elastic/elastic_potential.hpp"

namespace terrace {

FieldOutput::FieldOutput(const OutputEntry& choice, const Lagrangian& system, const Model& model,
                         Communicator& communicator)
    : system_(system),
      writer_(choice.directory, communicator.handle(),
              {choice.surface_only, choice.single_precision, choice.compression, choice.one_file,
               model.particles.dimension > 0}) {
  if (model.particles.dimension > 0)
    take_particles();
  else
    take_elements(choice, model);
}

// Each particle is in the piece of the rank that owns it.
void FieldOutput::take_particles() {
  for (std::size_t a = 0; a < system_.owned.size(); ++a) {
    if (system_.owned[a] == 0) continue;
    nodes_.push_back(static_cast<std::int32_t>(a));
    piece_.reference_positions.push_back(system_.reference[a]);
    piece_.body.push_back(system_.body_of_node[a]);
    piece_.particle.push_back(system_.global_nodes[a]);
    piece_.mass.push_back(system_.masses[a]);
  }
}

void FieldOutput::take_elements(const OutputEntry& choice, const Model& model) {
  const Lagrangian& system = system_;
  // Points: the local nodes that a local tetrahedron uses (copies held for contact alone are not drawn).
  std::vector<std::int32_t> point(system.masses.size(), -1);
  std::size_t cells = 0;
  for (const ElasticBlock& block : system.elastic_blocks) cells += block.tetrahedra.size();
  piece_.cells.reserve(cells);
  piece_.body.reserve(cells);
  piece_.subdomain.reserve(cells);
  for (const ElasticBlock& block : system.elastic_blocks)
    for (const Tetrahedron& tetrahedron : block.tetrahedra) {
      Tetrahedron cell = tetrahedron;
      for (std::int32_t& node : cell) {
        std::int32_t& number = at(point, node);
        if (number < 0) {
          number = static_cast<std::int32_t>(nodes_.size());
          nodes_.push_back(node);
        }
        node = number;
      }
      piece_.cells.push_back(cell);
      piece_.body.push_back(block.body);
      piece_.subdomain.push_back(block.subdomain);
    }
  nodes_.shrink_to_fit();
  piece_.reference_positions.reserve(nodes_.size());
  for (const std::int32_t node : nodes_) piece_.reference_positions.push_back(at(system.reference, node));
  if (!choice.surface_only) return;

  std::map<std::int32_t, std::int32_t> point_of_model_node;
  for (std::size_t p = 0; p < nodes_.size(); ++p)
    point_of_model_node[at(system.global_nodes, nodes_[p])] = static_cast<std::int32_t>(p);
  std::vector<Triangle> outer;
  for (const Body& body : model.bodies)
    for (const Triangle& triangle : body.boundary) {
      Triangle mine = triangle;
      bool complete = true;
      for (std::int32_t& node : mine) {
        const auto found = point_of_model_node.find(node);
        complete = complete && found != point_of_model_node.end();
        if (complete) node = found->second;
      }
      if (complete) outer.push_back(mine);
    }
  attach_surface(piece_, outer);
}

// Frees what changes from frame to frame: it takes as much memory as the grid that is made of it.
void FieldOutput::forget_frame() {
  const auto forget = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  forget(piece_.displacements);
  forget(piece_.velocities);
  forget(piece_.energy_density);
  forget(piece_.jacobian);
  forget(piece_.stress);
}

void FieldOutput::write(const State& state) {
  forget_frame();  // of one that could not be written
  piece_.displacements.reserve(nodes_.size());
  piece_.velocities.reserve(nodes_.size());
  for (const std::int32_t node : nodes_) {
    const NodeLine& line = at(state.lines, node);
    piece_.displacements.push_back(line.displacement_at(state.time));
    piece_.velocities.push_back(line.velocity);
  }
  piece_.energy_density.reserve(piece_.cells.size());
  piece_.jacobian.reserve(piece_.cells.size());
  piece_.stress.reserve(piece_.cells.size());
  for (const ElasticBlock& block : system_.elastic_blocks) {
    for (const ElementState& element : block.elastic->element_states({state.lines, state.time})) {
      piece_.energy_density.push_back(element.energy_density);
      piece_.jacobian.push_back(element.jacobian);
      piece_.stress.push_back(element.cauchy);
    }
  }
  writer_.write(state.time, piece_);
  forget_frame();
}

FieldPiece undeformed_piece(const Model& model, const std::vector<std::int32_t>& subdomain_of_tetrahedron) {
  FieldPiece piece;
  piece.reference_positions = model.positions;
  piece.displacements.assign(model.positions.size(), Vector3{});
  piece.velocities = model.velocities;
  piece.cells = model.tetrahedra;
  piece.body = model.body_of_tetrahedron;
  piece.subdomain = subdomain_of_tetrahedron;
  piece.energy_density.assign(model.tetrahedra.size(), 0.0);
  piece.jacobian.assign(model.tetrahedra.size(), 1.0);
  piece.stress.assign(model.tetrahedra.size(), {});
  return piece;
}

}  // namespace terrace
