// Compiled once for every level of the processor: TERRACE_LEVEL names its namespace, TERRACE_LEVEL_NAME is
// what users call it.
#include "potentials/contact_kernels.hpp"
#include "potentials/neo_hookean_kernels.hpp"

namespace terrace::TERRACE_LEVEL {

extern const PacketKernels packet_kernels;
const PacketKernels packet_kernels{.level = TERRACE_LEVEL_NAME,
                                   .gradient = gradient<true>,
                                   .unrounded_gradient = gradient<false>,
                                   .restrict_to_line = restrict_all_to_line,
                                   .sample = sample<true>,
                                   .unrounded_sample = sample<false>,
                                   .bound = bound,
                                   .sample_pairs = sample_pairs,
                                   .bound_pairs = bound_pairs,
                                   .add_samples = add_samples,
                                   .add_bounds = add_bounds,
                                   .relative_nodes = relative_nodes,
                                   .closing_speeds = closing_speeds};

}  // namespace terrace::TERRACE_LEVEL
