"""Functions that the figures of all experiments share: sheets, energies, histograms of steps, snapshots, sections, a table of numbers."""
import os
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend is chosen first)
import numpy  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402

from terrace_output import OutputError, is_complete, plain, read_frames, read_grid, save_picture, shown, vectors  # noqa: E402

UNITS = {1e-3: "ms", 1e-6: "µs"}
KINDS = (("energy", "-"), ("kinetic", "--"), ("potential", ":"))


def sheet(rows, columns, height=2.6, width=11, **options):
    return pyplot.subplots(rows, columns, figsize=(width, height * rows + 0.3), squeeze=False, constrained_layout=True,
                           **options)


def save(figure, folder, name):
    for panel in figure.axes:
        panel.grid(alpha=0.3)
    save_picture(figure, os.path.join(folder, name + ".png"))
    pyplot.close(figure)


def present(runs, *names):
    return [runs[name] for name in names if name in runs]


def finished(runs):
    """The runs that are complete. Others lack files, and figures of a whole run mean nothing for them."""
    return [run for run in runs if is_complete(run.summary)]


def stepped(runs):
    """The runs with a histogram of steps. Methods of equal steps have none, and a run writes it at its end."""
    def has_steps(run):
        try:
            return bool(run.summary) and len(run.table("steps")["name"]) > 0
        except OutputError:
            return False

    return [run for run in runs if has_steps(run)]


def total(table):
    """Total energy of the rows: the column `energy` (kinetic and terraced); where that is missing, as for single bodies, kinetic plus
    potential energy."""
    return table["energy"] if "energy" in table else table["kinetic"] + table["potential"]


def plot_energies(panel, table, color, name):
    """Draws total, kinetic and potential energy over time, each with dashes of its own; the legend names the run once."""
    for kind, dashes in KINDS:
        values = total(table) if kind == "energy" else table[kind]
        panel.plot(table["time"], values, dashes, color=color, linewidth=1, label=plain(name) if kind == "energy" else None)


def explain_dashes(panel, **legend):
    """Adds a legend of the runs' colours and of the dashes of plot_energies."""
    entries, names = panel.get_legend_handles_labels()
    for title, dashes in (("total", "-"), ("kinetic", "--"), ("potential", ":")):
        entries.append(matplotlib.lines.Line2D([], [], color="gray", linestyle=dashes, linewidth=1))
        names.append(title)
    panel.legend(entries, names, fontsize="x-small", **legend)


def compare_energies(panel, runs, colors=("tab:blue", "black", "tab:red", "tab:green"), clip=1.35):
    """Draws the energies of several runs. The axis ends at `clip` times the first run's total energy, as energies of others may blow up."""
    for run, color in zip(runs, colors):
        plot_energies(panel, run.table("history"), color, run.name)
    first = total(runs[0].table("history"))
    panel.set_ylim(-0.05 * first.max(), clip * first.max())
    explain_dashes(panel, ncol=3, loc="upper right")


def plot_per_body(panel, run, column, bodies=None, of=lambda values: values):
    names = bodies or run.body_names()
    for name, color in zip(names, matplotlib.cm.viridis(numpy.linspace(0, 0.9, len(names)))):
        body = run.body(name)
        panel.plot(body["time"], of(body[column]), color=color, linewidth=1, label=plain(name))


def plot_total(panel, run, column, label="all"):
    history = run.table("history")
    panel.plot(history["time"], history[column], color="black", linewidth=1, label=label)


def smooth(values, rows):
    """Moving mean over `rows` rows."""
    return numpy.convolve(values, numpy.ones(rows) / rows, mode="same")


def steps_of(run, name=None):
    """(title, lower ends, upper ends, counts) of the histogram of a subdomain's steps; of the first subdomain without a name."""
    steps = run.table("steps")
    rows = steps["name"] == (name or steps["name"][0])
    count = steps["count"][rows]
    return f"{plain(name or run.name)}: {int(count.sum()):,} steps", steps["step_from"][rows], steps["step_to"][rows], count


def step_histograms(panels, histograms):
    """Draws the share of steps over their size. All panels have the same axes, so that they can be compared."""
    if not histograms:
        return
    limits = []
    for panel, (title, low, high, count) in zip(panels, histograms):
        share = 100 * count / count.sum()
        panel.bar(low, share, width=high - low, align="edge", color="tab:blue", edgecolor="white", linewidth=0.4)
        panel.set(xscale="log", xlabel="step", title=title)
        # Rare steps, such as the flight before an impact, would otherwise squeeze the rest.
        usual = (share >= min(0.5, share.max())) & (low > 1e-20)  # the first bin is that of steps of length 0
        if usual.any():
            limits.append((low[usual].min(), high[usual].max(), 1.05 * share.max()))
    panels[0].set_ylabel("share of steps [%]")
    if not limits:
        return
    first, last, tallest = zip(*limits)
    for panel in panels:
        panel.set(xlim=(min(first), max(last)), ylim=(0, max(tallest)))


def subdomains(run):
    return list(dict.fromkeys(run.table("steps")["name"]))


def has_frames(run):
    return os.path.exists(os.path.join(run.directory, "fields.pvd"))


def snapshots(run, folder, name, times, color="energy_density", limits=()):
    """Draws snapshots by render.py in a process of its own, which starts a virtual display where there is none. Does nothing for a run
    without frames."""
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
    """The cross-sections of the elements with a plane: a list of polygons of 3-D points."""
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
    """Draws cross-sections of the deformed mesh at several times in the plane of two `axes`. Does nothing for a run without frames."""
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
    """(first, last) time at which the body's momentum changes; the whole run if it never does."""
    rows = run.body(body)
    changed = numpy.flatnonzero(numpy.any(numpy.diff(vectors(rows, "momentum"), axis=0) != 0, axis=1))
    if not len(changed):
        return rows["time"][0], rows["time"][-1]
    return rows["time"][changed[0]], rows["time"][changed[-1] + 1]


def restitution(run):
    """Coefficient of restitution of the first two bodies along x: relative velocity of the last row over that of the first."""
    first, second = (run.body(name)["velocity_x"] for name in run.body_names()[:2])
    return (second[-1] - first[-1]) / (first[0] - second[0])


def motion_of_point(run, reference):
    """(times, positions) of the node that is nearest to the point `reference` of the undeformed bodies, from the frames."""
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
    """A table of numbers from the summaries, as lines."""
    columns = (("events", "events", "d"), ("reflections", "reflections", "d"), ("average_step", "average step", ".6g"),
               ("energy_drift", "energy drift", ".1e"), ("momentum_change", "momentum [quanta]", "d"),
               ("angular_momentum_drift", "angular drift", ".1e"), ("wall_seconds", "seconds", ".1f"))
    lines = [f"{'run':18}" + "".join(f"{title:>18}" for _, title, _ in columns)]
    for run in runs.values():
        summary = run.summary
        if not is_complete(summary):
            lines.append(f"{run.name:18}  {not_finished(run)}")
            continue
        lines.append(f"{run.name:18}" + "".join(f"{shown(summary[key], form):>18}" for key, _, form in columns))
    return lines
