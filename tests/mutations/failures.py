"""Wrong lines in what is done where memory, a disk or a rank fails."""

_RUN = "src/app/simulation.cpp"

MUTATIONS = [
    ("part_of_a_row_stays", "src/io/growing_table.hpp", "      pending_.resize(whole);\n", "      static_cast<void>(whole);\n"),
    ("reading_that_fails_is_an_end", "src/io/growing_table.cpp", "  file.exceptions(std::ios::badbit);  // else lines would seem to end where reading fails\n", ""),
    ("deck_read_without_memory", "src/io/deck_document.cpp", "(stream, name);\n  memory.require_enough();\n", "(stream, name);\n"),
    ("deck_told_without_memory", "src/io/deck_document.cpp", "max());\n    memory.require_enough();\n", "max());\n"),
    ("no_request_counts_as_failed", "src/numerics/memory_watch.cpp", "    ++failed_requests;\n", ""),
    ("failed_run_is_done", "src/io/summary.hpp", 'std::string status = "failed";', 'std::string status = "done";'),
    ("failure_of_one_rank_in_what_is_kept_unknown", "src/app/attempt.hpp", "is_known = communicator.size() == 1 || is_known_to_all(error);", "is_known = is_known || is_known_to_all(error);"),
    ("tables_after_one_that_fails_stay_open", "src/io/histories.cpp", "  do_each([&] { flush(); },\n          [&] {\n            if (body_file_) body_file_->close();\n          });\n",
     "  flush();\n  if (body_file_) body_file_->close();\n"),
    ("what_hdf5_cannot_close_is_closed_again", "src/io/hdf5.cpp", "  if (id_ >= 0 && closes_(id_) < 0) abandoned = true;  // it is still open\n", "  if (id_ >= 0) closes_(id_);\n"),
    ("half_a_step_is_the_end", "src/app/small_system_run.cpp", "      std::swap(state_, whole_);  // the method gives no meaning to a state in the middle of a step\n", ""),
    ("restart_chosen_by_each_rank", "src/app/restart.cpp", "    if (communicator.rank() == 0) found.emplace(last_whole_one(directory, which));", "    found.emplace(last_whole_one(directory, which));"),
    ("restart_part_left_without_memory", "src/io/restart_file.cpp", "    } catch (...) {\n", "    } catch (const Error&) {\n"),
    ("failures-of-streams-are-forgotten", "src/io/whole_file_buffer.cpp", "    failure_ = std::current_exception();\n", ""),
    ("vtk-is-told-of-a-full-disk", "src/io/whole_file_buffer.cpp", "  pass_on();\n  return 0;", "  pass_on();\n  return failure_ ? -1 : 0;"),
    ("headers-behind-what-they-head", "src/io/whole_file.cpp", "  if (place < length()) {", "  if (place > length()) {"),
    ("saves-with-the-nodes-of-rank-0", "src/io/restart_file.cpp", "at(numbers, rank);", "at(numbers, 0 * rank);"),
]

EXPLAINED = {
    "failure_of_one_rank_in_what_is_kept_unknown": "it takes a disk that is full and memory that ends at one request of another rank after it",
    "failed_run_is_done": "of one request alone: that for the words of the failure",
    "restart_part_left_without_memory": "likewise: five requests of a save",
    "deck_told_without_memory": "its one text grows in the program's copy of std::string, which failing_memory.cpp gives to libraries",
    "tables_after_one_that_fails_stay_open": "the destructor closes them as well, or notes that it could not",
    "what_hdf5_cannot_close_is_closed_again": "all tables are closed where one fails, so that only memory that ends keeps one open",
}
