#include "potentials/elastic/elastic_discrete_gradient.hpp"

#include <utility>

#include "numerics/larger.hpp"
#include "parallel/error.hpp"
#include "potentials/add_balanced.hpp"

namespace terrace {

/// Deformation gradients F and Green's strains E of an element: at both ends of a step and their means.
struct ElasticDiscreteGradient::Motion {
  Tensor3 mean_deformation, last_deformation;  ///< F_m, F′
  Tensor3 mean_strain, change;                 ///< E_m, ΔE
};

/// The mean stress S̄ and its parts.
struct ElasticDiscreteGradient::Stress {
  Tensor3 mean;     ///< S̄
  Tensor3 slope{};  ///< derivative of the excess W(E′) − W(E) − S(E_m) : ΔE by E′; 0 where `square` is
  double factor = 0;  ///< of ΔE in S̄: the excess over |ΔE|²
  double square = 0;  ///< |ΔE|²; 0 where S̄ is S(E_m)
};

ElasticDiscreteGradient::ElasticDiscreteGradient(const Material& material, std::vector<Element> elements,
                                                 ElementNames names)
    : law_(material),
      needs_positive_jacobian_(material.law != MaterialLaw::st_venant_kirchhoff),
      elements_(std::move(elements)),
      names_(std::move(names)) {}

static Tensor3 displacement_gradient(const ElasticDiscreteGradient::Element& element,
                                     const Displacements& displacements) {
  const auto place = [&](std::size_t a) { return displacements[static_cast<std::size_t>(element.nodes[a])]; };
  const Vector3 last = place(3);
  Tensor3 g{};
  for (std::size_t a = 0; a < 3; ++a) {
    const Vector3 u = place(a) - last;
    for (std::size_t i = 0; i < 3; ++i) g[i] += u[i] * element.shape_gradient[a];
  }
  return g;
}

ElasticDiscreteGradient::Motion ElasticDiscreteGradient::motion_of(const Element& element,
                                                                   const Displacements& from,
                                                                   const Displacements& to) const {
  const Tensor3 g = displacement_gradient(element, from), last = displacement_gradient(element, to);
  Motion motion;
  motion.mean_deformation = plus_identity(combined(0.5, g, 0.5, last), 1);
  motion.last_deformation = plus_identity(last, 1);
  const Tensor3& f = motion.last_deformation;
  if (const double jacobian = dot(f[0], cross(f[1], f[2])); needs_positive_jacobian_ && !(jacobian > 0))
    throw Error(Error::Kind::run, names_.name(static_cast<std::size_t>(&element - elements_.data())),
                "J = det F > 0", "J = " + std::to_string(jacobian));
  motion.mean_strain = combined(0.5, green_strain(g), 0.5, green_strain(last));
  motion.change = symmetric_product(motion.mean_deformation, combined(1, last, -1, g));
  return motion;
}

ElasticDiscreteGradient::Stress ElasticDiscreteGradient::stress_of(const Motion& motion) const {
  Stress stress{law_.stress(motion.mean_strain)};
  const double square = contract(motion.change, motion.change);
  if (square == 0) return stress;
  const auto [excess, slope] = law_.excess(motion.mean_strain, motion.change);
  stress.slope = slope;
  stress.square = square;
  stress.factor = excess / square;
  stress.mean = combined(1, stress.mean, stress.factor, motion.change);
  return stress;
}

// The forces volume · P ∇N_a, P = `stress`; the fourth node takes minus the sum of the others.
static std::array<Vector3, 4> forces_of(const ElasticDiscreteGradient::Element& element,
                                        const Tensor3& stress) {
  std::array<Vector3, 4> forces{};
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t i = 0; i < 3; ++i)
      forces[a][i] = element.volume * dot(stress[i], element.shape_gradient[a]);
    forces[3] += -1 * forces[a];
  }
  return forces;
}

double ElasticDiscreteGradient::add(const Displacements& from, const Displacements& to, const Grid& grid,
                                    std::span<Vector3> gradient) const {
  double largest = 0;
  for (const Element& element : elements_) {
    const Motion motion = motion_of(element, from, to);
    const Tensor3 stress = product(motion.mean_deformation, stress_of(motion).mean);
    std::array<std::size_t, 4> nodes{};
    for (std::size_t a = 0; a < 4; ++a) nodes[a] = static_cast<std::size_t>(element.nodes[a]);
    largest = larger(largest, add_balanced(grid, forces_of(element, stress), nodes, gradient));
  }
  return largest;
}

// The change of P = F_m S̄ for the change d of F′.
Tensor3 ElasticDiscreteGradient::stress_change(const Motion& motion, const Stress& stress,
                                               const Tensor3& d) const {
  const Tensor3 strain = symmetric_product(motion.last_deformation, d);  // dE′
  const Tensor3 middle = law_.stress_change(motion.mean_strain, combined(0.5, strain, 0, strain));
  Tensor3 change = combined(1, middle, stress.factor, strain);
  if (stress.square > 0) {
    const double excess = contract(stress.slope, strain);
    const double factor = (excess - 2 * stress.factor * contract(motion.change, strain)) / stress.square;
    change = combined(1, change, factor, motion.change);
  }
  return combined(0.5, product(d, stress.mean), 1, product(motion.mean_deformation, change));
}

void ElasticDiscreteGradient::linearize(const Displacements& from, const Displacements& to) {
  tangents_.resize(elements_.size());
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Motion motion = motion_of(elements_[e], from, to);
    const Stress stress = stress_of(motion);
    for (std::size_t component = 0; component < 9; ++component) {
      Tensor3 unit{};
      unit[component / 3][component % 3] = 1;
      tangents_[e][component] = stress_change(motion, stress, unit);
    }
  }
}

void ElasticDiscreteGradient::add_change(std::span<const Vector3> direction,
                                         std::span<Vector3> result) const {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const Tensor3 d = displacement_gradient(elements_[e], Displacements(direction));
    Tensor3 change{};
    for (std::size_t component = 0; component < 9; ++component)
      change = combined(1, change, d[component / 3][component % 3], tangents_[e][component]);
    const std::array<Vector3, 4> forces = forces_of(elements_[e], change);
    for (std::size_t a = 0; a < 4; ++a) result[static_cast<std::size_t>(elements_[e].nodes[a])] += forces[a];
  }
}

}  // namespace terrace
