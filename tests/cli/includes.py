#!/usr/bin/env python3
"""Arrows between the folders of src/ go one way: a file includes only from its own folder and from those below it in
the table of src/README.md, which names all of them. No file is longer than 400 lines.

Usage: includes.py [OPTION of unittest]...
"""

import pathlib
import re
import unittest

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "src"
LONGEST = 400


def folders_of_the_map():
    rows = re.findall(r"^\| `(\w+)/` \|", (SOURCES / "README.md").read_text(), re.MULTILINE)
    return {folder: place for place, folder in enumerate(rows)}


def sources():
    return sorted(path for path in SOURCES.rglob("*") if path.suffix in (".cpp", ".hpp"))


class Map(unittest.TestCase):
    def test_names_every_folder(self):
        folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}
        self.assertEqual(set(folders_of_the_map()), folders)

    def test_no_include_goes_up(self):
        place = folders_of_the_map()
        wrong, seen = [], 0
        for path in sources():
            for included in re.findall(r'^#include "(\w+)/', path.read_text(), re.MULTILINE):
                seen += 1
                if place[included] < place[path.relative_to(SOURCES).parts[0]]:
                    wrong.append(f"{path.relative_to(SOURCES)} includes {included}/")
        self.assertEqual(wrong, [])
        self.assertGreater(seen, 300)

    def test_files_are_short(self):
        long = {str(path.relative_to(SOURCES)): lines for path in sources()
                if (lines := path.read_text().count("\n")) > LONGEST}
        self.assertEqual(long, {})


if __name__ == "__main__":
    unittest.main()
