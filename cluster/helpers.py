"""Clusters of a window that go to ranks which have nothing left to do, as the program gives them (window_helpers.cpp): for replay.py.
"""

import heapq
from collections import defaultdict

# As in window_helpers.cpp and window_work.cpp: what messages and taking a cluster over are counted as [elements].
OF_AN_ANSWER, OF_AN_ELEMENT, OF_CONTACT = 200, 4, 60
MANY, ENOUGH = 16, 4


class Rank:
    """What is left of its clusters: the one that it is at, until when, and those that it has not begun, the heaviest first."""

    def __init__(self):
        self.waiting, self.at, self.done_at, self.most, self.all = [], None, 0.0, 0.0, 0.0

    def left(self, now):
        """Of the cluster that it is at [elements]."""
        if self.at is None or self.done_at <= now or self.at["seconds"] <= 0:
            return 0.0
        return self.at["foreseen"] * min((self.done_at - now) / self.at["seconds"], 1.0)

    def give(self, now):
        """The cluster with which both are done soonest, or None."""
        alone = self.left(now) + sum(cluster["foreseen"] for cluster in self.waiting)
        best, soonest = None, alone
        for cluster in self.waiting:
            costs = OF_AN_ANSWER + OF_AN_ELEMENT * cluster["elements"] + OF_CONTACT * cluster["contact"]
            together = max(alone - cluster["foreseen"], cluster["foreseen"] + costs)
            if together < soonest:
                best, soonest = cluster, together
        if best is not None:
            self.waiting = [cluster for cluster in self.waiting if cluster is not best]
        return best


def seconds_with_helpers(clusters, ranks_of, begins, take_over, latency):
    """When the last rank is done. `ranks_of`: of each cluster; `begins`: by rank, the seconds that its team takes before its own
    clusters; `take_over`: seconds for an element, and for a node in contact, of a cluster that comes to another rank."""
    ranks = defaultdict(Rank)
    for cluster, team in zip(clusters, ranks_of):
        if len(team) == 1:
            ranks[team[0]].waiting.append(cluster)
    for rank in ranks.values():
        rank.waiting.sort(key=lambda cluster: -cluster["foreseen"])
        rank.all = sum(cluster["foreseen"] for cluster in rank.waiting)
        rank.most = rank.waiting[0]["foreseen"]
    offers = sorted((rank for rank in ranks if ranks[rank].all > ranks[rank].most), key=lambda rank: ranks[rank].most - ranks[rank].all)
    due = [(seconds, rank) for rank, seconds in begins.items()]
    heapq.heapify(due)
    last = 0.0
    while due:
        now, number = heapq.heappop(due)
        last = max(last, now)
        rank = ranks[number]
        if rank.waiting:
            rank.at, rank.done_at = rank.waiting[0], now + rank.waiting[0]["seconds"]
            del rank.waiting[0]
        else:
            taken = ask(ranks, offers, number, now)
            if taken is None:
                continue
            costs = take_over[0] * taken["elements"] + take_over[1] * taken["contact"] + 2 * latency
            rank.at, rank.done_at = taken, now + costs + taken["seconds"]
        heapq.heappush(due, (rank.done_at, number))
    return last


def ask(ranks, offers, number, now):
    """A cluster of those that have most to give; not all ranks ask the same."""
    asked = [rank for rank in offers if rank != number][:MANY]
    if not asked:
        return None
    first = number % len(asked)
    for rank in (asked[first:] + asked[:first])[:ENOUGH]:
        cluster = ranks[rank].give(now)
        if cluster is not None:
            return cluster
    return None
