// A session of Gmsh for one mesh, in which Gmsh's errors become terrace's.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include "mesh/gmsh_module.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {

/// Gmsh's library between initialisation and finalisation: silent, on one thread and with fixed seeds. Gmsh's
/// state is global, so there must be only one session at a time. Configuration files of the user are not
/// read, so a mesh depends on its shape alone.
class GmshSession {
 public:
  /// `where` begins every error message.
  explicit GmshSession(std::string where);
  ~GmshSession();
  GmshSession(const GmshSession&) = delete;
  GmshSession& operator=(const GmshSession&) = delete;

  /// Runs `action`, which calls Gmsh. If Gmsh complains, throws Error(input) with `expected` and the
  /// complaint.
  template <class Action>
  void attempt(const std::string& expected, Action action);

 private:
  /// The errors that Gmsh has logged since the session began, in one text.
  static std::string logged_errors();
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;

  std::string where_;
};

template <class Action>
void GmshSession::attempt(const std::string& expected, Action action) {
  std::string complaint;
  try {
    action();
  } catch (const std::string& message) {
    complaint = message;
  } catch (int status) {
    complaint = "status " + std::to_string(status);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    complaint = words_of(error);
  }
  if (const std::string errors = logged_errors(); !errors.empty()) complaint = errors;
  if (!complaint.empty()) fail(expected, complaint);
}

/// The linear tetrahedra of the given volumes (all volumes if empty) of the session's current model, and the
/// nodes that they use, both in the order of Gmsh's numbers. Throws Error(input) for cells of another type or
/// if there are none.
NumberedMesh collect_tetrahedra(GmshSession& session, const std::vector<int>& volumes,
                                const std::string& where);

}  // namespace terrace
