"""Figures of the runs of which_experiments.py: cost against accuracy, and what is conserved."""
import numpy

from figures import save, sheet
from terrace_output import OutputError, is_complete, shown

STYLES = {"newmark": ("black", "s"), "clocked-energy-stepping": ("tab:purple", "P"), "energy-stepping": ("tab:red", "o"),
          "time-transformed-splitting": ("tab:blue", "^"), "step-density": ("tab:cyan", "v"), "adaptive-variational": ("tab:gray", "<"),
          "implicit-midpoint": ("tab:green", "D"), "energy-momentum": ("tab:orange", "X"),
          "symplectic-energy-momentum": ("tab:brown", "*"), "semi-explicit": ("tab:olive", ">")}


def error_of_potential(run, reference):
    """Root mean square error of the potential energy V(t) at the run's own rows, divided by the largest V."""
    exact, mine = reference.table("history"), run.table("history")
    times = mine["time"] <= exact["time"][-1]
    off = mine["potential"][times] - numpy.interp(mine["time"][times], exact["time"], exact["potential"])
    return float(numpy.sqrt(numpy.mean(off ** 2)) / numpy.max(exact["potential"]))


def of_problem(runs, problem):
    """{method: [(parameter, run, error)]}, from long to short steps; the error is None for runs that are not complete."""
    reference = runs.get(f"{problem} reference")
    if reference is None or not is_complete(reference.summary):
        raise OutputError(f"{problem}: expected a finished reference run")
    found = {}
    for name, run in runs.items():
        if not name.startswith(f"{problem} ") or ": " not in name or "events" not in run.summary:
            continue
        method, parameter = name[len(problem) + 1:].split(": ")
        done = is_complete(run.summary)
        found.setdefault(method, []).append((float(parameter), run, error_of_potential(run, reference) if done else None))
    return found


def row(method, parameter, run, error):
    summary = run.summary
    steps = summary.get("steps") or {}
    newton = (f"{steps['newton_iterations'] / max(1, summary['events']):.1f} ({steps['most_newton_iterations']})"
              if steps.get("newton_iterations") else "")
    trouble = [f"{steps[key]} {key.replace('_steps', '')}" for key in ("halved_steps", "unsolved_steps") if steps.get(key)]
    if error is None:
        trouble.append(summary.get("status", "?")[:60])
    turned = summary["angular_momentum_drift"]  # null where there is a wall
    return (f"{method:27}{parameter:>9.3g}{summary['average_step']:>10.3g}{summary['events']:>8d}"
            f"{'' if error is None else f'{100 * error:.3f} %':>11}{summary['energy_drift']:>10.1e}{'yes' if summary['momentum_change'] == 0 else 'no':>7}"
            f"{shown(turned, '.1e'):>10}{summary['element_evaluations'] / 1e6:>9.2f}"
            f"{summary['wall_seconds_by_phase'].get('stepping', 0):>9.2f}{newton:>10}  {', '.join(trouble)}").rstrip()


def draw_which(runs, folder):
    """Draws which.png: error over evaluations and over seconds, energy drift over evaluations. Returns the table behind it."""
    problems = [problem for problem in ("A1", "ball") if f"{problem} reference" in runs]
    if not problems:
        raise OutputError(f"{folder}: expected a finished reference run")
    figure, panels = sheet(len(problems), 3, height=3.6, width=13)
    lines = []
    for place, problem in enumerate(problems):
        lines += ["", problem, f"{'method':27}{'step':>9}{'mean':>10}{'steps':>8}{'error of V':>11}{'energy':>10}{'mom.':>7}{'angular':>10}"
                  f"{'10^6 el.':>9}{'seconds':>9}{'Newton':>10}"]
        by_work, by_time, by_energy = panels[place]
        for method, entries in of_problem(runs, problem).items():
            lines += [row(method, *entry) for entry in entries]
            shown = [(run, error) for _, run, error in entries if error is not None]
            color, marker = STYLES.get(method, ("pink", "d"))
            style = {"color": color, "marker": marker, "linewidth": 1, "markersize": 5, "label": method}
            errors = [error for _, error in shown]
            work = [run.summary["element_evaluations"] for run, _ in shown]
            by_work.loglog(work, errors, **style)
            by_time.loglog([run.summary["wall_seconds_by_phase"]["stepping"] for run, _ in shown], errors, **style)
            by_energy.loglog(work, [max(run.summary["energy_drift"], 1e-17) for run, _ in shown], **style)
        by_work.set(title=f"{problem}: error of V(t)", xlabel="element evaluations", ylabel="error")
        by_time.set(title="the same by time", xlabel="seconds of stepping, one core", ylabel="error")
        by_energy.set(title="largest change of the energy", xlabel="element evaluations", ylabel="of the energy")
    panels[0][0].legend(fontsize="xx-small")
    save(figure, folder, "which")
    return lines
