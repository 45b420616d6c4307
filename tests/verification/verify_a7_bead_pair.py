"""A7, the pair: two steel beads meet at 0.44 m/s, with explicit Newmark and energy-stepping, compared with the theory of Hertz.

Hertz: largest force 84.0 N, contact time 33.9 microseconds. Meshes that are coarse at the contact are too stiff: forces are too large
and contact times too short. A prototype had 13 % too much force with 4,160 tetrahedra a bead, 10 % with 7,800.
Usage: verify_a7_bead_pair.py TERRACE [--full]
--full: four meshes up to 16,000 tetrahedra a bead, the barrier, and energy-stepping; about fifteen minutes
"""

from facts import INPUTS, Facts, history_of

SPEED = 0.44
HERTZ_FORCE, HERTZ_TIME = 84.0, 33.9e-6
# Sizes of the elements [m]: in the body, and at the contact point. Their ratio is the same, so that the whole mesh is refined.
MESHES = ((1.43e-3, 8.0e-5), (1.01e-3, 5.66e-5), (8.5e-4, 4.76e-5), (7.15e-4, 4.0e-5))


def impact(facts, name, mesh, **settings):
    """Runs one impact; returns (summary, peak force, contact time, restitution)."""
    size, fine = mesh
    for number in (0, 1):
        settings[f"bodies__{number}__size"] = size
        settings[f"bodies__{number}__refine"] = f"[{{point=[4.7625e-3,0.0,0.0],size={fine},radius=4.5e-3}}]"
    summary, output = facts.run(INPUTS / "a7_bead_pair.toml", **settings)
    striker, target = history_of(output, "striker"), history_of(output, "target")
    forces = [-row["contact_force_x"] for row in striker]
    peak = max(forces)
    touching = [row["time"] for row, force in zip(striker, forces) if force > 0.01 * peak]
    duration = touching[-1] - touching[0]
    restitution = (target[-1]["velocity_x"] - striker[-1]["velocity_x"]) / SPEED
    facts.state(summary["momentum_change"] == 0,
                f"{name}: {peak:.2f} N, {1e6 * duration:.2f} us, restitution {restitution:.4f}; {summary['events']} events, "
                f"{summary['monitors']['share_of_reflections']:.0%} reflections, average step "
                f"{summary['monitors']['step_over_stable_step']:.3g} stable steps, energy drift "
                f"{summary['energy_drift']:.1e}, {summary['momentum_change']} quanta of momentum")
    return summary, peak, duration, restitution


def newmark(facts, name, mesh, **settings):
    summary, peak, duration, restitution = impact(facts, name, mesh, **settings)
    facts.at_most(f"{name}: energy drift", summary["energy_drift"], 1e-5)
    facts.state(0.94 < restitution < 1.0001, f"{name}: restitution {restitution:.4f}")
    return peak, duration


def small(facts):
    peak, duration = newmark(facts, "coarsest mesh", MESHES[0])
    facts.near("peak force [N]", peak, HERTZ_FORCE, 0.22 * HERTZ_FORCE)
    facts.near("contact time [s]", duration, HERTZ_TIME, 0.18 * HERTZ_TIME)


def full(facts):
    found = [newmark(facts, f"{1e6 * mesh[1]:.1f} um at the contact", mesh) for mesh in MESHES]
    peaks, durations = [peak for peak, _ in found], [duration for _, duration in found]
    facts.state(peaks == sorted(peaks, reverse=True), f"the peak force falls as meshes get finer: {peaks}")
    facts.near("finest mesh: peak force [N]", peaks[-1], HERTZ_FORCE, 0.04 * HERTZ_FORCE)
    facts.near("finest mesh: contact time [s]", durations[-1], HERTZ_TIME, 0.10 * HERTZ_TIME)
    barrier = newmark(facts, "barrier", MESHES[1], contact__model="barrier")
    facts.near("barrier: peak force against the gap's [N]", barrier[0], peaks[1], 0.03 * peaks[1])
    losses = {}
    for contact in ("own", "touching"):
        for step in (1e-6, 2e-7, 5e-8):
            name = f"energy-stepping, {contact}, h = {step:g}"
            summary, *_, restitution = impact(facts, name, MESHES[0], contact__model="barrier",
                                              integrator__method="energy-stepping", integrator__energy_step=step,
                                              localization__contact=contact)
            facts.conserves(name, summary)
            lost = losses[contact, step] = (1 - restitution**2) / 2
            facts.near(f"{name}: noise on the scale of elements over the energy lost to vibration",
                       summary["monitors"]["element_scale_energy"] / lost, 1, 0.2)
        facts.state(losses[contact, 1e-6] > losses[contact, 2e-7] > losses[contact, 5e-8],
                    f"{contact}: what the beads lose falls with h: " +
                    ", ".join(f"{losses[contact, step]:.3f}" for step in (1e-6, 2e-7, 5e-8)))


if __name__ == "__main__":
    facts = Facts()
    # V is no more exact than the force on a node times the last digit of its coordinate, here 100 N and 5 mm, beside steps of 5e-8 J.
    facts.most_mismatch = 1e-8
    (full if facts.full else small)(facts)
    facts.finish()
