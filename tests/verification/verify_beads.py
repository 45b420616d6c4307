"""Beads with Hertz's contact law: the law of a pair, pressed and in an impact, and chains compared with chains of Hertz springs.

Published: restitution 0.975 at 0.44 m/s, and a front that decays by exp(-0.0085 k). In theory the restitution of two free elastic spheres
is 0.999996, and chains of Hertz springs have a plateau.
Usage: verify_beads.py TERRACE [--full]
Small: the pair on the decks' mesh, a chain of six beads and one that ends at a wall on a coarser one. --full: a mesh half as fine and one
twice as fine, the chain of 28, a heavy and a light striker, a dimer chain, Newmark's time (some 20 minutes).
"""

import json
import resource
import sys

from facts import INPUTS, Facts, history_of, table

sys.path.insert(0, str(INPUTS.parent / "postprocess"))
import hertz_chain as springs  # noqa: E402
from bead_experiments import BEAD_EXPERIMENTS, COARSE, FINE, beads, chain, wall  # noqa: E402
from bead_forces import Loading, contact_forces, hertz_approach, hertz_time_above  # noqa: E402

SPEED = 0.44
PEAK, _, _ = springs.impact(SPEED)
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99)


def column(rows, name):
    return [row[name] for row in rows]


def run(facts, deck, settings):
    """Runs a deck; returns (summary, output directory, processor seconds). `settings`: as in postprocess/experiments.py, values or text
    that is TOML already."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    text = {key: value if isinstance(value, str) else json.dumps(value) for key, value in settings.items()}
    summary, output = facts.run(INPUTS / f"{deck}.toml", **text)
    return summary, output, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def law(facts, name, loading, lowest):
    """States that the approach is within 3 % of Hertz's and the exponent within 0.05 of 3/2, from the share `lowest` of Hertz's peak on."""
    shares = [share for share in SHARES if share >= lowest and share * PEAK < loading.peak]
    ratios = [loading.approach_at(share * PEAK) / hertz_approach(share * PEAK) for share in shares]
    facts.state(all(abs(ratio - 1) <= 0.03 for ratio in ratios),
                f"{name}: approach over Hertz's from {shares[0]:.0%} to {shares[-1]:.0%} of the peak: "
                + ", ".join(f"{ratio:.4f}" for ratio in ratios))
    found = [loading.exponent_at(share * PEAK) for share in shares]
    exponents = [exponent for exponent in found if exponent is not None]
    facts.state(len(exponents) >= len(shares) - 2 and all(abs(exponent - 1.5) <= 0.05 for exponent in exponents),
                f"{name}: local exponent: " + ", ".join(f"{exponent:.3f}" for exponent in exponents))


def impact(facts, name, settings):
    """Runs an impact of the pair and states law, peak force, contact time and restitution e. Returns 1 - e."""
    summary, output, seconds = run(facts, "bead_pair", settings)
    striker, target = history_of(output, "striker"), history_of(output, "target")
    loading = Loading(column(striker, "time"), column(striker, "position_x"), column(target, "position_x"), column(target, "momentum_x"))
    facts.conserves(name, summary)
    law(facts, name, loading, 0.01)
    facts.near(f"{name}: peak force [N]", loading.peak, PEAK, 0.01 * PEAK)
    expected = hertz_time_above(0.01)
    facts.near(f"{name}: time with more than 1 % of the peak [s]", loading.time_above(0.01), expected, 0.01 * expected)
    lost = 1 - (target[-1]["velocity_x"] - striker[-1]["velocity_x"]) / SPEED
    # In theory 1 - e oscillates with the speed, up to twice its mean of 3.7e-6.
    facts.between(f"{name}, {seconds:.1f} s: 1 - e", lost, 0, 7.4e-6)
    return lost


def press(facts, name, settings):
    summary, output, _ = run(facts, "bead_press", settings)
    left, right, plane = (history_of(output, body) for body in ("left", "right", "right plane"))
    pushed = [bead["momentum_x"] + taken["momentum_x"] for bead, taken in zip(right, plane)]
    law(facts, name, Loading(column(left, "time"), column(left, "position_x"), column(right, "position_x"), pushed), 0.01)
    facts.at_most(f"{name}: energy drift", summary["energy_drift"], 1e-12)


class Chain:
    """A run of a chain, and the forces at its contacts; the last is that of a wall, if the chain ends at one. `names`: the beads in
    their order."""

    def __init__(self, facts, name, deck, settings, names, ends_at_wall=False):
        self.name = name
        self.summary, output, self.seconds = run(facts, deck, settings)
        by_body = {}
        for row in table(output, "bodies"):
            by_body.setdefault(row["body"], []).append(row)
        rows = [by_body[body] for body in names + ["wall"] * ends_at_wall]
        self.times = column(rows[0], "time")
        self.forces = contact_forces(self.times, [column(body, "momentum_x") for body in rows])
        self.peaks = [springs.peak(self.times, force, rows=5) for force in self.forces]
        self.last = [body[-1] for body in rows]
        self.energy = 0.5 * rows[0][0]["momentum_x"] * SPEED
        facts.conserves(name, self.summary, walls=True)
        # Rounding errors of stresses scale with the moduli, 2e11 Pa, beside which slow beads have little angular momentum. Measured drift:
        # 4e-12 of six beads, 5e-11 of 28.
        if not ends_at_wall:
            facts.at_most(f"{name}: angular momentum drift", self.summary["angular_momentum_drift"], 2e-10)
        facts.state(self.summary["status"] == "done", f"{name}: {self.seconds:.0f} s of processor time, {self.summary['events']} events")

    def vibration(self, count):
        """The energy of vibration in the first `count` beads at the end, as a share of the whole energy."""
        return sum(body["vibrational_kinetic"] + body["potential"] for body in self.last[:count]) / self.energy

    def beside(self, facts, other, tolerance, contacts=None):
        """States that the largest forces are within `tolerance` of those of Hertz springs, at the first `contacts` contacts or at all."""
        theirs = other.peaks()[:contacts]
        worst = max(abs(mine[1] / force[1] - 1) for mine, force in zip(self.peaks, theirs))
        facts.state(worst <= tolerance, f"{self.name}: largest forces {', '.join(f'{force:.2f}' for _, force in self.peaks)} N; within "
                                        f"{worst:.2%} of those of Hertz springs, at most {tolerance:.1%}")


def names_of(count):
    return ["striker"] + [f"bead-{k}" for k in range(1, count)]


def hertz_springs(facts):
    """Checks the chain in one dimension against closed forms and published constants."""
    pair = springs.HertzChain([springs.mass()] * 2, [springs.stiffness()], SPEED, 4e-5)
    facts.near("two springs: peak force [N]", pair.peaks()[0][1], PEAK, 1e-4 * PEAK)
    facts.near("Hertz [N]", PEAK, 84.03, 0.02)
    light = springs.HertzChain([springs.mass(), springs.mass(2700.0)], [springs.stiffness()], SPEED, 4e-5)
    share = 7780.0 / (7780.0 + 2700.0)
    facts.near("a lighter bead: its velocity after the impact [m/s]", light.velocities[1][-1], 2 * share * SPEED, 1e-6)
    bounced = springs.HertzChain([springs.mass()], [], SPEED, 4e-5, wall=springs.wall_stiffness())
    facts.near("a bead on a wall: its velocity after it [m/s]", bounced.velocities[0][-1], -SPEED, 1e-6)
    runs = {step: springs.equal_beads(24, step=step) for step in (2e-7, 1e-7, 5e-8)}
    forces = [chain.peaks()[16][1] for chain in runs.values()]
    facts.state(abs(forces[0] - forces[1]) > 3 * abs(forces[1] - forces[2]), f"step halved twice: {forces} N")
    modulus, density = springs.plane_strain_modulus(), springs.DENSITY
    facts.near("plateau over (m^3 k^2 v^6)^(1/5)", forces[2] / (springs.mass()**3 * springs.stiffness()**2 * SPEED**6) ** 0.2, 0.6396, 1e-3)
    speed = springs.front_speed(runs[5e-8].peaks(), 10, 18)
    facts.near("front speed over its scale", speed / ((2 * modulus / (2 * springs.RADIUS * density**1.5)) ** (1 / 3) * forces[2] ** (1 / 6)),
               0.6887, 1e-3)
    wide = springs.width(runs[5e-8].times, runs[5e-8].forces[16]) * speed / (2 * springs.RADIUS)
    facts.near("width at half height [diameters]", wide, 1.41, 0.01)


def short_chains(facts):
    free = Chain(facts, "six beads", "bead_chain", chain(6, COARSE), names_of(6))
    free.beside(facts, springs.equal_beads(6), 0.01)
    facts.at_most("six beads: vibration left in the first three", free.vibration(3), 5e-5)
    settings = {**chain(3, COARSE), **wall(3)}
    bounded = Chain(facts, "three beads and a wall", "bead_chain", settings, names_of(3), ends_at_wall=True)
    bounded.beside(facts, springs.equal_beads(3, wall=True), 0.01)


def small(facts):
    hertz_springs(facts)
    impact(facts, "the decks' mesh", {})
    press(facts, "pressed", beads(COARSE))
    short_chains(facts)


def long_chain(facts):
    """28 beads: plateau, front, decay, vibration; P1 to P3; processor time, with Newmark's printed for comparison."""
    name, last = "28 beads", 24
    found = Chain(facts, name, "bead_chain", {}, names_of(28))
    other = springs.equal_beads(28, end=4.9e-4)
    found.beside(facts, other, 0.03)
    plateau = found.peaks[last][1]
    facts.near(f"{name}: plateau [N]", plateau, 71.2, 0.03 * 71.2)
    facts.near(f"{name}: front [m/s]", springs.front_speed(found.peaks, 10, 20), 576, 0.015 * 576)
    facts.at_most(f"{name}: decay per bead from contact 11 to 25", 1 - (plateau / found.peaks[10][1]) ** (1 / (last - 10)), 1e-3)
    facts.at_most(f"{name}: vibration in the first 24 beads", found.vibration(24), 5e-3)
    facts.at_most(f"{name}: processor time, of two hours on two cores", found.seconds, 2 * 7200)
    summary, _, seconds = run(facts, "bead_chain", {"integrator__method": "newmark", "time__end": 4e-6})
    phases = summary["wall_seconds_by_phase"]
    seconds *= phases["stepping"] / sum(phases.values()) * found.times[-1] / summary["final_time"]
    print(f"{name}: {found.seconds:.0f} s; Newmark's, from {summary['final_time']:.2g} s of the simulated time, without set-up: {seconds:.0f} s")


def full(facts):
    small(facts)
    coarse = impact(facts, "coarse mesh", beads(COARSE))
    fine = impact(facts, "fine mesh", beads(FINE))
    # The loss must be that of two free elastic spheres, not an effect of the mesh: the same on both.
    facts.state(abs(fine - coarse) < 0.1 * coarse, f"1 - e is the same on either mesh: {coarse:.3g}, {fine:.3g}")
    long_chain(facts)
    others = dict(BEAD_EXPERIMENTS["chains"]["runs"])
    for name, count, density in (("heavy striker", 14, 4 * 7780.0), ("light striker", 12, 7780.0 / 4)):
        run_of = Chain(facts, name, "bead_chain", {"output__field_interval": -1, **others[name]}, names_of(count))
        end = others[name]["time__end"]
        run_of.beside(facts, springs.equal_beads(count, striker_density=density, end=end), 0.02)
    dimer = ["striker"] + [f"{kind}-{k}" for k in range(1, 11) for kind in ("light", "heavy")][:19]
    settings = {key: value for key, value in others["dimer, masses 1 to 0.35"].items() if key != "deck"}
    Chain(facts, "dimer", "bead_dimer_chain", settings, dimer).beside(facts, springs.dimer(20), 0.02, contacts=18)


if __name__ == "__main__":
    FACTS = Facts()
    (full if FACTS.full else small)(FACTS)
    FACTS.finish()
