"""Gap and barrier on A4's coarse balls: the results depend neither on the contact's own parameters nor on integrator and mesh, and the
impact is that of one ball on a rigid plane at half the speed.

With explicit Newmark. What the striker keeps of its 4 m/s must depend neither on the activation distance nor on the profile, and the
force, averaged over 2 ms, not on the mesh. Sampled forces do depend on it: they ring with the nodes of the surface.
Usage: verify_smooth_contact.py TERRACE [--full]   --full: more distances, finer meshes, energy-stepping; ten minutes
"""

from facts import INPUTS, Facts, history_of
from small_balls import two_balls

SPEED, GAP = 4.0, 0.0025
WINDOW = 2e-3  # over which forces are averaged [s]
INTERVAL = 5e-5  # between rows [s]


def mean_force(rows, axis):
    """The largest mean over WINDOW of the force on a body along an axis."""
    steps = round(WINDOW / INTERVAL)
    return max(abs(a[f"momentum_{axis}"] - b[f"momentum_{axis}"]) / (b["time"] - a["time"]) for a, b in zip(rows, rows[steps:]))


def contact_time(rows, axis):
    """The time in which the body receives the middle 98 % of its change of momentum."""
    first, last = (rows[k][f"momentum_{axis}"] for k in (0, -1))
    inside = [row["time"] for row in rows if 0.01 < (row[f"momentum_{axis}"] - first) / (last - first) < 0.99]
    return inside[-1] - inside[0]


def impact(facts, name, model, size=0.0078, end=0.022, **settings):
    """Runs an impact; returns (summary, final velocity of the striker, largest mean force on it)."""
    deck = two_balls(size=size, end=end, model=model, gap=GAP, interval=INTERVAL)
    summary, output = facts.run(deck, **({"integrator__method": "newmark"} | settings))
    rows = history_of(output, "striker")
    force = mean_force(rows, "x")
    kept = rows[-1]["velocity_x"]
    print(f"       {name}: keeps {kept:.4f} m/s, {force:.3f} N, {summary['events']} events, energy drift "
          f"{summary['energy_drift']:.1e}", flush=True)
    return summary, kept, force


def distances(facts, values):
    """States that final velocities for all models and distances are within 2 % of the impact speed of each other; returns them."""
    kept = {}
    for model in ("gap", "barrier"):
        for value in values:
            settings = {"contact__distance": value} if value else {}
            kept[model, value] = impact(facts, f"{model}, distance {value or 'by default'}", model, **settings)[1]
    facts.near("spread of the final velocities over models and distances [m/s]", max(kept.values()) - min(kept.values()),
               0.0, 0.02 * SPEED)
    return kept


def meshes(facts, sizes):
    """States that the same contact has the same mean force on finer meshes."""
    for model, stiffness in (("gap", 300), ("barrier", 120)):
        forces = [impact(facts, f"{model}, elements of {size} m", model, size, end=0.014, contact__distance=1.2e-3,
                         contact__stiffness=stiffness)[2] for size in sizes]
        facts.near(f"{model}: largest mean force on the finest mesh, over that on the coarsest", forces[-1] / forces[0],
                   1.0, 0.02)


def on_a_wall(facts):
    """Published for A4: two balls at 4 m/s meet as one ball meets a wall at 2 m/s. By symmetry they must, apart from the meshes."""
    clocked = {"integrator__method": "clocked-energy-stepping", "localization__contact": "touching"}
    _, output = facts.run(INPUTS / "ball_on_wall.toml", **clocked, output__field_interval=-1, output__history_interval=INTERVAL, time__end=0.024,
                          bodies__0__size=0.0078, bodies__0__velocity=[0.0, 0.0, -SPEED / 2], bodies__0__spin=[0.0, 0.0, 0.0])
    ball = history_of(output, "ball")
    _, output = facts.run(two_balls(size=0.0078, end=0.024, model="barrier", gap=GAP, interval=INTERVAL), **clocked)
    striker, target = history_of(output, "striker"), history_of(output, "target")
    restitution = ball[-1]["velocity_z"] / (SPEED / 2)
    facts.near("restitution of two balls, against that of one on a wall", (target[-1]["velocity_x"] - striker[-1]["velocity_x"]) / SPEED,
               restitution, 0.03)
    facts.near("restitution of one on a wall", restitution, 0.866, 0.02)
    facts.near("contact time of two balls, against that of one on a wall [s]", contact_time(striker, "x"), contact_time(ball, "z"), 1e-3)
    facts.near("largest mean force of two balls, against that of one on a wall [N]", mean_force(striker, "x"), mean_force(ball, "z"), 1.2)


def passed_through(facts):
    summary, kept, _ = impact(facts, "gap, far too soft", "gap", end=0.01, contact__distance=5e-4, contact__stiffness=40)
    facts.state(any("penetrated" in warning or "in each other" in warning for warning in summary["warnings"]),
                f"surfaces that passed through each other are warned of (the striker has {kept:.2f} m/s)")


def main():
    facts = Facts()
    if not facts.full:
        distances(facts, (None, 5e-4))
        on_a_wall(facts)
        passed_through(facts)
        meshes(facts, (0.0078, 0.0055))
        facts.finish()
    newmark = distances(facts, (None, 2e-3, 1e-3, 5e-4, 2.5e-4))
    on_a_wall(facts)
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
