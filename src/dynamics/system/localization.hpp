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

/// What the localization decides of a subdomain.
struct SubdomainPlan {
  std::string name;
  double energy_step;  ///< h [J]
  bool contact;        ///< holds a contact potential
  bool wall;           ///< holds a wall's potential
};

/// The grouping of a whole model's potentials, the same on all ranks.
struct Localization {
  std::vector<Term> terms;  ///< elastic ones first
  std::vector<std::int32_t> term_of_tetrahedron;
  std::vector<SubdomainPlan> subdomains;
  bool pairs_apart = false;     ///< contact pairs are no terms: each is a subdomain of its own (ContactPairs)
  bool touching_share = false;  ///< bodies share a terrace for as long as they touch (TouchingBodies)
  double contact_energy_step = 0;  ///< h of subdomains that hold contact alone [J]
};

/// `choice`, but what "auto" stands for with this contact: touching for smooth contact without an energy step
/// of its own, and where only walls are; else own.
[[nodiscard]] ContactLocalization resolved(ContactLocalization choice, const ContactEntry& contact);

/// The number of parts into which a body is cut, no more than it has tetrahedra.
[[nodiscard]] int parts_of(const Body& body, const LocalizationEntry& choice);

/// Groups the potentials of a model into subdomains: the connected sets of the terms that this function
/// joins, numbered by their first terms. (To try another grouping, join other terms.) Set constraints are
/// never terms. Collective over `communicator`, whose last rank alone runs METIS for all.
/// Throws Error(input) for a contact energy step where touching bodies share a terrace, and for more than
/// 20,000 contact pairs that are terms, which they are from the start to the end.
Localization localize(const Model& model, const LocalizationEntry& choice, const ContactEntry& contact,
                      double energy_step, MPI_Comm communicator = MPI_COMM_SELF);

}  // namespace terrace
