"""Forces between beads from the rows of bodies.csv, and the force law that they follow. Standard library only, as the tests use it too.

The momentum of a bead changes by kicks and is a staircase in time. The force is therefore the slope of a curve fitted to many rows.
"""
import math

from hertz_chain import HertzChain, mass, stiffness


def rate(times, values, i, half):
    """Derivative at row i of the cubic of least squares through the rows i − half to i + half, equally spaced (Savitzky and Golay 1964)."""
    powers = [sum(j**n for j in range(-half, half + 1)) for n in (2, 4, 6)]
    scale = (powers[0] * powers[2] - powers[1] ** 2) * (times[i + 1] - times[i])
    return sum((j * powers[2] - j**3 * powers[1]) * values[i + j] for j in range(-half, half + 1)) / scale


def rates(times, values, half=4):
    """Derivatives at all rows; zeros at the first and last `half` rows."""
    inside = range(half, len(values) - half)
    return [rate(times, values, i, half) if i in inside else 0.0 for i in range(len(values))]


def contact_forces(times, momenta, half=6):
    """forces[contact][row] of a chain: the force of a contact is the rate of momentum of all beads beyond it. `momenta`: of the beads, in
    their order."""
    beyond, forces = [0.0] * len(times), []
    for momentum in reversed(momenta[1:]):
        beyond = [a + b for a, b in zip(beyond, momentum)]
        forces.append(rates(times, beyond, half))
    return forces[::-1]


def sensor_forces(forces):
    """The sensor force of every bead between two contacts, the mean of the two contact forces (METHODS: F_k^av, thesis 5.9)."""
    return [[(a + b) / 2 for a, b in zip(before, after)] for before, after in zip(forces, forces[1:])]


class Loading:
    """Force over approach of two beads while they approach. times: of the rows [s]; first, second: positions of the beads' centres of mass
    [m]; momentum: of the second bead [kg m/s]; free: the approach at which they begin to feel each other [m].

    times, forces: of all rows. approach, force: lists of the rows from the third row of contact to the largest force, `peak`.
    """

    def __init__(self, times, first, second, momentum, free=0.0):
        times, momentum = [float(t) for t in times], [float(p) for p in momentum]
        distance = [float(a - first[0] - b + second[0]) - free for a, b in zip(first, second)]
        self.times, self.forces = times, [0.0] * len(times)
        start = next((i for i, value in enumerate(distance) if value > 0), len(times))
        for i in range(2, len(times) - 2):
            # Near the start the curve bends strongly, so the fit uses few rows there.
            half = min(10, i, len(times) - 1 - i, max(3, i - start))
            self.forces[i] = abs(rate(times, momentum, i, half)) if i >= half else 0.0
        self.peak = max(self.forces)
        last = self.forces.index(self.peak)
        # In the first two rows of contact the fit reaches back to rows without contact.
        rows = [i for i in range(start + 2, last + 1) if self.forces[i] > 0]
        self.approach, self.force = [distance[i] for i in rows], [self.forces[i] for i in rows]

    def approach_at(self, force):
        """The approach at this force by linear interpolation between rows [m]; None for forces outside the rows."""
        for i in range(1, len(self.force)):
            if self.force[i - 1] < force <= self.force[i]:
                share = (force - self.force[i - 1]) / (self.force[i] - self.force[i - 1])
                return self.approach[i - 1] + share * (self.approach[i] - self.approach[i - 1])
        return None

    def exponent_at(self, force, factor=1.4):
        """The local exponent dlnF/dlnδ, by least squares over the rows whose forces are within this factor of `force`; None for fewer than
        four rows."""
        rows = [(math.log(d), math.log(f)) for d, f in zip(self.approach, self.force) if force / factor < f < force * factor]
        if len(rows) < 4:
            return None
        mean_x, mean_y = (sum(column) / len(rows) for column in zip(*rows))
        return sum((x - mean_x) * (y - mean_y) for x, y in rows) / sum((x - mean_x) ** 2 for x, _ in rows)

    def time_above(self, share):
        """The time for which the force is above this share of its peak, to the nearest row [s]."""
        touching = [time for time, force in zip(self.times, self.forces) if force > share * self.peak]
        return touching[-1] - touching[0]


def hertz_approach(force):
    """Hertz's approach of two steel beads at this force [m]."""
    return (force / stiffness()) ** (2 / 3)


def hertz_time_above(share, speed=0.44):
    """The time for which the force between two beads on a Hertz spring is above this share of its peak [s]."""
    chain = HertzChain([mass(), mass()], [stiffness()], speed, 5e-5 * (0.44 / speed) ** 0.2, 1e-8)
    highest = max(chain.forces[0])
    return 1e-8 * sum(force > share * highest for force in chain.forces[0])
