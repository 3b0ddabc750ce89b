// SPDX-License-Identifier: Apache-2.0
// The coefficient of friction of each element, and how it follows the slip from round to round of
// the outer iteration (THEORY.md 5.6, 8.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/friction.h"
#include "solver/grid.h"
#include "solver/problem.h"
#include "solver/rolling.h"
#include "solver/step/friction_ops.h"
#include "solver/step/friction_share.h"
#include "solver/step/local_friction.h"
#include "solver/step/own_rows.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/falling_ops.h"
#include "solver/tangential/hardening_ops.h"

namespace slipfield {

inline constexpr const char* kBeyondLayer =
    "the tangential force prescribed is not below what the layer carries, its yield stress over "
    "the "
    "contact and at most mu F_n: no rigid slip gives it";
inline constexpr const char* kBeyondHardening =
    "the tangential force prescribed is not below mu F_n, which is what a layer that hardens "
    "carries "
    "at most: no rigid slip gives it";

// The coefficients themselves are a field of the step's state, which the caller keeps.
template <class Backend>
class FrictionField {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole one.
  FrictionField(Backend& backend, const Grid& grid, const ContactLayer& layer,
                Array<double>& coefficients)
      : backend_(backend),
        whole_(grid),
        grid_(own_grid(backend, grid)),
        layer_(layer),
        local_(grid, layer),
        coefficients_(coefficients),
        change_(1) {}

  // Whether the coefficients follow from what the tangential problem gives.
  [[nodiscard]] bool follows(const Friction& friction) const {
    return friction.depends_on_slip() || layer_.yields();
  }

  // Whether a layer may have lost all of its yield stress.
  [[nodiscard]] bool may_soften() const { return layer_.yields() && layer_.hardening < 0.0; }

  // The layer may limit the force before friction does.
  [[nodiscard]] bool yields() const { return layer_.yields(); }

  // The coefficients of the step before stay where the law stays the same, unless the step asks for
  // another start: what slipped then starts with its sliding coefficient.
  // path: the state's plastic_path.
  void take_up(const StepInput& step, const Array<double>& path) {
    choose_start(step);
    follows_hardening_ = false;
    if (local_.takes(step))
      local_.begin(step, whole_values(backend_, backend_.download(coefficients_)),
                   layer_.yields() ? whole_values(backend_, backend_.download(path))
                                   : std::vector<double>{});
  }

  // Some coefficients of this step may be those of sliding from its start.
  [[nodiscard]] bool carried_over() const { return carried_over_; }

  void fill_static(const Friction& friction) { fill(friction, friction.coefficient); }

  // Of each of the backend's elements.
  [[nodiscard]] std::vector<double> static_values(const Friction& friction) const {
    return own_values(backend_, whole_, static_coefficients(friction, whole_));
  }

  // The coefficients were restored; they belong to this friction.
  void restored(const Friction& friction) { taken_up_ = friction; }
  void forget() { taken_up_.reset(); }

  // A layer that hardens carries more than its bound before the step. From here on, to the next
  // step, newton's rows follow it (hardening_ops.h).
  [[nodiscard]] bool hardens() const { return layer_.yields() && layer_.hardening > 0.0; }
  [[nodiscard]] bool follows_hardening() const { return follows_hardening_; }
  void follow_hardening() {
    follows_hardening_ = true;
    local_.follow_hardening();
  }
  // The rows' bounds with these pressures, and the greatest ones.
  HardeningBound hardening(const double* pressure) {
    const std::vector<double> p = backend_.download(pressure, grid_.count());
    std::vector<double> greatest = own_values(backend_, whole_, local_.greatest());
    for (std::size_t i = 0; i < p.size(); ++i) greatest[i] *= std::fmax(p[i], 0.0);
    if (limit_.size() == 0) {
      limit_ = Array<double>(grid_.count());
      greatest_ = Array<double>(grid_.count());
    }
    backend_.upload(own_values(backend_, whole_, local_.limit()), limit_);
    backend_.upload(greatest, greatest_);
    return {limit_.data(), greatest_.data(), local_.hardening()};
  }
  [[nodiscard]] const Array<double>& greatest_bound() const { return greatest_; }

  // Before the rounds of a step, of which newton alone follows a falling law in its own rows.
  // alone: nothing else changes from round to round. newton then follows all of the law: of steady
  // rolling from the first round, where elements that slip may stay in it if the step starts from
  // slip. A step in time continues the one before, which the whole law from there may leave for
  // another solution (THEORY.md 8.2): its rounds are those of relaxation until they are near.
  void begin_rounds(const StepInput& step, TangentialMethod method, bool alone) {
    const bool newton = method != TangentialMethod::gauss_seidel;
    const bool falls =
        step.friction.depends_on_slip() && step.friction.law != FrictionLaw::constant;
    const bool steady = step.tangential.problem == TangentialProblem::steady_rolling;
    std::optional<WholeLaw> when;
    if (alone) when = steady ? WholeLaw::at_first : WholeLaw::when_near;
    share_.reset();
    begins_again_ = false;
    if (newton && falls && !local_.takes(step)) share_.emplace(when);
  }
  // What newton's rows follow in this round.
  [[nodiscard]] FallingBound falling(const StepInput& step, const double* pressure,
                                     int round) const {
    const double share = share_ ? share_->value(round) : 0.0;
    if (!(share > 0.0)) return {};
    FallingBound bound = whole_law(step, pressure);
    bound.share = share;
    bound.whole = share_->whole();
    bound.first = round == 1 && !carried_over_;
    return bound;
  }
  // Whether this step continues the one before where its law may allow another solution. Of that
  // newton's rows search all of the law.
  [[nodiscard]] bool continues() const { return share_ && share_->continues(); }
  [[nodiscard]] FallingBound whole_law(const StepInput& step, const double* pressure) const {
    FallingBound bound;
    bound.law = sliding_law(step.friction);
    bound.rate = slip_rate(step.tangential);
    bound.share = 1.0;
    bound.whole = true;
    bound.pressure = pressure;
    return bound;
  }
  // Why rounds may not have agreed, behind the message that says so.
  template <class Model>
  [[nodiscard]] std::string jumps(const StepInput& step, Model& model) const {
    return jumping_text(step.friction, slip_rate(step.tangential),
                        model.slip_operator.self(Component::xx),
                        model.backend.greatest(model.state.pressure));
  }
  // newton did not find the tractions of such a round, or others than those it was near.
  void refuse() {
    begins_again_ = share_->whole();
    share_->refused();
  }
  // Whether the tractions of a round of the whole law are of another solution than the one that
  // relaxation was near.
  bool jumped(const StepInput& step, const StepFields& fields, const FallingBound& falling) {
    if (!falling.whole || !share_->may_jump()) return false;
    backend_.run(grid_.count(), slip_followed(step, fields, 1));
    return share_->jumped(backend_.read(change_).change);
  }
  // Whether newton's rows follow all of the law: what they find is exact then.
  [[nodiscard]] bool whole() const { return share_ && share_->whole(); }

  // One round: the change of the coefficients that the slip of the fields asks for. self: slip of
  // an element by its own traction. falling: what newton's rows have followed of it.
  double follow_slip(const StepInput& step, const StepFields& fields, double self, int round,
                     const FallingBound& falling) {
    if (local_.takes(step)) return follow_locally(fields, self, round);
    if (wanted_.size() == 0) wanted_ = Array<double>(grid_.count());
    FollowSlip op = slip_followed(step, fields, round);
    if (falling.follows()) op.relaxed = false;
    op.first = op.first || begins_again_;
    begins_again_ = false;
    backend_.run(grid_.count(), op);
    if (falling.follows()) return take_share(falling, fields);
    backend_.run(grid_.count(),
                 TakeFriction{op.law, wanted_.data(), change_.data(), coefficients_.data()});
    const double change = backend_.read(change_).change;
    if (share_) share_->relaxed(change, round);
    return change;
  }

  // After a step: what the layer has sheared for good, and where it did so in this step. The
  // solvers' own division has these elements in slip: it forms its own again in the next step.
  template <class State>
  void keep_shear(const StepInput& step, State& state, StepReport& report) {
    if (!layer_.yields() || step.tangential.problem == TangentialProblem::none) return;
    backend_.upload(own_values(backend_, whole_, local_.path()), state.plastic_path);
    const auto yields = own_values(backend_, whole_, local_.yields());
    auto division = backend_.download(state.division);
    double plastic = 0.0;
    for (std::size_t i = 0; i < division.size(); ++i) {
      if (yields[i] == 0) continue;
      division[i] = static_cast<unsigned char>(ElementState::plastic);
      plastic += 1.0;
    }
    report.elements_plastic += static_cast<std::int64_t>(sum_over_sharers(backend_, plastic));
    report.elements_slip -= report.elements_plastic;
    backend_.upload(division, state.division);
  }

  // The static coefficient, of a law that differs along y its mean over the pressure.
  [[nodiscard]] double mean_static(const Friction& friction, const double* pressure) const {
    if (friction.along_y.empty()) return friction.coefficient;
    const std::vector<double> fixed = static_values(friction);
    const std::vector<double> p = backend_.download(pressure, grid_.count());
    double bound = 0.0;
    double force = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
      bound += fixed[i] * p[i];
      force += p[i];
    }
    bound = sum_over_sharers(backend_, bound);
    force = sum_over_sharers(backend_, force);
    return force > 0.0 ? bound / force : friction.coefficient;
  }

 private:
  [[nodiscard]] FollowSlip slip_followed(const StepInput& step, const StepFields& fields,
                                         int round) {
    FollowSlip op =
        follow_slip_in_round(sliding_law(step.friction), slip_rate(step.tangential), round);
    op.f = fields;
    op.friction = coefficients_.data();
    op.wanted = wanted_.data();
    op.out = change_.data();
    return op;
  }

  // The coefficients that the bound of the tractions found belongs to.
  double take_share(const FallingBound& falling, const StepFields& fields) {
    backend_.run(grid_.count(),
                 TakeFrictionShare{falling.law, falling.share, wanted_.data(), fields.pressure,
                                   coefficients_.data(), fields.bound});
    const double change = (1.0 - falling.share) * backend_.read(change_).change;
    if (!falling.whole) share_->agreed(change);
    return change;
  }

  void choose_start(const StepInput& step) {
    const Friction& friction = step.friction;
    const FrictionStart start =
        friction.depends_on_slip() ? step.tangential.start : FrictionStart::last;
    const bool same = start == FrictionStart::last && taken_up_ && *taken_up_ == friction;
    carried_over_ = follows(friction) && (same || start == FrictionStart::slip);
    if (same) return;
    if (start == FrictionStart::slip && !friction.along_y.empty())
      fill_sliding(friction, sliding_velocity(step.tangential));
    else
      fill(friction, start == FrictionStart::slip
                         ? sliding_law(friction).at(sliding_velocity(step.tangential))
                         : friction.coefficient);
    taken_up_ = friction;
  }

  // Where the coefficient varies over the grid, with its static values.
  void fill(const Friction& friction, double coefficient) {
    if (friction.varies() || !friction.along_y.empty()) {
      backend_.upload(static_values(friction), coefficients_);
    } else {
      backend_.run(grid_.count(), FillField{coefficient, coefficients_.data()});
    }
  }

  void fill_sliding(const Friction& friction, double velocity) {
    std::vector<double> values;
    for (int iy = 0; iy < grid_.my; ++iy)
      values.insert(values.end(), static_cast<std::size_t>(grid_.mx),
                    sliding_law(friction, grid_.y(iy)).at(velocity));
    backend_.upload(values, coefficients_);
  }

  double follow_locally(const StepFields& fields, double self, int round) {
    const std::size_t count = grid_.count();
    const auto whole = [&](const auto* field) {
      return whole_values(backend_, backend_.download(field, count));
    };
    LocalFrictionFields host;
    host.pressure = whole(fields.pressure);
    host.slip_x = whole(fields.slip_x);
    host.slip_y = whole(fields.slip_y);
    host.division = whole(fields.state);
    std::vector<double> coefficients = whole(coefficients_.data());
    const double change = local_.follow(host, self, round, coefficients);
    backend_.upload(own_values(backend_, whole_, std::move(coefficients)), coefficients_);
    return greatest_over_sharers(backend_, change);
  }

  Backend& backend_;
  Grid whole_;
  Grid grid_;  // the rows that the backend holds
  ContactLayer layer_;
  LocalFriction local_;  // on the whole grid
  Array<double>& coefficients_;
  Array<double> wanted_;  // made on first use
  Array<FrictionChange> change_;
  std::optional<Friction> taken_up_;
  bool carried_over_ = false;
  bool follows_hardening_ = false;
  Array<double> limit_, greatest_;      // of each element; made on first use
  std::optional<FrictionShare> share_;  // of this step, where newton's rows follow the law
  bool begins_again_ = false;           // the relaxation, after a round that was refused
};

}  // namespace slipfield
