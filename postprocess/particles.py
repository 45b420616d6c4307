#!/usr/bin/python3
"""Draws a run of particles: trajectories, energies and steps; and, if asked for, an animation of the particles.

    /usr/bin/python3 postprocess/particles.py DIR [--output FILE.png] [--animation FILE.gif] [--from TIME] [--to TIME]

Needs python3-matplotlib, python3-numpy and VTK's Python modules. The animation needs python3-pil, which comes with matplotlib.
"""
import argparse
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend is chosen first)
import numpy  # noqa: E402
from matplotlib.animation import FuncAnimation, PillowWriter  # noqa: E402

from plot_histories import plot_energies, plot_energy_change, plot_steps  # noqa: E402
from terrace_output import OutputError, read_grid, read_table, run_script, save_picture  # noqa: E402

MOST_WAYS = 50  # the most trajectories that are drawn
MOST_PICTURES = 200  # the most pictures of an animation


class Ways:
    """The contents of trajectories.vtu: times [row], positions and velocities [particle, row, axis], body [particle]."""

    def __init__(self, directory):
        path = os.path.join(directory, "trajectories.vtu")
        if not os.path.exists(path):
            raise OutputError(f"{path}: expected trajectories, found nothing: a run of particles writes them at its end, or when it saves "
                              "itself")
        from vtkmodules.util.numpy_support import vtk_to_numpy
        grid = read_grid(path)
        count = grid.GetNumberOfCells()
        if count == 0 or grid.GetNumberOfPoints() % count:
            raise OutputError(f"{path}: expected a polyline for each particle, found {count} cells")
        rows = grid.GetNumberOfPoints() // count
        points, cells = grid.GetPointData(), grid.GetCellData()
        self.times = vtk_to_numpy(points.GetArray("time"))[:rows]
        self.positions = vtk_to_numpy(grid.GetPoints().GetData()).reshape(count, rows, 3)
        self.velocities = vtk_to_numpy(points.GetArray("velocity")).reshape(count, rows, 3)
        self.body = vtk_to_numpy(cells.GetArray("body"))

    def during(self, begin, end):
        """A mask of the rows from time `begin` to `end`."""
        return (self.times >= begin) & (self.times <= end)

    def planes(self):
        """The two axes of the largest extents; the second is None where particles move along one axis alone and time is drawn instead."""
        extents = numpy.ptp(self.positions.reshape(-1, 3), axis=0)
        first, second = sorted(numpy.argsort(-extents, kind="stable")[:2])
        return (first, second) if extents[second] > 0 and extents[first] > 0 else (int(numpy.argmax(extents)), None)


def colors(count):
    return matplotlib.cm.turbo(numpy.linspace(0.05, 0.95, max(count, 1)))


def draw_ways(panel, ways, begin=-numpy.inf, end=numpy.inf):
    """Draws orbits in the plane of planes(), with the last positions as points; or positions over time in one dimension."""
    first, second = ways.planes()
    rows = ways.during(begin, end)
    shown = ways.positions[:MOST_WAYS]
    for way, color in zip(shown, colors(len(shown))):
        if second is None:
            panel.plot(ways.times[rows], way[rows, first], color=color, linewidth=0.8)
        else:
            panel.plot(way[rows, first], way[rows, second], color=color, linewidth=0.6)
            panel.plot(way[rows, first][-1:], way[rows, second][-1:], "o", color=color, markersize=4)
    if second is None:
        panel.set(xlabel="time", ylabel="xyz"[first])
    else:
        panel.set(xlabel="xyz"[first], ylabel="xyz"[second], aspect="equal")
    more = len(ways.positions) - len(shown)
    panel.set_title("Trajectories" + (f" ({more} more)" if more else ""))


def draw(directory, ways, output, begin, end):
    history = read_table(directory, "history")
    figure, ((orbits, energies), (change, steps)) = pyplot.subplots(2, 2, figsize=(12, 9), constrained_layout=True)
    draw_ways(orbits, ways, begin, end)
    plot_energies(energies, history)
    plot_energy_change(change, history)
    plot_steps(steps, directory)
    for panel in (orbits, energies, change, steps):
        panel.grid(alpha=0.3)
    for panel in (energies, change):
        panel.set_xlabel("time")
    save_picture(figure, output, dpi=110)
    pyplot.close(figure)


def animate(ways, output, begin, end):
    first, second = ways.planes()
    rows = numpy.flatnonzero(ways.during(begin, end))
    rows = rows[numpy.unique(numpy.linspace(0, len(rows) - 1, min(len(rows), MOST_PICTURES)).astype(int))]
    places = ways.positions[:, :, first], (ways.positions[:, :, second] if second is not None
                                           else numpy.zeros(ways.positions.shape[:2]))
    figure, panel = pyplot.subplots(figsize=(6, 6))
    low, high = (min(place[:, rows].min() for place in places), max(place[:, rows].max() for place in places))
    margin = 0.05 * (high - low) or 1.0
    panel.set(xlim=(low - margin, high + margin), ylim=(low - margin, high + margin), aspect="equal")
    count = len(ways.positions)
    points = panel.scatter(places[0][:, rows[0]], places[1][:, rows[0]], c=colors(count), s=max(6, 60 - count // 10))
    trails = [panel.plot([], [], color=color, linewidth=0.5)[0] for color in colors(count)[:MOST_WAYS]]

    def show(picture):
        row = rows[picture]
        points.set_offsets(numpy.column_stack([place[:, row] for place in places]))
        tail = rows[max(0, picture - 30):picture + 1]
        for number, trail in enumerate(trails):
            trail.set_data(places[0][number, tail], places[1][number, tail])
        panel.set_title(f"t = {ways.times[row]:.6g}")
        return [points, *trails]

    FuncAnimation(figure, show, frames=len(rows)).save(output, writer=PillowWriter(fps=20))
    pyplot.close(figure)


def gif(text):
    """Checks the option's file name before any picture is drawn: Pillow, which writes the animation, refuses most other endings only
    afterwards."""
    if not text.lower().endswith(".gif"):
        raise argparse.ArgumentTypeError(f"expected a name that ends in .gif, found {text!r}")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", metavar="DIR")
    parser.add_argument("--output", help="default: DIR/particles.png")
    parser.add_argument("--animation", type=gif, metavar="FILE.gif")
    parser.add_argument("--from", dest="begin", type=float, default=-numpy.inf, metavar="TIME")
    parser.add_argument("--to", dest="end", type=float, default=numpy.inf, metavar="TIME")
    arguments = parser.parse_args()
    ways = Ways(arguments.directory)
    if not ways.during(arguments.begin, arguments.end).any():
        raise OutputError(f"{arguments.directory}: expected rows between --from and --to, found none")
    output = arguments.output or os.path.join(arguments.directory, "particles.png")
    draw(arguments.directory, ways, output, arguments.begin, arguments.end)
    print(output)
    if arguments.animation:
        animate(ways, arguments.animation, arguments.begin, arguments.end)
        print(arguments.animation)


if __name__ == "__main__":
    run_script(main)
