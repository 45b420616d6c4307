// VTK's file of a grid. VTK writes into a stream of terrace's: by itself it would not say for which file the
// disk had no room, and to hold the whole file as text would take more memory than the grid.
#pragma once

#include <filesystem>

#include "io/output_formats.hpp"

class vtkDataObject;

namespace terrace {

/// Writes a vtkUnstructuredGrid as a .vtu file, whole or not at all. Throws Error(run) naming the file, with
/// what the system or VTK said, where that fails.
void write_vtu(const std::filesystem::path& path, vtkDataObject* grid, FieldCompression compression);

}  // namespace terrace
