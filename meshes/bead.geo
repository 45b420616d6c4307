// Bead of a chain along x: ball of radius 1 about the origin, refined where its neighbours touch it, at (±1, 0, 0).
// A deck gives the radius as the scale of the file; the element size is the file's, unless the deck gives one.
SetFactory("Built-in");
DefineConstant[
  fine_size = {0.02, Name "Element size at the contacts over radius"},
  coarse_size = {0.3, Name "Element size elsewhere over radius"},
  fine_radius = {0.06, Name "Radius of the fine zone over radius"},
  graded_radius = {0.7, Name "Radius where the coarse size is reached over radius"}
];
size = coarse_size;

centre = newp; Point(centre) = {0, 0, 0, size};
east = newp; Point(east) = {1, 0, 0, size};
west = newp; Point(west) = {-1, 0, 0, size};
north = newp; Point(north) = {0, 1, 0, size};
south = newp; Point(south) = {0, -1, 0, size};
top = newp; Point(top) = {0, 0, 1, size};
bottom = newp; Point(bottom) = {0, 0, -1, size};

// Eight spherical triangles: a node lies on every axis.
Circle(1) = {east, centre, north};
Circle(2) = {north, centre, west};
Circle(3) = {west, centre, south};
Circle(4) = {south, centre, east};
Circle(5) = {east, centre, top};
Circle(6) = {north, centre, top};
Circle(7) = {west, centre, top};
Circle(8) = {south, centre, top};
Circle(9) = {east, centre, bottom};
Circle(10) = {north, centre, bottom};
Circle(11) = {west, centre, bottom};
Circle(12) = {south, centre, bottom};
Curve Loop(1) = {1, 6, -5};
Curve Loop(2) = {2, 7, -6};
Curve Loop(3) = {3, 8, -7};
Curve Loop(4) = {4, 5, -8};
Curve Loop(5) = {1, 10, -9};
Curve Loop(6) = {2, 11, -10};
Curve Loop(7) = {3, 12, -11};
Curve Loop(8) = {4, 9, -12};
For octant In {1:8}
  Surface(octant) = {octant} In Sphere {centre};
EndFor
Surface Loop(1) = {1:8};
Volume(1) = {1};
Physical Surface("surface") = {1:8};
Physical Volume("ball") = {1};

Field[1] = Distance;
Field[1].PointsList = {east, west};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].SizeMin = fine_size;
Field[2].SizeMax = coarse_size;
Field[2].DistMin = fine_radius;
Field[2].DistMax = graded_radius;
Background Field = 2;
Mesh.MeshSizeFromPoints = 0;
Mesh.MeshSizeExtendFromBoundary = 0;
