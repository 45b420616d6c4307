#include "app/traces.hpp"

#include "io/window_tables.hpp"

namespace terrace {

void Traces::follow(WindowedEnergyStepping& windows) {
  if (!options_.traces) return;
  windows.trace(options_.trace_for);
  windows_ = &windows;
}

void Traces::gather(const Lagrangian& system) {
  if (windows_ != nullptr)
    of_windows_ = windows_->traces();
  else if (operations_)
    of_operations_ = operations_of_all(*operations_, system);
}

void Traces::write(const std::filesystem::path& directory) const {
  if (windows_ != nullptr)
    write_window_tables(directory, of_windows_);
  else if (operations_)
    write_operation_table(directory, of_operations_);
}

}  // namespace terrace
