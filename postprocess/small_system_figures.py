"""Figures of small systems, D1 to D13, and of chains of beads in one dimension, B1 to B3. The functions are called as those of
reference_figures.py."""
import math
from pathlib import Path

import bead_springs
import numpy

from figures import finished, not_finished, present, save, sheet

COLORS = ("tab:blue", "tab:red", "tab:green", "black", "tab:orange", "tab:purple", "tab:brown", "tab:cyan")


def numbers(runs):
    """A table of numbers from the summaries, as lines."""
    columns = (("steps", "steps", "d"), ("average_step", "average step", ".4g"), ("energy_error", "energy error", ".3g"),
               ("energy_change", "energy change", ".3g"),
               ("force_evaluations", "force evaluations", "d"), ("newton_iterations", "Newton iterations", "d"), ("unsolved_steps", "unsolved", "d"),
               ("rejected_steps", "rejected", "d"), ("wall_seconds", "seconds", ".1f"))
    lines = [f"{'run':28}" + "".join(f"{title:>19}" for _, title, _ in columns)]
    for run in runs.values():
        summary = run.summary
        if not summary:
            lines.append(f"{run.name:28}  {not_finished(run)}")
            continue
        lines.append(f"{run.name:28}" + "".join(f"{'–' if summary.get(key) is None else format(summary[key], form):>19}" for key, _, form in columns))
        if summary["status"].startswith("failed"):
            lines.append(f"  {summary['status']}")
    return lines


def change(table, column="energy"):
    return table[column] - table[column][0]


def draw_lines(panel, runs, of_x, of_y, title, xlabel, **options):
    """Draws one line per run, of_y(history) over of_x(history)."""
    for run, color in zip(runs, COLORS):
        table = run.table("history")
        panel.plot(of_x(table), of_y(table), color=color, linewidth=0.7, label=run.name, **options)
    panel.set(title=title, xlabel=xlabel)
    if panel.lines:
        panel.legend(fontsize="x-small")


def times(table):
    return table["time"]


def steps(table):
    return numpy.diff(table["time"])


def draw_d1(runs, folder):
    starts = ("q = 0.74", "q = 0.995", "q = 1")
    figure, panels = sheet(3, 3, height=2.4)
    for row, start in zip(panels, starts):
        chosen = present(runs, *(f"{name}, {start}" for name in ("SEM", "midpoint", "energy-momentum")))
        draw_lines(row[0], chosen, lambda table: table["q_1"], lambda table: table["p_1"], "Phase portrait", "q")
        draw_lines(row[1], chosen, times, change, "Change of H(q, p)", "time")
        draw_lines(row[2], chosen[:1], lambda table: numpy.arange(len(table["time"]) - 1), steps, "Step", "number")
    save(figure, folder, "double-well")


def draw_d2(runs, folder):
    chosen = list(runs.values())
    figure, panels = sheet(2, 3)
    for panel, (x, y) in zip(panels.flat, (("q_1", "p_1"), ("q_2", "p_2"), ("q_1", "q_2"))):
        draw_lines(panel, chosen, lambda table, x=x: table[x], lambda table, y=y: table[y], f"{y} over {x}", x)
    draw_lines(panels[1, 0], chosen, times, change, "Change of H(q, p)", "time")
    draw_lines(panels[1, 1], chosen[:1], lambda table: numpy.arange(len(table["time"]) - 1), steps, "Step", "number")
    panels[1, 2].axis("off")
    save(figure, folder, "double-well-oscillator")


def draw_d3(runs, folder):
    figure, panels = sheet(1, 2, height=3.2)
    draw_lines(panels[0, 0], runs.values(), lambda table: table["q_1"], lambda table: table["p_1"], "Phase portrait", "q")
    draw_lines(panels[0, 1], runs.values(), times, lambda table: table["energy"] + 1, "Energy above its lowest", "time")
    save(figure, folder, "pendulum")


def draw_d4(runs, folder):
    amplitudes = [abs(run.table("history")["q_1"]).max() for run in runs.values()]
    lines = [f"{run.name}: largest |q_1| {amplitude:.5g}, exact 5.15" for run, amplitude in zip(runs.values(), amplitudes)]
    shown = [run for run, amplitude in zip(runs.values(), amplitudes) if amplitude < 100]
    figure, panels = sheet(3, 1, height=2.2)
    for panel, size in zip(panels.flat, (" 0.1", " 0.25", " 0.5")):
        draw_lines(panel, [run for run in shown if run.name.endswith(size)], times, lambda table: table["q_1"], f"q_1 with steps of{size}", "time")
    save(figure, folder, "rotor")
    return lines


def wall_position(time):
    time = numpy.asarray(time) % (1.01 * math.pi)
    stiff = -0.01 * numpy.sin(100 * (time - math.pi / 2))
    return numpy.where(time < math.pi / 2, numpy.cos(time), numpy.where(time < math.pi * 0.51, stiff, numpy.sin(time - 0.51 * math.pi)))


def draw_d5(runs, folder):
    figure, panels = sheet(1, 3, height=3.4)
    lines = []
    for kind, color in zip(("explicit", "midpoint", "BDF"), COLORS):
        points = []
        for run in runs.values():
            if not run.name.startswith(kind) or not finished([run]):
                continue
            table = run.table("history")
            points.append((run.summary["steps"] / run.summary["final_time"], abs(table["q_1"] - wall_position(table["time"])).max(),
                           run.summary["energy_error"]))
            lines.append(f"{run.name}: {points[-1][0]:.1f} steps in a unit of time, position {points[-1][1]:.3g}, energy {points[-1][2]:.3g}")
        points = numpy.array(sorted(points)).reshape(-1, 3)
        panels[0, 0].loglog(points[:, 0], points[:, 1], "o-", color=color, label=f"{kind}, position")
        panels[0, 0].loglog(points[:, 0], points[:, 2], "s:", color=color, label=f"{kind}, energy")
    panels[0, 0].set(title="Largest error", xlabel="steps in a unit of time")
    panels[0, 0].legend(fontsize="x-small")
    chosen = present(runs, "explicit 0.05", "midpoint 0.05", "BDF 0.0001")
    draw_lines(panels[0, 1], chosen, times, change, "Change of the energy", "time")
    panels[0, 1].set_xlim(0, 40)
    draw_lines(panels[0, 2], chosen, lambda table: table["time"][1:], steps, "Step", "time")
    panels[0, 2].set(xlim=(0, 7), yscale="log")
    save(figure, folder, "walls")
    return lines


def draw_d6(runs, folder):
    figure, panels = sheet(1, 2, height=3.4)
    chosen = present(runs, "explicit 0.02", "midpoint 0.02", "BDF 0.0001")
    draw_lines(panels[0, 0], chosen, times, change, "Change of the energy", "time")
    draw_lines(panels[0, 1], chosen, lambda table: numpy.arange(len(table["time"]) - 1), steps, "Step", "number")
    panels[0, 1].set_yscale("log")
    save(figure, folder, "billiard")
    lines = []
    for run in runs.values():
        last = {name: column[-1] for name, column in run.table("history").items()}
        speeds = [math.hypot(last[f"p_{2 * ball + 1}"], last[f"p_{2 * ball + 2}"]) for ball in range(4)]
        lines.append(f"{run.name}: sum of the speeds of the balls at rest {sum(speeds[:3]):.3g}")
    return lines


def draw_energies(runs, folder):
    done = finished(runs.values())
    if not done:
        return
    figure, panels = sheet(1, 2, height=3.2)
    draw_lines(panels[0, 0], done, times, change, "Change of the energy", "time")
    table = done[-1].table("history")
    if "q_2" in table:
        panels[0, 1].plot(table["q_1"], table["q_2"], ".", markersize=1)
        panels[0, 1].set(title="Orbit", aspect="equal")
    else:
        draw_lines(panels[0, 1], done[-1:], lambda of: of["q_1"][:400], lambda of: of["p_1"][:400], "Phase portrait, the first rows", "q")
    save(figure, folder, "energies")


def draw_d11(runs, folder):
    figure, panels = sheet(1, 2, height=3.2)
    draw_lines(panels[0, 0], runs.values(), times, change, "Change of T", "time")
    draw_lines(panels[0, 1], runs.values(), times, lambda table: change(table, "half_square_of_angular_momentum"), "Change of M", "time")
    save(figure, folder, "rigid-body")


def draw_against_exact(runs, folder):
    """Draws q_1 of all runs, and errors against the run "exact" where both are finished. Returns the largest errors."""
    figure, panels = sheet(1, 2, height=3.2)
    others = [run for run in runs.values() if run.name != "exact"]
    compared = finished(others) if finished(present(runs, "exact")) else []
    draw_lines(panels[0, 0], [*others, *present(runs, "exact")], times, lambda table: table["q_1"], "q_1", "time")
    if any(run.summary.get("system") == "stiff-pendulum" for run in runs.values()):
        draw_lines(panels[0, 1], others, times, lambda table: numpy.hypot(table["q_1"], table["q_2"]) - 1, "Off the circle", "time")
    elif compared:
        draw_lines(panels[0, 1], compared, times, lambda table: table["q_1"] - runs["exact"].table("history")["q_1"], "Error of q_1", "time")
    save(figure, folder, "against-exact")
    return [f"{run.name}: largest error of q_1 {abs(run.table('history')['q_1'] - runs['exact'].table('history')['q_1']).max():.4g}"
            for run in compared]


def draw_chain(runs, folder, chain, first, last):
    """Draws forces and speeds of the pulse, and returns fits over the beads `first` to `last`. Only of finished runs: in others the pulse
    has not passed the whole chain."""
    shown = finished(runs.values())
    if not shown:
        return []
    figure, panels = sheet(1, 3, height=3.4)
    lines, points = [], []
    for run, color in zip(shown, COLORS):
        rows = bead_springs.history(Path(run.directory))
        found = bead_springs.pulses(rows, chain)
        inner = [pulse for pulse in found if first <= pulse["bead"] <= last]
        if run.name != "none":  # without losses all beads see the same force
            points += [(pulse["force"], pulse["speed"]) for pulse in inner if pulse["bead"] >= 12]
        at_start, per_bead = bead_springs.decay(found, first, last)
        lines.append(f"{run.name}: F = {at_start:.4g} N exp({per_bead:.3g} k), {inner[0]['speed']:.1f} to {inner[-1]['speed']:.1f} m/s, "
                     f"width {inner[-1]['width']:.3f} beads")
        panels[0, 0].plot([pulse["bead"] for pulse in found], [pulse["force"] for pulse in found], "o", color=color, markersize=3, label=run.name)
        panels[0, 1].plot([pulse["force"] for pulse in inner], [pulse["speed"] for pulse in inner], "o", color=color, markersize=3)
        if run is shown[0]:
            forces = bead_springs.contact_forces(rows, chain)
            for bead in range(first, last, 4):
                sensor = [0.5 * (a + b) for a, b in zip(forces[bead - 2], forces[bead - 1])]
                panels[0, 2].plot([1e6 * row["time"] for row in rows], sensor, linewidth=0.7)
    law = ""
    if points:
        prefactor, exponent = bead_springs.power_law(points)
        lines.append(f"V = {prefactor:.4g} F^{exponent:.4f}")
        law = f": F^{exponent:.4f}"
    panels[0, 0].set(title="Sensor force [N]", xlabel="bead", yscale="log")
    panels[0, 0].legend(fontsize="x-small")
    panels[0, 1].set(title=f"Speed [m/s]{law}", xlabel="force [N]", xscale="log", yscale="log")
    panels[0, 2].set(title="Sensor forces of every fourth bead [N]", xlabel="time [µs]")
    save(figure, folder, "chain")
    return lines


def draw_b(runs, folder):
    return draw_chain(runs, folder, bead_springs.Chain(), 5, 24)


def draw_b3(runs, folder):
    return draw_chain(runs, folder, bead_springs.Chain(beads=70, diameter=4.76e-3), 20, 60)


DRAW_SMALL_SYSTEMS = {"D1": draw_d1, "D2": draw_d2, "D3": draw_d3, "D4": draw_d4, "D5": draw_d5, "D6": draw_d6, "D7": draw_energies, "D8": draw_energies,
                      "D9": draw_energies, "D10": draw_energies, "D11": draw_d11, "D12": draw_against_exact, "D13": draw_against_exact, "B1": draw_b,
                      "B2": draw_b, "B3": draw_b3}
