// An integrator that does every event or step twice, as a test of save and restore.
#pragma once

#include <memory>

#include "dynamics/state/integrator.hpp"

namespace terrace {

/// Every advance saves, advances the integrator, restores what was saved, advances again, and compares all
/// bytes that decide the future. How far searches have come need not agree and is left out where the
/// integrator tells it apart (Integrator::save_motion).
class CheckingExecutor : public Integrator {
 public:
  explicit CheckingExecutor(std::unique_ptr<Integrator> integrator) : integrator_(std::move(integrator)) {}

  /// Throws Error(run) if, on this rank, the second advance leads to another state than the first, or going
  /// back does not restore the bytes that were saved.
  bool advance(State& state, double until) override;

  void bring_up_to_date(State& state) override { integrator_->bring_up_to_date(state); }

  [[nodiscard]] std::optional<double> conserved_potential() const override {
    return integrator_->conserved_potential();
  }
  [[nodiscard]] std::vector<SubdomainRecord> subdomain_records() const override {
    return integrator_->subdomain_records();
  }
  [[nodiscard]] std::int64_t events() const override { return integrator_->events(); }
  [[nodiscard]] std::int64_t reflections() const override { return integrator_->reflections(); }
  [[nodiscard]] double average_step() const override { return integrator_->average_step(); }
  [[nodiscard]] std::int64_t element_evaluations() const override {
    return integrator_->element_evaluations();
  }
  [[nodiscard]] std::int64_t gradient_evaluations() const override {
    return integrator_->gradient_evaluations();
  }
  [[nodiscard]] std::int64_t searches() const override { return integrator_->searches(); }
  [[nodiscard]] bool books_reactions() const override { return integrator_->books_reactions(); }
  [[nodiscard]] std::optional<BalanceRecord> balance() const override { return integrator_->balance(); }
  [[nodiscard]] std::optional<StepRecord> step_record() const override { return integrator_->step_record(); }
  [[nodiscard]] std::map<std::string, double> seconds_by_part() const override {
    return integrator_->seconds_by_part();
  }
  void report(ContactExtremes& extremes) const override { integrator_->report(extremes); }
  void describe_trouble(std::vector<Warning>& warnings) const override {
    integrator_->describe_trouble(warnings);
  }
  void share() override { integrator_->share(); }
  void save(ByteWriter& writer) const override { integrator_->save(writer); }
  void restore(const State& state, ByteReader& reader) override { integrator_->restore(state, reader); }
  [[nodiscard]] std::uint64_t hash() const override { return integrator_->hash(); }

 private:
  [[nodiscard]] std::vector<std::byte> saved(const State& state) const;
  [[nodiscard]] std::vector<std::byte> came_to(const State& state) const;
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace terrace
