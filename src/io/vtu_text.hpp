// VTK's text of a grid. VTK writes into memory and terrace into the file: VTK would not say which file the
// disk had no room for.
#pragma once

#include <string>

#include "io/output_formats.hpp"

class vtkDataObject;

namespace terrace {

/// The .vtu file of a vtkUnstructuredGrid. Throws Error(run) with `where` and what VTK said if it could not.
[[nodiscard]] std::string vtu_text(vtkDataObject* grid, FieldCompression compression,
                                   const std::string& where);

}  // namespace terrace
