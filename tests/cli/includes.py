#!/usr/bin/env python3
"""Rules for the files of src/. A file includes only from its own folder and from those below it in the table of src/README.md, which
names all folders. No file is longer than 400 lines. No two types have the same name: linkers would silently take them for one.

Usage: includes.py [OPTION of unittest]...
"""

import pathlib
import re
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"
LONGEST = 400
TYPE = re.compile(r"(?:class|struct|union|enum class|enum) (?:alignas\(.*?\) )?(\w+)(?: final)?(?: : [^;]*)? ?\{")


def folders_of_the_map():
    rows = re.findall(r"^\| `([\w/]+)/` \|", (SOURCES / "README.md").read_text(), re.MULTILINE)
    return {folder: place for place, folder in enumerate(rows)}


def sources():
    return sorted(path for path in SOURCES.rglob("*") if path.suffix in (".cpp", ".hpp"))


def types_of(path):
    """(namespace, name) of the types in a file, without those in unnamed namespaces, which other files cannot see."""
    scopes = []
    for line in path.read_text().splitlines():
        if scope := re.match(r"(?:inline )?namespace ?([\w:]*) \{$", line):
            scopes.append(scope[1])
        elif line.startswith("}  // namespace"):
            scopes.pop()
        elif "" not in scopes and (found := TYPE.match(line)):
            yield "::".join(scopes), found[1]


class Map(unittest.TestCase):
    def test_names_every_folder(self):
        folders = {str(path.parent.relative_to(SOURCES)) for path in sources()}
        self.assertEqual(set(folders_of_the_map()), folders)

    def test_no_include_goes_up(self):
        place = folders_of_the_map()
        wrong, seen = [], 0
        for path in sources():
            own = str(path.parent.relative_to(SOURCES))
            for included in re.findall(r'^#include "([\w/]+)/\w+\.hpp"', path.read_text(), re.MULTILINE):
                seen += 1
                if place[included] < place[own]:
                    wrong.append(f"{path.relative_to(SOURCES)} includes {included}/")
        self.assertEqual(wrong, [])
        self.assertGreater(seen, 300)

    def test_files_are_short(self):
        long = {str(path.relative_to(SOURCES)): lines for path in sources()
                if (lines := path.read_text().count("\n")) > LONGEST}
        self.assertEqual(long, {})

    def test_a_name_is_of_one_type(self):
        files = {}
        for path in sources():
            for name in set(types_of(path)):
                files.setdefault(name, []).append(str(path.relative_to(SOURCES)))
        self.assertEqual({name: where for name, where in files.items() if len(where) > 1}, {})
        self.assertGreater(len(files), 300)


if __name__ == "__main__":
    unittest.main()
