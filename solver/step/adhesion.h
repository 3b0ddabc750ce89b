// SPDX-License-Identifier: Apache-2.0
// Surfaces that adhere (THEORY.md 4.11): the contact pressure presses them apart, and an adhesive
// stress, a function of the gap, attracts them. `pressure` is the contact pressure alone.
//
// For a given stress the contact is that of 4.1, with surfaces displaced by the stress and a force
// that is greater by its resultant. The law then gives the next stress from the gaps. Because the
// work of every law is concave in the gap, such a round lowers the energy: from the state of the
// step before it leads to the nearest stable one, over jumps and down to the pull-off. Mixing
// (Anderson) accelerates the rounds, but never up in energy, so that no unstable state is found.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/small_systems.h"
#include "solver/fields/step_ops.h"
#include "solver/number_text.h"
#include "solver/problem.h"
#include "solver/step/adhesion_ops.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_part.h"
#include "solver/vector_length.h"

namespace slipfield {

template <SolverBackend Backend>
class AdhesiveSurfaces final : public StepPart<Backend> {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  AdhesiveSurfaces(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        adhesion_(problem.adhesion),
        tolerance_(problem.solver.tolerance),
        beside_(model.backend, model.whole, adhesion_.law == AdhesionLaw::maugis ? 1 : 0),
        drawn_(model.count),
        distance_(model.count),
        gap_(beside_.grid().count()),
        sums_(1),
        number_(1) {
    model.state.add(
        {"adhesive_stress", &stress_, Allocated::at_once, &ContactSolution::adhesive_stress});
    for (Array<double>& field : images_) field = Array<double>(model.count);
    for (Array<double>& field : changes_) field = Array<double>(model.count);
    const std::vector<double> h = model.backend.download(model.distance);
    lowest_ = h.empty() ? HUGE_VAL : *std::min_element(h.begin(), h.end());
    lowest_ = -model.backend.greatest_of(-lowest_);
  }

  // If the last step left no contact: under a prescribed force the bodies start just touching, and
  // a tensile force acts only once they rest on each other. Under a prescribed approach they start
  // from where they are.
  void begin(const StepInput& step) override {
    separated_ = rests_ = unsettled_ = false;
    auto& state = model_.state;
    if (step.normal.control == NormalControl::force &&
        !(model_.backend.greatest(state.pressure) > 0.0)) {
      follow_law({model_.distance.data(), nullptr, nullptr, lowest_});
      model_.run(CopyField{images_[next_].data(), stress_.data()});
      rests_ = step.normal.value < 0.0;
    }
  }
  void begin_rounds(const StepInput& step, const RoundNeeds& /*others*/) override {
    force_ = step.normal.control == NormalControl::force;
    kept_ = rounds_ = 0;
    mixed_ = false;
    take({stress_.data()}, {1.0}, 1);
  }

  const Array<double>& add_to_distance(const Array<double>& h) override {
    given_ = &h;
    model_.run(SubtractField{h.data(), drawn_.data(), distance_.data()});
    return distance_;
  }
  bool take_load(NormalLoad& load) override {
    if (load.control != NormalControl::force) return true;
    applied_ = rests_ ? 0.0 : load.value;
    load.value = applied_ + sum_ * model_.grid.element_area();
    if (load.value > 0.0) return true;
    separate();
    return false;
  }

  void add_needs(RoundNeeds& needs) const override { needs.exact_pressure = true; }
  bool follow_normal() override {
    auto& state = model_.state;
    ++rounds_;
    const AdhesionSums now =
        follow_law({given_->data(), state.displacement_n.data(), drawn_.data(), state.approach});
    double energy = now.energy;
    if (force_) energy -= applied_ / model_.grid.element_area() * state.approach;
    const double slack = std::max(kRounding, 100.0 * tolerance_ * tolerance_) * now.size;
    if (mixed_ && energy > energy_ + slack) {
      take_last_image();
      return true;
    }
    const double change = relative_size(now.change2, now.stress2, now.change1, now.stress1);
    if (rests_ && change <= kAtRest) {
      rests_ = mixed_ = false;
      kept_ = 0;
      return true;
    }
    if (change <= tolerance_) return false;
    energy_ = energy;
    keep();
    take_mixed_image(now.stress1);
    return true;
  }

  // Subtracts the stress's displacement, so that pressure and stress are both included.
  void add_to_displacements() override {
    auto& state = model_.state;
    model_.run(
        SubtractField{state.displacement_n.data(), drawn_.data(), state.displacement_n.data()});
    if (!model_.coupled()) return;
    model_.influence.apply(Block::tangential_from_normal, {.n = stress_.data()},
                           {model_.scratch_x.data(), model_.scratch_y.data()});
    model_.run(SubtractField{state.displacement_x.data(), model_.scratch_x.data(),
                             state.displacement_x.data()});
    model_.run(SubtractField{state.displacement_y.data(), model_.scratch_y.data(),
                             state.displacement_y.data()});
  }

  void explain(const StepInput& step, Ending ending, std::string& message) override {
    if (separated_)
      message = "the bodies come apart: with this adhesion no contact holds a normal force of " +
                number_text(step.normal.value) +
                "; a prescribed approach follows them beyond the pull-off";
    else if (ending == Ending::beyond_friction)
      message =
          "the tangential force prescribed is not below mu times the force of the pressure, which "
          "the adhesive stress adds to: no rigid slip gives it";
    else if (ending == Ending::normal_failed)
      message += "; the adhesive stress was updated " + std::to_string(rounds_) + " times";
    unsettled_ = !separated_ && ending == Ending::normal_failed;
  }
  void remark(const StepInput& /*step*/, StepReport& report) override {
    constexpr double kPart = 0.01;
    if (model_.periodic()) return;
    const Grid& grid = model_.whole;
    model_.run(CountAtEdge{.stress = stress_.data(),
                           .first_row = model_.rows.first,
                           .mx = grid.mx,
                           .my = grid.my,
                           .ends_x = !repeats_in_x(grid.boundary),
                           .ends_y = !repeats_in_y(grid.boundary),
                           .least = kPart * adhesion_.strength(),
                           .out = number_.data()});
    if (model_.backend.read(number_) > 0.0)
      add_remark(report,
                 "the adhesive stress at the edge of the grid is above 1 % of the greatest: the "
                 "grid may be too small");
  }

  void report(const StepInput& /*step*/, StepMeasures& found, StepReport& report) override {
    auto& state = model_.state;
    const AdhesionSums law =
        follow_law({model_.distance.data(), state.displacement_n.data(), nullptr, state.approach});
    const double area = model_.grid.element_area();
    report.adhesive_force = area * sum_;
    report.adhesion_unsettled = unsettled_;
    report.normal_force -= report.adhesive_force;
    report.elastic_energy -= 0.5 * area * product(stress_.data(), state.displacement_n.data());
    found.residuals.normal2 += law.change2;
    found.residuals.normal1 += law.change1;
    found.residuals.pressure2 += law.stress2;
    found.totals.pressure += law.stress1;
  }

 private:
  using StepPart<Backend>::model_;
  static constexpr int kKept = MixImages::kMost;
  static constexpr double kRounding = 1.0e-12;
  static constexpr double kAtRest = 1.0e-2;
  using Fields = std::array<const double*, kKept>;
  using Weights = std::array<double, kKept>;

  // Evaluates the law at these gaps into images_[next_], with the change into changes_[next_].
  AdhesionSums follow_law(FormGap form) {
    auto& state = model_.state;
    form.gap = gap_.data() + beside_.own_place();
    model_.run(form);
    beside_.fill(gap_.data());
    const Grid grid = beside_.grid();
    const GapField field{gap_.data(), grid.mx, grid.my, repeats_in_x(grid.boundary),
                         repeats_in_y(grid.boundary)};
    model_.run(FollowGap{adhesion_, field, beside_.own_place(), stress_.data(),
                         state.pressure.data(), state.displacement_n.data(), drawn_.data(),
                         images_[next_].data(), changes_[next_].data(), sums_.data()});
    return model_.backend.read(sums_);
  }
  // Keeps the last image and forms the products of its change with the other kept changes.
  void keep() {
    kept_ = std::min(kept_ + 1, kKept);
    for (int back = 0; back < kept_; ++back) {
      const std::size_t other = place(back, next_);
      products_[next_][other] = products_[other][next_] =
          product(changes_[next_].data(), changes_[other].data());
    }
    next_ = (next_ + 1) % kKept;
  }
  // The index `back` places before `from` in the ring.
  static std::size_t place(int back, std::size_t from) {
    return (from + kKept - static_cast<std::size_t>(back)) % kKept;
  }
  [[nodiscard]] std::size_t newest() const { return place(1, next_); }

  double product(const double* a, const double* b) {
    model_.run(MultiplyFields{a, b, number_.data()});
    return model_.backend.read(number_);
  }

  // Weights of sum 1 for which the kept changes nearly cancel, newest first. If they cannot be
  // computed, the newest image alone.
  [[nodiscard]] Weights mixing_weights() const {
    Weights weights{1.0};
    std::vector<double> products;
    for (int i = 0; i < kept_; ++i)
      for (int j = 0; j < kept_; ++j)
        products.push_back(products_[place(i, newest())][place(j, newest())]);
    const std::vector<double> found = cancelling_weights(products, kept_, kRounding);
    std::copy(found.begin(), found.end(), weights.begin());
    return weights;
  }
  // plain: the stress sum of the newest image. Rejects a mix that could not hold a prescribed force
  // if the newest image alone can.
  void take_mixed_image(double plain) {
    mixed_ = kept_ > 1;
    if (!mixed_) return take_last_image();
    Fields fields{};
    for (int i = 0; i < kept_; ++i)
      fields[static_cast<std::size_t>(i)] = images_[place(i, newest())].data();
    take(fields, mixing_weights(), kept_);
    const double area = model_.grid.element_area();
    if (force_ && applied_ + sum_ * area <= 0.0 && applied_ + plain * area > 0.0) take_last_image();
  }
  void take_last_image() {
    take({images_[newest()].data()}, {1.0}, 1);
    if (mixed_) kept_ = 0;
    mixed_ = false;
  }
  // Sets the stress of the next round and the displacement that it causes.
  void take(const Fields& fields, const Weights& weights, int count) {
    MixImages mix;
    for (int i = 0; i < count; ++i) {
      mix.image[i] = fields[static_cast<std::size_t>(i)];
      mix.weight[i] = weights[static_cast<std::size_t>(i)];
    }
    mix.images = count;
    mix.most = adhesion_.strength();
    mix.out = stress_.data();
    mix.sum = number_.data();
    model_.run(mix);
    sum_ = model_.backend.read(number_);
    model_.influence.apply(Block::normal, {.n = stress_.data()}, {.n = drawn_.data()});
  }

  // Clears the contact: nothing holds the bodies together.
  void separate() {
    separated_ = true;
    sum_ = 0.0;
    for (Array<double>* field : {&stress_, &model_.state.pressure, &drawn_})
      model_.run(FillField{0.0, field->data()});
  }

  Adhesion adhesion_;
  double tolerance_;
  RowsBeside<Backend> beside_;  // maugis's stress follows from the neighbours' gaps too
  double lowest_ = 0.0;         // of the undeformed distances
  Array<double> stress_;        // the adhesive stress, >= 0
  Array<double> drawn_;         // displacement by the adhesive stress, to be subtracted
  Array<double> distance_;      // undeformed distance less drawn_
  Array<double> gap_;           // with halo rows
  std::array<Array<double>, kKept> images_;   // stresses that the law gave
  std::array<Array<double>, kKept> changes_;  // images_ less the stresses they were computed from
  std::size_t next_ = 0;
  int kept_ = 0;  // number of images kept, before next_
  ChangeProducts<kKept> products_{};
  Array<AdhesionSums> sums_;
  Array<double> number_;
  double sum_ = 0.0;      // of the adhesive stresses
  double applied_ = 0.0;  // prescribed force, 0 while the bodies only rest
  double energy_ = 0.0;   // of the last round
  bool force_ = false;
  bool mixed_ = false;  // this round's stress is a mix, not the law's alone
  bool rests_ = false;  // the tensile force does not act yet
  bool separated_ = false;
  bool unsettled_ = false;
  int rounds_ = 0;
  const Array<double>* given_ = nullptr;  // undeformed distance of this round
};

}  // namespace slipfield
