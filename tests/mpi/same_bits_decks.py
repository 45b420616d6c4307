"""The decks of same_bits.py."""

from decks import GEL, SOFT_CUBE

# 192 tetrahedra: on 7 ranks some ranks have no subdomain of their own, and every node of a slice is shared.
CUBE = """
title = "Spinning cube, coarse"
[time]
end = 20.0
events = 200
""" + SOFT_CUBE + """spin = [0.3, 0.2, 1.0]
[integrator]
method = "energy-stepping"
energy_step = 2.5e-6
[layout]
kind = "own"
[[probes]]
name = "corner"
body = "cube"
point = [0.5, 0.5, 0.5]
[output]
field_interval = -1.0
"""

# Two tetrahedra with a face in common: fewer elements than ranks.
PAIR_OF_TETRAHEDRA = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
5 0.9 0.8 1.1
$EndNodes
$Elements
2
1 4 2 1 1 1 2 3 4
2 4 2 1 1 2 3 4 5
$EndElements
"""
TETRAHEDRA = CUBE.replace('shape = "lattice"\nextent = [1.0, 1.0, 1.0]\ncells = [2, 2, 2]', 'shape = "file"\nfile = "pair.msh"').replace(
    "end = 20.0\nevents = 200", "end = 100.0\nevents = 150")

# The balls touch after 0.2 ms, off centre and spinning, so that no symmetry can hide an error.
BALLS = """
title = "Two gel balls, very coarse"
[time]
end = 0.02
events = 200
""" + GEL + """[[bodies]]
name = "striker"
material = "gel"
shape = "ball"
radius = 0.025
size = 0.015
velocity = [4.0, 0.0, 0.0]
spin = [0.0, 10.0, 20.0]
[[bodies]]
name = "target"
material = "gel"
shape = "ball"
radius = 0.025
size = 0.015
position = [0.0507, 0.003, 0.001]
[contact]
model = "face-intersection"
stiffness = 1.0e4
[integrator]
method = "energy-stepping"
energy_step = 2.0e-4
[layout]
kind = "own"
[output]
field_interval = -1.0
"""

# The same balls with rigid contact: exact reflections.
RIGID = BALLS.replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "rigid"')

# Eight balls in a box with walls on all sides: pairs of balls wake up and fall asleep.
PACKING = """
title = "Eight balls in a box"
[time]
end = 1.0
events = 400
""" + GEL + """[[bodies]]
name = "ball"
material = "gel"
shape = "ball"
radius = 0.01
size = 0.012
position = [0.0125, 0.0125, 0.0125]
repeat = { counts = [2, 2, 2], spacing = [0.025, 0.025, 0.025], random_speed = 4.0, seed = 8 }
[[probes]]
name = "second"
body = "ball-2"
point = [0.0375, 0.0125, 0.0225]
[[probes]]
name = "first"
body = "ball-1"
point = [0.0225, 0.0125, 0.0125]
[contact]
model = "barrier"
""" + "".join(f"""[[walls]]
name = "{name}"
model = "barrier"
point = {point}
normal = {normal}
""" for name, point, normal in (
    ("left", [0, 0, 0], [1, 0, 0]), ("right", [0.05, 0, 0], [-1, 0, 0]), ("front", [0, 0, 0], [0, 1, 0]),
    ("back", [0, 0.05, 0], [0, -1, 0]), ("floor", [0, 0, 0], [0, 0, 1]), ("ceiling", [0, 0, 0.05], [0, 0, -1]))) + """
[integrator]
method = "energy-stepping"
energy_step_fraction = 1.0e-4
[layout]
kind = "own"
[output]
field_interval = -1.0
"""

# Twenty-seven balls, some of which are always out of each other's reach.
GAS = PACKING.replace("counts = [2, 2, 2]", "counts = [3, 3, 3]").replace("0.05", "0.075").replace("events = 400", "events = 1500")

GAP = BALLS.replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "gap"\ndistance = 1.0e-3')

# Two balls that touch for a long time fly together to a third.
ABREAST = BALLS.replace("velocity = [4.0, 0.0, 0.0]\nspin = [0.0, 10.0, 20.0]", "velocity = [6.0, 0.2, 0.0]").replace(
    'position = [0.0507, 0.003, 0.001]\n', """position = [0.001, 0.0508, 0.001]
velocity = [6.0, 0.0, 0.0]
[[bodies]]
name = "third"
material = "gel"
shape = "ball"
radius = 0.025
size = 0.015
position = [0.15, 0.055, 0.0]
""").replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "barrier"\ndistance = 1.0e-3')

BARRIER = BALLS.replace('model = "face-intersection"\nstiffness = 1.0e4', 'model = "barrier"\ndistance = 1.0e-3')

# A fork flies sidewise into a wall: one prong stops, the other closes the slit. Only contact of the body with itself prevents that it
# passes through.
FORK_GEOMETRY = """SetFactory("OpenCASCADE");
Box(1) = {-0.5, -0.5, -0.2, 1.0, 2.0, 0.4};
Box(2) = {-0.04, 0, -0.2, 0.08, 1.5, 0.4};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
"""
FORK = """
title = "Fork that closes"
[time]
end = 20.0
events = 800
[materials.soft]
density = 0.1
lame_lambda = 0.0100
lame_mu = 0.0066
[[bodies]]
name = "fork"
material = "soft"
shape = "file"
file = "fork.geo"
size = 0.35
velocity = [-0.3, 0.0, 0.0]
spin = [0.0, 0.01, 0.0]
[contact]
model = "barrier"
self = true
[[walls]]
name = "left"
point = [-0.55, 0.0, 0.0]
normal = [1.0, 0.0, 0.0]
model = "barrier"
distance = 0.03
[integrator]
method = "energy-stepping"
energy_step_fraction = 2.0e-3
[layout]
kind = "own"
[output]
field_interval = -1.0
"""

# A cube on a support that moves, under gravity, and a second cube that falls on it beside a wall.
HELD = """
title = "Cubes on a moving support"
[time]
end = 40.0
events = 600
""" + SOFT_CUBE + """velocity = [0.0, 0.02, -0.01]
[[bodies]]
name = "upper"
material = "soft"
shape = "lattice"
extent = [0.8, 0.8, 0.8]
cells = [1, 2, 1]
position = [0.15, 0.1, 0.95]
velocity = [0.2, 0.0, -0.1]
spin = [0.1, 0.05, 0.0]
[[supports]]
name = "foot"
body = "cube"
box = [[-1.0, -1.0, -0.5], [1.0, 1.0, -0.4999]]
components = ["z", "x"]
velocity = [0.03, 0.0, 0.01]
[[supports]]
name = "pin"
body = "cube"
box = [[-0.5, -0.5, -0.5], [-0.5, -0.5, -0.5]]
components = ["y"]
[gravity]
acceleration = [0.0, 0.001, -0.004]
[contact]
model = "gap"
distance = 0.04
[[walls]]
name = "side"
point = [0.62, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
stiffness = 0.05
[integrator]
method = "energy-stepping"
energy_step = 5e-6
[output]
field_interval = -1.0
"""

# Contact by Hertz's law: three balls in a line, a gap before the second, two of them spinning, and a wall behind the last.
HERTZ = """
title = "Three balls and a wall"
[time]
end = 0.02
events = 500
""" + GEL + "".join(f"""[[bodies]]
name = "ball-{i}"
material = "gel"
shape = "ball"
radius = 0.025
mass = "sphere"
size = 0.015
position = [{0.05 * i + (0.0002 if i > 0 else 0)}, 0.0, 0.0]
velocity = [{0.5 if i == 0 else 0.0}, 0.0, 0.0]
spin = [{3.0 * i}, 0.0, 0.0]
""" for i in range(3)) + """[contact]
model = "hertz"
patch = 0.02
[[walls]]
name = "end"
model = "hertz"
point = [0.12521, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
[integrator]
method = "energy-stepping"
energy_step = 1.0e-7
[output]
field_interval = -1.0
"""

# Every potential of particles: atoms with a cut-off inside a ball fall on a floor; two beads, tied to each other and to an atom.
PARTICLES = f"""
title = "Particles with every potential"
[time]
end = 100.0
events = 400
[[particles]]
name = "atoms"
mass = 1.5
positions = {[[round(1.1 * (n % 3) + 0.03 * (n * n % 7), 3), round(1.08 * (n // 3 % 3) - 0.02 * (n * 5 % 11), 3),
               round(1.12 * (n // 9) + 0.025 * (n * 3 % 5), 3)] for n in range(27)]}
velocities = {[[round(0.4 * ((7 * n + 3 * d) % 11 - 5) / 5, 3) for d in range(3)] for n in range(27)]}
[[particles]]
name = "beads"
mass = [2.0, 3.0]
positions = [[4.0, 1.0, 1.0], [4.9, 1.2, 0.8]]
""" + """
[[potentials]]
name = "atom-atom"
kind = "lennard-jones"
between = ["atoms", "atoms"]
depth = 1.0
diameter = 1.0
cutoff = 2.2
[[potentials]]
name = "attraction"
kind = "gravity"
constant = 0.05
between = ["atoms", "beads"]
[[potentials]]
name = "bond"
kind = "spring"
stiffness = 3.0
length = 0.9
pairs = [[28, 29], [1, 28]]
[[potentials]]
name = "collision"
kind = "hertz"
stiffness = 20.0
length = 1.0
between = ["atoms", "beads"]
[[potentials]]
name = "screened"
kind = "pair-expression"
energy = "0.1*exp(-r/2)/r"
between = ["beads", "beads"]
[[potentials]]
name = "ball"
kind = "circle"
stiffness = 40.0
radius = 4.0
centre = [1.0, 1.0, 1.0]
[[potentials]]
name = "waves"
kind = "expression"
energy = "0.2*sin(2*x)*cos(y) + 0.01*(x - 1)^4 + 0.05*sqrt(1 + z^2)"
[[walls]]
name = "floor"
point = [0.0, 0.0, -0.5]
normal = [0.0, 0.1, 1.0]
stiffness = 30.0
[gravity]
acceleration = [0.0, 0.05, -0.2]
[localization]
kind = "bodies"
[integrator]
method = "energy-stepping"
energy_step = 0.2
[output]
field_interval = -1.0
"""

# For methods that cannot divide a system: rank 0 has all of it, and momenta are not exact.
ARGON = """
title = "Argon atoms"
[time]
end = 0.02
events = 300
[[particles]]
name = "argon"
mass = 66.34e-27
positions = [[0.02, 0.39], [0.34, 0.17], [0.36, -0.21], [-0.02, -0.40]]
velocities = [[50, -90], [-70, -60], [90, 40], [80, 90]]
[[potentials]]
name = "argon-argon"
kind = "lennard-jones"
depth = 1.65402828e-21
diameter = 0.341
[integrator]
method = "labudde-greenspan"
time_step = 5.0e-5
[output]
field_interval = -1.0
"""
STEPS = """
title = "Two particles about a centre with a step at a circle"
[time]
end = 30.0
[[particles]]
name = "particle"
mass = 1.0
positions = [[1.6, 0.0], [0.0, -0.7]]
velocities = [[0.0, 0.5], [1.0, 0.3]]
[[potentials]]
name = "sun"
kind = "central"
strength = 1.0
[[potentials]]
name = "circle"
kind = "step"
height = 0.05
[[potentials.parts]]
shape = "ball"
point = [0.0, 0.0]
radius = 1.0
[integrator]
method = "discontinuous-potential"
time_step = 0.1
[output]
field_interval = -1.0
"""

# A room with a pillar; its walls and the pillar reflect particles that springs connect.
ROOM = """
title = "Springs in a room with a pillar"
[time]
end = 100.0
events = 400
[[particles]]
name = "balls"
mass = [1.0, 2.0, 1.5]
positions = [[0.6, 0.2], [-0.5, 0.1], [0.1, -0.6]]
velocities = [[1.0, 0.5], [-0.3, 0.9], [0.7, 0.2]]
[[potentials]]
name = "spring"
kind = "spring"
stiffness = 1.0
length = 0.3
[[potentials]]
name = "room"
kind = "step"
wall = true
side = "outside"
""" + "".join(f"""[[potentials.parts]]
shape = "half-space"
point = {normal}
normal = {normal}
""" for normal in ([1, 0], [-1, 0], [0, 1], [0, -1])) + """[[potentials]]
name = "pillar"
kind = "step"
wall = true
[[potentials.parts]]
shape = "ball"
point = [0.2, 0.1]
radius = 0.15
[integrator]
method = "energy-stepping"
energy_step = 0.02
[output]
field_interval = -1.0
"""
