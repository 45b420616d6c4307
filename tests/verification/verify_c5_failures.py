"""C5: the published failures of energy-stepping happen, and the program warns of each.

Usage: verify_c5_failures.py TERRACE [--full]
"""

import math

from facts import INPUTS, Facts, table


def warned(summary, words):
    return any(words in warning for warning in summary["warnings"])


def run(facts, name, **settings):
    summary, output = facts.run(INPUTS / f"c5_{name}.toml", output__field_interval=-1, **settings)
    facts.conserves(name, summary, walls=True)
    return summary, [row for row in table(output, "bodies") if row["body"] == "particle"]


def uniform_motion(facts):
    for step in (1e-2, 1e-3, 1e-4):
        summary, rows = run(facts, "uniform_motion", integrator__energy_step=step)
        away = max(math.hypot(row["position_x"] - 1, row["position_y"] - row["time"]) for row in rows)
        facts.state(away < 1e-14 and summary["events"] == 0, f"h = {step:g}: uniform motion, off (1, t) by {away:g}")
        facts.state(warned(summary, "straight line along a level"), f"h = {step:g}: named")


def polygon(facts):
    summary, rows = run(facts, "polygon")
    nearest = min(math.hypot(row["position_x"], row["position_y"]) for row in rows)
    facts.state(nearest > 0.98, f"polygon: never nearer than {nearest:.3f} to the centre, the ellipse would be at 0.5")
    facts.state(summary["reflections"] == summary["events"] and warned(summary, "rode one energy level"), "polygon: named")


def frozen(facts):
    h = 0.0499999
    summary, rows = run(facts, "frozen_turning_point")
    formula = (math.sqrt(22 * h) - math.sqrt(20 * h)) / math.sqrt(1 - 20 * h)
    longest = 2 * formula  # to the turning point and back
    top = [row["time"] for row in rows if row["time"] < 75 and row["position_x"] > math.sqrt(20 * h)]
    facts.near("time on the highest level about the first turning point, (2.67)", max(top) - min(top), longest, 0.5)
    facts.state(warned(summary, "stands at a turning point"), "frozen turning point: named")
    summary, _ = run(facts, "frozen_turning_point", integrator__energy_step=0.0487)
    facts.state(not summary["warnings"], f"another energy step: no warning ({summary['warnings']})")


if __name__ == "__main__":
    facts = Facts()
    uniform_motion(facts)
    polygon(facts)
    frozen(facts)
    facts.finish()
