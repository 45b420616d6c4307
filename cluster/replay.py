#!/usr/bin/python3
"""Predicts how long a run in windows would take on other numbers of ranks, and where the time would go.

TRACE is the output directory of `terrace run DECK --trace` with layout.kind = "windows" (or "auto", where that chooses windows;
--trace-for needs "windows"). The program makes windows as long as is worth while on the number of ranks they are planned for.
A trace is therefore best replayed on that number, which `--trace-for P` sets for a run on one rank; for other numbers the prediction
is a guess that grows worse with the distance. The script prints a table, and writes replay.csv and (where matplotlib is installed)
replay.png into the trace's directory or --output. Where several ranks ran one cluster as a team, their seconds include waiting for
each other, and the trace does not say what one rank would need. Such a trace is replayed on its own number of ranks alone, without
speed-up, efficiency and plot.

  terrace run DECK --trace --trace-for 512 --output results/trace
  cluster/replay.py results/trace --ranks 1,64,512 --latency 1.5e-6 --bandwidth 1e10

What the prediction assumes:
- The seconds of a rank in a window are those of its clusters' events. For a cluster that the plan gave to several ranks, an event
  takes the seconds of the largest share of its bodies that one of them has, including the surfaces that all of them follow, and one
  message from each rank to each other.
- On the number of ranks of the plan, clusters go to the ranks of the plan. On other numbers the heaviest cluster comes first, and
  each goes to the rank with least work so far, counted in foreseen elements.
- Ranks that are done take clusters that others have not begun (layout.helpers). This is part of the column imbalance.
- Ranks divide among them the part of planning that the trace names. Every rank does the rest of planning, and takes in the news of
  all ranks, in whole. Each rank takes over its own bodies and puts its own news together.
- When a body has cut the window, all other ranks went on to the planned end, or until one of their own bodies left its tube, at the
  trace's mean seconds per foreseen element. Then they did the window again up to the cut.
- A collective takes latency * ceil(log2 P). The news of all ranks adds bytes / bandwidth; where several ranks ran, so do the nodes
  of other ranks' bodies that came to the rank to which most came. Where one rank ran, which has all bodies, the seconds are added
  that taking over bodies takes the rank that gets most elements.
- With --slowness, cores are not like the traced one: clusters go to ranks by the time that these take for them, as in plans of runs
  that measured it, and work that all ranks do alike takes as long as on the slowest.
"""

import argparse
import heapq
import math
import sys
from collections import Counter, defaultdict
from pathlib import Path

from helpers import seconds_with_helpers
from tables import (NO_PLOT, BadTrace, load_pyplot, not_negative, numbers_of_ranks, of_ranks, plot_over_ranks, positive, read_table,
                    run_script, slownesses, write_table)

PARTS = ("work", "imbalance", "sums", "redone", "planning", "beginning", "exchange", "learning")
COLUMNS = ("ranks", "seconds", "speed_up", "efficiency", *PARTS)
REALS = {"begin", "end", "reached", "elements", "contact", "leaves", "foreseen", "seconds", "critical_seconds", "planning", "beginning", "working", "redoing", "telling", "exchanging",
         "learning", "divided_planning", "coming_contact"}
CLUSTER_COLUMNS = ("window,begin,end,reached,cut,cluster,rank,team,bodies,elements,contact,leaves,foreseen,events,element_evaluations,"
                   "seconds,critical_seconds,news_bytes").split(",")
RANK_COLUMNS = ("window,rank,planned_for,events,element_evaluations,news_bytes,collectives,fetched_bytes,coming_elements,coming_contact,planning,"
                "beginning,working,redoing,telling,exchanging,learning,divided_planning").split(",")

TEAMS_RAN = "teams ran themselves here: speed-ups need a trace on one rank with --trace-for P"
ONE_OF_MANY = 0.2  # a rank's messages of one event are under way together: each takes this part of a latency more


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trace", type=Path, metavar="TRACE", help="output directory of the run, or its trace.csv; NAME.csv needs NAME_ranks.csv beside it")
    parser.add_argument("--ranks", type=numbers_of_ranks,
                        help="numbers of ranks, comma-separated (default: 1,2,4,...,1024; where teams ran, the run's own)")
    parser.add_argument("--latency", type=not_negative, default=1.5e-6, help="of a message [s] (default: 1.5e-6)")
    parser.add_argument("--bandwidth", type=positive, default=1e10, help="[bytes/s] (default: 1e10)")
    parser.add_argument("--take-over", type=not_negative, default=3e-7,
                        help="seconds for an element of a body that comes to a rank, where one rank was traced (default: 3e-7)")
    parser.add_argument("--take-over-contact", type=not_negative, default=5e-6,
                        help="the same, for a node of such a body's surface and each pair that touches (default: 5e-6)")
    parser.add_argument("--without-helpers", action="store_true",
                        help="as with layout.helpers = \"never\": no cluster goes to a rank that is done; for traces of one rank")
    parser.add_argument("--slowness", type=slownesses, default=(),
                        help="a factor for each rank, comma-separated, where cores are not alike or slow each other: its seconds for work that "
                             "took the traced core one second (seconds in copies.csv of scaling.py --capacity, over those of the run on one "
                             "rank); predictions for one rank do not change")
    parser.add_argument("--by-elements", action="store_true",
                        help="distribute the total seconds over clusters by their element evaluations: for traces of a busy machine")
    parser.add_argument("--output", type=Path, help="directory for replay.csv and replay.png (default: the trace's)")
    return parser.parse_args()


class Load:
    """What a rank has to do in a window that ends at `end`: seconds of work, the part of them that are messages of its teams (`sums`),
    foreseen elements, and the time at which the first of its bodies leaves its tube."""

    def __init__(self, end):
        self.work = self.sums = self.foreseen = 0.0
        self.leaves = end

    def add(self, cluster, ranks, slowness, latency):
        """Adds a cluster that `ranks` ranks share; the slowest of them takes `slowness` times the traced seconds."""
        sums = cluster["events"] * latency * (1 + ONE_OF_MANY * (ranks - 1)) if ranks > 1 else 0
        self.work += slowness * (cluster["critical_seconds"] if ranks > 1 else cluster["seconds"]) + sums
        self.sums += sums
        self.foreseen += cluster["foreseen"] / ranks
        self.leaves = min(self.leaves, cluster["leaves"])


class Trace:
    """The windows of a run: the clusters of each, and what its ranks did. `take_over`: seconds to take over an element, and a node in
    contact. `helped`: whether clusters go to ranks that are done, in the replay of a run on one rank (in a trace of several they have
    gone already). `slowness`: of each rank; empty where all are like the traced one."""

    def __init__(self, path, by_elements, take_over, helped, slowness):
        self.take_over, self.helped, self.slowness = take_over, helped, slowness
        self.clusters, self.ranks = defaultdict(list), defaultdict(list)
        self.path = path if path.name.endswith(".csv") else path / "trace.csv"
        self.path_of_ranks = self.path.with_name(f"{self.path.stem}_ranks.csv")
        of_operations = self.path.with_name("trace_operations.csv")
        if of_operations.exists() and (self.path == of_operations or not self.path.exists()):
            raise BadTrace(f"{self.path.with_name('trace.csv')}: expected a trace of a run in windows, found {of_operations} of another layout, "
                           "which teams.py reads")
        for rows, table, columns in ((self.clusters, self.path, CLUSTER_COLUMNS), (self.ranks, self.path_of_ranks, RANK_COLUMNS)):
            for row in read_table(table, columns, REALS, {"team"}):
                rows[row["window"]].append(row)
        if set(self.clusters) != set(self.ranks):
            raise BadTrace(f"{self.path.parent}: expected the same windows in {self.names()}, found {len(self.clusters)} and "
                           f"{len(self.ranks)} that differ")
        self.planned_for = next(iter(self.ranks.values()))[0]["planned_for"]
        self.require_numbers_of_a_run()
        for row in (row for rows in self.clusters.values() for row in rows):
            row["team"] = self.team(row["team"])
        self.teams_ran = any(len({row["cluster"] for row in rows}) < len(rows) for rows in self.clusters.values())
        self.apart = {window: self.seconds_apart(window) for window in self.clusters}
        if by_elements:
            self.share_by_elements()
        seconds = foreseen = 0
        for row in (row for rows in self.clusters.values() for row in rows):
            seconds += row["seconds"]
            if row["end"] > row["begin"]:
                foreseen += row["foreseen"] * (row["reached"] - row["begin"]) / (row["end"] - row["begin"])
        self.seconds_per_element = seconds / foreseen if foreseen > 0 else 0

    def names(self):
        return f"{self.path.name} and {self.path_of_ranks.name}"

    def team(self, text):
        """The ranks that a row's `text` lists. Throws BadTrace for ranks that were not planned for."""
        try:
            ranks = [int(rank) for rank in text.split()]
        except ValueError:
            ranks = []
        if not ranks or not all(0 <= rank < self.planned_for for rank in ranks):
            raise BadTrace(f"{self.path}: expected a team of ranks below {self.planned_for}, found {text!r}")
        return ranks

    def require_numbers_of_a_run(self):
        """Throws BadTrace where numbers of a table are out of range, or the two tables cannot be of one run."""
        for path, rows in ((self.path, self.clusters), (self.path_of_ranks, self.ranks)):
            for row in (row for rows_of_window in rows.values() for row in rows_of_window):
                for column, value in row.items():
                    if column != "team" and value < 0:
                        raise BadTrace(f"{path}: expected no number below 0, found {column} = {value} in window {row['window']}")
                if row["rank"] >= self.planned_for:
                    raise BadTrace(f"{path}: expected ranks below {self.planned_for}, found {row['rank']} in window {row['window']}")
                if not row.get("begin", 0) <= row.get("reached", 0) <= row.get("end", 0):
                    raise BadTrace(f"{path}: expected windows reached between their begin and end, found another, {row['window']}")
        for window in self.clusters:
            events = {sum(row["events"] for row in rows[window]) for rows in (self.clusters, self.ranks)}
            if len(events) > 1 or self.seconds_apart(window) < 0:
                raise BadTrace(f"{self.path.parent}: expected {self.names()} of one run, found others in window {window}")

    def seconds_apart(self, window):
        """Seconds of work in a window beside the events of its clusters, summed over the ranks that ran. 0 where a rank did the window
        again: `working` then does not belong to the clusters' seconds."""
        former = self.ranks[window]
        if any(row["redoing"] > 0 for row in former):
            return 0.0
        return sum(row["working"] for row in former) - sum(row["seconds"] for row in self.clusters[window])

    def share_by_elements(self):
        """Distributes the seconds of all clusters in proportion to element evaluations. An interrupted cluster took longer without more
        work; this spreads the interruption over all."""
        rows = [row for rows in self.clusters.values() for row in rows]
        evaluations = sum(row["element_evaluations"] for row in rows)
        seconds = sum(row["seconds"] for row in rows)
        for row in rows:
            share = row["critical_seconds"] / row["seconds"] if row["seconds"] > 0 else 1.0
            row["seconds"] = seconds * row["element_evaluations"] / evaluations if evaluations > 0 else 0.0
            row["critical_seconds"] = share * row["seconds"]

    def slowness_of(self, ranks):
        """The slowness of each of `ranks` ranks that run at once."""
        return self.slowness[:ranks] if self.slowness and ranks > 1 else [1.0] * ranks

    def ranks_of(self, clusters, slowness):
        """The list of ranks of each cluster: those of the plan, where it was made for as many ranks and all are equally fast. Otherwise
        clusters are assigned by WindowPlanner's rule, without teams and without its preference for the rank that had a cluster last."""
        ranks = len(slowness)
        if ranks == self.planned_for and len(set(slowness)) == 1:
            rows = Counter(cluster["cluster"] for cluster in clusters)  # where a team ran, each of its ranks has a row
            return [cluster["team"] if rows[cluster["cluster"]] == 1 else [cluster["rank"]]
                    for cluster in clusters]
        ranks = min(ranks, len(clusters))  # the others have no work
        loads, rank_of = [(0.0, rank) for rank in range(ranks)], [0] * len(clusters)  # a heap
        for i in sorted(range(len(clusters)), key=lambda i: -clusters[i]["foreseen"]):
            if clusters[i]["foreseen"] > 0:
                load, rank_of[i] = loads[0]
                heapq.heapreplace(loads, (load + slowness[rank_of[i]] * clusters[i]["foreseen"], rank_of[i]))
            else:
                rank_of[i] = i % ranks
        return [[rank] for rank in rank_of]

    def replay_window(self, window, ranks, latency, bandwidth):
        """Predicted seconds of a window on `ranks` ranks, by PARTS."""
        clusters, former = self.clusters[window], self.ranks[window]
        begin, end, reached = (clusters[0][key] for key in ("begin", "end", "reached"))
        loads, of_teams = defaultdict(lambda: Load(end)), defaultdict(lambda: Load(end))
        slowness = self.slowness_of(ranks)
        slowest, strength = max(slowness), sum(1 / slow for slow in slowness)  # `strength` traced cores do as much as all ranks
        ranks_of = self.ranks_of(clusters, slowness)
        for cluster, team in zip(clusters, ranks_of):
            slow = max(slowness[rank] for rank in team)
            for rank in team:
                loads[rank].add(cluster, len(team), slow, latency)
                if len(team) > 1:
                    of_teams[rank].add(cluster, len(team), slow, latency)
        # Ranks without work can help, but no more of them than there are clusters.
        begins = {rank: (of_teams[rank].foreseen, of_teams[rank].work)
                  for rank in range(min(ranks, max(map(max, ranks_of)) + 1 + len(clusters)))}
        loads = [loads[rank] for rank in sorted(loads)]  # of the ranks that have any
        longest = max(loads, key=lambda load: load.work)
        alone = sum(cluster["seconds"] for cluster in clusters)
        busiest = longest.work
        if self.helped and len(former) == 1 and ranks > 1 and reached == end:
            busiest = seconds_with_helpers(clusters, ranks_of, begins, self.take_over, slowness, latency)
        parts = dict.fromkeys(PARTS, 0.0)
        parts["work"] = (alone + self.apart[window]) / strength
        parts["sums"] = longest.sums
        parts["imbalance"] = busiest - longest.sums - alone / strength
        parts["planning"] = max(row["planning"] - row["divided_planning"] for row in former)
        parts["planning"] += sum(row["divided_planning"] for row in former) / ranks
        parts["beginning"] = sum(row["beginning"] for row in former) / ranks
        if len(former) == 1 and ranks > 1:
            of_element, of_contact = self.take_over
            parts["beginning"] += former[0]["coming_elements"] * of_element + former[0]["coming_contact"] * of_contact
        parts["learning"] = sum(row["learning"] for row in former) / len(former)
        parts["exchange"] = sum(row["telling"] for row in former) / ranks
        for part in "planning", "beginning", "learning", "exchange":
            parts[part] *= slowest
        if ranks > 1 and reached < end and any(load.leaves <= reached for load in loads):
            per_time = slowest * self.seconds_per_element / (end - begin)
            first = max(load.work + max(load.leaves - reached, 0.0) * load.foreseen * per_time for load in loads)
            again = max((load.work for load in loads if load.leaves > reached), default=0.0)
            parts["redone"] = first - longest.work + again
        if ranks > 1:
            parts["exchange"] += max(row["collectives"] for row in former) * latency * math.ceil(math.log2(ranks))
            parts["exchange"] += (sum(row["news_bytes"] for row in former) + max(row["fetched_bytes"] for row in former)) / bandwidth
        return parts

    def replay(self, ranks, latency, bandwidth):
        """Predicted seconds of all windows on `ranks` ranks, by PARTS."""
        total = dict.fromkeys(PARTS, 0.0)
        for window in self.clusters:
            for part, seconds in self.replay_window(window, ranks, latency, bandwidth).items():
                total[part] += seconds
        return total


def predict(trace, arguments):
    """The predictions as rows of COLUMNS. Speed-up is over one rank; it is empty where teams ran, as the trace then does not say what
    one rank would need."""
    if trace.teams_ran and any(ranks != trace.planned_for for ranks in arguments.ranks or []):
        raise BadTrace(f"--ranks: expected {trace.planned_for}, found {','.join(map(str, arguments.ranks))}; {TEAMS_RAN}")
    numbers = arguments.ranks or ([trace.planned_for] if trace.teams_ran else [2**i for i in range(11)])
    if trace.slowness and any(len(former) > 1 for former in trace.ranks.values()):
        raise BadTrace("--slowness: expected a trace on one rank, with --trace-for P, found one of several, each with the seconds of its own core")
    if trace.slowness and len(trace.slowness) < max(numbers):
        raise BadTrace(f"--slowness: expected a number for each of {of_ranks(max(numbers))}, found {len(trace.slowness)}")
    alone = None if trace.teams_ran else sum(trace.replay(1, arguments.latency, arguments.bandwidth).values())
    rows = []
    for ranks in numbers:
        parts = trace.replay(ranks, arguments.latency, arguments.bandwidth)
        seconds = sum(parts.values())
        speed_up = efficiency = ""
        if alone is not None:
            speed_up = alone / seconds if seconds > 0 else 1.0
            efficiency = speed_up / ranks
        rows.append({"ranks": ranks, "seconds": seconds, "speed_up": speed_up, "efficiency": efficiency, **parts})
    return rows


def tell(trace, rows):
    print(f"{len(trace.clusters)} windows, planned for {of_ranks(trace.planned_for)}; of the time, in per cent:")
    print(" ranks    seconds  speed-up  efficiency " + "".join(f"{part:>11}" for part in PARTS))
    for row in rows:
        shares = "".join(f"{100 * row[part] / row['seconds'] if row['seconds'] > 0 else 0:11.1f}" for part in PARTS)
        gain = f"{'-':>9} {'-':>11}" if trace.teams_ran else f"{row['speed_up']:9.2f} {row['efficiency']:11.3f}"
        print(f"{row['ranks']:6d} {row['seconds']:10.4g} {gain} {shares}")
    if trace.teams_ran:
        print(TEAMS_RAN)
        return
    below = [row["ranks"] for row in rows if row["efficiency"] < 0.5]
    print(f"efficiency falls below 50 % at {below[0]} ranks" if below else "efficiency stays above 50 %")
    if any(row["ranks"] != trace.planned_for for row in rows):
        print(f"windows were planned for {trace.planned_for}: for other numbers P trace again with --trace-for P")


def plot(rows, path, parts=PARTS):
    """Draws speed-up with its ideal, and where the time goes. Returns the line to print: the file, or that matplotlib is missing."""
    pyplot = load_pyplot()
    if pyplot is None:
        return NO_PLOT
    ranks = [row["ranks"] for row in rows]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    plot_over_ranks(left, rows, "speed_up", ranks, "predicted", "speed-up")
    bottom = [0.0] * len(rows)
    for part in parts:
        shares = [row[part] / row["seconds"] if row["seconds"] > 0 else 0 for row in rows]
        right.bar([str(n) for n in ranks], shares, bottom=bottom, label=part)
        bottom = [below + share for below, share in zip(bottom, shares)]
    right.set(xlabel="ranks", ylabel="share of the time", ylim=(0, 1))
    right.tick_params(axis="x", labelsize="small")
    handles, labels = right.get_legend_handles_labels()  # beside the bars, in their order
    right.legend(handles[::-1], labels[::-1], loc="upper left", bbox_to_anchor=(1, 1), fontsize="small")
    figure.savefig(path, dpi=150)
    return f"plot:  {path}"


def main():
    arguments = parse_arguments()
    try:
        trace = Trace(arguments.trace, arguments.by_elements, (arguments.take_over, arguments.take_over_contact), not arguments.without_helpers,
                      arguments.slowness)
        rows = predict(trace, arguments)
        tell(trace, rows)
        output = arguments.output or trace.path.parent
        output.mkdir(parents=True, exist_ok=True)
        write_table(rows, output / "replay.csv", COLUMNS)
        plotted = "" if trace.teams_ran else "\n" + plot(rows, output / "replay.png")
    except (BadTrace, OSError) as error:
        print(f"replay: error: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"table: {output / 'replay.csv'}{plotted}")


if __name__ == "__main__":
    run_script(main)
