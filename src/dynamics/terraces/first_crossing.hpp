// SMALLEST-ROOT of the thesis's Algorithm 5: the first instant at which a subdomain's potential leaves its
// terrace.
//
// Pure logic, the same on every rank: the search names the instants of the line at which it needs V, V′, V″,
// and is given the sums over all ranks. With a certificate every step provably crosses no level:
//   |V(s + x) − V − V′ x − ½ V″ x²| ≤ C x³/6 + A x²/2 + B x.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "dynamics/terraces/terrace.hpp"

namespace terrace {

/// V, V′, V″ at one instant and the certificate from there to FirstCrossing::certify_to, summed over all
/// ranks; the members of the certificate are those of LineBound.
struct LineTotals {
  double value = 0, slope = 0, curvature = 0;
  bool infinite = false;  ///< V = +∞
  double third = 0, below = 0, above = 0, rise = 0, fall = 0;
  bool bound_invalid = false;  ///< no certificate on so long an interval
  double longest_trial = 0;    ///< least PotentialOnLine::longest_trial of those without certificate; 0: none
};

/// The search for the first crossing on one line. While done() is false, the caller samples at sample_at(),
/// with a certificate up to certify_to() if wants_bound(), and hands the totals to supply(). Instants s count
/// from the line's origin.
class FirstCrossing {
 public:
  enum class Surface { none, top, bottom };

  /// Searches s in [start, end]; `end` may be +∞. `horizon`: guess of the length of the first certificate,
  /// finite. `origin`: time at which the line begins. `certified`: whether every potential has a certificate.
  FirstCrossing(const Terrace& terrace, bool certified, double origin, double start, double end,
                double horizon);

  [[nodiscard]] bool done() const { return done_; }
  /// The instant to sample next, and the end of the interval to certify (only if `wants_bound`).
  [[nodiscard]] double sample_at() const { return at_; }
  [[nodiscard]] double certify_to() const { return certified_to_; }
  [[nodiscard]] bool wants_bound() const { return wants_bound_; }
  /// Goes on with the totals of the sample that was asked for.
  void supply(const LineTotals& totals);
  /// No surface is met before this instant: a lower bound of the result while the search is not done. With a
  /// certificate this is the instant of the next sample, else that of the last sample inside the terrace.
  [[nodiscard]] double certain_until() const {
    if (certified_ && !bracketing_) return at_;
    return samples_ > 0 ? std::max(inside_.at, start_) : start_;
  }

  /// The instant at which the parabola of the last sample meets a surface, but not less than certain_until();
  /// +∞ if that is nowhere near. Once the search is done, the result. It is a guess, for the order of
  /// searches alone.
  [[nodiscard]] double foreseen() const {
    if (done_) return surface_ == Surface::none ? std::numeric_limits<double>::infinity() : instant_;
    return std::max(certain_until(), bracketing_ ? outside_.at : foreseen_);
  }

  /// For a set constraint, an infinite energy step, which is not sampled: it is met at `instant`, or, if that
  /// is +∞, not before `searched_to`.
  void supply_collision(double instant, double searched_to);
  /// The time at which the line begins.
  [[nodiscard]] double origin() const { return origin_; }
  /// The start and the end of the search.
  [[nodiscard]] double start() const { return start_; }
  [[nodiscard]] double end() const { return end_; }

  // The result, when done.
  /// none: no surface is met before `end`.
  [[nodiscard]] Surface surface() const { return surface_; }
  /// s of the crossing; if V jumps, on the far side of the jump.
  [[nodiscard]] double instant() const { return instant_; }
  /// s on the near side of the surface, where a reflection stays.
  [[nodiscard]] double instant_before() const { return before_; }
  /// s at which the gradient is taken: on the higher side of a jump.
  [[nodiscard]] double gradient_instant() const { return gradient_instant_; }
  /// The level after the event if the surface is crossed.
  [[nodiscard]] std::int64_t level_beyond() const { return level_beyond_; }
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
  /// Decides whether the next sample needs a new certificate, and how far that reaches. `step`: from here to
  /// the next sample; `limit`: from here to the end of the present certificate; `left`: from the next sample
  /// to where a surface is foreseen.
  void choose_interval(double limit, double step, double left);
  /// Accepts the surface at the end of the certified `step` without a sample there, if the certificate tells
  /// V there to the tolerance. Returns whether it did.
  bool accept_foreseen(const LineTotals& totals, double step);
  [[nodiscard]] double foreseen_step(const LineTotals& totals, double limit) const;
  void accept(Surface surface, double before, double instant, double gradient_instant, double value_beyond);
  [[nodiscard]] bool beyond(double value, bool infinite) const;
  [[nodiscard]] double resolution() const;
  struct Range {
    double lowest, highest;
  };
  /// Bounds of V″ from the present sample to the end of the certificate, not counting later changes by
  /// `third`.
  [[nodiscard]] Range curvature_from_here(double curvature) const;
  [[nodiscard]] double certified_step(const LineTotals& totals, double limit, bool& meets_surface) const;

  Terrace terrace_;
  bool certified_;
  double origin_, start_, end_, at_;
  double certified_from_, certified_to_;
  bool wants_bound_ = true, done_ = false, bracketing_ = false;
  double foreseen_ = std::numeric_limits<double>::infinity();  ///< by the last sample inside the terrace
  double certified_curvature_ = 0, third_ = 0, below_ = 0, above_ = 0, rise_ = 0, fall_ = 0;
  Sample inside_, outside_;  ///< latest samples before and beyond the surface
  int narrowings_ = 0;
  Surface surface_ = Surface::none;
  double instant_ = 0, before_ = 0, gradient_instant_ = 0, first_value_ = 0;
  std::int64_t level_beyond_ = 0;
  int samples_ = 0;
};

/// Returns the smallest x in (0, limit] at which a0 + a1 x + a2 x² + a3 x³, not positive at 0⁺, reaches 0, or
/// `limit` if there is none; `found` tells which. With a0 = 0 the root at 0 does not count.
double first_positive_root(double a0, double a1, double a2, double a3, double limit, bool& found);

}  // namespace terrace
