// One rank's piece of the bodies as a VTK unstructured grid.
#pragma once

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include "io/vtk_fields.hpp"

namespace terrace {

/// Throws Error(run) naming the array where the length of one does not fit.
void verify_piece(const FieldPiece& piece, const FieldOptions& options);

/// The grid of a piece: its tetrahedra, or the triangles of its surface with the points they use. Point
/// arrays displacement, velocity; cell arrays body, subdomain, rank, energy_density, J, stress. Particles are
/// vertices, with point arrays particle and mass besides, and only body and rank as cell arrays. An empty
/// piece gives a grid with all arrays and no entries. `rank`: that of the cells, where the piece does not
/// say. Throws Error(run) naming the array whose length does not fit.
vtkSmartPointer<vtkUnstructuredGrid> make_grid(const FieldPiece& piece, int rank,
                                               const FieldOptions& options);

}  // namespace terrace
