// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "app/bench/cpu.h"
#include "app/bench/kinds.h"
#include "app/bench/small_contacts.h"
#include "app/console.h"
#include "app/failure.h"
#include "gpu/batch/batch_shape.h"
#include "gpu/cuda_device.h"
#include "solver/batch/batch.h"
#include "solver/batch/cpu_team.h"
#include "solver/contact_solver.h"
#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/error.h"
#include "solver/gradient/batch_adjoint.h"

namespace slipfield {
namespace {

constexpr double kTolerance = 1.0e-6;

// Numbers of products and preconditioners of a contact; each is a transform and its inverse.
struct TransformCounts {
  double exact = 0.0;  // in double precision: normal problem, slip, displacements
  double rough = 0.0;  // of the linear systems, in single precision
};

TransformCounts mean_transforms(const std::vector<StepReport>& reports) {
  TransformCounts sum;
  for (const StepReport& report : reports) {
    const double normal = 2.0 * report.iterations_normal + 2.0;
    const double slip = report.iterations_tangential + report.iterations_outer + 1.0;
    const double inner =
        static_cast<double>(report.matrix_products) - (report.iterations_normal + 2.0) - slip;
    sum.exact += normal + slip;
    sum.rough += std::max(0.0, 2.0 * inner + report.iterations_tangential);
  }
  const auto count = static_cast<double>(reports.size());
  return {sum.exact / count, sum.rough / count};
}

template <class Real>
double transform_milliseconds(int mx, int my) {
  constexpr int kTimes = 200;
  PaddedTransform<Real> transform(mx, my, fast_transform_size(2 * mx - 1),
                                  fast_transform_size(2 * my - 1));
  std::vector<Real> field(2 * static_cast<std::size_t>(mx) * static_cast<std::size_t>(my), Real{1});
  Real* const y = field.data() + field.size() / 2;
  return median_milliseconds([&] {
           for (int k = 0; k < kTimes; ++k) {
             transform.forward(field.data(), y);
             transform.backward(field.data(), y);
             std::fill(field.begin(), field.end(), Real{1});
           }
         }) /
         kTimes;
}

// Points that a product reads and writes in shared memory: two passes over rows and columns in each
// direction, and the multiplication.
double shared_points(int mx, int my) {
  const BatchShape shape = batch_shape(mx, my);
  const double grid = static_cast<double>(mx) * my;
  const double rows = static_cast<double>(shape.nx) * my;
  const double all = static_cast<double>(shape.nx) * shape.ny;
  return 2.0 * (grid + 4.0 * rows + 3.0 * all) + 2.0 * all;
}

double gpu_floor_milliseconds(int mx, int my, const TransformCounts& counts) {
  constexpr double kClock = 1.755e9;  // of an H200 at work
  constexpr double kBytesPerClock = 128.0;
  constexpr double kExactPoint = 16.0;
  constexpr double kRoughPoint = 8.0;
  const double bytes =
      shared_points(mx, my) * (kExactPoint * counts.exact + kRoughPoint * counts.rough);
  const int multiprocessors = require_cuda_device(cuda_status(), 0).multiprocessors;
  return 1.0e3 * bytes / (kBytesPerClock * kClock * multiprocessors);
}

ContactBatch random_batch(const BenchArguments& arguments, int mx, int my, SmallContacts kind,
                          std::vector<ContactProblem>& compared) {
  std::mt19937_64 engine(arguments.seed);
  ContactBatch batch;
  for (int i = 0; i < arguments.contacts; ++i) {
    throw_if_interrupted();
    ContactProblem problem = random_small_contact(engine, mx, my, kind, kTolerance);
    add_to_batch(batch, problem);
    if (i < arguments.compared) compared.push_back(std::move(problem));
  }
  return batch;
}

double greatest_difference(const std::vector<ContactProblem>& problems,
                           const std::vector<StepReport>& reports) {
  double greatest = -1.0;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    throw_if_interrupted();
    const StepReport single = make_cpu_solver(problems[i])->advance(problems[i].steps[0]);
    if (single.outcome != Outcome::converged || reports[i].outcome != Outcome::converged) continue;
    greatest = std::max(greatest, total_difference(problems[i], reports[i], single));
  }
  return greatest;
}

const char* name_of(SmallContacts kind) {
  if (kind == SmallContacts::forces) return "forces";
  return kind == SmallContacts::falling ? "falling friction" : "creepages";
}

StepOutputs scalar_of_bench() {
  StepOutputs scalar;
  scalar.moment_z = 1.0;
  return scalar;
}

BenchLine measure(const BenchArguments& arguments, bool gpu, int mx, int my, SmallContacts kind,
                  bool with_gradients) {
  std::vector<ContactProblem> compared;
  const ContactBatch batch = random_batch(arguments, mx, my, kind, compared);
  BatchOptions one_core;
  one_core.threads = 1;
  one_core.progress = [](std::size_t) {
    throw_if_interrupted();
    return true;
  };
  const BatchScalars scalars(batch.contacts.size(), {scalar_of_bench()});
  AdjointOptions adjoint;
  if (!gpu) adjoint.threads = one_core.threads;
  adjoint.of_tolerance = 0.1;  // as the libraries have it
  CudaBatches card;
  if (gpu) card = make_cuda_batches();
  const auto solve = [&] {
    if (with_gradients)
      return (gpu ? card.solve_with_gradients(batch, {}, scalars, adjoint)
                  : solve_with_gradients_on_cpu(batch, one_core, scalars, adjoint))
          .solution;
    return gpu ? card.solve(batch, {}) : solve_batch_on_cpu(batch, one_core);
  };
  if (gpu) solve();  // the first call starts the device
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<StepReport> reports = solve().reports;
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const auto left = std::count_if(reports.begin(), reports.end(), [](const StepReport& report) {
    return report.outcome != Outcome::converged;
  });
  if (left > 0)
    log_warning(fmt::format("{} of {} contacts did not converge and are the single solver's", left,
                            reports.size()));
  const TransformCounts counts = mean_transforms(reports);
  BenchLine line;
  line.name = fmt::format("{}, {}{}", gpu ? "batch on the GPU" : "batch on one core", name_of(kind),
                          with_gradients ? ", gradients" : "");
  line.size = fmt::format("{}x{}", mx, my);
  line.milliseconds = 1.0e3 * seconds / arguments.contacts;
  if (with_gradients) return line;
  line.floor_ms = gpu ? gpu_floor_milliseconds(mx, my, counts)
                      : counts.exact * transform_milliseconds<double>(mx, my) +
                            counts.rough * transform_milliseconds<float>(mx, my);
  line.error = greatest_difference(compared, reports);
  return line;
}

}  // namespace

BenchOutcome bench_batch(const BenchArguments& arguments, bool /*silent*/) {
  const BenchSizes sizes = sizes_of(arguments, {{11, 11}, {32, 32}, {48, 48}, {48, 1}});
  for (const auto& [mx, my] : sizes)
    if (mx > kBatchElements || my > kBatchElements)
      throw InputError(fmt::format("--size {}x{}: a batch takes small grids; accepted: up to {}x{}",
                                   mx, my, kBatchElements, kBatchElements));
  std::vector<BenchLine> lines;
  for (const bool gpu : {false, true}) {
    if (gpu ? !gpu_answers(arguments) : !measures_cpu(arguments)) continue;
    for (const auto& [mx, my] : sizes)
      for (const SmallContacts kind :
           {SmallContacts::creepages, SmallContacts::forces, SmallContacts::falling})
        for (const bool with_gradients : {false, true})
          lines.push_back(measure(arguments, gpu, mx, my, kind, with_gradients));
  }
  return outcome_of(lines);
}

}  // namespace slipfield
