// SPDX-License-Identifier: Apache-2.0
// The derivatives of a converged step's forces with respect to rigid motion, the normal force or
// the approach held as the step prescribes it, and with respect to the approach, the rigid motion
// held. The elements in contact and the friction coefficients are held (THEORY.md 11.5).
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
#include "solver/influence/block.h"
#include "solver/number_text.h"
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
      add_message("there are no sensitivities", "the shear strength grows with the pressure",
                  report);
      return;
    }
    if (const std::int64_t elements = changing_elements(); elements > 0) {
      add_message("there are no sensitivities",
                  std::string("the layer ") + (layer_.hardening > 0.0 ? "hardens" : "softens") +
                      " with its own slip, which may bound " + number_text(elements) + " elements",
                  report);
      return;
    }
    friction_.reset();
    std::optional<ByMotion> by_motion;
    if (step.tangential.problem != TangentialProblem::none) by_motion = to_rigid_motion(report);
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

  // Derivatives with the approach held; all 0 without contact. Adds a message if there are none.
  std::optional<ByMotion> to_rigid_motion(StepReport& report) {
    ByMotion result{};
    if (report.elements_contact == 0) return result;
    TangentialTask task;
    task.rigid = model_.rigid;
    const std::int64_t products = model_.products();
    friction_ = tangential_.linearize_solution(task, model_.tangential_system());
    report.matrix_products += model_.products() - products;
    Eigen::MatrixXd columns = by_rigid_motion(*friction_, model_.centres(), task.rigid);
    bool found = tangential_.respond(columns, kOfTractions * tolerance_);
    for (std::size_t k = 0; found && k < result.size(); ++k) {
      const std::optional<Forces> forces =
          follow_motion(columns.col(static_cast<Eigen::Index>(k)), report);
      if (forces) result.at(k) = *forces;
      found = forces.has_value();
    }
    if (found) return result;
    add_message("there are no sensitivities", kNoResponse, report);
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
        if (!by_approach) return add_message("there are no sensitivities", kNoResponse, report);
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
      report.approach_sensitivities = solve(static_cast<double>(report.elements_contact));
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

  static constexpr const char* kNoneToApproach = "there are no sensitivities to the approach";
  static constexpr const char* kNoResponse =
      "the change of the tractions with the rigid motion did not converge";

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

  // tractions: their change with the rigid motion, with the pressure held.
  std::optional<Forces> follow_motion(const Eigen::MatrixXd& tractions, const StepReport& report) {
    double size = 0.0;  // of the displacement
    const auto elements = static_cast<double>(report.elements_contact);
    if (model_.coupled()) {
      displace_normally(tractions);
      const std::vector<double> moved = model_.backend.download(model_.scratch_n);
      size = norm_in_contact(moved) / std::sqrt(elements);
    }
    if (size == 0.0) return sums_of({}, tractions);
    const Eigen::MatrixXd unit = tractions / size;
    std::optional<Forces> forces = solve(elements, &unit);
    if (forces)
      for (double& force : *forces) force *= size;
    return forces;
  }

  // Changes of pressure and, if K != 0, of the tractions that act back on it, in rounds as in the
  // step: with the approach, or, at a fixed approach, with a cause that changes the tractions by
  // `given` while the pressure is held.
  std::optional<Forces> solve(double elements, const Eigen::MatrixXd* given = nullptr) {
    constexpr int kMaxRounds = 200;
    const bool acts_back = friction_ && model_.coupled();
    for (double* field : {q(), displacement(), displaced()}) model_.run(FillField{0.0, field});
    std::vector<double> pressure;
    Eigen::MatrixXd tractions;
    if (given != nullptr) {
      tractions = *given;
      displace_at_fixed_approach(tractions);
    }
    for (int round = 1; round <= kMaxRounds; ++round) {
      if (!normal_.follow_approach(model_.state.division, elements, model_.scratch_n, tolerance_,
                                   model_.scratch_x, model_.scratch_y))
        break;
      std::vector<double> last_pressure = model_.backend.download(model_.scratch_x);
      last_pressure.swap(pressure);
      if (!friction_) return sums_of(pressure, tractions);
      std::optional<Eigen::MatrixXd> now = follow_pressure(pressure);
      if (!now) break;
      if (given != nullptr) *now += *given;
      const Eigen::MatrixXd last_tractions = std::exchange(tractions, std::move(*now));
      if (!acts_back ||
          (round > 1 && change(pressure, last_pressure, tractions, last_tractions) <= tolerance_))
        return sums_of(pressure, tractions);
      if (given == nullptr)
        displace_normally(tractions);
      else
        displace_at_fixed_approach(tractions);
    }
    return std::nullopt;
  }

  // The change of the tractions due to that of the pressure; empty if the solver failed.
  std::optional<Eigen::MatrixXd> follow_pressure(const std::vector<double>& change) {
    Eigen::MatrixXd column = by_bound(*friction_, pressures_of_bounds(), change);
    if (model_.coupled()) {
      model_.multiply_slip(Block::tangential_from_normal, {.n = q()},
                           {model_.base_x.data(), model_.base_y.data()});
      add_by_slip(*friction_, model_.backend.download(model_.base_x),
                  model_.backend.download(model_.base_y), column);
    }
    if (!tangential_.respond(column, kOfTractions * tolerance_)) return std::nullopt;
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

  // u_n due to the change of the tractions, in displaced().
  void displace_normally(const Eigen::MatrixXd& tractions) {
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
  }

  // The same for a right side -u in place of follow_approach()'s 1 - u.
  void displace_at_fixed_approach(const Eigen::MatrixXd& tractions) {
    displace_normally(tractions);
    std::vector<double> moved = model_.backend.download(model_.scratch_n);
    for (double& u : moved) u += 1.0;
    model_.backend.upload(moved, model_.scratch_n);
  }

  [[nodiscard]] double norm_in_contact(const std::vector<double>& field) const {
    double squares = 0.0;
    for (const int i : friction_->contact) {
      const double value = field[static_cast<std::size_t>(i)];
      squares += value * value;
    }
    return std::sqrt(sum_over_owners(model_.backend, squares));
  }

  double change(const std::vector<double>& pressure, const std::vector<double>& last_pressure,
                const Eigen::MatrixXd& tractions, const Eigen::MatrixXd& last_tractions) const {
    using Vector = Eigen::Map<const Eigen::VectorXd>;
    const auto n = static_cast<Eigen::Index>(pressure.size());
    const Vector now(pressure.data(), n);
    const Vector before(last_pressure.data(), n);
    return std::hypot(norm_of(now - before), norm_of((tractions - last_tractions).col(0))) /
           std::hypot(norm_of(now), norm_of(tractions.col(0)));
  }

  Forces sums_of(const std::vector<double>& pressure, const Eigen::MatrixXd& tractions) const {
    const double area = model_.grid.element_area();
    const double sum =
        sum_over_owners(model_.backend, std::accumulate(pressure.begin(), pressure.end(), 0.0));
    Forces result{area * sum, 0.0, 0.0, 0.0};
    if (!friction_) return result;
    const std::array<double, 3> sums = sums_of_column(tractions, 0);
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
