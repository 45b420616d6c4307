"""Forces between beads from the rows of bodies.csv, and the law they follow. Standard library only, as the tests use it too.

Kicks come one after the other, so the momentum of a bead is a staircase: the force is the slope of a curve through many rows.
"""
import math

from hertz_chain import HertzChain, mass, stiffness


def rate(times, values, i, half):
    """Derivative at row i by the cubic through the rows i ± half, equally spaced (Savitzky and Golay 1964)."""
    powers = [sum(j**n for j in range(-half, half + 1)) for n in (2, 4, 6)]
    scale = (powers[0] * powers[2] - powers[1] ** 2) * (times[i + 1] - times[i])
    return sum((j * powers[2] - j**3 * powers[1]) * values[i + j] for j in range(-half, half + 1)) / scale


def rates(times, values, half=4):
    """Derivatives of all rows; zeros where there are no rows around."""
    inside = range(half, len(values) - half)
    return [rate(times, values, i, half) if i in inside else 0.0 for i in range(len(values))]


def contact_forces(times, momenta, half=6):
    """Of every contact of a chain at every row: what goes to all beads beyond it. `momenta`: of the beads, in their order."""
    beyond, forces = [0.0] * len(times), []
    for momentum in reversed(momenta[1:]):
        beyond = [a + b for a, b in zip(beyond, momentum)]
        forces.append(rates(times, beyond, half))
    return forces[::-1]


def sensor_forces(forces):
    """Of every bead between two contacts, the mean of both (METHODS: F_k^av, thesis 5.9)."""
    return [[(a + b) / 2 for a, b in zip(before, after)] for before, after in zip(forces, forces[1:])]


class Loading:
    """Force against approach of two beads while they approach. times: of the rows; places and momentum: of the first and second bead, and
    of the second; free: what they fly before they feel each other.

    approach, force: lists up to the largest force, from the first row with any on.
    """

    def __init__(self, times, first, second, momentum, free=0.0):
        times, momentum = [float(t) for t in times], [float(p) for p in momentum]
        distance = [float(a - first[0] - b + second[0]) - free for a, b in zip(first, second)]
        self.times, self.forces = times, [0.0] * len(times)
        start = next((i for i, value in enumerate(distance) if value > 0), len(times))
        for i in range(2, len(times) - 2):
            # Near the start the curve bends much: few rows there.
            half = min(10, i, len(times) - 1 - i, max(3, i - start))
            self.forces[i] = abs(rate(times, momentum, i, half)) if i >= half else 0.0
        self.peak = max(self.forces)
        last = self.forces.index(self.peak)
        # Before the second row of contact the cubic reaches back to where there is none.
        rows = [i for i in range(start + 2, last + 1) if self.forces[i] > 0]
        self.approach, self.force = [distance[i] for i in rows], [self.forces[i] for i in rows]

    def approach_at(self, force):
        """By straight lines between rows [m]; None below the first row."""
        for i in range(1, len(self.force)):
            if self.force[i - 1] < force <= self.force[i]:
                share = (force - self.force[i - 1]) / (self.force[i] - self.force[i - 1])
                return self.approach[i - 1] + share * (self.approach[i] - self.approach[i - 1])
        return None

    def exponent_at(self, force, factor=1.4):
        """dlnF/dlnδ by least squares over the rows within this factor of the force; None where there are fewer than four."""
        rows = [(math.log(d), math.log(f)) for d, f in zip(self.approach, self.force) if force / factor < f < force * factor]
        if len(rows) < 4:
            return None
        mean_x, mean_y = (sum(column) / len(rows) for column in zip(*rows))
        return sum((x - mean_x) * (y - mean_y) for x, y in rows) / sum((x - mean_x) ** 2 for x, _ in rows)

    def time_above(self, share):
        """How long the force is above this share of its peak [s], to a row."""
        touching = [time for time, force in zip(self.times, self.forces) if force > share * self.peak]
        return touching[-1] - touching[0]


def hertz_approach(force):
    """Of two steel beads [m]."""
    return (force / stiffness()) ** (2 / 3)


def hertz_time_above(share, speed=0.44):
    """How long two Hertz springs' force is above this share of its peak [s]."""
    chain = HertzChain([mass(), mass()], [stiffness()], speed, 5e-5 * (0.44 / speed) ** 0.2, 1e-8)
    highest = max(chain.forces[0])
    return 1e-8 * sum(force > share * highest for force in chain.forces[0])
