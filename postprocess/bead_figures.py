"""Figures of two beads with Hertz's law or with layers: the law of their contact, and restitution over speed. The functions are called
as those of reference_figures.py."""
import numpy

import hertz_chain
from bead_chain_figures import draw_chain, draw_chains, draw_study
from bead_experiments import GAP, LAYER
from bead_forces import Loading, hertz_approach, hertz_time_above
from figures import finished, restitution, save, sheet
from terrace_output import is_complete, read_frames, read_grid

COLORS = {"0.15 mm": "tab:orange", "0.08 mm": "tab:blue", "0.04 mm": "tab:green"}
DASHES = {"hertz": "-", "barrier": "--", "gap": ":"}
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.95, 1.0)
PEAK = hertz_chain.impact(0.44)[0]
SOUND = (2.13e11 / hertz_chain.DENSITY) ** 0.5  # c₀ = √(E/ρ) [m/s]


def parts(name):
    """"press, hertz, 0.15 mm" as a list of three."""
    return name.split(", ")


def loading(run):
    """The Loading of two beads, in an impact or between supports, from their centres of mass. The momentum that the second bead gets from
    the first is the change of its own, plus what its support takes up."""
    first, second = (run.body(name) for name in run.body_names()[:2])
    momentum = second["momentum_x"] + (run.body("right plane")["momentum_x"] if "right plane" in run.body_names() else 0)
    free = 0.0 if ", hertz" in run.name else GAP - LAYER
    return Loading(first["time"], first["position_x"], second["position_x"], momentum, free)


def style(name):
    _, contact, mesh = parts(name)
    # Curves of Hertz's law lie on each other, so those drawn first are the widest.
    wide = {"0.15 mm": 5, "0.08 mm": 3, "0.04 mm": 1.5}[mesh] if contact == "hertz" else 1.3
    return {"color": COLORS[mesh], "linestyle": DASHES[contact], "linewidth": wide, "label": f"{contact}, {mesh}"}


def draw_law(runs, folder):
    """Draws press.png and impact.png: force, approach and local exponent compared with Hertz, and contact radius (press) or force over
    time (impact). Only of finished runs: the curve of an impact ends at its largest force, which must have been reached."""
    runs = {run.name: run for run in finished(runs.values())}
    found = {name: loading(run) for name, run in runs.items()}
    for kind in ("press", "impact"):
        figure, panels = sheet(2, 2, height=3.9, width=12)
        (force, ratio), (exponent, last) = panels
        for name, curve in found.items():
            if parts(name)[0] == kind:
                draw_loading(force, ratio, exponent, curve, style(name))
        hertz = numpy.geomspace(0.05, 140, 60)
        force.loglog([1e6 * hertz_approach(value) for value in hertz], hertz, color="black", linewidth=1, linestyle="-.", label="Hertz")
        force.set(xlabel="approach of the centres of mass [µm]", ylabel="force [N]", xlim=(0.03, 8), ylim=(0.1, 150))
        ratio.axhspan(0.97, 1.03, color="lightgray", alpha=0.6)
        ratio.set(xlabel="force [N]", ylabel="approach / Hertz's", xlim=(0.5, 110), ylim=(0.2, 1.15))
        exponent.axhspan(1.45, 1.55, color="lightgray", alpha=0.6)
        exponent.set(xlabel="force [N]", ylabel="local exponent dlnF/dlnδ", xlim=(0.5, 110), ylim=(0.9, 2.4))
        force.legend(fontsize="x-small")
        mine = {name: run for name, run in runs.items() if parts(name)[0] == kind}
        (draw_radii if kind == "press" else draw_pulses)(last, mine, found)
        save(figure, folder, kind)
    return [line for name, curve in found.items() for line in law_figures(name, curve)]


def draw_loading(force, ratio, exponent, curve, line):
    force.loglog([1e6 * d for d in curve.approach], curve.force, **line)
    ratio.semilogx(curve.force, [d / hertz_approach(f) for d, f in zip(curve.approach, curve.force)], **line)
    forces = [f for f in numpy.geomspace(0.5, curve.peak / 1.1, 40) if curve.exponent_at(f) is not None]
    exponent.semilogx(forces, [curve.exponent_at(f) for f in forces], **line)


def draw_pulses(panel, runs, found):
    """Draws the force over time of impacts."""
    for name in runs:
        times = numpy.array(found[name].times) - (0.0 if ", hertz" in name else (GAP - LAYER) / 0.44)
        panel.plot(1e6 * times, found[name].forces, **style(name))
    pair = hertz_chain.HertzChain([hertz_chain.mass()] * 2, [hertz_chain.stiffness()], 0.44, 4e-5)
    panel.plot([1e6 * time for time in pair.times], pair.forces[0], color="black", linewidth=1, linestyle="-.", label="Hertz")
    panel.set(xlabel="time since touching [µs]", ylabel="force [N]")


def draw_radii(panel, runs, found):
    """Draws the contact radius over the force. For layers it is measured in the frames: the farthest surface node that is within a layer's
    reach of the plane midway. With contact "hertz" the law gives the radius from the force alone, so Hertz's curve stands for it."""
    for name, run in runs.items():
        if ", hertz" in name:
            continue
        points = []
        for time, path in read_frames(run.directory):
            force = numpy.interp(time, found[name].times, found[name].forces)
            points.append((force, 1e3 * reach(read_grid(path))))
        panel.plot(*zip(*[point for point in points if point[0] > 0.3]), marker="o", markersize=3, **style(name))
    forces = numpy.geomspace(0.3, 140, 60)
    panel.plot(forces, [1e3 * hertz_radius(force) for force in forces], color="black", linewidth=0.8, label="Hertz (contact hertz: by the law)")
    panel.set(xlabel="force [N]", ylabel="contact radius [mm]", xscale="log", xlim=(0.5, 110))
    panel.legend(fontsize="x-small")


def hertz_radius(force):
    """Hertz's contact radius a of a³ = 3FR/(4E*) [m]."""
    return (hertz_approach(force) * hertz_chain.RADIUS / 2) ** 0.5


def reach(grid):
    """The largest distance from the axis of a node of a pressed bead's surface whose layer meets the other bead's [m]; 0 if there is none."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    points = vtk_to_numpy(grid.GetPoints().GetData())
    near = numpy.abs(points[:, 0] - (hertz_chain.RADIUS + GAP / 2)) < LAYER / 2
    return float(numpy.max(numpy.hypot(points[near, 1], points[near, 2]))) if near.any() else 0.0


def law_figures(name, curve):
    """Lines with approach over Hertz's and local exponent at shares of Hertz's peak force; for impacts also peak and time above 1 %."""
    lines = []
    if name.startswith("impact"):
        lines.append(f"{name}: peak {curve.peak:.2f} N, {curve.peak / PEAK:.4f} of Hertz's; time above 1 % of it "
                     f"{curve.time_above(0.01) / hertz_time_above(0.01):.4f} of Hertz's")
    approaches, exponents = [], []
    for share in SHARES:
        approach, exponent = curve.approach_at(share * PEAK), curve.exponent_at(share * PEAK)
        approaches.append("–" if approach is None else f"{approach / hertz_approach(share * PEAK):.3f}")
        exponents.append("–" if exponent is None else f"{exponent:.2f}")
    shares = ", ".join(f"{100 * share:g}" for share in SHARES)
    return [*lines, f"{name}: at {shares} % of Hertz's peak force: approach / Hertz's {', '.join(approaches)}; exponent {', '.join(exponents)}"]


def speed_of(name):
    return float(name.split(": ")[1].split()[0])


def draw_restitution(runs, folder):
    """Draws restitution.png: 1 − e over speed, with theory and the published fit."""
    figure, panels = sheet(1, 1, height=5, width=9)
    panel, lines = panels[0, 0], []
    families = {}
    for name, run in runs.items():
        if is_complete(run.summary):
            families.setdefault(name.split(": ")[0], []).append((run.body(run.body_names()[0])["velocity_x"][0], 1 - restitution(run)))
    for (family, points), (color, marker) in zip(families.items(), (("tab:blue", "o"), ("tab:orange", "s"), ("tab:red", "^"))):
        speeds, losses = zip(*sorted(points))
        panel.loglog(speeds, losses, color=color, marker=marker, linewidth=1, markersize=5,
                     label={"hertz": "contact hertz, clocked"}.get(family, family))
        if family == "hertz":
            ratios = [loss / speed * SOUND for speed, loss in zip(speeds, losses)]
            lines.append(f"{family}: (1 − e) c₀/v: mean {numpy.mean(ratios):.3f} (theory 0.049), at most {max(ratios):.3f} (0.098)")
        lines += [f"{family}: {speed:g} m/s: 1 − e = {loss:.3g}" for speed, loss in zip(speeds, losses)]
    speeds = numpy.geomspace(0.05, 10, 50)
    panel.fill_between(speeds, 1e-9, 2 * 0.049 * speeds / SOUND, color="lightgray", alpha=0.6, label="theory: at most twice the mean")
    panel.loglog(speeds, 0.049 * speeds / SOUND, color="black", linewidth=0.8, label="theory, mean: 0.049 v/c₀")
    panel.loglog(speeds, 0.0370 * speeds**0.4101, color="tab:red", linestyle="--", linewidth=1, label="published fit: 0.0370 v^0.4101")
    panel.set(xlabel="speed [m/s]", ylabel="1 − e", ylim=(1e-8, 1))
    panel.legend(fontsize="x-small", loc="upper left", ncol=2)
    save(figure, folder, "restitution")
    return lines


DRAW_BEADS = {"hertz": draw_law, "restitution": draw_restitution, "chain": draw_chain, "chain-study": draw_study, "chains": draw_chains}
