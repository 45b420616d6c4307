"""Supports and gravity: a fixed block under its weight, a moving support, and the first frequency of a clamped beam.

The beam is released straight under gravity, which is not its shape of equilibrium, and so oscillates. Theory of its first
frequency: Euler-Bernoulli omega = 1.87510^2 sqrt(E I / (rho A)) / L^2; Timoshenko with rotary inertia and the shear
coefficient 5/6 (S. Timoshenko, On the correction for shear of the differential equation for transverse vibrations of
prismatic bars, Philosophical Magazine 41, 1921; S. M. Han, H. Benaroya, T. Wei, Dynamics of transversely vibrating beams using
four engineering theories, Journal of Sound and Vibration 225, 1999). Tetrahedra of constant strain are too stiff in bending, by an error of second order.
Usage: verify_supports.py TERRACE [--full]      --full: meshes of 4 and 6 cells over the height as well
"""

import math

from facts import INPUTS, Facts, history_of, table, vector

BLOCK, BEAM = INPUTS / "block_on_support.toml", INPUTS / "beam.toml"
WEIGHT = 0.1 * 0.005


def balance(facts, name, output, names):
    """States that the momenta of bodies and ledgers add up to the same sum at every row."""
    rows = [history_of(output, one) for one in names]
    totals = [[sum(vector(row[k], "momentum")[d] for row in rows) for d in range(3)] for k in range(len(rows[0]))]
    scale = max(math.hypot(*vector(row, "momentum")) for one in rows for row in one)
    facts.at_most(f"{name}: change of the momenta of {', '.join(names)} together, over the largest of them",
                  max(math.dist(total, totals[0]) for total in totals) / scale, 1e-15)


# Energy-stepping needs a small velocity to begin.
STEPPING = {"integrator__method": "energy-stepping", "integrator__energy_step": 2e-8}


def block(facts, method, **settings):
    summary, output = facts.run(BLOCK, output__field_interval=-1, **settings)
    name = f"block on its support, {method}"
    facts.state(summary["events"] > 1000, f"{name}: {summary['events']} events, more than 1,000")
    facts.conserves(name, summary, walls=True)
    balance(facts, name, output, ("block", "table", "gravity"))
    last = history_of(output, "table")[-1]
    facts.near(f"{name}: mean force on the support over the weight", -last["momentum_z"] / last["time"] / WEIGHT, 1, 0.01)


def moving(facts, method, **settings):
    summary, output = facts.run(BLOCK, output__field_interval=-1, time__end=50, supports__0__velocity="[0.02, 0, 0.01]",
                                **settings)
    name = f"block on a support that moves, {method}"
    facts.conserves(name, summary, walls=True)
    balance(facts, name, output, ("block", "table", "gravity"))
    row, table_row = table(output, "history")[-1], history_of(output, "table")[-1]
    work = -0.02 * table_row["momentum_x"] - 0.01 * table_row["momentum_z"]
    facts.near(f"{name}: its work over force times velocity", row["support_work"] / work, 1, 1e-12)
    facts.near(f"{name}: energy that is kept over kinetic + terraced - work",
               row["energy"] / (row["kinetic"] + row["terraced"] - work), 1, 1e-9)


def timoshenko(length, height, shear=5 / 6):
    """(Euler-Bernoulli's, Timoshenko's) first frequency of a cantilever of unit width with E = rho = 1 and nu = 0, the latter by
    bisection."""
    inertia, area, modulus = height**3 / 12, height, 0.5

    def determinant(omega):
        a, b = omega**2 / (shear * modulus), omega**2 * area / inertia
        # w = exp(k x): k^4 + (omega^2 + a) k^2 + (a omega^2 - b) = 0 with E = rho = 1; psi = (k + a / k) w.
        p, q = omega**2 + a, a * omega**2 - b
        alpha, beta = math.sqrt(-p / 2 + math.sqrt(p * p / 4 - q)), math.sqrt(p / 2 + math.sqrt(p * p / 4 - q))
        f, g = alpha + a / alpha, beta - a / beta
        # w = A cosh + B sinh + C cos + D sin; psi = f (A sinh + B cosh) - g C sin + g D cos; clamped: C = -A, D = -B f / g.
        ch, sh, c, s = math.cosh(alpha * length), math.sinh(alpha * length), math.cos(beta * length), math.sin(beta * length)
        bending = (f * alpha * ch + g * beta * c, f * alpha * sh + f * beta * s)  # psi' = 0
        shearing = ((alpha - f) * sh + (beta - g) * s, (alpha - f) * ch - (beta - g) * f / g * c)  # w' - psi = 0
        return bending[0] * shearing[1] - bending[1] * shearing[0]

    bernoulli = 1.8751040687**2 * math.sqrt(inertia / area) / length**2
    low, high = 0.9 * bernoulli, 1.001 * bernoulli
    assert determinant(low) * determinant(high) < 0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if determinant(low) * determinant(middle) > 0 else (low, middle)
    return bernoulli, low


def fitted_frequency(times, heights, guess):
    """The omega of the least-squares fit of a + b cos omega t + c sin omega t: the best of a row of candidates, refined by ternary
    search."""
    def misfit(omega):
        basis = [(1.0, math.cos(omega * t), math.sin(omega * t)) for t in times]
        matrix = [[sum(x[i] * x[j] for x in basis) for j in range(3)] for i in range(3)]
        right = [sum(x[i] * z for x, z in zip(basis, heights)) for i in range(3)]
        for i in range(3):
            for k in range(i + 1, 3):
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i])]
                right[k] -= factor * right[i]
        answer = [0.0, 0.0, 0.0]
        for i in (2, 1, 0):
            answer[i] = (right[i] - sum(matrix[i][j] * answer[j] for j in range(i + 1, 3))) / matrix[i][i]
        return sum((sum(a * x for a, x in zip(answer, row)) - z) ** 2 for row, z in zip(basis, heights))

    candidates = [guess * (0.85 + 0.01 * k) for k in range(60)]
    best = min(candidates, key=misfit)
    low, high = best - 0.01 * guess, best + 0.01 * guess
    for _ in range(40):
        third = (high - low) / 3
        low, high = (low, high - third) if misfit(low + third) < misfit(high - third) else (low + third, high)
    return (low + high) / 2


def beam(facts, cells, guess, **settings):
    """Runs the beam with `cells` cells over its height; returns (first frequency, summary, output directory)."""
    summary, output = facts.run(BEAM, bodies__0__cells=f"[{10 * cells}, 1, {cells}]",
                                bodies__0__extent=f"[10.0, {1 / cells!r}, 1.0]", output__field_interval=-1, **settings)
    rows = history_of(output, "beam")
    return fitted_frequency([row["time"] for row in rows], [row["position_z"] for row in rows], guess), summary, output


def sag(output, frequency):
    """The mean sag of the tip over two periods."""
    rows = [(row["time"], row["displacement_z"]) for row in table(output, "probes")]
    end = 4 * math.pi / frequency
    area = sum((min(b, end) - a) * (c + d) / 2 for (a, c), (b, d) in zip(rows, rows[1:]) if a < end)
    return -area / end


def frequencies(facts):
    bernoulli, theory = timoshenko(10, 1)
    print(f"theory: Euler-Bernoulli {bernoulli:.6f}, Timoshenko {theory:.6f} rad/s")
    found = {}
    for cells in (2, 3, 4, 6) if facts.full else (2, 3):
        found[cells], summary, output = beam(facts, cells, theory)
        print(f"{cells} cells over the height: {found[cells]:.6f} rad/s, {100 * (found[cells] / theory - 1):+.1f} % of theory",
              flush=True)
        facts.conserves(f"beam, {cells} cells", summary, walls=True)
        balance(facts, f"beam, {cells} cells", output, ("beam", "clamp", "gravity"))
        # Sag q L⁴ / (8 E I) + q L² / (2 κ G A), for a beam of the stiffness that its frequency shows.
        load, inertia, shear = 1e-6, 1 / 12, 5 / 6 * 0.5
        theory_of_sag = load * 10**4 / (8 * inertia) + load * 10**2 / (2 * shear)
        facts.near(f"beam, {cells} cells: sag of the tip, by its probe, times the frequency's square, over theory",
                   sag(output, found[cells]) * found[cells] ** 2 / (theory_of_sag * theory**2), 1, 0.01)
    coarse, fine = sorted(found)[-2:]
    extrapolated = found[fine] + (found[fine] - found[coarse]) / ((fine / coarse) ** 2 - 1)
    facts.near(f"first frequency extrapolated from {coarse} and {fine} cells, over theory", extrapolated / theory, 1, 0.02)
    facts.state(all(found[a] > found[b] > theory for a, b in zip(sorted(found), sorted(found)[1:])),
                "the frequency falls towards theory from above")
    if facts.full:
        facts.near("first frequency with 6 cells, over theory", found[6] / theory, 1, 0.02)

    newmark, summary, _ = beam(facts, 2, theory, integrator__method="newmark", integrator__time_step_factor=0.8)
    facts.at_most("beam, 2 cells: energy drift of Newmark", summary["energy_drift"], 1e-3)
    facts.near("beam, 2 cells: first frequency over Newmark's", found[2] / newmark, 1, 1e-3)

    # The same motion by energy-stepping, which needs a small velocity to begin.
    exact, summary, _ = beam(facts, 2, theory, integrator__method="energy-stepping", integrator__energy_step=4e-12,
                             bodies__0__velocity="[0, 0, -1e-7]", time__end=650)
    facts.conserves("beam by energy-stepping", summary, walls=True)
    facts.near("beam by energy-stepping: first frequency over Newmark's", exact / newmark, 1, 0.02)


def main():
    facts = Facts()
    block(facts, "clocked")
    block(facts, "energy-stepping", bodies__0__velocity="[0, 0, -1e-3]", **STEPPING)
    moving(facts, "clocked")
    moving(facts, "energy-stepping", **STEPPING)
    frequencies(facts)
    facts.finish()


if __name__ == "__main__":
    main()
