#!/usr/bin/python3
"""Plots the histories of a run: energies, conservation, velocities, vibration, contact forces, steps, probes; coordinates of small systems.

    /usr/bin/python3 postprocess/plot_histories.py DIR [--output FILE.png]

Needs python3-matplotlib and python3-numpy. Works on a run that is still going on.
"""
import argparse
import os

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["axes.formatter.limits"] = (-3, 4)  # times of impacts are short
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend is chosen first)
import numpy  # noqa: E402

from terrace_output import (OutputError, is_small_system, plain, read_summary, read_table, rows_of_bodies,  # noqa: E402
                            run_script, save_picture, take_rows, vectors)

AXES = "xyz"
MANY_BODIES = 10  # with more curves a legend hides more than it says
LENGTH_0 = 1.5e-20  # steps.csv counts steps of length 0 in a bin that begins at 1e-20, ten decades below all others


def plot_energies(axes, history):
    terraced = "terraced" in history  # small systems have no terraced energy
    works = "support_work" in history and numpy.any(history["support_work"])
    total = "total: kinetic + terraced" + (" − work of supports" if works else "")
    for column, label in (("energy", total if terraced else "total"), ("kinetic", "kinetic"),
                          ("potential", "potential V"), *([("terraced", "terraced")] if terraced else [])):
        axes.plot(history["time"], history[column], label=label, linewidth=1.2,
                  linestyle="--" if column == "terraced" else "-")
    axes.set(title="Energies", ylabel="energy")
    axes.legend(fontsize="small")


def note_if_exact(axes, change):
    """Writes into a plot whose values are all 0, and which would look empty, that they are."""
    if not numpy.any(change):
        axes.text(0.5, 0.6, "0 to the last bit", ha="center", transform=axes.transAxes)


def plot_energy_change(axes, history):
    energy = history["energy"]
    # A pendulum that starts at half its height has an energy of 0 up to rounding: no scale for a relative change.
    relative = abs(energy[0]) > 1e-12 * numpy.max(numpy.abs(history["potential"]))
    scale = abs(energy[0]) if relative else 1.0
    axes.plot(history["time"], (energy - energy[0]) / scale, color="black", linewidth=1)
    note_if_exact(axes, energy - energy[0])
    axes.set(title="Change of total energy", ylabel="(E − E₀) / |E₀|" if relative else "E − E₀")


def plot_change(axes, history, quantity, title):
    change = vectors(history, quantity)
    change = change - change[0]
    note_if_exact(axes, change)
    for component, axis in enumerate(AXES):
        axes.plot(history["time"], change[:, component], label=axis, linewidth=1)
    axes.set(title=title, ylabel=f"change of {quantity.replace('_', ' ')}")
    axes.legend(fontsize="small")


def for_each_body(axes, bodies, rows_of, columns, values, **labels):
    """Plots values(rows of one body, with these columns) over time for each body whose values are not all zero."""
    shown = 0
    for (name, rows), color in zip(rows_of.items(), matplotlib.cm.viridis(numpy.linspace(0, 0.9, max(len(rows_of), 1)))):
        body = take_rows(bodies, rows, ("time", *columns))
        curve = values(body)
        if numpy.any(curve):
            axes.plot(body["time"], curve, label=plain(name), linewidth=1, color=color)
            shown += 1
    axes.set(**labels)
    if 0 < shown <= MANY_BODIES:
        axes.legend(fontsize="small")


def main_axis(bodies, quantity="velocity"):
    """The axis along which `quantity` has its largest component, over all rows."""
    return int(numpy.argmax(numpy.abs(vectors(bodies, quantity)).max(axis=0)))


def plot_bodies(velocity, vibration, force, bodies):
    axis, rows_of = AXES[main_axis(bodies)], rows_of_bodies(bodies)
    for_each_body(velocity, bodies, rows_of, [f"velocity_{axis}"], lambda body: body[f"velocity_{axis}"],
                  title="Velocity of the centre of mass", ylabel=f"velocity along {axis}")
    for_each_body(vibration, bodies, rows_of, ["vibrational_kinetic"], lambda body: body["vibrational_kinetic"],
                  title="Vibrational kinetic energy", ylabel="energy")
    for_each_body(force, bodies, rows_of, [f"contact_force_{axis}" for axis in AXES],
                  lambda body: numpy.linalg.norm(vectors(body, "contact_force"), axis=1), title="Contact force", ylabel="force")


def plot_probes(axes, probes):
    """Draws displacements and velocities of the probes, each along the axis on which it is largest."""
    rows_of = rows_of_bodies(probes, "probe")
    for panel, quantity in zip(axes, ("displacement", "velocity")):
        column = f"{quantity}_{AXES[main_axis(probes, quantity)]}"
        for_each_body(panel, probes, rows_of, [column], lambda probe, column=column: probe[column],
                      title=f"{quantity.capitalize()} of probes", ylabel=column.replace("_", " along "), xlabel="time")


def with_empty_bins(low, high, count):
    """(counts, edges) of a histogram, with empty bins where the table leaves them out."""
    counts, edges = [], [low[0]]
    for start, end, number in zip(low, high, count):
        if start > edges[-1] * (1 + 1e-9):
            counts.append(0)
            edges.append(start)
        counts.append(number)
        edges.append(end)
    return counts, edges


def plot_steps(axes, directory):
    try:
        steps = read_table(directory, "steps")
    except OutputError:  # a run writes this table at its end
        axes.text(0.5, 0.5, "no steps.csv yet", ha="center", transform=axes.transAxes)
        return
    of_length_0 = int(steps["count"][steps["step_from"] <= LENGTH_0].sum())
    steps = take_rows(steps, steps["step_from"] > LENGTH_0)
    names = list(dict.fromkeys(steps["name"]))
    for name in names:
        rows = steps["name"] == name
        counts, edges = with_empty_bins(steps["step_from"][rows], steps["step_to"][rows], steps["count"][rows])
        axes.stairs(counts, edges, baseline=0.5, linewidth=1, label=plain(name), color=f"C{names.index(name) % 10}")
    if len(steps["count"]):
        axes.set(xscale="log", yscale="log", ylim=(0.5, None))
    axes.set(title="Time between events of a subdomain" + (f" ({of_length_0:,} of length 0)" if of_length_0 else ""), xlabel="step",
             ylabel="number of steps")
    if 0 < len(names) <= MANY_BODIES:
        axes.legend(fontsize="small")


def counted(number, thing):
    return f"{number:,} {thing}" + ("s" if number != 1 else "")


def state_of(summary):
    """How far a run came; and its status, unless it is done."""
    if not summary:
        return "still running"
    state = (f"{summary['system']} by {summary['method']}, {counted(summary['steps'], 'step')}" if "system" in summary else
             f"{counted(summary['events'], 'event')} on {counted(summary['ranks'], 'rank')}")
    return state if summary["status"] == "done" else f"{state}; {summary['status']}"


def plot_columns(axes, history, columns, **labels):
    """Draws some columns over time."""
    for column, color in zip(columns, matplotlib.cm.viridis(numpy.linspace(0, 0.9, max(len(columns), 1)))):
        axes.plot(history["time"], history[column], label=column, linewidth=1, color=color)
    axes.set(xlabel="time", **labels)
    if 0 < len(columns) <= MANY_BODIES:
        axes.legend(fontsize="small")


def draw_small_system(history):
    """A figure of energies, coordinates q or x, momenta p, momenta over coordinates, and lengths of steps."""
    figure, axes = pyplot.subplots(3, 2, figsize=(11, 10), constrained_layout=True)
    plot_energies(axes[0, 0], history)
    plot_energy_change(axes[0, 1], history)
    for panel in axes[0]:
        panel.set_xlabel("time")
    coordinates = [column for column in history if column.startswith(("q_", "x_"))]
    pairs = [(q, "p_" + q[2:]) for q in coordinates if "p_" + q[2:] in history]
    plot_columns(axes[1, 0], history, coordinates, title="Coordinates")
    plot_columns(axes[1, 1], history, [p for _, p in pairs], title="Momenta")
    for (q, p), color in zip(pairs, matplotlib.cm.viridis(numpy.linspace(0, 0.9, max(len(pairs), 1)))):
        axes[2, 0].plot(history[q], history[p], linewidth=0.7, color=color)
    axes[2, 0].set(title="Momenta over coordinates", xlabel="q", ylabel="p")
    steps = numpy.maximum(numpy.diff(history["step"]), 1)  # between two rows
    lengths = numpy.diff(history["time"]) / steps
    axes[2, 1].plot(history["time"][1:], lengths, color="black", linewidth=1)
    # From 0 on: otherwise a curve of equal steps would lie on the frame.
    axes[2, 1].set(title="Length of the steps, mean between rows", xlabel="time", ylabel="step", ylim=(0, 1.1 * lengths.max(initial=0) or None))
    return figure


def draw_bodies(directory, history):
    bodies = read_table(directory, "bodies")
    probes = read_table(directory, "probes") if os.path.exists(os.path.join(directory, "probes.csv")) else {"time": []}
    rows = 5 if len(probes["time"]) else 4
    figure, axes = pyplot.subplots(rows, 2, figsize=(11, 3.25 * rows), constrained_layout=True)
    plot_energies(axes[0, 0], history)
    plot_energy_change(axes[0, 1], history)
    plot_change(axes[1, 0], history, "momentum", "Change of linear momentum")
    plot_change(axes[1, 1], history, "angular_momentum", "Change of angular momentum")
    if len(bodies["time"]):
        plot_bodies(axes[2, 0], axes[2, 1], axes[3, 0], bodies)
    plot_steps(axes[3, 1], directory)
    for panel in axes.flat[:7]:
        panel.set_xlabel("time")
    if len(probes["time"]):
        plot_probes(axes[4], probes)
    return figure


def plot(directory, output):
    small = is_small_system(directory)
    history = read_table(directory, "history")
    if not len(history["time"]):
        raise OutputError(f"{directory}/history.csv: expected at least one row, found none")
    figure = draw_small_system(history) if small else draw_bodies(directory, history)
    for panel in figure.axes:
        panel.grid(alpha=0.3)
    summary = read_summary(directory)
    figure.suptitle(plain(f"{os.path.basename(os.path.abspath(directory))}: {state_of(summary)}"), wrap=True)
    save_picture(figure, output)
    print(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", help="output directory of a run")
    parser.add_argument("--output", help="picture to write; default: DIR/histories.png")
    arguments = parser.parse_args()
    plot(arguments.directory, arguments.output or os.path.join(arguments.directory, "histories.png"))


if __name__ == "__main__":
    run_script(main)
