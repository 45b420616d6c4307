// VTK's file of a grid. VTK writes into a stream of terrace's: it would not say which file the disk had no
// room for, and a whole frame as text takes more memory than the grid.
#pragma once

#include <filesystem>

#include "io/output_formats.hpp"

class vtkDataObject;

namespace terrace {

/// The .vtu file of a vtkUnstructuredGrid, as write_whole_file. Throws Error(run) naming it with what the
/// system or VTK said if it could not.
void write_vtu(const std::filesystem::path& path, vtkDataObject* grid, FieldCompression compression);

}  // namespace terrace
