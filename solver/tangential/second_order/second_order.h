// SPDX-License-Identifier: Apache-2.0
// Rolling to second order in the element size, by defect correction (THEORY.md 5.8).
//
// The solvers keep the one-sided operator S, which they solve well. What a second-order difference
// with the known behaviour of tractions at the leading edge has more than S p enters as a part of
// the slip that is given, from the last tractions: the outer iteration brings them together. In
// transient rolling the difference is taken along a particle's path, through this step and the two
// before it; the first step of a sequence, which has none before it, is of first order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "solver/grid.h"
#include "solver/material.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/own_rows.h"
#include "solver/step/rows_beside.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/second_order/correct_slip.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/tangential/slip_operator.h"

namespace slipfield {

// What is missing at an element, and its correction, depend on so many rows on either side of it,
// at most: rolling along y, the leading element of its run is one behind it, those of columns
// beside are as far behind that as FindFactor looks, and FindEdge looks behind each.
inline constexpr int kRowsOfEdge = std::max({1 + FindFactor::kMostElements + FindEdge::kFarthest,
                                             FindFactor::kMostRows, 1 + kPlainElements});

template <class Backend>
class SecondOrder {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole one.
  SecondOrder(Backend& backend, const Grid& grid, const CombinedMaterial& material, bool wanted)
      : backend_(backend),
        whole_(grid),
        grid_(own_grid(backend, grid)),
        beside_(backend, grid, kRowsOfEdge),
        material_(material),
        wanted_(wanted),
        shares_(1),
        at_end_(1) {}

  // Begins a step: whether it is solved to second order, and from which correction on: where it
  // goes on from a step that had one, from that. fields hold the displacements that the step before
  // left, influence those of its particles.
  void begin(const Tangential& tangential, SlipOperator<Backend>& influence,
             const StepFields& fields) {
    const Last last = last_;
    last_ = {wanted_ ? tangential.problem : TangentialProblem::none, tangential.direction,
             tangential.step};
    transient_ = last_.problem == TangentialProblem::transient_rolling;
    const bool goes_on =
        is_rolling(last.problem) && last.direction == last_.direction && last.step == last_.step;
    passes_ = transient_ && goes_on && active_ ? 1 : 0;
    active_ =
        last_.problem == TangentialProblem::steady_rolling || (transient_ && goes_on && !fell_);
    fell_ = false;
    if (transient_) take_particles(goes_on, last.problem, influence, fields);
    if (!active_) return;
    if (correction_x_.size() == 0) allocate();
    const bool along_y = rolls_along_y(tangential.direction);
    const double towards =
        along_y ? std::sin(tangential.direction) : std::cos(tangential.direction);
    line_ = {grid_.mx, beside_.grid().my, along_y, towards > 0.0 ? 1 : -1};
    step_ = tangential.step;
    if (passes_ > 0) return;
    run_beside(FillField{0.0, correction_x_.data()});
    run_beside(FillField{0.0, correction_y_.data()});
  }
  [[nodiscard]] bool active() const { return active_; }
  // Of whatever order: a later step may look back to this one.
  [[nodiscard]] bool transient() const { return transient_; }
  // The surface springs back where a load or friction has fallen, which a difference over three
  // steps takes for slip against it: the step begun and the next one are of first order.
  void load_fell() {
    active_ = false;
    fell_ = true;
  }
  // As if no step had been before.
  void clear() {
    last_ = {};
    transient_ = false;
    active_ = false;
    fell_ = false;
  }

  // All that begin() takes from steps before, as numbers of the whole grid; empty where that is
  // nothing.
  [[nodiscard]] std::vector<double> saved() const {
    if (last_.problem == TangentialProblem::none) return {};
    std::vector<double> out{static_cast<double>(last_.problem), last_.direction, last_.step,
                            transient_ ? (fell_ ? kAfterFall : 1.0) : 0.0, active_ ? 1.0 : 0.0};
    const auto add = [&](const double* own) {
      const std::vector<double> values =
          whole_values(backend_, backend_.download(own, grid_.count()));
      out.insert(out.end(), values.begin(), values.end());
    };
    if (transient_) {
      add(particles_x_.data());
      add(particles_y_.data());
    }
    if (active_) {
      add(own(correction_x_));
      add(own(correction_y_));
    }
    return out;
  }
  // False where the numbers are not of this grid.
  bool restore(const std::vector<double>& values) {
    clear();
    if (values.empty()) return true;
    constexpr std::size_t kHead = 5;
    if (values.size() < kHead) return false;
    const bool transient = values[3] != 0.0;
    const bool active = values[4] != 0.0;
    const std::size_t pairs = (transient ? 1 : 0) + (active ? 1 : 0);
    if (values.size() != kHead + 2 * pairs * whole_.count()) return false;
    auto next = values.begin() + kHead;
    const auto take = [&] {
      const auto begin = next;
      next += static_cast<std::ptrdiff_t>(whole_.count());
      return std::vector<double>(begin, next);
    };
    if (transient) {
      allocate_particles();
      backend_.upload(own_values(backend_, whole_, take()), particles_x_);
      backend_.upload(own_values(backend_, whole_, take()), particles_y_);
    }
    if (active) {
      if (correction_x_.size() == 0) allocate();
      backend_.upload(beside_.cut(take()), correction_x_);
      backend_.upload(beside_.cut(take()), correction_y_);
    }
    for (const auto problem : {TangentialProblem::shift, TangentialProblem::transient_rolling,
                               TangentialProblem::steady_rolling})
      if (values[0] == static_cast<double>(problem)) last_ = {problem, values[1], values[2]};
    transient_ = transient;
    active_ = active;
    fell_ = values[3] == kAfterFall;
    return true;
  }

  // What is left of the rounds' way where they end: more of it is told.
  static constexpr double kUnsettled = 7.0e-3;
  // A correction is kept that still changes the tractions of so many elements in contact by so
  // little: the scheme's own error is greater. That falls as the contact's length in elements grows,
  // but hardly where pressure displaces the surfaces against each other.
  [[nodiscard]] double settled_change(double contact_count) const {
    constexpr double kMost = 2.0e-3;
    constexpr double kOfElement = 0.05;
    const double rows = line_.along_y ? whole_.mx : whole_.my;  // of a line contact one
    const double length = std::fmax(std::sqrt(contact_count), contact_count / rows);
    return couples() ? kUnsettled : std::min(kMost, kOfElement / length);
  }

  // How far outside the contact correct() takes the slip by tractions and pressure.
  [[nodiscard]] int reach() const {
    if (!active_) return 0;
    return transient_ ? 2 : 1;
  }

  // Of the rows' leading edges that the last correction was made with.
  [[nodiscard]] EdgeShares edge_shares() {
    if (!active_ || passes_ == 0 || distance_.size() == 0) return {};
    run(SumEdges{own(distance_), own(first_order_), own(unlike_), shares_.data()});
    return backend_.read(shares_);
  }

  // The slip by the step's tractions and pressure, in transient rolling less that of the step before.
  template <class Model>
  void form_slip(Model& model) {
    const StepFields& fields = model.fields;
    model.multiply_slip(Block::tangential, {fields.traction_x, fields.traction_y, nullptr},
                        {slip_x_.data(), slip_y_.data(), nullptr});
    if (couples()) {
      model.multiply_slip(Block::tangential_from_normal, {nullptr, nullptr, fields.pressure},
                          {by_pressure_x_.data(), by_pressure_y_.data(), nullptr});
      run(AddFields{slip_x_.data(), by_pressure_x_.data(), slip_x_.data()});
      run(AddFields{slip_y_.data(), by_pressure_y_.data(), slip_y_.data()});
    }
    if (transient_)
      run(SubtractPrevious{.previous_x = particles_x_.data(),
                           .previous_y = particles_y_.data(),
                           .base_x = slip_x_.data(),
                           .base_y = slip_y_.data()});
  }

  // The correction that the tractions found so far ask for; in contact there is pressure.
  // Model: has the step's fields, and multiply_slip() as SlipOperator::apply. rigid: the step's.
  template <class Model>
  void correct(Model& model, const RigidSlip& rigid) {
    const StepFields& fields = model.fields;
    form_slip(model);
    const bool past_end = reaches_end(model);
    if (past_end) multiply_ahead(model, fields.traction_x, fields.traction_y, fields.pressure, 0);
    const double ratio = line_.along_y ? grid_.dx / grid_.dy : grid_.dy / grid_.dx;
    const unsigned char* const state = beside_.with(fields.state, room_.state);
    const double* const pressure = beside_.with(fields.pressure, room_.pressure);
    run_beside(FindEdge{line_, ratio, state, pressure, distance_.data(), along_.data(),
                        across_.data(), pressure_factor_.data(), first_order_.data(),
                        unlike_.data(), past_end});
    const double* const traction_x = beside_.with(fields.traction_x, room_.traction_x);
    const double* const traction_y = beside_.with(fields.traction_y, room_.traction_y);
    const double* const bound = beside_.with(fields.bound, room_.bound);
    if (couples())
      run_beside(FindAnswer{line_, answer_of_pressure(), state, traction_x, traction_y, bound,
                            distance_.data(), pressure_factor_.data(), answer_.data()});
    constexpr double kReach = 1.5;  // lengths of an element
    run_beside(FindFactor{line_, kReach / ratio, state, traction_x, traction_y, distance_.data(),
                          along_.data(), across_.data(), answer_.data(), factor_x_.data(),
                          factor_y_.data()});
    run_beside(FindMissing{line_, state, pressure, bound, distance_.data(), along_.data(),
                           across_.data(), pressure_factor_.data(), answer_.data(),
                           factor_x_.data(), factor_y_.data(), missing_x_.data(), missing_y_.data(),
                           missing_n_.data()});
    model.multiply_slip(Block::tangential, {own(missing_x_), own(missing_y_), nullptr},
                        {moved_x_.data(), moved_y_.data(), nullptr});
    if (couples()) {
      model.multiply_slip(Block::tangential_from_normal, {nullptr, nullptr, own(missing_n_)},
                          {by_pressure_x_.data(), by_pressure_y_.data(), nullptr});
      run(AddFields{moved_x_.data(), by_pressure_x_.data(), moved_x_.data()});
      run(AddFields{moved_y_.data(), by_pressure_y_.data(), moved_y_.data()});
    }
    if (past_end)
      multiply_ahead(model, own(missing_x_), own(missing_y_), couples() ? own(missing_n_) : nullptr,
                     2);
    const double* const slip_x = beside_.with(slip_x_.data(), room_.slip_x);
    const double* const slip_y = beside_.with(slip_y_.data(), room_.slip_y);
    // The correction and the tractions of the first elements push each other to and fro.
    constexpr double kTaken = 0.5;
    run_beside(CorrectSlip{
        .line = line_,
        .per_traction = 2.0 * step_ / (std::numbers::pi * material_.shear_modulus),
        .per_pressure = 2.0 * step_ * material_.coupling / material_.shear_modulus,
        .poisson_ratio = material_.poisson_ratio,
        .share = passes_ == 0 ? 1.0 : kTaken,
        .state = state,
        .slip_x = slip_x,
        .slip_y = slip_y,
        .ahead_x = transient_ ? beside_.with(before_x_.data(), room_.before_x) : slip_x,
        .ahead_y = transient_ ? beside_.with(before_y_.data(), room_.before_y) : slip_y,
        .moved_x = beside_.with(moved_x_.data(), room_.moved_x),
        .moved_y = beside_.with(moved_y_.data(), room_.moved_y),
        .transient = transient_,
        .distance = distance_.data(),
        .along = along_.data(),
        .across = across_.data(),
        .factor_x = factor_x_.data(),
        .factor_y = factor_y_.data(),
        .pressure_factor = pressure_factor_.data(),
        .answer = answer_.data(),
        .answer_of_pressure = answer_of_pressure(),
        .correction_x = correction_x_.data(),
        .correction_y = correction_y_.data(),
        .first_order = first_order_.data(),
        .plain_x = line_.along_y ? -rigid.rotation * plain_ahead() : 0.0,
        .plain_y = line_.along_y ? 0.0 : rigid.rotation * plain_ahead(),
        .end_x = past_end ? beside_.with(end_[0].data(), room_.end[0]) : nullptr,
        .end_y = past_end ? beside_.with(end_[1].data(), room_.end[1]) : nullptr,
        .moved_end_x = past_end ? beside_.with(end_[2].data(), room_.end[2]) : nullptr,
        .moved_end_y = past_end ? beside_.with(end_[3].data(), room_.end[3]) : nullptr});
    ++passes_;
  }

  // base += the correction.
  void add_to(double* base_x, double* base_y) {
    if (!active_) return;
    run(AddFields{base_x, own(correction_x_), base_x});
    run(AddFields{base_y, own(correction_y_), base_y});
  }

  // Where the spin is taken, ahead of the element [length]: S p alone stands for the slip half a
  // step ahead, with the correction for that at the centre.
  [[nodiscard]] double spin_ahead() const { return passes_ == 0 ? 0.5 * step_ : 0.0; }

 private:
  static constexpr double kAfterFall = 2.0;  // in place of a saved `transient`

  // Whether the contact ends with the grid, ahead, and slip is known beyond it.
  template <class Model>
  [[nodiscard]] bool reaches_end(Model& model) {
    if (transient_ || !model.slip_operator.reaches_ahead()) return false;
    const RollingLine line{whole_.mx, whole_.my, line_.along_y, line_.ahead};
    run(CountAtEnd{line, model.fields.state, at_end_.data(),
                   whole_.index(0, own_rows(backend_, whole_).first)});
    return backend_.read(at_end_) > 0.0;
  }
  // S of tractions and pressure an element ahead, into end_[at] and the next one.
  template <class Model>
  void multiply_ahead(Model& model, const double* x, const double* y, const double* pressure,
                      std::size_t at) {
    for (Array<double>& array : end_)
      if (array.size() == 0) array = Array<double>(grid_.count());
    Array<double>& slip_x = end_[at];
    Array<double>& slip_y = end_[at + 1];
    model.slip_operator.apply_ahead(Block::tangential, {x, y, nullptr},
                                    {slip_x.data(), slip_y.data(), nullptr});
    if (!couples()) return;
    model.slip_operator.apply_ahead(Block::tangential_from_normal, {nullptr, nullptr, pressure},
                                    {by_pressure_x_.data(), by_pressure_y_.data(), nullptr});
    run(AddFields{slip_x.data(), by_pressure_x_.data(), slip_x.data()});
    run(AddFields{slip_y.data(), by_pressure_y_.data(), slip_y.data()});
  }

  // Where the spin of first order is taken, ahead of the element along the axis of the grid.
  [[nodiscard]] double plain_ahead() const { return line_.ahead * step_ / 6.0; }

  template <class Op>
  void run(const Op& op) {
    backend_.run(grid_.count(), op);
  }
  // On the rows beside the own ones, too; the outermost of them lack the rows beside them.
  template <class Op>
  void run_beside(const Op& op) {
    backend_.run(beside_.grid().count(), op);
  }
  [[nodiscard]] const double* own(const Array<double>& beside) const {
    return beside.data() + beside_.own_place();
  }
  // The displacement of the particles one step ago, and how far it changed in the step before.
  void take_particles(bool goes_on, TangentialProblem last, SlipOperator<Backend>& influence,
                      const StepFields& fields) {
    allocate_particles();
    const bool steady = last == TangentialProblem::steady_rolling;
    if (steady) copy_particles(influence);
    if (goes_on) {
      run(CopyField{fields.displacement_x, before_x_.data()});
      run(CopyField{fields.displacement_y, before_y_.data()});
      run(SubtractPrevious{.previous_x = particles_x_.data(),
                           .previous_y = particles_y_.data(),
                           .base_x = before_x_.data(),
                           .base_y = before_y_.data()});
    }
    if (!steady) copy_particles(influence);
  }
  void copy_particles(SlipOperator<Backend>& influence) {
    run(CopyField{influence.previous_x(), particles_x_.data()});
    run(CopyField{influence.previous_y(), particles_y_.data()});
  }
  void allocate_particles() {
    if (particles_x_.size() != 0) return;
    for (Array<double>* array : {&particles_x_, &particles_y_, &before_x_, &before_y_})
      *array = Array<double>(grid_.count());
  }
  void allocate() {
    for (Array<double>* array : {&slip_x_, &slip_y_, &moved_x_, &moved_y_})
      *array = Array<double>(grid_.count());
    for (Array<double>* array :
         {&correction_x_, &correction_y_, &missing_x_, &missing_y_, &factor_x_, &factor_y_,
          &distance_, &along_, &across_, &first_order_, &unlike_})
      *array = Array<double>(beside_.grid().count());
    if (!couples()) return;
    by_pressure_x_ = Array<double>(grid_.count());
    by_pressure_y_ = Array<double>(grid_.count());
    for (Array<double>* array : {&pressure_factor_, &answer_, &missing_n_})
      *array = Array<double>(beside_.grid().count());
  }
  // Whether pressure displaces the surfaces against each other.
  [[nodiscard]] bool couples() const { return material_.coupling != 0.0; }
  [[nodiscard]] double answer_of_pressure() const {
    return -material_.coupling / (std::numbers::pi * (1.0 - material_.poisson_ratio));
  }

  struct Last {
    TangentialProblem problem = TangentialProblem::none;
    double direction = 0.0;
    double step = 0.0;
  };

  // Fields with the rows beside the own ones.
  struct Room {
    Array<unsigned char> state;
    Array<double> pressure, traction_x, traction_y, bound, slip_x, slip_y, before_x, before_y;
    Array<double> moved_x, moved_y;
    std::array<Array<double>, 4> end;
  };

  Backend& backend_;
  Grid whole_;
  Grid grid_;  // the rows that the backend holds
  RowsBeside<Backend> beside_;
  CombinedMaterial material_;
  bool wanted_;
  Last last_;               // the step begun last
  bool transient_ = false;  // it is one
  bool active_ = false;
  bool fell_ = false;  // the load or the friction, in the step begun last
  int passes_ = 0;
  double step_ = 0.0;
  RollingLine line_;
  Array<double> particles_x_, particles_y_;  // their displacement a step before the last one begun
  Array<double> before_x_, before_y_;        // S p of the step before
  Array<double> slip_x_, slip_y_, moved_x_, moved_y_;
  Array<double> by_pressure_x_, by_pressure_y_;  // with the coupling only, as the last three
  // With rows beside:
  Array<double> correction_x_, correction_y_, missing_x_, missing_y_, factor_x_, factor_y_,
      distance_, along_, across_, first_order_, unlike_, pressure_factor_, answer_, missing_n_;
  Room room_;
  Array<EdgeShares> shares_;
  std::array<Array<double>, 4> end_;  // made where the contact ends with the grid
  Array<double> at_end_;
};

}  // namespace slipfield
