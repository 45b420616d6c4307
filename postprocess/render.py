#!/usr/bin/python3
"""Draws the deformed bodies: one frame, or a strip of snapshots over the run.

    /usr/bin/python3 postprocess/render.py DIR [--frame N | --time T… | --snapshots N] [--color ARRAY] [--output FILE.png]

Needs python3-vtk9 or python3-paraview, and python3-matplotlib; without a display also xvfb and xauth, as Debian's VTK can draw
through X only.
"""
import argparse
import math
import os
import shutil
import sys
import tomllib

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as pyplot  # noqa: E402  (the backend is chosen first)
import numpy  # noqa: E402

from terrace_output import OutputError, read_frames, read_grid, read_summary, require_run_of_bodies, run_script, save_picture  # noqa: E402


def ensure_display():
    """Where there is no display, replaces this process by the same script under a virtual one: VTK would abort without."""
    if os.environ.get("DISPLAY"):
        return
    if not shutil.which("xvfb-run"):
        raise OutputError("expected a display or the Debian packages xvfb and xauth, found neither")
    os.execvp("xvfb-run", ["xvfb-run", "-a", sys.executable, *sys.argv])


def color_values(grid, name):
    """(values, whether they belong to points) of an array: its values, the lengths of vectors, or the von Mises stress."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    for data, of_points in ((grid.GetPointData(), True), (grid.GetCellData(), False)):
        if data.HasArray(name):
            values = vtk_to_numpy(data.GetArray(name))
            if name == "stress":
                return von_mises(values), of_points
            return (numpy.linalg.norm(values, axis=1) if values.ndim == 2 else values), of_points
    known = [data.GetArrayName(i) for data in (grid.GetPointData(), grid.GetCellData())
             for i in range(data.GetNumberOfArrays())]
    raise OutputError(f"--color: expected one of {', '.join(known)}, found {name}")


def von_mises(stress):
    xx, yy, zz, xy, yz, xz = stress.T
    return numpy.sqrt(((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2) / 2 + 3 * (xy**2 + yz**2 + xz**2))


def add_color(grid, name):
    """Adds the array `color` to the grid; returns the range of its values without the lowest and highest half per cent."""
    from vtkmodules.util.numpy_support import numpy_to_vtk

    values, of_points = color_values(grid, name)
    array = numpy_to_vtk(numpy.ascontiguousarray(values, dtype=float), deep=True)
    array.SetName("color")
    data = grid.GetPointData() if of_points else grid.GetCellData()
    data.AddArray(array)
    data.SetActiveScalars("color")
    # A few nodes that rattle must not determine the colour scale.
    return tuple(numpy.quantile(values, (0.005, 0.995)).tolist()) if len(values) else (0.0, 0.0)


def colors():
    """matplotlib's viridis as a table for VTK, so that the colour bar and the bodies agree."""
    from vtkmodules.vtkCommonCore import vtkLookupTable

    table = vtkLookupTable()
    table.SetNumberOfTableValues(256)
    for index in range(256):
        table.SetTableValue(index, *pyplot.get_cmap("viridis")(index))
    return table


def draw(grid, bounds, value_range, pixels, up):
    """The grid as an image, an array of shape (height, width, 3), with the camera placed so that `bounds` fill it."""
    import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (registers the renderer)
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
    from vtkmodules.vtkRenderingCore import (vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow,
                                             vtkWindowToImageFilter)

    surface = vtkGeometryFilter()
    surface.SetInputData(grid)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(surface.GetOutputPort())
    mapper.SetLookupTable(colors())
    mapper.SetScalarRange(*value_range)
    actor = vtkActor()
    actor.SetMapper(mapper)
    # Mostly ambient light, so that a colour means the same number on every side of a body.
    actor.GetProperty().SetAmbient(0.7)
    actor.GetProperty().SetDiffuse(0.35)
    actor.GetProperty().SetEdgeVisibility(grid.GetNumberOfCells() < 20000)  # denser edges hide the colour
    actor.GetProperty().SetEdgeColor(0.2, 0.2, 0.2)
    actor.GetProperty().SetLineWidth(0.5)
    if has_only_points(grid):  # VTK would draw them as single pixels
        actor.GetProperty().SetEdgeVisibility(False)
        actor.GetProperty().SetRenderPointsAsSpheres(True)
        actor.GetProperty().SetPointSize(12)

    renderer = vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    renderer.AddActor(actor)
    place_camera(renderer, bounds, pixels, up)
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(4)
    window.SetSize(*pixels)
    window.AddRenderer(renderer)
    window.Render()
    capture = vtkWindowToImageFilter()
    capture.SetInput(window)
    capture.ReadFrontBufferOff()
    capture.Update()
    image = capture.GetOutput()
    width, height, _ = image.GetDimensions()
    return vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)[::-1]


def upwards(directory):
    """The unit vector of the axis that is most nearly opposite to gravity; None without gravity."""
    deck = tomllib.loads(read_summary(directory).get("deck", ""))
    pull = numpy.array(deck.get("gravity", {}).get("acceleration", (0, 0, 0)), dtype=float)
    if not pull.any():
        return None
    axis = int(numpy.argmax(numpy.abs(pull)))
    return -numpy.sign(pull[axis]) * numpy.eye(3)[axis]


def place_camera(renderer, bounds, pixels, up):
    """Places the camera, with parallel projection, so that it looks across the longest side of the bounds, a little from above and aside.
    `up`: the upward direction of the picture; None: chosen so that the longest side lies horizontally."""
    low, high = bounds
    centre, size = (low + high) / 2, high - low
    lying = size if up is None else numpy.where(up == 0, size, -1)
    right = numpy.eye(3)[int(numpy.argmax(lying))]
    if up is None:
        up = numpy.array([0.0, 0.0, 1.0]) if right[2] == 0 else numpy.array([1.0, 0.0, 0.0])
    towards = numpy.cross(right, up) + 0.35 * up + 0.25 * right
    towards /= numpy.linalg.norm(towards)
    across = numpy.cross(up, towards)
    across /= numpy.linalg.norm(across)
    upward = numpy.cross(towards, across)
    corners = numpy.array([[(low, high)[i][0], (low, high)[j][1], (low, high)[k][2]]
                           for i in (0, 1) for j in (0, 1) for k in (0, 1)]) - centre
    half_width, half_height = numpy.abs(corners @ across).max(), numpy.abs(corners @ upward).max()
    camera = renderer.GetActiveCamera()
    camera.SetParallelProjection(True)
    camera.SetFocalPoint(*centre)
    camera.SetPosition(*(centre + 5 * numpy.linalg.norm(size) * towards))
    camera.SetViewUp(*up)
    camera.SetParallelScale(1.05 * max(half_height, half_width * pixels[1] / pixels[0]))
    diagonal = numpy.linalg.norm(size)
    camera.SetClippingRange(3 * diagonal, 7 * diagonal)


def has_only_points(grid):
    """Whether all cells are points: a frame of particles."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import VTK_VERTEX

    return grid.GetNumberOfCells() > 0 and bool(numpy.all(vtk_to_numpy(grid.GetCellTypesArray()) == VTK_VERTEX))


def common_bounds(grids):
    bounds = numpy.array([grid.GetBounds() for grid in grids if grid.GetNumberOfPoints()])
    if not len(bounds):
        raise OutputError("expected a frame with cells, found none")
    low, high = bounds[:, 0::2].min(axis=0), bounds[:, 1::2].max(axis=0)
    # Particles may lie in a plane, on a line or in one point, and are drawn larger than points.
    margin = (0.05 * (high - low).max() or 1.0) if all(has_only_points(grid) for grid in grids) else 0.0
    return low - margin, high + margin


def choose_frames(times, arguments):
    if arguments.frame is not None:
        if not -len(times) <= arguments.frame < len(times):
            raise OutputError(f"--frame: expected 0 to {len(times) - 1}, found {arguments.frame}")
        return [arguments.frame % len(times)]
    if arguments.time is not None:
        return [int(numpy.argmin(numpy.abs(numpy.array(times) - time))) for time in arguments.time]
    count = min(arguments.snapshots, len(times))
    return sorted({int(round(index)) for index in numpy.linspace(0, len(times) - 1, count)})


def render(arguments):
    require_run_of_bodies(arguments.directory)
    frames = read_frames(arguments.directory)
    if not frames:
        raise OutputError(f"{arguments.directory}/fields.pvd: expected at least one frame, found none")
    chosen = choose_frames([time for time, _ in frames], arguments)
    grids = [read_grid(frames[index][1]) for index in chosen]
    ranges = [add_color(grid, arguments.color) for grid in grids]
    value_range = arguments.range or (min(low for low, _ in ranges), max(high for _, high in ranges))
    low, high = bounds = common_bounds(grids)

    # Long, flat scenes (chains) get long, flat pictures, one below the other.
    sides = sorted(high - low)
    aspect = float(numpy.clip((sides[2] + 0.3 * sides[1]) / (sides[1] + 0.4 * sides[0] + 1e-300), 1.0, 8.0))
    up = upwards(arguments.directory)
    if up is not None and numpy.abs(up) @ (high - low) == sides[2]:  # upright scenes get tall pictures, side by side
        aspect = max(1 / aspect, 0.4 if len(chosen) > 3 else 0.8)  # so that no picture is taller than a page
    columns = 1 if aspect > 3 else min(6 if aspect < 0.7 else 3, len(chosen))
    rows = -(-len(chosen) // columns)
    width = 11.0 / columns
    figure, axes = pyplot.subplots(rows, columns, figsize=(11, rows * (width / aspect + 0.35) + 0.9), squeeze=False,
                                   constrained_layout=True)
    pixels = (int(1600 / columns), int(1600 / columns / aspect))
    for panel in axes.flat:
        panel.axis("off")
    for panel, index, grid in zip(axes.flat, chosen, grids):
        panel.imshow(draw(grid, bounds, value_range, pixels, up))
        panel.set_title(f"frame {index}, time {frames[index][0]:.6g}", fontsize="small")
    scale = matplotlib.cm.ScalarMappable(matplotlib.colors.Normalize(*value_range), "viridis")
    label = {"stress": "von Mises stress", "velocity": "speed"}.get(arguments.color, arguments.color.replace("_", " "))
    figure.colorbar(scale, ax=axes, orientation="horizontal", shrink=0.5, aspect=40, label=label, extend="both")
    output = arguments.output or os.path.join(arguments.directory, "render.png")
    save_picture(figure, output, dpi=150)
    print(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", help="output directory of a run")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--frame", type=int, help="number of a frame; -1 is the last")
    which.add_argument("--time", type=float, nargs="+", help="the frames nearest to these times")
    which.add_argument("--snapshots", type=int, default=6, help="number of frames, evenly spaced from first to last (default: 6)")
    parser.add_argument("--color", default="velocity",
                        help="array that colours the bodies: velocity (default), energy_density, displacement, J, stress, body, subdomain or rank")
    parser.add_argument("--range", type=float, nargs=2, metavar=("LOW", "HIGH"),
                        help="values at the ends of the colour scale; default: the range in the drawn frames, without extremes")
    parser.add_argument("--output", help="picture to write; default: DIR/render.png")
    arguments = parser.parse_args()
    if arguments.snapshots < 1:
        parser.error(f"argument --snapshots: expected 1 or more, found {arguments.snapshots}")
    if not all(map(math.isfinite, arguments.time or [])):
        parser.error(f"argument --time: expected finite times, found {' '.join(map(str, arguments.time))}")
    if arguments.range and not arguments.range[0] < arguments.range[1]:
        parser.error(f"argument --range: expected LOW below HIGH, found {arguments.range[0]:g} {arguments.range[1]:g}")
    ensure_display()
    render(arguments)


if __name__ == "__main__":
    run_script(main)
