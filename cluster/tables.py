"""What scaling.py, replay.py and teams.py share: numbers of their options, files, and plots where there is matplotlib."""

import argparse
import csv
import json
import math
import os
import signal

NO_PLOT = "no plot: python3-matplotlib is missing"
MOST_RANKS = 1000000  # as those of terrace run --trace-for


class BadTrace(Exception):
    """Says what is wrong with a file."""


def of_ranks(number):
    """Such a number of ranks in words."""
    return f"{number} rank{'s' * (number != 1)}"


def numbers_of_ranks(text):
    """An option's comma-separated numbers, each once, from the smallest to the largest."""
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = [0]
    if not 1 <= min(numbers) <= max(numbers) <= MOST_RANKS:
        raise argparse.ArgumentTypeError(f"expected numbers of ranks, found {text}")
    return sorted(set(numbers))


def number_or_nan(text):
    """NaN, which is in no range, where it is no number."""
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
    """An option's comma-separated positive numbers, of each rank one."""
    numbers = [number_or_nan(number) for number in text.split(",")]
    if not all(0 < number < math.inf for number in numbers):
        raise argparse.ArgumentTypeError(f"expected positive numbers, comma-separated, found {text}")
    return numbers


def read_table(path, columns, reals, words=frozenset(), source="terrace run --trace", of="window"):
    """Rows as dictionaries of numbers, and of words; BadTrace for what is missing or no number."""
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
    """Written aside first: who is killed here leaves the former table whole."""
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
    """1, 2 and 5 times the powers of ten from the last below `low` to the first above `high`, at least two."""
    numbers = [step * 10.0**decade for decade in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 2)
               for step in (1, 2, 5)]
    first = max(index for index, number in enumerate(numbers) if number <= low)
    last = min(index for index, number in enumerate(numbers) if number >= high)
    return numbers[first:max(last, first + 1) + 1]


def plot_over_ranks(axes, rows, column, ideal, label, ylabel):
    """A column of rows against their ranks, log-log, and its ideal."""
    ranks = [row["ranks"] for row in rows]
    axes.loglog(ranks, [row[column] for row in rows], "o-", label=label)
    axes.loglog(ranks, ideal, "k--", label="ideal")
    axes.set(xlabel="ranks", ylabel=ylabel, xlim=(ranks[0] / 1.2, ranks[-1] * 1.2))
    axes.legend()
    axes.set_xticks(ranks, [str(number) for number in ranks], fontsize="small")
    shown = [value for value in (*ideal, *(row[column] for row in rows)) if value > 0]
    if shown:  # within a decade matplotlib would write no number
        numbers = round_numbers_around(min(shown) / 1.05, max(shown) * 1.05)
        axes.set_yticks(numbers, [f"{number:g}" for number in numbers])
        axes.set_ylim(numbers[0], numbers[-1])
    axes.minorticks_off()


def run_script(main):
    """Runs main(); where nobody reads on, as after "| head", the script ends without a word."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
