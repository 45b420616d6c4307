// Runs the unit tests with MPI up, so that collective code can be tried on one rank.
#include <gtest/gtest.h>
#include <mpi.h>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
  const int failed = RUN_ALL_TESTS();
  return MPI_Finalize() == MPI_SUCCESS ? failed : 1;
}
