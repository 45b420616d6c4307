#!/usr/bin/env python3
"""Reads the output directory of a finished run as users' programs would, and checks it against what the documents promise.

    /usr/bin/python3 tests/cli/read_output.py DIR

Exit status 0 if all is well, else 1 with a line per fault (at most 20). Needs python3-vtk9 or python3-paraview, and python3-numpy.
"""
import csv
import glob
import json
import os
import re
import sys
import xml.etree.ElementTree

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

POINT_ARRAYS = {"displacement": 3, "velocity": 3}
CELL_ARRAYS = {"body": 1, "subdomain": 1, "rank": 1, "energy_density": 1, "J": 1, "stress": 6}
SUMMARY_KEYS = """version title deck status end_time final_time ranks layout simd events reflections average_step energy_drift
    momentum_change angular_momentum_drift collectives_per_event exchanges_per_event element_evaluations wall_seconds
    wall_seconds_by_phase mesh_hash state_hash monitors balance warnings""".split()
HISTORY_COLUMNS = """time kinetic potential terraced energy momentum_x momentum_y momentum_z angular_momentum_x
    angular_momentum_y angular_momentum_z support_work events""".split()
BODIES_COLUMNS = "time body kinetic vibrational_kinetic element_scale_kinetic potential".split() + [
    f"{name}_{axis}" for name in ("momentum", "velocity", "position", "spin", "contact_force") for axis in "xyz"]

faults = []


def require(condition, fault):
    if not condition:
        faults.append(fault)
    return bool(condition)


def read_rows(directory, name, columns):
    path = os.path.join(directory, name)
    if not require(os.path.exists(path), f"{name}: missing"):
        return []
    with open(path, newline="", encoding="utf-8") as file:
        header, *rows = list(csv.reader(file)) or [[]]
    missing = [column for column in columns if column not in header]
    ragged = [number for number, row in enumerate(rows, 2) if len(row) != len(header)]
    if not (require(not missing, f"{name}: columns {missing} missing")
            and require(not ragged, f"{name}: lines {ragged[:5]} have not {len(header)} columns")):
        return []
    return [dict(zip(header, row)) for row in rows]


def check_table_numbers(name, rows, text_columns=()):
    for number, row in enumerate(rows, 2):
        for column, entry in row.items():
            if column in text_columns:
                continue
            try:
                finite = bool(numpy.isfinite(float(entry)))
            except ValueError:
                finite = False
            if not require(finite, f"{name}:{number}: {column} is {entry!r}, not a finite number"):
                return


def check_grid(path, time, cells_before):
    label = f"{os.path.basename(path)} (time {time:g})"
    if not require(os.path.exists(path), f"{label}: missing"):
        return cells_before
    reader = vtkXMLPUnstructuredGridReader() if path.endswith(".pvtu") else vtkXMLUnstructuredGridReader()
    failures = []
    reader.AddObserver("ErrorEvent", lambda *_: failures.append(1))
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    require(not failures, f"{label}: VTK reports an error")
    for data, expected, kind in ((grid.GetPointData(), POINT_ARRAYS, "point"),
                                 (grid.GetCellData(), CELL_ARRAYS, "cell")):
        for name, components in expected.items():
            array = data.GetArray(name)
            if not require(array is not None, f"{label}: {kind} array {name} missing"):
                continue
            require(array.GetNumberOfComponents() == components, f"{label}: {name} has not {components} components")
            require(numpy.isfinite(vtk_to_numpy(array)).all(), f"{label}: {name} is not finite everywhere")
    cells = grid.GetNumberOfCells()
    require(cells > 0, f"{label}: no cells")
    require(cells_before in (None, cells), f"{label}: {cells} cells after {cells_before}")
    jacobian = grid.GetCellData().GetArray("J")
    if jacobian is not None and cells:
        smallest = vtk_to_numpy(jacobian).min()
        require(smallest > 0, f"{label}: an inverted element, J = {smallest:g}")
    return cells


def check_fields(directory):
    path = os.path.join(directory, "fields.pvd")
    if not require(os.path.exists(path), "fields.pvd: missing"):
        return []
    frames = [(float(entry.get("timestep")), entry.get("file"))
              for entry in xml.etree.ElementTree.parse(path).getroot().iter("DataSet")]
    times = [time for time, _ in frames]
    require(times and times[0] == 0, f"fields.pvd: expected the initial frame at time 0, found {times[:1]}")
    require(all(a < b for a, b in zip(times, times[1:])), "fields.pvd: times do not ascend")
    cells = None
    for time, file in frames:
        cells = check_grid(os.path.join(directory, file), time, cells)
    return times


def check_history(directory, summary):
    rows = read_rows(directory, "history.csv", HISTORY_COLUMNS)
    check_table_numbers("history.csv", rows)
    if faults or not require(rows, "history.csv: no rows"):
        return
    column = {name: numpy.array([float(row[name]) for row in rows]) for name in HISTORY_COLUMNS}
    require(column["time"][0] == 0, "history.csv: does not start at time 0")
    require((numpy.diff(column["time"]) > 0).all(), "history.csv: times do not ascend")
    require((numpy.diff(column["events"]) >= 0).all(), "history.csv: the number of events falls")
    # A method without terraces reports kinetic + potential energy.
    stored = column["terraced" if column["terraced"].any() or column["events"].any() else "potential"]
    size = numpy.abs(column["kinetic"]) + numpy.abs(stored) + numpy.abs(column["support_work"])
    mismatch = numpy.abs(column["kinetic"] + stored - column["support_work"] - column["energy"])
    require((mismatch <= 1e-14 * size).all(), "history.csv: energy is neither kinetic + terraced - support_work nor, without "
            "terraces, kinetic + potential")
    require(int(rows[-1]["events"]) <= summary["events"], "history.csv: more events than summary.json counts")


def check_bodies(directory):
    rows = read_rows(directory, "bodies.csv", BODIES_COLUMNS)
    check_table_numbers("bodies.csv", rows, text_columns=("body",))
    require(rows, "bodies.csv: no rows")
    names_at = {}
    for row in rows:
        names_at.setdefault(row["time"], []).append(row["body"])
    times = [float(time) for time in names_at]
    require(all(a < b for a, b in zip(times, times[1:])), "bodies.csv: times do not ascend")
    require(len({tuple(names) for names in names_at.values()}) <= 1, "bodies.csv: not the same bodies at all times")


def check_subdomains(directory):
    rows = read_rows(directory, "subdomains.csv", ["subdomain", "name", "energy_step", "events", "reflections",
                                                   "longest_run", "step_mean", "step_min", "step_max"])
    steps = read_rows(directory, "steps.csv", ["subdomain", "step_from", "step_to", "count"])
    counted = {}
    for step in steps:
        require(float(step["step_from"]) < float(step["step_to"]), "steps.csv: an empty bin")
        counted[step["subdomain"]] = counted.get(step["subdomain"], 0) + int(step["count"])
    for row in rows:
        label = f"subdomains.csv, subdomain {row['subdomain']}"
        require(int(row["reflections"]) <= int(row["events"]), f"{label}: more reflections than events")
        require(int(row["longest_run"]) <= int(row["reflections"]), f"{label}: a run longer than all reflections")
        require(counted.get(row["subdomain"], 0) <= int(row["events"]), f"{label}: more steps than events")
    require(set(counted) <= {row["subdomain"] for row in rows}, "steps.csv: a subdomain that subdomains.csv lacks")


def check_summary(directory, field_times):
    path = os.path.join(directory, "summary.json")
    if not require(os.path.exists(path), "summary.json: missing"):
        return None
    with open(path, encoding="utf-8") as file:
        summary = json.load(file)
    missing = [key for key in SUMMARY_KEYS if key not in summary]
    if not require(not missing, f"summary.json: keys {missing} missing"):
        return None
    require(re.fullmatch("[0-9a-f]{16}", summary["state_hash"]),
            f"summary.json: state_hash is {summary['state_hash']!r}, not 16 hexadecimal digits")
    require(summary["reflections"] <= summary["events"], "summary.json: more reflections than events")
    require(summary["ranks"] >= 1, "summary.json: no ranks")
    require(not field_times or field_times[-1] <= summary["final_time"],
            f"fields.pvd: the last frame, {field_times[-1:]}, is later than final_time, {summary['final_time']}")
    return summary


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: read_output.py DIR")
    directory = sys.argv[1]
    times = check_fields(directory)
    summary = check_summary(directory, times)
    if summary:
        check_history(directory, summary)
    check_bodies(directory)
    check_subdomains(directory)
    parts = glob.glob(os.path.join(directory, "**", "*.part"), recursive=True)
    require(not parts, f"files left half written: {parts}")
    if faults:
        sys.exit("\n".join(f"{directory}: {fault}" for fault in faults[:20]))
    print(f"{directory}: {len(times)} frames, all as promised")


if __name__ == "__main__":
    main()
