// What an integrator of small systems is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// Where the scaling of time of an adaptive method comes from.
enum class ScalingKind {
  potential,  ///< |V + shift|^exponent
  kinetic,    ///< (T + shift)^exponent: equal steps in q for shift 0 and exponent −½
  action,     ///< (T − V + shift)^exponent
  system      ///< the system's own l(q)
};

/// The keys of [integrator]; each method reads its own.
struct MethodSettings {
  double time_step = 0;
  double step_parameter = 0;     ///< ε: of adaptive methods
  int order = 2;                 ///< of a composition
  double weight = 0.5;           ///< of the right end of a step; θ
  double spectral_radius = 0.8;  ///< of generalised-α at infinite frequency
  double scaling_weight = 0.5;
  double explicit_weight = 0.5, implicit_weight = 0.8;  ///< α and β of the semi-explicit method
  std::string variant;
  ScalingKind scaling = ScalingKind::potential;
  double scaling_exponent = -0.5, scaling_shift = 0;
  double tolerance = 0;     ///< of the step's control; 0: equal steps
  double largest_step = 0;  ///< under such a control; 0: any
  bool unit_density = false;
};

/// What a run did besides steps.
struct MethodRecord {
  std::int64_t unsolved = 0;  ///< steps whose equation for the step's length has no solution
  std::int64_t rejected = 0;  ///< steps tried again, shorter
  std::int64_t newton_solves = 0, newton_iterations = 0;
  std::string last_reason;                ///< of Newton's method, PETSc's word
  std::map<std::string, double> largest;  ///< the method's own monitors, their largest values
};

class Method {
 public:
  virtual ~Method() = default;
  /// One step of its own length. Throws Error(run) where there is none, with the time, or without a place
  /// where what throws does not know it.
  virtual void step(DenseState& state) = 0;
  /// So that a run of equal steps ends where it should: 0 of methods that choose.
  [[nodiscard]] virtual double equal_step() const { return 0; }
  [[nodiscard]] virtual MethodRecord record() const { return {}; }
};

using MadeMethod = std::unique_ptr<Method>;

}  // namespace terrace
