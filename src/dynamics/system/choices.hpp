// The choices of a deck that shape the dynamics: contact, localization, layout.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace terrace {

/// How bodies touch. hertz: Hertz's law, for balls, between patches of their meshes' surfaces.
enum class ContactModel { none, face_intersection, gap, barrier, hertz, rigid };
/// What to do with bodies that start nearer to each other than the activation distance d̂. reduce: d̂ of
/// that pair becomes half their distance.
enum class CloseStart { refuse, reduce };
struct ContactEntry {
  ContactModel model = ContactModel::none;
  double stiffness = 0;    ///< face-intersection: 1/ε; gap, barrier: κ [energy/length²], 0: chosen
  double distance = 0;     ///< gap, barrier: activation distance d̂ [length]; 0: chosen
  double energy_step = 0;  ///< 0: the integrator's
  double patch = 0;        ///< hertz: radius of the patches [length]; 0: chosen
  double least_force = 0, largest_force = 0;  ///< range in which contacts are to be right [N]; 0: not given
  bool self = false;                          ///< every body also touches itself
  std::vector<std::pair<std::string, std::string>> pairs;  ///< names of bodies; empty: all pairs
  CloseStart close_start = CloseStart::refuse;
  std::string where;  ///< place in the deck, for messages
  /// Whether V depends on the distances of surfaces, where these are less than an activation distance.
  [[nodiscard]] bool has_layer() const {
    return model == ContactModel::gap || model == ContactModel::barrier;
  }
  /// Whether forces are continuous.
  [[nodiscard]] bool smooth() const { return has_layer() || model == ContactModel::hertz; }
};

/// How potentials are grouped into subdomains. Among particles a body is a table [[particles]], and clusters
/// are parts of all particles that lie together.
enum class LocalizationKind { global, bodies, metis, clusters, pairs };
/// Which subdomains contact is in. automatic: see `resolved` in localization.hpp.
enum class ContactLocalization { own, with_bodies, touching, automatic };
struct LocalizationEntry {
  LocalizationKind kind = LocalizationKind::bodies;
  int parts = 1;  ///< METIS parts per body, or clusters
  ContactLocalization contact = ContactLocalization::automatic;
};

/// The coordinates of force-stepping: those of the nodes, or fewer.
enum class Reduction {
  none,
  translations,  ///< Jacobi coordinates (thesis (3.44) to (3.50))
  rotations      ///< the distance of one node from the centre of its field ((3.79) to (3.81))
};

/// The grid of force-stepping.
struct GridChoice {
  std::array<double, 3> spacing{};  ///< h along x, y, z [length]
  bool parity = false;              ///< the triangulation is symmetric under reflection of each coordinate
  double offset = 0;  ///< coordinate i's planes are shifted by the fraction of i · offset, in h
  Reduction reduction = Reduction::none;
};

/// Integrators of discontinuous potentials (Tao and Jin), and methods to compare them with.
enum class StepMethod {
  kick_drift_kick,   ///< DP1: drifts along lines with impacts
  kick_drift,        ///< DP1's Lie-Trotter form
  forward_euler,     ///< drift with impacts and a kick by the forces at the step's start; not symplectic
  quadratic,         ///< DP2: one coordinate, one interface; the triple jump of exact arcs
  quadratic_strang,  ///< DP2 without the triple jump
  reversible,        ///< DP3: an impact within a step of a smooth method; here the same as DP4
  runge_kutta,       ///< DP3 with the classical Runge-Kutta method, irreversible
  adaptive,          ///< DP4: any number of impacts in a step of a smooth method
  penalty            ///< W smoothed over 1/steepness, by the triple jump
};
struct StepMethodChoice {
  StepMethod method = StepMethod::adaptive;
  int order = 4;         ///< of the smooth method in DP3 and DP4: 2, 4 or 6
  double steepness = 0;  ///< penalty: [1/length]
};

enum class LayoutKind { own, slice, windows, automatic };

/// Layout "windows": when several ranks, a team, take a cluster of bodies through a window together.
enum class TeamUse {
  never,
  where_worth_while,  ///< where it is too much for one rank, and several take less time
  always              ///< wherever the cluster has two bodies or more and there are ranks left
};

/// Layout "windows": when a cluster that its rank has not begun goes to a rank that has nothing left to do.
enum class HelperUse {
  never,
  where_worth_while,  ///< where both ranks are done sooner
  always
};

struct LayoutEntry {
  LayoutKind kind = LayoutKind::automatic;
  TeamUse teams = TeamUse::where_worth_while;
  HelperUse helpers = HelperUse::where_worth_while;
};

}  // namespace terrace
