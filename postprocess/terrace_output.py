"""Reads the output directory of a run of terrace. Needs python3-numpy, and for the fields VTK's Python modules, which come with
python3-vtk9 or, where ParaView is installed, under the same names with python3-paraview."""
import csv
import itertools
import json
import os
import sys
import xml.etree.ElementTree

import numpy


# The statuses of runs that did all they were asked to, as in cluster/scaling.py.
COMPLETE = ("done", "stopped after time.events events")


class OutputError(Exception):
    """A file of the output directory is missing or not what it should be; the message names it."""


class Table(dict):
    """Column name -> array. A missing column throws OutputError, which names it."""

    def __init__(self, path, columns):
        super().__init__(columns)
        self.path = path

    def __missing__(self, column):
        raise OutputError(f"{self.path}: expected a column {column}, found {', '.join(self)}")


def read_table(directory, name):
    """The table NAME.csv as a Table: arrays of floats, but of words for names.

    The table of bodies is read from bodies.h5 where there is no bodies.csv; that needs python3-h5py.
    """
    path = os.path.join(directory, name + ".csv")
    if name == "bodies" and not os.path.exists(path) and os.path.exists(os.path.join(directory, "bodies.h5")):
        return _body_file(os.path.join(directory, "bodies.h5"))
    try:
        with open(path, newline="", encoding="utf-8") as file:
            return _read_columns(path, csv.reader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise OutputError(f"{path}: expected a table with a header, found {error}") from None


def _read_columns(path, lines):
    """All columns of a CSV file. Converts ten thousand rows at a time, as text takes ten times the memory of the numbers."""
    header = next(lines, [])
    if not header:
        raise OutputError(f"{path}: expected a table with a header, found nothing")
    parts, names, done = [[] for _ in header], {}, 1
    while rows := list(itertools.islice(lines, 10000)):
        for number, row in enumerate(rows, start=done + 1):
            if len(row) != len(header):
                raise OutputError(f"{path}:{number}: expected {len(header)} columns, found {len(row)}")
        for title, part, values in zip(header, parts, zip(*rows)):
            part.append(_numbers_if_possible(f"{path}: column {title}", title, values, names))
        done += len(rows)
    return Table(path, {title: numpy.concatenate(part) if part else _numbers_if_possible(path, title, [], names)
                        for title, part in zip(header, parts)})


def _body_file(path):
    try:
        import h5py
    except ImportError:
        raise OutputError(f"{path}: expected Debian's python3-h5py to read it, found none for this Python") from None
    try:
        file = h5py.File(path, "r", libver="latest", swmr=True)
    except OSError as error:
        raise OutputError(f"{path}: expected a table of bodies, found {error}") from None
    with file:
        rows, names = len(file["time"]), [name.decode() for name in file["name"][:]]
        table = Table(path, {"time": numpy.repeat(file["time"][:], len(names)), "body": numpy.array(names * rows, dtype=object)})
        for name, data in file.items():
            if name in ("time", "name"):
                continue
            entries = data[:rows].astype(float).reshape(rows * len(names), -1)
            if entries.shape[1] == 1:
                table[name] = entries[:, 0]
            else:
                table.update({f"{name}_{axis}": entries[:, k] for k, axis in enumerate("xyz")})
    return table


def _numbers_if_possible(where, title, values, names):
    """The values as an array of floats; of a column of names, as an array that holds each name as one shared object (`names`)."""
    if title in ("name", "body", "probe"):
        return numpy.array([names.setdefault(value, value) for value in values], dtype=object)
    try:
        return numpy.array(values, dtype=float)
    except ValueError as error:
        raise OutputError(f"{where}: expected numbers, found {error}") from None


def vectors(table, name):
    """The columns NAME_x, NAME_y, NAME_z as an array of shape (rows, 3)."""
    return numpy.stack([table[f"{name}_{axis}"] for axis in "xyz"], axis=1)


def is_small_system(directory):
    """Whether this output directory is of a small system, whose tables have other columns and which has no frames."""
    if not os.path.isdir(directory):
        raise OutputError(f"{directory}: expected the output directory of a run, found no such directory")
    path = os.path.join(directory, "history.csv")
    if not os.path.exists(path):
        return False
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.readline().startswith("time,step,")


def require_run_of_bodies(directory):
    """Throws OutputError unless `directory` is the output directory of a run of bodies or particles."""
    if is_small_system(directory):
        raise OutputError(f"{directory}: expected a run of bodies or particles, found a small system: postprocess/plot_histories.py draws it")


def read_summary(directory):
    """summary.json as a dictionary; empty while the run goes on."""
    path = os.path.join(directory, "summary.json")
    if not os.path.exists(path):
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise OutputError(f"{path}: expected a summary, found {error}") from None


def read_frames(directory):
    """The frames of fields.pvd: a list of (time, path of the .pvtu or .vtu file)."""
    path = os.path.join(directory, "fields.pvd")
    try:
        entries = xml.etree.ElementTree.parse(path).getroot().iter("DataSet")
        return [(float(entry.get("timestep")), os.path.join(directory, entry.get("file"))) for entry in entries]
    except (OSError, TypeError, ValueError, xml.etree.ElementTree.ParseError) as error:
        raise OutputError(f"{path}: expected a ParaView collection, found {error}") from None


def read_grid(path):
    """A frame as a vtkUnstructuredGrid."""
    try:
        from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader
    except ImportError:
        raise OutputError("expected Debian's python3-vtk9 or python3-paraview, found neither for this Python: "
                          "call the script with /usr/bin/python3") from None
    if not os.path.exists(path):
        raise OutputError(f"{path}: expected a frame, found nothing")
    reader = vtkXMLPUnstructuredGridReader() if path.endswith(".pvtu") else vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def is_complete(summary):
    """Whether the run did all it was asked to: it neither failed nor was stopped, and does not go on."""
    return summary.get("status") in COMPLETE


def shown(value, form):
    """A formatted number of the summary, or a dash for null, which the summary has where a number would be meaningless."""
    return "–" if value is None else format(value, form)


def plain(name):
    """A name that matplotlib draws as it stands: dollars begin no formula, and a leading underscore does not hide it from a legend."""
    return ("\u200b" if name.startswith("_") else "") + name.replace("$", r"\$")


def save_picture(figure, path, dpi=130):
    try:
        figure.savefig(path, dpi=dpi)
    except (OSError, ValueError) as error:  # matplotlib throws ValueError for a format that it does not know
        raise OutputError(f"{path}: expected a picture that can be written, found {error}") from None


def rows_of_bodies(bodies, of="body"):
    """{name: row numbers} for each body or wall of the table `bodies`, in order of appearance; `of` names another column to group by."""
    numbers = {}
    body_of_row = numpy.fromiter((numbers.setdefault(name, len(numbers)) for name in bodies[of]), dtype=int, count=len(bodies[of]))
    order = numpy.argsort(body_of_row, kind="stable")
    return dict(zip(numbers, numpy.split(order, numpy.cumsum(numpy.bincount(body_of_row))[:-1])))


def take_rows(table, rows, columns=None):
    """A Table of some rows: of the given columns, or of all."""
    return Table(table.path, {column: table[column][rows] for column in columns or table})


class Run:
    """A run's output directory, with a name for legends. Tables are read at first use and kept."""

    def __init__(self, name, directory):
        self.name = name
        self.directory = directory
        self._tables = {}
        self._rows_of_bodies = None

    def exists(self):
        """Whether history.csv holds a row: true also of a run that failed or still goes on."""
        try:
            return len(self.table("history")["time"]) > 0
        except OutputError:
            return False

    @property
    def summary(self):
        return read_summary(self.directory)

    def table(self, name):
        if name not in self._tables:
            self._tables[name] = read_table(self.directory, name)
        return self._tables[name]

    def rows_of_bodies(self):
        if self._rows_of_bodies is None:
            self._rows_of_bodies = rows_of_bodies(self.table("bodies"))
        return self._rows_of_bodies

    def body(self, name):
        rows = self.rows_of_bodies()
        if name not in rows:
            raise OutputError(f"{self.directory}: expected a body {name}, found {', '.join(rows)}")
        return take_rows(self.table("bodies"), rows[name])

    def body_names(self):
        return list(self.rows_of_bodies())


def run_script(main):
    """Runs main(). An OutputError, or a file that cannot be read or written, ends the script with its message and exit status 1."""
    try:
        main()
    except (OutputError, OSError) as error:
        sys.exit(f"error: {error}")
