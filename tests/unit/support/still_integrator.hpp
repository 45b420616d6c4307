// An integrator that moves nothing and reports what a test has set.
#pragma once

#include "dynamics/state/integrator.hpp"

namespace terrace {

struct StillIntegrator : Integrator {
  bool advance(State& /*state*/, double /*until*/) override { return false; }
  [[nodiscard]] std::optional<double> conserved_potential() const override { return terraced; }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override { return {}; }
  [[nodiscard]] std::int64_t events() const override { return event_count; }
  [[nodiscard]] double average_step() const override { return step; }
  void report(ContactExtremes& /*extremes*/) const override {}
  void save(ByteWriter& /*writer*/) const override {}
  void restore(const State& /*state*/, ByteReader& /*reader*/) override {}
  [[nodiscard]] std::uint64_t hash() const override { return word; }
  [[nodiscard]] std::optional<BalanceRecord> balance() const override { return balanced; }

  std::optional<double> terraced;
  std::optional<BalanceRecord> balanced;
  std::int64_t event_count = 0;
  double step = 0;
  std::uint64_t word = 0;
};

}  // namespace terrace
