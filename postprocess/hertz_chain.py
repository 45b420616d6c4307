"""Chains of rigid beads with Hertz springs between them in one dimension, by velocity Verlet: the reference for chains of elastic
spheres.

Standard library only, so that the tests can use it as well.
"""
import math

LAMBDA, MU, DENSITY, RADIUS = 9.70e10, 8.26e10, 7780.0, 4.7625e-3  # steel of the bead decks: A6's; published of A7: E 213 GPa, ν 0.30
ALUMINIUM = (5.11e10, 2.63e10)


def plane_strain_modulus(lame_lambda=LAMBDA, lame_mu=MU):
    """E/(1 − ν²) [Pa]."""
    return 4 * lame_mu * (lame_lambda + lame_mu) / (lame_lambda + 2 * lame_mu)


def together(first, second):
    """Relative modulus or radius of two bodies, 1 / (1/a + 1/b). None stands for infinity: a rigid body, or a plane's radius."""
    return 1 / sum(1 / value for value in (first, second) if value is not None)


def stiffness(first=None, second=None, first_radius=RADIUS, second_radius=RADIUS):
    """The stiffness k of F = k δ^(3/2) for two moduli E/(1 − ν²) [Pa], by default steel's, and two radii [m]; [N/m^1.5] (Johnson 1985,
    ch. 4)."""
    steel = plane_strain_modulus()
    return 4 / 3 * together(first or steel, second or steel) * math.sqrt(together(first_radius, second_radius))


def wall_stiffness():
    """The stiffness k of a steel bead on a rigid plane [N/m^1.5]."""
    return 4 / 3 * plane_strain_modulus() * math.sqrt(RADIUS)


def mass(density=DENSITY, radius=RADIUS):
    return 4 / 3 * math.pi * radius**3 * density


def impact(speed, k=None, m=None):
    """(peak force [N], greatest approach [m], contact time [s]) of two beads of mass m each, one of them at rest."""
    k, m = k or stiffness(), m or mass()
    approach = (1.25 * m / 2 * speed**2 / k) ** 0.4
    return k * approach**1.5, approach, 2.943275 * approach / speed


class HertzChain:
    """Simulates a chain of beads that touch at the start; the first has the velocity `speed`. With `wall`, a stiffness, the last contact is
    that of the last bead with a rigid wall.

    times: of the rows [s]; forces[k]: of contact k, between beads k and k + 1, at the rows [N]; velocities[k]: of bead k [m/s].
    """

    def __init__(self, masses, stiffnesses, speed, end, step=5e-8, wall=None):
        count, springs = len(masses), [*stiffnesses, *([wall] if wall else [])]
        place, velocity = [0.0] * (count + 1), [speed] + [0.0] * count  # the last entry never moves: the wall
        rates = [1 / m for m in masses]

        def pushes():
            return [k * (a - b) ** 1.5 if a > b else 0.0 for k, a, b in zip(springs, place, place[1:])]

        def kick(share):
            for i, force in enumerate(forces):
                velocity[i] -= share * force * rates[i]
                if i + 1 < count:
                    velocity[i + 1] += share * force * rates[i + 1]

        forces = pushes()
        self.times, rows, speeds = [], [], []
        for number in range(int(end / step)):
            self.times.append(number * step)
            rows.append(forces)
            speeds.append(velocity[:count])
            kick(step / 2)
            for i in range(count):
                place[i] += step * velocity[i]
            forces = pushes()
            kick(step / 2)
        self.forces = [list(column) for column in zip(*rows)]
        self.velocities = [list(column) for column in zip(*speeds)]

    def peaks(self):
        """(time [s], force [N]) of the largest force at every contact, by a parabola through three rows."""
        return [peak(self.times, column) for column in self.forces]


def peak(times, values, rows=1):
    """(time, value) of the maximum of equally spaced rows: of the parabola of least squares through the largest row and `rows` rows before
    and after it."""
    i = max(range(len(values)), key=values.__getitem__)
    if not rows <= i < len(values) - rows:
        return times[i], values[i]
    places = range(-rows, rows + 1)
    count, second, fourth = len(places), sum(j**2 for j in places), sum(j**4 for j in places)
    total, slope, bent = (sum(j**n * values[i + j] for j in places) for n in (0, 1, 2))
    slope, bend = slope / second, (count * bent - second * total) / (count * fourth - second**2)
    if bend >= 0:
        return times[i], values[i]
    shift = -slope / (2 * bend)
    return times[i] + shift * (times[i + 1] - times[i]), (total - bend * second) / count - bend * shift**2


def width(times, values):
    """Width at half height: the time from half of the largest value on the way up to half of it on the way down, by linear interpolation
    between rows; 0 where the rows end before."""
    _, highest = peak(times, values)
    i = max(range(len(values)), key=values.__getitem__)
    ends = []
    for direction in (-1, 1):
        j = i
        while 0 < j < len(values) - 1 and values[j] > highest / 2:
            j += direction
        if values[j] > highest / 2:
            return 0.0
        near, far = values[j - direction], values[j]
        ends.append(times[j - direction] + (near - highest / 2) / (near - far) * (times[j] - times[j - direction]))
    return ends[1] - ends[0]


def front_speed(arrivals, first, last, spacing=2 * RADIUS):
    """The mean speed of the peak from contact `first` to contact `last` [m/s]. `arrivals`: (time, force) of the contacts' peaks."""
    return spacing * (last - first) / (arrivals[last][0] - arrivals[first][0])


def equal_beads(count, speed=0.44, striker_density=DENSITY, end=None, step=5e-8, wall=False):
    """The chain of bead_chain.toml as a HertzChain."""
    masses = [mass(striker_density)] + [mass()] * (count - 1)
    return HertzChain(masses, [stiffness()] * (count - 1), speed, end or (count + 1) * 17e-6, step, wall_stiffness() if wall else None)


def dimer(count, light_density=2700.0, speed=0.44, end=4.0e-4, step=5e-8):
    """The chain of bead_dimer_chain.toml as a HertzChain: steel, aluminium, steel ..."""
    masses = [mass(light_density if i % 2 else DENSITY) for i in range(count)]
    return HertzChain(masses, [stiffness(None, plane_strain_modulus(*ALUMINIUM))] * (count - 1), speed, end, step)
