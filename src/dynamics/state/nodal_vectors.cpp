#include "dynamics/state/nodal_vectors.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include "numerics/contract.hpp"
#include "parallel/error.hpp"

namespace terrace {

// For each local node, its place in the order of all ranks' counted nodes: PETSc's number of its block of
// three components. Collective.
static std::vector<PetscInt> places_of_nodes(const Lagrangian& lagrangian,
                                             std::span<const std::size_t> counted) {
  std::vector<std::int32_t> mine;
  for (const std::size_t a : counted) mine.push_back(lagrangian.global_nodes[a]);
  const std::vector<std::byte> bytes = lagrangian.communicator->bytes_of_all(std::as_bytes(std::span(mine)));
  std::vector<std::int32_t> order(bytes.size() / sizeof(std::int32_t));
  if (!bytes.empty()) std::memcpy(order.data(), bytes.data(), bytes.size());
  std::vector<PetscInt> place_of(static_cast<std::size_t>(lagrangian.node_count), -1);
  for (std::size_t i = 0; i < order.size(); ++i)
    place_of[static_cast<std::size_t>(order[i])] = static_cast<PetscInt>(i);
  std::vector<PetscInt> places;
  for (const std::int32_t node : lagrangian.global_nodes) {
    places.push_back(place_of[static_cast<std::size_t>(node)]);
    TERRACE_VERIFY(places.back() >= 0, node);
  }
  return places;
}

NodalVectors::NodalVectors(const Lagrangian& lagrangian) : lagrangian_(lagrangian) {
  for (std::size_t a = 0; a < lagrangian.owned.size(); ++a)
    if (lagrangian.owned[a] != 0) nodes_.push_back(a);
  const std::vector<PetscInt> places = places_of_nodes(lagrangian, nodes_);
  check_petsc(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(3 * places.size()), copies_.put()),
              "VecCreateSeq");
  check_petsc(VecSetBlockSize(copies_.get(), 3), "VecSetBlockSize");
  PetscVector all;
  create(all);
  PetscObjectOf<IS, ISDestroy> from;
  check_petsc(ISCreateBlock(PETSC_COMM_SELF, 3, static_cast<PetscInt>(places.size()), places.data(),
                            PETSC_COPY_VALUES, from.put()),
              "ISCreateBlock");
  check_petsc(VecScatterCreate(all.get(), from.get(), copies_.get(), nullptr, exchange_.put()),
              "VecScatterCreate");
}

void NodalVectors::create(PetscVector& vector) const {
  check_petsc(VecCreateMPI(lagrangian_.communicator->handle(), static_cast<PetscInt>(3 * nodes_.size()),
                           PETSC_DETERMINE, vector.put()),
              "VecCreateMPI");
  check_petsc(VecSetBlockSize(vector.get(), 3), "VecSetBlockSize");
}

void NodalVectors::spread(Vec vector, std::span<Vector3> values) const {
  check_petsc(VecScatterBegin(exchange_.get(), vector, copies_.get(), INSERT_VALUES, SCATTER_FORWARD),
              "VecScatterBegin");
  check_petsc(VecScatterEnd(exchange_.get(), vector, copies_.get(), INSERT_VALUES, SCATTER_FORWARD),
              "VecScatterEnd");
  lagrangian_.communicator->count_exchange();
  const NodalView copies(copies_.get());
  for (std::size_t a = 0; a < values.size(); ++a) values[a] = {copies[a][0], copies[a][1], copies[a][2]};
}

void NodalVectors::add_up(std::span<const Vector3> values, Vec vector) const {
  {
    const NodalView copies(copies_.get());
    for (std::size_t a = 0; a < values.size(); ++a)
      for (std::size_t d = 0; d < 3; ++d) copies[a][d] = values[a][d];
  }
  check_petsc(VecZeroEntries(vector), "VecZeroEntries");
  check_petsc(VecScatterBegin(exchange_.get(), copies_.get(), vector, ADD_VALUES, SCATTER_REVERSE),
              "VecScatterBegin");
  check_petsc(VecScatterEnd(exchange_.get(), copies_.get(), vector, ADD_VALUES, SCATTER_REVERSE),
              "VecScatterEnd");
  lagrangian_.communicator->count_exchange();
}

NodalView::NodalView(Vec vector) : vector_(vector) {
  check_petsc(VecGetArray(vector_, &values_), "VecGetArray");
}

NodalView::~NodalView() { (void)VecRestoreArray(vector_, &values_); }

}  // namespace terrace
