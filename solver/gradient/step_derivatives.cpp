// SPDX-License-Identifier: Apache-2.0
// The linear system of a converged step and its transpose (THEORY.md 11.8).
//
//   normal, in contact      dh + A_nn dp + A_nt dq - d(delta) = 0
//   tangential, in contact  (I - D) dq + rho D ds - d (mu dp + p dmu) = 0,  ds = dW + S dq + S_tn dp
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
#include "solver/gradient/step_derivatives.h"

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "solver/combinations.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/error.h"
#include "solver/fields/newton_ops.h"
#include "solver/friction.h"
#include "solver/gradient/step_systems_on.h"
#include "solver/influence/layered_bodies.h"
#include "solver/rolling.h"
#include "solver/run/cpu_instances.h"
#include "solver/step/rigid_motion.h"
#include "solver/window/grid_window.h"
#include "solver/window/window_ops.h"

namespace slipfield {
namespace {

using Field = std::vector<double>;     // as callers have it: over the grid, or empty
using Values = Eigen::ArrayXd;         // of elements
using SurfaceField = Eigen::ArrayX2d;  // of elements, along the surfaces: x and y
using Operator = int;                  // of StepSystems
constexpr Operator kCurrent = 0;

constexpr double kNearChange = 1.0e-3;
constexpr double kPressureTolerance = 1.0e-13;  // of the pressures' system
constexpr double kTractionTolerance = 1.0e-12;  // of that of the tractions
constexpr double kOfRound = 1.0e-3;             // of either, where rounds correct what it leaves

using Motion = std::array<double, 3>;  // x, y, rotation

GridWindow window_of(const Grid& grid, const ContactSolution& solution) {
  if (grid.boundary != Boundary::free) return {0, 0, grid.mx, grid.my};
  std::vector<unsigned char> marks(grid.count());
  for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = solution.pressure[i] > 0.0 ? 1 : 0;
  const GridWindow window = window_around(grid, marks);
  return window.empty() ? GridWindow{0, 0, 1, 1} : window;
}

double sum(const Values& values) { return std::accumulate(values.begin(), values.end(), 0.0); }
double greatest(const Eigen::Ref<const Values>& values) {
  double found = 0.0;
  for (const double value : values) found = std::fmax(found, std::abs(value));
  return found;
}

// Frees its systems on their device, even if a constructor throws.
class HeldSystems {
 public:
  explicit HeldSystems(std::unique_ptr<StepSystems> systems) : systems_(std::move(systems)) {}
  HeldSystems(const HeldSystems&) = delete;
  HeldSystems& operator=(const HeldSystems&) = delete;
  ~HeldSystems() { release(); }
  void replace(std::unique_ptr<StepSystems> systems) {
    release();
    systems_ = std::move(systems);
  }
  StepSystems* operator->() const { return systems_.get(); }

 private:
  void release() {
    try {
      const auto here = systems_->enter();
      systems_.reset();
    } catch (const Error&) {  // the device is lost, and its memory with it
      systems_.reset();
    }
  }
  std::unique_ptr<StepSystems> systems_;
};

std::unique_ptr<StepSystems> systems_on_cpu(const SystemsTask& task) {
  return std::make_unique<StepSystemsOn<CpuBackend>>(task);
}

// Returns the result of call(), computed on the CPU if the device runs out of memory.
template <class Linear, class Call>
auto with_room(Linear& linear, const Call& call) {
  try {
    return call();
  } catch (const OutOfMemory&) {
    linear.move_to_cpu();
    return call();
  }
}

}  // namespace

class StepDerivatives::Linear {
 public:
  Linear(const ContactProblem& problem, const StepInput& step, const ContactSolution& solution,
         const StepReport& report, const ContactSolution* before, double tolerance,
         const StepSystemsMaker& make)
      : step_(step),
        tolerance_(tolerance),
        follows_(before != nullptr),
        sliding_(step.tangential.problem != TangentialProblem::none),
        whole_(problem.grid),
        window_(window_of(whole_, solution)),
        grid_(grid_of(window_, whole_)),
        place_(place_of(window_, whole_)),
        count_(grid_.count()),
        area_(grid_.element_area()),
        coupled_(couples(problem) && sliding_),
        kind_(kind_of(problem)),
        division_(count_),
        task_{grid_, contact_material(problem), problem.solver.influence, kind_},
        systems_(make(task_)) {
    require_whole(solution);
    const auto here = systems_->enter();
    take_fields(solution, report, before);
    near_.assign(whole_.count(), false);
    find_near(solution);
    if (sliding_) linearize();
  }

  StepInputs gradient(const StepOutputs& seed) {
    require(seed.pressure, "pressure");
    for (const auto& [values, name] : {std::pair{&seed.traction_x, "traction_x"},
                                       {&seed.traction_y, "traction_y"},
                                       {&seed.slip_x, "slip_x"},
                                       {&seed.slip_y, "slip_y"}})
      require(*values, name);
    require_finite({{"normal_force", seed.normal_force},
                    {"approach", seed.approach},
                    {"force_x", seed.force_x},
                    {"force_y", seed.force_y},
                    {"moment_z", seed.moment_z},
                    {"the rigid motion in x", seed.rigid_x},
                    {"the rigid motion in y", seed.rigid_y},
                    {"the rotation", seed.rotation},
                    {"friction_work", seed.friction_work}});
    const auto here = systems_->enter();
    StepInputs result;
    result.heights.assign(whole_.count(), 0.0);
    result.friction.assign(whole_.count(), 0.0);
    const Seed b = take_seed(seed);
    Multipliers found = solve_adjoint(b);
    if (sliding_) to_friction(found, result);
    put_back(found.normal, -1.0, result.heights);
    result.normal =
        step_.normal.control == NormalControl::force ? found.load : b.approach + sum(found.normal);
    if (sliding_) {
      const Motion rest = motion_of(found.tangential);
      result.tangential_x = to_load(step_.tangential.x, 0, b, rest, found);
      result.tangential_y = to_load(step_.tangential.y, 1, b, rest, found);
      result.rotation =
          step_.tangential.moment ? found.motion[2] : distance_ * (b.motion[2] - rest[2]);
    }
    result.stiffness = to_stiffness(b, found);
    if (follows_) result.before = to_before(b, found);
    return result;
  }

  StepOutputs derivative(const StepInputs& direction) {
    require(direction.heights, "undeformed_distance");
    require(direction.friction, "friction");
    require_finite({{"the static coefficient", direction.law.fixed},
                    {"the kinetic coefficient", direction.law.kinetic},
                    {"the shear strength", direction.law.shear_strength},
                    {"half_velocity", direction.law.half_velocity},
                    {"second_drop", direction.law.second_drop},
                    {"second_half_velocity", direction.law.second_half_velocity},
                    {"the normal load", direction.normal},
                    {"the tangential load in x", direction.tangential_x},
                    {"the tangential load in y", direction.tangential_y},
                    {"the rotation", direction.rotation},
                    {"stiffness", direction.stiffness}});
    for (const auto& [values, name] : {std::pair{&direction.before.pressure, "pressure"},
                                       {&direction.before.traction_x, "traction_x"},
                                       {&direction.before.traction_y, "traction_y"}})
      require(*values, std::string(name) + " before the step");
    const auto here = systems_->enter();
    const Given given{{}, 0.0, change_of_friction(direction), given_slip(direction)};
    return outputs_of(solve_tangent(direction, cut_out(direction.heights), given), given.slip);
  }

  // Moves the systems to the CPU for good, after a device has run out of memory.
  void move_to_cpu() {
    systems_.replace(systems_on_cpu(task_));
    forwards_.reset();
    backwards_.reset();
    before_ = {};
    has_across_ = {};
    if (sliding_) systems_->set_rows(f_);
  }

  [[nodiscard]] std::int64_t near_change() const {
    return std::count(near_.begin(), near_.end(), true);
  }

 private:
  // Derivatives of the scalar with respect to the unknowns and, if needed, to slip.
  struct Seed {
    Values pressure;
    SurfaceField traction, slip;
    double approach = 0.0;
    Motion motion{};
  };
  // Multipliers of the rows: of the pressures, the tractions, the normal force, and the prescribed
  // tangential forces.
  struct Multipliers {
    Values normal;
    SurfaceField tangential;
    double load = 0.0;
    Motion motion{};  // of prescribed forces
  };
  struct Changes {
    Values normal;            // pressure
    SurfaceField tangential;  // tractions
    double load = 0.0;        // approach
    Motion motion{};
  };
  // Remaining right-hand sides: of the rows of the pressures and of the tractions.
  struct Rest {
    Values normal;
    SurfaceField tangential;
  };
  struct CoefficientChange {  // of each element
    Values now;               // at its slip
    Values fixed;             // static
    double strength = 0.0;    // shear strength
  };

  // --- The step at its solution

  static InfluenceKind kind_of(const ContactProblem& problem) {
    InfluenceKind kind;
    kind.layers = layer_images(problem.upper, problem.lower);
    return kind;
  }

  [[nodiscard]] Values zeros() const { return Values::Zero(grid_.count()); }
  [[nodiscard]] SurfaceField no_field() const { return SurfaceField::Zero(grid_.count(), 2); }
  [[nodiscard]] Values cut_out(const Field& field) const {
    Values part = zeros();
    if (field.empty()) return part;
    for (const std::size_t i : contact_) part[i] = field[place(i)];
    return part;
  }
  [[nodiscard]] SurfaceField cut_out(const Field& x, const Field& y) const {
    SurfaceField part(count_, 2);
    part << cut_out(x), cut_out(y);
    return part;
  }
  void put_back(const Eigen::Ref<const Values>& part, double sign, Field& field) const {
    for (const std::size_t i : contact_) field[place(i)] = sign * part[i];
  }
  [[nodiscard]] std::size_t place(std::size_t i) const { return place_.on_grid(i); }

  void require_whole(const ContactSolution& solution) const {
    std::vector<const Field*> fields{&solution.pressure, &solution.displacement_n, &solution.gap};
    if (sliding_)
      for (const Field* field :
           {&solution.traction_x, &solution.traction_y, &solution.traction_bound, &solution.slip_x,
            &solution.slip_y, &solution.displacement_x, &solution.displacement_y})
        fields.push_back(field);
    for (const Field* field : fields)
      if (field->size() != whole_.count())
        throw InputError("a field of the solution is missing; accepted: all fields of the step");
  }
  void take_fields(const ContactSolution& solution, const StepReport& report,
                   const ContactSolution* before) {
    if (before != nullptr)
      for (const Field* field : {&before->displacement_x, &before->displacement_y})
        if (!field->empty() && field->size() != whole_.count())
          throw InputError("the step before has " + std::to_string(field->size()) +
                           " elements, and this one " + std::to_string(whole_.count()) +
                           "; accepted: steps of one solver, one after another");
    for (std::size_t i = 0; i < count_; ++i)
      if (solution.pressure[place(i)] > 0.0) contact_.push_back(i);
    pressure_ = cut_out(solution.pressure);
    displacement_n_ = cut_out(solution.displacement_n);
    touches_.setConstant(count_, false);
    for (const std::size_t i : contact_) {
      division_[i] = static_cast<unsigned char>(ElementState::slip);
      touches_[i] = true;
    }
    if (!sliding_) return;
    traction_ = cut_out(solution.traction_x, solution.traction_y);
    slip_ = cut_out(solution.slip_x, solution.slip_y);
    bound_ = cut_out(solution.traction_bound);
    friction_ = zeros();
    // A shear strength goes with one coefficient, and would cancel in the bound.
    for (const std::size_t i : contact_)
      friction_[i] = step_.friction.shear_strength > 0.0 ? step_.friction.coefficient
                                                         : bound_[i] / pressure_[i];
    fixed_ =
        step_.friction.varies() ? friction_ : cut_out(static_coefficients(step_.friction, whole_));
    take_motion(solution, report, before);
  }

  // --- Friction

  [[nodiscard]] bool slips(std::size_t i) const {
    return division_[i] == static_cast<unsigned char>(ElementState::slip);
  }
  [[nodiscard]] SlidingLaw law_of(std::size_t i) const {
    return sliding_law(step_.friction, grid_.y(static_cast<int>(i) / grid_.mx));
  }
  [[nodiscard]] double slip_velocity(std::size_t i) const {
    return slip_rate(step_.tangential) * std::hypot(slip_(i, 0), slip_(i, 1));
  }
  // d mu/d|s| at the slip of an element that slips.
  [[nodiscard]] double fall_of(std::size_t i) const {
    if (!step_.friction.depends_on_slip()) return 0.0;
    return law_of(i).slope(slip_velocity(i)) * slip_rate(step_.tangential);
  }
  // Derivatives of its coefficient with respect to the numbers of a law.
  [[nodiscard]] LawNumbers by_law(std::size_t i) const {
    LawNumbers one;
    one.fixed = 1.0;
    if (!step_.friction.depends_on_slip() || !slips(i)) return one;
    return by_numbers(law_of(i), slip_velocity(i));
  }
  static constexpr std::array<double LawNumbers::*, 5> kLawNumbers{
      &LawNumbers::fixed, &LawNumbers::kinetic, &LawNumbers::half_velocity,
      &LawNumbers::second_drop, &LawNumbers::second_half_velocity};

  void to_friction(const Multipliers& found, StepInputs& result) const {
    Values friction = zeros();
    const Values pulled = pull_of_bound(found.tangential);
    const double of_bound = by_bounds(found.motion);
    for (const std::size_t i : contact_) {
      const double now = pressure_[i] * pulled[i];
      const double fixed = pressure_[i] * of_bound;
      friction[i] = now + fixed;
      const LawNumbers by = by_law(i);
      for (const auto number : kLawNumbers) result.law.*number += now * by.*number;
      result.law.fixed += fixed;
      result.law.shear_strength += pulled[i];
    }
    put_back(friction, 1.0, result.friction);
  }
  [[nodiscard]] CoefficientChange change_of_friction(const StepInputs& direction) const {
    CoefficientChange change;
    change.now = change.fixed = cut_out(direction.friction);
    change.strength = direction.law.shear_strength;
    if (!sliding_) return change;
    for (const std::size_t i : contact_) {
      const LawNumbers by = by_law(i);
      for (const auto number : kLawNumbers) change.now[i] += direction.law.*number * by.*number;
      change.fixed[i] += direction.law.fixed;
    }
    return change;
  }

  void take_motion(const ContactSolution& solution, const StepReport& report,
                   const ContactSolution* before) {
    const Tangential& t = step_.tangential;
    distance_ = slip_distance(t);
    if (is_rolling(t.problem)) place_spin(t.direction, distance_ / 6.0, rigid_);
    rigid_.x = distance_ * report.rigid_x;
    rigid_.y = distance_ * report.rigid_y;
    rigid_.rotation = distance_ * report.rotation;
    fraction_.setOnes(count_);
    edge_.assign(count_, -1);
    if (enters_within_step(t, whole_)) {
      std::vector<unsigned char> states(whole_.count());
      for (std::size_t i = 0; i < states.size(); ++i)
        states[i] = static_cast<unsigned char>(solution.pressure[i] > 0.0 ? ElementState::slip
                                                                          : ElementState::exterior);
      const LeadingEdge found = find_leading_edge(whole_, states, rolls_along_y(t.direction),
                                                  rolls_forwards(t.direction), t.step);
      fraction_ = cut_out(found.fraction);
      for (const std::size_t i : contact_) edge_[i] = found.edge[place(i)];
    }
    for (const TangentialLoad* load : {&t.x, &t.y})
      if (load->control != TangentialControl::rigid) prescribed_.push_back(load == &t.x ? 0U : 1U);
    if (t.moment) prescribed_.push_back(2);
    take_elastic_slip(solution, before);
  }

  // The slip that is inversely proportional to the stiffness. In a shift: the displacements of this
  // step, less the earlier ones unless these are held. In rolling: all elastic slip, by the
  // tractions of this step and of the one before.
  void take_elastic_slip(const ContactSolution& solution, const ContactSolution* before) {
    const Tangential& t = step_.tangential;
    if (!is_rolling(t.problem)) {
      elastic_slip_ = cut_out(solution.displacement_x, solution.displacement_y);
      if (before != nullptr)
        elastic_slip_ -= cut_out(before->displacement_x, before->displacement_y);
      return;
    }
    elastic_slip_ = slip_ - rigid_slip({rigid_.x, rigid_.y, rigid_.rotation});
    if (t.extra.x) elastic_slip_.col(0) -= distance_ * cut_out(*t.extra.x);
    if (t.extra.y) elastic_slip_.col(1) -= distance_ * cut_out(*t.extra.y);
  }

  void find_near(const ContactSolution& solution) {
    const double most = greatest(pressure_);
    const double soft = systems_->self(kCurrent, Component::nn);
    for (std::size_t i = 0; i < whole_.count(); ++i) {
      const bool near = solution.pressure[i] > 0.0 ? solution.pressure[i] < kNearChange * most
                                                   : solution.gap[i] < kNearChange * most * soft;
      near_[i] = near;
    }
  }

  void linearize() {
    for (Values* field : {&dxx_, &dxy_, &dyx_, &dyy_}) *field = zeros();
    f_.count = count_;
    f_.tangential = {.traction_x = x_of(traction_),
                     .traction_y = y_of(traction_),
                     .slip_x = x_of(slip_),
                     .slip_y = y_of(slip_),
                     .bound = bound_.data(),
                     .state = division_.data(),
                     .fraction = fraction_.data()};
    f_.rho = 1.0 / systems_->self(slip_operator(false), Component::xx);
    f_.joins_adhesion = step_.tangential.problem != TangentialProblem::steady_rolling;
    f_.dxx = dxx_.data();
    f_.dxy = dxy_.data();
    f_.dyx = dyx_.data();
    f_.dyy = dyy_.data();
    f_.scalars = &scalars_;
    Values rest = Values::Zero(2 * count_ + 2);
    CpuBackend().run(count_, LinearizeFriction{f_, rest.data()});
    direction_ = no_field();
    for (const std::size_t i : contact_) take_direction(i);
    for (const std::size_t i : contact_) unknown_.push_back(i);
    for (const std::size_t i : contact_) unknown_.push_back(count_ + i);
    systems_->set_rows(f_);
  }

  // At the solution D is symmetric; newton's D is so only up to its tolerance.
  void take_direction(std::size_t i) {
    const double x = traction_(i, 0) - f_.rho * slip_(i, 0);
    const double y = traction_(i, 1) - f_.rho * slip_(i, 1);
    const double size = std::hypot(x, y);
    const double rest = size - bound_[i];  // rho |s| in slip
    if (std::abs(rest) <= kNearChange * bound_[i]) near_[place(i)] = true;
    if (!slips(i)) return;
    const double across = size > 0.0 ? bound_[i] / size : 0.0;
    const double ex = size > 0.0 ? x / size : 0.0;
    const double ey = size > 0.0 ? y / size : 0.0;
    const double fall = -pressure_[i] * fall_of(i) / f_.rho;
    constexpr double kLeast = 1.0e-9;
    if (std::abs(1.0 - fall) < kLeast)
      fail("the friction of an element falls as fast as its traction gives way, so it jumps");
    const double along = -fall / (1.0 - fall);
    direction_(i, 0) = ex / (1.0 - fall);
    direction_(i, 1) = ey / (1.0 - fall);
    dxx_[i] = across * ey * ey + along * ex * ex;
    dxy_[i] = dyx_[i] = (along - across) * ex * ey;
    dyy_[i] = across * ex * ex + along * ey * ey;
  }

  // --- Products, on the elements in contact

  // S, or its transpose S'.
  Operator slip_operator(bool reversed) {
    if (step_.tangential.problem != TangentialProblem::steady_rolling) return kCurrent;
    std::optional<Operator>& made = reversed ? backwards_ : forwards_;
    if (!made) {
      const double offset = reversed ? -distance_ : distance_;
      InfluenceKind kind = kind_;
      kind.displacement = Displacement::change;
      kind.offset_x = offset * std::cos(step_.tangential.direction);
      kind.offset_y = offset * std::sin(step_.tangential.direction);
      made = systems_->add_operator(grid_, kind);
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
    for (auto column : field.colwise()) column = touches_.select(column, 0.0);
  }
  SurfaceField slip_by(Operator by, const SurfaceField& traction) {
    SurfaceField slip = no_field();
    systems_->multiply(by, Block::tangential, tractions(traction), slips(slip));
    keep_contact(slip);
    return slip;
  }
  SurfaceField slip_by_pressure(Operator by, const Values& pressure) {
    SurfaceField slip = no_field();
    if (!coupled_) return slip;
    systems_->multiply(by, Block::tangential_from_normal, {.n = pressure.data()}, slips(slip));
    keep_contact(slip);
    return slip;
  }
  Values normal_by(Operator by, const SurfaceField& traction) {
    Values displacement = zeros();
    if (!coupled_) return displacement;
    systems_->multiply(by, Block::normal_from_tangential, tractions(traction),
                       {.n = displacement.data()});
    keep_contact(displacement);
    return displacement;
  }
  // factor D v
  [[nodiscard]] SurfaceField times_d(const SurfaceField& v, double factor) const {
    SurfaceField product(count_, 2);
    product.col(0) = factor * (dxx_ * v.col(0) + dxy_ * v.col(1));
    product.col(1) = factor * (dyx_ * v.col(0) + dyy_ * v.col(1));
    return product;
  }
  // Slip due to a rigid motion, and its transpose, like by_rigid_motion() and traction_sums() of
  // linearized_friction.h but on fields of the window.
  [[nodiscard]] SurfaceField rigid_slip(const Motion& motion) const {
    const ElementCentres centres(grid_);
    RigidSlip rigid = rigid_;
    rigid.x = motion[0];
    rigid.y = motion[1];
    rigid.rotation = motion[2];
    SurfaceField slip = no_field();
    for (const std::size_t i : contact_) {
      slip(i, 0) = fraction_[i] * rigid.at_x(centres.y(i));
      slip(i, 1) = fraction_[i] * rigid.at_y(centres.x(i));
    }
    return slip;
  }
  [[nodiscard]] Motion transposed_rigid_slip(const SurfaceField& v) const {
    const ElementCentres centres(grid_);
    Motion work{};
    for (const std::size_t i : contact_) {
      work[0] += fraction_[i] * v(i, 0);
      work[1] += fraction_[i] * v(i, 1);
      work[2] += fraction_[i] * (rigid_.turned_x(centres.y(i)) * v(i, 0) +
                                 rigid_.turned_y(centres.x(i)) * v(i, 1));
    }
    return work;
  }
  // Forces and moment of tractions, and the transposed operation.
  [[nodiscard]] Motion forces_of(const SurfaceField& q) const {
    const ElementCentres centres(grid_);
    Motion forces{};
    for (const std::size_t i : contact_) {
      forces[0] += area_ * q(i, 0);
      forces[1] += area_ * q(i, 1);
      forces[2] += area_ * centres.moment(i, q(i, 0), q(i, 1));
    }
    return forces;
  }
  [[nodiscard]] SurfaceField by_forces(const Motion& forces) const {
    const ElementCentres centres(grid_);
    SurfaceField q = no_field();
    for (const std::size_t i : contact_) {
      q(i, 0) = area_ * (forces[0] - centres.y(i) * forces[2]);
      q(i, 1) = area_ * (forces[1] + centres.x(i) * forces[2]);
    }
    return q;
  }
  // d . y of each element: the derivative with respect to its bound.
  [[nodiscard]] Values pull_of_bound(const SurfaceField& y) const {
    if (!sliding_) return zeros();
    return direction_.col(0) * y.col(0) + direction_.col(1) * y.col(1);
  }
  // rho B^T D y
  [[nodiscard]] Motion motion_of(const SurfaceField& y) const {
    return transposed_rigid_slip(times_d(y, f_.rho));
  }

  // --- Linear systems

  [[noreturn]] static void fail(const char* what) {
    throw Error(std::string("the derivatives were not found: ") + what);
  }

  // Solves A_nn v = b on the contact. wanted: accepted residual relative to b. residual: the
  // remaining residual.
  Values solve_normal(const Values& b, double wanted = kPressureTolerance,
                      Values* residual = nullptr) {
    constexpr int kMostRuns = 8;
    constexpr double kOfOneRun = 1.0e-9;
    constexpr double kEnough = 1.0e-9;
    wanted = std::max(wanted, tolerance_);
    Values v = zeros();
    const double whole = greatest(b);
    Values rest = b;
    if (residual != nullptr) *residual = b;
    if (whole == 0.0) return v;
    double left = whole;
    for (int run = 0; run < kMostRuns && left > wanted * whole; ++run) {
      // The solver's system is A q = 1 - u.
      const Values displaced = 1.0 - rest / left;
      Values q = zeros();
      Values moved = zeros();
      if (!systems_->follow_approach(division_, static_cast<double>(contact_.size()),
                                     displaced.data(), std::max(kOfOneRun, 0.1 * wanted), q.data(),
                                     moved.data()))
        break;
      keep_contact(q);
      keep_contact(moved);
      v += left * q;
      rest -= left * moved;
      const double before = left;
      left = greatest(rest);
      if (!(left < 0.5 * before)) break;
    }
    if (!(left <= std::max(kEnough, wanted) * whole)) fail("that of the pressure did not converge");
    if (residual != nullptr) *residual = std::move(rest);
    return v;
  }

  // Solves J v = b, J = (I - D) + rho D S, or with S'. residual: the remaining residual of b.
  SurfaceField solve_tangential(bool reversed, const SurfaceField& b,
                                double wanted = kPressureTolerance,
                                SurfaceField* residual = nullptr) {
    const Operator by = preconditioned(reversed);
    const double size = std::fmax(greatest(b.col(0)), greatest(b.col(1)));
    SurfaceField v = no_field();
    if (residual != nullptr) *residual = b;
    if (size == 0.0) return v;
    const Values given = b.reshaped()(unknown_) / size;
    Values column = given;
    if (!systems_->solve_tractions(by, unknown_, std::max({wanted, kTractionTolerance, tolerance_}),
                                   column.data())) {
      column = given;
      solve_densely(by, column);
    }
    v.reshaped()(unknown_) = size * column;
    if (residual != nullptr) *residual -= multiplied(by, v);
    return v;
  }
  // S or S', whichever GMRES needs as its preconditioner.
  Operator preconditioned(bool reversed) {
    const Operator by = slip_operator(reversed);
    bool& has = has_across_.at(reversed && by != kCurrent ? 1 : 0);
    if (!has) systems_->set_across(by, across_symbol(f_, scalars_));
    has = true;
    return by;
  }
  // J v
  SurfaceField multiplied(Operator by, const SurfaceField& v) {
    return times_d(slip_by(by, v), f_.rho) + (v - times_d(v, 1.0));
  }
  // Used if GMRES stalls, as on rows of very long elements.
  void solve_densely(Operator by, Values& column) {
    constexpr std::size_t kMost = 3000;
    if (contact_.size() > kMost || whole_.boundary == Boundary::periodic)
      fail("that of the tractions did not converge; accepted: a coarser grid");
    systems_->solve_densely(by, {contact_.begin(), contact_.end()}, column.data());
  }

  // Solves J^T y = b. If J' w leaves the residual r of D b, y leaves r - rho S' r of b.
  SurfaceField solve_transposed(const SurfaceField& b, double wanted = kPressureTolerance,
                                SurfaceField* residual = nullptr) {
    const SurfaceField w = solve_tangential(true, times_d(b, 1.0), wanted, residual);
    const SurfaceField image = slip_by(slip_operator(true), w);
    if (residual != nullptr) *residual -= f_.rho * slip_by(slip_operator(true), *residual);
    return b + (w - f_.rho * image);
  }

  // Solves the small system of the rows of prescribed forces; the other values are 0.
  [[nodiscard]] Motion solve_rows(const std::array<Motion, 3>& columns, const Motion& rhs) const {
    const std::size_t n = prescribed_.size();
    if (n == 0) return {};
    Eigen::MatrixXd matrix(n, n);
    Eigen::VectorXd b(n);
    for (std::size_t row = 0; row < n; ++row) {
      b(row) = rhs.at(prescribed_[row]);
      for (std::size_t column = 0; column < n; ++column)
        matrix(row, column) = columns.at(prescribed_[column]).at(prescribed_[row]);
    }
    const Eigen::VectorXd x = matrix.fullPivLu().solve(b);
    if (!x.allFinite() || !((matrix * x - b).norm() <= 1e-8 * b.norm()))
      fail("the prescribed force does not determine the rigid motion");
    Motion found{};
    for (std::size_t row = 0; row < n; ++row) found.at(prescribed_[row]) = x(row);
    return found;
  }
  static Motion unit(std::size_t k) {
    Motion motion{};
    motion.at(k) = 1.0;
    return motion;
  }

  // --- Prescribed forces that are part of the bounds' or the pressures' sum

  [[nodiscard]] const TangentialLoad& load(std::size_t k) const {
    return k == 0 ? step_.tangential.x : step_.tangential.y;
  }
  // A force ratio is one to the static coefficients.
  [[nodiscard]] Values static_bounds() const { return pressure_ * fixed_; }
  // d(force)/d(static bound of each element), and in addition d(force)/d(pressure).
  [[nodiscard]] double by_bounds(const Motion& rows) const {
    return by_sum(TangentialControl::force_ratio, rows);
  }
  [[nodiscard]] double by_pressures(const Motion& rows) const {
    return by_sum(TangentialControl::traction_coefficient, rows);
  }
  [[nodiscard]] double by_sum(TangentialControl control, const Motion& rows) const {
    double part = 0.0;
    for (const std::size_t k : {0, 1})
      if (load(k).control == control) part += rows.at(k) * load(k).value * area_;
    return part;
  }
  // d(force)/d(value)
  [[nodiscard]] double of_value(const TangentialLoad& load) const {
    switch (load.control) {
      case TangentialControl::force_ratio:
        return area_ * sum(static_bounds());
      case TangentialControl::traction_coefficient:
        return area_ * sum(pressure_);
      default:
        return 1.0;
    }
  }

  // --- The adjoint

  Seed take_seed(const StepOutputs& seed) {
    Seed b;
    b.pressure = cut_out(seed.pressure);
    b.pressure += touches_.select(Values::Constant(count_, area_ * seed.normal_force), 0.0);
    b.approach = seed.approach;
    if (!sliding_) return b;
    const SurfaceField by = by_forces({seed.force_x, seed.force_y, seed.moment_z});
    const double work = area_ * seed.friction_work;
    b.traction = cut_out(seed.traction_x, seed.traction_y) + (by + work * slip_);
    b.slip = cut_out(seed.slip_x, seed.slip_y) + work * traction_;
    b.motion = transposed_rigid_slip(b.slip);
    const Motion rigid{seed.rigid_x, seed.rigid_y, seed.rotation};
    for (std::size_t k = 0; k < 3; ++k) b.motion.at(k) += rigid.at(k) / distance_;
    if ((b.slip == 0.0).all()) return b;
    b.traction += slip_by(slip_operator(true), b.slip);
    b.pressure += normal_by(slip_operator(true), b.slip);
    return b;
  }

  Multipliers solve_adjoint(const Seed& b) {
    Multipliers found = nothing<Multipliers>();
    if (contact_.empty()) return found;
    if (!sliding_) {
      solve_pressure_rows(b.pressure, b.approach, found);
      return found;
    }
    make_adjoint_columns();
    return solve_in_rounds<Multipliers>({b.pressure, b.traction}, 1.0, [&](Rest& rest, bool first) {
      return adjoint_round(first ? b.motion : Motion{}, first ? b.approach : 0.0, rest);
    });
  }
  // Multipliers for pressures that respond to tractions. rest: in, the right-hand sides; out, what
  // remains of them.
  Multipliers adjoint_round(const Motion& motion, double approach, Rest& rest) {
    Multipliers found = nothing<Multipliers>();
    const double wanted = coupled_ ? kOfRound : kPressureTolerance;
    Rest left;
    solve_traction_rows(rest.tangential, motion, wanted, found,
                        coupled_ ? &left.tangential : nullptr);
    solve_pressure_rows(pressure_side(rest.normal, found), approach, found, wanted,
                        coupled_ ? &left.normal : nullptr);
    if (!coupled_) return found;
    left.tangential -= slip_by_pressure(kCurrent, found.normal);  // A_nt^T = A_tn
    rest = std::move(left);
    return found;
  }

  // --- Rounds in which pressure and tractions follow each other. A round finds a change that
  // leaves less of both right sides; changes are combined so that least is left (generalised
  // conjugate residuals).

  template <class Found>
  [[nodiscard]] Found nothing() const {
    Found found;
    found.normal = zeros();
    found.tangential = no_field();
    return found;
  }
  static void add(const Rest& change, double part, Rest& sum) {
    sum.normal += part * change.normal;
    sum.tangential += part * change.tangential;
  }
  template <class Found>
  requires requires(Found found) { found.motion; }
  static void add(const Found& change, double part, Found& sum) {
    sum.normal += part * change.normal;
    sum.tangential += part * change.tangential;
    for (std::size_t k = 0; k < 3; ++k) sum.motion.at(k) += part * change.motion.at(k);
    sum.load += part * change.load;
  }
  static double dot(const Eigen::Ref<const Values>& a, const Eigen::Ref<const Values>& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  }
  // unit: of the rows of the pressures, over that of the tractions.
  static double dot(const Rest& a, const Rest& b, double unit) {
    return dot(a.normal, b.normal) / (unit * unit) + dot(a.tangential.col(0), b.tangential.col(0)) +
           dot(a.tangential.col(1), b.tangential.col(1));
  }

  // round(rest, first): returns a change for `rest` and replaces `rest` by what remains. Only the
  // first round includes prescribed forces and motions, so that later ones may be scaled.
  template <class Found, class Round>
  Found solve_in_rounds(Rest rest, double unit, const Round& round) {
    constexpr int kMostRounds = 60;
    constexpr double kWanted = 1.0e-13;
    constexpr double kEnough = 1.0e-9;  // where rounding ends the rounds before
    const auto length = [&](const Rest& of) { return std::sqrt(dot(of, of, unit)); };
    double whole = coupled_ ? length(rest) : 0.0;
    Found found = round(rest, true);
    if (!coupled_) return found;
    double left = length(rest);
    whole = std::fmax(whole, left);
    std::vector<std::pair<Found, Rest>> taken;  // changes, and what each takes away, of length 1
    for (int k = 0; k < kMostRounds && left > kWanted * whole; ++k) {
      Rest image = rest;
      Rest after = rest;
      Found change = round(after, false);
      add(after, -1.0, image);
      for (const auto& [other, of_other] : taken) {
        const double part = -dot(image, of_other, unit);
        add(of_other, part, image);
        add(other, part, change);
      }
      const double size = length(image);
      if (!(size > 0.0)) break;
      std::pair<Found, Rest> one{nothing<Found>(), nothing<Rest>()};
      add(change, 1.0 / size, one.first);
      add(image, 1.0 / size, one.second);
      const double part = dot(rest, one.second, unit);
      add(one.first, part, found);
      add(one.second, -part, rest);
      taken.push_back(std::move(one));
      const double before = std::exchange(left, length(rest));
      if (!(left < 0.9 * before) && left <= kEnough * whole) break;
    }
    if (!(left <= kEnough * whole))
      fail(
          "pressure and tractions do not come to agree, as with much friction between very unlike "
          "bodies; accepted: less friction");
    return found;
  }

  void make_adjoint_columns() {
    if (has_adjoint_columns_) return;
    for (const std::size_t k : prescribed_) {
      adjoint_columns_.at(k) = solve_transposed(by_forces(unit(k)));
      adjoint_rows_.at(k) = motion_of(adjoint_columns_.at(k));
    }
    has_adjoint_columns_ = true;
  }
  void solve_traction_rows(const SurfaceField& side, const Motion& motion, double wanted,
                           Multipliers& found, SurfaceField* residual) {
    found.tangential = solve_transposed(side, wanted, residual);
    Motion rhs = motion_of(found.tangential);
    for (std::size_t k = 0; k < 3; ++k) rhs.at(k) -= motion.at(k);
    found.motion = solve_rows(adjoint_rows_, rhs);
    for (const std::size_t k : prescribed_)
      found.tangential += -found.motion.at(k) * adjoint_columns_.at(k);
  }
  Values pressure_side(Values side, const Multipliers& found) {
    const Values by = normal_by(slip_operator(true), times_d(found.tangential, f_.rho));
    const Values pulled = pull_of_bound(found.tangential);
    const double of_bound = by_bounds(found.motion);
    const double of_pressure = by_pressures(found.motion);
    for (const std::size_t i : contact_)
      side[i] += friction_[i] * pulled[i] + fixed_[i] * of_bound + of_pressure - by[i];
    return side;
  }
  void solve_pressure_rows(const Values& side, double approach, Multipliers& found,
                           double wanted = kPressureTolerance, Values* residual = nullptr) {
    found.normal = solve_normal(side, wanted, residual);
    if (step_.normal.control != NormalControl::force) return;
    const Values& one = by_approach();
    const double part = (approach + sum(found.normal)) / sum(one);
    found.normal += -part * one;
    found.load = part / area_;
  }
  // A_nn q = 1
  const Values& by_approach() {
    if (by_approach_.size() == 0) by_approach_ = solve_normal(touches_.cast<double>());
    return by_approach_;
  }

  [[nodiscard]] double to_load(const TangentialLoad& load, std::size_t k, const Seed& b,
                               const Motion& rest, const Multipliers& found) const {
    if (load.control == TangentialControl::rigid) return distance_ * (b.motion.at(k) - rest.at(k));
    return found.motion.at(k) * of_value(load);
  }
  [[nodiscard]] double to_stiffness(const Seed& b, const Multipliers& found) const {
    double result = 0.0;
    for (const std::size_t i : contact_) result += found.normal[i] * displacement_n_[i];
    if (!sliding_) return result;
    const SurfaceField back = to_slip_back(b, found);
    for (const std::size_t i : contact_)
      result += back(i, 0) * elastic_slip_(i, 0) + back(i, 1) * elastic_slip_(i, 1);
    return result;
  }
  // Minus the slip due to neither motion nor tractions.
  [[nodiscard]] SurfaceField to_slip_back(const Seed& b, const Multipliers& found) const {
    return times_d(found.tangential, f_.rho) - b.slip;
  }

  // --- The step before: displacements, one step ago, of the particles that are now in contact, on
  // the whole grid, for it may have touched elsewhere (THEORY.md 5.2, 5.4, 5.5)

  [[nodiscard]] bool continues() const {
    return sliding_ && step_.tangential.problem != TangentialProblem::steady_rolling;
  }
  // The displacement at x + offset (reversed: x - offset), offset 0 in a shift; for elements that
  // entered at the leading edge in rolling, one element ahead.
  Operator displacement_before(bool at_edge, bool reversed) {
    std::optional<Operator>& made = before_.at((at_edge ? 2 : 0) + (reversed ? 1 : 0));
    if (made) return *made;
    InfluenceKind kind = kind_;
    const Tangential& t = step_.tangential;
    if (is_rolling(t.problem)) {
      const double sign = reversed ? -1.0 : 1.0;
      const bool along_y = rolls_along_y(t.direction);
      const double x = at_edge ? (along_y ? 0.0 : whole_.dx) : distance_;
      const double y = at_edge ? (along_y ? whole_.dy : 0.0) : distance_;
      kind.displacement = Displacement::previous;
      kind.offset_x = sign * x * std::cos(t.direction);
      kind.offset_y = sign * y * std::sin(t.direction);
    }
    made = systems_->add_operator(whole_, kind);
    return *made;
  }
  StepBefore to_before(const Seed& b, const Multipliers& found) {
    StepBefore result;
    for (Field* field : {&result.pressure, &result.traction_x, &result.traction_y})
      field->assign(whole_.count(), 0.0);
    if (!continues()) return result;
    const SurfaceField back = to_slip_back(b, found);
    for (const bool at_edge : {false, true}) {
      SurfaceField of_particles = SurfaceField::Zero(whole_.count(), 2);
      bool any = false;
      for (const std::size_t i : contact_) {
        if ((edge_[i] >= 0) != at_edge) continue;
        of_particles.row(came_from(i)) += back.row(i);
        any = true;
      }
      if (any) add_to_before(displacement_before(at_edge, true), of_particles, result);
    }
    return result;
  }
  // The grid element at which a particle's displacement one step ago is evaluated.
  [[nodiscard]] std::size_t came_from(std::size_t i) const {
    return edge_[i] >= 0 ? static_cast<std::size_t>(edge_[i]) : place(i);
  }
  void add_to_before(Operator by, const SurfaceField& of_particles, StepBefore& sum) const {
    SurfaceField part(whole_.count(), 2);
    const TractionField from = tractions(of_particles);
    systems_->multiply(by, Block::tangential, from, slips(part));
    on_grid(sum.traction_x) += part.col(0);
    on_grid(sum.traction_y) += part.col(1);
    if (!coupled_) return;
    systems_->multiply(by, Block::normal_from_tangential, from, {.n = x_of(part)});
    on_grid(sum.pressure) += part.col(0);
  }
  static Eigen::Map<Values> on_grid(Field& field) { return {field.data(), std::ssize(field)}; }
  // Slip due to given changes: of the stiffness, and of the state of the step before.
  SurfaceField given_slip(const StepInputs& to) {
    if (!sliding_) return no_field();
    SurfaceField slip = -to.stiffness * elastic_slip_;
    const StepBefore& before = to.before;
    if (!follows_ || !continues() ||
        (before.pressure.empty() && before.traction_x.empty() && before.traction_y.empty()))
      return slip;
    for (const bool at_edge : {false, true}) {
      if (at_edge && *std::max_element(edge_.begin(), edge_.end()) < 0) continue;
      const SurfaceField moved = moved_before(displacement_before(at_edge, false), before);
      for (const std::size_t i : contact_)
        if ((edge_[i] >= 0) == at_edge) slip.row(i) -= moved.row(came_from(i));
    }
    return slip;
  }
  SurfaceField moved_before(Operator by, const StepBefore& before) const {
    SurfaceField traction = SurfaceField::Zero(whole_.count(), 2);
    std::ranges::copy(before.traction_x, x_of(traction));
    std::ranges::copy(before.traction_y, y_of(traction));
    SurfaceField moved(whole_.count(), 2);
    systems_->multiply(by, Block::tangential, tractions(traction), slips(moved));
    if (!coupled_ || before.pressure.empty()) return moved;
    SurfaceField part(whole_.count(), 2);
    systems_->multiply(by, Block::tangential_from_normal, {.n = before.pressure.data()},
                       slips(part));
    return moved + part;
  }

  // --- The tangent

  // Right sides of a tangent: changes that are given.
  struct Given {
    Motion motion{};  // or forces
    double load = 0.0;
    CoefficientChange friction;
    SurfaceField slip;
  };
  Changes solve_tangent(const StepInputs& to, const Values& heights, Given given) {
    Changes found = nothing<Changes>();
    const bool force = step_.normal.control == NormalControl::force;
    given.motion = {to.tangential_x, to.tangential_y, to.rotation};
    given.load = to.normal;
    if (contact_.empty()) {
      found.load = force ? 0.0 : to.normal;
      if (sliding_) found.motion = rigid_part(given.motion);
      return found;
    }
    make_tangent_columns();
    Rest side = nothing<Rest>();
    side.normal = to.stiffness * displacement_n_ - heights;
    if (!sliding_) {
      follow_distance(given.load, side.normal, kPressureTolerance, found, nullptr);
      return found;
    }
    const Given none{{}, 0.0, {zeros(), zeros()}, no_field()};
    return solve_in_rounds<Changes>(
        side, systems_->self(kCurrent, Component::nn),
        [&](Rest& rest, bool first) { return tangent_round(first ? given : none, rest); });
  }
  // Changes of the tractions that respond to pressures. rest: in, the right-hand sides that are not
  // given; out, what remains of them.
  Changes tangent_round(const Given& given, Rest& rest) {
    Changes found = nothing<Changes>();
    const double wanted = coupled_ ? kOfRound : kPressureTolerance;
    Rest left;
    follow_distance(given.load, rest.normal, wanted, found, coupled_ ? &left.normal : nullptr);
    follow_pressure(given, rest.tangential, wanted, found, coupled_ ? &left.tangential : nullptr);
    if (!coupled_) return found;
    left.normal -= normal_by(kCurrent, found.tangential);
    rest = std::move(left);
    return found;
  }
  // The motions among what is given.
  [[nodiscard]] Motion rigid_part(const Motion& values) const {
    Motion motion{};
    for (std::size_t k = 0; k < 3; ++k)
      if (!is_prescribed(k)) motion.at(k) = distance_ * values.at(k);
    return motion;
  }
  // side: the change of the distance, with the sign that increases pressure.
  void follow_distance(double load, const Values& side, double wanted, Changes& change,
                       Values* residual) {
    const bool force = step_.normal.control == NormalControl::force;
    change.normal = solve_normal(side, wanted, residual);
    const Values& one = by_approach();
    change.load = force ? (load / area_ - sum(change.normal)) / sum(one) : load;
    change.normal += change.load * one;
  }

  void make_tangent_columns() {
    if (!sliding_ || has_tangent_columns_) return;
    for (const std::size_t k : prescribed_) {
      tangent_columns_.at(k) = solve_tangential(false, times_d(rigid_slip(unit(k)), f_.rho));
      tangent_rows_.at(k) = forces_of(tangent_columns_.at(k));
    }
    has_tangent_columns_ = true;
  }
  [[nodiscard]] bool is_prescribed(std::size_t k) const {
    return std::ranges::find(prescribed_, k) != prescribed_.end();
  }
  void follow_pressure(const Given& given, const SurfaceField& rows, double wanted, Changes& found,
                       SurfaceField* residual) {
    found.motion = rigid_part(given.motion);
    const SurfaceField by = slip_by_pressure(slip_operator(false), found.normal);
    const Values bound = friction_ * found.normal + pressure_ * given.friction.now +
                         touches_.cast<double>() * given.friction.strength;
    const Values fixed = fixed_ * found.normal + pressure_ * given.friction.fixed;  // static
    SurfaceField side = times_d(rigid_slip(found.motion) + (by + given.slip), -f_.rho);
    side += direction_.colwise() * bound + rows;
    found.tangential = solve_tangential(false, side, wanted, residual);
    Motion rhs = forces_of(found.tangential);
    for (std::size_t k = 0; k < 3; ++k)
      if (is_prescribed(k))
        rhs.at(k) -= change_of_force(k, given.motion.at(k), fixed, found.normal);
    const Motion moved = solve_rows(tangent_rows_, rhs);
    for (const std::size_t k : prescribed_) {
      found.tangential += -moved.at(k) * tangent_columns_.at(k);
      found.motion.at(k) = moved.at(k);
    }
  }
  [[nodiscard]] double change_of_force(std::size_t k, double value, const Values& bound,
                                       const Values& pressure) const {
    if (k == 2) return value;
    const TangentialLoad& of = load(k);
    const double direct = value * of_value(of);
    if (of.control == TangentialControl::force_ratio) return direct + of.value * area_ * sum(bound);
    if (of.control == TangentialControl::traction_coefficient)
      return direct + of.value * area_ * sum(pressure);
    return direct;
  }

  StepOutputs outputs_of(const Changes& found, const SurfaceField& given) {
    StepOutputs out;
    const auto over_grid = [&](const Eigen::Ref<const Values>& part) {
      Field field(whole_.count(), 0.0);
      put_back(part, 1.0, field);
      return field;
    };
    out.pressure = over_grid(found.normal);
    out.normal_force = area_ * sum(found.normal);
    out.approach = found.load;
    if (!sliding_) return out;
    const SurfaceField& q = found.tangential;
    const SurfaceField by = slip_by(slip_operator(false), q);
    const SurfaceField by_pressure = slip_by_pressure(slip_operator(false), found.normal);
    const SurfaceField slip = rigid_slip(found.motion) + (by + by_pressure + given);
    for (const std::size_t i : contact_)
      out.friction_work += area_ * (q(i, 0) * slip_(i, 0) + q(i, 1) * slip_(i, 1) +
                                    traction_(i, 0) * slip(i, 0) + traction_(i, 1) * slip(i, 1));
    out.traction_x = over_grid(q.col(0));
    out.traction_y = over_grid(q.col(1));
    out.slip_x = over_grid(slip.col(0));
    out.slip_y = over_grid(slip.col(1));
    const Motion forces = forces_of(found.tangential);
    out.force_x = forces[0];
    out.force_y = forces[1];
    out.moment_z = forces[2];
    out.rigid_x = found.motion[0] / distance_;
    out.rigid_y = found.motion[1] / distance_;
    out.rotation = found.motion[2] / distance_;
    return out;
  }

  // --- What callers give

  void require(const Field& field, const std::string& name) const {
    if (!field.empty() && field.size() != whole_.count())
      throw InputError(name + ": " + std::to_string(field.size()) + " values; accepted: " +
                       std::to_string(whole_.count()) + ", one for each element, or none");
    for (std::size_t i = 0; i < field.size(); ++i)
      if (!std::isfinite(field[i]))
        throw InputError(name + ": the value of element " + std::to_string(i) +
                         " is not finite; accepted: finite numbers");
  }
  static void require_finite(std::initializer_list<std::pair<const char*, double>> numbers) {
    for (const auto& [name, number] : numbers)
      if (!std::isfinite(number))
        throw InputError(std::string(name) + ": is not finite; accepted: a finite number");
  }

  StepInput step_;
  double tolerance_;  // of linear systems, if looser than the default
  bool follows_;      // whether the state of the step before is an input
  bool sliding_;
  Grid whole_;
  GridWindow window_;
  Grid grid_;  // of the window
  WindowPlace place_;
  std::size_t count_;
  double area_;
  bool coupled_;
  InfluenceKind kind_;
  std::optional<Operator> forwards_, backwards_;  // made on first use
  std::array<std::optional<Operator>, 4> before_;
  std::vector<unsigned char> division_;
  SystemsTask task_;
  HeldSystems systems_;
  NewtonScalars scalars_;
  std::vector<std::size_t> contact_;  // elements of the window, in order
  Eigen::Array<bool, Eigen::Dynamic, 1> touches_;
  std::vector<std::size_t> unknown_;  // places of their x, then of their y
  std::vector<int> edge_;  // element of the grid where each entered, of elements that did; -1
  Values pressure_, displacement_n_, bound_, fraction_;
  Values friction_, fixed_;  // coefficients at the slip, and static
  SurfaceField traction_, slip_, elastic_slip_, direction_;
  Values dxx_, dxy_, dyx_, dyy_;
  NewtonFields f_;
  RigidSlip rigid_;
  double distance_ = 1.0;
  std::vector<std::size_t> prescribed_;  // directions with a prescribed force or moment
  std::array<bool, 2> has_across_{};     // of S, of S'
  bool has_adjoint_columns_ = false;
  bool has_tangent_columns_ = false;
  std::array<SurfaceField, 3> adjoint_columns_, tangent_columns_;
  std::array<Motion, 3> adjoint_rows_{}, tangent_rows_{};
  Values by_approach_;
  std::vector<bool> near_;  // on the whole grid: near another state
};

namespace {

// The bound of a step that was tried again with less than the whole strength (THEORY.md 8.1).
bool strength_grows(const Friction& friction, const ContactSolution& solution) {
  const double strength = friction.shear_strength;
  if (strength == 0.0) return false;
  for (std::size_t i = 0; i < solution.traction_bound.size(); ++i) {
    const double pressure = solution.pressure[i];
    if (pressure > 0.0 &&
        solution.traction_bound[i] < (1.0 - 1.0e-9) * (friction.coefficient * pressure + strength))
      return true;
  }
  return false;
}

}  // namespace

StepDerivatives::StepDerivatives(const ContactProblem& problem, const StepInput& step,
                                 const ContactSolution& solution, const StepReport& report,
                                 const ContactSolution* before, double tolerance,
                                 const StepSystemsMaker& make) {
  if (report.outcome != Outcome::converged)
    throw InputError("a step that did not converge has no derivatives; accepted: one that did");
  ContactProblem of_step = problem;
  of_step.steps = {step};
  if (const std::string reason = refusal_on(Way::derivatives, of_step); !reason.empty())
    throw InputError("the step has no derivatives, because " + reason +
                     "; accepted: a case without that (see \"What goes together\" in RUNNING.md)");
  if (strength_grows(step.friction, solution))
    throw InputError(
        "the step has no derivatives, because its shear strength grows with the pressure, as the "
        "step's remark says; accepted: another shear_strength, or none");
  const auto touching = std::ranges::count_if(solution.pressure, [](double p) { return p > 0.0; });
  if (problem.grid.boundary == Boundary::periodic &&
      static_cast<std::size_t>(touching) == problem.grid.count())
    throw InputError(
        "in full contact of a periodic surface the force does not change the approach: there are "
        "no derivatives; accepted: a smaller load");
  const auto linearized_on = [&](const StepSystemsMaker& systems) {
    return std::make_unique<Linear>(problem, step, solution, report, before, tolerance, systems);
  };
  try {
    linear_ = linearized_on(make ? make : systems_on_cpu);
  } catch (const OutOfMemory&) {
    linear_ = linearized_on(systems_on_cpu);
  }
}
StepDerivatives::~StepDerivatives() = default;

StepInputs StepDerivatives::gradient(const StepOutputs& seed) {
  return with_room(*linear_, [&] { return linear_->gradient(seed); });
}
StepOutputs StepDerivatives::derivative(const StepInputs& direction) {
  return with_room(*linear_, [&] { return linear_->derivative(direction); });
}
std::int64_t StepDerivatives::near_change() const { return linear_->near_change(); }

}  // namespace slipfield
