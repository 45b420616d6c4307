#include "io/vtu_file.hpp"

#include <fmt/core.h>
#include <vtkCallbackCommand.h>
#include <vtkDataObject.h>
#include <vtkErrorCode.h>
#include <vtkExecutive.h>
#include <vtkLZ4DataCompressor.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkSmartPointer.h>
#include <vtkXMLUnstructuredGridWriter.h>
#include <vtkZLibDataCompressor.h>

#include <ostream>
#include <string>

#include "io/whole_file.hpp"
#include "io/whole_file_buffer.hpp"
#include "numerics/memory_watch.hpp"
#include "parallel/error.hpp"

namespace terrace {
namespace {

/// Writes once, into a given stream.
class StreamWriter : public vtkXMLUnstructuredGridWriter {
 public:
  static StreamWriter* New();
  void set_stream(std::ostream& stream) { Stream = &stream; }

 protected:
  /// VTK 9.1 frees these where it fails, but makes them only in another mode.
  StreamWriter() { NumberOfPointsPositions = nullptr, NumberOfCellsPositions = nullptr; }
};

vtkStandardNewMacro(StreamWriter);

vtkSmartPointer<vtkDataCompressor> compressor_for(FieldCompression compression) {
  if (compression == FieldCompression::zlib) return vtkSmartPointer<vtkZLibDataCompressor>::New();
  if (compression == FieldCompression::lz4) return vtkSmartPointer<vtkLZ4DataCompressor>::New();
  return nullptr;
}

/// Keeps the first error that VTK reports; an error with an observer is not printed.
void keep_first(vtkObject* /*caller*/, unsigned long /*event*/, void* first, void* message) {
  auto& text = *static_cast<std::string*>(first);
  if (text.empty()) text = static_cast<const char*>(message);
}

}  // namespace

// The writer itself says that all went well whatever its algorithm came to, and its streams do not report
// memory that runs out.
void write_vtu(const std::filesystem::path& path, vtkDataObject* grid, FieldCompression compression) {
  const MemoryWatch memory;
  WholeFile file(path);
  WholeFileBuffer buffer(file);
  std::ostream stream(&buffer);
  std::string complaint;
  vtkNew<vtkCallbackCommand> keep;
  keep->SetCallback(keep_first);
  keep->SetClientData(&complaint);
  vtkNew<StreamWriter> writer;
  writer->AddObserver(vtkCommand::ErrorEvent, keep);
  writer->GetExecutive()->AddObserver(vtkCommand::ErrorEvent, keep);
  writer->SetInputDataObject(grid);
  writer->SetCompressor(compressor_for(compression));
  // Not in appended mode: expat 2.6, and 2.5 as Debian 12 patches it, stop ParaView 5.11 before such data
  // (VTK issue 19258).
  writer->SetDataModeToBinary();
  writer->set_stream(stream);
  const bool said_well = writer->Write() == 1;
  stream.flush();
  buffer.rethrow_failure();
  memory.require_enough();
  if (complaint.empty() && (!said_well || writer->GetErrorCode() != vtkErrorCode::NoError || !stream))
    complaint = fmt::format("its error {}", writer->GetErrorCode());
  if (!complaint.empty())
    throw Error(Error::Kind::run, path.string(), "a grid that VTK can encode in the memory there is",
                complaint);
  file.commit();
}

}  // namespace terrace
