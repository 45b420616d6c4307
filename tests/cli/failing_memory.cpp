// Requests for memory that fail, for tests/cli/memory.py, which compiles this and loads it with LD_PRELOAD.
// FAIL_NUMBER: which `operator new`, or mmap, that the program's own code calls, MPI being there, finds no
// memory, from 1 on; none: no one. FAIL_ALSO: how many requests later one finds none again; none: no other.
// FAIL_RANK: the MPI rank that is concerned. FAIL_LOG: each rank says in a line of a file of this name, a dot
// and its number, when it ends, how many such calls there were. What libraries ask for is given, also where
// they ask through the program's copy of std::string: VTK, for one, does not survive without. FAIL_OF: a word
// of the name of a library whose calls are counted in place of the program's.
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

struct Range {
  std::uintptr_t first = 0, last = 0;
};

/// The program is the first that is listed.
int find_program(dl_phdr_info* info, std::size_t, void* data) {
  auto& range = *static_cast<Range*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    range.first = info->dlpi_addr + segment.p_vaddr;
    range.last = range.first + segment.p_memsz;
  }
  return 1;
}

const char* setting(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

const char* rank_here() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr ? "0" : rank;
}

bool is_concerned() { return std::strcmp(rank_here(), setting("FAIL_RANK")) == 0; }

std::atomic<bool> has_begun{false};
std::atomic<long> calls{0};

bool is_of_program(const void* code) {
  static const Range program = [] {
    Range range;
    dl_iterate_phdr(find_program, &range);
    return range;
  }();
  const auto address = reinterpret_cast<std::uintptr_t>(code);
  return address >= program.first && address < program.last;
}

/// Of std::, and seen by libraries, whose calls of it come here.
bool is_shared_copy(const void* code) {
  Dl_info info;
  return dladdr(code, &info) != 0 && info.dli_sname != nullptr &&
         std::strncmp(info.dli_sname, "_ZNSt", 5) == 0;
}

/// Whether it is the program itself that asks, from `caller`.
bool asks(const void* caller) {
  if (!is_of_program(caller)) return false;
  if (!is_shared_copy(caller)) return true;
  void* callers[16];
  const int count = backtrace(callers, 16);
  bool seen = false;
  for (int i = 0; i < count; ++i) {
    seen = seen || callers[i] == caller;
    if (seen && !is_of_program(callers[i])) return false;
    if (seen && !is_shared_copy(callers[i])) return true;
  }
  return true;
}

bool is_of(const char* library, const void* caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 && std::strstr(info.dli_fname, library) != nullptr;
}

/// Whether this request is one that finds none.
bool fails(const void* caller) {
  static const long failing = is_concerned() ? std::atol(setting("FAIL_NUMBER")) : 0;
  static const long also = std::atol(setting("FAIL_ALSO"));
  static const char* const library = setting("FAIL_OF");
  if (!has_begun || !(*library != 0 ? is_of(library, caller) : asks(caller))) return false;
  const long call = ++calls;
  return failing > 0 && (call == failing || (also > 0 && call == failing + also));
}

/// As operator new has it.
[[noreturn]] void end_memory() {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  throw std::bad_alloc();
}

void* give(std::size_t size, const void* caller) {
  if (fails(caller)) end_memory();
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) end_memory();
  return memory;
}

struct Report {
  ~Report() {
    const char* log = setting("FAIL_LOG");
    if (*log == 0) return;
    char path[4096];
    std::snprintf(path, sizeof path, "%s.%s", log, rank_here());
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%ld\n", calls.load());
      std::fclose(file);
    }
  }
} report;

}  // namespace

/// Of what is asked for before main begins, tables that are there from the start, nothing can be told.
extern "C" int PetscInitialize(int* count, char*** words, const char* file, const char* help) {
  using Function = int (*)(int*, char***, const char*, const char*);
  const auto petsc = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "PetscInitialize"));
  const int error = petsc(count, words, file, help);
  has_begun = true;
  return error;
}

extern "C" void* mmap(void* address, std::size_t size, int protection, int flags, int file,
                      off_t offset) noexcept {
  if ((flags & MAP_ANONYMOUS) != 0 && fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return reinterpret_cast<void*>(syscall(SYS_mmap, address, size, protection, flags, file, offset));
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  if (fails(__builtin_return_address(0))) end_memory();
  const auto unit = static_cast<std::size_t>(alignment);
  void* memory = std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
  if (memory == nullptr) end_memory();
  return memory;
}
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void* operator new(std::size_t size) { return give(size, __builtin_return_address(0)); }
void* operator new[](std::size_t size) { return give(size, __builtin_return_address(0)); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
