// SPDX-License-Identifier: Apache-2.0
#include "solver/batch/batch_task.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "solver/combinations.h"
#include "solver/derived_numbers.h"
#include "solver/error.h"
#include "solver/geometry.h"
#include "solver/influence/influence_table.h"
#include "solver/rolling.h"
#include "solver/step/step_task.h"

namespace slipfield {
namespace {

// Rounds to 43 of 53 bits.
double shortened(double value) {
  constexpr int kBits = 43;
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, kBits)), exponent - kBits);
}

SmallControl control_of(const TangentialLoad& load) {
  if (load.control == TangentialControl::rigid) return SmallControl::rigid;
  return load.control == TangentialControl::force ? SmallControl::force : SmallControl::force_ratio;
}

// friction: the static coefficient.
double bare_force(TangentialLoad load, double unit, double friction) {
  if (load.control == TangentialControl::force) return load.value / unit;
  if (load.control == TangentialControl::traction_coefficient) return load.value / friction;
  return load.value;
}

Friction friction_of(const BatchContact& contact) {
  Friction friction;
  friction.coefficient = contact.friction;
  if (!contact.sliding) return friction;
  friction.kinetic = contact.sliding->kinetic;
  friction.law = contact.sliding->law;
  friction.half_velocity = contact.sliding->half_velocity;
  return friction;
}

std::string message_of(SmallStatus status, const SmallResult& result, const Friction& friction) {
  StepReport counts;
  counts.iterations_normal = result.iterations_normal;
  counts.iterations_tangential = result.iterations_tangential;
  counts.iterations_outer = result.iterations_outer;
  switch (status) {
    case SmallStatus::normal_failed:
      return failure_of(Ending::normal_failed, {}, false, false, counts);
    case SmallStatus::tangential_failed:
      return failure_of(Ending::tangential_failed, {}, false, false, counts);
    case SmallStatus::beyond_friction:
      return failure_of(Ending::beyond_friction, {}, false, false, counts);
    case SmallStatus::no_agreement:
      return failure_of(Ending::no_agreement, friction, false, false, counts);
    case SmallStatus::converged:
      break;
  }
  return "";
}

}  // namespace

std::string batch_refusal(const ContactProblem& problem, int most) {
  if (problem.steps.size() != 1 || problem.steps[0].repeat != 1) return "it has several steps";
  if (problem.grid.mx > most || problem.grid.my > most)
    return "its grid has more than " + std::to_string(most) + " elements in a direction";
  return refusal_on(Way::batch, problem);
}

BatchContact batch_contact(const ContactProblem& problem) {
  const StepInput& step = problem.steps[0];
  BatchContact contact;
  contact.grid = problem.grid;
  contact.material = combine(problem.upper, problem.lower);
  contact.normal = step.normal;
  contact.tangential = step.tangential;
  contact.friction = step.friction.coefficient;
  contact.tolerance = problem.solver.tolerance;
  if (step.friction.depends_on_slip()) contact.sliding = sliding_law(step.friction);
  return contact;
}

void add_to_batch(ContactBatch& batch, const ContactProblem& problem, int most) {
  if (const std::string refusal = batch_refusal(problem, most); !refusal.empty())
    throw InputError("the batch does not take this contact: " + refusal);
  BatchContact& contact = batch.contacts.emplace_back(batch_contact(problem));
  contact.shape = batch.shapes.size();
  batch.shapes.push_back(undeformed_distance(problem.geometry, problem.grid, contact.material));
}

BatchFamily family_of(const BatchContact& contact) {
  BatchFamily family;
  family.mx = contact.grid.mx;
  family.my = contact.grid.my;
  family.aspect = shortened(contact.grid.dy / contact.grid.dx);
  family.poisson_ratio = shortened(contact.material.poisson_ratio);
  if (contact.tangential.problem != TangentialProblem::steady_rolling) return family;
  const double step = contact.tangential.step / contact.grid.dx;
  family.offset_x = shortened(step * std::cos(contact.tangential.direction));
  family.offset_y = shortened(step * std::sin(contact.tangential.direction));
  return family;
}

SelfCoefficients self_coefficients(const BatchFamily& family) {
  const auto self = [&](Component component, const InfluenceKind& kind) {
    return influence_coefficient(component, 0.0, 0.0, unit_grid(family), unit_material(family),
                                 kind);
  };
  return {self(Component::nn, {}), self(Component::xx, slip_kind(family))};
}

SmallTask task_of(const BatchContact& contact, const BatchFamily& family,
                  const SelfCoefficients& self) {
  const Grid& grid = contact.grid;
  const double unit = contact.material.shear_modulus * grid.element_area();
  SmallTask task;
  task.centres = ElementCentres(unit_grid(family));
  task.centres.x0 = grid.x0 / grid.dx;
  task.centres.y0 = grid.y0 / grid.dx;
  task.my = grid.my;
  task.shape_scale = 1.0 / (contact.pressure_given ? contact.material.shear_modulus : grid.dx);
  task.start_scale = 1.0 / contact.material.shear_modulus;
  const bool force_given = contact.normal.control == NormalControl::force;
  task.control = contact.pressure_given ? SmallNormal::pressure
                 : force_given          ? SmallNormal::force
                                        : SmallNormal::approach;
  task.normal = contact.normal.value / (force_given ? unit : grid.dx);
  task.sliding = contact.tangential.problem != TangentialProblem::none;
  task.friction = task.friction_start = contact.friction;
  if (contact.sliding && task.sliding) {
    task.follows_slip = true;
    task.sliding_law = *contact.sliding;
    task.slip_rate = contact.tangential.velocity * grid.dx / contact.tangential.step;
    if (contact.tangential.start == FrictionStart::slip)
      task.friction_start = contact.sliding->at(contact.tangential.velocity);
  }
  task.rigid = first_rigid_slip(contact.tangential, 0.0, 0.0);
  for (double* length : {&task.rigid.x, &task.rigid.y, &task.rigid.arm_x, &task.rigid.arm_y})
    *length /= grid.dx;
  task.control_x = control_of(contact.tangential.x);
  task.control_y = control_of(contact.tangential.y);
  task.force_x = bare_force(contact.tangential.x, unit, contact.friction);
  task.force_y = bare_force(contact.tangential.y, unit, contact.friction);
  task.tolerance = contact.tolerance;
  task.self_normal = self.normal;
  task.self_slip = self.slip;
  return task;
}

BeyondBounds beyond_of(const BatchContact& contact, double normal_force) {
  const double area = contact.grid.element_area();
  const double bound = contact.friction * normal_force;
  const ForceSums sums{bound / area, normal_force / area};
  const double x = force_sum(contact.tangential.x, sums, contact.grid);
  const double y = force_sum(contact.tangential.y, sums, contact.grid);
  return {Ending::beyond_friction, area * std::hypot(x, y), bound};
}

StepReport report_of(const BatchContact& contact, const SmallTask& task,
                     const SmallResult& result) {
  const Grid& grid = contact.grid;
  const double modulus = contact.material.shear_modulus;
  StepReport report;
  if (result.status != SmallStatus::converged)
    fail(report, message_of(result.status, result, friction_of(contact)));
  StepTotals totals = result.totals;
  for (double* sum : {&totals.pressure, &totals.traction_x, &totals.traction_y}) *sum *= modulus;
  for (double* sum :
       {&totals.moment_x, &totals.moment_y, &totals.moment_z, &totals.energy, &totals.work})
    *sum *= modulus * grid.dx;
  report_totals(totals, grid, report);
  if (result.status == SmallStatus::beyond_friction)
    report.message += beyond_text(beyond_of(contact, report.normal_force), Units::n_mm_s);
  report.approach = result.approach * grid.dx;
  const double distance = slip_distance(contact.tangential) / grid.dx;
  report.rigid_x = result.rigid_x / distance;
  report.rigid_y = result.rigid_y / distance;
  report.rotation = task.rigid.rotation / slip_distance(contact.tangential);
  report.friction_coefficient = contact.friction;
  report.max_pressure = result.greatest_pressure * modulus;
  report.iterations_normal = result.iterations_normal;
  report.iterations_tangential = result.iterations_tangential;
  report.iterations_outer = result.iterations_outer;
  report.matrix_products = result.products;
  report.touches_edge = result.residuals.at_edge > 0.0;
  report_residual(result.residuals, result.totals, contact.friction > 0.0, contact.tolerance,
                  report);
  if (!contact.pressure_given) report_range(contact.normal, 0.0, contact.tolerance, report);
  add_derived_numbers(contact.tangential, 0.0, report);
  return report;
}

BatchFields fields_of(const BatchContact& contact, const double* pressure, const double* traction,
                      const double* slip, const unsigned char* state) {
  const std::size_t count = contact.grid.count();
  const double modulus = contact.material.shear_modulus;
  const auto scaled = [&](const double* from, double unit) {
    std::vector<double> to(count);
    std::transform(from, from + count, to.begin(), [unit](double v) { return unit * v; });
    return to;
  };
  BatchFields fields;
  fields.pressure = scaled(pressure, modulus);
  if (traction == nullptr) return fields;
  fields.traction_x = scaled(traction, modulus);
  fields.traction_y = scaled(traction + count, modulus);
  fields.slip_x = scaled(slip, contact.grid.dx);
  fields.slip_y = scaled(slip + count, contact.grid.dx);
  fields.element_division.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    fields.element_division[i] = static_cast<ElementState>(state[i]);
    if (fields.element_division[i] == ElementState::exterior)
      fields.slip_x[i] = fields.slip_y[i] = 0.0;
  }
  return fields;
}

BatchPlan plan_batch(const ContactBatch& batch) {
  BatchPlan plan;
  using Key = std::tuple<int, int, double, double, double, double>;
  std::map<Key, std::size_t> known;
  const auto fits = [&](std::size_t shape, const Grid& grid) {
    return shape < batch.shapes.size() && batch.shapes[shape].size() == grid.count();
  };
  for (const BatchContact& contact : batch.contacts) {
    if (!fits(contact.shape, contact.grid) ||
        (contact.start && !fits(*contact.start, contact.grid)))
      throw InputError("contact " + std::to_string(plan.family.size() + 1) +
                       " of the batch has no " +
                       (fits(contact.shape, contact.grid) ? "start" : "undeformed distance") +
                       " of its grid's size");
    const BatchFamily f = family_of(contact);
    const auto [place, added] = known.try_emplace(
        Key{f.mx, f.my, f.aspect, f.poisson_ratio, f.offset_x, f.offset_y}, plan.families.size());
    if (added) {
      plan.families.push_back(f);
      plan.sliding.push_back(false);
    }
    plan.family.push_back(place->second);
    if (contact.tangential.problem != TangentialProblem::none) plan.sliding[place->second] = true;
  }
  plan.order.resize(batch.contacts.size());
  std::iota(plan.order.begin(), plan.order.end(), std::size_t{0});
  std::stable_sort(plan.order.begin(), plan.order.end(),
                   [&](std::size_t a, std::size_t b) { return plan.family[a] < plan.family[b]; });
  return plan;
}

}  // namespace slipfield
