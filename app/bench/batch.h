// SPDX-License-Identifier: Apache-2.0
// `slipfield bench batch`: many small contacts at once, on one core and on the GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "gpu/bench/cuda_bench.h"

namespace slipfield {

struct BatchBenchOptions {
  BenchSizes sizes;  // at most 48 x 48; empty: the usual ones
  int contacts = 2000;
  int compared = 20;  // with the single solver
  std::uint64_t seed = 1;
  bool gpu = false;  // else one core
};

// Random contacts (small_contacts.h), creepages prescribed and then forces, to the default
// tolerance. A line's time is that of one contact, the whole call over their number; its floor the
// products of the batch over the rate of one transform and back on this core, or over the bytes
// that they move through shared memory of a GPU at 128 a clock and multiprocessor; its error the
// greatest difference of a total from the single solver's on the CPU, among those compared. What
// does not converge is logged. Throws InputError for sizes that batches do not take.
std::vector<BenchLine> bench_batch(const BatchBenchOptions& options);

}  // namespace slipfield
