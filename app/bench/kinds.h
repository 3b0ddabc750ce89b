// SPDX-License-Identifier: Apache-2.0
// What `slipfield bench` measures, a function for each kind, and what its command line asks for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/bench/battery_problem.h"
#include "app/bench/record.h"

namespace slipfield {

struct BenchArguments {
  std::string case_path;
  std::vector<std::string> sizes;
  std::vector<std::string> overrides;
  std::string backend = "auto";
  std::vector<int> gpus;
  int runs = 7;
  int cases = 300;
  int solves = 10000;
  int contacts = 2000;
  int compared = 20;  // with the single solver
  int depths = 32;
  std::uint64_t seed = 1;
  std::string largest = "200x160";
  int rounds = 0;  // 0: not given
  std::string record;
  std::string compare;
  bool json = false;
};

// --size, or these where it was not given; --largest.
BenchSizes sizes_of(const BenchArguments& arguments, BenchSizes usual = {});
GridLimit largest_grid(const BenchArguments& arguments);
// Whether a GPU is measured too; logs why not. Throws Error where it was asked for.
bool gpu_answers(const BenchArguments& arguments);
// --backend is not "cuda".
bool measures_cpu(const BenchArguments& arguments);

// All measure once; `silent`: they print nothing but warnings. Throw InputError for sizes that they
// do not take.

// Many random problems on a backend, each checked by direct summation. Prints what did not converge
// and the summary. Its figure is the time of all steps. The exit code: 0 where at least 99 % of
// those that have a solution converged and every one that says so has a residual under 100 times
// the tolerance, else 1.
BenchOutcome bench_battery(const BenchArguments& arguments, bool silent);

// The same random problems over and over in one process, as a program that runs for months would
// solve them. Solves each problem three times, then begins to count; prints the memory after each
// tenth and the summary. Its figure is the time of a solve. The exit code: 0 where no memory grew
// beyond what its counting leaves open, and each solve gave the bits of the first one of its
// problem; else 1.
BenchOutcome bench_endurance(const BenchArguments& arguments, bool silent);

// Counts the products with the influence matrix of a solve, by what it has besides elastic like
// bodies, constant friction and first order: an elliptical contact of a steel wheel on a rail under
// four loads, from small creepage to near full sliding, one of them mostly spin. A figure is the
// sum over the loads; it is compared with that of the elastic case of the same motion. The exit
// code: 0 where all converge, else 1.
BenchOutcome bench_families(const BenchArguments& arguments, bool silent);

// Random contacts (small_contacts.h), creepages prescribed and then forces, to the default
// tolerance, on one core and on the GPU. A line's time is that of one contact, the whole call over
// their number; its floor the products of the batch over the rate of one transform and back on this
// core, or over the bytes that they move through shared memory of a GPU at 128 a clock and
// multiprocessor; its error the greatest difference of a total from the single solver's on the CPU,
// among those compared. What does not converge is logged.
BenchOutcome bench_batch(const BenchArguments& arguments, bool silent);

// The whole stress tensor and its measures at all depths, in one body, under random tractions in
// all directions. GB/s: of the tensor's bytes. Floor: on the CPU the transforms' flops (5 n log2 n)
// over the multiply-add rate; on the GPU the tensor's bytes over the rate at which the card gives
// them to the host. Error of the GPU: its greatest difference from the CPU at the last depth over
// the greatest stress.
BenchOutcome bench_interior(const BenchArguments& arguments, bool silent);

}  // namespace slipfield
