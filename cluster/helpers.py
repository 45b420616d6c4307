"""Clusters of a window that go to ranks which have nothing left to do, as the program gives them (window_helpers.cpp): for replay.py.
"""

import heapq

# As in window_helpers.cpp and TakenOver::whole_cost: what messages and taking a cluster over are counted as [elements].
OF_AN_ANSWER, OF_AN_ELEMENT, OF_CONTACT = 200, 4, 60
MANY, ENOUGH = 16, 4


class Rank:
    """What is left of its clusters: the one that it is at, until when, and those that it has not begun, the heaviest first. At first it
    is at its team's, of so many elements and seconds, which are its own; others it takes `slowness` times as long for."""

    def __init__(self, foreseen, seconds, slowness):
        self.waiting, self.at, self.done_at = [], {"foreseen": foreseen}, seconds
        self.began_at, self.slowness = 0.0, slowness

    def begin(self, cluster, now, costs=0.0):
        self.at, self.began_at = cluster, now + costs * self.slowness
        self.done_at = self.began_at + cluster["seconds"] * self.slowness

    def left(self, now):
        """Of the cluster that it is at [elements]."""
        if self.done_at <= now or self.done_at <= self.began_at:
            return 0.0
        return self.at["foreseen"] * min((self.done_at - now) / (self.done_at - self.began_at), 1.0)

    def give(self, now):
        """The cluster with which both are done soonest; None where it is done as soon by itself."""
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


def seconds_with_helpers(clusters, ranks_of, of_teams, take_over, slowness, latency):
    """When the last rank is done. `ranks_of`: of each cluster; `of_teams`: by rank, elements and seconds that its team takes before
    its own clusters; `take_over`: seconds for an element, and for a node in contact, of a cluster that comes to another rank;
    `slowness`: of each rank, for all seconds but those of teams."""
    ranks = {number: Rank(*of_team, slowness[number]) for number, of_team in of_teams.items()}
    for cluster, team in zip(clusters, ranks_of):
        if len(team) == 1:
            ranks[team[0]].waiting.append(cluster)
    spare = {}
    for number, rank in ranks.items():
        rank.waiting.sort(key=lambda cluster: -cluster["foreseen"])
        spare[number] = sum(cluster["foreseen"] for cluster in rank.waiting[1:])
    offers = sorted((number for number in ranks if spare[number] > 0), key=lambda number: -spare[number])
    due = [(rank.done_at, number) for number, rank in ranks.items()]
    heapq.heapify(due)
    last = 0.0
    while due:
        now, number = heapq.heappop(due)
        last = max(last, now)
        rank = ranks[number]
        if rank.waiting:
            rank.begin(rank.waiting.pop(0), now)
        else:
            taken = ask(ranks, offers, number, now)
            if taken is None:
                continue
            costs = take_over[0] * taken["elements"] + take_over[1] * taken["contact"]
            rank.begin(taken, now + 2 * latency, costs)
        heapq.heappush(due, (rank.done_at, number))
    return last


def ask(ranks, offers, number, now):
    """A cluster of those that have most to give, None where these have none; not all ranks ask the same."""
    asked = [rank for rank in offers[:MANY + 1] if rank != number][:MANY]
    if not asked:
        return None
    first = number % len(asked)
    for rank in (asked[first:] + asked[:first])[:ENOUGH]:
        cluster = ranks[rank].give(now)
        if cluster is not None:
            return cluster
    return None
