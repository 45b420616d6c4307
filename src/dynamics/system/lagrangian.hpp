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

/// Numbers of contact terms, of a subdomain and at a node of it, that grids hold at first. How many pairs
/// touch is known only when they do: potentials count them (LineSample::contact_terms,
/// Potential::contact_terms_at_node), and where there are more the grids are made for more.
constexpr double usual_contact_terms = 65536, usual_contact_terms_at_node = 256;

/// A group of potentials with a terrace of its own (thesis 4.1). Everything but the local lists is the same
/// on all ranks.
struct Subdomain {
  std::string name;
  double energy_step = 0;    ///< h [J]; +∞ if impenetrable
  double terms = 1;          ///< number of terms of its sums, over all ranks, with usual_contact_terms
  double terms_at_node = 1;  ///< of the contributions to one node, with usual_contact_terms_at_node
  double elements = 0;       ///< tetrahedra, over all ranks
  double node_count = 1;     ///< nodes it loads, over all ranks, or more
  double stable_step = 0;    ///< explicit Newmark's of its elements, or of the bodies it loads
  double stable_contact_step = infinity;  ///< the same of its smooth contact and walls
  /// Of simultaneous events the one that comes first here is first, whatever other bodies there are: (−1,
  /// number) of subdomains of the localization, the bodies of pairs, the first member of groups.
  std::array<std::int32_t, 2> order{};
  std::vector<std::int32_t> neighbours;  ///< subdomains that share nodes with it, ascending
  bool impenetrable = false;             ///< a set constraint alone: a terrace of infinite height
  bool certified = true;                 ///< every potential has a certified bound
  bool asleep = false;                   ///< a contact pair far apart: its energy is 0
  bool contact = false;                  ///< holds contact or wall potentials, whose forces come and go
  int only_rank = -1;                    ///< the rank that holds all its potentials; −1: several do
  /// Several ranks hold all of it, each, and come to the same without a message; `only_rank` is this one.
  bool everywhere = false;
  std::vector<const Potential*> potentials;  ///< this rank's
  std::vector<int> reaction_of_potential;  ///< for each of them, whose ledger its forces go to; −1: internal
  /// Of a group of bodies that touch, for each of the potentials which two of its bodies it loads, the first
  /// being 0, or which one twice; of others, and where a member loads several bodies, nothing. A
  /// body's nodes get nothing but from these.
  std::vector<std::array<std::int32_t, 2>> loads_of_potential;
  std::int32_t loaded_bodies = 1;             ///< so many there are, on all ranks alike
  const SetConstraint* constraint = nullptr;  ///< of an impenetrable subdomain, on its rank
  int reaction_of_constraint = -1;            ///< as of its potentials
  std::vector<std::int32_t> nodes;  ///< local nodes it loads, on whichever rank its potentials are, ascending
  std::vector<std::int32_t> owned_nodes;  ///< those of them that are this rank's in sums over nodes of all
  SharedNodes shared_nodes;
  /// Of bodies that are shared out, and groups of them: for each of `nodes` whether ranks share it.
  std::vector<std::uint8_t> is_shared;
};

class ElasticPotential;

/// A rank's tetrahedra of one body in one subdomain, for output and energies, and to make their potential of.
struct ElasticBlock {
  std::int32_t body, subdomain;
  std::vector<Tetrahedron> tetrahedra;  ///< local node numbers; none, as below, where they come and go
  std::vector<std::int32_t> global_tetrahedra;  ///< their numbers in the model
  std::int32_t first_tetrahedron = 0;           ///< of the body, in the model
  PassingElements passing = {};                 ///< those that come and go
  Material material;
  std::size_t inner = 0;        ///< so many of them, the last, load no node that other ranks hold
  std::int32_t potential = -1;  ///< index into Lagrangian::potentials; −1: it comes and goes
  const ElasticPotential* elastic = nullptr;  ///< the same; null while it is not there (LivingSubdomains)
};

/// For each component of a node's motion the place in Lagrangian::reaction_names of the support that holds
/// it.
using HeldBy = std::array<std::int32_t, 3>;
constexpr std::int32_t nothing_holds = -1;
/// All components are.
[[nodiscard]] inline bool is_held(const HeldBy& held_by) {
  return held_by[0] != nothing_holds && held_by[1] != nothing_holds && held_by[2] != nothing_holds;
}

/// Those components of a force on a node that set it in motion.
[[nodiscard]] inline Vector3 free_part(const Vector3& force, const HeldBy& held_by) {
  Vector3 free = force;
  for (std::size_t d = 0; d < 3; ++d)
    if (held_by[d] != nothing_holds) free[d] = 0;
  return free;
}

/// A step [s] that is stable where the springs of which each is stable with one of these act together: ω² of
/// all springs on a node is at most the sum.
[[nodiscard]] inline double stable_together(double first, double second) {
  return 1 / norm({1 / first, 1 / second, 0});
}

class ContactPairs;

struct Lagrangian {
  Communicator* communicator = nullptr;
  std::int64_t node_count = 0;  ///< of the whole system
  std::size_t dimension = 3;    ///< of space: on a line or in the plane nodes have the first axes alone
  std::vector<std::int32_t> global_nodes;  ///< model node of each local node, ascending
  std::vector<Vector3> reference;          ///< reference positions of the local nodes
  std::vector<double> masses;
  std::vector<std::uint8_t> owned;  ///< 1 where this rank counts the node in sums over nodes
  std::vector<std::int32_t> body_of_node;
  std::vector<std::unique_ptr<Potential>> potentials;
  std::vector<std::unique_ptr<SetConstraint>> constraints;
  std::vector<PotentialStep> potential_steps;  ///< W, besides the smooth potentials
  bool has_contact = false;                    ///< some rank has potentials of contact or walls, now or later
  std::vector<ElasticBlock> elastic_blocks;
  std::shared_ptr<const ContactPairs>
      contact_pairs;              ///< pairs that become subdomains when they are near, or null; in the
                                  ///< layout "windows" in the numbers of all nodes
  std::vector<int> rank_of_body;  ///< where bodies may touch: that has the contact in which it is the first
  std::vector<Subdomain> subdomains;
  /// Ranks that work together have bodies, which are subdomains of the same numbers, shared out or each all
  /// of them (LivingSubdomains); of what they share nothing else stands here.
  bool bodies_are_shared_out = false;
  bool touching_bodies_share = false;  ///< a terrace, for as long as they touch
  SharedNodes shared_nodes;            ///< of all potentials together (smooth integrators)
  std::vector<std::string> body_names;
  /// What pushes from outside, each with a ledger: walls, then supports, then gravity.
  std::vector<std::string> reaction_names;
  std::vector<Vector3> reaction_velocities;  ///< constant: of supports that move, else 0
  std::vector<HeldBy> held_by;               ///< per local node; empty where there are no supports
  Vector3 gravity{};                         ///< acceleration
  double energy_of_a_fall = 0;               ///< that it may give the system [J]
  std::vector<std::int32_t> gravity_loads;   ///< potentials of it
  std::vector<double> body_stable_steps;     ///< explicit Newmark's of each body, no contact
  double stable_step = 0;                    ///< the least of them
  double stable_contact_step = infinity;     ///< Newmark's of smooth contact and walls
  std::string layout;
};

}  // namespace terrace
