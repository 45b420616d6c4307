SetFactory("OpenCASCADE");
// A cube of edge 1 about the origin, 5^3 nodes: 4^3 cells of 6 tetrahedra each.
Box(1) = {-0.5, -0.5, -0.5, 1.0, 1.0, 1.0};
Transfinite Curve {1:12} = 5;
Transfinite Surface {1:6};
Transfinite Volume {1};
