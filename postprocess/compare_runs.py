#!/usr/bin/python3
"""Draws the velocity and force histories of one body in several runs over each other.

    /usr/bin/python3 postprocess/compare_runs.py DIR... [--body NAME] [--labels A,B,...] [--output FILE.png]

There is one curve per run, of one body (default: the first in the first run's bodies.csv), along the axis in which its momentum
changes most. The upper panel has the velocity of its centre of mass, the lower one the mean force between rows. That is the change
of its momentum, weight included, which is steadier than the sampled force under energy-stepping; walls and supports, which have a
momentum too, can be drawn as well. The titles name the quantities, the legend each run's last velocity.
Needs python3-matplotlib and python3-numpy.
"""
import argparse
import os

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["axes.formatter.limits"] = (-3, 4)  # times of impacts are short
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend is chosen first)
import numpy  # noqa: E402

from terrace_output import OutputError, plain, read_table, require_run_of_bodies, run_script, save_picture, vectors  # noqa: E402

AXES = "xyz"
WINDOWS = 100  # the force is a mean over this fraction of the run, where there are enough rows


def read_body(directory, name):
    """Times, velocities and momenta of one body, its name, and whether gravity acts on it. An empty `name` means the first of the table."""
    require_run_of_bodies(directory)
    bodies = read_table(directory, "bodies")
    names = list(dict.fromkeys(bodies["body"]))
    if not names:
        raise OutputError(f"{bodies.path}: expected rows, found none")
    name = name or names[0]
    if name not in names:
        some = names if len(names) <= 12 else [*names[:10], f"{len(names) - 10} more"]
        raise OutputError(f"{bodies.path}: expected the body {name}, found {', '.join(some)}")
    rows = bodies["body"] == name
    weighs = "gravity" in names and name != "gravity"
    return bodies["time"][rows], vectors(bodies, "velocity")[rows], vectors(bodies, "momentum")[rows], name, weighs


def rows_of_mean(time):
    """The number of intervals between rows over which the force is averaged."""
    return max(1, len(time) // WINDOWS)


def width_of_mean(time):
    """The duration of that mean as a fraction of the run, in words."""
    return f"1/{max(len(time) - 1, 1) / rows_of_mean(time):.3g} of the run"


def force_between_rows(time, momentum):
    """(times, mean forces around them): differences of the body's momentum over rows_of_mean() intervals."""
    width = rows_of_mean(time)
    if len(time) <= width:
        return time, numpy.zeros(len(time))
    middle = 0.5 * (time[width:] + time[:-width])
    return middle, (momentum[width:] - momentum[:-width]) / (time[width:] - time[:-width])


def read_runs(directories, name):
    """The same body of all runs, each as read_body() returns it; the first body of the first run if `name` is empty."""
    first = read_body(directories[0], name)
    return [first] + [read_body(directory, first[3]) for directory in directories[1:]]


def main_axis(momentum):
    """The axis along which the momentum changes most."""
    return int(numpy.argmax(numpy.ptp(momentum, axis=0)))


def plot(directories, labels, name, output):
    figure, (upper, lower) = pyplot.subplots(2, 1, figsize=(9, 8), sharex=True, constrained_layout=True)
    runs = read_runs(directories, name)
    axis = main_axis(runs[0][2])
    styles = ["-", "--", "-.", ":"]
    colors = matplotlib.cm.viridis(numpy.linspace(0, 0.9, len(runs)))
    for number, ((time, velocity, momentum, *_), label) in enumerate(zip(runs, labels)):
        style = {"color": colors[number], "linestyle": styles[number % len(styles)], "linewidth": 1.3}
        upper.plot(time, velocity[:, axis], label=f"{plain(label)}: {velocity[-1, axis]:.4g} at last", **style)
        lower.plot(*force_between_rows(time, momentum[:, axis]), label=plain(label), **style)
    upper.set(title=f"Velocity of {plain(runs[0][3])} along {AXES[axis]}", ylabel="velocity")
    weight = ", its weight included" if any(run[4] for run in runs) else ""
    lower.set(title=f"Force on {plain(runs[0][3])} along {AXES[axis]}{weight}, mean over {width_of_mean(runs[0][0])}",
              ylabel="force", xlabel="time")
    upper.legend(fontsize="small")
    for panel in (upper, lower):
        panel.grid(alpha=0.3)
    save_picture(figure, output)
    print(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", metavar="DIR", help="output directories of runs")
    parser.add_argument("--body", default="", help="name of the body; default: the first of the first run")
    parser.add_argument("--labels", help="names of the runs, separated by commas; default: their directories' names")
    parser.add_argument("--output", default="compared.png", help="picture to write; default: compared.png")
    arguments = parser.parse_args()
    names = [os.path.basename(os.path.abspath(directory)) for directory in arguments.directories]
    labels = arguments.labels.split(",") if arguments.labels else names
    if len(labels) != len(names):
        parser.error(f"expected {len(names)} labels, found {len(labels)}")
    plot(arguments.directories, labels, arguments.body, arguments.output)


if __name__ == "__main__":
    run_script(main)
