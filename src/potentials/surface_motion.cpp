#include "potentials/surface_motion.hpp"

#include <algorithm>
#include <cmath>

namespace terrace {

SurfaceMotion::SurfaceMotion(const ContactSurfaces& surfaces)
    : surfaces_(surfaces), start_(surfaces.reference()), velocity_(surfaces.size()) {}

void SurfaceMotion::set_line(std::span<const NodeLine> lines, double origin) {
  surfaces_.visit_nodes([&](std::size_t own, std::size_t local, const Vector3& reference) {
    start_[own] = reference + lines[local].displacement_at(origin);
    velocity_[own] = lines[local].velocity;
  });
  speeds_known_ = false;
  box_at_ = -1;
}

void SurfaceMotion::update_line(std::span<const NodeLine> lines, double origin,
                                std::span<const std::uint8_t> changed) {
  surfaces_.visit_nodes([&](std::size_t own, std::size_t local, const Vector3& reference) {
    if (changed[local] == 0) return;
    start_[own] = reference + lines[local].displacement_at(origin);
    velocity_[own] = lines[local].velocity;
  });
  speeds_known_ = false;
  box_at_ = -1;
}

void SurfaceMotion::positions_at(double s, std::span<Vector3> positions) const {
  for (std::size_t i = 0; i < start_.size(); ++i) positions[i] = start_[i] + s * velocity_[i];
}

void SurfaceMotion::find_velocity_boxes() {
  if (speeds_known_) return;
  first_velocities_ = second_velocities_ = Box{};
  for (std::size_t i = 0; i < surfaces_.first_nodes(); ++i) first_velocities_.include(velocity_[i]);
  for (std::size_t i = surfaces_.first_nodes(); i < velocity_.size(); ++i)
    second_velocities_.include(velocity_[i]);
  speeds_known_ = true;
}

double SurfaceMotion::relative_component() {
  find_velocity_boxes();
  double largest = 0;
  for (std::size_t k = 0; k < 3; ++k)
    largest = std::max({largest, first_velocities_.high[k] - second_velocities_.low[k],
                        second_velocities_.high[k] - first_velocities_.low[k]});
  return largest;
}

double SurfaceMotion::relative_speed() {
  find_velocity_boxes();
  double square = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double largest = std::max(first_velocities_.high[k] - second_velocities_.low[k],
                                    second_velocities_.high[k] - first_velocities_.low[k]);
    square += largest * largest;
  }
  return std::sqrt(square);
}

double SurfaceMotion::meeting_time(double s, double distance) {
  if (surfaces_.is_self()) return 0;
  find_velocity_boxes();
  if (box_at_ != s) {
    first_box_ = second_box_ = Box{};
    for (std::size_t i = 0; i < surfaces_.first_nodes(); ++i)
      first_box_.include(start_[i] + s * velocity_[i]);
    for (std::size_t i = surfaces_.first_nodes(); i < start_.size(); ++i)
      second_box_.include(start_[i] + s * velocity_[i]);
    box_at_ = s;
  }
  return boxes_meet(first_box_, first_velocities_, second_box_, second_velocities_, distance);
}

}  // namespace terrace
