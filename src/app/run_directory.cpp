#include "app/run_directory.hpp"

#include <cstdio>
#include <filesystem>

#include "io/output_directory.hpp"
#include "parallel/tell_user.hpp"

namespace terrace {

DirectoryLock take_output_directory(const OutputEntry& output, bool resumes) {
  std::error_code none;
  if (resumes && !std::filesystem::is_directory(output.directory, none))
    return {};  // reported by resume_run, which reads there
  DirectoryLock lock =
      resumes ? DirectoryLock(output.directory) : create_output_directory(output.directory, output.overwrite);
  if (!lock.trouble().empty())
    tell_user(
        "warning: output directory {}: it cannot be locked ({}); see to it that no other run writes "
        "there\n",
        output.directory, lock.trouble());
  return lock;
}

}  // namespace terrace
