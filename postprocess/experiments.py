"""The reference experiments A1 to A6, A8 and A9 on finite elements and C1, C5 on particles: tables of decks and settings.

A run is (name, settings). Settings are keys of the deck with __ instead of the dot; "deck" among them names another deck than the
experiment's. `all` holds settings of all runs. In the coarse version `coarse` replaces or adds settings of all runs (a run may have a
`coarse` of its own), and the runs named in `skip` are left out.
"""


def newmark(time_step, every, **settings):
    """Settings of a Newmark run with a row after each `every` steps."""
    return {"integrator__method": "newmark", "integrator__time_step": time_step,
            "output__history_interval": every * time_step, **settings}


def cells(count):
    return {"bodies__0__cells": [count] * 3}


def ball_sizes(*sizes):
    return {f"bodies__{body}__size": size for body, size in enumerate(sizes)}


A1_FIELDS = {"output__field_interval": 0.25, "output__single_precision": True}
NO_FIELDS = {"output__field_interval": -1}
# The beads of A6, coarser away from their contacts; and the settings of runs that only measure costs.
COARSE_BEADS = ball_sizes(2.0e-3, 2.0e-3)
COST = {"time__end": 4e-5, **NO_FIELDS, **COARSE_BEADS}
SYNCHRONOUS = {"localization__kind": '"global"'}

ARGON_ENERGY = 1.9594998e-20  # -V at the start [J]: reproduces the published average steps, see tests/README.md
# 100 ns with trajectories every 0.5 ps, of which the figure shows the last 50 ps as published; and 1 ns with rows every 50 fs.
LONG = {"time__end": 100, "output__history_interval": 0.1, "output__bodies_interval": 0.0005}
SHORT = {"time__end": 1, "output__history_interval": 0.01, "output__bodies_interval": 5e-5}


def falling_bead(speed, gap):
    """Settings of the bead of A9 that falls at this speed [m/s] from a gap [m] above the block. The run ends after Hertz's contact time,
    which falls with the fifth root of the speed."""
    end = gap / speed + 42e-6 * (0.44 / speed) ** 0.2
    return {"bodies__0__velocity": [0, 0, -speed], "bodies__0__position": [0, 0, 4.7625e-3 + gap], "time__end": end,
            "output__history_interval": end / 300}


def verlet(femtoseconds, **settings):
    """Velocity Verlet on the argon cluster, whose unit of time is the nanosecond."""
    return {"integrator__method": "newmark", "integrator__time_step": 1e-6 * femtoseconds, **settings}


EXPERIMENTS = {
    "A1": {
        "deck": "a1_spinning_cube",
        "all": {"time__end": 80, **A1_FIELDS},
        "runs": [
            ("h = 1e-5", {}),
            ("h = 3e-5", {"integrator__energy_step": 3e-5}),
            ("h = 6e-5", {"integrator__energy_step": 6e-5}),
            ("Newmark 0.0082", newmark(0.0082, 10)),
            ("Newmark 0.0204", newmark(0.0204, 4)),
            ("Newmark 0.0381", newmark(0.0381, 2)),
            # Published with 0.0001. At 0.001 the error of a second-order method is already 67 times smaller than at 0.0082.
            ("Newmark 0.001", newmark(0.001, 100)),
        ],
        "coarse": {"time__end": 20, **cells(4)},
    },
    "A2": {
        "deck": "a2_oblique_balls",
        "all": {},
        "runs": [
            ("h = 1e3", {}),
            ("h = 1e2", {"integrator__energy_step": 100, **NO_FIELDS}),
            ("Newmark 3e-5", newmark(3e-5, 10, **NO_FIELDS)),
        ],
        "coarse": ball_sizes(0.45, 0.45),
    },
    "A3": {
        "deck": "a3_oblique_cube",
        "all": {},
        "runs": [
            ("energy-stepping", {}),
            ("asynchronous", {"localization__contact": "own", **NO_FIELDS}),
            ("Newmark 0.2 ns", newmark(2e-10, 500, **NO_FIELDS)),
            ("force-stepping", {"deck": "a3_force_stepping", **NO_FIELDS}),
        ],
        "coarse": {"integrator__energy_step": 4000, "time__end": 5e-5},
        "skip": ["force-stepping"],
    },
    "A4": {
        "deck": "a4_gel_balls",
        "all": {},
        "runs": [("asynchronous", {})],
        "coarse": ball_sizes(0.0078, 0.0078),
    },
    "A5": {
        "deck": "a5_two_sizes_of_gel_balls",
        "all": {},
        "runs": [("asynchronous", {})],
        "coarse": ball_sizes(0.0078, 0.0156),
    },
    "A6": {
        "deck": "a6_bead_chain",
        "all": {"time__end": 1e-4},
        "runs": [
            ("AES 1e-7", {"integrator__energy_step": 1e-7}),
            ("AES 1e-6", {}),
            ("ES 1e-6", {**SYNCHRONOUS, **NO_FIELDS}),
            # Not published; the reference for the two energy steps.
            ("Newmark", {"integrator__method": "newmark", **NO_FIELDS}),
            # The cost of each method, always on coarse beads; Newmark at 0.1 ns runs for a quarter of the time.
            ("cost of AES 1e-6", COST),
            ("cost of AES 1e-7", {"integrator__energy_step": 1e-7, **COST}),
            ("cost of ES 1e-6", {**SYNCHRONOUS, **COST}),
            ("cost of ES 1e-7", {"integrator__energy_step": 1e-7, **SYNCHRONOUS, **COST}),
            ("cost of Newmark", {"integrator__method": "newmark", **COST}),
            ("cost of Newmark 0.1 ns", {**newmark(1e-10, 250), **COST, "time__end": 1e-5}),
        ],
        "coarse": {"time__end": 6e-5, **COARSE_BEADS},
        "skip": [f"cost of {name}" for name in ("AES 1e-6", "AES 1e-7", "ES 1e-6", "ES 1e-7", "Newmark", "Newmark 0.1 ns")],
    },
    "A8": {
        "deck": "a8_graded_bars",
        "all": NO_FIELDS,
        "runs": [
            ("clocked", {}),
            ("Newmark", {"integrator__method": "newmark"}),
        ],
        "coarse": {},
    },
    "A9": {
        "deck": "a9_bead_on_block",
        "all": {},
        "runs": [
            ("0.44 m per s", falling_bead(0.44, 5e-6)),
            ("2 m per s", falling_bead(2, 5e-5)),
            ("10 m per s", falling_bead(10, 5e-5)),
        ],
        # The coarse version has the run at 10 m/s alone, whose waves are short and whose contact is wide.
        "coarse": {"bodies__0__size": 1.8e-3, "bodies__0__refine": "[{point=[0.0,0.0,-4.7625e-3],size=1.5e-4,radius=4.5e-3}]",
                   "bodies__1__extent": [0.16, 0.16, 0.08], "bodies__1__size": 2.0e-2, "bodies__1__position": [0, 0, -0.04],
                   "bodies__1__refine": "[{point=[0.0,0.0,0.04],size=1.5e-4,radius=0.08}]"},
        "skip": ["0.44 m per s", "2 m per s"],
    },
    "C1": {
        "deck": "c1_argon",
        "all": {**NO_FIELDS},
        "runs": [
            *((f"h = E0 / {part}", {**LONG, "integrator__energy_step": ARGON_ENERGY / part}) for part in (100, 60, 30)),
            *((f"Verlet {step} fs", verlet(step, **LONG)) for step in (10, 56.98, 87.56, 124.88)),
            # Runs of 1 ns for the error (2.87) and the steps.
            *((f"1 ns, E0 / {part}", {**SHORT, "integrator__energy_step": ARGON_ENERGY / part})
              for part in (30, 60, 100, 200, 400, 800, 1600, 3200, 6400)),
            ("1 ns, Verlet 1 fs", verlet(1, **SHORT)),
        ],
        "coarse": {"time__end": 1},
    },
    "C5": {
        "deck": "c5_uniform_motion",
        "all": {**NO_FIELDS},
        "runs": [
            ("uniform motion", {}),
            ("polygon", {"deck": "c5_polygon"}),
            ("frozen turning point", {"deck": "c5_frozen_turning_point"}),
            ("polygon, Newmark", {"deck": "c5_polygon", **newmark(0.001, 10)}),
            ("uniform motion, Newmark", newmark(0.001, 10)),
            ("frozen turning point, Newmark", {"deck": "c5_frozen_turning_point", **newmark(0.001, 100)}),
        ],
        "coarse": {},
    },
}
