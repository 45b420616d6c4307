"""Gap and barrier on A4's coarse balls: the contact's own parameters, the integrator and the mesh do not show.

Explicit Newmark. What the striker keeps of its 4 m/s must depend neither on the activation distance nor on the profile;
the force, averaged over 2 ms, not on the mesh. Sampled forces do: they ring with the nodes of the surface.
Usage: verify_smooth_contact.py TERRACE [--full]   --full: more distances, finer meshes, energy-stepping; ten minutes
"""

from facts import Facts, history_of
from small_balls import two_balls

SPEED, GAP = 4.0, 0.0025
WINDOW = 2e-3  # over which forces are averaged [s]


def impact(facts, name, model, size=0.0078, end=0.022, **settings):
    """Runs an impact; returns (summary, final velocity of the striker, largest mean force on it)."""
    deck = two_balls(size=size, end=end, model=model, gap=GAP, interval=5e-5)
    summary, output = facts.run(deck, **({"integrator__method": "newmark"} | settings))
    rows = history_of(output, "striker")
    steps = round(WINDOW / 5e-5)
    force = max((a["momentum_x"] - b["momentum_x"]) / (b["time"] - a["time"]) for a, b in zip(rows, rows[steps:]))
    kept = rows[-1]["velocity_x"]
    print(f"       {name}: keeps {kept:.4f} m/s, {force:.3f} N, {summary['events']} events, energy drift "
          f"{summary['energy_drift']:.1e}", flush=True)
    return summary, kept, force


def distances(facts, values):
    """Final velocities by model and distance, within 2 % of the impact speed of each other."""
    kept = {}
    for model in ("gap", "barrier"):
        for value in values:
            settings = {"contact__distance": value} if value else {}
            kept[model, value] = impact(facts, f"{model}, distance {value or 'by default'}", model, **settings)[1]
    facts.near("spread of the final velocities over models and distances [m/s]", max(kept.values()) - min(kept.values()),
               0.0, 0.02 * SPEED)
    return kept


def meshes(facts, sizes):
    """The same contact on finer meshes."""
    for model, stiffness in (("gap", 300), ("barrier", 120)):
        forces = [impact(facts, f"{model}, elements of {size} m", model, size, end=0.014, contact__distance=1.2e-3,
                         contact__stiffness=stiffness)[2] for size in sizes]
        facts.near(f"{model}: largest mean force on the finest mesh, over that on the coarsest", forces[-1] / forces[0],
                   1.0, 0.02)


def passed_through(facts):
    summary, kept, _ = impact(facts, "gap, far too soft", "gap", end=0.01, contact__distance=5e-4, contact__stiffness=40)
    facts.state(any("penetrated" in warning or "in each other" in warning for warning in summary["warnings"]),
                f"surfaces that passed through each other are warned of (the striker has {kept:.2f} m/s)")


def main():
    facts = Facts()
    if not facts.full:
        distances(facts, (None, 5e-4))
        passed_through(facts)
        meshes(facts, (0.0078, 0.0055))
        facts.finish()
    newmark = distances(facts, (None, 2e-3, 1e-3, 5e-4, 2.5e-4))
    passed_through(facts)
    meshes(facts, (0.0078, 0.0055, 0.0039))
    for model in ("gap", "barrier"):
        for step in (1e-5, 5e-6):
            summary, kept, _ = impact(facts, f"{model}, energy-stepping, h = {step:g}", model,
                                      integrator__method="energy-stepping", integrator__energy_step=step)
            facts.near(f"{model}: final velocity with h = {step:g} against Newmark's", kept, newmark[model, None],
                       0.01 * SPEED)
            facts.conserves(model, summary)
    facts.finish()


if __name__ == "__main__":
    main()
