"""The experiments C2 to C4 on force-stepping and E1 to E4 on discontinuous potentials. The format is that of experiments.py."""
import math

C2_SIZES = [0.04 * 2.0 ** (-n / 2) for n in range(12)]
PI = math.pi


def steps_of_time(method, step, **settings):
    return {"integrator__method": f'"{method}"', "integrator__time_step": step, **settings}


def variant(name, step, **settings):
    return {"integrator__variant": f'"{name}"', "integrator__time_step": step, **settings}


def c2_study(parity):
    name = "with parity" if parity else "without parity"
    return [(f"{name}, h = {size:.5f}", {"integrator__grid_spacing": size, "integrator__parity": parity, "time__end": 0.1,
                                         "integrator__grid_offset": 0 if parity else 0.618, "output__history_interval": 1e-3})
            for size in C2_SIZES]


# Errors are measured over the first picosecond. Later the cluster's chaos makes all errors alike: 1 to 10 % of the norms after 0.1 ns,
# whatever h.
PICOSECOND = {"time__end": 1e-3, "output__history_interval": 1e-5, "output__bodies_interval": 1e-5}


def c2_errors(parity):
    return [(f"error {'with' if parity else 'without'} parity, h = {size:.5f}",
             {"integrator__grid_spacing": size, "integrator__parity": parity, "integrator__grid_offset": 0 if parity else 0.618, **PICOSECOND})
            for size in C2_SIZES]


STEPPING_EXPERIMENTS = {
    "C2": {
        "deck": "c2_argon_force_stepping",
        "all": {"output__field_interval": -1},
        "runs": [
            ("h = 0.020", {}),
            ("h = 0.005", {"integrator__grid_spacing": 0.005}),
            ("Newmark 3.12 fs", steps_of_time("newmark", 3.12e-6)),
            ("Newmark 0.80 fs", steps_of_time("newmark", 0.8e-6)),
            *c2_study(True), *c2_study(False), *c2_errors(True), *c2_errors(False),
            # The reference for their errors.
            ("Newmark 0.02 fs", steps_of_time("newmark", 2e-8, **PICOSECOND)),
        ],
        "coarse": {},
        "skip": ["h = 0.020", "h = 0.005", "Newmark 3.12 fs", "Newmark 0.80 fs"],
    },
    "C3": {
        "deck": "c3_kepler",
        "all": {},
        "runs": [
            ("e = 0.85", {}),
            ("e = 0.85, Newmark", steps_of_time("newmark", 0.0125)),
            ("e = 0.85, LaBudde-Greenspan", steps_of_time("labudde-greenspan", 0.0125)),
            ("e = 0.99", {"deck": "c3_kepler_eccentric"}),
            ("e = 0.99, Newmark", steps_of_time("newmark", 0.000175, deck="c3_kepler_eccentric")),
            ("e = 0.99, LaBudde-Greenspan", steps_of_time("labudde-greenspan", 0.000175, deck="c3_kepler_eccentric")),
        ],
        "coarse": {"time__end": 8 * PI},
    },
    "C4": {
        "deck": "c4_kepler_reduced",
        "all": {},
        "runs": [
            ("reduced to r", {}),
            ("in the plane", {"deck": "c3_kepler"}),
        ],
        "coarse": {"time__end": 8 * PI},
    },
    "E1": {
        "deck": "e1_quadratic_step",
        "all": {},
        "runs": [(f"{name}, {step:g}", variant(name, step))
                 for name in ("dp1", "dp1-forward-euler", "dp3", "dp3-runge-kutta") for step in (0.1, 0.05, 0.025, 0.0125)]
        + [(f"penalty, {steepness:g}", variant("penalty", 0.02 / steepness, integrator__steepness=steepness))
           for steepness in (20, 80, 320)],
        "coarse": {"time__end": 20},
    },
    "E2": {
        "deck": "e2_nonlinear_step",
        "all": {},
        "runs": [(f"{name}, {step:g}", variant(name, step)) for name in ("dp2", "dp2-strang", "dp1")
                 for step in (0.1, 0.05, 0.025, 0.0125, 0.00625)]
        + [("reference", variant("dp4", 0.0025, integrator__order=6))]
        + [(f"{name}, long", variant(name, 0.1, time__end=1000)) for name in ("dp2", "dp2-strang", "dp1")],
        "coarse": {},
    },
    "E3": {
        "deck": "e3_gravity_circle",
        "all": {},
        "runs": [
            ("dp1", variant("dp1", 0.01)),
            ("dp1-lie-trotter", variant("dp1-lie-trotter", 0.01)),
            ("dp1-forward-euler", variant("dp1-forward-euler", 0.01)),
            ("dp4", variant("dp4", 0.01)),
            ("penalty", variant("penalty", 2e-4, integrator__steepness=200)),
            ("dp1, long", variant("dp1", 0.01, time__end=20000, output__history_interval=5)),
        ],
        "coarse": {"time__end": 50},
    },
    "E4": {
        "deck": "e4_mushroom",
        "all": {},
        "runs": [(f"c = {strength:g}", {f"potentials__{k}__coefficients": [0, 0, 0, 0, strength] for k in (0, 1)})
                 for strength in (0, 0.01, 0.05, 0.3)],
        "coarse": {"time__end": 40},
    },
}
