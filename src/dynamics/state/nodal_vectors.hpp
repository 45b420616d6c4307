// Vectors of PETSc with the components of all nodes, beside the rank's own copies of nodes.
#pragma once

#include <petscvec.h>

#include <span>
#include <vector>

#include "dynamics/system/lagrangian.hpp"
#include "parallel/petsc_calls.hpp"

namespace terrace {

/// A PETSc object that ends with its owner.
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
  /// For functions that create it.
  [[nodiscard]] Handle* put() { return &handle_; }

 private:
  Handle handle_ = nullptr;
};
using PetscVector = PetscObjectOf<Vec, VecDestroy>;

/// Three components for each node, on the rank that counts it, ordered by ranks and there by local numbers.
/// Other ranks hold copies of some nodes.
class NodalVectors {
 public:
  /// Collective.
  explicit NodalVectors(const Lagrangian& lagrangian);

  /// A vector for so many components; zero. Collective.
  void create(PetscVector& vector) const;
  /// The nodes this rank counts, in the order of its components.
  [[nodiscard]] std::span<const std::size_t> nodes() const { return nodes_; }

  /// values[a] of all local nodes from the ranks that count them. Collective.
  void spread(Vec vector, std::span<Vector3> values) const;
  /// The sums of all ranks' values[a], on the ranks that count the nodes. Collective.
  void add_up(std::span<const Vector3> values, Vec vector) const;

 private:
  const Lagrangian& lagrangian_;
  std::vector<std::size_t> nodes_;
  PetscVector copies_;  // of all local nodes
  PetscObjectOf<VecScatter, VecScatterDestroy> exchange_;
};

/// A vector's components of this rank, by node, for as long as this lives.
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
