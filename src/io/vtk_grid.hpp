// One rank's piece of the bodies as a VTK unstructured grid.
#pragma once

#include <vtkSmartPointer.h>
#include <vtkUnstructuredGrid.h>

#include "io/vtk_fields.hpp"

namespace terrace {

/// Throws Error(run) naming the array whose length does not fit.
void verify_piece(const FieldPiece& piece, const FieldOptions& options);

/// The grid of a piece: tetrahedra, or the triangles of its surface with the points they use. Point arrays
/// displacement, velocity; cell arrays body, subdomain, rank, energy_density, J, stress. Particles are
/// vertices, with the point arrays particle and mass too, and the cell arrays body and rank. An empty piece
/// gives a grid with all arrays and no entries. Throws Error(run) naming the array whose length does not fit.
/// `rank`: where the piece does not say whose its cells are.
vtkSmartPointer<vtkUnstructuredGrid> make_grid(const FieldPiece& piece, int rank,
                                               const FieldOptions& options);

}  // namespace terrace
