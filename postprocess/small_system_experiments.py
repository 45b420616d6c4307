"""The experiments D1 to D13, geometric integrators on small systems, and B1 to B3, chains of beads in one dimension. The format is that
of experiments.py."""

EVERY_STEP = {"output__history_interval": 1e-9}


def method(name, **keys):
    """A setting that replaces the whole table [integrator] of a deck."""
    words = [f"method='{name}'"] + [f"{key}={value!r}" for key, value in keys.items()]
    return {"integrator": "{" + ", ".join(words) + "}"}


def wells(deck, starts):
    return [(f"{name}{', ' if label else ''}{label}", {**integrator, **where}) for label, where in starts
            for name, integrator in (("SEM", {}), ("midpoint", method("implicit-midpoint", time_step=0.1)),
                                     ("energy-momentum", method("energy-momentum", time_step=0.1)))]


def walls(variant, factor, steps, **more):
    return [(f"{variant} {step:g}", {"system__parameters__smoothing": factor * step, **more,
                                     **method("adaptive-variational", variant=variant, step_parameter=step, scaling="system")}) for step in steps]


def scaled(step, exponent, shift=0.0):
    keys = {"step_parameter": step, "scaling": "potential", "scaling_exponent": exponent, "scaling_shift": shift}
    return [("SYMM", method("step-density", **keys)), ("SYMP(T, V)", method("time-transformed-splitting", **keys))]


FIXED = {"implicit midpoint": ("implicit-midpoint", {}), "splitting": ("forced-splitting", {}), "extrapolated Euler": ("extrapolated-implicit-euler", {}),
         "Heun": ("runge-kutta", {"variant": "heun"}), "explicit midpoint": ("runge-kutta", {"variant": "midpoint"})}
STEPS = (0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01)
CHAIN = {"all": {}, "coarse": {"integrator__time_step": 2e-7}}

SMALL_SYSTEM_EXPERIMENTS = {
    "D1": {"deck": "d1_double_well", "all": EVERY_STEP,
           "runs": wells("d1", [(f"q = {q:g}", {"system__coordinates": f"[{q}]"}) for q in (0.74, 0.995, 1.0)]), "coarse": {"time__events": 300}},
    "D2": {"deck": "d2_double_well_oscillator", "all": EVERY_STEP, "runs": wells("d2", [("", {})]), "coarse": {"time__events": 300}},
    "D3": {"deck": "d3_pendulum", "all": {},
           "runs": [("symplectic Euler", {}), ("implicit Euler", method("implicit-euler", time_step=0.1)), ("Verlet", method("verlet", time_step=0.1))],
           "coarse": {"time__end": 30}},
    "D4": {"deck": "d4_rotor", "all": {},
           "runs": [(f"{name} {step:g}", {**method(kind, time_step=step, **keys), "output__history_interval": step})
                    for step in (0.1, 0.25, 0.5) for name, (kind, keys) in FIXED.items()], "coarse": {"time__end": 330}},
    "D5": {"deck": "d5_soft_and_stiff_wall", "all": EVERY_STEP,
           "runs": walls("explicit", 0.04, STEPS[1:]) + walls("midpoint", 0.033, STEPS)
           + [(f"BDF {tolerance:g}", method("bdf", time_step=0.5, order=2, tolerance=tolerance)) for tolerance in (1e-3, 1e-4, 1e-5, 1e-6)],
           "coarse": {"time__end": 20}},
    "D6": {"deck": "d6_billiard", "all": EVERY_STEP,
           "runs": walls("explicit", 0.05, (0.05, 0.02, 0.01)) + walls("midpoint", 0.05, (0.05, 0.02, 0.01))
           + [(f"BDF {tolerance:g}", method("bdf", time_step=0.5, order=2, tolerance=tolerance)) for tolerance in (1e-4, 1e-6)], "coarse": {}},
    "D7": {"deck": "d7_kepler", "all": {}, "runs": scaled(0.02, -1.5) + [("SYMP(T, V), order 4", method(
        "time-transformed-splitting", step_parameter=0.02, scaling_exponent=-1.5, order=4))], "coarse": {"time__end": 126}},
    "D8": {"deck": "d8_perturbed_oscillator", "all": {}, "runs": scaled(0.2, -0.5), "coarse": {"time__end": 1000}},
    "D9": {"deck": "d9_doubled_phase_space", "all": {},
           "runs": [("SYMM", method("step-density", step_parameter=0.2, scaling="system"))]
           + [(f"SYMP(q) {step:g}", method("doubled-phase-space", step_parameter=step, scaling="system")) for step in (0.1, 0.2, 0.3)],
           "coarse": {"time__end": 1000}},
    "D10": {"deck": "d10_magnetic_pendulum", "all": {}, "runs": scaled(0.001, -0.5, 1.0), "coarse": {"time__end": 5}},
    "D11": {"deck": "d11_rigid_body", "all": {},
            "runs": [(f"{kind}, {name}", method(f"rigid-body-{kind}", **keys)) for kind in ("rotations", "shears")
                     for name, keys in (("equal steps", {"time_step": 0.15}), ("adaptive", {"step_parameter": 0.054}))], "coarse": {}},
    "D12": {"deck": "d12_two_oscillators", "all": {},
            "runs": [("semi-explicit", {}), ("theta 0.5", method("theta", time_step=1.0, weight=0.5)), ("theta 0.8", method("theta", time_step=1.0, weight=0.8)),
                     ("generalised alpha", method("generalized-alpha", time_step=1.0)), ("exact", method("runge-kutta", time_step=1e-3))], "coarse": {}},
    "D13": {"deck": "d13_stiff_pendulum", "all": {},
            "runs": [("semi-explicit", {}), ("theta 0.5", method("theta", time_step=0.01, weight=0.5)), ("theta 0.6", method("theta", time_step=0.01, weight=0.6)),
                     ("generalised alpha", method("generalized-alpha", time_step=0.01)), ("exact", method("verlet", time_step=1e-4, order=6))], "coarse": {}},
    "B1": {"deck": "b1_bead_chain_losses", "runs": [("losses", {}), ("none", {"deck": "b2_bead_chain"})], **CHAIN},
    "B2": {"deck": "b2_bead_chain", "runs": [(f"{speed:g} m/s", {"system__parameters__speed": speed, "time__end": 5.2e-4 * (speed / 0.44271) ** -0.2})
                                             for speed in (0.1, 0.2, 0.44271, 1.0, 2.0)], **CHAIN},
    "B3": {"deck": "b3_bead_chain_drag", "runs": [(f"{speed:g} m/s", {"system__parameters__speed": speed, "time__end": 6e-4 * (speed / 1.77) ** -0.2})
                                                  for speed in (0.44, 0.9, 1.77, 3.5)], **CHAIN},
}
