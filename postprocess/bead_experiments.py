"""The experiments on steel beads: with Hertz's contact law, and with the published layers on facets, which do not reproduce that law.
Tables of decks and settings, in the format of experiments.py.
"""

RADIUS = 4.7625e-3
CLOCKED = {"integrator__method": "clocked-energy-stepping"}
NEWMARK = {"integrator__method": "newmark"}
NO_FIELDS = {"output__field_interval": -1}
# Layers on facets: activation distance, and initial gap between beads, so that no layer is active at the start [m].
LAYER, GAP = 1.0e-6, 1.05e-6
# By name: element size at the contact [m], its slope away from there, element size far away [m].
MESHES = {"0.15 mm": (1.5e-4, 1.0, 2.0e-3), "0.08 mm": (8.0e-5, 0.5, 1.5e-3), "0.04 mm": (4.0e-5, 0.3, 1.5e-3)}
COARSE, USUAL, FINE = MESHES.values()


def beads(mesh, poles=1, count=2):
    """Settings that put the first `count` bodies of a deck on this mesh, fine at one pole or both."""
    fine, slope, size = mesh
    points = [RADIUS, -RADIUS][:poles]
    refine = ", ".join(f"{{ point = [{x}, 0.0, 0.0], size = {fine}, slope = {slope} }}" for x in points)
    settings = {}
    for body in range(count):
        settings[f"bodies__{body}__size"] = size
        settings[f"bodies__{body}__refine"] = f"[{refine}]"
    # On the coarse mesh the patch gets a radius of three elements.
    return {**settings, "contact__patch": 3 * fine} if mesh == COARSE else settings


def apart(gap):
    """Moves the second bead of a pair away from the first by a gap [m]."""
    return {"bodies__1__position": [2 * RADIUS + gap, 0.0, 0.0]}


def layered(model):
    return {"contact": f'{{ model = "{model}", distance = {LAYER} }}', **apart(GAP)}


def press_apart(gap):
    """Moves the support of the second bead of bead_press.toml along with a bead that apart() moved by a gap [m]."""
    low, high = 2 * RADIUS + gap - 5e-4, 2 * RADIUS + gap + 5e-4
    return {"supports__1__box": [[low, -5e-3, -5e-3], [high, 5e-3, 5e-3]]}


def law_runs():
    """Runs of pressing and impact, on every mesh, with Hertz's law and with layers on the facets."""
    runs = []
    for name, mesh in MESHES.items():
        for contact in ("hertz", "barrier", "gap"):
            if contact == "gap" and mesh != USUAL:
                continue
            settings = {**beads(mesh), **(layered(contact) if contact != "hertz" else {})}
            pressing = {"deck": "bead_press", **settings, "output__field_interval": 4e-6, "output__surface_only": True,
                        **({**press_apart(GAP), "time__end": 6.7e-5} if contact != "hertz" else {})}
            runs += [(f"press, {contact}, {name}", pressing), (f"impact, {contact}, {name}", {**settings, "time__end": 4.2e-5})]
    return runs


def contact_time(speed):
    """The contact time of two of these beads at this speed by Hertz [s], scaled from 33.9 µs at 0.44 m/s."""
    return 33.9e-6 * (0.44 / speed) ** 0.2


def at_speed(speed, **settings):
    """Settings of an impact at this speed, with 400 rows."""
    time = 1.15 * contact_time(speed) + 2e-6
    return {"bodies__0__velocity": [speed, 0.0, 0.0], "time__end": time, "output__history_interval": time / 400, **settings}


# [m/s]
SPEEDS = (0.05, 0.06, 0.07, 0.085, 0.1, 0.12, 0.14, 0.17, 0.2, 0.25, 0.3, 0.36, 0.44, 0.52, 0.6, 0.7, 0.8, 0.9, 1.0, 1.2, 1.4, 1.7, 2.0, 2.4,
          3.0, 3.7, 4.5, 5.6, 7.0, 8.4, 10.0)


def restitution_runs():
    resolved = [(f"hertz: {speed:g} m/s", at_speed(speed, contact__patch=max(2.26e-4, 2.26e-4 * (speed / 0.44) ** 0.4)))
                for speed in SPEEDS]
    facets = [(f"barrier on facets, energy-stepping, h = 2e-8: {speed:g} m/s",
               at_speed(speed, **beads(COARSE), **layered("barrier"), integrator__method="energy-stepping",
                        integrator__energy_step=2e-8, time__end=1.2 * contact_time(speed) + GAP / speed))
              for speed in (0.1, 0.2, 0.44, 1.0)]
    clocked = [(f"barrier on facets, clocked: {speed:g} m/s",
                at_speed(speed, **beads(COARSE), **layered("barrier"),
                         time__end=1.2 * contact_time(speed) + GAP / speed))
               for speed in (0.1, 0.2, 0.44, 1.0, 3.0, 10.0)]
    return resolved + clocked + facets


def chain(count, mesh=USUAL, passing=17.0e-6, **settings):
    """Settings of a chain of `count` beads. `passing`: time that the pulse is given for each bead [s]."""
    return {**beads(mesh, poles=2), "bodies__1__repeat__count": count - 1, "time__end": (count + 1) * passing, **settings}


FACETS = {"contact": f'{{ model = "barrier", distance = {LAYER} }}', "bodies__1__position": [2 * RADIUS + GAP, 0.0, 0.0],
          "bodies__1__repeat__offset": [2 * RADIUS + GAP, 0.0, 0.0]}
EIGHT = {name: chain(8, mesh) for name, mesh in MESHES.items()}
FACET_EIGHT = {name: {**settings, **FACETS} for name, settings in EIGHT.items()}


def wall(count):
    """A rigid wall at the end of a chain of so many beads."""
    return {"walls": f'[{{ name = "wall", point = [{(2 * count - 1) * RADIUS}, 0.0, 0.0], normal = [-1.0, 0.0, 0.0], model = "hertz" }}]'}


BEAD_EXPERIMENTS = {
    "hertz": {
        "deck": "bead_pair",
        "all": {},
        "runs": law_runs(),
        "coarse": {},
        "skip": [name for name, _ in law_runs() if "0.04 mm" in name],
    },
    "restitution": {
        "deck": "bead_pair",
        "all": NO_FIELDS,
        "runs": restitution_runs(),
        "coarse": {},
        "skip": [name for name, _ in restitution_runs() if "energy-stepping" in name],
    },
    "chain": {
        "deck": "bead_chain",
        "all": NO_FIELDS,
        "runs": [("hertz", {})],
        "coarse": {**beads(COARSE, poles=2), "bodies__1__repeat__count": 11, "time__end": 2.2e-4},
    },
    "chain-study": {
        "deck": "bead_chain",
        "all": NO_FIELDS,
        "runs": [("hertz, 0.15 mm: clocked", EIGHT["0.15 mm"]),
                 ("hertz, 0.08 mm: clocked", EIGHT["0.08 mm"]),
                 ("hertz, 0.15 mm: half the step", {**EIGHT["0.15 mm"], "integrator__time_step_factor": 0.2}),
                 ("hertz, 0.15 mm: Newmark", {**EIGHT["0.15 mm"], **NEWMARK}),
                 ("facets, 0.15 mm: clocked", FACET_EIGHT["0.15 mm"]),
                 ("facets, 0.08 mm: clocked", FACET_EIGHT["0.08 mm"]),
                 ("facets, 0.15 mm: Newmark", {**FACET_EIGHT["0.15 mm"], **NEWMARK}),
                 *((f"{kind}, 0.15 mm: energy-stepping, h = {step:g}",
                    {**settings["0.15 mm"], "integrator__method": "energy-stepping", "integrator__energy_step": step})
                   for kind, settings in (("facets", FACET_EIGHT), ("hertz", EIGHT)) for step in (1e-6, 1e-7))],
        "coarse": {"bodies__1__repeat__count": 4, "time__end": 1.0e-4},
        "skip": ["hertz, 0.08 mm: clocked", "facets, 0.08 mm: clocked"],
    },
    "chains": {
        "deck": "bead_chain",
        "all": NO_FIELDS,
        "runs": [("heavy striker", chain(14, COARSE, 17e-6, materials__striker__density=4 * 7780.0)),
                 ("light striker", chain(12, COARSE, 19e-6, materials__striker__density=7780.0 / 4)),
                 ("wall", {**chain(8, COARSE, 17e-6), "time__end": 2.9e-4, **wall(8)}),
                 ("dimer, masses 1 to 0.35", {"deck": "bead_dimer_chain", **beads(COARSE, poles=2, count=3)}),
                 ("dimer, masses 1 to 0.59", {"deck": "bead_dimer_chain", **beads(COARSE, poles=2, count=3),
                                              "materials__light__density": 0.59 * 7780.0})],
        "coarse": {"time__end": 1.2e-4},
    },
}

# The key contact.patch belongs to Hertz's law; layers have no patches.
for _experiment in BEAD_EXPERIMENTS.values():
    for _, _settings in _experiment["runs"]:
        if "contact" in _settings:
            _settings.pop("contact__patch", None)
