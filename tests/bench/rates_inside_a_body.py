"""Rates inside a body: would a bead be stable whose coarse elements kick at every 2nd, 4th, 8th tick only?

Usage: rates_inside_a_body.py TERRACE [--factors 0.2,0.4] [--levels 1,2,3] [--size FINEST_ELEMENT]

The bead is linear elastic about rest and graded towards its contact point; the program meshes it. What happens in one period of
the slowest rate is then a matrix, and its eigenvalues say what becomes of every motion in all future: growth per period
beyond about 1e-8 (round-off at the rigid motions, whose eigenvalues are double) is an instability. Two methods:

impulses       every element kicks its nodes at its own rate, nodes fly straight in between (asynchronous variational
               integrator, kappa = 0)
local leapfrog the coarse force is held while nodes of fine elements take half steps (Diaz and Grote, SIAM J. Sci. Comput. 31,
               2009, with two steps at each level, level within level)

And what they do to the motion that matters: the error of the frequencies of the bead's 60 slowest motions, and of how far the
contact point gives way to a force that is kicked at every tick.
Needs numpy.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path

import numpy as np

DENSITY, LAMBDA, MU = 7780.0, 9.7e10, 8.26e10
DECK = f"""title = "Graded bead"
[time]
end = 1.0
[materials.steel]
density = {DENSITY}
lame_lambda = {LAMBDA}
lame_mu = {MU}
[[bodies]]
name = "bead"
material = "steel"
shape = "ball"
radius = 4.7625e-3
size = 1.6e-3
refine = [{{ point = [4.7625e-3, 0.0, 0.0], size = SIZE, radius = 4.5e-3 }}]
[integrator]
method = "newmark"
"""


def block(lines, name):
    """Words of the rows between $Nodes or $Elements and its end, without the row of their number (version 2.2)."""
    first = lines.index(f"${name}") + 2
    return [line.split() for line in lines[first:lines.index(f"$End{name}")]]


def bead(program, size):
    """Positions of the nodes (n x 3) and nodes of the tetrahedra (m x 4)."""
    with tempfile.TemporaryDirectory() as scratch:
        deck, path = Path(scratch) / "bead.toml", Path(scratch) / "bead.msh"
        deck.write_text(DECK.replace("SIZE", str(size)), encoding="utf-8")
        subprocess.run([program, "mesh", deck, "--output", path], check=True, stdout=subprocess.DEVNULL)
        lines = path.read_text(encoding="utf-8").splitlines()
    nodes = {int(words[0]): k for k, words in enumerate(block(lines, "Nodes"))}
    positions = np.array([[float(x) for x in words[1:4]] for words in block(lines, "Nodes")])
    tetrahedra = [[nodes[int(tag)] for tag in words[-4:]] for words in block(lines, "Elements") if words[1] == "4"]
    return positions, np.array(tetrahedra)


def stiffness_and_masses(positions, tetrahedra):
    """12 x 12 matrices of the tetrahedra, lumped masses of the nodes."""
    moduli = np.diag([2 * MU] * 3 + [MU] * 3)
    moduli[:3, :3] += LAMBDA
    stiffness, masses = [], np.zeros(len(positions))
    for nodes in tetrahedra:
        corners = np.hstack([np.ones((4, 1)), positions[nodes]])
        volume = abs(np.linalg.det(corners)) / 6
        strain = np.hstack([[[x, 0, 0], [0, y, 0], [0, 0, z], [y, x, 0], [0, z, y], [z, 0, x]]
                            for x, y, z in np.linalg.inv(corners)[1:].T])
        stiffness.append(volume * strain.T @ moduli @ strain)
        masses[nodes] += DENSITY * volume / 4
    return np.array(stiffness), masses


class System:
    """M^-1/2 K M^-1/2 of the elements of each rate."""

    def __init__(self, positions, tetrahedra):
        self.tetrahedra = tetrahedra
        self.stiffness, self.masses = stiffness_and_masses(positions, tetrahedra)
        self.per_root = np.repeat(1 / np.sqrt(self.masses), 3)
        self.whole = self.matrix(np.ones(len(tetrahedra), bool))
        self.stable_step = 2 / np.sqrt(np.linalg.eigvalsh(self.whole)[-1])
        scaled = [self.per_root[self.freedoms(e)][:, None] * k * self.per_root[self.freedoms(e)]
                  for e, k in enumerate(self.stiffness)]
        self.element_steps = 2 / np.sqrt(np.linalg.eigvalsh(np.array(scaled))[:, -1])

        squares, motions = np.linalg.eigh(self.whole)
        self.frequencies, self.rigid = np.sqrt(squares[6:]), motions[:, :6]
        self.load = np.zeros(len(self.per_root))
        self.load[3 * np.argmax(positions[:, 0])] = 1
        self.load -= self.rigid @ (self.rigid.T @ self.load)
        self.compliance = ((motions[:, 6:].T @ self.load) ** 2 / squares[6:]).sum()

    def freedoms(self, element):
        return (3 * self.tetrahedra[element][:, None] + np.arange(3)).ravel()

    def matrix(self, which):
        whole = np.zeros((len(self.per_root),) * 2)
        for e in np.flatnonzero(which):
            whole[np.ix_(self.freedoms(e), self.freedoms(e))] += self.stiffness[e]
        return self.per_root[:, None] * whole * self.per_root

    def rates(self, levels):
        """k where an element may kick at every 2^k-th tick; those that share a node are at most one apart."""
        rates = np.minimum(np.log2(self.element_steps / self.element_steps.min()).astype(int), levels)
        while True:
            least = np.full(len(self.masses), levels)
            np.minimum.at(least, self.tetrahedra.ravel(), np.repeat(rates, 4))
            lowered = np.minimum(rates, least[self.tetrahedra].min(axis=1) + 1)
            if (lowered == rates).all():
                return rates
            rates = lowered


def period_of_impulses(parts, tick, load):
    """What (u, v) become in one period, which begins and ends with half kicks, and what a load at every tick adds."""
    n, period = len(parts[0]), 2 ** (len(parts) - 1)
    motion, loaded = np.eye(2 * n), np.zeros(2 * n)
    for now in range(period + 1):
        if now > 0:
            motion[:n] += tick * motion[n:]
            loaded[:n] += tick * loaded[n:]
        share = 0.5 if now in (0, period) else 1.0
        kick = sum(share * 2 ** k * tick * part for k, part in enumerate(parts) if now % 2 ** k == 0)
        motion[n:] -= kick @ motion[:n]
        loaded[n:] += share * tick * load - kick @ loaded[:n]
    return motion, loaded


def error_of_frequencies(system, frequencies):
    """The largest of the slowest ones, all given in order."""
    slowest = slice(0, 60)
    return np.abs(frequencies[slowest] / system.frequencies[slowest] - 1).max()


def impulses(system, parts, tick):
    """Growth per period, error of slow frequencies, error of the compliance at the contact point."""
    motion, loaded = period_of_impulses(parts, tick, system.load)
    values = np.linalg.eigvals(motion)
    angles = np.sort(np.angle(values)[np.angle(values) >= 0])[-len(system.frequencies):]
    at_rest = np.linalg.lstsq(np.eye(len(motion)) - motion, loaded, rcond=1e-11)[0][:len(parts[0])]
    return (np.abs(values).max() - 1, error_of_frequencies(system, angles / (tick * 2 ** (len(parts) - 1))),
            system.load @ (at_rest - system.rigid @ (system.rigid.T @ at_rest)) / system.compliance - 1)


def effective(matrix, fine, step):
    """A' of u+ - 2u + u- = -step^2 A' u; `fine`: 1 for the freedoms that take half steps, of each level in turn."""
    if not fine:
        return matrix
    held, half = matrix * (1 - fine[0]), step / 2
    inner = effective(matrix * fine[0], fine[1:], half)
    first = np.eye(len(matrix)) - half ** 2 / 2 * (held + inner)
    second = 2 * first - np.eye(len(matrix)) - half ** 2 * (held + inner @ first)
    return 2 * (np.eye(len(matrix)) - second) / step ** 2


def local_leapfrog(system, rates, levels, step):
    """Growth per period, error of slow frequencies."""
    fine = []
    for k in range(levels):
        inside = np.zeros(len(system.masses))
        inside[system.tetrahedra[rates < levels - k]] = 1
        fine.append(np.repeat(inside, 3))
    squares = np.linalg.eigvals(effective(system.whole, fine, step)).astype(complex) * step ** 2
    half_trace = 1 - squares / 2
    root = np.sqrt(half_trace ** 2 - 1)
    angles = np.sort(np.abs(np.angle(half_trace + root)))[-len(system.frequencies):]
    return (max(np.abs(half_trace + root).max(), np.abs(half_trace - root).max()) - 1,
            error_of_frequencies(system, angles / step))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("terrace")
    parser.add_argument("--factors", default="0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9", help="in stable steps of the whole bead")
    parser.add_argument("--levels", default="0,1,2,3")
    parser.add_argument("--size", type=float, default=2e-4)
    options = parser.parse_args()
    system = System(*bead(options.terrace, options.size))
    count = len(system.tetrahedra)
    print(f"{count} tetrahedra, stable step {system.stable_step:.3g} s; of single elements {system.element_steps.min():.3g} to "
          f"{system.element_steps.max():.3g}")
    for levels in map(int, options.levels.split(",")):
        rates = system.rates(levels)
        elements = np.bincount(rates, minlength=levels + 1)
        parts = [system.matrix(rates == k) for k in range(levels + 1)]
        print(f"rates 1 to {2 ** levels}: {elements.tolist()} elements, {count / sum(elements / 2.0 ** np.arange(levels + 1)):.2f} "
              "times fewer evaluations by impulses")
        for factor in map(float, options.factors.split(",")):
            tick = factor * system.stable_step
            of_impulses = impulses(system, parts, tick)
            of_local = local_leapfrog(system, rates, levels, tick * 2 ** levels)
            print(f"  {factor:.2f}: grows per period by {of_impulses[0]:.1e} with impulses, {of_local[0]:.1e} with local leapfrog; "
                  f"slow frequencies off by {of_impulses[1]:.1e}, {of_local[1]:.1e}; compliance by {of_impulses[2]:.1e}", flush=True)



main()
