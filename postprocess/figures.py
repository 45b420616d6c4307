"""The figures of the reference experiments A1 to A6. DRAW maps an experiment to draw(runs, folder).

runs = {name: Run}; a function may return lines of figures that only this experiment has.
"""
import os
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend is chosen first)
import numpy  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402

from terrace_output import OutputError, read_frames, read_grid, vectors  # noqa: E402

UNITS = {1e-3: "ms", 1e-6: "µs"}
KINDS = (("energy", "-"), ("kinetic", "--"), ("potential", ":"))


def sheet(rows, columns, height=2.6, width=11, **options):
    return pyplot.subplots(rows, columns, figsize=(width, height * rows + 0.3), squeeze=False, constrained_layout=True,
                           **options)


def save(figure, folder, name):
    for panel in figure.axes:
        panel.grid(alpha=0.3)
    figure.savefig(os.path.join(folder, name + ".png"), dpi=130)
    pyplot.close(figure)


def present(runs, *names):
    return [runs[name] for name in names if name in runs]


def finished(runs):
    """Those that are done: what failed or goes on lacks files, and figures of the whole run say nothing of it."""
    return [run for run in runs if run.summary.get("status") == "done"]


def stepped(runs):
    """Those with a histogram of steps: equal steps have none, and runs that go on have yet to write it."""
    def has_steps(run):
        try:
            return bool(run.summary) and len(run.table("steps")["name"]) > 0
        except OutputError:
            return False

    return [run for run in runs if has_steps(run)]


def total(table):
    """Total energy of the rows: kinetic and terraced; Newmark's rows and bodies have no terrace of their own."""
    return table["energy"] if "energy" in table else table["kinetic"] + table["potential"]


def plot_energies(panel, table, color, name):
    """Total, kinetic and potential energy over time, told apart by their dashes; the legend names the run once."""
    for kind, dashes in KINDS:
        values = total(table) if kind == "energy" else table[kind]
        panel.plot(table["time"], values, dashes, color=color, linewidth=1, label=name if kind == "energy" else None)


def explain_dashes(panel, **legend):
    """A legend of the runs' colours and of what the dashes of plot_energies mean."""
    entries, names = panel.get_legend_handles_labels()
    for title, dashes in (("total", "-"), ("kinetic", "--"), ("potential", ":")):
        entries.append(matplotlib.lines.Line2D([], [], color="gray", linestyle=dashes, linewidth=1))
        names.append(title)
    panel.legend(entries, names, fontsize="x-small", **legend)


def compare_energies(panel, runs, colors=("tab:blue", "black", "tab:red", "tab:green"), clip=1.35):
    """The energies of several runs; what blows up is cut off at `clip` times the first run's total energy."""
    for run, color in zip(runs, colors):
        plot_energies(panel, run.table("history"), color, run.name)
    first = total(runs[0].table("history"))
    panel.set_ylim(-0.05 * first.max(), clip * first.max())
    explain_dashes(panel, ncol=3, loc="upper right")


def plot_per_body(panel, run, column, bodies=None, of=lambda values: values):
    names = bodies or run.body_names()
    for name, color in zip(names, matplotlib.cm.viridis(numpy.linspace(0, 0.9, len(names)))):
        body = run.body(name)
        panel.plot(body["time"], of(body[column]), color=color, linewidth=1, label=name)


def plot_total(panel, run, column, label="all"):
    history = run.table("history")
    panel.plot(history["time"], history[column], color="black", linewidth=1, label=label)


def smooth(values, rows):
    """Mean over so many rows around each."""
    return numpy.convolve(values, numpy.ones(rows) / rows, mode="same")


def steps_of(run, name=None):
    """(title, lower ends, upper ends, counts) of a subdomain's steps; the first subdomain without a name."""
    steps = run.table("steps")
    rows = steps["name"] == (name or steps["name"][0])
    count = steps["count"][rows]
    return f"{name or run.name}: {int(count.sum()):,} steps", steps["step_from"][rows], steps["step_to"][rows], count


def step_histograms(panels, histograms):
    """The share of the steps over their size; equal axes, so that they can be compared. Nothing without histograms."""
    if not histograms:
        return
    limits = []
    for panel, (title, low, high, count) in zip(panels, histograms):
        share = 100 * count / count.sum()
        panel.bar(low, share, width=high - low, align="edge", color="tab:blue", edgecolor="white", linewidth=0.4)
        panel.set(xscale="log", xlabel="step", title=title)
        # Rare steps, such as the flight before an impact, would squeeze the rest.
        limits.append((low[share > 0.5].min(), high[share > 0.5].max(), 1.05 * share.max()))
    panels[0].set_ylabel("share of steps [%]")
    first, last, tallest = zip(*limits)
    for panel in panels:
        panel.set(xlim=(min(first), max(last)), ylim=(0, max(tallest)))


def subdomains(run):
    return list(dict.fromkeys(run.table("steps")["name"]))


def has_frames(run):
    return os.path.exists(os.path.join(run.directory, "fields.pvd"))


def snapshots(run, folder, name, times, color="energy_density", limits=()):
    """render.py in its own process, which brings its own display where there is none. Of a run without frames none."""
    if not has_frames(run):
        return
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "render.py")
    done = subprocess.run([sys.executable, script, run.directory, "--time", *map(str, times), "--color", color,
                           *(["--range", *map(str, limits)] if limits else []),
                           "--output", os.path.join(folder, name + ".png")], stdin=subprocess.DEVNULL, check=False)
    if done.returncode:
        raise OutputError(f"render.py {run.directory} ended with status {done.returncode}")


def nearest_frames(run, times):
    frames = read_frames(run.directory)
    return [min(frames, key=lambda frame: abs(frame[0] - time)) for time in times]


def section(grid, origin, normal):
    """The elements cut by a plane: a list of polygons of 3-D points."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import vtkPlane
    from vtkmodules.vtkFiltersCore import vtkCutter

    plane = vtkPlane()
    plane.SetOrigin(*origin)
    plane.SetNormal(*normal)
    cutter = vtkCutter()
    cutter.SetInputData(grid)
    cutter.SetCutFunction(plane)
    cutter.GenerateTrianglesOff()
    cutter.Update()
    cut = cutter.GetOutput()
    points = vtk_to_numpy(cut.GetPoints().GetData())
    corners = vtk_to_numpy(cut.GetPolys().GetConnectivityArray())
    offsets = vtk_to_numpy(cut.GetPolys().GetOffsetsArray())
    return [points[corners[a:b]] for a, b in zip(offsets[:-1], offsets[1:])]


def sections(run, folder, name, times, normal, axes, unit, origin=None, line=None):
    """Cross-sections of the deformed mesh at several times, drawn in the plane of two `axes`. Of a run without frames none."""
    if not has_frames(run):
        return
    cuts = []
    for time, path in nearest_frames(run, times):
        grid = read_grid(path)
        through = origin(grid) if origin else (0.0, 0.0, 0.0)
        cuts.append((time, [polygon[:, axes] for polygon in section(grid, through, normal)]))
    corners = numpy.concatenate([polygon for _, polygons in cuts for polygon in polygons])
    low, high = corners.min(axis=0), corners.max(axis=0)
    margin = 0.08 * (high - low).max()
    low, high = low - margin, high + margin
    columns = min(len(cuts), 3)
    figure, panels = sheet(-(-len(cuts) // columns), columns, sharex=True, sharey=True,
                           height=11 / columns * (high - low)[1] / (high - low)[0] + 0.5)
    for panel in list(panels.flat)[len(cuts):]:
        panel.axis("off")
    for panel, (time, polygons) in zip(panels.flat, cuts):
        panel.add_collection(PolyCollection(polygons, facecolor="#dbe7f3", edgecolor="#204060",
                                            linewidth=0.5 if len(polygons) < 300 else 0.2))
        if line:
            panel.axline(*line, color="tab:red", linewidth=1)
        panel.set(aspect="equal", xlim=(low[0], high[0]), ylim=(low[1], high[1]),
                  title=f"t = {time / unit:.4g} {UNITS[unit]}")
    for panel in panels[-1]:
        panel.set_xlabel(f"{'xyz'[axes[0]]} [m]")
    for panel in panels[:, 0]:
        panel.set_ylabel(f"{'xyz'[axes[1]]} [m]")
    save(figure, folder, name)


def contact_interval(run, body):
    """(first, last) time at which the body's momentum changes."""
    rows = run.body(body)
    changed = numpy.flatnonzero(numpy.any(numpy.diff(vectors(rows, "momentum"), axis=0) != 0, axis=1))
    if not len(changed):
        return rows["time"][0], rows["time"][-1]
    return rows["time"][changed[0]], rows["time"][changed[-1] + 1]


def motion_of_point(run, reference):
    """(times, positions) of the node nearest to a point of the undeformed bodies, from the frames."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    times, positions, node = [], [], None
    for time, path in read_frames(run.directory):
        grid = read_grid(path)
        points = vtk_to_numpy(grid.GetPoints().GetData())
        if node is None:
            start = points - vtk_to_numpy(grid.GetPointData().GetArray("displacement"))
            node = int(numpy.argmin(numpy.linalg.norm(start - reference, axis=1)))
        times.append(time)
        positions.append(points[node])
    return numpy.array(times), numpy.array(positions)


def not_finished(run):
    return f"failed or not finished; last row at t = {run.table('history')['time'][-1]:.6g}"


def numbers(runs):
    """A table of what the summaries say, as lines."""
    columns = (("events", "events", "d"), ("reflections", "reflections", "d"), ("average_step", "average step", ".6g"),
               ("energy_drift", "energy drift", ".1e"), ("momentum_change", "momentum [quanta]", "d"),
               ("angular_momentum_drift", "angular drift", ".1e"), ("wall_seconds", "seconds", ".1f"))
    lines = [f"{'run':18}" + "".join(f"{title:>18}" for _, title, _ in columns)]
    for run in runs.values():
        summary = run.summary
        if summary.get("status") != "done":
            lines.append(f"{run.name:18}  {not_finished(run)}")
            continue
        lines.append(f"{run.name:18}" + "".join(f"{'not kept' if summary[key] is None else format(summary[key], form):>18}" for key, _, form in columns))
    return lines


def draw_a1(runs, folder):
    columns = [present(runs, stepping, newmark) for stepping, newmark in
               (("h = 1e-5", "Newmark 0.0082"), ("h = 3e-5", "Newmark 0.0204"), ("h = 6e-5", "Newmark 0.0381"))]
    columns = [column for column in columns if column] or [[]]
    columns[0] += present(runs, "Newmark 0.001")
    figure, panels = sheet(3, len(columns), width=14, sharex=True)
    for (point, energies, angular), column in zip(panels.T, columns):
        for run, color in zip(column, ("tab:blue", "black", "tab:red")):
            if has_frames(run):
                times, positions = motion_of_point(run, (0.0, 0.5, 0.5))
                point.plot(times, positions[:, 1], color=color, linewidth=0.8, label=run.name)
            history = run.table("history")
            change = history["angular_momentum_z"] / history["angular_momentum_z"][0] - 1
            angular.plot(history["time"], change, color=color, linewidth=0.8, label=run.name)
        point.set(title="y of the point (0.5, 1, 1)")
        point.legend(fontsize="x-small", ncol=3)
        compare_energies(energies, column, ("tab:blue", "black", "tab:red"), clip=1.6)
        energies.set(title="Energies")
        angular.set(title="Relative change of angular momentum about z", xlabel="time", ylim=(-5e-15, 5e-15))
    save(figure, folder, "histories")

    shown = present(runs, "h = 1e-5", "h = 3e-5", "h = 6e-5")
    stepping = stepped(shown)
    if stepping:
        figure, panels = sheet(1, len(stepping), height=3)
        step_histograms(panels[0], [steps_of(run) for run in stepping])
        for panel, run in zip(panels[0], stepping):
            panel.set_title(f"{run.name}: average step {run.summary['average_step']:.4f}, "
                            f"{100 * run.summary['monitors']['share_of_reflections']:.0f} % reflections", fontsize="small")
        save(figure, folder, "steps")
    for run in shown[:1]:
        snapshots(run, folder, "snapshots", (0, 2, 12))


def draw_a2(runs, folder):
    main = next(iter(runs.values()))
    figure, panels = sheet(1, len(runs), height=3.4, sharey=True)
    for panel, run in zip(panels[0], runs.values()):
        compare_energies(panel, [main, run] if run is not main else [run], clip=1.4)
        panel.set(title=run.name, xlabel="time [s]")
    save(figure, folder, "energies")

    figure, panels = sheet(3, 2, sharex=True)
    for row, name in zip(panels, main.body_names() + [None]):
        table = main.body(name) if name else main.table("history")
        for panel, quantity in zip(row, ("velocity", "spin") if name else ("momentum", "angular_momentum")):
            values = vectors(table, quantity)
            for axis in range(3):
                panel.plot(table["time"], values[:, axis], linewidth=1, label="xyz"[axis])
            panel.set(title=f"{name or 'system'}: {quantity.replace('_', ' ')}")
            panel.legend(fontsize="x-small")
    for panel in panels[-1]:
        panel.set_xlabel("time [s]")
    save(figure, folder, "velocities")

    stepping = stepped(run for run in runs.values() if "Newmark" not in run.name)
    if stepping:
        figure, panels = sheet(1, len(stepping), height=3, width=9)
        step_histograms(panels[0], [steps_of(run) for run in stepping])
        save(figure, folder, "steps")
    first, last = contact_interval(main, "resting")
    snapshots(main, folder, "snapshots", (0, (first + last) / 2, last), "velocity")
    return [f"{run.name}: restitution {restitution(run):.4f}, contact for "
            f"{numpy.subtract(*contact_interval(run, 'resting')[::-1]):.4f} s, final velocities "
            + " and ".join(str(vectors(run.body(name), "velocity")[-1].round(3)) for name in run.body_names())
            for run in runs.values()]


def restitution(run, along="x"):
    """Relative velocity of the first two bodies along an axis, last row over first."""
    first, second = (run.body(name)[f"velocity_{along}"] for name in run.body_names()[:2])
    return -(second[-1] - first[-1]) / (second[0] - first[0])


def draw_a3(runs, folder):
    main = next(iter(runs.values()))
    figure, panels = sheet(1, 1, height=4, width=8)
    compare_energies(panels[0, 0], list(runs.values()), clip=1.5)
    panels[0, 0].set(xlabel="time [s]", ylabel="energy [J]")
    save(figure, folder, "energies")

    figure, panels = sheet(2, 2, sharex=True)
    colors = ("tab:blue", "tab:green", "black", "tab:red")
    for run, color in zip(runs.values(), colors):
        history = run.table("history")
        for row, quantity in zip(panels, ("momentum", "angular_momentum")):
            body = run.body("cube") if quantity == "momentum" else history
            values = vectors(body, quantity)
            for axis, dashes in zip((0, 1, 2), ("-", "--", ":")):
                row[0].plot(body["time"], values[:, axis], dashes, color=color, linewidth=1,
                            label=f"{run.name}: {'xyz'[axis]}")
            row[1].plot(body["time"], values[:, 0] - values[0, 0], color=color, linewidth=1, label=run.name)
            row[0].set(title=f"{quantity.replace('_', ' ').capitalize()} of the cube")
            row[1].set(title="Change of its x-component")
    panels[0, 0].legend(fontsize="xx-small", ncol=3)
    panels[0, 1].legend(fontsize="x-small")
    for panel in panels[-1]:
        panel.set_xlabel("time [s]")
    save(figure, folder, "momenta")

    histograms = [steps_of(run) for run in stepped(present(runs, "energy-stepping"))]
    for run in stepped(present(runs, "asynchronous")):
        histograms += [steps_of(run, name) for name in subdomains(run)]
    if histograms:
        figure, panels = sheet(1, len(histograms), height=3)
        step_histograms(panels[0], histograms)
        save(figure, folder, "steps")
    times = [1e-6 * microseconds for microseconds in (1, 6, 12, 20, 30, 45)]
    snapshots(main, folder, "snapshots", times, "velocity")
    sections(main, folder, "sections", times, (1.0, 0.0, 0.0), [1, 2], 1e-6,
             origin=lambda grid: (sum(grid.GetBounds()[:2]) / 2, 0.0, 0.0), line=((0.101, 0.101), (0.202, 0.0)))


def draw_gel(runs, folder):
    run = next(iter(runs.values()))
    figure, panels = sheet(3, 1, height=2.4, width=9, sharex=True)
    plot_energies(panels[0, 0], run.table("history"), "tab:blue", "system")
    for panel, name in zip(panels[1:, 0], ("target", "striker")):
        plot_energies(panel, run.body(name), "tab:blue", name)
    panels[0, 0].set_title("Energies of the system, the target and the striker")
    for panel in panels[:, 0]:
        explain_dashes(panel)
        panel.set_ylabel("energy [J]")
    panels[-1, 0].set_xlabel("time [s]")
    save(figure, folder, "energies")

    first, last = contact_interval(run, "striker")
    figure, panels = sheet(1, 2, height=3.4)
    plot_total(panels[0, 0], run, "momentum_x")
    plot_per_body(panels[0, 0], run, "momentum_x")
    panels[0, 0].set(title="Momentum along x", xlabel="time [s]", ylabel="[kg m/s]")
    panels[0, 0].legend(fontsize="x-small")
    force = run.body("target")
    inside = (force["time"] >= first - 1e-3) & (force["time"] <= last + 1e-3)
    milliseconds = 1e3 * (force["time"][inside] - first)
    window = max(1, int(round(1e-3 / (force["time"][1] - force["time"][0]))))
    panels[0, 1].plot(milliseconds, force["contact_force_x"][inside], color="lightgray", linewidth=0.5, label="each row")
    panels[0, 1].plot(milliseconds, smooth(force["contact_force_x"], window)[inside], color="tab:blue",
                      label="mean over 1 ms")
    top = 1.6 * smooth(force["contact_force_x"], window).max()
    panels[0, 1].set(title="Contact force", xlabel="time since contact [ms]", ylabel="[N]", ylim=(-0.1 * top, top))
    panels[0, 1].legend(fontsize="x-small")
    save(figure, folder, "momentum_and_force")

    if stepped([run]):
        figure, panels = sheet(1, 3, height=3)
        step_histograms(panels[0], [steps_of(run, name) for name in subdomains(run)])
        save(figure, folder, "steps")
    times = [first + share * (last - first) for share in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    snapshots(run, folder, "snapshots", times, "velocity")
    sections(run, folder, "sections", times, (0.0, 0.0, 1.0), [0, 1], 1e-3)
    return [f"contact from {first:.5g} to {last:.5g} s, restitution {restitution(run):.4f}"]


def draw_a6(runs, folder):
    main = next(iter(runs.values()))
    beads = main.body_names()
    shown = present(runs, "AES 1e-7", "AES 1e-6", "ES 1e-6", "Newmark")
    if not shown:
        return relative_costs(runs)
    figure, panels = sheet(1, len(shown), height=3.2, width=4 + 3.5 * len(shown), sharey=True)
    for panel, run in zip(panels.flat, shown):
        if run is not main:
            plot_energies(panel, main.table("history"), "lightgray", main.name)
        plot_energies(panel, run.table("history"), "tab:blue", run.name)
        panel.set(title=run.name, ylim=(0, 1.3 * total(main.table("history"))[0]), ylabel="energy [J]")
    explain_dashes(panels.flat[-1], ncol=2)
    save(figure, folder, "energies")

    figure, panels = sheet(4, 1, height=1.8, width=9, sharex=True, sharey=True)
    for panel, name in zip(panels[:, 0], beads):
        plot_energies(panel, main.body(name), "tab:blue", name)
        explain_dashes(panel, loc="upper right")
        panel.set_ylabel("[J]")
    panels[-1, 0].set_xlabel("time [s]")
    save(figure, folder, "energies_of_beads")

    figure, panels = sheet(3, 1, height=2.6, width=9, sharex=True)
    plot_total(panels[0, 0], main, "momentum_x")
    plot_per_body(panels[0, 0], main, "momentum_x")
    panels[0, 0].set(title="Momentum along the chain", ylabel="[kg m/s]")
    vibration = sum(main.body(name)["vibrational_kinetic"] for name in beads)
    panels[1, 0].plot(main.body(beads[0])["time"], vibration, color="black", linewidth=1)
    panels[1, 0].set(title="Vibrational kinetic energy of all beads", ylabel="[J]")
    plot_per_body(panels[2, 0], main, "vibrational_kinetic")
    panels[2, 0].set(title="Vibrational kinetic energy of each bead", ylabel="[J]", xlabel="time [s]")
    panels[0, 0].legend(fontsize="xx-small", ncol=4)
    save(figure, folder, "momentum_and_vibration")

    if stepped([main]):
        figure, panels = sheet(1, 3, height=3)
        step_histograms(panels[0], [steps_of(main, name) for name in subdomains(main) if name in ("striker", "bead-1", "striker/bead-1")])
        save(figure, folder, "steps")
    end = main.table("history")["time"][-1]
    # The tips of the beads are faster than the striker: they would squeeze the scale.
    snapshots(main, folder, "snapshots", [share * end for share in (0, 0.25, 0.5, 0.75, 1)], "velocity",
              (0, main.body(beads[0])["velocity_x"][0]))
    draw_wave(shown, folder)
    return [line for run in runs.values() if not run.name.startswith("cost of") for line in wave_figures(run, beads)] + \
        relative_costs(runs)


def draw_wave(shown, folder):
    """The velocity of every bead in every run; the last run, the reference, behind each in gray."""
    figure, panels = sheet(len(shown), 1, height=2.2, width=9, sharex=True, sharey=True)
    for panel, run in zip(panels[:, 0], shown):
        if run is not shown[-1]:
            for name in run.body_names():
                reference = shown[-1].body(name)
                panel.plot(reference["time"], reference["velocity_x"], color="lightgray", linewidth=1)
        plot_per_body(panel, run, "velocity_x")
        panel.set(title=f"{run.name}" + ("" if run is shown[-1] else f" (gray: {shown[-1].name})"), ylabel="velocity [m/s]")
    panels[-1, 0].set_xlabel("time [s]")
    panels[0, 0].legend(fontsize="xx-small", ncol=5)
    save(figure, folder, "wave")


def rise_time(table, speed):
    """When the velocity first exceeds `speed`; None if it never does."""
    above = numpy.flatnonzero(table["velocity_x"] > speed)
    if len(above) == 0 or above[0] == 0:
        return None
    i = above[0]
    share = (speed - table["velocity_x"][i - 1]) / (table["velocity_x"][i] - table["velocity_x"][i - 1])
    return table["time"][i - 1] + share * (table["time"][i] - table["time"][i - 1])


def wave_figures(run, beads, speed=0.15):
    """How fast the wave goes from bead to bead, and what the first bead keeps of it."""
    times = [time for time in (rise_time(run.body(name), speed) for name in beads[1:]) if time is not None]
    if len(times) < 2:
        return []
    first = run.body(beads[0])
    apart = run.body(beads[1])["position_x"][0] - run.body(beads[2])["position_x"][0]
    left = (first["kinetic"] + first["potential"] - 0.5 * first["momentum_x"] * first["velocity_x"])[-1]
    speeds = ", ".join(f"{abs(apart) / (b - a):.0f}" for a, b in zip(times, times[1:]))
    return [f"{run.name}: wave speed from bead to bead {speeds} m/s; vibration left in {beads[0]} {left:.3g} J, "
            f"{100 * left / total(run.table('history'))[0]:.2g} % of the energy"]


def relative_costs(runs):
    """Run times for equal simulated times over that of AES at 1e-6."""
    def cost(run):
        return stepping_seconds(run) / run.summary["final_time"]

    return [f"{run.name}: {cost(run) / cost(reference):.2f} times that of AES 1e-6"
            for reference in finished(present(runs, "cost of AES 1e-6")) for run in finished(runs.values()) if run.name.startswith("cost of")]


def stepping_seconds(run):
    """Time without meshing and output."""
    return run.summary["wall_seconds_by_phase"]["stepping"]


DRAW = {"A1": draw_a1, "A2": draw_a2, "A3": draw_a3, "A4": draw_gel, "A5": draw_gel, "A6": draw_a6}
