"""What scaling.py, replay.py and teams.py share: parsing numbers of options, reading and writing tables, and plots where matplotlib is
installed."""

import argparse
import csv
import json
import math
import os
import signal

NO_PLOT = "no plot: python3-matplotlib is missing"
MOST_RANKS = 1000000  # the limit of terrace run --trace-for


class BadTrace(Exception):
    """The message says what is wrong with a file."""


def of_ranks(number):
    """A number of ranks in words: "1 rank", "2 ranks"."""
    return f"{number} rank{'s' * (number != 1)}"


def numbers_of_ranks(text):
    """An option's comma-separated numbers of ranks, each once, ascending."""
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = [0]
    if not 1 <= min(numbers) <= max(numbers) <= MOST_RANKS:
        raise argparse.ArgumentTypeError(f"expected numbers of ranks, found {text}")
    return sorted(set(numbers))


def number_or_nan(text):
    """The number in `text`; NaN, which fails every comparison, where there is none."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def not_negative(text):
    number = number_or_nan(text)
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"expected 0 or more, found {text}")
    return number


def positive(text):
    number = number_or_nan(text)
    if not number > 0:
        raise argparse.ArgumentTypeError(f"expected a positive number, found {text}")
    return number


def slownesses(text):
    """An option's comma-separated positive numbers, one for each rank."""
    numbers = [number_or_nan(number) for number in text.split(",")]
    if not all(0 < number < math.inf for number in numbers):
        raise argparse.ArgumentTypeError(f"expected positive numbers, comma-separated, found {text}")
    return numbers


def read_table(path, columns, reals, words=frozenset(), source="terrace run --trace", of="window"):
    """Rows of a CSV file as dictionaries. Columns in `words` stay text, those in `reals` are floats, all others integers. Throws BadTrace
    where the file, a column or a row is missing, or a field is no finite number."""
    try:
        with open(path, newline="", encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise BadTrace(f"{path}: expected a table of {source}, found none that can be read ({error})") from None
    lines = list(csv.reader(text.splitlines()))
    if not lines or lines[0] != columns:
        raise BadTrace(f"{path}:1: expected the columns {','.join(columns)}, found {','.join(lines[0]) if lines else 'nothing'}")
    rows = []
    for number, fields in enumerate(lines[1:], 2):
        try:
            if len(fields) != len(columns) or (number == len(lines) and not text.endswith("\n")):
                raise ValueError
            row = {name: field if name in words else float(field) if name in reals else int(field)
                   for name, field in zip(columns, fields)}
            if not all(name in words or math.isfinite(value) for name, value in row.items()):
                raise ValueError
        except ValueError:
            raise BadTrace(f"{path}:{number}: expected a whole row of {len(columns)} numbers, found {','.join(fields)!r}") from None
        rows.append(row)
    if not rows:
        raise BadTrace(f"{path}: expected a row for each {of}, found none")
    return rows


def read_json(path):
    """The object in a file, or None where none can be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def write_table(rows, path, columns):
    """Writes rows as CSV: into a file aside, which then replaces `path`, so that a killed script leaves the former table whole."""
    part = path.with_name(path.name + ".part")
    with open(part, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
    os.replace(part, path)


def load_pyplot():
    """matplotlib's pyplot, which draws without a display, or None where matplotlib is missing."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return None
    return pyplot


def round_numbers_around(low, high):
    """1, 2 and 5 times powers of ten: from the last that is at most `low` to the first that is at least `high`; at least two numbers."""
    numbers = [step * 10.0**decade for decade in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 2)
               for step in (1, 2, 5)]
    first = max(index for index, number in enumerate(numbers) if number <= low)
    last = min(index for index, number in enumerate(numbers) if number >= high)
    return numbers[first:max(last, first + 1) + 1]


def plot_over_ranks(axes, rows, column, ideal, label, ylabel):
    """Draws a column of rows over their ranks, log-log, and its ideal."""
    ranks = [row["ranks"] for row in rows]
    axes.loglog(ranks, [row[column] for row in rows], "o-", label=label)
    axes.loglog(ranks, ideal, "k--", label="ideal")
    axes.set(xlabel="ranks", ylabel=ylabel, xlim=(ranks[0] / 1.2, ranks[-1] * 1.2))
    axes.legend()
    axes.set_xticks(ranks, [str(number) for number in ranks], fontsize="small")
    shown = [value for value in (*ideal, *(row[column] for row in rows)) if value > 0]
    if shown:  # by itself matplotlib writes no number on an axis that is shorter than a decade
        numbers = round_numbers_around(min(shown) / 1.05, max(shown) * 1.05)
        axes.set_yticks(numbers, [f"{number:g}" for number in numbers])
        axes.set_ylim(numbers[0], numbers[-1])
    axes.minorticks_off()


def run_script(main):
    """Runs main(). Where the reader of standard output ends early, as in "| head", the script ends silently."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
