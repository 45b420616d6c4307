"""Figures of chains of meshed beads with Hertz's contact law, compared with chains of Hertz springs in one dimension. The functions are
called as those of reference_figures.py."""
import matplotlib
import numpy

import hertz_chain
from bead_forces import contact_forces, sensor_forces
from figures import finished, present, save, sheet

SPACING = 2 * hertz_chain.RADIUS
BEADS = {"color": "tab:cyan", "linewidth": 2.6, "label": "beads on meshes, contact hertz"}
SPRINGS = {"color": "black", "linewidth": 0.8, "linestyle": "--", "label": "chain of Hertz springs"}
PUBLISHED = (50.947, 0.0085411)  # sensor force [N], decay per bead


class ChainRun:
    """The contacts of a chain: times; forces[k] of contact k, between beads k and k + 1, at these times; peaks[k] = (time, force) of the
    largest; sensors[k]: sensor forces of bead k + 1. Bodies that never move are no beads."""

    def __init__(self, run):
        self.run = run
        names = sorted(run.body_names(), key=lambda name: run.body(name)["position_x"][0])
        self.beads = [name for name in names if len(run.body(name)["time"]) and run.body(name)["kinetic"].max() > 0]
        self.times = run.body(self.beads[0])["time"]
        momenta = [run.body(name)["momentum_x"] for name in self.beads]
        self.forces = [[float(f) for f in column] for column in contact_forces(list(self.times), momenta)]
        self.sensors = sensor_forces(self.forces)
        self.peaks = peaks_of(self.times, self.forces)

    def energy(self):
        """The mechanical energy at the start [J]."""
        return mechanical_energy(self.run.table("history"))[0]

    def vibration(self):
        """For every bead the energy of vibration at the end, as a share of the whole energy: kinetic about its mean velocity, and potential."""
        shares = []
        for name in self.beads:
            last = {key: values[-1] for key, values in self.run.body(name).items() if key != "body"}
            shares.append((last["vibrational_kinetic"] + last["potential"]) / self.energy())
        return shares

    def translation(self):
        """For every bead the kinetic energy of its mean motion at the end, as a share of the whole energy."""
        shares = []
        for name in self.beads:
            body = self.run.body(name)
            shares.append(0.5 * body["momentum_x"][-1] * body["velocity_x"][-1] / self.energy())
        return shares


def peaks_of(times, columns):
    """(time, force) of the largest force of each column. Each is the maximum of a parabola through 11 rows (2 µs), as single kicks
    show in the rows."""
    return [hertz_chain.peak(times, column, rows=5) for column in columns]


def mechanical_energy(history):
    """Kinetic plus true potential energy, not the energy of the terraces."""
    return history["kinetic"] + history["potential"]


def decay(peaks, first, last):
    """The relative decrease of the largest force per contact, from contact `first` to contact `last`."""
    return 1 - (peaks[last][1] / peaks[first][1]) ** (1 / (last - first))


def stack(panel, times, forces, unit, **line):
    """Draws forces over time in multiples of `unit`, each contact's one line above the one before. The label appears once."""
    label = line.pop("label", None)
    for number, column in enumerate(forces):
        shares = numpy.asarray(column) / unit
        shares[numpy.abs(shares) < 2e-3] = numpy.nan
        panel.axhline(number + 1, color="lightgray", linewidth=0.5, zorder=0)
        panel.plot(1e6 * numpy.asarray(times), number + 1 + shares, label=label if number == 0 else None, **line)


def draw_chain(runs, folder):
    """Draws forces.png, peaks.png and energies.png. Returns lines with largest forces, decay, speed and width of the pulse, and the
    vibration that it leaves behind."""
    if not finished(present(runs, "hertz")):
        return []  # the pulse has not passed the whole chain yet
    run = runs["hertz"]
    chain = ChainRun(run)
    count = len(run.body_names())
    end = float(run.table("history")["time"][-1])
    springs = hertz_chain.equal_beads(count, end=end)
    figure, panels = sheet(1, 2, height=7.5, width=12)
    for panel, mine, other, title in ((panels[0, 0], chain.forces, springs.forces, "force at the contacts"),
                                      (panels[0, 1], chain.sensors, sensor_forces(springs.forces), "sensor force of the beads")):
        stack(panel, chain.times, mine, 80, **BEADS)
        stack(panel, springs.times, other, 80, **SPRINGS)
        panel.set(title=f"{title} (80 N from line to line)", xlabel="time [µs]", ylabel=title.split()[-1][:-1])
    panels[0, 0].legend(fontsize="x-small", loc="upper left")
    save(figure, folder, "forces")
    draw_peaks(chain, springs, folder)
    draw_energies(chain, folder)
    return chain_figures(chain, springs)


def draw_peaks(chain, springs, folder):
    figure, panels = sheet(1, 2, height=3.8, width=12)
    contacts, sensors = panels[0]
    spring_sensors = [hertz_chain.peak(springs.times, column)[1] for column in sensor_forces(springs.forces)]
    for panel, mine, other in ((contacts, [f for _, f in chain.peaks], [f for _, f in springs.peaks()]),
                               (sensors, [f for _, f in peaks_of(chain.times, chain.sensors)], spring_sensors)):
        panel.plot(range(1, len(other) + 1), other, "k--", linewidth=0.8, label="chain of Hertz springs")
        panel.plot(range(1, len(mine) + 1), mine, "o", color="tab:blue", markersize=4, label="beads on meshes, contact hertz")
    numbers = numpy.arange(1, len(spring_sensors) + 1)
    sensors.plot(numbers, PUBLISHED[0] * numpy.exp(-PUBLISHED[1] * numbers), color="tab:red", linewidth=1, label="published: 50.9 exp(−0.0085 k)")
    contacts.set(xlabel="contact", ylabel="largest force [N]", ylim=(55, 90))
    sensors.set(xlabel="bead", ylabel="largest sensor force [N]", ylim=(35, 65))
    for panel in panels[0]:
        panel.legend(fontsize="x-small")
    save(figure, folder, "peaks")


def draw_energies(chain, folder):
    figure, panels = sheet(1, 1, height=3.8, width=9)
    panel = panels[0, 0]
    numbers = range(len(chain.beads))
    panel.semilogy(numbers, numpy.maximum(chain.translation(), 1e-18), "o-", color="tab:blue", markersize=4, linewidth=1,
                   label="translation")
    panel.semilogy(numbers, numpy.maximum(chain.vibration(), 1e-18), "s-", color="tab:orange", markersize=4, linewidth=1,
                   label="vibration")
    panel.set(xlabel="bead (0: striker)", ylabel="energy at the end / whole energy", ylim=(1e-14, 2))
    panel.legend(fontsize="x-small")
    save(figure, folder, "energies")


def behind(chain):
    """The number of beads that the pulse has left by the end of the run: all but the last four."""
    return len(chain.beads) - 4


def chain_figures(chain, springs):
    others, last = springs.peaks(), len(chain.forces) - 3
    first, middle = min(10, last // 2), last // 2
    speeds = [hertz_chain.front_speed(peaks, first, last) for peaks in (chain.peaks, others)]
    widths = [hertz_chain.width(times, columns[middle]) * speed / SPACING
              for times, columns, speed in ((chain.times, chain.forces, speeds[0]), (springs.times, springs.forces, speeds[1]))]
    sensors = sensor_forces(springs.forces)
    wide = [hertz_chain.width(times, columns[middle]) * speed / SPACING
            for times, columns, speed in ((chain.times, chain.sensors, speeds[0]), (springs.times, sensors, speeds[1]))]
    vibration, name = chain.vibration()[:behind(chain)], chain.run.name
    rows = (("largest forces at the contacts [N]", ", ".join(f"{f:.2f}" for _, f in chain.peaks)),
            ("of Hertz springs [N]", ", ".join(f"{f:.2f}" for _, f in others)),
            (f"decay per bead, contacts {first + 1} to {last + 1}",
             f"{decay(chain.peaks, first, last):.2g} (springs {decay(others, first, last):.2g})"),
            ("front [m/s]", f"{speeds[0]:.1f} (springs {speeds[1]:.1f})"),
            ("width at half height, force at a contact [diameters]", f"{widths[0]:.3f} (springs {widths[1]:.3f})"),
            ("sensor force, largest, and its width",
             f"{peaks_of(chain.times, chain.sensors)[middle][1]:.2f} N (springs {hertz_chain.peak(springs.times, sensors[middle])[1]:.2f} N), "
             f"{wide[0]:.3f} (springs {wide[1]:.3f}; published 2.1)"),
            ("vibration left behind the pulse, share of the energy", f"{sum(vibration):.2g}"))
    return [f"{name}: {what}: {value}" for what, value in rows]


def draw_study(runs, folder):
    """Draws study.png: largest forces of all contacts, for several meshes, methods and contact models."""
    figure, panels = sheet(1, 2, height=4.6, width=13, sharey=True)
    labels = list(dict.fromkeys(name.split(", ", 1)[1] for name in runs))
    longest = max(len(run.body_names()) for run in runs.values())
    springs = hertz_chain.equal_beads(longest)
    springs = largest_means(springs.times, springs.forces)
    lines = [f"largest mean force over 4 µs at the contacts of Hertz springs: {', '.join(f'{f:.1f}' for f in springs)} N"]
    for panel, kind, title in ((panels[0, 0], "hertz", "contact hertz"), (panels[0, 1], "facets", "barrier on facets")):
        panel.plot(range(1, longest), springs, "k--", linewidth=0.8, label="chain of Hertz springs")
        mine = [run for name, run in runs.items() if name.startswith(kind)]
        for run in mine:
            label = run.name.split(", ", 1)[1]
            number = labels.index(label)
            chain = ChainRun(run)
            peaks = largest_means(chain.times, chain.forces)
            panel.plot(range(1, len(peaks) + 1), peaks, color=matplotlib.cm.tab10.colors[number], marker="osv^DPX*"[number],
                       markersize=max(4, 9 - number), linewidth=1, label=label)
            shown, seconds = ", ".join(f"{f:.1f}" for f in peaks), run.summary.get("wall_seconds_by_phase", {}).get("stepping", 0)
            lines.append(f"{run.name}: largest forces {shown} N; not in the translation of the beads at the end "
                         f"{1 - sum(chain.translation()):.2g} of the energy; {seconds:.0f} s of stepping")
        panel.set(title=title, xlabel="contact", ylabel="largest mean force over 4 µs [N]", ylim=(40, 140))
        panel.legend(fontsize="x-small", loc="upper right")
    save(figure, folder, "study")
    return lines


def largest_means(times, forces, over=4e-6):
    """For every contact the largest mean force over `over` seconds: kicks of energy-stepping are large and rare, so rows alone would
    mislead."""
    rows = max(1, round(over / (times[1] - times[0])))
    return [float(numpy.convolve(column, numpy.ones(rows) / rows, mode="same").max()) for column in forces]


def springs_of(name, count, end):
    """The chain of Hertz springs that corresponds to a run of the experiment "chains"."""
    if name == "heavy striker":
        return hertz_chain.equal_beads(count, striker_density=4 * hertz_chain.DENSITY, end=end)
    if name == "light striker":
        return hertz_chain.equal_beads(count, striker_density=hertz_chain.DENSITY / 4, end=end)
    if name == "wall":
        return hertz_chain.equal_beads(count, end=end, wall=True)
    return hertz_chain.dimer(count, (2700.0 if "0.35" in name else 0.59 * hertz_chain.DENSITY), end=end)


def draw_chains(runs, folder):
    """Draws one picture per chain, named after it: forces at its contacts and final velocities, with those of Hertz springs."""
    lines = []
    for run in finished(runs.values()):
        chain = ChainRun(run)
        walls = [name for name in run.body_names() if name == "wall"]
        if walls:
            # The wall's momentum gives the force of one more contact.
            momentum = run.body("wall")["momentum_x"]
            extra = contact_forces(list(chain.times), [momentum, momentum])
            chain.forces = add_wall(chain, extra[0])
            chain.peaks = peaks_of(chain.times, chain.forces)
        springs = springs_of(run.name, len(chain.beads), float(chain.times[-1]))
        figure, panels = sheet(1, 2, height=5.5, width=12)
        highest = max(f for _, f in springs.peaks())
        stack(panels[0, 0], chain.times, chain.forces, highest, **BEADS)
        stack(panels[0, 0], springs.times, springs.forces, highest, **SPRINGS)
        panels[0, 0].set(title=f"{run.name}: forces at the contacts ({highest:.0f} N from line to line)", xlabel="time [µs]",
                         ylabel="contact (the last with the wall)" if walls else "contact")
        panels[0, 0].legend(fontsize="x-small", loc="upper left")
        numbers = range(len(chain.beads))
        panels[0, 1].plot(numbers, [column[-1] for column in springs.velocities], "k--", linewidth=0.8, label="chain of Hertz springs")
        panels[0, 1].plot(numbers, [run.body(name)["velocity_x"][-1] for name in chain.beads], "o", color="tab:blue", markersize=4,
                          label="beads on meshes")
        panels[0, 1].set(title="velocities at the end", xlabel="bead (0: striker)", ylabel="[m/s]")
        panels[0, 1].legend(fontsize="x-small")
        save(figure, folder, run.name.replace(" ", "_").replace(",", ""))
        lines += compare(run.name, chain, springs)
    return lines


def add_wall(chain, push):
    """Forces at the contacts of a chain that ends at a wall, which pushes it by `push`: the momentum that passes a contact goes to the
    beads beyond it and to the wall."""
    return [[a + b for a, b in zip(column, push)] for column in chain.forces] + [push]


def compare(name, chain, springs):
    worst = max(float(numpy.max(numpy.abs(numpy.interp(chain.times[6:-6], springs.times, theirs) - mine[6:-6])))
                for mine, theirs in zip(chain.forces, springs.forces))
    highest = max(f for _, f in springs.peaks())
    velocities = max(abs(chain.run.body(bead)["velocity_x"][-1] - column[-1]) for bead, column in zip(chain.beads, springs.velocities))
    return [f"{name}: largest forces {', '.join(f'{f:.1f}' for _, f in chain.peaks)} N",
            f"{name}: Hertz springs  {', '.join(f'{f:.1f}' for _, f in springs.peaks())} N",
            f"{name}: force at any contact and time within {100 * worst / highest:.2g} % of the largest of Hertz springs; velocities at the "
            f"end within {velocities:.2g} m/s"]
