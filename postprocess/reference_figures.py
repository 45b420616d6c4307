"""Figures of the reference experiments A1 to A6, A8 and A9. DRAW maps an experiment to a function draw(runs, folder).

runs = {name: Run}; folder: where the pictures go. A function may return lines for figures.txt, with numbers of this experiment alone.
"""
import numpy

from figures import (compare_energies, contact_interval, explain_dashes, finished, has_frames, motion_of_point, plot_energies,
                     plot_per_body, plot_total, present, restitution, save, sections, sheet, smooth, snapshots, step_histograms, stepped,
                     steps_of, subdomains, total)
from terrace_output import vectors

# Speed of sound sqrt(E / density) in the steel of the bead decks [m/s].
STEEL_SOUND = (8.26e10 * (3 * 9.70e10 + 2 * 8.26e10) / (9.70e10 + 8.26e10) / 7780.0) ** 0.5


def draw_a1(runs, folder):
    columns = [present(runs, stepping, newmark) for stepping, newmark in
               (("h = 1e-5", "Newmark 0.0082"), ("h = 3e-5", "Newmark 0.0204"), ("h = 6e-5", "Newmark 0.0381"))]
    columns = [column for column in columns if column] or [[]]
    columns[0] += present(runs, "Newmark 0.001")
    figure, panels = sheet(3, len(columns), width=14, sharex=True)
    for (point, energies, angular), column in zip(panels.T, columns):
        for run, color in zip(column, ("tab:blue", "black", "tab:red")):
            if has_frames(run):
                times, positions = motion_of_point(run, (0.0, 0.5, 0.5))
                point.plot(times, positions[:, 1], color=color, linewidth=0.8, label=run.name)
            history = run.table("history")
            change = history["angular_momentum_z"] / history["angular_momentum_z"][0] - 1
            angular.plot(history["time"], change, color=color, linewidth=0.8, label=run.name)
        point.set(title="y of the point (0.5, 1, 1)")
        point.legend(fontsize="x-small", ncol=3)
        compare_energies(energies, column, ("tab:blue", "black", "tab:red"), clip=1.6)
        energies.set(title="Energies")
        angular.set(title="Relative change of angular momentum about z", xlabel="time", ylim=(-5e-15, 5e-15))
    save(figure, folder, "histories")

    shown = present(runs, "h = 1e-5", "h = 3e-5", "h = 6e-5")
    stepping = stepped(shown)
    if stepping:
        figure, panels = sheet(1, len(stepping), height=3)
        step_histograms(panels[0], [steps_of(run) for run in stepping])
        for panel, run in zip(panels[0], stepping):
            panel.set_title(f"{run.name}: average step {run.summary['average_step']:.4f}, "
                            f"{100 * run.summary['monitors']['share_of_reflections']:.0f} % reflections", fontsize="small")
        save(figure, folder, "steps")
    for run in shown[:1]:
        snapshots(run, folder, "snapshots", (0, 2, 12))


def draw_a2(runs, folder):
    main = next(iter(runs.values()))
    figure, panels = sheet(1, len(runs), height=3.4, sharey=True)
    for panel, run in zip(panels[0], runs.values()):
        compare_energies(panel, [main, run] if run is not main else [run], clip=1.4)
        panel.set(title=run.name, xlabel="time [s]")
    save(figure, folder, "energies")

    figure, panels = sheet(3, 2, sharex=True)
    for row, name in zip(panels, main.body_names() + [None]):
        table = main.body(name) if name else main.table("history")
        for panel, quantity in zip(row, ("velocity", "spin") if name else ("momentum", "angular_momentum")):
            values = vectors(table, quantity)
            for axis in range(3):
                panel.plot(table["time"], values[:, axis], linewidth=1, label="xyz"[axis])
            panel.set(title=f"{name or 'system'}: {quantity.replace('_', ' ')}")
            panel.legend(fontsize="x-small")
    for panel in panels[-1]:
        panel.set_xlabel("time [s]")
    save(figure, folder, "velocities")

    stepping = stepped(run for run in runs.values() if "Newmark" not in run.name)
    if stepping:
        figure, panels = sheet(1, len(stepping), height=3, width=9)
        step_histograms(panels[0], [steps_of(run) for run in stepping])
        save(figure, folder, "steps")
    first, last = contact_interval(main, "resting")
    snapshots(main, folder, "snapshots", (0, (first + last) / 2, last), "velocity")
    return [f"{run.name}: restitution {restitution(run):.4f}, contact for "
            f"{numpy.subtract(*contact_interval(run, 'resting')[::-1]):.4f} s, final velocities "
            + " and ".join(str(vectors(run.body(name), "velocity")[-1].round(3)) for name in run.body_names())
            for run in runs.values()]


def draw_a3(runs, folder):
    main = next(iter(runs.values()))
    figure, panels = sheet(1, 1, height=4, width=8)
    compare_energies(panels[0, 0], list(runs.values()), clip=1.5)
    panels[0, 0].set(xlabel="time [s]", ylabel="energy [J]")
    save(figure, folder, "energies")

    figure, panels = sheet(2, 2, sharex=True)
    colors = ("tab:blue", "tab:green", "black", "tab:red")
    for run, color in zip(runs.values(), colors):
        history = run.table("history")
        for row, quantity in zip(panels, ("momentum", "angular_momentum")):
            body = run.body("cube") if quantity == "momentum" else history
            values = vectors(body, quantity)
            for axis, dashes in zip((0, 1, 2), ("-", "--", ":")):
                row[0].plot(body["time"], values[:, axis], dashes, color=color, linewidth=1,
                            label=f"{run.name}: {'xyz'[axis]}")
            row[1].plot(body["time"], values[:, 0] - values[0, 0], color=color, linewidth=1, label=run.name)
            row[0].set(title=f"{quantity.replace('_', ' ').capitalize()} of the cube")
            row[1].set(title="Change of its x-component")
    panels[0, 0].legend(fontsize="xx-small", ncol=3)
    panels[0, 1].legend(fontsize="x-small")
    for panel in panels[-1]:
        panel.set_xlabel("time [s]")
    save(figure, folder, "momenta")

    histograms = [steps_of(run) for run in stepped(present(runs, "energy-stepping"))]
    for run in stepped(present(runs, "asynchronous")):
        histograms += [steps_of(run, name) for name in subdomains(run)]
    if histograms:
        figure, panels = sheet(1, len(histograms), height=3)
        step_histograms(panels[0], histograms)
        save(figure, folder, "steps")
    times = [1e-6 * microseconds for microseconds in (1, 6, 12, 20, 30, 45)]
    snapshots(main, folder, "snapshots", times, "velocity")
    sections(main, folder, "sections", times, (1.0, 0.0, 0.0), [1, 2], 1e-6,
             origin=lambda grid: (sum(grid.GetBounds()[:2]) / 2, 0.0, 0.0), line=((0.101, 0.101), (0.202, 0.0)))


def draw_gel(runs, folder):
    run = next(iter(runs.values()))
    figure, panels = sheet(3, 1, height=2.4, width=9, sharex=True)
    plot_energies(panels[0, 0], run.table("history"), "tab:blue", "system")
    for panel, name in zip(panels[1:, 0], ("target", "striker")):
        plot_energies(panel, run.body(name), "tab:blue", name)
    panels[0, 0].set_title("Energies of the system, the target and the striker")
    for panel in panels[:, 0]:
        explain_dashes(panel)
        panel.set_ylabel("energy [J]")
    panels[-1, 0].set_xlabel("time [s]")
    save(figure, folder, "energies")

    first, last = contact_interval(run, "striker")
    figure, panels = sheet(1, 2, height=3.4)
    plot_total(panels[0, 0], run, "momentum_x")
    plot_per_body(panels[0, 0], run, "momentum_x")
    panels[0, 0].set(title="Momentum along x", xlabel="time [s]", ylabel="[kg m/s]")
    panels[0, 0].legend(fontsize="x-small")
    force = run.body("target")
    inside = (force["time"] >= first - 1e-3) & (force["time"] <= last + 1e-3)
    milliseconds = 1e3 * (force["time"][inside] - first)
    window = max(1, int(round(1e-3 / (force["time"][1] - force["time"][0]))))
    panels[0, 1].plot(milliseconds, force["contact_force_x"][inside], color="lightgray", linewidth=0.5, label="each row")
    panels[0, 1].plot(milliseconds, smooth(force["contact_force_x"], window)[inside], color="tab:blue",
                      label="mean over 1 ms")
    top = 1.6 * smooth(force["contact_force_x"], window).max()
    panels[0, 1].set(title="Contact force", xlabel="time since contact [ms]", ylabel="[N]", ylim=(-0.1 * top, top))
    panels[0, 1].legend(fontsize="x-small")
    save(figure, folder, "momentum_and_force")

    if stepped([run]):
        figure, panels = sheet(1, 3, height=3)
        step_histograms(panels[0], [steps_of(run, name) for name in subdomains(run)])
        save(figure, folder, "steps")
    times = [first + share * (last - first) for share in (0, 0.2, 0.4, 0.6, 0.8, 1)]
    snapshots(run, folder, "snapshots", times, "velocity")
    sections(run, folder, "sections", times, (0.0, 0.0, 1.0), [0, 1], 1e-3)
    return [f"contact from {first:.5g} to {last:.5g} s, restitution {restitution(run):.4f}"]


def draw_a6(runs, folder):
    main = next(iter(runs.values()))
    beads = main.body_names()
    shown = present(runs, "AES 1e-7", "AES 1e-6", "ES 1e-6", "Newmark")
    if not shown:
        return relative_costs(runs)
    figure, panels = sheet(1, len(shown), height=3.2, width=4 + 3.5 * len(shown), sharey=True)
    for panel, run in zip(panels.flat, shown):
        if run is not main:
            plot_energies(panel, main.table("history"), "lightgray", main.name)
        plot_energies(panel, run.table("history"), "tab:blue", run.name)
        panel.set(title=run.name, ylim=(0, 1.3 * total(main.table("history"))[0]), ylabel="energy [J]")
    explain_dashes(panels.flat[-1], ncol=2)
    save(figure, folder, "energies")

    figure, panels = sheet(len(beads), 1, height=1.2, width=9, sharex=True, sharey=True)
    for panel, name in zip(panels[:, 0], beads):
        plot_energies(panel, main.body(name), "tab:blue", name)
        explain_dashes(panel, loc="upper right")
        panel.set_ylabel("[J]")
    panels[-1, 0].set_xlabel("time [s]")
    save(figure, folder, "energies_of_beads")

    figure, panels = sheet(3, 1, height=2.6, width=9, sharex=True)
    plot_total(panels[0, 0], main, "momentum_x")
    plot_per_body(panels[0, 0], main, "momentum_x")
    panels[0, 0].set(title="Momentum along the chain", ylabel="[kg m/s]")
    vibration = sum(main.body(name)["vibrational_kinetic"] for name in beads)
    panels[1, 0].plot(main.body(beads[0])["time"], vibration, color="black", linewidth=1)
    panels[1, 0].set(title="Vibrational kinetic energy of all beads", ylabel="[J]")
    plot_per_body(panels[2, 0], main, "vibrational_kinetic")
    panels[2, 0].set(title="Vibrational kinetic energy of each bead", ylabel="[J]", xlabel="time [s]")
    panels[0, 0].legend(fontsize="xx-small", ncol=4)
    save(figure, folder, "momentum_and_vibration")

    if stepped([main]):
        figure, panels = sheet(1, 3, height=3)
        step_histograms(panels[0], [steps_of(main, name) for name in subdomains(main) if name in ("striker", "bead-1", "striker/bead-1")])
        save(figure, folder, "steps")
    end = main.table("history")["time"][-1]
    # The colour scale ends at the striker's speed: the tips of the beads are faster and would squeeze the rest.
    snapshots(main, folder, "snapshots", [share * end for share in (0, 0.25, 0.5, 0.75, 1)], "velocity",
              (0, main.body(beads[0])["velocity_x"][0]))
    draw_wave(shown, folder)
    return [line for run in runs.values() if not run.name.startswith("cost of") for line in wave_figures(run, beads)] + \
        relative_costs(runs)


def draw_wave(shown, folder):
    """Draws wave.png: the velocity of every bead in every run, with the last run, the reference, in gray behind the others."""
    figure, panels = sheet(len(shown), 1, height=2.2, width=9, sharex=True, sharey=True)
    for panel, run in zip(panels[:, 0], shown):
        if run is not shown[-1]:
            for name in run.body_names():
                reference = shown[-1].body(name)
                panel.plot(reference["time"], reference["velocity_x"], color="lightgray", linewidth=1)
        plot_per_body(panel, run, "velocity_x")
        panel.set(title=f"{run.name}" + ("" if run is shown[-1] else f" (gray: {shown[-1].name})"), ylabel="velocity [m/s]")
    panels[-1, 0].set_xlabel("time [s]")
    panels[0, 0].legend(fontsize="xx-small", ncol=5)
    save(figure, folder, "wave")


def rise_time(table, speed):
    """The time at which the velocity along x first exceeds `speed`; None if it never does, or does from the start."""
    above = numpy.flatnonzero(table["velocity_x"] > speed)
    if len(above) == 0 or above[0] == 0:
        return None
    i = above[0]
    share = (speed - table["velocity_x"][i - 1]) / (table["velocity_x"][i] - table["velocity_x"][i - 1])
    return table["time"][i - 1] + share * (table["time"][i] - table["time"][i - 1])


def wave_figures(run, beads, speed=0.15):
    """A line with the wave's speed from bead to bead, and the vibration that it leaves in the first bead."""
    times = [time for time in (rise_time(run.body(name), speed) for name in beads[1:]) if time is not None]
    if len(times) < 2:
        return []
    first = run.body(beads[0])
    apart = run.body(beads[1])["position_x"][0] - run.body(beads[2])["position_x"][0]
    left = (first["kinetic"] + first["potential"] - 0.5 * first["momentum_x"] * first["velocity_x"])[-1]
    speeds = ", ".join(f"{abs(apart) / (b - a):.0f}" for a, b in zip(times, times[1:]))
    return [f"{run.name}: wave speed from bead to bead {speeds} m/s; vibration left in {beads[0]} {left:.3g} J, "
            f"{100 * left / total(run.table('history'))[0]:.2g} % of the energy"]


def relative_costs(runs):
    """Lines with each run's seconds of stepping per simulated time, in multiples of those of AES at 1e-6."""
    def cost(run):
        return stepping_seconds(run) / run.summary["final_time"]

    return [f"{run.name}: {cost(run) / cost(reference):.2f} times that of AES 1e-6"
            for reference in finished(present(runs, "cost of AES 1e-6")) for run in finished(runs.values()) if run.name.startswith("cost of")]


def stepping_seconds(run):
    """Seconds of stepping, without meshing and output."""
    return run.summary["wall_seconds_by_phase"]["stepping"]


def draw_a8(runs, folder):
    figure, panels = sheet(2, len(runs), sharex=True)
    for (velocities, energies), run in zip(panels.T, runs.values()):
        plot_per_body(velocities, run, "velocity_x")
        velocities.set_title(f"{run.name}: velocities")
        velocities.legend(fontsize="x-small")
        plot_energies(energies, run.table("history"), "tab:blue", run.name)
        explain_dashes(energies)
        energies.set_xlabel("time")
    save(figure, folder, "velocities_and_energies")
    lines = []
    for run in runs.values():
        first, last = contact_interval(run, "left")
        bodies = [run.body(name) for name in run.body_names()]
        moving = sum(0.5 * body["momentum_x"][-1] * body["velocity_x"][-1] for body in bodies)
        energy = sum(body["kinetic"][-1] + body["potential"][-1] for body in bodies)
        lines.append(f"{run.name}: in contact for {last - first:.2f} (exact 20), {restitution(run):.4f} of the velocity kept (exact 1), "
                     f"{100 * (1 - moving / energy):.1f} % of the energy left as vibration (exact 0)")
    return lines


def draw_a9(runs, folder):
    figure, panels = sheet(1, len(runs), height=3.2)
    lines = []
    for panel, run in zip(panels[0], runs.values()):
        bead = run.body("bead")
        panel.plot(1e6 * bead["time"], smooth(bead["contact_force_z"], 5), linewidth=1)
        panel.set(title=run.name, xlabel="time [µs]", ylabel="contact force [N]")
        speed = -bead["velocity_z"][0]
        lost, scale = 1 - (bead["velocity_z"][-1] / speed) ** 2, (speed / STEEL_SOUND) ** 0.6
        lines.append(f"{run.name}: {100 * lost:.3f} % of the bead's energy lost; Hunter {104 * scale:.3f}, Hertz's pulse on a dashpot {118 * scale:.3f} %")
    save(figure, folder, "forces")
    return lines


DRAW = {"A1": draw_a1, "A2": draw_a2, "A3": draw_a3, "A4": draw_gel, "A5": draw_gel, "A6": draw_a6, "A8": draw_a8, "A9": draw_a9}
