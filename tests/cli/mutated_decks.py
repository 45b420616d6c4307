"""Valid decks, and random ways to break them."""

import random
import re
from collections.abc import Callable

from decks import GEL

BODY = """[[bodies]]
name = "{name}"
material = "gel"
shape = "lattice"
extent = [0.1, 0.1, 0.1]
cells = [1, 1, 1]
"""

LEFT = BODY.format(name="left") + "velocity = [4, 0.1, 0]\n"
RIGHT = BODY.format(name="right") + "position = [0.125, 0.01, 0]\n"
QUIET = "[output]\nfield_interval = -1\n"

DECKS = {
    "face-intersection": 'title = "Two blocks"\n[time]\nend = 0.01\n' + GEL + LEFT + RIGHT + """\
rotation = { axis = [0, 1, 1], angle = 20 }
[contact]
model = "face-intersection"
stiffness = 1e4
[[walls]]
name = "floor"
point = [0, 0, -0.08]
normal = [0, 0, 1]
stiffness = 1e3
[localization]
kind = "bodies"
contact = "own"
[integrator]
method = "energy-stepping"
energy_step = 5e-2
""" + QUIET,
    "barrier": "[time]\nend = 0.02\nevents = 1000\n" + GEL + LEFT + RIGHT + """[contact]
model = "barrier"
distance = 0.01
pairs = [["left", "right"]]
[localization]
contact = "touching"
[gravity]
acceleration = [0, 0, -9.81]
[integrator]
method = "clocked-energy-stepping"
time_step_factor = 0.4
largest_correction = 0.1
debt_tolerance = 1e-6
[layout]
kind = "own"
""" + QUIET,
    "gap": "[time]\nend = 0.02\n" + GEL + LEFT + RIGHT + """[contact]
model = "gap"
stiffness = 2e3
distance = 0.01
energy_step = 2e-2
[localization]
contact = "own"
[integrator]
method = "energy-stepping"
energy_step = 5e-2
""" + QUIET,
    "newmark": "[time]\nend = 0.02\n" + GEL + LEFT + RIGHT + """[contact]
model = "gap"
distance = 0.01
[[walls]]
name = "floor"
point = [0, 0, -0.06]
normal = [0.1, 0, 1]
model = "barrier"
stiffness = 2e3
distance = 0.002
[integrator]
method = "newmark"
time_step = 2e-4
""" + QUIET,
    "rigid": "[time]\nend = 0.012\n" + GEL + LEFT + RIGHT + """[contact]
model = "rigid"
[localization]
kind = "global"
contact = "own"
[integrator]
method = "energy-stepping"
energy_step = 5e-2
""" + QUIET,
    "metis": "[time]\nend = 0.02\n" + GEL + BODY.format(name="cube") + """spin = [0, 0, 40]
rotation = { axis = [0, 1, 1], angle = 30 }
[localization]
kind = "metis"
parts = 3
[integrator]
method = "energy-stepping"
energy_step_fraction = 1e-2
[output]
field_interval = 5e-3
history_interval = 1e-4
surface_only = true
single_precision = true
restart_interval = 0
restart_time = 5e-3
""",
    "supports": "[time]\nend = 0.05\n" + GEL.replace("lame_lambda = 12.04e4\nlame_mu = 1.34e4",
                                                     'youngs_modulus = 3.9e4\npoissons_ratio = 0.3\n'
                                                     'law = "mooney-rivlin"\nmooney_ratio = 0.4') + \
    BODY.format(name="block") + """
[[supports]]
name = "table"
body = "block"
box = [[-1, -1, -0.06], [1, 1, -0.049]]
velocity = [0.2, 0, 0]
[[supports]]
name = "rail"
body = "block"
box = [[-1, -1, 0.049], [1, 1, 0.06]]
components = ["y", "z"]
[[probes]]
name = "top"
body = "block"
point = [0, 0, 0.05]
[gravity]
acceleration = [0, 0, -9.81]
[integrator]
method = "clocked-energy-stepping"
time_step = 1e-3
[output]
field_interval = -1
history_interval = 1e-3
""",
    "walls": "[time]\nend = 0.03\n" + GEL.replace("density", 'law = "st-venant-kirchhoff"\ndensity') + LEFT + """[[walls]]
name = "stop"
model = "barrier"
point = [0.06, 0, 0]
normal = [1, 0, 0]
stiffness = 2e3
distance = 0.005
two_sided = true
[[walls]]
name = "slope"
point = [-0.06, 0, 0]
normal = [1, 0, 0.1]
stiffness = 1e4
[contact]
model = "none"
[localization]
kind = "bodies"
contact = "with-bodies"
[integrator]
method = "energy-stepping"
energy_step = 5e-2
executor = "checking"
""" + QUIET,
    "packing": "[time]\nend = 0.02\n" + GEL + BODY.format(name="ball") + """position = [0.06, 0.06, 0.06]
repeat = { counts = [2, 1, 1], spacing = [0.12, 0.12, 0.12], random_speed = 2.0, seed = 64 }
[contact]
model = "barrier"
self = true
close_start = "reduce"
[[walls]]
name = "end"
model = "barrier"
point = [0.24, 0, 0]
normal = [-1, 0, 0]
[localization]
kind = "bodies"
contact = "touching"
[integrator]
method = "clocked-energy-stepping"
""" + QUIET,
    "chain": "[time]\nend = 0.02\n" + GEL + LEFT + """[[bodies]]
name = "bead"
material = "gel"
shape = "lattice"
extent = [0.1, 0.1, 0.1]
cells = [1, 1, 1]
position = [0.11, 0, 0]
repeat = { count = 2, offset = [0.11, 0, 0] }
[contact]
model = "barrier"
distance = 0.005
stiffness = 2e3
[integrator]
method = "newmark"
time_step_factor = 0.4
[layout]
kind = "slice"
""" + QUIET,
    "planet": """[time]
end = 20.0
[system]
kind = "kepler"
parameters = { eccentricity = 0.6 }
coordinates = [0.4, 0.0]
momenta = [0.0, 2.0]
forces = { sun = { on = true } }
[integrator]
method = "time-transformed-splitting"
step_parameter = 0.05
order = 4
scaling = "potential"
scaling_exponent = -1.5
scaling_shift = 0.0
[output]
history_interval = 0.1
""",
    "stiff pendulum": """[time]
end = 2.0
[system]
kind = "stiff-pendulum"
parameters = { stiffness = 1e4, gravity = 1.0 }
forces = { penalty = { implicit = true } }
[integrator]
method = "semi-explicit"
time_step = 0.01
explicit_weight = 0.5
implicit_weight = 0.6
tolerance = 0.1
""",
    "beads": """[time]
end = 1e-4
[system]
kind = "bead-chain"
parameters = { beads = 6, loss = 0.037, loss_exponent = 0.4, drag = -5.58 }
[integrator]
method = "implicit-midpoint"
time_step = 1e-6
order = 2
""",
    "double well": """[time]
end = 50.0
[system]
kind = "double-well-oscillator"
coordinates = [1.0, 0.5]
[integrator]
method = "symplectic-energy-momentum"
time_step = 0.1
largest_step = 0.5
""",
    "file": "[time]\nend = 0.02\n" + GEL + """[[bodies]]
name = "solid"
material = "gel"
shape = "file"
file = "solid.msh"
group = "solid"
scale = 0.1
rotation = { axis = [1, 0, 0], angle = 90 }
velocity = [1, 0, 0]
[[supports]]
name = "clamp"
body = "solid"
group = "bottom"
components = ["z"]
[integrator]
method = "energy-stepping"
energy_step = 5e-3
""" + QUIET,
    "gmsh": "[time]\nend = 0.01\n" + GEL + """[[bodies]]
name = "ball"
material = "gel"
shape = "ball"
radius = 0.05
size = 0.05
refine = [{ point = [0.05, 0, 0], size = 0.03, radius = 0.04 }]
spin = [0, 20, 0]
[[bodies]]
name = "block"
material = "gel"
shape = "block"
extent = [0.1, 0.1, 0.1]
size = 0.08
position = [0, 0, 0.12]
velocity = [0, 0, -3]
[contact]
model = "barrier"
[integrator]
method = "clocked-energy-stepping"
""" + QUIET,
}

HOSTILE_NUMBERS = ("0", "-1", "1", "1e308", "-1e308", "1e-308", "5e-324", "nan", "inf", "-inf", "1e160", "1e-160", "1e30",
                   "1e-30", "1e15", "1e-15", "-0.0", "2147483647", "2147483648", "9223372036854775807",
                   "9223372036854775808", "-9223372036854775808", "1" + 40 * "0", "0.5", "2.0", "1e")
FACTORS = (0.1, 0.5, 0.999, 1.001, 2, 10, -1)
OTHER_TYPES = ('"soon"', '""', "true", "[]", "[1]", "[1, 2]", "[0, 0, 0]", "[1, 2, 3, 4]", "[[1, 2, 3]]", "{}", "{ a = 1 }",
               '["a", "b", "c"]', "1979-05-27", "0x7f", "1_000", "'''\na'''", '["left", "left"]')
STRANGE_LINES = ("colour = 3", "[colours]", "[[colours]]", "[[bodies]]", "[bodies]", "[materials]", "time.end = 2",
                 "end = 1",
                 "= 3", "name", "# a remark", "", "\t", '"" = 1', "[materials.gel]", "[[walls]]", 'name = "left"',
                 "x = " + 20000 * "1", "# " + 100000 * "long ", 'title = "' + 50000 * "a" + '"', "x = " + 500 * "[",
                 "\"a\\u0000b\" = 1")
STRANGE_BYTES = ("\x00", "\xff\xfe", "\xc3", "\xef\xbb\xbf", "\x1b[31m", "\r", "\n", '"', "'", "\\", "[", "]", "{", "}", "=",
                 "#",
                 ".", "-", "9", "\xed\xa0\x80", "\xc3\xa9")
NUMBER = re.compile(r"(?<![\w.\"-])[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.\"-])")
WORD = re.compile(r'"[^"\n]*"')
Mutation = tuple[str, str]  # the mutated text, and a description of the change


# One function for each way to break a deck's text; each returns a Mutation.


def shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:40] + "…" + text[-10:])


def replaced(text: str, match: re.Match[str], new: str) -> Mutation:
    line = text.count("\n", 0, match.start()) + 1
    return text[:match.start()] + new + text[match.end():], f"line {line}: {shown(match[0])} -> {shown(new)}"


def other_number(rng: random.Random, text: str) -> Mutation:
    matches = list(NUMBER.finditer(text))
    if not matches:
        return text, "no number left"
    match = rng.choice(matches)
    if rng.random() < 0.7:
        return replaced(text, match, rng.choice(HOSTILE_NUMBERS))
    return replaced(text, match, f"{float(match[0]) * rng.choice(FACTORS):.9g}")


def other_type(rng: random.Random, text: str) -> Mutation:
    matches = list(re.finditer(r"(?<== ).+$", text, re.MULTILINE)) if rng.random() < 0.5 else list(NUMBER.finditer(text))
    return replaced(text, rng.choice(matches), rng.choice(OTHER_TYPES)) if matches else (text, "no value left")


def other_word(rng: random.Random, text: str) -> Mutation:
    matches = list(WORD.finditer(text))
    if not matches:
        return text, "no word left"
    others = [rng.choice(matches)[0] for _ in range(6)]
    return replaced(text, rng.choice(matches), rng.choice([*others, '""', '"' + 5000 * "a" + '"', '"../x"', '"a,b"']))


def other_lines(rng: random.Random, text: str) -> Mutation:
    lines = text.split("\n")
    first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.choice(("delete", "duplicate", "swap", "move"))
    said = f"{kind} line {first + 1} {shown(lines[first])}" + (f", {second + 1}" if kind in ("swap", "move") else "")
    if kind == "delete":
        del lines[first]
    elif kind == "duplicate":
        lines.insert(first, lines[first])
    elif kind == "swap":
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines.insert(second, lines.pop(first))
    return "\n".join(lines), said


def strange_line(rng: random.Random, text: str) -> Mutation:
    lines = text.split("\n")
    place, line = rng.randrange(len(lines) + 1), rng.choice(STRANGE_LINES)
    return "\n".join([*lines[:place], line, *lines[place:]]), f"insert as line {place + 1} {shown(line)}"


def strange_byte(rng: random.Random, text: str) -> Mutation:
    place, kind = rng.randrange(len(text) + 1), rng.choice(("insert", "flip", "delete"))
    if kind == "insert":
        new = rng.choice(STRANGE_BYTES)
        return text[:place] + new + text[place:], f"insert {new!r} at byte {place}"
    new = chr(ord(text[place]) ^ (1 << rng.randrange(8))) if kind == "flip" and place < len(text) else ""
    return text[:place] + new + text[place + 1:], f"byte {place} becomes {new!r}"


def cut(rng: random.Random, text: str) -> Mutation:
    length = rng.randrange(len(text) + 1)
    return text[:length], f"cut after {length} bytes"


# Weights: changed numbers get farthest into the program, so they are the most frequent.
DECK_MUTATIONS: dict[Callable[[random.Random, str], Mutation], int] = {
    other_number: 20, other_type: 3, other_word: 5, other_lines: 4, strange_line: 2, strange_byte: 2, cut: 1}


def mutated_deck(rng: random.Random) -> tuple[bytes, str]:
    """A random deck with one to three random mutations, and their description."""
    name = rng.choice(list(DECKS))
    text, said = DECKS[name], []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        mutate = rng.choices(list(DECK_MUTATIONS), list(DECK_MUTATIONS.values()))[0]
        text, words = mutate(rng, text)
        said.append(words)
    return text.encode("latin-1"), f"{name}: " + "; ".join(said)
