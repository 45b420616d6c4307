"""Wrong lines in what ranks that work together are traced by: seconds of operations, messages, shares."""

_PROFILE, _SHARES = "src/parallel/profile.cpp", "src/dynamics/shares.cpp"

MUTATIONS = [
    ("seconds-booked-twice", _PROFILE, "    since = now;\n", ""),
    ("alone-is-not-alone", _PROFILE, "booking.operation == Operation::alone ? Operation::alone : operation", "operation"),
    ("stages-lose-their-operation", _PROFILE, "static_cast<Operation>(operation_before_)", "Operation::rest"),
    ("sums-of-one-booked", "src/parallel/communicator.cpp", "  if (!of_one_) book(Operation::reduction", "  book(Operation::reduction"),
    ("messages-to-oneself", "src/parallel/shared_nodes.cpp", "to_all ? communicator.size() - 1 : 1;", "to_all ? communicator.size() : 1;"),
    ("nodes-sent-to-oneself", _SHARES, "if (holder != load.rank) ++sent_", "++sent_"),
    ("events-wait-for-all-shares", _SHARES, "      most = std::max(most, count);\n", "      most += count;\n"),
    ("surfaces-of-neighbours-too", _SHARES, "    if (at(on_all_ranks_, loads.front().node) != 0) {", "    if (false) {"),
    ("output-traced-as-stepping", "src/app/operation_table.cpp", "trace.of(Stage::stepping,", "trace.of(Stage::output,"),
]
