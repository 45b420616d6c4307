// Potentials of a few coordinates, for force-stepping.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "dynamics/piecewise/vertex_potential.hpp"

namespace terrace {

/// V as a given function of all coordinates; counts its evaluations.
class FunctionOfCoordinates : public VertexPotential {
 public:
  using Function = std::function<double(const std::vector<double>&)>;
  FunctionOfCoordinates(std::size_t coordinates, Function function)
      : at_(coordinates), function_(std::move(function)) {}
  [[nodiscard]] std::size_t coordinates() const override { return at_.size(); }
  [[nodiscard]] double quantum() const override { return 0x1p-64; }
  [[nodiscard]] Integer128 value(const Vertex& vertex) override {
    for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = vertex[i];
    return now();
  }
  [[nodiscard]] Integer128 value_beyond(const Vertex& vertex, Integer128 /*value*/, std::size_t coordinate,
                                        double to) override {
    for (std::size_t i = 0; i < at_.size(); ++i) at_[i] = i == coordinate ? to : vertex[i];
    return now();
  }
  [[nodiscard]] double operator()(const std::vector<double>& x) const { return function_(x); }
  [[nodiscard]] int evaluations() const { return evaluations_; }

 private:
  [[nodiscard]] Integer128 now() {
    ++evaluations_;
    return IntegerMultiplier::nearest(function_(at_) / quantum()).times(1);
  }
  std::vector<double> at_;
  Function function_;
  int evaluations_ = 0;
};

inline FunctionOfCoordinates kepler() {
  return {2, [](const std::vector<double>& x) { return -1 / std::hypot(x[0], x[1]); }};
}

/// Oscillators on a chain of springs that stiffen.
inline FunctionOfCoordinates chain(std::size_t count) {
  return {count, [](const std::vector<double>& x) {
            double sum = 0;
            for (std::size_t i = 0; i < x.size(); ++i) {
              const double stretch = x[i] - (i > 0 ? x[i - 1] : 0);
              sum += 0.5 * stretch * stretch * (1 + 0.3 * stretch * stretch) + 0.05 * x[i] * x[i];
            }
            return sum;
          }};
}

}  // namespace terrace
