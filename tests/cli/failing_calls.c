/* Calls of the system that fail, for tests/cli/faults.py, which compiles this and loads it with LD_PRELOAD.

   FAIL_UNDER    only files whose path begins with this are looked at
   FAIL_LOG      a line for each of their calls: rank, call, path, whether it was made to fail
   FAIL_CALL     open (for writing), look (open for reading, as a stream does), write, pwrite, ftruncate, posix_fallocate,
                 fsync, close, rename or link, or a pattern (fnmatch) of these; none: no call fails. METIS_PartGraphKway: it
                 is not made and FAIL_ERRNO is its status; malloc: that call of METIS finds no memory from its
                 FAIL_NUMBER-th request on; both whatever FAIL_UNDER says
   FAIL_PATH     the pattern (fnmatch) that the path must fit; of rename and link, the old or the new one
   FAIL_NUMBER   which of these calls fails, from 1 on
   FAIL_ERRNO    the reason, as a number
   FAIL_SHORT    1: a write first writes half, and the next call, for the other half, fails
   FAIL_ALWAYS   1: so do all calls that follow
   FAIL_RANK     the MPI rank that is concerned

   A family of calls counts as one: write and writev, pwrite64 and pwritev, close and fclose ... */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum verdict { goes_on, fails, is_short };

static atomic_int calls_so_far;

static const char* setting(const char* name) {
  const char* text = getenv(name);
  return text == NULL ? "" : text;
}

static int number(const char* name) { return atoi(setting(name)); }

static const char* own_rank(void) {
  const char* rank = getenv("OMPI_COMM_WORLD_RANK");
  return rank == NULL ? "0" : rank;
}

/* By system calls alone: the library's functions are the ones below. */
static void note(const char* call, const char* path, enum verdict verdict) {
  const char* log = setting("FAIL_LOG");
  if (*log == 0) return;
  const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  char line[PATH_MAX + 100];
  const int length = snprintf(line, sizeof line, "%s\t%s\t%s\t%d\n", own_rank(), call, path, verdict != goes_on);
  if (file >= 0 && syscall(SYS_write, file, line, (size_t)length) != length) abort();
  if (file >= 0) syscall(SYS_close, file);
}

static int concerns(const char* path) {
  const char* under = setting("FAIL_UNDER");
  /* By files of its own MPI-IO finds out whether it can lock any. */
  return *under != 0 && strncmp(path, under, strlen(under)) == 0 && strstr(path, ".locktest") == NULL;
}

static int fits(const char* path) { return path != NULL && fnmatch(setting("FAIL_PATH"), path, 0) == 0; }

/* What becomes of this call; leaves errno as it is unless the call fails. */
static enum verdict judge(const char* call, const char* path, const char* other) {
  if (!concerns(path) && (other == NULL || !concerns(other))) return goes_on;
  const int before = errno;
  enum verdict verdict = goes_on;
  const char* rank = setting("FAIL_RANK");
  if (fnmatch(setting("FAIL_CALL"), call, 0) == 0 && (fits(path) || fits(other)) &&
      (*rank == 0 || strcmp(rank, own_rank()) == 0)) {
    const int now = ++calls_so_far, wanted = number("FAIL_NUMBER"), is_writing = strstr(call, "write") != NULL;
    const int first = wanted + (is_writing && number("FAIL_SHORT"));
    if (now < first && now == wanted) verdict = is_short;
    if (now == first || (now > first && number("FAIL_ALWAYS"))) verdict = fails;
  }
  note(call, other == NULL ? path : other, verdict);
  errno = verdict == fails ? number("FAIL_ERRNO") : before;
  return verdict;
}

static enum verdict judge_file(const char* call, int file) {
  const int before = errno;
  char name[64], path[PATH_MAX];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  const ssize_t length = readlink(name, path, sizeof path - 1);
  errno = before;
  if (length <= 0) return goes_on;
  path[length] = 0;
  return judge(call, path, NULL);
}

/* The next library's function of this name. */
#define REAL(type, name) ((type)dlsym(RTLD_NEXT, name))

typedef ssize_t (*write_call)(int, const void*, size_t);
typedef ssize_t (*writev_call)(int, const struct iovec*, int);
typedef ssize_t (*pwrite_call)(int, const void*, size_t, off_t);
typedef ssize_t (*pwritev_call)(int, const struct iovec*, int, off_t);
typedef int (*file_call)(int);
typedef int (*length_call)(int, off_t);
typedef int (*truncate_call)(const char*, off_t);
typedef int (*room_call)(int, off_t, off_t);
typedef int (*two_names_call)(const char*, const char*);
typedef int (*renameat_call)(int, const char*, int, const char*);
typedef int (*five_call)(int, const char*, int, const char*, int);
typedef int (*open_call)(const char*, int, ...);
typedef int (*openat_call)(int, const char*, int, ...);
typedef FILE* (*fopen_call)(const char*, const char*);
typedef int (*fclose_call)(FILE*);

ssize_t write(int file, const void* bytes, size_t count) {
  const enum verdict verdict = file > 2 ? judge_file("write", file) : goes_on;
  if (verdict == fails) return -1;
  return REAL(write_call, "write")(file, bytes, verdict == is_short ? (count + 1) / 2 : count);
}

/* Half of several pieces is half of the first. */
static ssize_t half_of_first(int file, const struct iovec* pieces) {
  return REAL(write_call, "write")(file, pieces[0].iov_base, (pieces[0].iov_len + 1) / 2);
}

ssize_t writev(int file, const struct iovec* pieces, int count) {
  const enum verdict verdict = file > 2 ? judge_file("write", file) : goes_on;
  if (verdict == fails) return -1;
  if (verdict == is_short && count > 0) return half_of_first(file, pieces);
  return REAL(writev_call, "writev")(file, pieces, count);
}

static ssize_t pwrite_by(const char* name, int file, const void* bytes, size_t count, off_t place) {
  const enum verdict verdict = judge_file("pwrite", file);
  if (verdict == fails) return -1;
  return REAL(pwrite_call, name)(file, bytes, verdict == is_short ? (count + 1) / 2 : count, place);
}

ssize_t pwrite(int file, const void* bytes, size_t count, off_t place) {
  return pwrite_by("pwrite", file, bytes, count, place);
}
ssize_t pwrite64(int file, const void* bytes, size_t count, off_t place) {
  return pwrite_by("pwrite64", file, bytes, count, place);
}

static ssize_t pwritev_by(const char* name, int file, const struct iovec* pieces, int count, off_t place) {
  const enum verdict verdict = judge_file("pwrite", file);
  if (verdict == fails) return -1;
  if (verdict == is_short && count > 0)
    return REAL(pwrite_call, "pwrite")(file, pieces[0].iov_base, (pieces[0].iov_len + 1) / 2, place);
  return REAL(pwritev_call, name)(file, pieces, count, place);
}

ssize_t pwritev(int file, const struct iovec* pieces, int count, off_t place) {
  return pwritev_by("pwritev", file, pieces, count, place);
}
ssize_t pwritev64(int file, const struct iovec* pieces, int count, off_t place) {
  return pwritev_by("pwritev64", file, pieces, count, place);
}

int fsync(int file) { return judge_file("fsync", file) == fails ? -1 : REAL(file_call, "fsync")(file); }
int fdatasync(int file) { return judge_file("fsync", file) == fails ? -1 : REAL(file_call, "fdatasync")(file); }

/* A close that fails has closed nevertheless. */
int close(int file) {
  const enum verdict verdict = file > 2 ? judge_file("close", file) : goes_on;
  const int reason = errno, result = REAL(file_call, "close")(file);
  if (verdict != fails) return result;
  errno = reason;
  return -1;
}

int fclose(FILE* stream) {
  const enum verdict verdict = stream != NULL ? judge_file("close", fileno(stream)) : goes_on;
  const int reason = errno, result = REAL(fclose_call, "fclose")(stream);
  if (verdict != fails) return result;
  errno = reason;
  return EOF;
}

int ftruncate(int file, off_t length) {
  return judge_file("ftruncate", file) == fails ? -1 : REAL(length_call, "ftruncate")(file, length);
}
int ftruncate64(int file, off_t length) {
  return judge_file("ftruncate", file) == fails ? -1 : REAL(length_call, "ftruncate64")(file, length);
}
int truncate(const char* path, off_t length) {
  return judge("ftruncate", path, NULL) == fails ? -1 : REAL(truncate_call, "truncate")(path, length);
}
int truncate64(const char* path, off_t length) {
  return judge("ftruncate", path, NULL) == fails ? -1 : REAL(truncate_call, "truncate64")(path, length);
}

/* These two return the reason. */
int posix_fallocate(int file, off_t first, off_t length) {
  if (judge_file("posix_fallocate", file) == fails) return errno;
  return REAL(room_call, "posix_fallocate")(file, first, length);
}
int posix_fallocate64(int file, off_t first, off_t length) {
  if (judge_file("posix_fallocate", file) == fails) return errno;
  return REAL(room_call, "posix_fallocate64")(file, first, length);
}

int rename(const char* from, const char* to) {
  return judge("rename", from, to) == fails ? -1 : REAL(two_names_call, "rename")(from, to);
}
int renameat(int old_place, const char* from, int new_place, const char* to) {
  if (judge("rename", from, to) == fails) return -1;
  return REAL(renameat_call, "renameat")(old_place, from, new_place, to);
}
int renameat2(int old_place, const char* from, int new_place, const char* to, unsigned flags) {
  if (judge("rename", from, to) == fails) return -1;
  return REAL(five_call, "renameat2")(old_place, from, new_place, to, (int)flags);
}
int link(const char* from, const char* to) {
  return judge("link", from, to) == fails ? -1 : REAL(two_names_call, "link")(from, to);
}
int linkat(int old_place, const char* from, int new_place, const char* to, int flags) {
  if (judge("link", from, to) == fails) return -1;
  return REAL(five_call, "linkat")(old_place, from, new_place, to, flags);
}

/* HDF5 tries to open what it is about to make (O_RDWR): whether that fails does not matter. */
static int is_for_writing(int flags) { return (flags & O_CREAT) != 0 || (flags & O_ACCMODE) == O_WRONLY; }

static mode_t mode_of(int flags, va_list* more) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(*more, mode_t) : 0;
}

#define OPENS(name)                                                                 \
  int name(const char* path, int flags, ...) {                                      \
    va_list more;                                                                   \
    va_start(more, flags);                                                          \
    const mode_t mode = mode_of(flags, &more);                                      \
    va_end(more);                                                                   \
    if (is_for_writing(flags) && judge("open", path, NULL) == fails) return -1;     \
    return REAL(open_call, #name)(path, flags, mode);                               \
  }
#define OPENS_AT(name)                                                              \
  int name(int place, const char* path, int flags, ...) {                           \
    va_list more;                                                                   \
    va_start(more, flags);                                                          \
    const mode_t mode = mode_of(flags, &more);                                      \
    va_end(more);                                                                   \
    if (is_for_writing(flags) && judge("open", path, NULL) == fails) return -1;     \
    return REAL(openat_call, #name)(place, path, flags, mode);                      \
  }
OPENS(open)
OPENS(open64)
OPENS_AT(openat)
OPENS_AT(openat64)

FILE* fopen(const char* path, const char* mode) {
  if (judge(strpbrk(mode, "wa+") != NULL ? "open" : "look", path, NULL) == fails) return NULL;
  return REAL(fopen_call, "fopen")(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  if (judge(strpbrk(mode, "wa+") != NULL ? "open" : "look", path, NULL) == fails) return NULL;
  return REAL(fopen_call, "fopen64")(path, mode);
}

/* METIS, and memory while it is at work. */
static _Thread_local int inside_metis;

void* __libc_malloc(size_t size);

void* malloc(size_t size) {
  if (!inside_metis || ++calls_so_far < number("FAIL_NUMBER")) return __libc_malloc(size);
  errno = ENOMEM;
  return NULL;
}

typedef int (*partition_call)(void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*, void*);

int METIS_PartGraphKway(void* vertices, void* constraints, void* first, void* neighbours, void* weights, void* sizes,
                        void* weights_of_edges, void* parts, void* shares, void* imbalances, void* options, void* cut,
                        void* part_of) {
  const char *rank = setting("FAIL_RANK"), *call = setting("FAIL_CALL");
  const int is_meant = *rank == 0 || strcmp(rank, own_rank()) == 0;
  const int is_refused = is_meant && strcmp(call, "METIS_PartGraphKway") == 0;
  note("METIS_PartGraphKway", "", is_refused ? fails : goes_on);
  if (is_refused) return number("FAIL_ERRNO");
  inside_metis = is_meant && strcmp(call, "malloc") == 0;
  const int status = REAL(partition_call, "METIS_PartGraphKway")(
      vertices, constraints, first, neighbours, weights, sizes, weights_of_edges, parts, shares, imbalances, options, cut, part_of);
  inside_metis = 0;
  return status;
}
