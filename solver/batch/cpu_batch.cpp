// SPDX-License-Identifier: Apache-2.0
// A batch on the CPU: each core solves one contact at a time and reuses its fields, plans and
// coefficients (THEORY.md 6.8).
#include <chrono>
#include <utility>
#include <vector>

#include "solver/batch/batch.h"
#include "solver/batch/batch_task.h"
#include "solver/batch/cpu_queue.h"
#include "solver/batch/cpu_team.h"
#include "solver/batch/family.h"
#include "solver/batch/small_solver.h"

namespace slipfield {
namespace {

// What one core needs for grids of one shape.
struct CpuBench {
  CpuTeam team;
  std::vector<char> memory;
  SmallFields<CpuTeam::Real> fields;
  SmallScalars scalars;

  CpuBench(const BatchFamily& family, const CpuFamilySpectra& spectra)
      : team(family.mx, family.my, spectra.nx, spectra.ny) {
    const std::size_t count = unit_grid(family).count();
    memory = lay_out_aligned([&](char* begin) { return lay_out_fields(count, begin, fields); });
  }
};

class CpuBatch {
 public:
  CpuBatch(const ContactBatch& batch, const BatchOptions& options)
      : batch_(batch), options_(options), queue_(batch, options.threads, options.progress) {
    result_.reports.resize(batch.contacts.size());
    for (StepReport& report : result_.reports) fail(report, kBatchEnded);
    if (options.fields || options.pressures) result_.fields.resize(batch.contacts.size());
  }

  BatchSolution run() {
    queue_.run([](std::size_t /*i*/) { return true; },
               [this](std::size_t i, const BatchFamily& family, const CpuFamilySpectra& spectra,
                      CpuBench& bench) { solve(i, family, spectra, bench); });
    return std::move(result_);
  }

 private:
  void solve(std::size_t i, const BatchFamily& family, const CpuFamilySpectra& spectra,
             CpuBench& bench) {
    const auto begin = std::chrono::steady_clock::now();
    const BatchContact& contact = batch_.contacts[i];
    const SmallTask task = task_of(contact, family, {spectra.self_normal, spectra.self_slip});
    bench.team.take_up(spectra);
    const double* const start = contact.start ? batch_.shapes[*contact.start].data() : nullptr;
    const SmallResult result = solve_small_contact(
        bench.team, task, batch_.shapes[contact.shape].data(), start, bench.fields, bench.scalars);
    StepReport report = report_of(contact, task, result);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result_.reports[i] = std::move(report);
    const SmallFields<CpuTeam::Real>& f = bench.fields;
    if (options_.pressures)
      result_.fields[i] = fields_of(contact, f.pressure, nullptr, nullptr, nullptr);
    if (!options_.fields) return;
    result_.fields[i] = fields_of(contact, f.pressure, f.traction, f.slip, f.state);
  }

  const ContactBatch& batch_;
  const BatchOptions& options_;
  CpuQueue<CpuBench> queue_;
  BatchSolution result_;
};

}  // namespace

BatchSolution solve_batch_on_cpu(const ContactBatch& batch, const BatchOptions& options) {
  return CpuBatch(batch, options).run();
}

}  // namespace slipfield
