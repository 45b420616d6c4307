// Two surfaces in motion: stay_apart, which uses what is known from earlier instants, gives the answer of an
// object that knows only the present instant.
#include "potentials/contact/surface_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace terrace::surface_motion_test {
namespace {

using Random = std::mt19937_64;

Vector3 random_vector(Random& random, double size) {
  std::uniform_real_distribution<double> uniform(-size, size);
  return {uniform(random), uniform(random), uniform(random)};
}

/// Two tetrahedra that fly, `far` from the origin of space. All nodes of one have the same velocity if
/// `as_wholes`, else each has its own.
struct Flight {
  std::vector<Vector3> reference;
  std::vector<NodeLine> lines;
  std::vector<std::uint8_t> changed;
  bool whole;
  static std::vector<Triangle> faces(std::int32_t base) {
    return {{base, base + 2, base + 1},
            {base, base + 1, base + 3},
            {base + 1, base + 2, base + 3},
            {base, base + 3, base + 2}};
  }
  Flight(double far, bool as_wholes, Random& random) : lines(8), changed(8, 0), whole(as_wholes) {
    for (int i = 0; i < 8; ++i)
      reference.push_back(Vector3{far + (i < 4 ? 0.0 : 3.0), 0, 0} + random_vector(random, 1));
  }
  /// New velocities from `time` on, of both surfaces or of one.
  void turn(double time, int which, Random& random) {
    const Vector3 of_first = random_vector(random, 1), of_second = random_vector(random, 1);
    for (std::size_t a = 0; a < 8; ++a) {
      changed[a] = which == 2 || (which == 0) == (a < 4) ? 1 : 0;
      if (changed[a] == 0) continue;
      lines[a].displacement = lines[a].displacement_at(time);
      lines[a].time = time;
      lines[a].velocity = whole ? (a < 4 ? of_first : of_second) : random_vector(random, 1);
    }
  }
};

TEST(SurfaceMotion, StaysApartForAsLongAsTheMeetingTimeSays) {
  Random random(41);
  std::uniform_real_distribution<double> uniform(0, 1);
  int apart = 0, trials = 0;
  for (const double far : {0.0, 1e6})
    for (const bool whole : {false, true})
      for (int flight_number = 0; flight_number < 40; ++flight_number) {
        Flight flight(far, whole, random);
        const ContactSurfaces surfaces(flight.reference, Flight::faces(0), Flight::faces(4), "test");
        SurfaceMotion motion(surfaces);
        const double origin = 2;
        flight.turn(origin, 2, random);
        motion.set_line(flight.lines, origin);
        double s = 0;
        for (int event = 0; event < 30; ++event) {
          const double distance = 0.5 * uniform(random);
          SurfaceMotion twin(surfaces);  // knows nothing of before
          twin.set_line(flight.lines, origin);
          const double meeting = twin.meeting_time(s, distance);
          for (const double duration : {0.9 * meeting, meeting, std::nextafter(meeting, 0.0),
                                        std::nextafter(meeting, 1e300), 1.1 * meeting, uniform(random)}) {
            if (!std::isfinite(duration)) continue;
            const bool stay = motion.stay_apart(s, distance, duration);
            ASSERT_EQ(stay, duration < meeting) << far << " " << flight_number << " " << event;
            apart += stay ? 1 : 0;
            ++trials;
          }
          s += 0.05 * uniform(random);
          flight.turn(origin + s, event % 3, random);
          motion.update_line(flight.lines, origin, flight.changed);
        }
      }
  EXPECT_GT(apart, trials / 4);
  EXPECT_LT(apart, trials / 4 * 3);
}

}  // namespace
}  // namespace terrace::surface_motion_test
