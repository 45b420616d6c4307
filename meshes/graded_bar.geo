// Bar of length 1 along x from the origin, its section a square of edge 0.2: layers of tetrahedra that grow from one end to the other.
// A deck gives the length as the scale of the file; the layers are the file's.
DefineConstant[
  layers = {40, Name "Layers along the bar"},
  ratio = {1.04, Name "Thickness of a layer over that of the one before"},
  cells = {2, Name "Cells along an edge of the section"}
];
Point(1) = {0, -0.1, -0.1};
Point(2) = {0, 0.1, -0.1};
Point(3) = {0, 0.1, 0.1};
Point(4) = {0, -0.1, 0.1};
For k In {1:4}
  Line(k) = {k, k % 4 + 1};
EndFor
Transfinite Curve {1:4} = cells + 1;
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
// The same when it is turned: bars that press each other askew bend.
Transfinite Surface {1} Alternate;
counts[] = {};
ends[] = {};
For k In {1:layers}
  counts[] += {1};
  ends[] += {(ratio^k - 1) / (ratio^layers - 1)};
EndFor
Extrude {1, 0, 0} { Surface{1}; Layers{counts[], ends[]}; }
