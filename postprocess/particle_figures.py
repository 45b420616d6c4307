"""Figures of the reference experiments C1 and C5, on particles. DRAW maps an experiment to a function draw(runs, folder)."""
import os

import numpy

from figures import finished, present, save, sheet, step_histograms, stepped, steps_of
from particles import Ways, draw_ways

FEMTOSECOND = 1e-6  # in nanoseconds, the unit of C1
DEPTH = 1.65402828e-21  # epsilon of argon [J]


def published_steps():
    """{part: average step [fs]} for energy steps E0 / part (thesis, figure 2.6)."""
    return {100: 56.98, 60: 87.56, 30: 124.88}


def draw_energies_of_argon(runs, folder):
    """Draws figure 2.6: the energy over time of energy-stepping, and of velocity Verlet at the average steps of energy-stepping."""
    figure, panels = sheet(1, 4, height=3.2, width=14)
    shown = present(runs, "h = E0 / 100", "h = E0 / 60", "h = E0 / 30")
    for run in shown:
        history = run.table("history")
        panels[0, 0].plot(history["time"], history["energy"] / DEPTH, linewidth=1, label=run.name)
    for panel, step in zip(panels[0, 1:], published_steps().values()):
        for run in present(runs, f"Verlet {step} fs"):
            history = run.table("history")
            panel.plot(history["time"], history["energy"] / DEPTH, linewidth=0.6, color="tab:red")
            panel.set_title(run.name)
    panels[0, 0].set_title("energy-stepping")
    panels[0, 0].set_ylim(-12, -9)
    panels[0, 0].set_ylabel("E / ε")
    panels[0, 0].legend(fontsize="x-small")
    for panel in panels.flat:
        panel.set_xlabel("t [ns]")
    save(figure, folder, "energies")


def with_ways(runs):
    """The runs that have written their trajectories, which they do at their end or when they save themselves."""
    return [run for run in runs if os.path.exists(os.path.join(run.directory, "trajectories.vtu"))]


def draw_windows(runs, folder):
    """Draws figure 2.7: the trajectories of the atoms in the last 50 ps."""
    shown = with_ways(present(runs, "Verlet 10 fs", "h = E0 / 100", "h = E0 / 60", "h = E0 / 30"))
    if not shown:
        return
    figure, panels = sheet(1, len(shown), height=3.6, width=14)
    for panel, run in zip(panels.flat, shown):
        ways = Ways(run.directory)
        draw_ways(panel, ways, ways.times[-1] - 0.05)
        start = ways.positions[[1, 2, 3, 4, 5, 6, 1], 0]
        panel.plot(start[:, 0], start[:, 1], "k--", linewidth=0.8)
        panel.set(title=run.name, xlim=(-0.75, 0.75), ylim=(-0.75, 0.75))
    save(figure, folder, "trajectories")


def h1_norm(run):
    """The H¹ norm (2.86) of a motion: the root of the time integral of |q|² + |q̇|², in nm and ns."""
    ways = Ways(run.directory)
    squares = (ways.positions ** 2).sum(axis=(0, 2)) + (ways.velocities ** 2).sum(axis=(0, 2))
    return numpy.sqrt((0.5 * (squares[1:] + squares[:-1]) * numpy.diff(ways.times)).sum())


def order(steps, values):
    """The order of convergence: the slope of the straight line of least squares through the logarithms."""
    return numpy.polyfit(numpy.log(steps), numpy.log(values), 1)[0]


def draw_convergence(runs, folder):
    """Draws figure 2.8: the H¹ error (2.87) over 1 ns, and the average and largest step, over the energy step. Returns the orders."""
    names = [run.name for run in finished(runs.values()) if run.name.startswith("1 ns, E0")]
    exact = finished(present(runs, "1 ns, Verlet 1 fs"))
    if len(names) < 2 or not exact:
        return []
    parts = numpy.array([float(name.rsplit("/", 1)[1]) for name in names])
    norm = h1_norm(exact[0])
    errors = numpy.array([abs(h1_norm(runs[name]) - norm) / norm for name in names])
    mean = numpy.array([runs[name].summary["average_step"] for name in names]) / FEMTOSECOND
    largest = numpy.array([runs[name].table("subdomains")["step_max"].max() for name in names]) / FEMTOSECOND
    h = 1 / parts
    figure, panels = sheet(1, 2, height=4, width=10)
    panels[0, 0].loglog(h, errors, "o-")
    panels[0, 0].loglog(h, errors[0] * (h / h[0]) ** 0.5, "k:", label="h^½")
    panels[0, 0].set(xlabel="h / |E₀|", ylabel="relative H¹ error, T = 1 ns")
    panels[0, 1].loglog(h, mean, "*-", label="average")
    panels[0, 1].loglog(h, largest, "o-", label="maximum")
    panels[0, 1].loglog(h, mean[-1] * h / h[-1], "k:", label="h, h^½")
    panels[0, 1].loglog(h, largest[-1] * (h / h[-1]) ** 0.5, "k:")
    panels[0, 1].set(xlabel="h / |E₀|", ylabel="time step [fs]")
    for panel in panels.flat:
        panel.legend(fontsize="small")
    save(figure, folder, "convergence")
    fine = parts >= 100
    if fine.sum() < 2:
        return []
    return [f"over 1 ns: H¹ error of order {order(h, errors):.2f} (published 1/2); from h = E0 / 100 down average step of order "
            f"{order(h[fine], mean[fine]):.2f} (1), maximum {order(h[fine], largest[fine]):.2f} (1/2)"]


def draw_c1(runs, folder):
    draw_energies_of_argon(runs, folder)
    draw_windows(runs, folder)
    lines = draw_convergence(runs, folder)
    histograms = stepped(present(runs, "h = E0 / 100", "h = E0 / 60", "h = E0 / 30"))
    if histograms:
        figure, panels = sheet(1, len(histograms), height=3, width=12)
        step_histograms(panels.flat, [steps_of(run) for run in histograms])
        save(figure, folder, "steps")
    for part, published in published_steps().items():
        for run in finished(present(runs, f"h = E0 / {part}")):
            found = run.summary["average_step"] / FEMTOSECOND
            lines.append(f"{run.name}: average step {found:.2f} fs, published {published} ({100 * (found / published - 1):+.1f} %), "
                         f"{100 * run.summary['monitors']['share_of_reflections']:.0f} % reflections, {run.summary['wall_seconds']:.0f} s")
    return lines


def draw_c5(runs, folder):
    """Draws examples 2.4.1 to 2.4.3, each with Newmark's motion. Returns the runs' warnings."""
    figure, panels = sheet(1, 3, height=4, width=13)
    for panel, name in zip(panels.flat, ("uniform motion", "polygon", "frozen turning point")):
        for run, style in zip(with_ways(present(runs, name, f"{name}, Newmark")), ("-", "k--")):
            ways = Ways(run.directory)
            way = ways.positions[0]
            across = ways.times if name.startswith("frozen") else way[:, 0]
            along = way[:, 0] if name.startswith("frozen") else way[:, 1]
            panel.plot(across, along, style, linewidth=1, label=run.name)
        panel.set(title=name, xlabel="t" if name.startswith("frozen") else "x", ylabel="x" if name.startswith("frozen") else "y")
        panel.legend(fontsize="x-small")
    panels[0, 0].set_aspect("equal")
    panels[0, 1].set_aspect("equal")
    save(figure, folder, "failures")
    return [f"{run.name}: {warning}" for run in runs.values() for warning in run.summary.get("warnings", [])]


DRAW = {"C1": draw_c1, "C5": draw_c5}
