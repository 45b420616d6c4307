// Bead of a chain along x: ball of radius 1 about the origin, refined where its neighbours touch it, at (±1, 0, 0).
// A deck gives the radius as the scale of the file and leaves the element size to the file.
DefineConstant[
  fine_size = {0.02, Name "Element size at the contacts over radius"},
  coarse_size = {0.3, Name "Element size elsewhere over radius"},
  fine_radius = {0.06, Name "Radius of the fine zone over radius"},
  graded_radius = {0.7, Name "Radius where the coarse size is reached over radius"}
];
size = coarse_size;
Include "ball.geo";

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
