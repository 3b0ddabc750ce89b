// SPDX-License-Identifier: Apache-2.0
// The contacts of a batch on the CPU: each core takes one after another and reuses its bench, the
// fields and plans for grids of one shape.
#pragma once

#include <omp.h>

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "solver/batch/batch_task.h"
#include "solver/batch/cpu_team.h"
#include "solver/batch/family.h"

namespace slipfield {

// Memory divided by lay_out(begin), which returns its size, also for null.
template <class LayOut>
std::vector<char> lay_out_aligned(const LayOut& lay_out) {
  constexpr std::size_t kAlignment = 128;
  std::vector<char> memory(lay_out(nullptr) + kAlignment);
  void* begin = memory.data();
  std::size_t space = memory.size();
  std::align(kAlignment, space - kAlignment, begin, space);
  lay_out(static_cast<char*>(begin));
  return memory;
}

// Bench(family, spectra): what one core needs for grids of one shape.
template <class Bench>
class CpuQueue {
 public:
  // threads: 0: OpenMP's default. progress(done): returns false to end the work.
  CpuQueue(const ContactBatch& batch, int threads,
           const std::function<bool(std::size_t done)>& progress)
      : plan_(plan_batch(batch)),
        threads_(threads),
        progress_(progress),
        spectra_(plan_.families.size()) {}

  // Calls solve(i, family, spectra, bench) for each contact with wanted(i). Rethrows the first
  // exception.
  template <class Wanted, class Solve>
  void run(const Wanted& wanted, const Solve& solve) {
    [[maybe_unused]] const int threads =  // clang-tidy does not see the pragma
        threads_ > 0 ? threads_ : omp_get_max_threads();
#pragma omp parallel num_threads(threads)
    {
      try {
        work(wanted, solve);
      } catch (...) {
        stop_ = true;
        const std::lock_guard<std::mutex> guard(mutex_);
        if (!error_) error_ = std::current_exception();
      }
    }
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class Wanted, class Solve>
  void work(const Wanted& wanted, const Solve& solve) {
    omp_set_num_threads(1);
    std::map<std::pair<int, int>, std::unique_ptr<Bench>> benches;
    for (std::size_t k = taken_++; k < plan_.order.size() && !stop_; k = taken_++) {
      const std::size_t i = plan_.order[k];
      if (wanted(i)) {
        const BatchFamily& family = plan_.families[plan_.family[i]];
        const std::shared_ptr<const CpuFamilySpectra> spectra = spectra_of(plan_.family[i]);
        auto& bench = benches[{family.mx, family.my}];
        if (!bench) bench = std::make_unique<Bench>(family, *spectra);
        solve(i, family, *spectra, *bench);
      }
      const std::size_t done = ++done_;
      if (progress_ && !progress_(done)) stop_ = true;
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

  BatchPlan plan_;
  int threads_;
  const std::function<bool(std::size_t done)>& progress_;
  std::vector<std::shared_ptr<const CpuFamilySpectra>> spectra_;
  std::atomic<std::size_t> taken_ = 0;
  std::atomic<std::size_t> done_ = 0;
  std::atomic<bool> stop_ = false;
  std::mutex mutex_;  // guards spectra_ and error_
  std::exception_ptr error_;
};

}  // namespace slipfield
