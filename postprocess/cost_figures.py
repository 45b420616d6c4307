"""Figures of the runs of cost_experiments.py: error over energy step or time step, and cost over error."""
import numpy

from figures import pyplot, restitution, save, sheet
from terrace_output import OutputError, is_complete, shown, vectors

BY_TIME_STEP = ("Newmark", "clocked")
MARKERS = {"Newmark": ("k", "s"), "clocked": ("tab:purple", "P"), "ES": ("tab:red", "o"), "AES": ("tab:blue", "^"), "AES, touching": ("tab:green", "v")}


def error_of(run, reference):
    """The error of a run: the largest difference of a velocity component of any body, divided by the largest speed. Of a single body, the
    root mean square of the difference of the potential energy V(t), divided by the largest V."""
    names = reference.body_names()
    if len(names) == 1:
        times, exact = reference.table("history")["time"], reference.table("history")["potential"]
        mine = numpy.interp(times, run.table("history")["time"], run.table("history")["potential"])
        return float(numpy.sqrt(numpy.mean((mine - exact) ** 2)) / numpy.max(exact))
    scale = max(numpy.max(numpy.linalg.norm(vectors(reference.body(name), "velocity"), axis=1)) for name in names)
    worst = 0
    for name in names:
        body, other = run.body(name), reference.body(name)
        mine, exact = vectors(body, "velocity"), vectors(other, "velocity")
        for axis in range(3):
            difference = numpy.interp(other["time"], body["time"], mine[:, axis]) - exact[:, axis]
            worst = max(worst, float(numpy.max(numpy.abs(difference))))
    return worst / scale


def parameter(name):
    """The number in "h = 1e-5" or "0.4 stable steps"."""
    return next(float(word) for word in name.replace("=", " ").split() if word[0].isdigit())


def families(runs):
    """{family: [(parameter, run)]} of finished runs, from large to small parameters."""
    found = {}
    for name, run in runs.items():
        if ": " not in name or not is_complete(run.summary):
            continue
        family, rest = name.split(": ")
        found.setdefault(family, []).append((parameter(rest), run))
    return {family: sorted(entries, key=lambda entry: -entry[0]) for family, entries in found.items()}


def table(runs, reference):
    two = len(reference.body_names()) == 2
    lines = [f"{'family':26}{'parameter':>10}{'error':>10}{'order':>7}{'seconds':>9}{'events':>9}{'reflected':>10}"
             f"{'noise':>8}" + (f"{'e':>8}" if two else "")]
    for family, entries in families(runs).items():
        before = None
        for size, run in entries:
            error, summary = error_of(run, reference), run.summary
            order = "" if before is None else f"{numpy.log(before[1] / error) / numpy.log(before[0] / size):.2f}"
            before = (size, error)
            lines.append(f"{family:26}{size:>10.3g}{100 * error:>9.3f}%{order:>7}"
                         f"{summary['wall_seconds_by_phase']['stepping']:>9.1f}{summary['events']:>9d}"
                         f"{summary['reflections'] / max(1, summary['events']):>10.0%}"
                         f"{shown(summary['monitors']['element_scale_energy'], '.1%'):>8}"
                         + (f"{restitution(run):>8.4f}" if two else ""))
    return lines


def draw_cost(runs, folder):
    """Draws cost.png: error over parameter, and seconds over error. Returns the table behind it."""
    if runs.get("reference") is None or not is_complete(runs["reference"].summary):
        raise OutputError(f"{folder}: expected a finished reference run")
    reference = runs["reference"]
    figure, panels = sheet(1, 3, height=3.6, width=13)
    steps, energies, costs = panels[0]
    for number, (family, entries) in enumerate(families(runs).items()):
        color, marker = MARKERS.get(family, (f"C{number}", "D"))
        sizes = [size for size, _ in entries]
        errors = [error_of(run, reference) for _, run in entries]
        seconds = [run.summary["wall_seconds_by_phase"]["stepping"] for _, run in entries]
        style = {"color": color, "marker": marker, "linewidth": 1, "markersize": 5, "label": family}
        (steps if family in BY_TIME_STEP else energies).loglog(sizes, errors, **style)
        costs.loglog(errors, seconds, **style)
    steps.set(xlabel="time step / stable step", ylabel="error")
    energies.set(xlabel="energy step h", ylabel="error")
    costs.set(xlabel="error", ylabel="seconds of stepping, one core")
    for panel in (steps, energies, costs):
        panel.legend(fontsize="x-small")
    save(figure, folder, "cost")
    pyplot.close("all")
    return table(runs, reference)
