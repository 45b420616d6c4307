"""Decides whether a mesh of tetrahedra is one solid, without any code of the program."""

import collections
import itertools
import math
import pathlib

Vector = tuple[float, float, float]


def minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def volume_of(a: Vector, b: Vector, c: Vector, d: Vector) -> float:
    return dot(minus(b, a), cross(minus(c, a), minus(d, a))) / 6


def faces_of(tetrahedron: list[int]) -> list[tuple[int, int, int]]:
    """The four faces, with nodes in anticlockwise order as seen from outside, beginning with the smallest number."""
    a, b, c, d = tetrahedron
    turns = [(a, c, b), (a, b, d), (b, c, d), (a, d, c)]
    return [min(((p, q, r), (q, r, p), (r, p, q))) for p, q, r in turns]


def read_mesh(path: pathlib.Path) -> tuple[list[Vector], list[list[int]]]:
    """Reads a mesh that `terrace mesh` wrote: coordinates of nodes, and for each tetrahedron the indices of its nodes in that list."""
    lines = path.read_text(encoding="utf-8").split("\n")
    nodes_at, elements_at = lines.index("$Nodes") + 1, lines.index("$Elements") + 1
    nodes = [tuple(map(float, line.split()[1:])) for line in lines[nodes_at + 1:nodes_at + 1 + int(lines[nodes_at])]]
    elements = lines[elements_at + 1:elements_at + 1 + int(lines[elements_at])]
    return nodes, [[int(word) - 1 for word in line.split()[-4:]] for line in elements]


def overlap(one: list[Vector], other: list[Vector]) -> bool:
    """Whether two tetrahedra share more than points of their surfaces, that is, whether no plane separates them (by separating axes)."""
    edges = [[minus(t[q], t[p]) for p, q in itertools.combinations(range(4), 2)] for t in (one, other)]
    size = max(math.hypot(*edge) for edge in edges[0] + edges[1])
    axes = [cross(e[p], e[q]) for e in edges for p, q in ((0, 1), (0, 2), (1, 2), (3, 4))]
    for axis in itertools.chain(axes, (cross(e, f) for e in edges[0] for f in edges[1])):
        length = math.hypot(*axis)
        if length <= 1e-12 * size * size:
            continue
        left, right = ([dot(axis, x) / length for x in t] for t in (one, other))
        if min(max(left), max(right)) - max(min(left), min(right)) <= 1e-9 * size:
            return False
    return True


def on_triangle(x: Vector, triangle: list[Vector]) -> bool:
    a, b, c = triangle
    normal = cross(minus(b, a), minus(c, a))
    area = dot(normal, normal)
    if abs(dot(minus(x, a), normal)) > 1e-9 * area ** 0.75:
        return False
    return all(dot(cross(minus(q, p), minus(x, p)), normal) >= -1e-9 * area for p, q in ((a, b), (b, c), (c, a)))


def pieces(tetrahedra: list[list[int]]) -> int:
    leader: dict[int, int] = {}

    def find(node: int) -> int:
        while leader.setdefault(node, node) != node:
            node = leader[node]
        return node

    for first, *others in tetrahedra:
        for node in others:
            leader[find(node)] = find(first)
    return len({find(node) for node in list(leader)})


def flaw_of_boundary(nodes: list[Vector], tetrahedra: list[list[int]], total: float) -> str:
    count = collections.Counter(face for tetrahedron in tetrahedra for face in faces_of(tetrahedron))
    for p, q, r in count:
        inside = min(((p, r, q), (r, q, p), (q, p, r)))
        if count[p, q, r] + count[inside] > 2:
            return f"more than two tetrahedra at the face {p, q, r}"
        if count[p, q, r] == 2:
            return f"two tetrahedra on the same side of the face {p, q, r}"
    boundary = [face for face in count if min(((face[0], face[2], face[1]), (face[2], face[1], face[0]),
                                               (face[1], face[0], face[2]))) not in count]
    edges = collections.Counter((face[k], face[(k + 1) % 3]) for face in boundary for k in range(3))
    if any(edges[edge] != edges[edge[1], edge[0]] for edge in list(edges)):
        return "the boundary is open"
    origin = nodes[tetrahedra[0][0]]
    enclosed = sum(volume_of(origin, *(nodes[node] for node in face)) for face in boundary)
    if abs(enclosed - total) > 1e-9 * total:
        return f"the boundary encloses {enclosed:g}, the tetrahedra are {total:g}"
    for node, face in itertools.product({node for face in boundary for node in face}, boundary):
        if node not in face and on_triangle(nodes[node], [nodes[corner] for corner in face]):
            return f"node {node} is on the triangle {face}"
    return ""


def flaw_of(nodes: list[Vector], tetrahedra: list[list[int]]) -> str:
    """The reason why the mesh is not one body; an empty text if it is. The method differs from that of the program."""
    if not tetrahedra:
        return "no tetrahedra"
    if not all(math.isfinite(x) for node in nodes for x in node):
        return "a coordinate that is not finite"
    corners = [[nodes[node] for node in tetrahedron] for tetrahedron in tetrahedra]
    volumes = [volume_of(*corner) for corner in corners]
    if min(volumes) <= 0:
        return f"a tetrahedron of volume {min(volumes):g}"
    if len({tuple(sorted(tetrahedron)) for tetrahedron in tetrahedra}) < len(tetrahedra):
        return "a tetrahedron twice"
    if pieces(tetrahedra) > 1:
        return f"{pieces(tetrahedra)} pieces"
    if flaw := flaw_of_boundary(nodes, tetrahedra, sum(volumes)):
        return flaw
    for one, other in itertools.combinations(range(len(corners)), 2):
        if overlap(corners[one], corners[other]):
            return f"tetrahedra {one} {tetrahedra[one]} and {other} {tetrahedra[other]} overlap"
    return ""
