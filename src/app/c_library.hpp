// How glibc computes and manages memory, which it chooses by the processor and by the program's environment.
#pragma once

namespace terrace {

/// Starts the program again, once, with GLIBC_TUNABLES such that
/// - every x86-64 processor gets glibc's plain variants of sin, cos, pow, …, on whose last digits Gmsh's
///   meshes depend: the same mesh on all of them;
/// - memory comes from the system in huge pages, where Linux has them: on a virtual machine the first access
///   to a page takes longer than an event of a small body.
/// Keeps what GLIBC_TUNABLES already says. Does nothing with another C library, on another architecture, or
/// where the restart fails. Call it first in main.
void prepare_c_library(char** argv);

/// With glibc: large blocks go back to the system as they are freed. By itself glibc's heap keeps gaps where
/// arrays grow and shrink, and all memory that was freed below blocks still in use. For set-up and output,
/// whose large blocks are allocated once; METIS then takes a fourth less memory.
void give_back_large_blocks();
/// With glibc: freed memory is kept for the next blocks. For the time in which a system moves.
void keep_freed_blocks();
/// Calls give_back_large_blocks when it is made, keep_freed_blocks when it ends.
class LargeBlocksGoBack {
 public:
  LargeBlocksGoBack() { give_back_large_blocks(); }
  ~LargeBlocksGoBack() { keep_freed_blocks(); }
  LargeBlocksGoBack(const LargeBlocksGoBack&) = delete;
  LargeBlocksGoBack& operator=(const LargeBlocksGoBack&) = delete;
};
/// With glibc: gives all memory that is free now back to the system.
void return_free_memory();

}  // namespace terrace
