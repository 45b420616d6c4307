#include "mesh/size_limits.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "parallel/error.hpp"

namespace terrace {

static constexpr double most_tetrahedra = 5e8;  // 32-bit indices can count these, with a margin
static constexpr double bytes_of_one = 500;     // per tetrahedron: the model on a rank, subdomains; measured

double available_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  std::ifstream file("/sys/fs/cgroup/memory.max");
  double limit = 0;
  if (file >> limit && limit > 0) bytes = std::min(bytes, limit);  // "max": none
  return bytes;
}

double elements_in(double volume, double size) { return volume / (0.118 * size * size * size); }

void require_room(double tetrahedra, const std::string& wanted, const std::string& where) {
  const auto refuse = [&](double most, const std::string& why) {
    throw Error(Error::Kind::input, where,
                fmt::format("{} that gives at most {:.2g} elements{}", wanted, most, why),
                fmt::format("about {:.1g}", tetrahedra));
  };
  if (!(tetrahedra <= most_tetrahedra)) refuse(most_tetrahedra, "");
  const double memory = available_memory(), most = memory / bytes_of_one;
  if (tetrahedra > most)
    refuse(most, fmt::format(", which fit into {:.0f} gigabytes of memory", memory / 1e9));
}

}  // namespace terrace
