// SPDX-License-Identifier: Apache-2.0
// Surfaces that yield at a pressure limit, the hardness of the softer body (THEORY.md 4.9): no
// pressure exceeds it, and where it is reached the surface keeps its deformation in later steps.
//
// Yielding elements carry the hardness. The normal problem of the other elements has the rest of
// the load and, added to the distance, the displacement by the yielding elements; it is solved
// again until no element starts or stops yielding.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "solver/fields/iteration_limits.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/problem.h"
#include "solver/step/hardness_ops.h"
#include "solver/step/step_part.h"

namespace slipfield {

template <SolverBackend Backend>
class Hardness final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  Hardness(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        hardness_(contact_hardness(problem)),
        tolerance_(problem.solver.tolerance),
        original_(model.count),
        yielding_(model.count),
        carried_(model.count),
        distance_(model.count),
        counts_(1) {
    model.state.add({"permanent_deformation", &permanent_, Allocated::at_once,
                     &ContactSolution::permanent_deformation});
    model.run(CopyField{model.distance.data(), original_.data()});
    model.undeformed = &original_;
    if (model.periodic()) full_approach_ = mean_gap();
  }

  // The distance includes the deformation of earlier steps; each step determines again which
  // elements yield. Periodic surfaces closer than full contact have no solution without a hardness:
  // there the elements that would overlap start as yielding.
  void begin(const StepInput& step) override {
    if (step.normal.control == NormalControl::approach && step.normal.value >= full_approach_) {
      model_.run(YieldWhereOverlapping{model_.distance.data(), step.normal.value, yielding_.data(),
                                       counts_.data()});
      now_ = model_.backend.read(counts_);
      return carry();
    }
    model_.backend.upload(std::vector<unsigned char>(yielding_.size()), yielding_);
    model_.run(FillField{0.0, carried_.data()});
    now_ = {};
  }

  const Array<double>& add_to_distance(const Array<double>& h) override {
    given_ = &h;
    settled_ = false;
    followed_ = false;
    if (now_.yielding == 0.0) return h;
    model_.run(LeaveOutYielding{yielding_.data(), h.data(), carried_.data(),
                                model_.state.pressure.data(), distance_.data()});
    return distance_;
  }
  bool take_load(NormalLoad& load) override {
    if (load.control == NormalControl::force)
      load.value -= hardness_ * now_.yielding * model_.grid.element_area();
    return true;
  }
  void add_needs(RoundNeeds& needs) const override { needs.exact_pressure = true; }
  bool follow_normal() override {
    auto& state = model_.state;
    model_.run(FollowYielding{hardness_, tolerance_, state.approach, given_->data(),
                              carried_.data(), yielding_.data(), state.pressure.data(),
                              state.displacement_n.data(), counts_.data()});
    now_ = model_.backend.read(counts_);
    followed_ = true;
    settled_ = now_.changed == 0.0;
    if (settled_) return false;
    carry();
    return true;
  }

  // Explains a step that ended by the limit of turns, not by the normal problem itself.
  void explain(const StepInput& /*step*/, Ending ending, std::string& message) override {
    if (ending != Ending::normal_failed || !followed_) return;
    message = "the elements that yield at the hardness did not settle in " +
              std::to_string(GridLimits::kTurns) + " normal problems: of " +
              count_text(now_.yielding) + " that yield in the last one, " +
              count_text(now_.changed) + " had just begun or ceased to";
  }
  void report(const StepInput& /*step*/, StepMeasures& /*found*/, StepReport& report) override {
    if (settled_) report.elements_yielding = static_cast<std::int64_t>(now_.reached);
  }

  // Follows the displacement by all tractions. An unsettled step leaves no deformation.
  void add_to_displacements() override {
    if (!settled_) return;
    model_.run(DeformYielding{yielding_.data(), model_.state.displacement_n.data(),
                              model_.state.approach, permanent_.data(), original_.data(),
                              model_.distance.data()});
  }

  void clear() override { deform(); }
  void restore(const SolverState& /*state*/, const StepInput& /*last*/) override { deform(); }

 private:
  using StepPart<Backend>::model_;

  // Forms the displacement by the yielding elements.
  void carry() {
    model_.run(FillYielding{yielding_.data(), hardness_, distance_.data()});
    model_.influence.apply(Block::normal, {.n = distance_.data()}, {.n = carried_.data()});
  }
  static std::string count_text(double count) {
    return std::to_string(static_cast<std::int64_t>(count));
  }
  // The mean of the distances, less rounding.
  double mean_gap() {
    auto& backend = model_.backend;
    const std::vector<double> h = backend.download(model_.distance);
    double least = HUGE_VAL;
    double greatest = -HUGE_VAL;
    for (const double distance : h) {
      least = std::fmin(least, distance);
      greatest = std::fmax(greatest, distance);
    }
    const double range = backend.greatest_of(greatest) + backend.greatest_of(-least);
    const double sum = sum_over_owners(backend, std::accumulate(h.begin(), h.end(), 0.0));
    constexpr double kRounding = 1.0e-9;
    return sum / static_cast<double>(model_.whole.count()) - kRounding * range;
  }
  void deform() {
    model_.run(AddFields{original_.data(), permanent_.data(), model_.distance.data()});
  }

  double hardness_;                                                 // [force/length^2]
  double full_approach_ = std::numeric_limits<double>::infinity();  // mean gap of periodic surfaces
  double tolerance_;
  Array<double> original_;   // distance before any step
  Array<double> permanent_;  // deformation by all steps
  Array<unsigned char> yielding_;
  Array<double> carried_;   // displacement by the pressure of the elements that yield
  Array<double> distance_;  // distance of the other elements; also scratch
  Array<HardnessCounts> counts_;
  HardnessCounts now_;
  bool followed_ = false;                 // the last normal problem was solved
  bool settled_ = false;                  // the step's yielding elements are final
  const Array<double>* given_ = nullptr;  // the distance of this round
};

}  // namespace slipfield
