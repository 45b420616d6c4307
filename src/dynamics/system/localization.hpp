// Localization: which potentials share a terrace (thesis 4.1). Part of the model: it decides the trajectory.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "dynamics/system/choices.hpp"
#include "mesh/model.hpp"

namespace terrace {

/// One potential of the whole system, before it is divided over ranks.
struct Term {
  enum class Kind { elastic, contact, wall };
  Kind kind;
  std::int32_t body;    ///< elastic, wall: the body; contact: the first body
  std::int32_t second;  ///< elastic: the part of the body; contact: the second body; wall: the wall
  std::int32_t subdomain;
};

struct SubdomainPlan {
  std::string name;
  double energy_step;
  bool contact;  ///< holds a contact potential
  bool wall;     ///< holds a wall's potential
};

struct Localization {
  std::vector<Term> terms;  ///< elastic ones first
  std::vector<std::int32_t> term_of_tetrahedron;
  std::vector<SubdomainPlan> subdomains;
  bool pairs_apart = false;     ///< contact pairs are no terms: each is a subdomain of its own (ContactPairs)
  bool touching_share = false;  ///< bodies that touch share a terrace meanwhile (TouchingBodies)
  double contact_energy_step = 0;  ///< of subdomains that hold contact alone
};

/// What "auto" stands for with this contact; any other choice as it is.
[[nodiscard]] ContactLocalization resolved(ContactLocalization choice, const ContactEntry& contact);

/// Into how many parts a body is cut: a small one into no more than it has tetrahedra.
[[nodiscard]] int parts_of(const Body& body, const LocalizationEntry& choice);

/// Groups the potentials of a model. To try another grouping, say in `localize` which terms to join: groups
/// are the connected sets of joined terms, numbered by their first term. Set constraints are never terms.
/// Collective over `communicator`, whose last rank alone runs METIS for all.
/// Throws Error(input) for a contact energy step where touching bodies share a terrace, and for more pairs
/// than 20,000 that are there from the start to the end.
Localization localize(const Model& model, const LocalizationEntry& choice, const ContactEntry& contact,
                      double energy_step, MPI_Comm communicator = MPI_COMM_SELF);

}  // namespace terrace
