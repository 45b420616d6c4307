// How glibc does things, which it chooses by the processor and by the environment in which a program starts.
#pragma once

namespace terrace {

/// Starts the program again, once, with GLIBC_TUNABLES such that
/// - every x86-64 processor gets glibc's plain variants of sin, cos, pow, …, on whose last digits Gmsh's
///   meshes depend: the same mesh on all of them;
/// - memory comes from the system in huge pages, where Linux has them: a first look at a page takes longer
///   than to do an event of a small body, where it is one of a virtual machine.
/// Nothing is changed of what GLIBC_TUNABLES says already, with another C library, on another architecture,
/// or if it cannot be done. To be called first in main.
void prepare_c_library(char** argv);

/// Where the C library is glibc, in whose heap arrays that grow and shrink leave gaps, and which keeps what
/// was freed below blocks that are still in use: large blocks go back to the system as they are freed. Of
/// set-up and of output, where they are made once; METIS takes a fourth less so.
void give_back_large_blocks();
/// What is freed is kept for the next blocks: while a system moves.
void keep_freed_blocks();
/// The first of them as long as this lives, then the second.
class LargeBlocksGoBack {
 public:
  LargeBlocksGoBack() { give_back_large_blocks(); }
  ~LargeBlocksGoBack() { keep_freed_blocks(); }
  LargeBlocksGoBack(const LargeBlocksGoBack&) = delete;
  LargeBlocksGoBack& operator=(const LargeBlocksGoBack&) = delete;
};
/// What is free now goes back to the system.
void return_free_memory();

}  // namespace terrace
