#include "io/vtk_trajectories.hpp"

#include <fmt/core.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkIdList.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "io/vtu_file.hpp"
#include "io/whole_file.hpp"
#include "numerics/contract.hpp"
#include "numerics/memory_watch.hpp"
#include "parallel/error.hpp"

namespace terrace {

void Trajectories::add(double time, const std::vector<Vector3>& positions,
                       const std::vector<Vector3>& velocities) {
  TERRACE_VERIFY(positions.size() == bodies_.size() && velocities.size() == bodies_.size(), positions.size(),
                 velocities.size(), bodies_.size());
  instants_.push_back({time, positions, velocities});
}

// Points are written particle after particle, each with all its times.
void Trajectories::write() const {
  const std::size_t count = bodies_.size();
  vtkNew<vtkPoints> points;
  points->SetDataType(VTK_DOUBLE);
  vtkNew<vtkDoubleArray> time, velocity;
  time->SetName("time");
  velocity->SetName("velocity");
  velocity->SetNumberOfComponents(3);
  vtkNew<vtkIntArray> body, particle;
  body->SetName("body");
  particle->SetName("particle");
  vtkNew<vtkUnstructuredGrid> grid;
  grid->Allocate(static_cast<vtkIdType>(count));
  for (std::size_t a = 0; a < count; ++a) {
    vtkNew<vtkIdList> line;
    for (const Instant& instant : instants_) {
      line->InsertNextId(points->InsertNextPoint(instant.positions[a].data()));
      time->InsertNextValue(instant.time);
      velocity->InsertNextTuple(instant.velocities[a].data());
    }
    grid->InsertNextCell(VTK_POLY_LINE, line);
    body->InsertNextValue(bodies_[a]);
    particle->InsertNextValue(static_cast<int>(a));
  }
  grid->SetPoints(points);
  grid->GetPointData()->AddArray(time);
  grid->GetPointData()->AddArray(velocity);
  grid->GetCellData()->AddArray(body);
  grid->GetCellData()->AddArray(particle);
  write_vtu(file_, grid, FieldCompression::zlib);
}

void Trajectories::resume(double time) {
  const MemoryWatch memory;
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  const std::string text = read_whole_file(file_);
  reader->ReadFromInputStringOn();
  reader->SetInputString(text);
  reader->Update();
  memory.require_enough();
  vtkUnstructuredGrid* grid = reader->GetOutput();
  vtkDataArray* times = grid->GetPointData()->GetArray("time");
  vtkDataArray* velocity = grid->GetPointData()->GetArray("velocity");
  const auto count = static_cast<vtkIdType>(bodies_.size());
  if (grid->GetNumberOfCells() != count || times == nullptr || velocity == nullptr ||
      grid->GetNumberOfPoints() % count != 0)
    throw Error(Error::Kind::run, file_.string(), fmt::format("trajectories of {} particles", count),
                fmt::format("{} cells, {} points", grid->GetNumberOfCells(), grid->GetNumberOfPoints()));
  const vtkIdType length = grid->GetNumberOfPoints() / count;
  for (vtkIdType t = 0; t < length && times->GetTuple1(t) <= time; ++t) {
    std::vector<Vector3> x(bodies_.size()), v(bodies_.size());
    for (vtkIdType a = 0; a < count; ++a) {
      grid->GetPoint(a * length + t, x[static_cast<std::size_t>(a)].data());
      velocity->GetTuple(a * length + t, v[static_cast<std::size_t>(a)].data());
    }
    add(times->GetTuple1(t), x, v);
  }
  if (!instants_.empty() && instants_.back().time == time) return;
  instants_.clear();  // a gap would be drawn as a straight line
}

}  // namespace terrace
