#include "io/vtk_grid.hpp"

#include <fmt/core.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkTypeInt32Array.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <type_traits>

#include "parallel/error.hpp"

namespace terrace {

namespace {

void verify_length(const char* array, std::size_t found, std::size_t expected) {
  if (found == expected) return;
  throw Error(Error::Kind::run, fmt::format("field output, array {}", array),
              fmt::format("{} entries", expected), std::to_string(found));
}

/// Which points and cells of a piece are written. `connectivity`: indices into `points`.
struct Selection {
  std::vector<std::int32_t> points;
  std::vector<std::int32_t> cells;
  std::vector<std::int32_t> connectivity;
  int nodes_per_cell = 4;
};

Selection select_volume(const FieldPiece& piece) {
  Selection selection;
  selection.points.resize(piece.reference_positions.size());
  selection.cells.resize(piece.cells.size());
  std::iota(selection.points.begin(), selection.points.end(), 0);
  std::iota(selection.cells.begin(), selection.cells.end(), 0);
  for (const Tetrahedron& cell : piece.cells)
    selection.connectivity.insert(selection.connectivity.end(), cell.begin(), cell.end());
  return selection;
}

Selection select_particles(const FieldPiece& piece) {
  Selection selection;
  selection.nodes_per_cell = 1;
  selection.points.resize(piece.particle.size());
  std::iota(selection.points.begin(), selection.points.end(), 0);
  selection.cells = selection.connectivity = selection.points;
  return selection;
}

Selection select_surface(const FieldPiece& piece) {
  Selection selection;
  selection.nodes_per_cell = 3;
  selection.cells = piece.surface_cell;
  std::vector<std::int32_t> number(piece.reference_positions.size(), -1);
  for (const Triangle& triangle : piece.surface) {
    for (const std::int32_t point : triangle) {
      std::int32_t& place = number.at(static_cast<std::size_t>(point));
      if (place < 0) {
        place = static_cast<std::int32_t>(selection.points.size());
        selection.points.push_back(point);
      }
      selection.connectivity.push_back(place);
    }
  }
  return selection;
}

template <class Array, std::size_t Components, class Value>
vtkSmartPointer<vtkDataArray> array_of(const char* name, const std::vector<std::int32_t>& chosen,
                                       const Value& value) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name);
  array->SetNumberOfComponents(static_cast<int>(Components));
  auto* number =
      array->WritePointer(0, static_cast<vtkIdType>(Components) * static_cast<vtkIdType>(chosen.size()));
  for (const std::int32_t index : chosen)
    for (const double component : value(static_cast<std::size_t>(index)))
      *number++ = static_cast<std::remove_pointer_t<decltype(number)>>(component);
  return array;
}

/// An array of the entries `value(index)`, an array of Components numbers, for the indices in `chosen`.
template <std::size_t Components, class Value>
vtkSmartPointer<vtkDataArray> real_array(const char* name, const std::vector<std::int32_t>& chosen,
                                         bool single, const Value& value) {
  return single ? array_of<vtkFloatArray, Components>(name, chosen, value)
                : array_of<vtkDoubleArray, Components>(name, chosen, value);
}

template <class Value>
vtkSmartPointer<vtkIntArray> integer_array(const char* name, const std::vector<std::int32_t>& chosen,
                                           const Value& value) {
  auto array = vtkSmartPointer<vtkIntArray>::New();
  array->SetName(name);
  int* number = array->WritePointer(0, static_cast<vtkIdType>(chosen.size()));
  for (const std::int32_t index : chosen) *number++ = value(static_cast<std::size_t>(index));
  return array;
}

void add_points(vtkUnstructuredGrid& grid, const FieldPiece& piece, const Selection& selection, bool single) {
  const std::vector<std::int32_t>& chosen = selection.points;
  auto points = vtkSmartPointer<vtkPoints>::New();
  points->SetDataType(single ? VTK_FLOAT : VTK_DOUBLE);
  points->SetData(real_array<3>("Points", chosen, single, [&](std::size_t a) {
    return piece.reference_positions[a] + piece.displacements[a];
  }));
  grid.SetPoints(points);
  vtkPointData& data = *grid.GetPointData();
  data.AddArray(
      real_array<3>("displacement", chosen, single, [&](std::size_t a) { return piece.displacements[a]; }));
  data.AddArray(
      real_array<3>("velocity", chosen, single, [&](std::size_t a) { return piece.velocities[a]; }));
}

// In integers of 32 bits, which halves them in the file.
void add_cells(vtkUnstructuredGrid& grid, const Selection& selection) {
  const auto size = static_cast<std::int32_t>(selection.nodes_per_cell);
  const auto count = static_cast<vtkIdType>(selection.connectivity.size());
  auto nodes = vtkSmartPointer<vtkTypeInt32Array>::New(), offsets = vtkSmartPointer<vtkTypeInt32Array>::New();
  std::copy(selection.connectivity.begin(), selection.connectivity.end(), nodes->WritePointer(0, count));
  std::int32_t* offset = offsets->WritePointer(0, count / size + 1);
  for (std::int32_t cell = 0; cell <= count / size; ++cell) *offset++ = size * cell;
  auto cells = vtkSmartPointer<vtkCellArray>::New();
  cells->SetData(offsets, nodes);
  grid.SetCells(size == 4 ? VTK_TETRA : size == 3 ? VTK_TRIANGLE : VTK_VERTEX, cells);
}

using Scalar = std::array<double, 1>;

void add_particle_data(vtkUnstructuredGrid& grid, const FieldPiece& piece,
                       const std::vector<std::int32_t>& chosen, bool single) {
  vtkPointData& data = *grid.GetPointData();
  data.AddArray(integer_array("particle", chosen, [&](std::size_t a) { return piece.particle[a]; }));
  data.AddArray(real_array<1>("mass", chosen, single, [&](std::size_t a) { return Scalar{piece.mass[a]}; }));
}

// Adds the arrays that cells of any kind have.
void add_origin_of_cells(vtkUnstructuredGrid& grid, const FieldPiece& piece,
                         const std::vector<std::int32_t>& chosen, int rank) {
  vtkCellData& data = *grid.GetCellData();
  data.AddArray(integer_array("body", chosen, [&](std::size_t e) { return piece.body[e]; }));
  data.AddArray(integer_array("rank", chosen,
                              [&](std::size_t e) { return piece.rank.empty() ? rank : piece.rank[e]; }));
}

void add_element_data(vtkUnstructuredGrid& grid, const FieldPiece& piece,
                      const std::vector<std::int32_t>& chosen, bool single) {
  vtkCellData& data = *grid.GetCellData();
  data.AddArray(integer_array("subdomain", chosen, [&](std::size_t e) { return piece.subdomain[e]; }));
  data.AddArray(real_array<1>("energy_density", chosen, single,
                              [&](std::size_t e) { return Scalar{piece.energy_density[e]}; }));
  data.AddArray(real_array<1>("J", chosen, single, [&](std::size_t e) { return Scalar{piece.jacobian[e]}; }));
  const auto stress = real_array<6>("stress", chosen, single, [&](std::size_t e) { return piece.stress[e]; });
  const char* const names[6] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
  for (int component = 0; component < 6; ++component) stress->SetComponentName(component, names[component]);
  data.AddArray(stress);
}

}  // namespace

void verify_piece(const FieldPiece& piece, const FieldOptions& options) {
  const std::size_t points = piece.reference_positions.size(), cells = piece.cells.size();
  verify_length("displacement", piece.displacements.size(), points);
  verify_length("velocity", piece.velocities.size(), points);
  if (!piece.rank.empty()) verify_length("rank", piece.rank.size(), piece.body.size());
  if (options.particles) {
    verify_length("body", piece.body.size(), points);
    verify_length("particle", piece.particle.size(), points);
    verify_length("mass", piece.mass.size(), points);
    return;
  }
  verify_length("body", piece.body.size(), cells);
  verify_length("subdomain", piece.subdomain.size(), cells);
  verify_length("energy_density", piece.energy_density.size(), cells);
  verify_length("J", piece.jacobian.size(), cells);
  verify_length("stress", piece.stress.size(), cells);
  if (options.surface_only) verify_length("surface_cell", piece.surface_cell.size(), piece.surface.size());
}

vtkSmartPointer<vtkUnstructuredGrid> make_grid(const FieldPiece& piece, int rank,
                                               const FieldOptions& options) {
  verify_piece(piece, options);
  const Selection selection = options.particles      ? select_particles(piece)
                              : options.surface_only ? select_surface(piece)
                                                     : select_volume(piece);
  auto grid = vtkSmartPointer<vtkUnstructuredGrid>::New();
  add_points(*grid, piece, selection, options.single_precision);
  add_cells(*grid, selection);
  add_origin_of_cells(*grid, piece, selection.cells, rank);
  if (options.particles)
    add_particle_data(*grid, piece, selection.points, options.single_precision);
  else
    add_element_data(*grid, piece, selection.cells, options.single_precision);
  return grid;
}

}  // namespace terrace
