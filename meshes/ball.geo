// Ball of radius 1 about the origin, elements of one size. A deck gives the radius as the scale of the file.
SetFactory("Built-in");
DefineConstant[ size = {0.25, Name "Element size over radius"} ];

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
