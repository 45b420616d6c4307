// The interface of integrators of small systems.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hamiltonian/hamiltonian_system.hpp"

namespace terrace {

/// From what an adaptive method takes its scaling of time.
enum class ScalingKind {
  potential,  ///< |V + shift|^exponent
  kinetic,    ///< (T + shift)^exponent: equal steps in q for shift 0 and exponent −½
  action,     ///< (T − V + shift)^exponent
  system      ///< the system's own l(q)
};

/// The values of the keys of [integrator]; each method reads its own.
struct MethodSettings {
  double time_step = 0;
  double step_parameter = 0;                            ///< ε of adaptive methods
  int order = 2;                                        ///< of a composition, or of bdf
  double weight = 0.5;                                  ///< α or θ, the weight of the right end of a step
  double spectral_radius = 0.8;                         ///< of generalised-α at infinite frequency
  double scaling_weight = 0.5;                          ///< β: where in a step the scaling of time is taken
  double explicit_weight = 0.5, implicit_weight = 0.8;  ///< α and β of the semi-explicit method
  std::string variant;
  ScalingKind scaling = ScalingKind::potential;
  double scaling_exponent = -0.5, scaling_shift = 0;
  double tolerance = 0;       ///< of the control of steps; 0: equal steps
  double largest_step = 0;    ///< of the symplectic-energy-momentum method; 0: any
  bool unit_density = false;  ///< step-density begins with the density 1
};

/// What a method did besides taking steps.
struct MethodRecord {
  std::int64_t unsolved = 0;  ///< steps whose equation for the step's length had no solution
  std::int64_t rejected = 0;  ///< steps that were taken again, shorter
  std::int64_t newton_solves = 0, newton_iterations = 0;
  std::string last_reason;                ///< why the last solve of Newton's method ended, as PETSc says
  std::map<std::string, double> largest;  ///< largest values of the method's own monitors
};

/// An integrator of one small system.
class Method {
 public:
  virtual ~Method() = default;
  /// Advances `state` by one step, whose length the method chooses. Throws Error(run) if it finds none; the
  /// error's `where` is the time, or empty if the part that throws does not know the time.
  virtual void step(DenseState& state) = 0;
  /// The length of equal steps, from which a run computes their number; 0 for methods that choose their
  /// steps.
  [[nodiscard]] virtual double equal_step() const { return 0; }
  [[nodiscard]] virtual MethodRecord record() const { return {}; }
};

using MadeMethod = std::unique_ptr<Method>;

}  // namespace terrace
