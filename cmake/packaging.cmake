# What `cmake --install` copies, and the Debian package that `cpack` makes of it (in the build directory: cpack -G DEB).
# Libraries outside the system's directories (modules, Spack) are found where they were linked.
set_target_properties(terrace terrace_gmsh PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS terrace RUNTIME)
install(TARGETS terrace_gmsh LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/terrace)  # where mesh/gmsh_module.cpp looks
install(DIRECTORY inputs meshes DESTINATION ${CMAKE_INSTALL_DATADIR}/terrace)
install(DIRECTORY postprocess DESTINATION ${CMAKE_INSTALL_DATADIR}/terrace FILES_MATCHING
  PATTERN "*.py" PATTERN "pictures" EXCLUDE PATTERN "__pycache__" EXCLUDE)
# README.md names files by their places in the source tree.
file(READ README.md readme)
string(REGEX REPLACE "^# terrace\n" "# terrace

*Installed: `inputs/`, `meshes/`, the scripts of `postprocess/` and those of `cluster/` are in `share/terrace`, documents beside this one.
`cluster/local.sh`, `cluster/install.sh`, `cluster/build.sh` and the tests are in the source tree alone.*
" readme "${readme}")
file(WRITE ${PROJECT_BINARY_DIR}/installed/README.md "${readme}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS README.md)
install(FILES ${PROJECT_BINARY_DIR}/installed/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES tests/README.md tests/scale.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests)
install(FILES tests/bench/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/tests/bench)
install(DIRECTORY postprocess/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/postprocess)
install(FILES cluster/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/cluster)
# Not among the documents, which slim containers leave out.
install(FILES cluster/slurm.sh cluster/cores.py cluster/helpers.py cluster/tables.py DESTINATION ${CMAKE_INSTALL_DATADIR}/terrace/cluster)
install(PROGRAMS cluster/scaling.py cluster/replay.py cluster/teams.py DESTINATION ${CMAKE_INSTALL_DATADIR}/terrace/cluster)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
configure_file(packaging/terrace.1.in terrace.1 @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/terrace.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES packaging/completion/terrace.bash RENAME terrace
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES packaging/completion/_terrace DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)

# Packing needs the program alone, not the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the authors of terrace <terrace@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "impact of deformable bodies by asynchronous energy-stepping")
set(CPACK_PACKAGE_DESCRIPTION "Simulates the impact of hyperelastic bodies under MPI. Energy and momenta are kept
exactly, and the result does not depend on the number of ranks.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
# The libraries' packages are read off the binary by dpkg-shlibdeps; mpirun is no library.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
# The pictures. Either of the two that hold VTK for Python will do: they exclude each other.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "python3, python3-h5py, python3-matplotlib, python3-numpy, python3-vtk9 | python3-paraview, xauth, xvfb")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "paraview")
include(CPack)
