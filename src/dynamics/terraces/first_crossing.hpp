// SMALLEST-ROOT of the thesis's Algorithm 5: the first instant at which a subdomain's potential leaves its
// terrace.
//
// Pure logic, the same on every rank: it says at which instants of the line it wants to know V, V′, V″, and
// is told the sums over all ranks. For certified potentials every step is one that provably crosses no level:
//   |V(s + x) − V − V′ x − ½ V″ x²| ≤ C x³/6 + A x²/2 + B x.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "dynamics/terraces/terrace.hpp"

namespace terrace {

/// V, V′, V″ at one instant and the certificate on [instant, horizon], summed over all ranks.
struct LineTotals {
  double value = 0, slope = 0, curvature = 0;
  bool infinite = false;  ///< V = +∞
  double third = 0, below = 0, above = 0, rise = 0, fall = 0;
  bool bound_invalid = false;  ///< no certificate on so long an interval
  double longest_trial = 0;    ///< for potentials without certificate; 0: none such
};

class FirstCrossing {
 public:
  enum class Surface { none, top, bottom };

  /// Searches s in [start, end], `end` perhaps +∞; `horizon`, finite, is a guess of how far the first
  /// certificate should reach.
  FirstCrossing(const Terrace& terrace, bool certified, double origin, double start, double end,
                double horizon);

  [[nodiscard]] bool done() const { return done_; }
  /// The instant to sample next, and the end of the interval to certify (only if `wants_bound`).
  [[nodiscard]] double sample_at() const { return at_; }
  [[nodiscard]] double certify_to() const { return certified_to_; }
  [[nodiscard]] bool wants_bound() const { return wants_bound_; }
  void supply(const LineTotals& totals);
  /// No surface is met before this instant: a lower bound of the result while the search is not done. With a
  /// certificate that is the next sample, else the last one inside.
  [[nodiscard]] double certain_until() const {
    if (certified_ && !bracketing_) return at_;
    return samples_ > 0 ? std::max(inside_.at, start_) : start_;
  }

  /// Where the last sample foresees the crossing, a guess for the order of searches: from certain_until() on,
  /// +∞ if nowhere near; the result once it is known.
  [[nodiscard]] double foreseen() const {
    if (done_) return surface_ == Surface::none ? std::numeric_limits<double>::infinity() : instant_;
    return std::max(certain_until(), bracketing_ ? outside_.at : foreseen_);
  }

  /// For the infinite step of a set constraint, which is not sampled: it is met at `instant`, or (+∞) not
  /// before `searched_to`.
  void supply_collision(double instant, double searched_to);
  /// Of the line.
  [[nodiscard]] double origin() const { return origin_; }
  /// The start and the end of the search.
  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double end() const { return end_; }

  // The result, when done.
  [[nodiscard]] Surface surface() const { return surface_; }  ///< none: not before `end`
  [[nodiscard]] double instant() const {
    return instant_;
  }  ///< s of the crossing; of its far side if V jumps
  [[nodiscard]] double instant_before() const {
    return before_;
  }  ///< s on the near side, where a reflection stays
  [[nodiscard]] double gradient_instant() const {
    return gradient_instant_;
  }  ///< s on the higher side of a jump
  [[nodiscard]] std::int64_t level_beyond() const {
    return level_beyond_;
  }                                                                  ///< level if the surface is crossed
  [[nodiscard]] double first_value() const { return first_value_; }  ///< V at `start`
  [[nodiscard]] int samples() const { return samples_; }

  template <class Self, class Archive>
  static void fields(Self& self, Archive& archive) {
    auto& [terrace, certified, origin, start, end, at, certified_from, certified_to, wants_bound, done,
           bracketing, foreseen, certified_curvature, third, below, above, rise, fall, inside, outside,
           narrowings, surface, instant, before, gradient_instant, first_value, level_beyond, samples] = self;
    archive(terrace, certified, origin, start, end, at, certified_from, certified_to, wants_bound, done,
            bracketing, foreseen, certified_curvature, third, below, above, rise, fall, inside, outside,
            narrowings, surface, instant, before, gradient_instant, first_value, level_beyond, samples);
  }

 private:
  /// V, V′, V″ at one instant of the line.
  struct Sample {
    double at = 0, value = 0, slope = 0, curvature = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
      auto& [at, value, slope, curvature] = self;
      archive(at, value, slope, curvature);
    }
    [[nodiscard]] double extrapolated_to(double s) const {
      return value + (s - at) * (slope + 0.5 * (s - at) * curvature);
    }
  };

  void advance(const LineTotals& totals);
  void narrow(const LineTotals& totals);
  [[nodiscard]] double next_between(Surface surface, double level) const;
  void propose(double step);
  /// How far the next certificate should reach, if another is worth while `step` before the next sample;
  /// `limit`: to the end of the present one; `left`: from the next sample to where a surface is foreseen.
  void choose_interval(double limit, double step, double left);
  /// Whether a surface that the certified `step` from the present sample leads to is accepted at its end.
  bool accept_foreseen(const LineTotals& totals, double step);
  [[nodiscard]] double foreseen_step(const LineTotals& totals, double limit) const;
  void accept(Surface surface, double before, double instant, double gradient_instant, double value_beyond);
  [[nodiscard]] bool beyond(double value, bool infinite) const;
  [[nodiscard]] double resolution() const;
  struct Range {
    double lowest, highest;
  };
  /// V″ without the share of `third`, from the present sample to the end of the certificate.
  [[nodiscard]] Range curvature_from_here(double curvature) const;
  [[nodiscard]] double certified_step(const LineTotals& totals, double limit, bool& meets_surface) const;

  Terrace terrace_;
  bool certified_;
  double origin_, start_, end_, at_;
  double certified_from_, certified_to_;
  bool wants_bound_ = true, done_ = false, bracketing_ = false;
  double foreseen_ = std::numeric_limits<double>::infinity();  ///< by the last sample inside
  double certified_curvature_ = 0, third_ = 0, below_ = 0, above_ = 0, rise_ = 0, fall_ = 0;
  Sample inside_, outside_;  ///< latest samples before and beyond the surface
  int narrowings_ = 0;
  Surface surface_ = Surface::none;
  double instant_ = 0, before_ = 0, gradient_instant_ = 0, first_value_ = 0;
  std::int64_t level_beyond_ = 0;
  int samples_ = 0;
};

/// The smallest x in (0, limit] at which a0 + a1 x + a2 x² + a3 x³, not positive at 0⁺, reaches 0; `limit`
/// when there is none (`found` says which). With a0 = 0 the root at 0 does not count.
double first_positive_root(double a0, double a1, double a2, double a3, double limit, bool& found);

}  // namespace terrace
