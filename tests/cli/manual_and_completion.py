"""The manual page and the completions name exactly the commands and options that `terrace --help` lists.

Usage: manual_and_completion.py TERRACE MANUAL [OPTION of unittest]...      MANUAL is terrace.1 as it is installed
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from program import ENVIRONMENT, call  # noqa: E402

PROGRAM, MANUAL = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
BASH, ZSH = (ROOT / "packaging" / "completion" / name for name in ("terrace.bash", "_terrace"))
OPTION = r"--?[a-z][a-z-]*"


def indented(text, heading):
    """The first word of each line in one section of CLI11's help."""
    section = re.search(rf"^{heading}:\n((?:  .*\n)+)", text, re.MULTILINE)
    return re.findall(r"^  (\S+)", section.group(1), re.MULTILINE) if section else []


def help_of(*command):
    done = call(PROGRAM, *command, "--help")
    assert done.returncode == 0, done.stderr
    return done.stdout


def options_of(*command):
    return {option for words in indented(help_of(*command), "Options") for option in words.split(",")}


class ManualAndCompletion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.commands = indented(help_of(), "Subcommands")
        cls.options = {"": options_of(), **{command: options_of(command) for command in cls.commands}}
        assert {"run", "check", "mesh", "list"} <= set(cls.commands) and "--set" in cls.options["run"], "help is not as it was"
        # The page as roff without fonts and escapes; escaped hyphens become plain ones.
        roff = re.sub(r"\\-", "-", MANUAL.read_text(encoding="utf-8"))
        cls.manual = re.sub(r"\\[|&]", "", roff)

    def section(self, title):
        return re.search(rf"^\.SH {title}\n(.*?)(?=^\.SH|\Z)", self.manual, re.MULTILINE | re.DOTALL).group(1)

    def test_manual_explains_every_command_and_no_other(self):
        explained = re.findall(r"^\.TP\n\.B (\S+)", self.section("COMMANDS"), re.MULTILINE)
        self.assertEqual(sorted(explained), sorted(self.commands))

    def test_manual_explains_every_option_and_no_other(self):
        tags = re.findall(r"^\.TP\n(.*)", self.section("OPTIONS"), re.MULTILINE)
        explained = {option for tag in tags for option in re.findall(OPTION, tag)}
        self.assertEqual(explained, set().union(*self.options.values()))

    def test_synopsis_gives_every_command_its_options(self):
        synopsis = re.sub(r"^\.[A-Z]+ ", "", self.section("SYNOPSIS"), flags=re.MULTILINE)
        forms = {}
        for form in re.split(r"^\.(?:br|PP)\n", synopsis, flags=re.MULTILINE):
            if form.startswith("terrace"):
                command = re.match(r"terrace *([a-z]*)", form).group(1)
                forms[command] = set(re.findall(OPTION, form)) - {"--"}
        common = {"-h", "--help"}
        self.assertEqual(forms.pop(""), self.options[""])
        self.assertEqual(forms, {command: self.options[command] - common for command in self.commands})

    def test_manual_names_what_runs_leave_and_what_there_is_to_integrate(self):
        for file in ("restart.h5", "summary.json", "history.csv", "probes.csv", "bodies.csv", "bodies.h5", "subdomains.csv", "steps.csv", "fields.pvd",
                     "trajectories.vtu", "trace.csv"):
            self.assertIn(file, self.section("FILES"))
        for words in ("particles", "small systems", "clocked energy-stepping", "implicit methods"):
            self.assertIn(words, self.section("DESCRIPTION"))

    def test_manual_is_set_without_warnings(self):
        done = subprocess.run(["groff", "-ww", "-man", "-Tutf8", MANUAL], capture_output=True, text=True, check=True)
        self.assertEqual(done.stderr, "")
        self.assertNotIn("@", self.manual, "something was not filled in")

    def test_examples_find_the_decks_wherever_the_program_was_installed(self):
        example = re.search(r"^\.RS\n(.*?)^\.RE", self.section("EXAMPLES"), re.MULTILINE | re.DOTALL).group(1).splitlines()
        self.assertTrue(example[0].startswith("D=") and example[1].startswith("terrace check "), example)
        with tempfile.TemporaryDirectory() as directory:
            prefix = Path(directory)
            for folder in ("bin", "share/terrace"):
                (prefix / folder).mkdir(parents=True)
            (prefix / "bin" / "terrace").symlink_to(PROGRAM)
            for folder in ("inputs", "meshes"):
                (prefix / "share" / "terrace" / folder).symlink_to(ROOT / folder)
            done = subprocess.run(["bash", "-c", "\n".join(example[:2])], capture_output=True, text=True, check=False,
                                  env={**ENVIRONMENT, "PATH": f"{prefix}/bin:{ENVIRONMENT['PATH']}"}, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)

    def complete(self, *words, directory=None):
        """The completions that bash offers for the last word: calls the completion function as bash does."""
        script = ('compopt() { :; }; source "$1"; shift; COMP_WORDS=(terrace "$@"); COMP_CWORD=$#; _terrace; '
                  '((${#COMPREPLY[@]} == 0)) || printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", BASH, *words], cwd=directory, capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stderr, "")
        return sorted(done.stdout.splitlines())

    def test_bash_offers_every_command(self):
        self.assertEqual(self.complete(""), sorted(self.commands))
        self.assertEqual(self.complete("ch"), ["check"])

    def test_bash_offers_the_options_of_each_command(self):
        self.assertEqual(self.complete("-"), sorted(self.options[""]))
        for command in self.commands:
            self.assertEqual(self.complete(command, "-"), sorted(self.options[command]), command)
        self.assertEqual(self.complete("run", "deck.toml", "--set", "time.end=1", "--o"), ["--output"])

    def test_bash_offers_decks_directories_and_meshes_where_they_belong(self):
        with tempfile.TemporaryDirectory() as directory:
            for name in ("a.toml", "two words.toml", "b.vtu", "c.txt", "d.msh"):
                (Path(directory) / name).touch()
            (Path(directory) / "inputs").mkdir()
            self.assertEqual(self.complete("run", "", directory=directory), ["a.toml", "inputs", "two words.toml"])
            self.assertEqual(self.complete("run", "a.toml", "--output", "", directory=directory), ["inputs"])
            self.assertEqual(self.complete("mesh", "a.toml", "--output", "", directory=directory), ["b.vtu", "d.msh", "inputs"])
            for begun, found in (("=",), ["inputs"]), (("=", ""), ["inputs"]), (("=", "in"), ["inputs"]), (("=", "a"), []):
                self.assertEqual(self.complete("run", "a.toml", "--output", *begun, directory=directory), found, begun)
            self.assertEqual(self.complete("mesh", "a.toml", "--output", "=", "b", directory=directory), ["b.vtu"])
            self.assertEqual(self.complete("run", "--set", "title", "=", "a", directory=directory), [])
            self.assertEqual(self.complete("run", "a.toml", "--set", "", directory=directory), [])
            self.assertEqual(self.complete("run", "a.toml", "--", "", directory=directory), [])
            self.assertEqual(self.complete("list", "", directory=directory), [])

    def test_bash_is_told_whose_completion_it_is(self):
        done = subprocess.run(["bash", "-c", 'source "$1"; complete -p terrace', "bash", BASH], capture_output=True,
                              text=True, check=True)
        self.assertEqual(done.stdout.strip(), "complete -F _terrace terrace")

    def test_zsh_offers_the_same(self):
        text = ZSH.read_text(encoding="utf-8")
        definitions = dict(re.findall(r"^(help|deck)=\((.*)\)$", text, re.MULTILINE))
        offered = {command: set() for command in re.findall(r"^  argument:([a-z]+)\)", text, re.MULTILINE)}
        self.assertEqual(sorted(offered), sorted(self.commands))
        self.assertEqual(re.findall(r'([a-z]+)\\:"', text), self.commands)
        for command in offered:
            line = re.search(rf"^  argument:{command}\) _arguments (.*) ;;$", text, re.MULTILINE).group(1)
            for name in ("deck", "help"):
                line = line.replace(f"${name}", definitions[name])
            # In zsh's notation an option is followed by its description or, in braces, by its other name.
            self.assertEqual(set(re.findall(rf"(?<![\w-])({OPTION})(?=[\[,}}])", line)), self.options[command], command)
        self.assertIn('_files -g "*.(vtu|msh)"', text)
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n", ZSH], check=True)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
