// Gmsh's meshes depend on the last digits of the C library's sin, cos, pow, …, and glibc chooses among
// variants of these by the processor.
#pragma once

namespace terrace {

/// Starts the program again, once, with GLIBC_TUNABLES such that every x86-64 processor gets glibc's plain
/// variants, with which Gmsh gives the same mesh on all of them. Does nothing where GLIBC_TUNABLES says
/// something of hwcaps already, with another C library, on another architecture, or if it cannot be done. To
/// be called first in main.
void use_plain_libm(char** argv);

}  // namespace terrace
