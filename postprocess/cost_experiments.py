"""Experiments on cost against accuracy: the same impact or spin with energy-stepping in several localizations, with clocked
energy-stepping, and with explicit Newmark at its stable step and below, all with the same contact. The format is that of experiments.py;
a run is called "FAMILY: parameter", the reference "reference".
"""

NO_FIELDS = {"output__field_interval": -1}
NEWMARK = {"integrator__method": "newmark"}
GEL = {"contact": '{ model = "gap" }', "bodies__1__position": [0.0525, 0, 0], "time__end": 0.04}
GEL_SIZES = {"bodies__0__size": 0.0078, "bodies__1__size": 0.0078}
CHAIN_SIZES = {"bodies__0__size": 2.0e-3, "bodies__1__size": 2.0e-3}
TOUCHING = {"localization__contact": '"touching"'}
TOGETHER = {"localization__kind": '"global"'}


def beads(size, fine):
    """Settings of the beads of A7 with element sizes `size` far from the contact and `fine` at it [m]."""
    settings = {}
    for bead in (0, 1):
        settings[f"bodies__{bead}__size"] = size
        settings[f"bodies__{bead}__refine"] = f"[{{ point = [4.7625e-3, 0.0, 0.0], size = {fine}, radius = 4.5e-3 }}]"
    return settings


def by_energy_step(family, settings, steps, share=1):
    """Runs of one family with several energy steps. `share`: the part of the named energy step that each subdomain gets."""
    return [(f"{family}: h = {step:g}", {"integrator__method": "energy-stepping", "integrator__energy_step": step * share,
                                         **settings}) for step in steps]


def by_time_step(factors, settings=None):
    return [(f"Newmark: {factor:g} stable steps", {**NEWMARK, "integrator__time_step_factor": factor, **(settings or {})})
            for factor in factors]


def by_clock(factors, settings=None):
    return [(f"clocked: {factor:g} stable steps", {"integrator__method": "clocked-energy-stepping", "integrator__time_step_factor": factor,
                                                   **TOUCHING, **(settings or {})}) for factor in factors]


def parts(count):
    return {"localization__kind": '"metis"', "localization__parts": count}


COST_EXPERIMENTS = {
    "cost-A1": {
        "deck": "a1_spinning_cube",
        "all": {"time__end": 4, **NO_FIELDS},
        "runs": [("reference", {**NEWMARK, "integrator__time_step": 5e-4}),
                 *by_time_step((0.8, 0.4, 0.2)),
                 *by_clock((0.8, 0.6, 0.4, 0.2)),
                 *by_energy_step("ES", {}, (1e-5, 5e-6, 2.5e-6, 1.25e-6)),
                 *by_energy_step("AES, 8 parts, h/8 each", parts(8), (1e-5, 5e-6, 2.5e-6), 1 / 8),
                 *(run for count in (2, 4, 16)
                   for run in by_energy_step(f"AES, {count} parts, h/{count} each", parts(count), (5e-6,), 1 / count)),
                 *by_energy_step("AES, 8 parts, h each", parts(8), (1e-5, 2.5e-6))],
        "coarse": {"bodies__0__cells": [4] * 3, "time__end": 2},
    },
    "cost-A4": {
        "deck": "a4_gel_balls",
        "all": {**GEL, **GEL_SIZES, **NO_FIELDS},
        "runs": [("reference", {**NEWMARK, "integrator__time_step_factor": 0.1}),
                 *by_time_step((0.8, 0.4, 0.2)),
                 *by_clock((0.8, 0.6, 0.4, 0.2)),
                 *by_energy_step("AES", {}, (1e-4, 3e-5, 1e-5, 3e-6)),
                 *by_energy_step("AES, touching", TOUCHING, (1e-4, 3e-5, 1e-5, 3e-6)),
                 *by_energy_step("ES", TOGETHER, (1e-4, 3e-5, 1e-5))],
        "coarse": {"bodies__0__size": 0.015, "bodies__1__size": 0.015, "time__end": 0.02},
    },
    "cost-A6": {
        "deck": "a6_bead_chain",
        "all": {"time__end": 4e-5, **CHAIN_SIZES, **NO_FIELDS},
        "runs": [("reference", {**NEWMARK, "integrator__time_step_factor": 0.1}),
                 *by_time_step((0.8, 0.4, 0.2)),
                 *by_clock((0.8, 0.6, 0.4, 0.2)),
                 *by_energy_step("AES", {}, (1e-6, 3e-7, 1e-7, 3e-8)),
                 *by_energy_step("AES, touching", TOUCHING, (1e-6, 3e-7, 1e-7, 3e-8)),
                 *by_energy_step("ES", TOGETHER, (1e-6, 3e-7, 1e-7))],
        "coarse": {"time__end": 1e-5},
    },
    "A7": {
        "deck": "a7_bead_pair",
        "all": {"contact": '{ model = "barrier" }', **beads(1.43e-3, 8.0e-5), **NO_FIELDS},
        "runs": [("reference", {**NEWMARK, "integrator__time_step_factor": 0.1}),
                 *by_time_step((0.8, 0.4, 0.2)),
                 *by_clock((0.8, 0.6, 0.4, 0.2)),
                 *by_energy_step("AES", {}, (1e-6, 2e-7, 5e-8, 2e-8)),
                 *by_energy_step("AES, touching", TOUCHING, (1e-6, 2e-7, 5e-8, 2e-8, 5e-9))],
        "coarse": {"time__end": 1.2e-5},
    },
}
