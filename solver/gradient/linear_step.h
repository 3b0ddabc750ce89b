// SPDX-License-Identifier: Apache-2.0
// The linear system of a converged step and its transpose (THEORY.md 11.8).
//
//   normal, in contact      dh + A_nn dp + A_nt dq - d(delta) = 0
//   tangential, in contact  (I - D) dq + rho D ds - d (mu dp + p dmu) = 0,
//                           ds = dW + S dq + S_tn dp
//
// with matrices D as Newton's (newton_ops.h) at the solution: the identity in adhesion, there d =
// 0; in slip, with x = q - rho s and e = x/|x|,
//
//   D = g/|x| (I - e e^T) - c/(1 - c) e e^T,  d = e/(1 - c),  c = -p mu'(w) dw/d|s| / rho,
//
// c = 0 unless friction falls with the slip velocity w: the rows scaled along e by 1/(1 - c), as in
// element_law.h. A prescribed force adds its sum as a row and its rigid motion, or the approach, as
// an unknown.
//
// The transpose of S is S with its offset reversed, S': coefficients are even in the difference of
// positions, S_tn' = S_nt. With J = (I - D) + rho D S and J' = (I - D) + rho D S', the solution of
// J^T y = b is y = b + w - rho S' w where J' w = D b. So both directions are solved as newton
// solves.
//
// Here is the step at its solution, on the window around its contact: fields, rows of friction,
// rigid motion, prescribed forces, and products with the operators.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_backend.h"
#include "solver/error.h"
#include "solver/fields/newton_ops.h"
#include "solver/friction.h"
#include "solver/gradient/step_derivatives.h"
#include "solver/gradient/step_systems.h"
#include "solver/influence/layered_bodies.h"
#include "solver/rolling.h"
#include "solver/run/cpu_instances.h"
#include "solver/step/step_task.h"
#include "solver/window/grid_window.h"
#include "solver/window/window_ops.h"

namespace slipfield::gradient {

using Field = std::vector<double>;     // as callers have it: over the grid, or empty
using Values = Eigen::ArrayXd;         // of elements
using SurfaceField = Eigen::ArrayX2d;  // of elements, along the surfaces: x and y
using Operator = int;                  // of StepSystems
constexpr Operator kCurrent = 0;

using Motion = std::array<double, 3>;  // x, y, rotation

constexpr double kNearChange = 1.0e-3;

inline GridWindow window_of(const Grid& grid, const ContactSolution& solution) {
  if (grid.boundary != Boundary::free) return {0, 0, grid.mx, grid.my};
  std::vector<unsigned char> marks(grid.count());
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = solution.pressure[i] > 0.0 ? 1 : 0;
  const GridWindow window = window_around(grid, marks);
  return window.empty() ? GridWindow{0, 0, 1, 1} : window;
}

inline double sum(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
inline double greatest(const Eigen::Ref<const Values>& values) {
  double found = 0.0;
  for (const double value : values) found = std::fmax(found, std::abs(value));
  return found;
}

[[noreturn]] inline void fail(const char* what) {
  throw Error(std::string("the derivatives were not found: ") + what);
}

// Frees systems on their device.
struct FreeSystems {
  void operator()(StepSystems* systems) const {
    std::shared_ptr<void> here;
    try {
      here = systems->enter();
    } catch (const Error&) {  // the device is lost, and its memory with it
    }
    delete systems;
  }
};

struct CoefficientChange {  // of each element
  Values now;               // at its slip
  Values fixed;             // static
  double strength = 0.0;    // shear strength
};

inline Motion unit(std::size_t k) {
  Motion motion{};
  motion.at(k) = 1.0;
  return motion;
}

struct LinearStep {
  LinearStep(const ContactProblem& problem, const StepInput& solved,
             const ContactSolution& solution, const StepReport& report,
             const ContactSolution* before, const StepSystemsMaker& make)
      : input(solved),
        follows(before != nullptr),
        sliding(solved.tangential.problem != TangentialProblem::none),
        whole(problem.grid),
        window(window_of(whole, solution)),
        grid(grid_of(window, whole)),
        window_place(place_of(window, whole)),
        count(grid.count()),
        area(grid.element_area()),
        coupled(couples(problem) && sliding),
        kind(kind_of(problem)),
        division(count),
        task{grid, contact_material(problem), problem.solver.influence, kind},
        systems(make(task).release()) {
    require_whole(solution);
    const auto here = systems->enter();
    take_fields(solution, report, before);
    near.assign(whole.count(), false);
    find_near(solution);
    if (sliding) linearize();
    send_step();
  }

  // --- The step at its solution

  static InfluenceKind kind_of(const ContactProblem& problem) {
    InfluenceKind of_problem;
    of_problem.layers = layer_images(problem.upper, problem.lower);
    return of_problem;
  }

  [[nodiscard]] Values zeros() const { return Values::Zero(grid.count()); }
  [[nodiscard]] SurfaceField no_field() const { return SurfaceField::Zero(grid.count(), 2); }
  [[nodiscard]] Values cut_out(const Field& field) const {
    Values part = zeros();
    if (field.empty()) return part;
    for (std::size_t k = 0; k < contact.size(); ++k) part[contact[k]] = field[of_contact[k]];
    return part;
  }
  [[nodiscard]] SurfaceField cut_out(const Field& x, const Field& y) const {
    SurfaceField part(count, 2);
    part << cut_out(x), cut_out(y);
    return part;
  }
  void put_back(const Eigen::Ref<const Values>& part, double sign, Field& field) const {
    for (std::size_t k = 0; k < contact.size(); ++k) field[of_contact[k]] = sign * part[contact[k]];
  }
  [[nodiscard]] std::size_t place(std::size_t i) const { return window_place.on_grid(i); }

  void require_whole(const ContactSolution& solution) const {
    std::vector<const Field*> fields{&solution.pressure, &solution.displacement_n, &solution.gap};
    if (sliding)
      for (const Field* field :
           {&solution.traction_x, &solution.traction_y, &solution.traction_bound, &solution.slip_x,
            &solution.slip_y, &solution.displacement_x, &solution.displacement_y})
        fields.push_back(field);
    for (const Field* field : fields)
      if (field->size() != whole.count())
        throw InputError("a field of the solution is missing; accepted: all fields of the step");
  }
  void take_fields(const ContactSolution& solution, const StepReport& report,
                   const ContactSolution* before) {
    if (before != nullptr)
      for (const Field* field : {&before->displacement_x, &before->displacement_y})
        if (!field->empty() && field->size() != whole.count())
          throw InputError("the step before has " + std::to_string(field->size()) +
                           " elements, and this one " + std::to_string(whole.count()) +
                           "; accepted: steps of one solver, one after another");
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t on_grid = place(i);
      if (!(solution.pressure[on_grid] > 0.0)) continue;
      contact.push_back(i);
      of_contact.push_back(on_grid);
    }
    pressure = cut_out(solution.pressure);
    displacement_n = cut_out(solution.displacement_n);
    touches.setConstant(count, false);
    for (const std::size_t i : contact) {
      division[i] = static_cast<unsigned char>(ElementState::slip);
      touches[i] = true;
    }
    if (!sliding) return;
    traction = cut_out(solution.traction_x, solution.traction_y);
    slip = cut_out(solution.slip_x, solution.slip_y);
    bound = cut_out(solution.traction_bound);
    friction = zeros();
    // A shear strength goes with one coefficient, and would cancel in the bound.
    for (const std::size_t i : contact)
      friction[i] =
          input.friction.shear_strength > 0.0 ? input.friction.coefficient : bound[i] / pressure[i];
    fixed =
        input.friction.varies() ? friction : cut_out(static_coefficients(input.friction, whole));
    take_motion(solution, report, before);
  }

  void take_motion(const ContactSolution& solution, const StepReport& report,
                   const ContactSolution* before) {
    const Tangential& t = input.tangential;
    distance = slip_distance(t);
    if (is_rolling(t.problem)) place_spin(t.direction, distance / 6.0, rigid);
    rigid.x = distance * report.rigid_x;
    rigid.y = distance * report.rigid_y;
    rigid.rotation = distance * report.rotation;
    fraction.setOnes(count);
    edge.assign(count, -1);
    if (enters_within_step(t, whole)) {
      std::vector<unsigned char> states(whole.count());
      for (std::size_t i = 0; i < states.size(); ++i)
        states[i] = static_cast<unsigned char>(solution.pressure[i] > 0.0 ? ElementState::slip
                                                                          : ElementState::exterior);
      const LeadingEdge found = find_leading_edge(whole, states, rolls_along_y(t.direction),
                                                  rolls_forwards(t.direction), t.step);
      fraction = cut_out(found.fraction);
      for (const std::size_t i : contact) edge[i] = found.edge[place(i)];
    }
    for (const TangentialLoad* load : {&t.x, &t.y})
      if (load->control != TangentialControl::rigid) prescribed.push_back(load == &t.x ? 0U : 1U);
    if (t.moment) prescribed.push_back(2);
    take_elastic_slip(solution, before);
  }

  // The slip that is inversely proportional to the stiffness. In a shift: the displacements of this
  // step, less the earlier ones unless these are held. In rolling: all elastic slip, by the
  // tractions of this step and of the one before.
  void take_elastic_slip(const ContactSolution& solution, const ContactSolution* before) {
    const Tangential& t = input.tangential;
    if (!is_rolling(t.problem)) {
      elastic_slip = cut_out(solution.displacement_x, solution.displacement_y);
      if (before != nullptr)
        elastic_slip -= cut_out(before->displacement_x, before->displacement_y);
      return;
    }
    elastic_slip = slip - rigid_slip({rigid.x, rigid.y, rigid.rotation});
    if (t.extra.x) elastic_slip.col(0) -= distance * cut_out(*t.extra.x);
    if (t.extra.y) elastic_slip.col(1) -= distance * cut_out(*t.extra.y);
  }

  // --- Friction

  [[nodiscard]] bool slips(std::size_t i) const {
    return division[i] == static_cast<unsigned char>(ElementState::slip);
  }
  [[nodiscard]] SlidingLaw law_of(std::size_t i) const {
    return sliding_law(input.friction, grid.y(static_cast<int>(i) / grid.mx));
  }
  [[nodiscard]] double slip_velocity(std::size_t i) const {
    return slip_rate(input.tangential) * std::hypot(slip(i, 0), slip(i, 1));
  }
  // d mu/d|s| at the slip of an element that slips.
  [[nodiscard]] double fall_of(std::size_t i) const {
    if (!input.friction.depends_on_slip()) return 0.0;
    return law_of(i).slope(slip_velocity(i)) * slip_rate(input.tangential);
  }
  // Derivatives of its coefficient with respect to the numbers of a law.
  [[nodiscard]] LawNumbers by_law(std::size_t i) const {
    LawNumbers one;
    one.fixed = 1.0;
    if (!input.friction.depends_on_slip() || !slips(i)) return one;
    return by_numbers(law_of(i), slip_velocity(i));
  }
  static constexpr std::array<double LawNumbers::*, 5> kLawNumbers{
      &LawNumbers::fixed, &LawNumbers::kinetic, &LawNumbers::half_velocity,
      &LawNumbers::second_drop, &LawNumbers::second_half_velocity};

  [[nodiscard]] CoefficientChange change_of_friction(const StepInputs& to) const {
    CoefficientChange change;
    change.now = change.fixed = cut_out(to.friction);
    change.strength = to.law.shear_strength;
    if (!sliding) return change;
    for (const std::size_t i : contact) {
      const LawNumbers by = by_law(i);
      for (const auto number : kLawNumbers) change.now[i] += to.law.*number * by.*number;
      change.fixed[i] += to.law.fixed;
    }
    return change;
  }

  void find_near(const ContactSolution& solution) {
    const double most = greatest(pressure);
    const double soft = systems->self(kCurrent, Component::nn);
    for (std::size_t i = 0; i < whole.count(); ++i) {
      near[i] = solution.pressure[i] > 0.0 ? solution.pressure[i] < kNearChange * most
                                           : solution.gap[i] < kNearChange * most * soft;
    }
  }

  void linearize() {
    for (Values* field : {&dxx, &dxy, &dyx, &dyy}) *field = zeros();
    rows.count = count;
    rows.tangential = {.traction_x = x_of(traction),
                       .traction_y = y_of(traction),
                       .slip_x = x_of(slip),
                       .slip_y = y_of(slip),
                       .bound = bound.data(),
                       .state = division.data(),
                       .fraction = fraction.data()};
    rows.rho = 1.0 / systems->self(slip_operator(false), Component::xx);
    rows.joins_adhesion = input.tangential.problem != TangentialProblem::steady_rolling;
    rows.dxx = dxx.data();
    rows.dxy = dxy.data();
    rows.dyx = dyx.data();
    rows.dyy = dyy.data();
    rows.scalars = &scalars;
    Values rest = Values::Zero(2 * count + 2);
    CpuBackend().run(count, LinearizeFriction{rows, rest.data()});
    direction = no_field();
    for (const std::size_t i : contact) take_direction(i);
    for (const std::size_t i : contact) unknown.push_back(i);
    for (const std::size_t i : contact) unknown.push_back(count + i);
  }

  // Gives new systems the step, with the division that linearize() has found.
  void send_step() const {
    systems->set_contact(division);
    if (sliding) systems->set_rows(rows);
  }

  // At the solution D is symmetric; newton's D is so only up to its tolerance.
  void take_direction(std::size_t i) {
    const double x = traction(i, 0) - rows.rho * slip(i, 0);
    const double y = traction(i, 1) - rows.rho * slip(i, 1);
    const double size = std::hypot(x, y);
    const double rest = size - bound[i];  // rho |s| in slip
    if (std::abs(rest) <= kNearChange * bound[i]) near[place(i)] = true;
    if (!slips(i)) return;
    const double fall = -pressure[i] * fall_of(i) / rows.rho;
    if (std::abs(1.0 - fall) < kLeastToJump)
      fail("the friction of an element falls as fast as its traction gives way, so it jumps");
    const SlippingRow row = slipping_row(x, y, bound[i], fall);
    direction(i, 0) = row.bound_x;
    direction(i, 1) = row.bound_y;
    dxx[i] = row.dxx;
    dxy[i] = dyx[i] = row.dxy;
    dyy[i] = row.dyy;
  }

  // --- Products, on the elements in contact

  // S, or its transpose S'.
  Operator slip_operator(bool reversed) {
    if (input.tangential.problem != TangentialProblem::steady_rolling) return kCurrent;
    std::optional<Operator>& made = reversed ? backwards : forwards;
    if (!made) {
      const double offset = reversed ? -distance : distance;
      InfluenceKind of_slip = kind;
      of_slip.displacement = Displacement::change;
      of_slip.offset_x = offset * std::cos(input.tangential.direction);
      of_slip.offset_y = offset * std::sin(input.tangential.direction);
      made = systems->add_operator(grid, of_slip);
    }
    return *made;
  }
  static double* x_of(SurfaceField& field) { return field.col(0).data(); }
  static double* y_of(SurfaceField& field) { return field.col(1).data(); }
  static TractionField tractions(const SurfaceField& of) {
    return {of.col(0).data(), of.col(1).data()};
  }
  static DisplacementField slips(SurfaceField& of) { return {x_of(of), y_of(of)}; }
  template <class Part>
  void keep_contact(Part& field) const {
    for (auto column : field.colwise()) column = touches.select(column, 0.0);
  }
  [[nodiscard]] SurfaceField slip_by(Operator by, const SurfaceField& q) const {
    SurfaceField by_q = no_field();
    systems->multiply(by, Block::tangential, tractions(q), slips(by_q));
    keep_contact(by_q);
    return by_q;
  }
  [[nodiscard]] SurfaceField slip_by_pressure(Operator by, const Values& p) const {
    SurfaceField by_p = no_field();
    if (!coupled) return by_p;
    systems->multiply(by, Block::tangential_from_normal, {.n = p.data()}, slips(by_p));
    keep_contact(by_p);
    return by_p;
  }
  [[nodiscard]] Values normal_by(Operator by, const SurfaceField& q) const {
    Values displacement = zeros();
    if (!coupled) return displacement;
    systems->multiply(by, Block::normal_from_tangential, tractions(q), {.n = displacement.data()});
    keep_contact(displacement);
    return displacement;
  }
  // factor D v
  [[nodiscard]] SurfaceField times_d(const SurfaceField& v, double factor) const {
    SurfaceField product(count, 2);
    product.col(0) = factor * (dxx * v.col(0) + dxy * v.col(1));
    product.col(1) = factor * (dyx * v.col(0) + dyy * v.col(1));
    return product;
  }
  // Slip due to a rigid motion, and its transpose, like by_rigid_motion() and traction_sums() of
  // linearized_friction.h but on fields of the window.
  [[nodiscard]] SurfaceField rigid_slip(const Motion& motion) const {
    const ElementCentres centres(grid);
    RigidSlip moved = rigid;
    moved.x = motion[0];
    moved.y = motion[1];
    moved.rotation = motion[2];
    SurfaceField by_motion = no_field();
    for (const std::size_t i : contact) {
      by_motion(i, 0) = fraction[i] * moved.at_x(centres.y(i));
      by_motion(i, 1) = fraction[i] * moved.at_y(centres.x(i));
    }
    return by_motion;
  }
  [[nodiscard]] Motion transposed_rigid_slip(const SurfaceField& v) const {
    const ElementCentres centres(grid);
    Motion work{};
    for (const std::size_t i : contact) {
      work[0] += fraction[i] * v(i, 0);
      work[1] += fraction[i] * v(i, 1);
      work[2] += fraction[i] *
                 (rigid.turned_x(centres.y(i)) * v(i, 0) + rigid.turned_y(centres.x(i)) * v(i, 1));
    }
    return work;
  }
  // Forces and moment of tractions, and the transposed operation.
  [[nodiscard]] Motion forces_of(const SurfaceField& q) const {
    const ElementCentres centres(grid);
    Motion forces{};
    for (const std::size_t i : contact) {
      forces[0] += area * q(i, 0);
      forces[1] += area * q(i, 1);
      forces[2] += area * centres.moment(i, q(i, 0), q(i, 1));
    }
    return forces;
  }
  [[nodiscard]] SurfaceField by_forces(const Motion& forces) const {
    const ElementCentres centres(grid);
    SurfaceField q = no_field();
    for (const std::size_t i : contact) {
      q(i, 0) = area * (forces[0] - centres.y(i) * forces[2]);
      q(i, 1) = area * (forces[1] + centres.x(i) * forces[2]);
    }
    return q;
  }
  // d . y of each element: the derivative with respect to its bound.
  [[nodiscard]] Values pull_of_bound(const SurfaceField& y) const {
    if (!sliding) return zeros();
    return direction.col(0) * y.col(0) + direction.col(1) * y.col(1);
  }
  // rho B^T D y
  [[nodiscard]] Motion motion_of(const SurfaceField& y) const {
    return transposed_rigid_slip(times_d(y, rows.rho));
  }

  // --- Prescribed forces that are part of the bounds' or the pressures' sum

  [[nodiscard]] const TangentialLoad& load(std::size_t k) const {
    return k == 0 ? input.tangential.x : input.tangential.y;
  }
  // A force ratio is one to the static coefficients.
  [[nodiscard]] Values static_bounds() const { return pressure * fixed; }
  // d(force)/d(static bound of each element), and in addition d(force)/d(pressure).
  [[nodiscard]] double by_bounds(const Motion& forces) const {
    return by_sum(TangentialControl::force_ratio, forces);
  }
  [[nodiscard]] double by_pressures(const Motion& forces) const {
    return by_sum(TangentialControl::traction_coefficient, forces);
  }
  [[nodiscard]] double by_sum(TangentialControl control, const Motion& forces) const {
    double part = 0.0;
    for (const std::size_t k : {0, 1})
      if (load(k).control == control) part += forces.at(k) * load(k).value * area;
    return part;
  }
  // d(force)/d(value)
  [[nodiscard]] double of_value(const TangentialLoad& load) const {
    switch (load.control) {
      case TangentialControl::force_ratio:
        return area * sum(static_bounds());
      case TangentialControl::traction_coefficient:
        return area * sum(pressure);
      default:
        return 1.0;
    }
  }
  [[nodiscard]] bool is_prescribed(std::size_t k) const {
    return std::ranges::find(prescribed, k) != prescribed.end();
  }

  StepInput input;
  bool follows;  // whether the state of the step before is an input
  bool sliding;
  Grid whole;
  GridWindow window;
  Grid grid;  // of the window
  WindowPlace window_place;
  std::size_t count;
  double area;
  bool coupled;
  InfluenceKind kind;
  std::optional<Operator> forwards, backwards;  // made on first use
  std::vector<unsigned char> division;
  SystemsTask task;
  std::unique_ptr<StepSystems, FreeSystems> systems;
  NewtonScalars scalars;
  std::vector<std::size_t> contact;     // elements of the window, in order
  std::vector<std::size_t> of_contact;  // their places on the whole grid
  Eigen::Array<bool, Eigen::Dynamic, 1> touches;
  std::vector<std::size_t> unknown;  // places of their x, then of their y
  std::vector<int> edge;  // element of the grid where each entered, of elements that did; -1
  Values pressure, displacement_n, bound, fraction;
  Values friction, fixed;  // coefficients at the slip, and static
  SurfaceField traction, slip, elastic_slip, direction;
  Values dxx, dxy, dyx, dyy;
  NewtonFields rows;
  RigidSlip rigid;
  double distance = 1.0;
  std::vector<std::size_t> prescribed;  // directions with a prescribed force or moment
  std::vector<bool> near;               // on the whole grid: near another state
};

}  // namespace slipfield::gradient
