"""Pieces of input decks that several tests use."""

# The spinning cube A1 on a coarse mesh of 192 tetrahedra. It ends in the table of the body, so further keys of the body may follow.
SOFT_CUBE = """[materials.soft]
density = 0.1
lame_lambda = 0.0100
lame_mu = 0.0066
[[bodies]]
name = "cube"
material = "soft"
shape = "lattice"
extent = [1.0, 1.0, 1.0]
cells = [2, 2, 2]
"""

# A small system of ten steps, with a row for each.
PENDULUM = """[time]
end = 1.0
[system]
kind = "pendulum"
[integrator]
method = "verlet"
time_step = 0.1
[output]
history_interval = 0.1
"""

# The material of the gel balls A4.
GEL = """[materials.gel]
density = 1059.0
lame_lambda = 12.04e4
lame_mu = 1.34e4
"""
