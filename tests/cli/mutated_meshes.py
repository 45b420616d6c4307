"""A block of tetrahedra in four formats of .msh files, and random ways to break it."""

import dataclasses
import itertools
import math
import random
import struct

from decks import GEL
from mesh_soundness import Vector
from mutated_decks import QUIET, other_lines, other_number

TETRAHEDRON, TRIANGLE = 4, 2  # Gmsh's numbers for these types of elements
CELLS = 2  # along each edge of the block


@dataclasses.dataclass
class Element:
    number: int
    kind: int
    nodes: list[int]

    @property
    def dimension(self) -> int:
        return 3 if self.kind == TETRAHEDRON else 2


@dataclasses.dataclass
class Mesh:
    """A block of tetrahedra, the physical volume "solid", with the triangles of its bottom, the physical surface "bottom"."""
    nodes: list[tuple[int, Vector]]
    elements: list[Element]
    version: str = ""  # the version that the file states; empty: that of the format
    extra_nodes: int = 0  # by how much the stated numbers of nodes and elements are wrong
    extra_elements: int = 0


def sound_mesh() -> Mesh:
    """The unit cube. Each of its cells is cut into six tetrahedra about its diagonal."""
    side = range(CELLS + 1)
    places = list(itertools.product(side, side, side))
    number_of = {place: number for number, place in enumerate(places, 1)}
    nodes = [(number_of[place], (place[0] / CELLS, place[1] / CELLS, place[2] / CELLS)) for place in places]
    triangles, tetrahedra = [], []
    for corner in itertools.product(range(CELLS), repeat=3):
        for axes in itertools.permutations(range(3)):
            path = [corner]
            for axis in axes:
                path.append(tuple(x + (k == axis) for k, x in enumerate(path[-1])))
            numbers = [number_of[place] for place in path]
            # Paths of odd permutations give tetrahedra of negative volume, so two nodes are swapped.
            tetrahedra.append(numbers if axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else
                              [numbers[0], numbers[2], numbers[1], numbers[3]])
            if corner[2] == 0 and axes[2] == 2:
                triangles.append(numbers[:3])
    kinds = [(TRIANGLE, nodes) for nodes in triangles] + [(TETRAHEDRON, nodes) for nodes in tetrahedra]
    return Mesh(nodes, [Element(number, kind, list(nodes)) for number, (kind, nodes) in enumerate(kinds, 1)])


Section = tuple[str, bytes]  # name, and content between the first and last line


def ascii_lines(*lines: tuple) -> bytes:
    words = (" ".join(repr(word) if isinstance(word, float) else str(word) for word in line) for line in lines)
    return "".join(line + "\n" for line in words).encode()


def packed(letters: str, *values: float) -> bytes:
    """Like struct.pack, but integers that are too large lose their upper bits, as they would in C."""
    size = {"i": 4, "q": 8}
    return b"".join(struct.pack("<d", value) if letter == "d" else
                    (int(value) % (1 << 8 * size[letter])).to_bytes(size[letter], "little")
                    for letter, value in zip(letters, values, strict=True))


def head(mesh: Mesh, version: str, binary: bool) -> list[Section]:
    one = packed("i", 1) + b"\n" if binary else b""
    return [("MeshFormat", ascii_lines((mesh.version or version, int(binary), 8)) + one),
            ("PhysicalNames", b'2\n2 2 "bottom"\n3 1 "solid"\n')]


def group_of(element: Element) -> int:
    return 1 if element.dimension == 3 else 2


def version_2(mesh: Mesh) -> list[Section]:
    elements = [(e.number, e.kind, 2, group_of(e), group_of(e), *e.nodes) for e in mesh.elements]
    return [*head(mesh, "2.2", False),
            ("Nodes", ascii_lines((len(mesh.nodes) + mesh.extra_nodes,), *((n, *x) for n, x in mesh.nodes))),
            ("Elements", ascii_lines((len(elements) + mesh.extra_elements,), *elements))]


def version_2_binary(mesh: Mesh) -> list[Section]:
    nodes = b"".join(packed("iddd", number, *x) for number, x in mesh.nodes)
    elements = b"".join(packed((6 + len(e.nodes)) * "i", e.kind, 1, 2, e.number, group_of(e), group_of(e), *e.nodes)
                        for e in mesh.elements)
    return [*head(mesh, "2.2", True),
            ("Nodes", ascii_lines((len(mesh.nodes) + mesh.extra_nodes,)) + nodes + b"\n"),
            ("Elements", ascii_lines((len(mesh.elements) + mesh.extra_elements,)) + elements + b"\n")]


def blocks(mesh: Mesh) -> list[tuple[int, int, list[Element]]]:
    """Runs of elements of the same dimension and type: (dimension, type, elements), as version 4 groups them."""
    return [(dimension, kind, list(members)) for (dimension, kind), members in
            itertools.groupby(mesh.elements, lambda element: (element.dimension, element.kind))]


def spread(numbers: list[int]) -> tuple[int, int]:
    return (min(numbers), max(numbers)) if numbers else (0, 0)


def version_4(mesh: Mesh) -> list[Section]:
    nodes, extra = mesh.nodes, mesh.extra_nodes
    lines: list[tuple] = [(1, len(nodes) + extra, *spread([number for number, _ in nodes])), (3, 1, 0, len(nodes) + extra)]
    lines += [(number,) for number, _ in nodes] + [x for _, x in nodes]
    elements: list[tuple] = [(len(blocks(mesh)), len(mesh.elements) + mesh.extra_elements,
                              *spread([element.number for element in mesh.elements]))]
    for dimension, kind, members in blocks(mesh):
        elements.append((dimension, 1, kind, len(members) + (mesh.extra_elements if dimension == 3 else 0)))
        elements += [(e.number, *e.nodes) for e in members]
    entities = ascii_lines((0, 0, 1, 1), (1, 0, 0, 0, 1, 1, 0, 1, 2, 0), (1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1))
    return [*head(mesh, "4.1", False), ("Entities", entities), ("Nodes", ascii_lines(*lines)),
            ("Elements", ascii_lines(*elements))]


def version_4_binary(mesh: Mesh) -> list[Section]:
    nodes, extra = mesh.nodes, mesh.extra_nodes
    numbers = [number for number, _ in nodes]
    listed = packed("qqqq", 1, len(nodes) + extra, *spread(numbers)) + packed("iiiq", 3, 1, 0, len(nodes) + extra)
    listed += packed(len(numbers) * "q", *numbers) + b"".join(packed("ddd", *x) for _, x in nodes)
    elements = packed("qqqq", len(blocks(mesh)), len(mesh.elements) + mesh.extra_elements,
                      *spread([element.number for element in mesh.elements]))
    for dimension, kind, members in blocks(mesh):
        elements += packed("iiiq", dimension, 1, kind, len(members) + (mesh.extra_elements if dimension == 3 else 0))
        elements += b"".join(packed((1 + len(e.nodes)) * "q", e.number, *e.nodes) for e in members)
    entities = packed("qqqq", 0, 0, 1, 1) + packed("iddddddqiq", 1, 0, 0, 0, 1, 1, 0, 1, 2, 0)
    entities += packed("iddddddqiqi", 1, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1)
    return [*head(mesh, "4.1", True), ("Entities", entities + b"\n"), ("Nodes", listed + b"\n"),
            ("Elements", elements + b"\n")]


WRITERS = {"2.2": version_2, "2.2 binary": version_2_binary, "4.1": version_4, "4.1 binary": version_4_binary}


def joined(sections: list[Section]) -> bytes:
    return b"".join(b"$%b\n%b$End%b\n" % (name.encode(), content, name.encode()) for name, content in sections)


# One function for each way to break a mesh. It changes the mesh (or the list of sections) and returns a description.
HOSTILE_INDICES = (0, -1, 28, 29, 1000, 2**31 - 1, 2**31, 2**32 + 1, 2**63 - 1, 2**63, -2**31)
HOSTILE_COORDINATES = (math.nan, math.inf, -math.inf, 1e300, -1e300, 1e160, 1e-300, 5e-324, 1e15, 1e8)
HOSTILE_COUNTS = (1, -1, 2, -2, 7, -10**3, 10**3, 10**6, 2**31, 2**32, 2**40, 2**62, -2**40)


def moved_node(rng: random.Random, mesh: Mesh) -> str:
    place = rng.randrange(len(mesh.nodes))
    number, x = mesh.nodes[place]
    new = list(x)
    axis = rng.randrange(3)
    if rng.random() < 0.4:
        new[axis] = rng.choice(HOSTILE_COORDINATES)
    else:
        new[axis] += rng.choice((-1, 1)) * rng.choice((1e-12, 1e-3, 0.1, 0.5, 1, 10))
    mesh.nodes[place] = (number, (new[0], new[1], new[2]))
    return f"node {number} moves from {x} to {new}"


def swapped_nodes(rng: random.Random, mesh: Mesh) -> str:
    first, second = rng.sample(range(len(mesh.nodes)), 2)
    (one, x), (other, y) = mesh.nodes[first], mesh.nodes[second]
    if rng.random() < 0.5:  # exchanges their coordinates
        mesh.nodes[first], mesh.nodes[second] = (one, y), (other, x)
        return f"nodes {one} and {other} change places"
    mesh.nodes[first], mesh.nodes[second] = mesh.nodes[second], mesh.nodes[first]
    return f"nodes {one} and {other} are listed in the other order"


def other_node_number(rng: random.Random, mesh: Mesh) -> str:
    place = rng.randrange(len(mesh.nodes))
    number, x = mesh.nodes[place]
    new = rng.choice((*HOSTILE_INDICES, rng.choice(mesh.nodes)[0]))
    mesh.nodes[place] = (new, x)
    return f"node {number} gets the number {new}"


def listed_nodes(rng: random.Random, mesh: Mesh) -> str:
    place = rng.randrange(len(mesh.nodes))
    number, x = mesh.nodes[place]
    kind = rng.choice(("is left out", "is listed twice", "is there twice under two numbers"))
    if kind == "is left out":
        del mesh.nodes[place]
    else:
        mesh.nodes.append((number if kind == "is listed twice" else len(mesh.nodes) + 1, x))
    return f"node {number} {kind}"


def other_corner(rng: random.Random, mesh: Mesh) -> str:
    element = rng.choice(mesh.elements)
    corner = rng.randrange(len(element.nodes))
    old = element.nodes[corner]
    others = [rng.choice(mesh.nodes)[0] for _ in range(9)]
    element.nodes[corner] = rng.choice((*HOSTILE_INDICES[:9], *others, *element.nodes))
    return f"element {element.number}: node {old} becomes {element.nodes[corner]}"


def other_order(rng: random.Random, mesh: Mesh) -> str:
    element = rng.choice(mesh.elements)
    rng.shuffle(element.nodes)
    return f"element {element.number}: its nodes come as {element.nodes}"


def other_element(rng: random.Random, mesh: Mesh) -> str:
    element = rng.choice(mesh.elements)
    kind = rng.choice(("type", "number", "fewer nodes", "more nodes"))
    if kind == "type":
        element.kind = rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 11, 15, 29, 99, 140, 1000, -1, 2**31 - 1))
    elif kind == "number":
        element.number = rng.choice((*HOSTILE_INDICES, rng.choice(mesh.elements).number))
    elif kind == "fewer nodes":
        element.nodes.pop()
    else:
        element.nodes.append(rng.choice(mesh.nodes)[0])
    return f"an element with another {kind}: {element}"


def listed_elements(rng: random.Random, mesh: Mesh) -> str:
    kind, element = rng.choice(("left out", "twice", "twice under two numbers", "last")), rng.choice(mesh.elements)
    if kind in ("left out", "last"):
        mesh.elements.remove(element)
    if kind != "left out":
        number = len(mesh.elements) + 1 if kind == "twice under two numbers" else element.number
        mesh.elements.append(Element(number, element.kind, list(element.nodes)))
    return f"element {element} is {kind}"


def few_elements(rng: random.Random, mesh: Mesh) -> str:
    """Leaves so few elements that most faces have no neighbours, and pieces meet at edges and nodes only."""
    count = rng.randrange(1, 12)
    tetrahedra = [element for element in mesh.elements if element.dimension == 3]
    mesh.elements = rng.sample(tetrahedra, count)
    if rng.random() < 0.3:
        mesh.elements += [Element(100 + k, e.kind, list(e.nodes)) for k, e in enumerate(mesh.elements)]
        return f"{count} elements are left, each of them twice"
    return f"{count} elements are left"


def other_counts(rng: random.Random, mesh: Mesh) -> str:
    extra = rng.choice(HOSTILE_COUNTS)
    if rng.random() < 0.5:
        mesh.extra_nodes = extra
        return f"the number of nodes is wrong by {extra}"
    mesh.extra_elements = extra
    return f"the number of elements is wrong by {extra}"


def other_version(rng: random.Random, mesh: Mesh) -> str:
    mesh.version = rng.choice(("1", "2", "2.1", "2.2", "3", "4", "4.0", "4.1", "4.2", "5", "0", "-1", "nan", "1e300", "x",
                               ""))
    return f"version {mesh.version!r}"


def other_sections(rng: random.Random, sections: list[Section]) -> str:
    kind, place = rng.choice(("without", "twice", "last", "empty", "renamed")), rng.randrange(len(sections))
    name, content = sections[place]
    if kind == "twice":
        sections.insert(rng.randrange(len(sections) + 1), sections[place])
    elif kind == "empty":
        sections[place] = (name, b"")
    elif kind == "renamed":
        names = ("Nodes", "Elements", "Comments", "Periodic", "NodeData", "ParametricNodes", "X")
        sections[place] = (rng.choice(names), content)
    else:
        del sections[place]
        if kind == "last":
            sections.append((name, content))
    return f"section {name} {kind}"


def other_bytes(rng: random.Random, content: bytes) -> tuple[bytes, str]:
    kind, place = rng.choice(("cut", "flip", "flip", "zero", "delete", "insert")), rng.randrange(len(content))
    length = rng.choice((1, 4, 8, 100))
    if kind == "cut":
        return content[:place], f"cut after {place} bytes"
    if kind == "flip":
        flipped = bytes([content[place] ^ (1 << rng.randrange(8))])
        return content[:place] + flipped + content[place + 1:], f"byte {place} flipped"
    new = {"zero": bytes(min(length, len(content) - place)), "delete": b"", "insert": rng.randbytes(length)}[kind]
    kept = content[place:] if kind == "insert" else content[place + length:]
    return content[:place] + new + kept, f"{kind} {length} bytes at byte {place}"


def other_file_lines(rng: random.Random, content: bytes) -> tuple[bytes, str]:
    text, said = other_lines(rng, content.decode("latin-1"))
    return text.encode("latin-1"), said


def other_file_number(rng: random.Random, content: bytes) -> tuple[bytes, str]:
    text, said = other_number(rng, content.decode("latin-1"))
    return text.encode("latin-1"), said


MESH_MUTATIONS = (moved_node, swapped_nodes, other_node_number, listed_nodes, other_corner, other_corner, other_order,
                  other_element, listed_elements, few_elements, other_counts, other_version)


def mutated_mesh(rng: random.Random) -> tuple[bytes, str]:
    """The content of a mutated mesh file, and a description of the mutations."""
    name, said = rng.choice(list(WRITERS)), []
    mesh = sound_mesh()
    what = rng.choice(("mesh", "mesh", "mesh", "sections", "file"))
    if what == "mesh":
        said += [rng.choice(MESH_MUTATIONS)(rng, mesh) for _ in range(rng.choice((1, 1, 2)))]
    sections = WRITERS[name](mesh)
    if what == "sections":
        said += [other_sections(rng, sections) for _ in range(rng.choice((1, 1, 2)))]
    content = joined(sections)
    if what == "file":
        ways = (other_bytes,) if "binary" in name else (other_bytes, other_file_lines, other_file_number)
        for _ in range(rng.choice((1, 1, 2))):
            content, words = rng.choice(ways)(rng, content) if content else (content, "")
            said.append(words)
    return content, f"{name}: " + "; ".join(said)


MESH_DECK = "[time]\nend = 0.01\n" + GEL + """[[bodies]]
name = "solid"
material = "gel"
shape = "file"
file = "solid.msh"
velocity = [1, 0, 0]
{group}[integrator]
method = "energy-stepping"
energy_step = 1
""" + QUIET
GROUPS = ("", 'group = "solid"\n', '[[supports]]\nname = "clamp"\nbody = "solid"\ngroup = "bottom"\ncomponents = ["z"]\n')
