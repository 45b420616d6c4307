// Runs the unit tests with MPI and PETSc up: on one rank, or under mpirun (--gtest_filter=OnRanks*), where
// rank 0 prints as usual and the others only what fails.
#include <gtest/gtest.h>
#include <mpi.h>
#include <petscsys.h>

#include <array>
#include <iostream>

namespace {

class FailuresOf : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOf(int rank) : rank_(rank) {}
  void OnTestStart(const testing::TestInfo& test) override { test_ = &test; }
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::cerr << "rank " << rank_ << ", ";
    if (test_ != nullptr) std::cerr << test_->test_suite_name() << '.' << test_->name() << ", ";
    std::cerr << (result.file_name() != nullptr ? result.file_name() : "?") << ':' << result.line_number()
              << '\n'
              << result.message() << std::endl;
  }

 private:
  int rank_;
  const testing::TestInfo* test_ = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (MPI_Init(&argc, &argv) != MPI_SUCCESS) return 1;
  std::array<char, 11> name = {"unit_tests"};
  std::array<char, 19> quiet = {"-no_signal_handler"};  // tests have handlers of their own
  std::array<char*, 3> words = {name.data(), quiet.data(), nullptr};
  int count = 2;
  char** petsc_words = words.data();
  if (PetscInitialize(&count, &petsc_words, nullptr, nullptr) != 0) return 1;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) {
    testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOf(rank));
  }
  const int failed = RUN_ALL_TESTS();
  if (PetscFinalize() != 0) return 1;
  return MPI_Finalize() == MPI_SUCCESS ? failed : 1;
}
