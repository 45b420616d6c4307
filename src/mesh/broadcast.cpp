#include "mesh/broadcast.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "parallel/communicator.hpp"

namespace terrace {

namespace {

// Broadcasts members one after the other; sizes first, so that receivers make room.
class Parcel {
 public:
  explicit Parcel(MPI_Comm communicator) : communicator_(communicator) {}

  template <class Value>
  void value(Value& x) {
    static_assert(std::is_trivially_copyable_v<Value>);
    bytes(&x, sizeof(Value));
  }
  template <class Value>
  void list(std::vector<Value>& values) {
    std::uint64_t count = values.size();
    value(count);
    values.resize(count);
    bytes(values.data(), count * sizeof(Value));
  }
  void text(std::string& words) {
    std::uint64_t count = words.size();
    value(count);
    words.resize(count);
    bytes(words.data(), count);
  }
  template <class Value, class Visit>
  void each(std::vector<Value>& values, Visit visit) {
    std::uint64_t count = values.size();
    value(count);
    values.resize(count);
    for (Value& x : values) visit(x);
  }

 private:
  void bytes(void* data, std::size_t count) {
    constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts are 32-bit
    auto* next = static_cast<char*>(data);
    while (count > 0) {
      const std::size_t now = std::min(count, most);
      check_mpi(MPI_Bcast(next, static_cast<int>(now), MPI_BYTE, 0, communicator_), "MPI_Bcast");
      next += now;
      count -= now;
    }
  }
  MPI_Comm communicator_;
};

}  // namespace

void broadcast(Model& model, MPI_Comm communicator) {
  int size = 1;
  check_mpi(MPI_Comm_size(communicator, &size), "MPI_Comm_size");
  if (size == 1) return;
  Parcel parcel(communicator);
  parcel.each(model.materials, [&](Material& material) {
    parcel.text(material.name);
    parcel.value(material.density);
    parcel.value(material.lame_lambda);
    parcel.value(material.lame_mu);
    parcel.value(material.law);
    parcel.value(material.c01);
  });
  parcel.each(model.bodies, [&](Body& body) {
    parcel.text(body.name);
    for (std::int32_t* number : {&body.material, &body.first_node, &body.node_count, &body.first_tetrahedron,
                                 &body.tetrahedron_count})
      parcel.value(*number);
    parcel.list(body.boundary);
  });
  parcel.each(model.walls, [&](Wall& wall) {
    parcel.text(wall.name);
    parcel.value(wall.point);
    parcel.value(wall.normal);
    parcel.value(wall.stiffness);
    parcel.value(wall.model);
    parcel.value(wall.distance);
    parcel.value(wall.two_sided);
  });
  parcel.each(model.supports, [&](Support& support) {
    parcel.text(support.name);
    parcel.value(support.velocity);
    parcel.value(support.components);
    parcel.list(support.nodes);
  });
  parcel.value(model.gravity);
  parcel.list(model.positions);
  parcel.list(model.velocities);
  parcel.list(model.masses);
  parcel.list(model.tetrahedra);
  parcel.list(model.body_of_tetrahedron);
}

}  // namespace terrace
