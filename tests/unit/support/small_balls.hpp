// A deck of two balls that only just touch, for contact by Hertz's law.
#pragma once

namespace terrace {

/// E/(1 − ν²) = 10 / 0.9375; radii 1, centres at 0 and 2 on the x axis. The meshes are coarse but for the
/// surroundings of the contact point.
inline const char* const touching_balls = R"([time]
end = 1
[materials.stiff]
density = 7
youngs_modulus = 10
poissons_ratio = 0.25
[[bodies]]
name = "left"
material = "stiff"
shape = "ball"
radius = 1
size = 0.6
refine = [{ point = [1, 0, 0], size = 0.06, slope = 0.8 }]
[[bodies]]
name = "right"
material = "stiff"
shape = "ball"
radius = 1
size = 0.6
refine = [{ point = [-1, 0, 0], size = 0.06, slope = 0.8 }]
position = [2, 0, 0]
[contact]
model = "hertz"
patch = 0.2
[integrator]
method = "clocked-energy-stepping"
)";

}  // namespace terrace
