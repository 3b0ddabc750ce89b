// SPDX-License-Identifier: Apache-2.0
#include "solver/gradient/batch_adjoint.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "solver/batch/batch_task.h"
#include "solver/batch/cpu_queue.h"
#include "solver/batch/cpu_team.h"
#include "solver/gradient/adjoint_task.h"
#include "solver/step/step_task.h"

namespace slipfield {
namespace {

const double* data_or_null(const std::vector<double>& field) {
  return field.empty() ? nullptr : field.data();
}

double greatest_of(const std::vector<double>& field) {
  double greatest = 0.0;
  for (const double value : field) greatest = std::fmax(greatest, std::fabs(value));
  return greatest;
}

// Divides the scalar by a power of 2 near its greatest derivative.
void take_unit(const StepOutputs& seed, AdjointSeed& of) {
  const double traction = std::fmax(greatest_of(seed.traction_x), greatest_of(seed.traction_y));
  const double slip = std::fmax(greatest_of(seed.slip_x), greatest_of(seed.slip_y));
  double greatest = std::fmax(of.pressure_scale * std::fmax(greatest_of(seed.pressure), traction),
                              of.length_scale * slip);
  const std::array numbers{&of.normal_force, &of.approach, &of.force_x, &of.force_y, &of.moment,
                           &of.work,         &of.rigid_x,  &of.rigid_y, &of.rotation};
  for (const double* number : numbers) greatest = std::fmax(greatest, std::fabs(*number));
  if (!(greatest > 0.0) || !std::isfinite(greatest)) return;
  of.unit = std::ldexp(1.0, std::ilogb(greatest));
  for (double* number : numbers) *number /= of.unit;
  of.pressure_scale /= of.unit;
  of.length_scale /= of.unit;
}

double value_of(const TangentialLoad& load, double friction, double pressure_sum) {
  switch (load.control) {
    case TangentialControl::force_ratio:
      return friction * pressure_sum;
    case TangentialControl::traction_coefficient:
      return pressure_sum;
    default:
      return 1.0;
  }
}

// What one core needs for grids of one shape.
struct AdjointBench {
  CpuTeam team;
  std::vector<char> memory;
  AdjointFields<CpuTeam::Real> fields;
  AdjointScalars scalars;
  SmallGmresState gmres;

  AdjointBench(const BatchFamily& family, const CpuFamilySpectra& spectra)
      : team(family.mx, family.my, spectra.nx, spectra.ny) {
    const std::size_t count = unit_grid(family).count();
    memory = lay_out_aligned([&](char* begin) { return lay_out_adjoint(count, begin, fields); });
  }
};

class CpuAdjoints {
 public:
  CpuAdjoints(const AdjointBatch& batch, const AdjointOptions& options)
      : batch_(batch),
        options_(options),
        queue_(*batch.contacts, options.threads, options.progress),
        result_(batch.contacts->contacts.size()) {}

  std::vector<AdjointSolution> run() {
    queue_.run([this](std::size_t i) { return (*batch_.reports)[i].outcome == Outcome::converged; },
               [this](std::size_t i, const BatchFamily& family, const CpuFamilySpectra& spectra,
                      AdjointBench& bench) { solve(i, family, spectra, bench); });
    return std::move(result_);
  }

 private:
  void solve(std::size_t i, const BatchFamily& family, const CpuFamilySpectra& spectra,
             AdjointBench& bench) {
    const BatchContact& of = batch_.contacts->contacts[i];
    const BatchFields& fields = (*batch_.fields)[i];
    const SmallTask task = task_of(of, family, {spectra.self_normal, spectra.self_slip});
    bench.team.take_up(spectra);
    AdjointContact contact = adjoint_contact(of, task, (*batch_.reports)[i], options_.of_tolerance);
    contact.pressure = fields.pressure.data();
    contact.traction_x = fields.traction_x.data();
    contact.traction_y = fields.traction_y.data();
    contact.slip_x = fields.slip_x.data();
    contact.slip_y = fields.slip_y.data();
    contact.state = fields.element_division.data();
    contact.distance = batch_.contacts->shapes[of.shape].data();
    if (!begin_small_adjoint(bench.team, contact, bench.fields, bench.scalars)) return;
    AdjointSolution& solution = result_[i];
    for (const StepOutputs& seed : (*batch_.seeds)[i]) {
      StepInputs found;
      AdjointFieldsOut out;
      if (options_.heights) found.heights.resize(of.grid.count());
      if (options_.friction) found.friction.resize(of.grid.count());
      if (options_.heights) out.heights = found.heights.data();
      if (options_.friction) out.friction = found.friction.data();
      const AdjointSeed sent = adjoint_seed(of, seed);
      out.heights_scale = sent.unit / of.grid.dx;
      out.friction_scale = sent.unit;
      const AdjointResult result = solve_small_adjoint(bench.team, contact, sent, bench.fields, out,
                                                       bench.scalars, bench.gmres);
      if (!result.found) {
        solution.gradients.clear();
        return;
      }
      StepInputs inputs = step_inputs(of, result, sent.unit);
      inputs.heights = std::move(found.heights);
      inputs.friction = std::move(found.friction);
      solution.gradients.push_back(std::move(inputs));
      solution.near_change = static_cast<std::int64_t>(result.near_change);
    }
  }

  const AdjointBatch& batch_;
  const AdjointOptions& options_;
  CpuQueue<AdjointBench> queue_;
  std::vector<AdjointSolution> result_;
};

}  // namespace

AdjointContact adjoint_contact(const BatchContact& contact, const SmallTask& task,
                               const StepReport& report, double of_tolerance) {
  AdjointContact adjoint;
  adjoint.task = task;
  const double length = contact.grid.dx;
  const double distance = slip_distance(contact.tangential);
  adjoint.task.rigid.x = distance * report.rigid_x / length;
  adjoint.task.rigid.y = distance * report.rigid_y / length;
  adjoint.pressure_scale = 1.0 / contact.material.shear_modulus;
  adjoint.slip_scale = adjoint.distance_scale = 1.0 / length;
  adjoint.approach = report.approach / length;
  adjoint.greatest_pressure = report.max_pressure / contact.material.shear_modulus;
  const auto of_bound = [](const TangentialLoad& load) {
    return load.control == TangentialControl::force_ratio ? load.value : 0.0;
  };
  adjoint.static_x = of_bound(contact.tangential.x);
  adjoint.static_y = of_bound(contact.tangential.y);
  adjoint.tolerance = of_tolerance * contact.tolerance;
  return adjoint;
}

AdjointSeed adjoint_seed(const BatchContact& contact, const StepOutputs& seed) {
  const double length = contact.grid.dx;
  const double modulus = contact.material.shear_modulus;
  const double force = modulus * contact.grid.element_area();
  const double distance = slip_distance(contact.tangential);
  AdjointSeed of;
  of.pressure = data_or_null(seed.pressure);
  of.traction_x = data_or_null(seed.traction_x);
  of.traction_y = data_or_null(seed.traction_y);
  of.slip_x = data_or_null(seed.slip_x);
  of.slip_y = data_or_null(seed.slip_y);
  of.pressure_scale = modulus;
  of.length_scale = length;
  of.normal_force = force * seed.normal_force;
  of.approach = length * seed.approach;
  of.force_x = force * seed.force_x;
  of.force_y = force * seed.force_y;
  of.moment = force * length * seed.moment_z;
  of.work = force * length * seed.friction_work;
  of.rigid_x = length / distance * seed.rigid_x;
  of.rigid_y = length / distance * seed.rigid_y;
  of.rotation = seed.rotation / distance;
  take_unit(seed, of);
  return of;
}

StepInputs step_inputs(const BatchContact& contact, AdjointResult result, double unit) {
  for (double* number :
       {&result.normal, &result.force_x, &result.force_y, &result.rigid_x, &result.rigid_y,
        &result.rotation, &result.stiffness, &result.law.fixed, &result.law.kinetic,
        &result.law.half_velocity, &result.law.second_drop, &result.law.second_half_velocity})
    *number *= unit;
  const Tangential& t = contact.tangential;
  const double length = contact.grid.dx;
  const double force = contact.material.shear_modulus * contact.grid.element_area();
  const double distance = slip_distance(t);
  const double sum = force * result.pressure_sum;  // the normal force
  StepInputs inputs;
  inputs.law = result.law;
  inputs.normal = result.normal / (contact.normal.control == NormalControl::force ? force : length);
  inputs.stiffness = result.stiffness;
  if (t.problem == TangentialProblem::none) return inputs;
  const auto to_load = [&](const TangentialLoad& load, double to_force, double to_motion) {
    if (load.control == TangentialControl::rigid) return distance / length * to_motion;
    return to_force / force * value_of(load, contact.friction, sum);
  };
  inputs.tangential_x = to_load(t.x, result.force_x, result.rigid_x);
  inputs.tangential_y = to_load(t.y, result.force_y, result.rigid_y);
  inputs.rotation = distance * result.rotation;
  return inputs;
}

std::vector<AdjointSolution> solve_adjoints_on_cpu(const AdjointBatch& batch,
                                                   const AdjointOptions& options) {
  return CpuAdjoints(batch, options).run();
}

SolvedWithGradients solve_with_gradients_on_cpu(const ContactBatch& batch,
                                                const BatchOptions& options,
                                                const BatchScalars& scalars,
                                                const AdjointOptions& adjoint) {
  BatchOptions with_fields = options;
  with_fields.fields = true;
  SolvedWithGradients result{solve_batch_on_cpu(batch, with_fields), {}};
  result.gradients = solve_adjoints_on_cpu(
      {&batch, &result.solution.fields, &result.solution.reports, &scalars}, adjoint);
  if (!options.fields) result.solution.fields.clear();
  return result;
}

}  // namespace slipfield
