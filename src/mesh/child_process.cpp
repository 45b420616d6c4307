#include "mesh/child_process.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>

#include "parallel/archive.hpp"
#include "parallel/error.hpp"
#include "parallel/words_of.hpp"

namespace terrace {
namespace {

enum class Outcome { done, error, exception };

#ifdef __SANITIZE_ADDRESS__
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// Size of this process's address space [bytes].
std::uint64_t address_space() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void limit(int resource, std::uint64_t most) {
  const rlimit both = {most, most};
  ::setrlimit(static_cast<__rlimit_resource>(resource), &both);
}

void apply(const ChildLimits& limits) {
  // AddressSanitizer's shadow takes terabytes of addresses.
  if (limits.memory > 0 && !sanitized) limit(RLIMIT_AS, address_space() + limits.memory);
  if (limits.seconds > 0) limit(RLIMIT_CPU, limits.seconds);
  limit(RLIMIT_CORE, 0);
}

void write_all(int file, const std::vector<std::byte>& bytes) {
  for (std::size_t first = 0; first < bytes.size();) {
    const ssize_t written = ::write(file, bytes.data() + first, bytes.size() - first);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) ::_exit(1);
    first += static_cast<std::size_t>(written);
  }
}

// The child's whole life. Whatever it fails to report ends it here: it must not return into the parent's
// main.
[[noreturn]] void be_child(pid_t parent, int out, const ChildLimits& limits,
                           const std::function<std::vector<std::byte>()>& work) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  std::set_terminate(std::abort);  // the parent's handler may end other ranks
  for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGXCPU}) ::signal(signal, SIG_DFL);
  for (const int signal : {SIGTERM, SIGINT, SIGUSR1}) ::signal(signal, SIG_IGN);  // they are for the parent
  // What a library prints when it aborts would stand beside the message of the error. What a sanitizer prints
  // must be seen.
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDOUT_FILENO);
  if (!sanitized) ::dup2(nowhere, STDERR_FILENO);
  apply(limits);
  const auto tell = [&](Outcome outcome, const auto&... words) {
    ByteWriter message;
    message(outcome, words...);
    write_all(out, message.take());
    ::_exit(0);
  };
  try {
    const std::vector<std::byte> result = work();
    tell(Outcome::done, result);
  } catch (const Error& error) {
    const Error::Kind kind = error.kind();
    const std::string &where = error.where(), &expected = error.expected(), &found = error.found();
    tell(Outcome::error, kind, where, expected, found);
  } catch (const std::exception& error) {
    const std::string what = words_of(error);
    tell(Outcome::exception, what);
  }
  ::_exit(1);
}

std::vector<std::byte> read_all(int file) {
  std::vector<std::byte> all;
  std::array<std::byte, 65536> block;
  for (;;) {
    const ssize_t count = ::read(file, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return all;
    all.insert(all.end(), block.begin(), block.begin() + count);
  }
}

std::string end_of(int status) {
  if (!WIFSIGNALED(status)) return "an end with status " + std::to_string(WEXITSTATUS(status));
  if (WTERMSIG(status) == SIGXCPU) return "one that takes too long";
  return "one that it crashes on, with signal " + std::to_string(WTERMSIG(status));
}

}  // namespace

std::vector<std::byte> in_child_process(const std::string& where, const std::string& expected,
                                        const ChildLimits& limits,
                                        const std::function<std::vector<std::byte>()>& work) {
  using enum Error::Kind;
  const auto fail = [&](Error::Kind kind, const std::string& found) {
    throw Error(kind, where, expected, found);
  };
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) fail(run, std::strerror(errno));
  const pid_t parent = ::getpid(), child = ::fork();
  if (child < 0) {
    for (const int end : ends) ::close(end);
    fail(run, std::strerror(errno));
  }
  if (child == 0) be_child(parent, ends[1], limits, work);
  ::close(ends[1]);
  const std::vector<std::byte> message = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  // Without a limit of memory the child met that of the machine, or somebody killed it.
  const bool is_limited = limits.memory > 0;
  const bool is_killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (message.empty() || status != 0) fail(is_killed && !is_limited ? run : input, end_of(status));
  ByteReader reader(message);
  Outcome outcome{};
  std::string text, of_child, found;
  reader(outcome);
  if (outcome == Outcome::exception) {
    reader(text);
    fail(is_limited ? input : run, text);
  } else if (outcome == Outcome::error) {
    Error::Kind kind{};
    reader(kind, text, of_child, found);
    throw Error(kind, text, of_child, found);
  }
  std::vector<std::byte> result;
  reader(result);
  return result;
}

}  // namespace terrace
