// One rank's share of the system: its nodes, its potentials, and the subdomains they are grouped in.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "dynamics/system/passing_elements.hpp"
#include "geometry/vector3.hpp"
#include "mesh/model.hpp"
#include "numerics/infinity.hpp"
#include "parallel/communicator.hpp"
#include "parallel/shared_nodes.hpp"
#include "potentials/potential.hpp"
#include "potentials/potential_step.hpp"

namespace terrace {

/// How many contact terms the grids hold at first, in the sums of a subdomain and at one of its nodes. How
/// many pairs touch is known only when they do: potentials on lines count their terms
/// (LineSample::contact_terms, PotentialOnLine::contact_terms_at_node), and grids are remade for more terms.
constexpr double usual_contact_terms = 65536, usual_contact_terms_at_node = 256;

/// A group of potentials with a terrace of its own (thesis 4.1). All members are the same on all ranks but
/// the local lists, and `only_rank` of a subdomain that several ranks hold `everywhere`.
struct Subdomain {
  std::string name;
  double energy_step = 0;    ///< h [J]; +∞ if impenetrable
  double terms = 1;          ///< number of terms in its sums over all ranks, with usual_contact_terms
  double terms_at_node = 1;  ///< most contributions to one node, with usual_contact_terms_at_node
  double elements = 0;       ///< number of tetrahedra over all ranks
  double node_count = 1;     ///< number of nodes it loads over all ranks, or an upper bound
  double stable_step = 0;    ///< of explicit Newmark [s], for its elements or the bodies it loads
  double stable_contact_step = infinity;  ///< the same for its smooth contact and walls
  /// Simultaneous events are done in ascending order of this: (−1, number) for a subdomain of the
  /// localization, the two bodies for a pair, the least of its members' for a group. Other bodies do not
  /// change it.
  std::array<std::int32_t, 2> order{};
  std::vector<std::int32_t> neighbours;  ///< subdomains that share nodes with it, ascending
  bool impenetrable = false;             ///< holds nothing but a set constraint: a terrace of infinite height
  bool certified = true;                 ///< every potential has a certified bound
  bool asleep = false;                   ///< a contact pair whose bodies are far apart: its energy is 0
  bool contact = false;                  ///< holds contact or wall potentials, whose forces come and go
  int only_rank = -1;  ///< the rank that holds all its potentials; −1: several ranks have shares
  /// Each of several ranks holds all of it, and computes the same without a message; `only_rank` is then
  /// this rank.
  bool everywhere = false;
  std::vector<const Potential*> potentials;  ///< this rank's
  std::vector<int> reaction_of_potential;  ///< for each of them, whose ledger its forces go to; −1: internal
  /// In a group of touching bodies: for each of `potentials` the two bodies that it loads, counted from 0
  /// within the group, or one body twice. A body's nodes are loaded by potentials with its number alone.
  /// Empty in other subdomains, and where a member of the group loads several bodies.
  std::vector<std::array<std::int32_t, 2>> loads_of_potential;
  std::int32_t loaded_bodies = 1;  ///< number of bodies counted there, 1 if it is empty; same on all ranks
  const SetConstraint* constraint = nullptr;  ///< of an impenetrable subdomain, on its rank
  int reaction_of_constraint = -1;            ///< whose ledger the constraint's impulses go to
  std::vector<std::int32_t> nodes;  ///< local nodes it loads, whichever rank has its potentials, ascending
  std::vector<std::int32_t> owned_nodes;  ///< those of `nodes` that this rank counts in sums over all nodes
  SharedNodes shared_nodes;
  /// For bodies that ranks share out (LivingSubdomains), and groups of them: for each of `nodes` whether
  /// ranks share it. Else empty.
  std::vector<std::uint8_t> is_shared;
};

class ElasticPotential;

/// This rank's tetrahedra of one body in one subdomain: their potential is made of them, and they serve
/// output and energies. With Elements::on_demand (mesh_system.hpp) the potential comes and goes.
struct ElasticBlock {
  std::int32_t body, subdomain;
  std::vector<Tetrahedron> tetrahedra;          ///< local node numbers; empty if the potential comes and goes
  std::vector<std::int32_t> global_tetrahedra;  ///< their numbers in the model; empty likewise
  std::int32_t first_tetrahedron = 0;           ///< of the body, in the model
  PassingElements passing = {};                 ///< both lists, if the potential comes and goes
  Material material;
  std::size_t inner = 0;        ///< the last `inner` tetrahedra load no node that other ranks hold
  std::int32_t potential = -1;  ///< index into Lagrangian::potentials; −1: it comes and goes
  const ElasticPotential* elastic = nullptr;  ///< the potential; null while there is none (LivingSubdomains)
};

/// For each component of a node's motion the support that holds it, as an index into
/// Lagrangian::reaction_names, or nothing_holds.
using HeldBy = std::array<std::int32_t, 3>;
constexpr std::int32_t nothing_holds = -1;
/// Whether all components of a node are held.
[[nodiscard]] inline bool is_held(const HeldBy& held_by) {
  return held_by[0] != nothing_holds && held_by[1] != nothing_holds && held_by[2] != nothing_holds;
}

/// A force on a node, with 0 for the components that are held: the part that sets the node in motion.
[[nodiscard]] inline Vector3 free_part(const Vector3& force, const HeldBy& held_by) {
  Vector3 free = force;
  for (std::size_t d = 0; d < 3; ++d)
    if (held_by[d] != nothing_holds) free[d] = 0;
  return free;
}

/// A stable step [s] for two sets of springs that act together, from the stable step of each set alone: ω² of
/// all springs on a node is at most the sum of both.
[[nodiscard]] inline double stable_together(double first, double second) {
  return 1 / norm({1 / first, 1 / second, 0});
}

class ContactPairs;

/// One rank's share of the system: what the system is, not where it is (State). The SystemBuilder makes it;
/// after that LivingSubdomains alone writes to it. Nodes have local numbers unless said otherwise.
struct Lagrangian {
  Communicator* communicator = nullptr;
  std::int64_t node_count = 0;  ///< of the whole system
  std::size_t dimension = 3;    ///< of space: on a line or in the plane nodes move along the first axes alone
  std::vector<std::int32_t> global_nodes;  ///< model node of each local node, ascending
  std::vector<Vector3> reference;          ///< reference positions of the local nodes
  std::vector<double> masses;
  std::vector<std::uint8_t> owned;  ///< 1 where this rank counts the node in sums over nodes
  std::vector<std::int32_t> body_of_node;
  std::vector<std::unique_ptr<Potential>> potentials;
  std::vector<std::unique_ptr<SetConstraint>> constraints;
  std::vector<PotentialStep> potential_steps;  ///< W, besides the smooth potentials
  bool has_contact = false;  ///< some rank has contact or walls, now or later; true of particles
  std::vector<ElasticBlock> elastic_blocks;
  std::shared_ptr<const ContactPairs>
      contact_pairs;              ///< pairs that become subdomains when their bodies are near, or null; in
                                  ///< the layout "windows" in the numbers of all nodes
  std::vector<int> rank_of_body;  ///< where bodies may touch: it has the pairs whose first body this is
  std::vector<Subdomain> subdomains;
  /// Ranks that work together (teams in windows) have divided bodies among them, or each holds all of a body
  /// (LivingSubdomains); such a body is a subdomain of the same number on all of them. Their subdomains alone
  /// say what they share: `shared_nodes` below does not.
  bool bodies_are_shared_out = false;
  bool touching_bodies_share = false;  ///< bodies share a terrace for as long as they touch
  SharedNodes shared_nodes;            ///< of all potentials together (smooth integrators)
  std::vector<std::string> body_names;
  /// What acts from outside, each with a ledger: walls, then fields, supports and gravity, as there are any.
  std::vector<std::string> reaction_names;
  std::vector<Vector3> reaction_velocities;  ///< of each reaction: constant for a support that moves, else 0
  std::vector<HeldBy> held_by;               ///< per local node; empty where there are no supports
  Vector3 gravity{};                         ///< acceleration [length/time²]
  double energy_of_a_fall = 0;               ///< the most that gravity is taken to give the system [J]
  std::vector<std::int32_t> gravity_loads;   ///< indices into `potentials`: weights
  std::vector<double> body_stable_steps;     ///< explicit Newmark's for each body without contact [s]
  double stable_step = 0;                    ///< the least of them
  double stable_contact_step = infinity;     ///< explicit Newmark's for smooth contact and walls [s]
  std::string layout;
};

}  // namespace terrace
