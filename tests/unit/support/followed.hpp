// A potential or a constraint together with its object on a line, for tests that use both.
#pragma once

#include <type_traits>
#include <utility>

#include "potentials/contact/face_intersection_on_line.hpp"
#include "potentials/contact/hertz_contact.hpp"
#include "potentials/contact/hertz_wall.hpp"
#include "potentials/contact/plane_contact.hpp"
#include "potentials/contact/set_constraint_on_line.hpp"
#include "potentials/contact/surface_contact_on_line.hpp"
#include "potentials/elastic/tetrahedral_block.hpp"

namespace terrace {

template <class Source>
struct LineOf;
template <>
struct LineOf<NeoHookeanBlock> {
  using Type = NeoHookeanOnLine;
};
template <>
struct LineOf<PlaneContact> {
  using Type = PlaneContactOnLine;
};
template <>
struct LineOf<HertzContact> {
  using Type = HertzContactOnLine;
};
template <>
struct LineOf<HertzWall> {
  using Type = HertzWallOnLine;
};
template <>
struct LineOf<SurfaceContact> {
  using Type = SurfaceContactOnLine;
};
template <>
struct LineOf<FaceIntersection> {
  using Type = FaceIntersectionOnLine;
};
template <>
struct LineOf<ImpenetrabilityConstraint> {
  using Type = ImpenetrabilityOnLine;
};

template <class Source>
struct Held {
  template <class... Arguments>
  explicit Held(std::in_place_t, Arguments&&... arguments) : source(std::forward<Arguments>(arguments)...) {}
  template <class Make>
  requires std::is_invocable_r_v<Source, Make>
  explicit Held(std::in_place_t, Make make) : source(make()) {}
  Source source;
};

/// A potential or constraint `source`, made from the constructor's arguments or by a function without
/// arguments, and, as the base class, the object that follows it along lines.
template <class Source>
class Followed : private Held<Source>, public LineOf<Source>::Type {
 public:
  template <class... Arguments>
  Followed(Arguments&&... arguments)
      : Held<Source>(std::in_place, std::forward<Arguments>(arguments)...),
        LineOf<Source>::Type(Held<Source>::source) {}
  using Held<Source>::source;
  using LineOf<Source>::Type::add_gradient;
  [[nodiscard]] auto nodes() const { return source.nodes(); }
};

}  // namespace terrace
