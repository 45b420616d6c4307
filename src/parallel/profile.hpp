// The phases and the costly operations of a run, as PETSc's profile shows them: terrace run DECK -- -log_view
#pragma once

namespace terrace {

/// Phases. They may nest: what runs inside a stage is counted there and not in the outer one.
enum class Stage { mesh, set_up, stepping, output };
/// Operations, counted and timed in every stage: nodal gradients, new lines of potentials, V, V′, V″ along
/// them, and exchange with other ranks, shared nodes or the news of a window. The others are phases of
/// windows: planning, taking bodies over, events, going back with the events that are done again, putting
/// news together, and taking in those of all.
enum class Operation {
  gradient,
  line_set_up,
  sampling,
  exchange,
  planning,
  beginning,
  working,
  redoing,
  telling,
  learning
};

/// Makes the names known to PETSc; once, after PetscInitialize and before any other use of this file. Without
/// it everything here does nothing. Throws Error(run) when PETSc refuses.
void register_profile();

/// Lasts as long as the stage. Throws Error(run) when PETSc refuses to begin it; an end that it refuses is
/// told on stderr.
class StageScope {
 public:
  explicit StageScope(Stage stage);
  ~StageScope();
  StageScope(const StageScope&) = delete;
  StageScope& operator=(const StageScope&) = delete;
};

/// Lasts as long as the operation; as StageScope. Costs two loads where nobody asked for a profile.
class OperationScope {
 public:
  explicit OperationScope(Operation operation);
  ~OperationScope();
  OperationScope(const OperationScope&) = delete;
  OperationScope& operator=(const OperationScope&) = delete;

 private:
  int event_;
};

}  // namespace terrace
