// SPDX-License-Identifier: Apache-2.0
// newton: the semismooth Newton method for the tangential problem on either backend (THEORY.md 6).
//
// Each step solves the linearized problem with GMRES to a loose tolerance, takes the full step and
// projects each element back to its disc. (With LinearMethod::dense: LU factors of the contact's
// elements, to all digits.) Rigid slips with a prescribed force are unknowns of the same system.
// GMRES is preconditioned with inverse symbols: on the adhering elements of the step's operator, on
// the slipping ones of their response across the slip.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "solver/fields/gmres.h"
#include "solver/fields/iteration_limits.h"
#include "solver/fields/newton_ops.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/step_ops.h"
#include "solver/influence/block.h"
#include "solver/tangential/element_law.h"
#include "solver/tangential/linearized_friction.h"
#include "solver/tangential/moment_ops.h"
#include "solver/tangential/newton_preconditioner.h"
#include "solver/tangential/slip_operator.h"
#include "solver/tangential/tangential_task.h"

namespace slipfield {

// How a Newton step's linear system is solved.
enum class LinearMethod { gmres, dense };

// The linear systems of newton (THEORY.md 6.4, 11.5): their units and preconditioner, and the
// solution for several right-hand sides, by restarting GMRES from the residual that it leaves.

// A power of 2 by which to divide a right-hand side of that size so that squares stay in range.
inline double newton_unit(double size) {
  constexpr double kLeast = 1.0e-100;
  constexpr double kGreatest = 1.0e100;
  if (size == 0.0 || !std::isfinite(size) || (size >= kLeast && size <= kGreatest)) return 1.0;
  return std::exp2(std::clamp(std::ilogb(size), -1000, 1000));
}

// Mean response of the slipping elements across q: (1 - gamma) + gamma rho S (THEORY.md 6.5).
inline AcrossSymbol across_symbol(const NewtonFields& f, const NewtonScalars& now) {
  if (!(now.slipping > 0.0)) return {};
  const double gamma = now.shrink1 / now.slipping;
  const double along_x = now.across_x2 / now.slipping;
  return {1.0 - gamma, gamma * f.rho * along_x, gamma * f.rho * (1.0 - along_x)};
}

// The indices, in a Krylov vector, of the unknowns of elements in contact and of rigid slips.
inline std::vector<std::size_t> unknowns(const std::vector<int>& contact, const NewtonFields& f) {
  std::vector<std::size_t> places;
  for (const int i : contact) places.push_back(static_cast<std::size_t>(i));
  for (const int i : contact) places.push_back(f.count + static_cast<std::size_t>(i));
  if (f.force_x_given) places.push_back(2 * f.count);
  if (f.force_y_given) places.push_back(2 * f.count + 1);
  return places;
}

// Solves J x = b as Gmres does, by the influence's own GMRES where it has one.
template <class Backend, class Influence, class Multiply, class Precondition>
void solve_by_gmres(Gmres<Backend>& gmres, Influence& influence, const NewtonFields& f,
                    const typename Backend::template Array<double>& b,
                    typename Backend::template Array<double>& x, double tolerance,
                    const Multiply& multiply, const Precondition& precondition) {
  if constexpr (requires { influence.solve_newton(f, b.data(), x.data(), tolerance, 1); })
    if (influence.solve_newton(f, b.data(), x.data(), tolerance, gmres.most())) return;
  gmres.solve(b, x, tolerance, multiply, precondition, made_of_launches(influence));
}

// Vectors of a linear system: right-hand side, solution and a product, of Krylov vectors' size at
// least.
template <class Array>
struct LinearVectors {
  Array& rhs;
  Array& solution;
  Array& product;
};

// Solves for several right-hand sides: each column holds the entries at `places` of a Krylov
// vector, 0 elsewhere, and is replaced by the solution there. solve(tolerance) solves J solution =
// rhs for these vectors, of gmres's size; product(in, out) = J in must not use any of `vectors`
// except its arguments. wanted: residual relative to |b|. Returns whether all columns reached
// kEnough or `wanted`. All owners must call it.
template <class Backend, class Solve, class Product>
bool solve_columns(Backend& backend, const Gmres<Backend>& gmres,
                   LinearVectors<typename Backend::template Array<double>> vectors,
                   const std::vector<std::size_t>& places, Eigen::MatrixXd& columns,
                   const Solve& solve, const Product& product, double wanted = 1.0e-12) {
  using Array = typename Backend::template Array<double>;
  constexpr int kMostRuns = 60;
  constexpr double kOfOneRun = 1.0e-3;  // the single precision of the basis allows this
  constexpr double kEnough = 1.0e-8;
  const std::size_t size = gmres.size();
  Array sum(size);
  Array length2(1);
  bool found = true;
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    std::vector<double> values(vectors.rhs.size(), 0.0);
    for (std::size_t k = 0; k < places.size(); ++k)
      values[places[k]] = columns(static_cast<Eigen::Index>(k), c);
    backend.upload(values, vectors.rhs);
    backend.run(size, FillField{0.0, sum.data()});
    const double whole = std::sqrt(sum_over_owners(backend, columns.col(c).squaredNorm()));
    double left = whole;
    for (int run = 0; run < kMostRuns && left > wanted * whole; ++run) {
      solve(std::fmax(kOfOneRun, 0.5 * wanted * whole / left));
      product(vectors.solution.data(), vectors.product.data());
      backend.run(size, TakeCorrection{vectors.solution.data(), vectors.product.data(), sum.data(),
                                       vectors.rhs.data(), length2.data(), gmres.counted()});
      const double before = std::exchange(left, std::sqrt(backend.read(length2)));
      if (!(left < 0.9 * before)) break;
    }
    found = found && left <= std::max(kEnough, wanted) * whole;
    const std::vector<double> x = backend.download(sum);
    for (std::size_t k = 0; k < places.size(); ++k)
      columns(static_cast<Eigen::Index>(k), c) = x[places[k]];
  }
  return found;
}

template <class Backend>
class NewtonSolver {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // grid: the whole grid.
  NewtonSolver(Backend& backend, const Grid& grid)
      : backend_(backend),
        grid_(own_grid(backend, grid)),
        count_(grid_.count()),
        centres_(grid_),
        gmres_(backend, 2 * count_ + 2, 2),
        rhs_(2 * count_ + 3),
        step_(2 * count_ + 3),
        joined_(2 * count_ + 3),
        image_x_(count_),
        image_y_(count_),
        image_across_(count_),
        dxx_(count_),
        dxy_(count_),
        dyx_(count_),
        dyy_(count_),
        scalars_(1),
        moment_scalars_(1) {}

  void reserve(const TangentialTask& task, SlipOperator<Backend>& influence) {
    Linearization at = begin(task, {influence, {}, nullptr, nullptr});
    krylov(at).reserve();
    displace(at);
    at.influence.set_across({});
  }

  // How far the given tractions violate the friction law, as part of the bound.
  double start_error(const TangentialTask& task, const TangentialSystem<Backend>& system) {
    Linearization at = begin(task, system);
    displace(at);
    form_slip(task.rigid, system);
    const NewtonScalars now = linearize(at);
    return error_of(at, now);
  }

  // Implements TangentialSolver::solve in at most max_steps. Without convergence the result has the
  // tractions and rigid slip of the last step, but the given rigid slip if that ran away.
  TangentialResult solve(const TangentialTask& task, LinearMethod method, int max_steps,
                         const TangentialSystem<Backend>& system, double tolerance,
                         const IterationReport& report) {
    Linearization at = begin(task, system);
    if (method == LinearMethod::dense) at.contact = find_contact(system.fields);
    RigidSlip rigid = task.rigid;
    TangentialResult result;
    NewtonProgress progress(without_gain(at));
    double change = HUGE_VAL;
    double greatest = 0.0;  // sum |p| of all iterations
    double reach = HUGE_VAL;
    displace(at);
    const bool finds_rigid = task.force_x_given || task.force_y_given;
    bool from_nothing = finds_rigid || task.moment_given;
    bool stepped = false;  // its results are read with the next linearization
    while (true) {
      hold_launches(backend_, true);
      form_slip(rigid, system);
      if (finds_rigid && result.iterations == 0 && !stepped)
        backend_.run(count_, SumSlips{at.fields});
      const NewtonScalars now = linearize(at);
      if (stepped) {
        at.influence.add_products(static_cast<std::int64_t>(now.products));
        rigid.x = now.rigid_x;
        rigid.y = now.rigid_y;
        change = now.traction1 > kRounding * greatest
                     ? relative_size(now.change2, now.traction2, now.change1, now.traction1)
                     : relative_size(0.0, 0.0, now.change1, kRounding * greatest);
        report(++result.iterations, change);
        stepped = false;
      }
      std::visit([](auto& law) { law.linearized(); }, at.law);
      const double error = error_of(at, now);
      result.rigid = rigid;
      if (!std::isfinite(error)) return result;
      if (newton_converged(now, error, change, tolerance)) {
        result.converged = true;
        return result;
      }
      greatest = std::fmax(greatest, now.traction1);
      if (!from_nothing && now.traction1 < kVanishing * greatest) {
        // Only errors of the old tractions remain: starting from zero gives the rest all its
        // digits.
        from_nothing = true;
        backend_.run(count_, FillField{0.0, system.fields.traction_x});
        backend_.run(count_, FillField{0.0, system.fields.traction_y});
        displace(at);
        progress.begin_again();
        change = HUGE_VAL;
        greatest = 0.0;
        continue;
      }
      progress.see(error);
      if (result.iterations == 0) reach = reach_of(at.fields, now);
      const bool ends = result.iterations == max_steps || progress.stalls();
      if (ends && std::hypot(rigid.x - task.rigid.x, rigid.y - task.rigid.y) > reach)
        result.rigid = task.rigid;
      if (ends) return result;

      if (method == LinearMethod::dense) {
        solve_densely(at);
      } else {
        hold_launches(backend_, at.influence.made_of_launches());
        at.influence.set_across(across_symbol(at.fields, now));
        solve_linear(at, task.rolling ? GridLimits::kForcingRolling : GridLimits::kForcing);
      }
      if (progress.part() < 1.0)
        backend_.run(rhs_.size(), CopyField{step_.data(), step_.data(), progress.part()});
      run_rows<TakeLawStep>(at, TakeNewtonStep{at.fields, step_.data()});
      hold_launches(backend_, at.influence.made_of_launches());
      displace(at);
      stepped = true;
      if (at.moment) {
        backend_.run(1, TakeRotation{moment_fields(at), step_.data()});
        rigid.rotation = backend_.read(moment_scalars_).rotation;
      }
    }
  }

  // Linearizes F at a solution with its rigid slip given, and keeps the Jacobian J, with its fields
  // and operator, for respond(). Nothing if an element jumps by itself.
  std::optional<LinearizedFriction> linearize_solution(const TangentialTask& task,
                                                       const TangentialSystem<Backend>& system,
                                                       const FallOfBound& fall) {
    TangentialTask given = task;
    given.force_x_given = given.force_y_given = given.moment_given = false;
    Linearization at = begin(given, system);
    displace(at);
    form_slip(given.rigid, system);
    backend_.run(count_, LinearizeFriction{at.fields, rhs_.data()});
    at.contact = find_contact(system.fields);
    LinearizedFriction linear;
    linear.contact = at.contact;
    kept_.emplace(at);
    linear.rho = at.fields.rho;
    linear.dxx = backend_.download(dxx_);
    linear.dxy = backend_.download(dxy_);
    linear.dyx = backend_.download(dyx_);
    linear.dyy = backend_.download(dyy_);
    linear.fraction = system.fields.fraction != nullptr
                          ? backend_.download(system.fields.fraction, count_)
                          : std::vector<double>(count_, 1.0);
    linear.traction_x = backend_.download(system.fields.traction_x, count_);
    linear.traction_y = backend_.download(system.fields.traction_y, count_);
    linear.state = backend_.download(system.fields.state, count_);
    linear.yielding.assign(count_, 1.0);
    if (fall && !follow_fall(system.fields, fall, linear)) return std::nullopt;
    return linear;
  }

  // Replaces each column, -dF of the elements in contact, by the change of their tractions, J^-1
  // times the column, to the relative accuracy `wanted`. Uses dense factors if GMRES stalls, as on
  // rows of very long elements. Returns whether it succeeded.
  bool respond(Eigen::MatrixXd& columns, double wanted) {
    Linearization& at = *kept_;
    at.influence.set_across(across_symbol(at.fields, backend_.read(scalars_)));
    const Eigen::MatrixXd given = columns;
    const bool found = solve_columns(
        backend_, gmres_, LinearVectors<Array<double>>{rhs_, step_, joined_},
        unknowns(at.contact, at.fields), columns,
        [this, &at](double tolerance) { solve_linear(at, tolerance); },
        [this, &at](const double* in, double* out) { multiply_jacobian(at, in, out); }, wanted);
    constexpr std::size_t kMostDense = 3000;  // elements: 36 million numbers
    if (found || at.influence.table_operator() == nullptr || at.contact.size() > kMostDense)
      return found;
    columns = given;
    factor(at);
    dense_->solve(columns);
    return true;
  }

  static constexpr int kMaxSteps = GridLimits::kNewtonSteps;

 private:
  // The tangential problem linearized at the current tractions, and the operator that solves it.
  struct Linearization {
    SlipOperator<Backend>& influence;
    NewtonFields fields;
    std::optional<MomentFields> moment;  // if prescribed; its fields exclude newton's own
    double moment_error = 0.0;
    std::vector<int> contact;  // elements in contact, for a dense solution
    ElementLaw law = {};
  };

  static WithoutGain without_gain(const Linearization& at) {
    if (std::visit([](const auto& law) { return law.jumps(); }, at.law))
      return WithoutGain::shortens_steps;
    const bool steady = at.influence.kind().displacement == Displacement::change;
    return steady ? WithoutGain::gives_up : WithoutGain::halves_steps;
  }

  [[nodiscard]] std::vector<int> find_contact(const TangentialFields& fields) const {
    const std::vector<unsigned char> state = backend_.download(fields.state, count_);
    std::vector<int> contact;
    for (std::size_t i = 0; i < count_; ++i)
      if (in_contact(state[i])) contact.push_back(static_cast<int>(i));
    return contact;
  }

  // Rows of bounds that fall with the slip in place of those of given bounds. False if an element
  // jumps by itself.
  bool follow_fall(const TangentialFields& fields, const FallOfBound& fall,
                   LinearizedFriction& linear) {
    const std::vector<double> slip_x = backend_.download(fields.slip_x, count_);
    const std::vector<double> slip_y = backend_.download(fields.slip_y, count_);
    const std::vector<double> bound = backend_.download(fields.bound, count_);
    double jumping = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
      if (linear.state[i] != static_cast<unsigned char>(ElementState::slip)) continue;
      const double part = fall(i, std::hypot(slip_x[i], slip_y[i])) / linear.rho;
      if (std::abs(1.0 - part) < kLeastToJump) jumping += 1.0;
      const SlippingRow row =
          slipping_row(linear.traction_x[i] - linear.rho * slip_x[i],
                       linear.traction_y[i] - linear.rho * slip_y[i], bound[i], part);
      linear.dxx[i] = row.dxx;
      linear.dxy[i] = linear.dyx[i] = row.dxy;
      linear.dyy[i] = row.dyy;
      linear.yielding[i] = 1.0 / (1.0 - part);
    }
    if (sum_over_owners(backend_, jumping) > 0.0) return false;
    backend_.upload(linear.dxx, dxx_);
    backend_.upload(linear.dxy, dxy_);
    backend_.upload(linear.dyx, dyx_);
    backend_.upload(linear.dyy, dyy_);
    return true;
  }

  void factor(const Linearization& at) {
    if (!dense_) dense_.emplace(backend_, grid_);
    dense_->factor_jacobian(*at.influence.table_operator(), at.contact, at.fields);
  }

  // step_ = J^-1 rhs_, to this relative accuracy
  void solve_linear(Linearization& at, double tolerance) {
    const auto times = [this, &at](const double* in, double* out) { multiply(at, in, out); };
    const auto prepare = [this, &at](const double* in, double* out) { precondition(at, in, out); };
    if (at.moment)
      moment_gmres_->solve(rhs_, step_, tolerance, times, prepare, at.influence.made_of_launches());
    else
      solve_by_gmres(gmres_, at.influence, at.fields, rhs_, step_, tolerance, times, prepare);
  }

  // step_ = J^-1 rhs_, to all digits
  void solve_densely(const Linearization& at) {
    std::vector<double> full = backend_.download(rhs_);
    const std::vector<std::size_t> places = unknowns(at.contact, at.fields);
    Eigen::MatrixXd column(static_cast<Eigen::Index>(places.size()), 1);
    for (std::size_t k = 0; k < places.size(); ++k)
      column(static_cast<Eigen::Index>(k), 0) = full[places[k]];
    factor(at);
    dense_->solve(column);
    std::fill(full.begin(), full.end(), 0.0);
    for (std::size_t k = 0; k < places.size(); ++k)
      full[places[k]] = column(static_cast<Eigen::Index>(k), 0);
    backend_.upload(full, step_);
  }

  // Relative to the greatest tractions so far: smaller ones vanish, or have vanished.
  // With it a step of creepage 0 after one of -0.03333 takes 13 iterations, else 271.
  static constexpr double kVanishing = 1.0e-6;
  static constexpr double kRounding = 1.0e-9;
  Linearization begin(const TangentialTask& task, const TangentialSystem<Backend>& system) {
    NewtonScalars start;
    start.rigid_x = task.rigid.x;
    start.rigid_y = task.rigid.y;
    backend_.write(scalars_, start);
    Linearization at{system.influence, newton_fields(task, system), {}, 0.0, {}, task.law};
    if (task.moment_given) {
      at.moment = begin_moment(task);
      if (!moment_gmres_) moment_gmres_.emplace(backend_, 2 * count_ + 3, 3);
    }
    return at;
  }

  MomentFields begin_moment(const TangentialTask& task) {
    MomentScalars start;
    start.rotation = task.rigid.rotation;
    backend_.write(moment_scalars_, start);
    MomentFields moment;
    moment.centres = centres_;
    moment.arm_x = task.rigid.arm_x;
    moment.arm_y = task.rigid.arm_y;
    moment.lever =
        std::sqrt(std::fmax(task.contact_count, 1.0) * grid_.element_area() / std::numbers::pi);
    moment.moment = task.moment;
    moment.scalars = moment_scalars_.data();
    return moment;
  }
  static MomentFields moment_fields(const Linearization& at) {
    MomentFields moment = *at.moment;
    moment.newton = at.fields;
    return moment;
  }
  Gmres<Backend>& krylov(const Linearization& at) { return at.moment ? *moment_gmres_ : gmres_; }

  NewtonScalars linearize(Linearization& at) {
    NewtonScalars now = linearize_forces(at);
    if (at.moment) {
      backend_.run(count_, MeasureMoment{moment_fields(at), rhs_.data()});
      const MomentScalars moment = backend_.read(moment_scalars_);
      at.moment_error = moment.error;
      now.rows1 += moment.row1;
    }
    return now;
  }

  // Linearizes, and brings the right-hand side to a unit in which squares are in range.
  NewtonScalars linearize_forces(Linearization& at) {
    run_rows<LinearizeLaw>(at, LinearizeFriction{at.fields, rhs_.data()});
    const NewtonScalars now = backend_.read(scalars_);
    const double unit = newton_unit(std::fmax(now.residual1, now.rows1));
    if (unit == at.fields.unit) return now;
    at.fields.unit = unit;
    run_rows<LinearizeLaw>(at, LinearizeFriction{at.fields, rhs_.data()});
    return backend_.read(scalars_);
  }
  // Runs a Newton operation with the law of the elements.
  template <template <class> class ByLaw, class Rows>
  void run_rows(const Linearization& at, const Rows& rows) {
    const auto run = [&]<class Law>(const Law& law) {
      if constexpr (std::is_same_v<Law, GivenBound>)
        backend_.run(count_, rows);
      else
        backend_.run(count_, ByLaw<Law>{rows, law});
    };
    std::visit(run, at.law);
  }

  static double error_of(const Linearization& at, const NewtonScalars& now) {
    const double error = newton_error(now);
    return std::isfinite(error) ? std::fmax(error, at.moment_error) : error;
  }

  NewtonFields newton_fields(const TangentialTask& task, const TangentialSystem<Backend>& system) {
    NewtonFields f;
    f.count = count_;
    f.tangential = system.fields;
    f.rho = 1.0 / system.influence.self(Component::xx);
    f.force_x_given = task.force_x_given;
    f.force_y_given = task.force_y_given;
    f.force_x = task.force_x;
    f.force_y = task.force_y;
    f.joins_adhesion = system.influence.kind().displacement != Displacement::change;
    f.scale = 1.0 / std::sqrt(std::fmax(task.contact_count, 1.0));
    f.dxx = dxx_.data();
    f.dxy = dxy_.data();
    f.dyx = dyx_.data();
    f.dyy = dyy_.data();
    f.scalars = scalars_.data();
    return f;
  }

  // Forms the displacement part of the slip, for form_slip().
  void displace(Linearization& at) {
    const TangentialFields& t = at.fields.tangential;
    at.influence.apply(Block::tangential, {t.traction_x, t.traction_y},
                       {image_x_.data(), image_y_.data()});
  }
  void form_slip(const RigidSlip& rigid, const TangentialSystem<Backend>& system) {
    const FormSlip op{centres_,        rigid,           system.base_x, system.base_y,
                      image_x_.data(), image_y_.data(), system.fields};
    backend_.run(count_, FormNewtonSlip{op, scalars_.data()});
  }

  // J times the preconditioned vector.
  void multiply(Linearization& at, const double* in, double* out) {
    if (!at.influence.multiply_newton(at.fields, in, joined_.data(), out)) {
      precondition(at, in, joined_.data());
      return multiply_jacobian(at, joined_.data(), out);
    }
    if (!at.moment) return;
    copy_rotation(in, joined_.data());
    backend_.run(count_, MultiplyMoment{moment_fields(at), joined_.data(), out});
  }
  void multiply_jacobian(Linearization& at, const double* v, double* out) {
    at.influence.apply(Block::tangential, {v, v + count_}, {image_x_.data(), image_y_.data()});
    backend_.run(count_, MultiplyJacobian{at.fields, v, image_x_.data(), image_y_.data(), out});
    if (at.moment) backend_.run(count_, MultiplyMoment{moment_fields(at), v, out});
  }

  void precondition(Linearization& at, const double* in, double* out) {
    if (!at.influence.precondition_newton(at.fields, in, out)) {
      double* x = image_x_.data();
      double* y = image_y_.data();
      double* across = image_across_.data();
      backend_.run(count_, SplitForPreconditioner{at.fields, in, x, y, across});
      at.influence.precondition_tangential(x, y, across, x, y, across);
      backend_.run(count_, JoinPreconditioned{at.fields, in, x, y, across, out});
      if (count_ == 0) backend_.run(2, CopyField{in, out});
    }
    if (at.moment) copy_rotation(in, out);
  }
  void copy_rotation(const double* in, double* out) {
    backend_.run(1, CopyField{in + 2 * count_ + 2, out + 2 * count_ + 2});
  }
  Backend& backend_;
  Grid grid_;
  std::size_t count_;
  ElementCentres centres_;
  Gmres<Backend> gmres_;
  Array<double> rhs_, step_, joined_, image_x_, image_y_, image_across_, dxx_, dxy_, dyx_, dyy_;
  Array<NewtonScalars> scalars_;
  Array<MomentScalars> moment_scalars_;
  std::optional<Gmres<Backend>> moment_gmres_;    // with the moment row; made on first use
  std::optional<typename Backend::Dense> dense_;  // made on first use
  std::optional<Linearization> kept_;             // for respond()
};

}  // namespace slipfield
