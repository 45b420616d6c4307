// One rank's piece of the bodies as a VTK unstructured grid.
#pragma once

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include "io/vtk_fields.hpp"

namespace terrace {

/// The grid of a piece: tetrahedra, or the triangles of its surface with the points they use. Point arrays
/// displacement, velocity; cell arrays body, subdomain, rank, energy_density, J, stress. An empty piece gives
/// a grid with all arrays and no entries. Throws Error(run) naming the array whose length does not fit.
vtkSmartPointer<vtkUnstructuredGrid> make_grid(const FieldPiece& piece, int rank,
                                               const FieldOptions& options);

}  // namespace terrace
