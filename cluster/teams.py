#!/usr/bin/python3
"""Predicts how long a run whose ranks all work on each event together would take on other numbers of ranks, and where the time would
go.

TRACE is the output directory of `terrace run DECK --trace` with layout.kind = "slice" (or "auto", where that does not choose
windows; the summary says what it chose). Each body is cut over all ranks, and one event follows the other, by the published method or
by clocks. Traces of a concurrent executor, whose ranks work on several events at once, are refused. The script prints a table, and
writes teams.csv and (where matplotlib is installed) teams.png into the trace's directory or --output.

  terrace run DECK --trace --output results/one
  mpirun -n 2 terrace run DECK --trace --output results/two
  terrace check DECK --shares 1,2,64,512 > shares.csv
  cluster/teams.py results/one --and results/two --shares shares.csv --latency 1.5e-6 --bandwidth 1e10

What the prediction assumes:
- gradient, line_set_up, sampling and certificate cost each rank in proportion to its elements, impulse in proportion to its nodes.
  All ranks wait for the one that has most of the subdomain whose event it is. Every rank does contact, following and rest in whole.
- With --and, a trace of the same deck on another number of ranks, the two traces split the seconds of contact into a part in
  proportion to elements and a part that every rank does in whole; with --split all, the seconds of the other operations as well. Such
  a split mistakes noise, and cores that slow each other, for work that every rank does in whole: 5 % of it bound the speed-up by 20.
- The others wait for what one rank does alone (`alone`). Only a trace of several ranks knows these seconds. They are at most the
  contact seconds of one rank.
- A sum over all ranks takes latency * ceil(log2 P) + bytes / bandwidth. An exchange of shared nodes takes the latency once, the
  overhead for each message sent and received, and bytes / bandwidth of the rank that sends most; where surface nodes go to all ranks,
  P - 1 messages more, and the bytes of all their copies.
- The numbers of sums and exchanges are those of the trace with most ranks. On one rank searches need no sums. One sum for each sample
  is charged instead, which is right for one subdomain, and too many where searches of several subdomains go on together. One rank
  does not ask others about its steps either: for groups of bodies that touch, its trace counts fewer sums than several ranks need
  (1.8 instead of 4.1 an event of a gas).
- The shares of ranks come from `terrace check DECK --shares` (cut by METIS), for the deck of the trace or a larger one of the same
  kind; the elements of the latter then cost what those of the trace did, at as many events. Without --shares, one body is cut into
  cubes (nodes sent: 6 (nodes of a share)^(2/3), at most 14 neighbours, 3 % more elements than the mean), and each exchange sends
  all surface copies of all bodies.

What the prediction cannot know: caches (a share that fits where the whole did not is faster than predicted, a large body slower),
cores that share memory or are slowed by others, networks that many use at once, ranks that are late by chance, and which subdomains
have most events (their shares count by their elements).
"""

import argparse
import math
import sys
from pathlib import Path

from replay import plot
from tables import BadTrace, not_negative, numbers_of_ranks, positive, read_json, read_table, run_script, write_table

TRACE_COLUMNS = "rank,operation,calls,seconds,collectives,messages,bytes,to_all,elements,nodes,surface_nodes".split(",")
SHARES_COLUMNS = ("ranks,elements,mean_elements,largest_elements,event_elements,empty_ranks,nodes,boundary_nodes,mean_boundary_nodes,"
                  "neighbours,sent_nodes,surface_nodes,surface_copies").split(",")
SHARES_REALS = {"mean_elements", "mean_boundary_nodes", "sent_nodes", "surface_copies"}
DIVIDED = ("gradient", "line_set_up", "sampling", "certificate", "impulse", "contact")
OPERATIONS = {*DIVIDED, "following", "rest", "alone", "reduction", "exchange"}
PARTS = ("work", "imbalance", "repeated", "alone", "sums", "exchange")
COLUMNS = ("ranks", "seconds", "speed_up", "efficiency", *PARTS)
BYTES_OF_A_NODE = 24


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path, metavar="TRACE", help="output directory of the run, or its trace_operations.csv")
    parser.add_argument("--and", type=Path, dest="other", metavar="TRACE2", help="a second trace, of the same deck on another number of ranks")
    parser.add_argument("--split", choices=("contact", "all"), default="contact",
                        help="with --and: operations whose part that every rank does in whole is found from the two traces (default: contact)")
    parser.add_argument("--shares", type=Path, metavar="FILE", help="the table that terrace check DECK --shares printed")
    parser.add_argument("--ranks", type=numbers_of_ranks,
                        help="numbers of ranks, comma-separated (default: those of the shares, else 1,2,4,...,1024)")
    parser.add_argument("--latency", type=not_negative, default=1.5e-6, help="of a message [s] (default: 1.5e-6)")
    parser.add_argument("--overhead", type=not_negative, default=2e-7,
                        help="time that a rank needs for each message it sends or receives, beside the latency [s] (default: 2e-7)")
    parser.add_argument("--bandwidth", type=positive, default=1e10, help="[bytes/s] (default: 1e10)")
    parser.add_argument("--output", type=Path, help="directory for teams.csv and teams.png (default: the trace's)")
    return parser.parse_args()


class Trace:
    """A trace_operations.csv: what each rank of a run did, by operation."""

    def __init__(self, path):
        self.path = path if path.name.endswith(".csv") else path / "trace_operations.csv"
        of_windows = self.path.parent / "trace.csv"
        if not self.path.exists() and of_windows.exists():
            raise BadTrace(f"{self.path}: expected a trace of ranks that work on each event together, found {of_windows} of a run in "
                           f"windows: cluster/replay.py reads it")
        if (read_json(self.path.parent / "summary.json") or {}).get("concurrency"):
            raise BadTrace(f"{self.path}: expected a trace of ranks that work on each event together, found one of a concurrent executor, whose "
                           "ranks work on several events at once")
        rows = read_table(self.path, TRACE_COLUMNS, {"seconds"}, {"operation"}, of="rank and operation")
        self.ranks = max(row["rank"] for row in rows) + 1
        self.rows = {(row["rank"], row["operation"]): row for row in rows}
        whole = [self.rows.get((rank, "rest")) for rank in range(self.ranks)]
        if len(self.rows) < len(rows) or None in whole:
            raise BadTrace(f"{self.path}: expected each operation of a rank once, and rest of every rank, found others")
        for row in rows:
            if row["operation"] not in OPERATIONS:
                raise BadTrace(f"{self.path}: expected operations of ranks that work together, found {row['operation']!r}")
            if any(value < 0 for name, value in row.items() if name != "operation"):
                raise BadTrace(f"{self.path}: expected no number below 0, found one for {row['operation']}")
        self.elements = sum(row["elements"] for row in whole)
        if self.elements == 0:
            raise BadTrace(f"{self.path}: expected a run of tetrahedra, found none")
        self.nodes = sum(row["nodes"] for row in whole)  # a node on several ranks counts for each
        self.surface_nodes = whole[0]["surface_nodes"]

    def sum(self, operation, column):
        return sum(row[column] for (_, name), row in self.rows.items() if name == operation)

    def most(self, operation, column):
        return max((row[column] for (_, name), row in self.rows.items() if name == operation), default=0)

    def mean_seconds(self, operation):
        return self.sum(operation, "seconds") / self.ranks

    def held(self, operation):
        """The mean over ranks of what an operation's seconds are in proportion to: nodes for impulse, elements for others."""
        return (self.nodes if operation == "impulse" else self.elements) / self.ranks


def line_through(first, second):
    """Slope and constant of seconds as a linear function of what a rank holds. The line goes through `first`; it goes through `second` as
    well unless slope or constant would be below 0."""
    (held, seconds), (other_held, other_seconds) = first, second
    slope = (seconds - other_seconds) / (held - other_held) if held != other_held else seconds / held
    slope = min(max(slope, 0.0), seconds / held)
    return slope, seconds - slope * held


class Model:
    """Seconds of each operation as a function of a rank's share, and the numbers of messages, from one or two traces."""

    def __init__(self, trace, other=None, split=("contact",)):
        traces = sorted([trace] + ([other] if other else []), key=lambda one: one.ranks)
        few, many = traces[0], traces[-1]
        if other and few.ranks == many.ranks:
            raise BadTrace(f"{other.path}: expected a run on another number of ranks than {trace.ranks}, found the same")
        if few.elements != many.elements:
            raise BadTrace(f"{other.path}: expected a run of the same deck, {trace.elements} elements, found {other.elements}")
        self.few, self.split = few, split
        self.alone = many.sum("alone", "seconds")  # a busy machine may have made them longer
        if few.ranks == 1:  # one rank did the same work as part of its contact, a bound
            self.alone = min(self.alone, few.mean_seconds("contact"))
        self.lines = {operation: self.line_of(operation, few, many) for operation in DIVIDED}
        self.whole = few.mean_seconds("following") + few.mean_seconds("rest")
        if few.ranks == 1:  # in a trace of several ranks these seconds are waiting for the most part
            self.whole += few.mean_seconds("reduction") + few.mean_seconds("exchange")
        self.sums = many.most("reduction", "calls") + (many.most("sampling", "calls") if many.ranks == 1 else 0)
        self.bytes_of_sums = many.most("reduction", "bytes")
        self.exchanges = many.most("exchange", "calls")
        self.exchanges_to_all = (many.most("exchange", "to_all") if many.ranks > 1 else
                                 self.exchanges if many.surface_nodes > 0 else 0)

    def line_of(self, operation, few, many):
        seconds = few.mean_seconds(operation)
        if operation == "contact" and few is not many and few.ranks == 1:
            seconds -= self.alone  # which the trace of one rank has among its contact
        if few is many or operation not in self.split:
            return (0.0, seconds) if operation == "contact" else (seconds / few.held(operation), 0.0)
        return line_through((few.held(operation), seconds), (many.held(operation), many.mean_seconds(operation)))

    def estimated_share(self, ranks):
        """The share of a rank if the model is one body, cut into cubes."""
        mean = self.few.elements / ranks
        inside = (self.few.nodes - self.few.ranks * self.few.surface_nodes) / self.few.elements * mean
        faces = 6 * max(inside, 0) ** (2 / 3)
        alone = ranks == 1
        return {"elements": self.few.elements, "event_elements": mean * (1 if alone else 1.03),
                "nodes": inside + (0 if alone else faces / 2) + self.few.surface_nodes, "surface_nodes": self.few.surface_nodes,
                "neighbours": min(ranks - 1, 14), "sent_nodes": 0 if alone else faces, "surface_copies": self.few.surface_nodes}

    def predict(self, share, ranks, latency, overhead, bandwidth):
        """Predicted seconds on `ranks` ranks, by PARTS."""
        parts = dict.fromkeys(PARTS, 0.0)
        parts["repeated"], parts["alone"] = self.whole, self.alone
        even = share["elements"] / ranks / share["event_elements"]  # the mean share, divided by the largest
        for operation, (slope, constant) in self.lines.items():
            of_all = share["surface_nodes"] if operation == "impulse" else 0
            mine = (share["nodes"] if operation == "impulse" else share["event_elements"]) - of_all
            parts["work"] += slope * mine * even
            parts["imbalance"] += slope * mine * (1 - even)
            parts["repeated"] += constant + slope * of_all
        if ranks > 1:
            parts["sums"] = self.sums * latency * math.ceil(math.log2(ranks)) + self.bytes_of_sums / bandwidth
            parts["exchange"] = self.exchanges * (latency + 2 * overhead * share["neighbours"] +
                                                  BYTES_OF_A_NODE * share["sent_nodes"] / bandwidth)
            parts["exchange"] += self.exchanges_to_all * (2 * overhead * (ranks - 1) +
                                                          BYTES_OF_A_NODE * share["surface_copies"] / bandwidth)
        return parts


def shares_of(path, model, numbers):
    """The shares by number of ranks (from the table at `path`, or estimated where that is None), and the numbers of ranks to predict."""
    if path is None:
        numbers = numbers or [2**i for i in range(11)]
        return {ranks: model.estimated_share(ranks) for ranks in {1, *numbers}}, numbers
    rows = read_table(path, SHARES_COLUMNS, SHARES_REALS, source="terrace check DECK --shares", of="number of ranks")
    shares = {row["ranks"]: row for row in rows}
    for row in rows:
        if row["ranks"] < 1 or not row["elements"] / row["ranks"] <= row["event_elements"] * (1 + 1e-12) or row["elements"] < 1:
            raise BadTrace(f"{path}: expected shares of elements that make up all, found others on {row['ranks']} ranks")
    if 1 not in shares:  # one rank holds everything, and sends nothing
        nodes = model.few.nodes * rows[0]["elements"] / model.few.elements
        shares[1] = {**rows[0], "ranks": 1, "event_elements": rows[0]["elements"], "nodes": nodes}
    for ranks in numbers or []:
        if ranks not in shares:
            raise BadTrace(f"{path}: expected a row for {ranks} ranks, found {','.join(str(row['ranks']) for row in rows)}")
    return shares, numbers or sorted(row["ranks"] for row in rows)


def rows_of(model, shares, numbers, arguments):
    """The predictions as rows of COLUMNS; speed-up is over one rank."""
    network = (arguments.latency, arguments.overhead, arguments.bandwidth)
    alone = sum(model.predict(shares[1], 1, *network).values())
    rows = []
    for ranks in numbers:
        parts = model.predict(shares[ranks], ranks, *network)
        seconds = sum(parts.values())
        speed_up = alone / seconds if seconds > 0 else 1.0
        rows.append({"ranks": ranks, "seconds": seconds, "speed_up": speed_up, "efficiency": speed_up / ranks, **parts})
    return rows


def tell(model, shares, rows):
    elements = shares[1]["elements"]
    scaled = "" if elements == model.few.elements else f" (traced: {model.few.elements})"
    print(f"{elements} elements{scaled}, {model.sums} sums and {model.exchanges} exchanges; of the time, in per cent:")
    print(" ranks    seconds  speed-up  efficiency " + "".join(f"{part:>11}" for part in PARTS))
    for row in rows:
        parts = "".join(f"{100 * row[part] / row['seconds'] if row['seconds'] > 0 else 0:11.1f}" for part in PARTS)
        print(f"{row['ranks']:6d} {row['seconds']:10.4g} {row['speed_up']:9.2f} {row['efficiency']:11.3f} {parts}")
    below = [row["ranks"] for row in rows if row["efficiency"] < 0.5]
    print(f"efficiency falls below 50 % at {below[0]} ranks" if below else "efficiency stays above 50 %")


def main():
    arguments = parse_arguments()
    try:
        trace = Trace(arguments.trace)
        model = Model(trace, Trace(arguments.other) if arguments.other else None, DIVIDED if arguments.split == "all" else ("contact",))
        shares, numbers = shares_of(arguments.shares, model, arguments.ranks)
        rows = rows_of(model, shares, numbers, arguments)
        tell(model, shares, rows)
        output = arguments.output or trace.path.parent
        output.mkdir(parents=True, exist_ok=True)
        write_table(rows, output / "teams.csv", COLUMNS)
        plotted = plot(rows, output / "teams.png", PARTS)
    except (BadTrace, OSError) as error:
        print(f"teams: error: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"table: {output / 'teams.csv'}\n{plotted}")


if __name__ == "__main__":
    run_script(main)
