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

}  // namespace terrace
