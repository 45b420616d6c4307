"""Checks that some test names every error message. Starts no program: it compares the texts of the sources with those of the tests.

Usage: error_sites.py

A site is a call that makes an Error: `throw Error(…)`, `fail(…)`, `reject(…)`, `refuse(…)`, `refuse_element(…)`, `require_positive(…)`,
`attempt(…)`. Each piece of its message of ten characters or more must occur in a string of a test (tests/unit, tests/cli), or contain
such a string of twelve characters or more. Otherwise the message must be listed below, with the reason why no test can provoke it.
Calls without a text of their own only pass on the messages of others and are left out.
"""

import re
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
SOURCE = TESTS.parent / "src"

# Messages that no user and no test of reasonable size can provoke: (file under src/, piece of the message, reason).
UNREACHABLE = [
    ("dynamics/terraces/subdomain_gradient.cpp", "forces that fit on a grid made for them",
     "a guard: the second grid is made for the forces that were found"),
    ("dynamics/terraces/terrace_changes.cpp", "a potential energy that is not below its lowest value",
     "every potential keeps to its own infimum; stands for potentials to come"),
    ("io/vtk_trajectories.cpp", "trajectories of", "a file that terrace wrote, for the particles that the restart file is of"),
    ("io/parse_formula.cpp", "sums, products, powers and functions", "GiNaC makes nothing else of what is let through"),
    ("io/parse_formula.cpp", "the functions sqrt, exp, log, sin, cos", "the same"),
    ("potentials/kernels/packet_kernels.cpp", "a level that this processor runs", "a processor with AVX-512 runs them all"),
    ("io/body_file.cpp", "a directory to write to", "its file was made there before"),
    ("io/body_file.cpp", "to put it in its place", "a directory that vanishes after a file was written there"),
    ("io/growing_table.cpp", "to shorten it", "a file that was just read and cannot be written"),
    ("io/output_directory.cpp", "a directory that can be written", "a file that was just read and cannot be removed"),
    ("app/restart.cpp", "a restart file of terrace", "until there is a second version"),
    ("io/restart_file.cpp", "a restart file of version", "until there is a second version"),
    ("io/whole_file.cpp", "to bring it to the disk", "a disk that fails"),
    ("io/restart_file.cpp", "to put it in its place", "a directory that vanishes after a file was written there"),
    ("parallel/communicator.cpp", "at most 2 GB", "takes millions of subdomains"),
    ("mesh/gmsh/file.cpp", "a physical volume", "Gmsh has never refused to list what it has read"),
    ("mesh/gmsh/session.cpp", "at most 2^29 tetrahedra", "takes hundreds of gigabytes"),
    ("mesh/gmsh/session.cpp", "coordinates of", "Gmsh refuses files whose elements lack nodes before"),
    ("mesh/gmsh/session.cpp", "a mesh of tetrahedra", "Gmsh has never refused to hand over what it has meshed"),
    ("mesh/gmsh/unit_shapes.cpp", "a shape that Gmsh can mesh", "balls and blocks of every allowed size are meshed"),
    ("mesh/partition.cpp", "parts of", "METIS refuses only what is checked before, or without memory"),
    ("mesh/partition.cpp", "at most 2^29 tetrahedra", "takes hundreds of gigabytes"),
    ("potentials/elastic/tetrahedral_block.cpp", "one that is not, or J = 0 but for rounding", "two orders of a sum that differ on the sign of J"),
    ("parallel/petsc_calls.cpp", "PETSc error", "PETSc refuses vectors, small matrices and sums only without memory, a stage only when it was not initialised"),
]
CALL = re.compile(r"(?:throw (?:terrace::)?Error|\b(?:fail|reject|refuse|refuse_element|require_positive)|[.>]attempt)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def plain(text):
    """The text that a string literal stands for."""
    return text.replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")


def call_at(text, start):
    """The text of a call from its opening bracket, at `start`, to its closing one."""
    depth = 0
    for match in re.compile(LITERAL.pattern + r"|'(?:[^'\\]|\\.)'|[()]").finditer(text, start):
        depth += {"(": 1, ")": -1}.get(match.group(), 0)
        if depth == 0:
            return text[start:match.end()]
    raise ValueError(f"no end of the call at {start}")


def joined_literals(text):
    """All string literals of a text; adjacent ones are joined, as the compiler does."""
    return [plain("".join(LITERAL.findall(run.group())))
            for run in re.finditer(LITERAL.pattern + r"(?:\s*" + LITERAL.pattern + ")*", text)]


def sites():
    """(file, line, all pieces of the message, the pieces that tests must name) for every call with a text of its own."""
    for path in sorted([*SOURCE.rglob("*.cpp"), *SOURCE.rglob("*.hpp")]):
        text = re.sub(r"(?m)//[^\n\"]*$", "", path.read_text(encoding="utf-8"))
        for match in CALL.finditer(text):
            call = call_at(text, match.end() - 1)
            if "attempt" in match.group():
                call = call.split(",", 1)[0] + ")"
            pieces = [piece.strip() for literal in joined_literals(call) for piece in re.split(r"\{[^}]*\}", literal)]
            longest = max(pieces, key=len, default="")
            if len(longest) > 3:
                yield (str(path.relative_to(SOURCE)), text.count("\n", 0, match.start()) + 1, pieces,
                       [piece for piece in pieces if len(piece) >= 10 or piece is longest])


def words_of_tests():
    """The strings of all tests."""
    words = set()
    for path in sorted([*(TESTS / "unit").rglob("*.cpp"), *(TESTS / "cli").glob("*.py")]):
        if path.name == Path(__file__).name:
            continue
        text = path.read_text(encoding="utf-8")
        words.update(joined_literals(text))
        if path.suffix == ".py":  # also those in single quotes
            words.update(plain(match) for match in re.findall(r"'((?:[^'\\\n]|\\.)*)'", text))
    return words


def main():
    words, all_sites = words_of_tests(), list(sites())
    everything = {piece for _, _, message, _ in all_sites for piece in message}
    # A part of a piece names it if no other message has that part.
    telling = {word for word in words if len(word) >= 12 and sum(word in piece for piece in everything) == 1}
    found, unused, count = [], set(range(len(UNREACHABLE))), 0
    for file, line, message, pieces in all_sites:
        count += 1
        reasons = [k for k, (where, part, _) in enumerate(UNREACHABLE)
                   if where == file and any(part in piece for piece in message)]
        unused.difference_update(reasons)
        found += [f"src/{file}:{line}: no test says {piece!r}" for piece in pieces if not reasons and
                  not (any(piece in word for word in words) or any(word in piece for word in telling))]
    found += [f"listed as unreachable, but no message of src/{UNREACHABLE[k][0]}: {UNREACHABLE[k][1]!r}" for k in unused]
    print("\n".join(found) or f"{count} messages: {count - len(UNREACHABLE)} provoked, {len(UNREACHABLE)} unreachable")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
