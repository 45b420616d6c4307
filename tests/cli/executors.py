"""Executors that process many events at once: integrator.executor = "concurrent" and "validating".

Usage: executors.py TERRACE [OPTION of unittest]...

A run must write what a run of one event after the other writes, on any number of ranks, and when stopped and resumed by either
executor. The counts of rounds must not depend on the number of ranks. Decks for which the executors are not meant are refused.
"""

import csv
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "mpi"))
from program import call, run_deck  # noqa: E402
from same_bits_decks import BALLS, BARRIER, CUBE, GAP, GAS, HELD, HERTZ  # noqa: E402

PROGRAM = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path("build/terrace")
CHAIN = Path(__file__).resolve().parents[2] / "inputs" / "a6_bead_chain.toml"
AT_ONCE, VALIDATING = ("--set", "integrator.executor=concurrent"), ("--set", "integrator.executor=validating")
SAME = ("state_hash", "events", "reflections", "final_time", "average_step", "energy_drift", "momentum_change", "angular_momentum_drift",
        "monitors", "warnings")
# Entries of the summary's record "concurrency" that must not depend on the number of ranks.
COUNTS = ("rounds", "events", "undone_events", "longest_chain", "work_at_once")


CUBE_OF_TWELVE = '''
[[bodies]]
name = "{name}"
material = "gel"
shape = "lattice"
extent = [1.0, 1.0, 1.0]
cells = [1, 1, 1]
position = {position}
rotation = {{ axis = {axis}, angle = {angle} }}
velocity = {velocity}
'''
TWO_ON_A_HELD_ONE = '''
[time]
end = 0.5
[materials.gel]
density = 1.0
youngs_modulus = 1000.0
poissons_ratio = 0.3
[[supports]]
name = "clamp"
body = "held"
box = [[-9.0, -9.0, -9.0], [9.0, 9.0, 9.0]]
[contact]
model = "gap"
[integrator]
method = "energy-stepping"
energy_step = 1e-3
[localization]
kind = "bodies"
contact = "own"
[layout]
kind = "own"
[output]
field_interval = -1.0
''' + "".join(CUBE_OF_TWELVE.format(name=name, position=position, axis=axis, angle=angle, velocity=velocity)
              for name, position, axis, angle, velocity in (
                  ("held", [0.0, 0.0, 0.0], [0, 0, 1], 0.0, [0.0, 0.0, 0.0]),
                  ("right", [1.5, 0.1, 0.03], [1, 2, 3], 20.0, [-1.0, 0.02, 0.0]),
                  ("left", [-1.5, 0.12, 0.05], [2, 1, 3], 25.0, [1.1, 0.0, 0.0])))


def parts(count):
    return ("--set", "localization.kind=metis", "--set", f"localization.parts={count}", "--set", f"integrator.energy_step={2e-5 / count}",
            "--set", "time.events=100000", "--set", "time.end=1.0", "--set", "output.history_interval=0.25")


class Executors(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="terrace-executors-")
        self.addCleanup(scratch.cleanup)
        self.directory = Path(scratch.name).resolve()
        self.deck = self.directory / "cube.toml"
        self.deck.write_text(CUBE, encoding="utf-8")

    def run_in(self, name, *options, ranks=1):
        return run_deck(PROGRAM, self.deck, self.directory / name, *options, ranks=ranks)

    def tables(self, name):
        return {table: (self.directory / name / table).read_text(encoding="utf-8")
                for table in ("history.csv", "probes.csv", "bodies.csv", "subdomains.csv", "steps.csv")
                if (self.directory / name / table).exists()}

    def check_same(self, found, summary, expected, plain):
        for key in SAME:
            self.assertEqual(summary[key], plain[key], f"{key} of {found}")
        self.assertEqual(self.tables(found), self.tables(expected))

    def test_many_events_at_once_have_the_bits_of_one_after_the_other(self):
        for count, ranks in ((2, (1, 2)), (8, (1, 2, 3)), (32, (1, 4))):
            plain = self.run_in(f"plain-{count}", *parts(count))
            self.assertIsNone(plain["concurrency"])
            records = []
            for number in ranks:
                name = f"at-once-{count}-{number}"
                summary = self.run_in(name, *parts(count), *AT_ONCE, ranks=number)
                self.check_same(name, summary, f"plain-{count}", plain)
                records.append([summary["concurrency"][key] for key in COUNTS])
                self.check_record(summary, count)
                if count > 2:
                    slowest = summary["element_evaluations"] / summary["concurrency"]["work_at_once"] / summary["events"]
                    # Measured: 80.2 and 17.3; without foreseeing events 103 and 23.4.
                    self.assertLess(slowest, {8: 84, 32: 18.2}[count])
            for record in records:
                self.assertEqual(record, records[0], "on any number of ranks")

    def check_record(self, summary, count):
        record = summary["concurrency"]
        self.assertEqual(record["events"], summary["events"])
        self.assertAlmostEqual(record["events_per_round"], record["events"] / record["rounds"])
        self.assertGreaterEqual(summary["collectives_per_event"], 2 * record["rounds"] / record["events"])
        self.assertLessEqual(record["longest_chain"], record["rounds"])
        self.assertLessEqual(record["events_per_round_at_best"], count)
        if count == 32:
            self.assertLess(record["rounds"], 3 * record["longest_chain"])
            self.assertGreater(record["work_at_once"], 2)

    # Each body and each pair of bodies has a terrace of its own.
    OWN = ("--set", "localization.kind=bodies", "--set", "localization.contact=own", "--set", "layout.kind=own",
           "--set", "output.history_interval=2e-4", "--set", "time.end=0.02")

    def without_walls(self, deck):
        return re.sub(r"\[\[walls\]\]\n(?:[^\[\n].*\n)+", "", deck)

    def check_contact(self, name, deck, events, ranks):
        return self.check_executors(name, deck, (*self.OWN, "--set", f"time.events={events}"), events, ranks)

    def check_executors(self, name, deck, options, events, ranks):
        self.deck.write_text(deck, encoding="utf-8")
        plain = self.run_in(f"{name}-plain", *options)
        self.assertEqual(plain["events"], events)
        records = {}
        for number, executor in ranks:
            found = f"{name}-{number}-{executor[1].rpartition('=')[2]}"
            summary = self.run_in(found, *options, *executor, ranks=number)
            self.check_same(found, summary, f"{name}-plain", plain)
            record = [summary["concurrency"][key] for key in COUNTS]
            self.assertEqual(record, records.setdefault(executor, record), "on any number of ranks")
            self.assertGreaterEqual(summary["concurrency"]["rounds"], summary["concurrency"]["longest_chain"])
        return plain, dict(summary["concurrency"], gain=self.gain(summary, plain))

    def gain(self, summary, plain):
        """Element evaluations of the run of one event after the other, divided by those of the slowest subdomain of each round."""
        return summary["concurrency"]["work_at_once"] * plain["element_evaluations"] / summary["element_evaluations"]

    def test_bodies_that_touch_and_pairs_that_wake_up(self):
        plain, record = self.check_contact("gas", self.without_walls(GAS), 2500, ((1, AT_ONCE), (3, AT_ONCE)))
        # Gel balls of 1 cm that start 5 mm apart.
        self.assertLess(plain["monitors"]["least_distance"], 1.2e-3, "some touched")
        self.assertLess(record["undone_events"], 100, "nothing beyond the next body that leaves its box")
        self.assertGreater(record["events_per_round_at_best"], 2)

    def test_walls_and_gravity(self):
        """Each pair of a wall and a body has a terrace, and its ledger must be right whatever events were undone."""
        deck = GAS.replace("[layout]", "[gravity]\nacceleration = [0.0, 0.0, -9.81]\n[layout]")
        plain, record = self.check_contact("box", deck, 1500, ((1, AT_ONCE), (2, VALIDATING), (3, AT_ONCE)))
        self.assertGreater(record["undone_events"], 0)
        self.check_ledgers("box-plain", ("gravity", "floor", "left"))
        self.assertEqual(plain["momentum_change"], 0)

    def test_supports_that_move(self):
        """Parts on several ranks share nodes that supports hold: the impulse on such a node must be booked once."""
        acts = """[[supports]]
name = "foot"
body = "cube"
box = [[-1.0, -1.0, -0.5], [1.0, 1.0, -0.4999]]
components = ["z"]
[[supports]]
name = "hand"
body = "cube"
box = [[-1.0, -1.0, 0.4999], [1.0, 1.0, 0.5]]
velocity = [0.02, 0.01, 0.0]
[gravity]
acceleration = [0.0, 0.0, -0.02]
"""
        options = (*parts(8), "--set", "time.events=1500", "--set", "time.end=20")
        plain, record = self.check_executors("held", CUBE.replace("[layout]", acts + "[layout]"), options, 1500,
                                             ((1, AT_ONCE), (2, VALIDATING), (3, AT_ONCE), (3, VALIDATING)))
        self.assertGreater(record["undone_events"], 0)
        self.check_ledgers("held-plain", ("foot", "hand", "gravity"))
        self.assertEqual(plain["momentum_change"], 0)

    def test_pairs_of_a_body_that_is_held_leave_each_other_alone(self):
        # Two bodies touch a third, all of whose nodes are held: an event of one pair moves no node of the other pair, whose terrace goes on.
        self.deck.write_text(TWO_ON_A_HELD_ONE, encoding="utf-8")
        for model, stiffness in (("gap", ()), ("face-intersection", ("--set", "contact.stiffness=100.0"))):
            options = ("--set", f"contact.model={model}", *stiffness)
            plain = self.run_in(f"held-{model}", *options)
            self.assertGreater(plain["events"], 1000)
            for ranks in (1, 2):
                name = f"held-at-once-{model}-{ranks}"
                self.check_same(name, self.run_in(name, *options, *AT_ONCE, ranks=ranks), f"held-{model}", plain)
        # Rigid contact with a body that is driven into the held one: no node of either is free.
        driver = '[[supports]]\nname = "driver"\nbody = "right"\nsurface = true\nvelocity = [-1.0, 0.02, 0.0]\n'
        self.deck.write_text(TWO_ON_A_HELD_ONE.replace('model = "gap"', 'model = "rigid"') + driver, encoding="utf-8")
        done = call(PROGRAM, "run", self.deck, "--output", self.directory / "driven", ranks=1)
        self.assertEqual(done.returncode, 1)
        self.assertIn("expected a node that is free where bodies meet, found none: supports hold them on both sides", done.stderr)

    def test_everything_that_acts_on_bodies_that_touch_is_saved_too(self):
        own = (*self.OWN, "--set", "time.end=40", "--set", "output.history_interval=1.0")
        plain, _ = self.check_executors("cubes", HELD, (*own, "--set", "time.events=600"), 600, ((2, AT_ONCE), (3, VALIDATING)))
        self.run_in("stopped", *own, "--set", "time.events=301", *AT_ONCE, ranks=3)
        resumed = self.run_in("stopped", *own, "--set", "time.events=600", *AT_ONCE, "--resume", ranks=2)
        for key in ("state_hash", "events", "energy_drift", "momentum_change"):
            self.assertEqual(resumed[key], plain[key], key)
        self.assertEqual(self.tables("stopped")["bodies.csv"], self.tables("cubes-plain")["bodies.csv"])

    def check_ledgers(self, name, reactions):
        with (self.directory / name / "bodies.csv").open(encoding="utf-8") as table:
            rows = list(csv.DictReader(table))
        for reaction in reactions:
            of_it = [row for row in rows if row["body"] == reaction]
            self.assertTrue(any(float(row[f"momentum_{axis}"]) != 0 for row in of_it for axis in "xyz"), reaction)

    def test_what_is_seen_is_behind_an_event_not_behind_a_box(self):
        """Balls that fly fast leave their boxes in every round, so there are many rounds without an event."""
        fast = GAS.replace("seed = 8", "seed = 1").replace("repeat = ", "velocity = [60.0, 0.0, 0.0]\nrepeat = ")
        self.deck.write_text(self.without_walls(fast), encoding="utf-8")
        options = (*self.OWN, "--set", "time.events=1000000", "--set", "time.end=0.01", "--set", "output.history_interval=0.01",
                   "--set", "integrator.energy_step_fraction=1e-4")
        plain = self.run_in("plain", *options)
        summary = self.run_in("validating", *options, *VALIDATING)
        self.check_same("validating", summary, "plain", plain)
        self.assertGreater(summary["concurrency"]["rounds"], 512)

    def test_every_kind_of_contact_with_an_energy(self):
        # Measured gains: 1.75, 1.53, 1.57, 2.02. They were 1.17, 1.14, 1.14, 0.66 when bodies that touch searched four samples farther than
        # they must.
        for name, deck, gain in (("face", BALLS, 1.6), ("gap", GAP, 1.45), ("barrier", BARRIER, 1.5), ("hertz", HERTZ, 1.8)):
            _, record = self.check_contact(name, deck, 600, ((2, AT_ONCE),))
            self.assertGreater(record["gain"], gain, name)
            # Measured with the barrier: 1.37; 1.44 when subdomains of contact looked for their next event one round later.
            self.assertLess(record["rounds"], 1.4 * record["longest_chain"])
        self.check_contact("validating", BARRIER, 600, ((2, VALIDATING),))

    def test_two_beads_and_their_contact_work_side_by_side(self):
        options = ("--set", "localization.contact=own", "--set", "layout.kind=own", "--set", "time.end=4e-6",
                   "--set", "output.history_interval=4e-6", "--set", "output.field_interval=-1")
        _, record = self.check_executors("chain", CHAIN.read_text(encoding="utf-8"), options, 812, ((1, AT_ONCE), (2, AT_ONCE)))
        # Measured: 1.60; 0.85 when each subdomain went only as far in a round as it must.
        self.assertGreater(record["gain"], 1.45)

    def test_few_events_on_seven_ranks_stop_at_the_same_one(self):
        few = (*parts(8), "--set", "time.events=60")
        plain = self.run_in("plain", *few)
        self.assertEqual(plain["events"], 60)
        summary = self.run_in("at-once", *few, *AT_ONCE, ranks=7)
        self.check_same("at-once", summary, "plain", plain)

    def test_every_event_is_compared_with_one_after_the_other(self):
        plain = self.run_in("plain", *parts(8))
        for ranks in (1, 2):
            summary = self.run_in(f"validating-{ranks}", *parts(8), *VALIDATING, ranks=ranks)
            self.check_same(f"validating-{ranks}", summary, "plain", plain)
            self.assertEqual(summary["concurrency"]["events"], plain["events"])

    # With λ < 0 an element is crushed without bound, after many reflections at one instant: the run fails.
    CRUSHED = ("--set", "materials.soft.lame_lambda=-0.004", "--set", "bodies.0.spin=[0.3,0.2,3.0]", "--set", "localization.kind=metis",
               "--set", "integrator.energy_step=1e-3", "--set", "time.events=1000000", "--set", "time.end=20",
               "--set", "output.history_interval=1.5")

    def check_that_all_fail_alike(self, options, executors):
        ends = {}
        for name, more, ranks in (("plain", (), 1), *executors):
            done = call(PROGRAM, "run", self.deck, "--output", self.directory / name, *self.CRUSHED, *options, *more, ranks=ranks)
            self.assertEqual(done.returncode, 1, done.stderr)
            summary = json.loads((self.directory / name / "summary.json").read_text(encoding="utf-8"))
            tables = {table: text for table, text in self.tables(name).items() if table != "steps.csv"}
            ends[name] = [summary["status"], *(summary[key] for key in SAME), tables]
        self.assertIn("failed", ends["plain"][0])
        for name, end in ends.items():
            for found, expected in zip(end, ends["plain"]):
                self.assertEqual(found, expected, name)

    def test_a_run_that_fails_leaves_what_one_after_the_other_leaves(self):
        self.check_that_all_fail_alike(("--set", "localization.parts=4"),
                                       (("at-once-1", AT_ONCE, 1), ("at-once-2", AT_ONCE, 2), ("validating", VALIDATING, 2)))

    def test_what_others_did_before_a_failure_is_kept(self):
        """Subdomains without neighbours wait for nobody: when the failure is found, the last event before it is not final yet."""
        cube = CUBE[CUBE.index("[[bodies]]"):CUBE.index("[integrator]")]
        other = cube.replace('"cube"', '"other"').replace('"soft"', '"firm"') + "position = [3.0, 0.0, 0.0]\n"
        firm = "[materials.firm]\ndensity = 0.1\nlame_lambda = 0.01\nlame_mu = 0.0066\n"
        self.deck.write_text(CUBE.replace(cube, cube + other).replace("[[bodies]]", firm + "[[bodies]]", 1), encoding="utf-8")
        self.check_that_all_fail_alike(("--set", "localization.parts=1"), (("at-once-1", AT_ONCE, 1), ("at-once-2", AT_ONCE, 2)))

    def test_one_executor_goes_on_from_another(self):
        plain = self.run_in("plain", *parts(8))
        half = ("--set", f"time.events={plain['events'] // 2}")
        for name, first, then in (("at-once-first", AT_ONCE, ()), ("at-once-then", (), AT_ONCE), ("validating-then", AT_ONCE, VALIDATING)):
            self.run_in(name, *parts(8), *half, *first, ranks=2)
            summary = self.run_in(name, *parts(8), *then, "--resume", ranks=1)
            for key in ("state_hash", "events", "final_time", "momentum_change", "warnings"):
                self.assertEqual(summary[key], plain[key], f"{key}, {name}")

    def test_what_auto_stands_for_is_taken(self):
        # Contact by face intersection needs a terrace for each pair, also where the deck leaves localization.contact to "auto".
        options = ("--set", "localization.kind=bodies", "--set", "time.events=5")
        self.deck.write_text(CUBE.replace("[layout]", '[contact]\nmodel = "face-intersection"\nstiffness = 1.0\n[layout]'), encoding="utf-8")
        hashes = {run_deck(PROGRAM, self.deck, self.directory / name, *options, *executor)["state_hash"]
                  for name, executor in (("one", ()), ("many", AT_ONCE))}
        self.assertEqual(len(hashes), 1)

    def test_decks_they_are_not_for_are_refused(self):
        for changes, options, expected in (
                ((), ("integrator.method=newmark",), 'integrator.method = "energy-stepping", found "newmark"'),
                ((), ("layout.kind=slice",), 'layout.kind = "own", found "slice"'),
                (("[layout]", '[contact]\nmodel = "barrier"\n[layout]'), ("localization.kind=bodies",),
                 'localization.contact = "own", found "touching"'),
                (("[layout]", '[contact]\nmodel = "barrier"\n[layout]'), ("localization.kind=metis", "localization.parts=2", "localization.contact=own"),
                 'localization.kind = "bodies", where there is contact, found "metis"'),
                (("[layout]", '[contact]\nmodel = "rigid"\n[layout]'), ("localization.kind=bodies", "localization.contact=own"),
                 'contact that has an energy, found contact.model = "rigid"')):
            text = CUBE.replace(*changes) if changes else CUBE
            if options == ("integrator.method=newmark",):
                text = text.replace("energy_step = 2.5e-6\n", "")
            self.deck.write_text(text, encoding="utf-8")
            for executor in ("concurrent", "validating"):
                settings = [word for option in (f"integrator.executor={executor}", *options) for word in ("--set", option)]
                done = call(PROGRAM, "run", self.deck, "--output", self.directory / "refused", *settings)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(f'integrator.executor = "{executor}" with ' + expected, done.stderr)
                self.assertFalse((self.directory / "refused").exists())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
