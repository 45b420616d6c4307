"""Chains of beads in one dimension, from history.csv of system.kind = "bead-chain": contact and sensor forces, speed and width of the
pulse, and fits of these. Standard library only.
"""

import csv
import math

from hertz_chain import peak, width


class Chain:
    """The chain that [system.parameters] describe, in SI units."""

    def __init__(self, beads=28, diameter=9.52e-3, youngs_modulus=213e9, poissons_ratio=0.30, density=7780.0):
        self.beads, self.diameter = beads, diameter
        self.modulus, self.ratio, self.density = youngs_modulus, poissons_ratio, density
        self.stiffness = math.sqrt(diameter) * youngs_modulus / (3 * (1 - poissons_ratio**2))

    def speed(self, force):
        """The speed of a solitary wave with this largest contact force F: 0.6887 (2 E / (a ρ^{3/2} (1 − ν²)))^{1/3} F^{1/6}. The factor was
        recomputed on a long discrete chain."""
        return 0.6887 * (2 * self.modulus / (self.diameter * self.density**1.5 * (1 - self.ratio**2))) ** (1 / 3) * force ** (1 / 6)


def history(directory):
    with open(directory / "history.csv", newline="", encoding="utf-8") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def contact_forces(rows, chain):
    """Hertz forces between neighbours as forces[contact][row]."""
    return [[chain.stiffness * max(row[f"q_{k}"] - row[f"q_{k + 1}"], 0.0) ** 1.5 for row in rows] for k in range(1, chain.beads)]


def pulses(rows, chain):
    """A dictionary for each bead from number 2 to the third from the end. `time` and `force`: of the largest sensor force, the mean of the
    forces at the bead's two contacts; `duration`: time above half of it; `contact`: the largest force at the left contact; `speed` of the
    pulse to the next bead; `width`: duration times speed, in beads."""
    times = [row["time"] for row in rows]
    forces = contact_forces(rows, chain)
    found = []
    for k, (left, right) in enumerate(zip(forces, forces[1:])):
        sensor = [0.5 * (a + b) for a, b in zip(left, right)]
        time, force = peak(times, sensor)
        found.append({"bead": k + 2, "time": time, "force": force, "duration": width(times, sensor),
                      "contact": peak(times, left)[1]})
    for one, other in zip(found, found[1:]):
        one["speed"] = chain.diameter / (other["time"] - one["time"])
        one["width"] = one["speed"] * one["duration"] / chain.diameter
    return found[:-1]


def line(points):
    """Slope and value at 0 of the straight line of least squares through points."""
    mean_x, mean_y = (sum(values) / len(points) for values in zip(*points))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return slope, mean_y - slope * mean_x


def decay(found, first=5, last=25):
    """(a, b) of the fit F = a exp(b k) of force over bead number k, for beads `first` to `last`."""
    slope, at_zero = line([(pulse["bead"], math.log(pulse["force"])) for pulse in found if first <= pulse["bead"] <= last])
    return math.exp(at_zero), slope


def power_law(points):
    """(a, b) of the fit V = a F^b to points (F, V)."""
    slope, at_zero = line([(math.log(x), math.log(y)) for x, y in points])
    return math.exp(at_zero), slope
