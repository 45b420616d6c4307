// PETSc vectors with three components for each node, and their exchange with each rank's copies of nodes.
#pragma once

#include <petscvec.h>

#include <span>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "parallel/petsc_calls.hpp"

namespace terrace {

/// Owns a PETSc object and destroys it.
template <class Handle, PetscErrorCode (*destroy)(Handle*)>
class PetscObjectOf {
 public:
  PetscObjectOf() = default;
  PetscObjectOf(const PetscObjectOf&) = delete;
  PetscObjectOf& operator=(const PetscObjectOf&) = delete;
  ~PetscObjectOf() {
    if (handle_ != nullptr) (void)destroy(&handle_);
  }
  [[nodiscard]] Handle get() const { return handle_; }
  /// Where a function of PETSc puts the object that it creates.
  [[nodiscard]] Handle* put() { return &handle_; }

 private:
  Handle handle_ = nullptr;
};
using PetscVector = PetscObjectOf<Vec, VecDestroy>;

/// The layout of such vectors: a node's components are on the rank that counts it (Lagrangian::owned),
/// ordered by rank and there by local node. Other ranks hold copies of some nodes.
class NodalVectors {
 public:
  /// `lagrangian` must outlive this. Collective.
  explicit NodalVectors(const Lagrangian& lagrangian);

  /// Creates a vector of this layout, filled with zeros. Collective.
  void create(PetscVector& vector) const;
  /// The nodes this rank counts, in the order of its components.
  [[nodiscard]] std::span<const std::size_t> nodes() const { return nodes_; }

  /// Sets values[a] for each local node from the vector, wherever the node is counted. Collective.
  void spread(Vec vector, std::span<Vector3> values) const;
  /// Sets the vector to the sum of values[a] of each node over all ranks that hold it. Collective.
  void add_up(std::span<const Vector3> values, Vec vector) const;

 private:
  const Lagrangian& lagrangian_;
  std::vector<std::size_t> nodes_;
  PetscVector copies_;  // on this rank alone: three components for each local node
  PetscObjectOf<VecScatter, VecScatterDestroy> exchange_;
};

/// Access to this rank's components of a vector, by node in the order of NodalVectors::nodes, for as long as
/// this lives.
class NodalView {
 public:
  explicit NodalView(Vec vector);
  NodalView(const NodalView&) = delete;
  NodalView& operator=(const NodalView&) = delete;
  ~NodalView();
  [[nodiscard]] double* operator[](std::size_t i) const { return values_ + 3 * i; }

 private:
  Vec vector_;
  PetscScalar* values_ = nullptr;
};

}  // namespace terrace
