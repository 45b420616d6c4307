"""For replay.py: simulates how ranks that are done with their clusters take over clusters that other ranks have not begun, by the
program's own rules (window_helpers.cpp)."""

import heapq

# The program's costs of giving a cluster away, in work [elements]: of question and answer (window_helpers.cpp), and of taking over
# each element and each node in contact (TakenOver::whole_cost).
OF_AN_ANSWER, OF_AN_ELEMENT, OF_CONTACT = 200, 4, 60
MANY, ENOUGH = 16, 4  # a rank considers the MANY ranks that have most to give, and asks ENOUGH of them (ranks_to_ask)


class Rank:
    """A rank's progress through its clusters: the one that it works on and when that is done, and those that it has not begun, the
    heaviest first. It begins with its share of its teams' clusters: `foreseen` [elements] that take `seconds` on this very rank. Any
    other cluster takes it `slowness` times the traced seconds."""

    def __init__(self, foreseen, seconds, slowness):
        self.waiting, self.at, self.done_at = [], {"foreseen": foreseen}, seconds
        self.began_at, self.slowness = 0.0, slowness

    def begin(self, cluster, now, costs=0.0):
        self.at, self.began_at = cluster, now + costs * self.slowness
        self.done_at = self.began_at + cluster["seconds"] * self.slowness

    def left(self, now):
        """The work that is left of the present cluster [elements]."""
        if self.done_at <= now or self.done_at <= self.began_at:
            return 0.0
        return self.at["foreseen"] * min((self.done_at - now) / (self.done_at - self.began_at), 1.0)

    def give(self, now):
        """Removes and returns the waiting cluster for which this rank and the asking one are both done soonest; None where this rank is
        done as soon without help."""
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
    """Seconds from the begin of a window until the last rank is done. `ranks_of`: the ranks of each cluster; `of_teams`: for each rank
    the elements and seconds of its teams' clusters, which come before its own; `take_over`: seconds for an element, and for a node in
    contact, of a cluster that comes to another rank; `slowness`: of each rank, a factor of all seconds but those of teams."""
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
    """A cluster from one of the ranks that have most to give; None where those that are asked give none. Which rank is asked first
    depends on the asking rank's number, so that not all ask the same one."""
    asked = [rank for rank in offers[:MANY + 1] if rank != number][:MANY]
    if not asked:
        return None
    first = number % len(asked)
    for rank in (asked[first:] + asked[:first])[:ENOUGH]:
        cluster = ranks[rank].give(now)
        if cluster is not None:
            return cluster
    return None
