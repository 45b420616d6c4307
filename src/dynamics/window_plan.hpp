// Windows of time in which parts of a system cannot meet, and who works on which part.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dynamics/contact_pairs.hpp"
#include "geometry/box_index.hpp"

namespace terrace {

/// A window of time and the clusters of bodies that go through it without each other.
struct Window {
  struct Flight {
    Vector3 velocity{};  ///< of the surface as a whole [length/time]
    double radius = 0;   ///< the surface nodes stay so near to such a flight, in each coordinate [length]
  };
  double begin = 0, end = 0;
  std::vector<std::int32_t> cluster_of;  ///< by body
  std::vector<int> rank_of;              ///< by body, the same for all of a cluster
  std::vector<Flight> flights;           ///< by body: what the clusters rest on
  std::vector<double> work;              ///< by body, foreseen in its cluster [elements/time]
  std::int32_t clusters = 0;
  double balance = 1;  ///< mean over largest work of a rank, as it is foreseen
};

/// What a plan goes by; the same on all ranks.
struct WindowOutlook {
  std::vector<double> work;         ///< of each body as it is [elements/time]
  std::vector<double> touched;      ///< of each body that touches others [elements/time]
  std::vector<double> deviation;    ///< of each body from its flight in the last window [length/time]
  std::vector<std::int32_t> group;  ///< of each body: those with the same number touch
  std::vector<int> rank;            ///< that worked on each body last
};

/// Two bodies are in one cluster where they touch, or where no direction separates their surfaces, with the
/// room of their flights and the reach of contact, from the begin of the window to its end. Along a direction
/// the distance of two flights changes at a constant rate, so that its values at the two ends are enough.
/// Longer windows mean fewer messages and larger clusters: how long they are follows what was worth while
/// last.
class WindowPlanner {
 public:
  /// `system` holds all nodes. Both outlive this.
  WindowPlanner(const Lagrangian& system, const ContactPairs& pairs, int ranks);

  /// From `begin` on, and not beyond `until`. Collective only in that all ranks are to ask the same.
  [[nodiscard]] Window plan(std::span<const NodeLine> lines, double begin, double until,
                            const WindowOutlook& outlook);
  /// As so many ranks would, from now on.
  void plan_for(int ranks) { ranks_ = ranks; }
  /// The last window did not come to its end: shorter ones from now on.
  void shorten() { length_ *= 0.5; }

 private:
  struct Surface {
    Box box;
    Vector3 velocity{}, centre{};
    std::vector<Vector3> places;  // of the nodes at the begin
  };
  void look_at(std::span<const NodeLine> lines, double begin);
  [[nodiscard]] double room_between(std::int32_t a, std::int32_t b, double length, double enough) const;
  [[nodiscard]] double usual_radius(std::int32_t body, double length, double deviation) const;
  [[nodiscard]] Box swept(std::int32_t body, double length, double radius) const;
  [[nodiscard]] BoxIndex boxes_of(const Window& window, double more) const;
  void find_clusters(Window& window, const std::vector<std::int32_t>& group) const;
  static void foresee(Window& window, const WindowOutlook& outlook);
  void widen_flights(Window& window) const;
  [[nodiscard]] Window window(double begin, double end, const WindowOutlook& outlook) const;
  void assign(Window& window, const WindowOutlook& outlook) const;
  [[nodiscard]] double worth(const Window& window) const;

  const Lagrangian& system_;
  const ContactPairs& pairs_;
  int ranks_;
  std::vector<Surface> surfaces_;
  double fastest_ = 0, usual_speed_ = 0;  // of bodies
  double length_;                         // of windows [time]
};

}  // namespace terrace
