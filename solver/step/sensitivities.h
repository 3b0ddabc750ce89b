// SPDX-License-Identifier: Apache-2.0
// The derivatives of a converged step's forces with respect to rigid motion, the normal force or
// the approach held as the step prescribes it, and with respect to the approach, the rigid motion
// held. The elements in contact are held; friction that falls with the slip follows it (THEORY.md
// 11.5).
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/fields/own_rows.h"
#include "solver/fields/solver_backend.h"
#include "solver/fields/step_ops.h"
#include "solver/friction.h"
#include "solver/influence/block.h"
#include "solver/number_text.h"
#include "solver/rolling.h"
#include "solver/solution.h"
#include "solver/step/step_model.h"
#include "solver/step/step_outcome.h"
#include "solver/step/step_part.h"
#include "solver/step/step_task.h"
#include "solver/tangential/linearized_friction.h"
#include "solver/tangential/tangential_task.h"
#include "solver/window/normal_window.h"
#include "solver/window/tangential_window.h"

namespace slipfield {

// Overwrites the model's scratch fields; base_x and base_y are those of the step.
template <SolverBackend Backend>
class Sensitivities final : public StepPart<Backend> {
 public:
  Sensitivities(StepModel<Backend>& model, const ContactProblem& problem)
      : StepPart<Backend>(model),
        normal_(*model.normal_window),
        tangential_(model.tangential_window),
        tolerance_(std::clamp(problem.solver.tolerance, kTightest, kLoosest)),
        layer_(problem.layer) {}

  void finish(const StepInput& step, StepReport& report) override {
    if constexpr (!kCountsOnly<Backend>)
      if (report.outcome == Outcome::converged) find(step, report);
  }

 private:
  using StepPart<Backend>::model_;
  using Forces = std::array<double, 4>;    // normal_force, force_x, force_y, moment_z
  using ByMotion = std::array<Forces, 3>;  // by unit rigid slip in x, in y, and unit rotation

  void find(const StepInput& step, StepReport& report) {
    if (model_.full_strength_pressure > 0.0) {
      add_message(kNone, "the shear strength grows with the pressure", report);
      return;
    }
    if (const std::int64_t elements = changing_elements(); elements > 0) {
      add_message(kNone,
                  std::string("the layer ") + (layer_.hardening > 0.0 ? "hardens" : "softens") +
                      " with its own slip, which may bound " + number_text(elements) + " elements",
                  report);
      return;
    }
    friction_.reset();
    std::optional<ByMotion> by_motion;
    if (step.tangential.problem != TangentialProblem::none && report.elements_contact > 0) {
      const std::int64_t products = model_.products();
      TangentialTask task;
      task.rigid = model_.rigid;
      friction_ =
          tangential_.linearize_solution(task, model_.tangential_system(), fall_of_bound(step));
      report.matrix_products += model_.products() - products;
      if (!friction_)
        return add_message(
            kNone,
            "the friction of an element falls as fast as its traction gives way, so it jumps",
            report);
      by_motion = to_rigid_motion(report);
    } else if (step.tangential.problem != TangentialProblem::none) {
      by_motion.emplace();
    }
    to_approach(report);
    if (by_motion) finish_rigid_motion(step, *by_motion, report);
  }

  // Elements whose bound may change with their own slip, or in steady rolling with that of the
  // elements ahead, by more than the tolerance of a part. A layer that hardens bounds no traction
  // below its yield stress.
  [[nodiscard]] std::int64_t changing_elements() const {
    if (!layer_.yields() || model_.state.traction_x.size() == 0) return 0;
    const Grid& grid = model_.whole;
    const double part = std::abs(layer_.hardening) * model_.slip_operator.self(Component::xx) *
                        std::max(grid.mx, grid.my);
    if (part <= kLoosest) return 0;
    const std::vector<unsigned char> division = model_.backend.download(model_.state.division);
    const std::vector<double> pressure = model_.backend.download(model_.state.pressure);
    const std::vector<double> friction = model_.backend.download(model_.state.friction);
    const double least = layer_.hardening > 0.0 ? (1.0 - kRounding) * layer_.yield_stress : 0.0;
    double count = 0.0;
    for (std::size_t i = 0; i < division.size(); ++i)
      if (division[i] == static_cast<unsigned char>(ElementState::slip) &&
          friction[i] * pressure[i] >= least)
        count += 1.0;
    return static_cast<std::int64_t>(sum_over_owners(model_.backend, count));
  }

  // Empty if the coefficients do not depend on the slip, or are held: where they remember the slip,
  // or follow the temperature or a layer that yields.
  [[nodiscard]] FallOfBound fall_of_bound(const StepInput& step) const {
    const Friction& friction = step.friction;
    if (!friction.depends_on_slip() || friction.remembers() || layer_.yields() ||
        std::holds_alternative<FrictionByTemperature>(friction.place))
      return {};
    return [friction, centres = model_.centres(), rate = slip_rate(step.tangential),
            pressure = model_.backend.download(model_.state.pressure)](std::size_t i, double slip) {
      return -pressure[i] * rate * sliding_law(friction, centres.y(i)).slope(rate * slip);
    };
  }

  // Derivatives with the approach held. Adds a message if there are none.
  std::optional<ByMotion> to_rigid_motion(StepReport& report) {
    Eigen::MatrixXd columns = by_rigid_motion(*friction_, model_.centres(), model_.rigid);
    const auto elements = static_cast<double>(report.elements_contact);
    ByMotion result{};
    bool found = tangential_.respond(columns, kOfTractions * tolerance_);
    for (std::size_t k = 0; found && k < result.size(); ++k) {
      const std::optional<Forces> forces =
          follow_motion(columns.col(static_cast<Eigen::Index>(k)), elements);
      if (forces) result.at(k) = *forces;
      found = forces.has_value();
    }
    if (found) return result;
    add_message(kNone, kNoResponse, report);
    return std::nullopt;
  }

  // Between unlike bodies the tractions displace the surfaces, and the pressure follows; where the
  // normal force is prescribed, so does the approach.
  void finish_rigid_motion(const StepInput& step, const ByMotion& by_motion, StepReport& report) {
    const std::optional<Forces>& by_approach = report.approach_sensitivities;
    std::array<double, 9> result{};
    const double distance = slip_distance(step.tangential);
    for (std::size_t k = 0; k < 3; ++k) {
      const Forces& forces = by_motion.at(k);
      double approach = 0.0;
      if (step.normal.control == NormalControl::force && forces[0] != 0.0 &&
          !in_full_contact(report)) {
        if (!by_approach) return add_message(kNone, kNoApproachFollows, report);
        approach = -forces[0] / (*by_approach)[0];
      }
      for (std::size_t row = 0; row < 3; ++row) {
        const double due = approach == 0.0 ? 0.0 : approach * (*by_approach)[1 + row];
        result[3 * row + k] = distance * (forces[1 + row] + due);
      }
    }
    report.sensitivities = result;
  }

  // On a periodic surface the force does not change the approach then.
  [[nodiscard]] bool in_full_contact(const StepReport& report) const {
    return model_.periodic() &&
           report.elements_contact == static_cast<std::int64_t>(model_.whole.count());
  }

  // Derivatives with the rigid motion held. Call after to_rigid_motion() if there is a tangential
  // problem. On failure the report says why.
  void to_approach(StepReport& report) {
    if (report.elements_contact == 0) {
      report.approach_sensitivities.emplace().fill(0.0);
    } else if (in_full_contact(report)) {
      add_message(kNoneToApproach,
                  "in full contact of a periodic surface the force does not change the approach",
                  report);
    } else {
      report.approach_sensitivities = follow_approach(static_cast<double>(report.elements_contact));
      if (!report.approach_sensitivities)
        add_message(kNoneToApproach,
                    "the change of pressure and tractions with the approach did not converge",
                    report);
    }
  }

  static constexpr double kRounding = 1.0e-12;  // of a yield stress over a pressure, times it
  static constexpr double kTightest = 1.0e-10;
  static constexpr double kLoosest = 1.0e-6;
  static constexpr double kOfTractions = 0.01;  // eight digits at least, whatever the step's
  static constexpr double kLoosestRound = 1.0e-3;

  static constexpr const char* kNone = "there are no sensitivities";
  static constexpr const char* kNoneToApproach = "there are no sensitivities to the approach";
  static constexpr const char* kNoResponse =
      "the change of the tractions with the rigid motion did not converge";
  static constexpr const char* kNoApproachFollows =
      "the change of the approach that keeps the normal force was not found";

  static void add_message(const std::string& missing, const std::string& reason,
                          StepReport& report) {
    add_remark(report, missing + ": " + reason);
  }

  // Sums over all elements in contact.
  [[nodiscard]] std::array<double, 3> sums_of_column(const Eigen::MatrixXd& columns,
                                                     Eigen::Index column) const {
    std::array<double, 3> sums = traction_sums(*friction_, model_.centres(), columns, column);
    for (double& sum : sums) sum = sum_over_owners(model_.backend, sum);
    return sums;
  }
  double norm_of(const Eigen::VectorXd& own) const {
    return std::sqrt(sum_over_owners(model_.backend, own.squaredNorm()));
  }

  struct Change {
    std::vector<double> pressure;
    Eigen::MatrixXd tractions;
  };

  // tractions: their change with the rigid motion, with the pressure held.
  std::optional<Forces> follow_motion(Eigen::MatrixXd tractions, double elements) {
    return follow({std::vector<double>(model_.count, 0.0), std::move(tractions)}, elements);
  }
  // The change with the approach.
  std::optional<Forces> follow_approach(double elements) {
    model_.run(FillField{0.0, displaced()});
    Change change;
    if (!change_pressure(elements, tolerance_, change.pressure)) return std::nullopt;
    if (!friction_) return sums_of(change);
    std::optional<Eigen::MatrixXd> tractions = follow_pressure(change.pressure, 1.0);
    if (!tractions) return std::nullopt;
    change.tractions = std::move(*tractions);
    return follow(std::move(change), elements);
  }

  // Adds what follows from a change while the approach is held: with K != 0 its tractions displace
  // the surfaces, the pressure follows, and the tractions follow that, in rounds as in the step.
  // The smaller a round's part, the fewer digits of it count.
  std::optional<Forces> follow(Change change, double elements) {
    constexpr int kMaxRounds = 200;
    if (!model_.coupled()) return sums_of(change);
    Change round = change;
    double part = 1.0;
    for (int k = 0; k < kMaxRounds && part > 0.1 * tolerance_; ++k) {
      const double size = displace_normally(round.tractions, elements);
      if (size == 0.0) return sums_of(change);
      const double wanted = std::min(0.1 * tolerance_ / part, kLoosestRound);
      if (!change_pressure(elements, wanted, round.pressure)) return std::nullopt;
      std::optional<Eigen::MatrixXd> tractions = follow_pressure(round.pressure, part);
      if (!tractions) return std::nullopt;
      round.tractions = size * *tractions;
      change.tractions += round.tractions;
      for (std::size_t i = 0; i < round.pressure.size(); ++i) {
        round.pressure[i] *= size;
        change.pressure[i] += round.pressure[i];
      }
      part = length(round) / length(change);
    }
    return part <= tolerance_ ? std::optional(sums_of(change)) : std::nullopt;
  }

  // A_nn q = 1 - displaced() in contact. Leaves q in q().
  bool change_pressure(double elements, double wanted, std::vector<double>& pressure) {
    for (double* field : {q(), displacement()}) model_.run(FillField{0.0, field});
    if (!normal_.follow_approach(model_.state.division, elements, model_.scratch_n, wanted,
                                 model_.scratch_x, model_.scratch_y))
      return false;
    pressure = model_.backend.download(model_.scratch_x);
    return true;
  }

  // The change of the tractions due to that of the pressure, q(); empty if the solver failed. part:
  // of the whole change, so that fewer digits count.
  std::optional<Eigen::MatrixXd> follow_pressure(const std::vector<double>& change, double part) {
    Eigen::MatrixXd column = by_bound(*friction_, pressures_of_bounds(), change);
    if (model_.coupled()) {
      model_.multiply_slip(Block::tangential_from_normal, {.n = q()},
                           {model_.base_x.data(), model_.base_y.data()});
      add_by_slip(*friction_, model_.backend.download(model_.base_x),
                  model_.backend.download(model_.base_y), column);
    }
    if (!tangential_.respond(column, std::min(kOfTractions * tolerance_ / part, kLoosestRound)))
      return std::nullopt;
    return column;
  }

  // The pressure at which the coefficient alone would give the bound, and to which changes of the
  // bound are proportional; infinite where the bound is all shear strength or a yield stress.
  [[nodiscard]] std::vector<double> pressures_of_bounds() const {
    std::vector<double> pressures = model_.backend.download(model_.state.pressure);
    if (!(model_.fields.strength > 0.0) && !layer_.yields()) return pressures;
    const std::vector<double> friction = model_.backend.download(model_.state.friction);
    for (std::size_t i = 0; i < pressures.size(); ++i)
      if (layer_.yields() && friction[i] * pressures[i] >= (1.0 - kRounding) * layer_.yield_stress)
        pressures[i] = std::numeric_limits<double>::infinity();
      else if (model_.fields.strength > 0.0)
        pressures[i] += model_.fields.strength / friction[i];
    return pressures;
  }

  // Makes displaced() 1 + u_n/size for the displacement by a change of the tractions, so that q
  // becomes what holds the approach, over `size`; returns the size, of u_n.
  double displace_normally(const Eigen::MatrixXd& tractions, double elements) {
    std::vector<double> x(model_.count, 0.0);
    std::vector<double> y(model_.count, 0.0);
    const std::vector<int>& contact = friction_->contact;
    for (std::size_t k = 0; k < contact.size(); ++k) {
      const auto i = static_cast<std::size_t>(contact[k]);
      x[i] = tractions(static_cast<Eigen::Index>(k), 0);
      y[i] = tractions(static_cast<Eigen::Index>(contact.size() + k), 0);
    }
    model_.backend.upload(x, model_.base_x);
    model_.backend.upload(y, model_.base_y);
    tangential_.displace_normally(model_.influence, {model_.base_x.data(), model_.base_y.data()},
                                  displaced());
    std::vector<double> moved = model_.backend.download(model_.scratch_n);
    double squares = 0.0;
    for (const int i : contact) squares += std::pow(moved[static_cast<std::size_t>(i)], 2);
    const double size = std::sqrt(sum_over_owners(model_.backend, squares) / elements);
    if (size == 0.0) return 0.0;
    for (double& u : moved) u = 1.0 + u / size;
    model_.backend.upload(moved, model_.scratch_n);
    return size;
  }

  [[nodiscard]] double length(const Change& change) const {
    const Eigen::Map<const Eigen::VectorXd> pressure(change.pressure.data(),
                                                     std::ssize(change.pressure));
    return std::hypot(norm_of(pressure), norm_of(change.tractions.col(0)));
  }

  [[nodiscard]] Forces sums_of(const Change& change) const {
    const double area = model_.grid.element_area();
    const double sum = sum_over_owners(
        model_.backend, std::accumulate(change.pressure.begin(), change.pressure.end(), 0.0));
    Forces result{area * sum, 0.0, 0.0, 0.0};
    if (!friction_) return result;
    const std::array<double, 3> sums = sums_of_column(change.tractions, 0);
    for (std::size_t row = 0; row < 3; ++row) result[1 + row] = area * sums[row];
    return result;
  }

  double* q() { return model_.scratch_x.data(); }
  double* displacement() { return model_.scratch_y.data(); }  // A_nn q
  double* displaced() { return model_.scratch_n.data(); }     // u_n by the tractions' change

  NormalWindow<Backend>& normal_;
  TangentialWindow<Backend>& tangential_;
  double tolerance_;
  ContactLayer layer_;
  std::optional<LinearizedFriction> friction_;
};

}  // namespace slipfield
