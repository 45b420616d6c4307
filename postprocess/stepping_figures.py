"""Figures of force-stepping, C2 to C4, and of discontinuous potentials, E1 to E4. The functions are called as those of
reference_figures.py."""
import math

import numpy

from figures import finished, present, save, sheet, step_histograms, stepped, steps_of

BOLTZMANN = 1.380658e-23
COLORS = ("tab:blue", "tab:red", "tab:green", "black", "tab:orange", "tab:purple")


def draw_c2(runs, folder):
    """Draws constants of motion, temperature and steps (figures 3.13, 3.14), and steps and errors over h (3.15, 3.16)."""
    for number, names in enumerate((("h = 0.020", "Newmark 3.12 fs"), ("h = 0.005", "Newmark 0.80 fs"))):
        shown = present(runs, *names)
        if not shown:
            continue
        figure, panels = sheet(2, 3)
        for run, color in zip(shown, COLORS):
            table = run.table("history")
            panels[0, 0].plot(table["time"], (table["energy"] / table["energy"][0]) - 1, color=color, linewidth=0.7, label=run.name)
            panels[0, 1].plot(table["time"], table["momentum_x"] - table["momentum_x"][0], color=color, linewidth=0.7)
            panels[0, 2].plot(table["time"], table["angular_momentum_z"], color=color, linewidth=0.7)
            later = table["time"] > 0
            temperature = mean_so_far(table["kinetic"]) / (7 * BOLTZMANN)
            panels[1, 0].plot(table["time"][later], temperature[later], color=color, linewidth=0.7)
        for panel, title in zip(panels.flat, ("Relative change of the energy", "Change of the momentum along x", "Angular momentum",
                                              "Temperature so far [K]")):
            panel.set(title=title, xlabel="time [ns]")
        panels[0, 0].legend(fontsize="x-small")
        step_histograms([panels[1, 1]], [steps_of(run) for run in stepped(shown[:1])])
        panels[1, 2].axis("off")
        save(figure, folder, f"constants-{number + 1}")
    return draw_convergence(runs, folder)


def mean_so_far(values):
    """The mean of each row and all rows before it."""
    return numpy.cumsum(values) / numpy.arange(1, len(values) + 1)


def table_of_steps(run):
    table = run.table("subdomains")
    return [float(table[f"step_{which}"][0]) for which in ("mean", "max", "min")]


def slope(x, y):
    """The slope of log y over log x, without points where y is 0, as the smallest step can be."""
    seen = numpy.asarray(y) > 0
    return numpy.polyfit(numpy.log(numpy.asarray(x)[seen]), numpy.log(numpy.asarray(y)[seen]), 1)[0]


def by_size(runs, kind):
    return {float(name.split("= ")[1]): run for name, run in runs.items() if name.startswith(f"{kind},")}


def draw_convergence(runs, folder):
    """Draws steps and errors over h and returns their orders, for the kinds with at least two finished sizes."""
    lines = []
    runs = {run.name: run for run in finished(runs.values())}
    kinds = [kind for kind in ("with parity", "without parity") if len(by_size(runs, kind)) > 1]
    if not kinds:
        return lines
    figure, panels = sheet(1, 2 * len(kinds), height=3.4)
    for place, kind in enumerate(kinds):
        chosen = by_size(runs, kind)
        sizes = numpy.array(sorted(chosen))
        steps = numpy.array([table_of_steps(chosen[size]) for size in sizes]) * 1e6
        panel = panels[0, 2 * place]
        for column, (name, mark) in enumerate((("average", "*"), ("largest", "o"), ("smallest", "s"))):
            panel.loglog(sizes, steps[:, column], mark, color=COLORS[column], label=f"{name}: h^{slope(sizes, steps[:, column]):.2f}")
            lines.append(f"{kind}: {name} step of order {slope(sizes, steps[:, column]):.3f}")
        panel.set(title=f"Steps {kind}", xlabel="h [nm]", ylabel="step [fs]")
        panel.legend(fontsize="x-small")
        chosen = by_size(runs, f"error {kind}")
        if "Newmark 0.02 fs" in runs and len(chosen) > 1:
            exact = runs["Newmark 0.02 fs"]
            sizes = numpy.array(sorted(chosen))
            errors = numpy.array([error_of_motion(chosen[size], exact) for size in sizes])
            panel = panels[0, 2 * place + 1]
            panel.loglog(sizes, errors, "o", label=f"h^{slope(sizes, errors):.2f}")
            panel.set(title="Error of the motion in 1 ps", xlabel="h [nm]")
            panel.legend(fontsize="x-small")
            lines.append(f"{kind}: error of order {slope(sizes, errors):.2f}")
    save(figure, folder, "convergence")
    return lines


def error_of_motion(run, exact):
    """The relative error of a motion in the W^{2,infinity} norm (3.86): largest differences of positions, velocities and accelerations,
    the last as means over the rows' intervals."""
    error = size = 0
    for quantity, unit in (("position", 1), ("velocity", 1), ("contact_force", 66.34e-27)):
        rows = [[one.body(name)[f"{quantity}_{axis}"] for name in one.body_names() if name.startswith("argon") for axis in "xy"]
                for one in (run, exact)]
        ours, right = (numpy.array(each) for each in rows)
        error += numpy.sqrt(((ours - right) ** 2).sum(axis=0)).max() / unit
        size += numpy.sqrt((right**2).sum(axis=0)).max() / unit
    return error / size


def kepler(times, eccentricity):
    """Positions (x, y) on the exact orbit (3.78), which starts at its pericentre on the x-axis."""
    mean = numpy.asarray(times) % (2 * math.pi)
    anomaly = numpy.where(mean < math.pi, mean + eccentricity / 2, mean - eccentricity / 2)
    for _ in range(60):
        anomaly = anomaly - (anomaly - eccentricity * numpy.sin(anomaly) - mean) / (1 - eccentricity * numpy.cos(anomaly))
    return numpy.cos(anomaly) - eccentricity, math.sqrt(1 - eccentricity**2) * numpy.sin(anomaly)


def draw_orbits(panel, runs, eccentricity):
    for run, color in zip(runs, COLORS):
        table = run.body("planet")
        panel.plot(table["position_x"], table["position_y"], color=color, linewidth=0.3, label=run.name)
    x, y = kepler(numpy.linspace(0, 2 * math.pi, 2000), eccentricity)
    panel.plot(x, y, color="black", linewidth=0.8, label="exact")
    panel.set(title="Orbits", xlabel="x", ylabel="y")
    panel.legend(fontsize="xx-small")


def draw_constants(energy, angular, runs):
    for run, color in zip(runs, COLORS):
        table = run.table("history")
        energy.plot(table["time"], table["energy"] - table["energy"][0], color=color, linewidth=0.5, label=run.name)
        angular.plot(table["time"], table["angular_momentum_z"] - table["angular_momentum_z"][0], color=color, linewidth=0.5)
    energy.set(title="Change of the energy", xlabel="time")
    angular.set(title="Change of the angular momentum", xlabel="time")


def errors_of_orbit(run, eccentricity, turns=1):
    """The largest distance from the exact position during the first `turns` turns."""
    table = run.body("planet")
    chosen = table["time"] <= 2 * math.pi * turns
    x, y = kepler(table["time"][chosen], eccentricity)
    return numpy.hypot(table["position_x"][chosen] - x, table["position_y"][chosen] - y).max()


def draw_c3(runs, folder):
    """Draws figures 3.4 to 3.6 and 3.9, 3.10."""
    lines = []
    for eccentricity in (0.85, 0.99):
        start = f"e = {eccentricity}"
        shown = present(runs, start, f"{start}, Newmark", f"{start}, LaBudde-Greenspan")
        if not shown:
            continue
        figure, panels = sheet(2, 2, height=3.6)
        draw_orbits(panels[0, 0], shown, eccentricity)
        draw_constants(panels[0, 1], panels[1, 0], shown)
        step_histograms([panels[1, 1]], [steps_of(run) for run in stepped(shown[:1])])
        save(figure, folder, f"kepler-{eccentricity}")
        lines += [f"{run.name}: largest distance from the exact place in the first turn {errors_of_orbit(run, eccentricity):.3g}"
                  for run in shown]
    return lines


def draw_c4(runs, folder):
    """Draws figures 3.7 and 3.8."""
    shown = list(runs.values())
    figure, panels = sheet(2, 2, height=3.6)
    draw_orbits(panels[0, 0], shown, 0.85)
    draw_constants(panels[0, 1], panels[1, 0], shown)
    step_histograms([panels[1, 1]], [steps_of(run) for run in stepped(shown[:1])])
    save(figure, folder, "kepler-reduced")


def exact_e1(times):
    """The exact positions of E1's particle at ascending times. On either side of the step its orbits in phase space are arcs of circles."""
    x, v, now, inside, places = -1.0, 1.2, 0.0, False, []
    for time in times:
        while True:
            size, phase = math.hypot(x, v), math.atan2(-v, x)
            wait = math.inf
            if size > 0.5:
                wait = ((1 if inside else -1) * math.acos(0.5 / size) - phase) % (2 * math.pi)
                wait = wait if wait > 1e-12 else wait + 2 * math.pi
            go = min(wait, time - now)
            x, v, now = size * math.cos(go + phase), -size * math.sin(go + phase), now + go
            if go < wait:
                break
            after = v * v + (0.6 if inside else -0.6)
            v, inside = (math.copysign(math.sqrt(after), v), not inside) if after > 0 else (-v, inside)
        places.append(x)
    return numpy.array(places)


def draw_e1(runs, folder):
    """Draws errors and energies over time, and returns the orders."""
    kinds = list(dict.fromkeys(name.split(",")[0] for name in runs))
    figure, panels = sheet(len(kinds), 2, height=1.9)
    errors = {}
    for row, kind in zip(panels, kinds):
        for (name, run), color in zip(((n, r) for n, r in runs.items() if n.split(",")[0] == kind), COLORS):
            table, history = run.body("particle"), run.table("history")
            off = numpy.abs(table["position_x"] - exact_e1(table["time"]))
            row[0].semilogy(table["time"], off + 1e-17, color=color, linewidth=0.6, label=name)
            row[1].plot(history["time"], history["energy"] - history["energy"][0], color=color, linewidth=0.6)
            errors.setdefault(kind, []).append((float(name.split(", ")[1]), float(numpy.mean(off))))
        row[0].set(title=f"{kind}: error of x")
        row[1].set(title="change of the energy")
        row[0].legend(fontsize="xx-small", ncol=2)
    save(figure, folder, "errors")
    return [f"{kind}: mean error over the run of order {slope(*zip(*values)):.2f} ({', '.join(f'{e:.2g}' for _, e in values)})"
            for kind, values in errors.items() if len(values) > 1]


def draw_e2(runs, folder):
    reference = runs.get("reference")
    figure, panels = sheet(1, 2, height=3.6)
    lines = []
    for kind, color in zip(("dp2", "dp2-strang", "dp1"), COLORS):
        values = []
        for name, run in runs.items():
            if not reference or name.split(",")[0] != kind or name.endswith("long"):
                continue
            table, exact = run.body("particle"), reference.body("particle")
            rows = min(len(table["time"]), len(exact["time"]))
            values.append((float(name.split(", ")[1]), numpy.mean(numpy.abs(table["position_x"][:rows] - exact["position_x"][:rows]))))
        if len(values) > 1:
            panels[0, 0].loglog(*zip(*values), "o-", color=color, label=f"{kind}: order {slope(*zip(*values)):.2f}")
            lines.append(f"{kind}: mean error over the run of order {slope(*zip(*values)):.2f}")
        if f"{kind}, long" in runs:
            table = runs[f"{kind}, long"].table("history")
            panels[0, 1].plot(table["time"], table["energy"] - table["energy"][0], color=color, linewidth=0.4, label=kind)
    panels[0, 0].set(title="Mean error of x", xlabel="step")
    panels[0, 1].set(title="Change of the energy, step 0.1", xlabel="time")
    for panel in panels[0]:
        panel.legend(fontsize="x-small")
    save(figure, folder, "orders")
    return lines


def draw_e3(runs, folder):
    shown = [run for name, run in runs.items() if not name.endswith("long")]
    figure, panels = sheet(2, 2, height=3.6)
    for run, color in zip(shown, COLORS):
        table = run.body("particle")
        early = table["time"] <= 50
        panels[0, 0].plot(table["position_x"][early], table["position_y"][early], color=color, linewidth=0.5, label=run.name)
    angle = numpy.linspace(0, 2 * math.pi, 400)
    panels[0, 0].plot(numpy.cos(angle), numpy.sin(angle), color="gray", linewidth=0.7)
    panels[0, 0].set(title="Orbits", aspect="equal")
    panels[0, 0].legend(fontsize="xx-small")
    draw_constants(panels[0, 1], panels[1, 0], shown)
    panels[1, 0].set_ylim(-1e-12, 1e-12)
    for run in present(runs, "dp1, long"):
        table = run.table("history")
        panels[1, 1].plot(table["time"], table["energy"] - table["energy"][0], linewidth=0.3)
        panels[1, 1].set(title="Change of the energy, dp1 for long", xlabel="time")
    save(figure, folder, "circle")


def draw_e4(runs, folder):
    figure, panels = sheet(1, len(runs), height=3.4, width=3.2 * len(runs))
    for panel, run in zip(panels[0], runs.values()):
        table = run.body("particle")
        panel.plot(table["position_x"], table["position_y"], linewidth=0.15)
        angle = numpy.linspace(0, math.pi, 200)
        panel.plot([-0.25, -0.25, -1, *numpy.cos(angle[::-1]), 1, 0.25, 0.25, -0.25],
                   [-1, 0, 0, *numpy.sin(angle[::-1]), 0, 0, -1, -1], color="black", linewidth=0.8)
        panel.set(title=run.name, aspect="equal")
    save(figure, folder, "mushroom")
    return [f"{run.name}: {run.summary['reflections']} reflections, lowest y {run.body('particle')['position_y'].min():.3f}"
            for run in finished(runs.values())]


DRAW_STEPPING = {"C2": draw_c2, "C3": draw_c3, "C4": draw_c4, "E1": draw_e1, "E2": draw_e2, "E3": draw_e3, "E4": draw_e4}
