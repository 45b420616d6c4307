"""Deck of a small impact of two gel balls (about 250 tetrahedra each), in any consistent system of units."""

# Velocity that the striker keeps of 4 m/s, with the face penalty and the default arguments: median of 33 impacts whose speeds differed by
# 1e-9, and the deviation, 0.67 times which half of them lay within [m/s].
PENALTY_KEEPS, PENALTY_DEVIATION = 0.333, 0.035


def two_balls(energy_step=2.0e-4, end=0.025, size=0.0115, metre=1.0, kilogram=1.0, second=1.0,
              model="face-intersection", speed=4.0, gap=0.002, interval=1e-4, target_scale=1.0):
    """The deck's text. `metre`, `kilogram` and `second` are these SI units in units of the deck: metre=1e3 for a deck in mm.

    The other arguments are in SI units: terrace [J], simulated time [s], edge length of the elements [m], speed of the
    striker [m/s], gap between the balls [m], time between rows [s]. The distance and the stiffness of smooth contact
    ("gap", "barrier") are the defaults. The target's radius and elements are target_scale times the striker's.
    """
    joule = kilogram * metre**2 / second**2
    pascal = kilogram / (metre * second**2)

    def body(scale):
        return f"""material = "gel"
shape = "ball"
radius = {0.025 * metre * scale!r}
size = {size * metre * scale!r}
"""
    stiffness = f"stiffness = {1.0e4 * kilogram / second**2!r}" if model == "face-intersection" else ""
    return f"""title = "Two gel balls, very coarse"
[time]
end = {end * second!r}
[materials.gel]
density = {1059.0 * kilogram / metre**3!r}
lame_lambda = {12.04e4 * pascal!r}
lame_mu = {1.34e4 * pascal!r}
[[bodies]]
name = "striker"
{body(1.0)}velocity = [{speed * metre / second!r}, 0.0, 0.0]
[[bodies]]
name = "target"
{body(target_scale)}position = [{round(0.025 + gap + 0.025 * target_scale, 9) * metre!r}, 0.0, 0.0]
[contact]
model = "{model}"
{stiffness}
[integrator]
method = "energy-stepping"
energy_step = {energy_step * joule!r}
[output]
field_interval = -1.0
history_interval = {interval * second!r}
"""
