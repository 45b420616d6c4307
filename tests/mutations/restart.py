"""Wrong lines in what is saved of a run and goes on."""

_RESTART, _FILE, _RUN = "src/app/restart.cpp", "src/io/restart_file.cpp", "src/app/simulation.cpp"

MUTATIONS = [
    ("restart-ledger-on-every-rank", _RESTART, "if (communicator.rank() != 0) ledger.assign", "if (false) ledger.assign"),
    ("restart-ledger-of-rank-0-alone", _RESTART, "  while (!reader.at_end()) {\n    reader(of_one);", "  {\n    reader(of_one);"),
    ("restart-searches-not-shared", _RESTART, "  run.integrator.share();\n", ""),
    ("restart-extremes-of-the-last-row", _RESTART, "  run.measurements.note_extremes();\n", ""),
    ("restart-any-end", _RESTART, "    require_later_end(run);\n", ""),
    ("restart-any-mesh", _RESTART, "file.content().mesh_hash != run.mesh_hash ||", ""),
    ("restart-any-deck", _RESTART, "first_difference(file.content().deck, run.deck.text)", "first_difference(run.deck.text, run.deck.text)"),
    ("restart-file-before-not-tried", _RESTART, "      trouble +=", "      throw;\n      trouble +="),
    ("restart-damage-unseen", _FILE, "  if (!is_whole(path)) fail", "  if (false) fail"),
    ("restart-none-kept-before", _FILE, "  if (is_whole(last)) {", "  if (false) {"),
    ("restart-written-in-place", _FILE, "  const fs::path part = aside(restart_files(directory)[0]);", "  const fs::path part = restart_files(directory)[0];"),
    ("restart-no-room-needed", _FILE, "::posix_fallocate(file, 0, static_cast<off_t>(bytes))", "0 * ::posix_fallocate(file, 0, 1)"),
    ("restart-rows-not-cut", _RUN, "    if (resumes_) histories_->resume(progress_.last_row);", "    if (resumes_) histories_->resume(deck.end_time);"),
    ("restart-tables-not-written-first", _RUN, "    if (root_) histories_->flush();\n  });\n  save_run", "  });\n  save_run"),
    ("restart-after-the-last-row", _RUN, "    if (ended && (stopped_ || saves_itself)) save();\n", "    if (ended) record_histories();\n    if (ended && (stopped_ || saves_itself)) save();\n"),
    ("restart-row-twice", _RUN, "  if (!resumes_) {\n    record_histories();", "  {\n    record_histories();"),
    ("signal-does-not-stop", _RUN, "  stopped_ = wish == Wish::stop;", "  stopped_ = false;"),
    ("signal-does-not-save", _RUN, "  if (wish == Wish::save) save();\n", ""),
    ("signals-heeded-after-events-alone", _RUN, "    if (!ended) heed(interruptions_->poll());  // nothing may happen for long\n", ""),
    ("stopped-is-done", _RUN, "  return stopped_ ? 1 : 0;", "  return 0;"),
    ("end-saved-by-one-clock-alone", _RUN, "deck_.output.restart_interval > 0 || deck_.output.restart_time > 0;", "deck_.output.restart_interval > 0;"),
    ("third-signal-waits", "src/app/interruptions.cpp", "if (stop_wished > 2)", "if (stop_wished > 200)"),
    ("clock-on-the-wall-ignored", "src/app/interruptions.cpp", "if (interval_ > 0 && due >= interval_)", "if (interval_ > 1e9 && due >= interval_)"),
    ("row-without-high-halves", "src/dynamics/state.cpp", "static_cast<std::uint64_t>(momenta[a][d] >> 64);", "0;"),
    ("row-without-its-time", "src/dynamics/state.cpp", "  lines[a].time = row.line[6];\n", ""),
    ("clocked-gradients-not-restored", "src/dynamics/clocked_groups.cpp", "  gradient_.of_owned_nodes(number, at(gradients_, number));\n}", "}"),
    ("shared-in-another-order", "src/dynamics/line_search.cpp", "for (int rank = 0; rank < communicator.size(); ++rank)\n    for", "for (int rank = communicator.size() - 1; rank >= 0; --rank)\n    for"),
]
