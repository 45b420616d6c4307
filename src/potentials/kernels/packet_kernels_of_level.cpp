// The table of one level's kernels. Compiled once for every level of the processor: TERRACE_LEVEL names its
// namespace, TERRACE_LEVEL_NAME is the name that users give.
#include "potentials/kernels/contact_kernels.hpp"
#include "potentials/kernels/element_motion_kernels.hpp"
#include "potentials/kernels/neo_hookean_kernels.hpp"
#include "potentials/kernels/node_line_kernels.hpp"
#include "potentials/kernels/point_box_kernels.hpp"
#include "potentials/kernels/polynomial_law_kernels.hpp"

namespace terrace::TERRACE_LEVEL {

template <class Law>
constexpr ElementKernels<typename Law::Line> kernels_of() {
  ElementKernels<typename Law::Line> kernels = {
      gradient<Law, true>, gradient<Law, false>, nullptr,      restrict_all_to_line<Law>,
      sample<Law, true>,   sample<Law, false>,   measure<Law>, bound<Law>};
  if constexpr (requires { &Law::stress_and_energy; }) kernels.gradient_and_value = gradient_and_value<Law>;
  return kernels;
}

extern const PacketKernels packet_kernels;
const PacketKernels packet_kernels{.level = TERRACE_LEVEL_NAME,
                                   .neo_hookean = kernels_of<NeoHookeanLaw>(),
                                   .mooney_rivlin = kernels_of<MooneyRivlinLaw>(),
                                   .st_venant_kirchhoff = kernels_of<StVenantKirchhoffLaw>(),
                                   .inverse_norms = inverse_norms,
                                   .find_deforming = find_deforming,
                                   .sample_pairs = sample_pairs,
                                   .bound_pairs = bound_pairs,
                                   .add_samples = add_samples,
                                   .add_bounds = add_bounds,
                                   .relative_nodes = relative_nodes,
                                   .closing_speeds = closing_speeds,
                                   .box_of_points = box_of_points,
                                   .box_of_differences = box_of_differences,
                                   .box_of_moved = box_of_moved,
                                   .box_of_rows = box_of_rows,
                                   .places_and_velocities = places_and_velocities,
                                   .box_of_velocities = box_of_velocities,
                                   .box_of_places = box_of_places,
                                   .boxes_of_ways = boxes_of_ways,
                                   .boxes_of_strays = boxes_of_strays,
                                   .find_exit = find_exit};

}  // namespace terrace::TERRACE_LEVEL
