// SPDX-License-Identifier: Apache-2.0
// A batch on the CPU: each core solves one contact at a time and reuses its fields, plans and
// coefficients (THEORY.md 6.8).
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "solver/batch/batch.h"
#include "solver/batch/batch_task.h"
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
    constexpr std::size_t kAlignment = 128;
    const std::size_t count = unit_grid(family).count();
    memory.resize(lay_out_fields(count, nullptr, fields) + kAlignment);
    void* begin = memory.data();
    std::size_t space = memory.size();
    std::align(kAlignment, space - kAlignment, begin, space);
    lay_out_fields(count, static_cast<char*>(begin), fields);
  }
};

class CpuBatch {
 public:
  CpuBatch(const ContactBatch& batch, const BatchOptions& options)
      : batch_(batch),
        options_(options),
        plan_(plan_batch(batch)),
        spectra_(plan_.families.size()) {
    result_.reports.resize(batch.contacts.size());
    for (StepReport& report : result_.reports) fail(report, kBatchEnded);
    if (options.fields || options.pressures) result_.fields.resize(batch.contacts.size());
  }

  BatchSolution run() {
    [[maybe_unused]] const int threads =  // clang-tidy does not see the pragma
        options_.threads > 0 ? options_.threads : omp_get_max_threads();
#pragma omp parallel num_threads(threads)
    {
      try {
        work();
      } catch (...) {
        stop_ = true;
        const std::lock_guard<std::mutex> guard(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    }
    if (error_) std::rethrow_exception(error_);
    return std::move(result_);
  }

 private:
  void work() {
    omp_set_num_threads(1);
    std::map<std::pair<int, int>, std::unique_ptr<CpuBench>> benches;
    for (std::size_t k = taken_++; k < plan_.order.size() && !stop_; k = taken_++) {
      const std::size_t i = plan_.order[k];
      const BatchFamily& family = plan_.families[plan_.family[i]];
      const std::shared_ptr<const CpuFamilySpectra> spectra = spectra_of(plan_.family[i]);
      auto& bench = benches[{family.mx, family.my}];
      if (!bench) bench = std::make_unique<CpuBench>(family, *spectra);
      solve(i, family, *spectra, *bench);
      const std::size_t done = ++done_;
      if (options_.progress && !options_.progress(done)) stop_ = true;
    }
  }

  // Made by the first core that needs them, while others of the family wait. Contacts are sorted by
  // family, so the spectra of finished families may be dropped.
  std::shared_ptr<const CpuFamilySpectra> spectra_of(std::size_t family) {
    const std::lock_guard<std::mutex> guard(mutex_);
    auto& slot = spectra_[family];
    if (!slot) slot = make_cpu_spectra(plan_.families[family], plan_.sliding[family]);
    constexpr std::size_t kKept = 64;
    if (family >= kKept) spectra_[family - kKept].reset();
    return slot;
  }

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
  BatchPlan plan_;
  std::vector<std::shared_ptr<const CpuFamilySpectra>> spectra_;
  BatchSolution result_;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // guards spectra_ and error_
  std::exception_ptr error_;
};

}  // namespace

BatchSolution solve_batch_on_cpu(const ContactBatch& batch, const BatchOptions& options) {
  return CpuBatch(batch, options).run();
}

}  // namespace slipfield
