// SPDX-License-Identifier: Apache-2.0
// The kinds of `slipfield bench`, one function each, and the arguments of its command line.
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

// The sizes given by --size and --largest; `usual` without --size.
BenchSizes sizes_of(const BenchArguments& arguments, BenchSizes usual = {});
GridLimit largest_grid(const BenchArguments& arguments);
// Returns whether a GPU is measured; otherwise logs the reason. Throws Error if the command line
// requires a GPU.
bool gpu_answers(const BenchArguments& arguments);
// Returns true unless --backend is "cuda".
bool measures_cpu(const BenchArguments& arguments);

// Each function measures once; with `silent` it prints nothing but warnings. All throw InputError
// for sizes that they do not accept.

// Solves many random problems on a backend and checks each by direct summation. Prints the problems
// that did not converge and the summary. The figure is the time of all steps. Exit code 0 if at
// least 99 % of the solvable problems converged and each converged one has a residual below 100
// times the tolerance, else 1.
BenchOutcome bench_battery(const BenchArguments& arguments, bool silent);

// Solves the same random problems over and over in one process, like a program that runs for
// months. Solves each problem three times before it starts to count; prints the memory after each
// tenth and the summary. The figure is the time of one solve. Exit code 0 if no memory grew by more
// than the uncertainty of its counter and each solve repeated the bits of its problem's first
// solve; else 1.
BenchOutcome bench_endurance(const BenchArguments& arguments, bool silent);

// Counts a solve's products with the influence matrix for each effect added to the plain case
// (elastically similar bodies, constant friction, first order): an elliptical contact of a steel
// wheel on a rail under four loads, from small creepage to near full sliding, one of them mostly
// spin. A figure is the sum over the loads, compared with that of the plain case of the same
// motion. Exit code 0 if all converge, else 1.
BenchOutcome bench_families(const BenchArguments& arguments, bool silent);

// Solves random contacts (small_contacts.h) to the default tolerance on one core and on the GPU,
// first with prescribed creepages, then with prescribed forces. Time of a line: the whole call
// divided by the number of contacts. Floor on the CPU: the batch's products over the rate of one
// transform and its inverse on this core; on the GPU: over the bytes that they move through shared
// memory at 128 a clock and multiprocessor. Error: the greatest difference of a total from the
// single solver on the CPU, over the contacts compared. Logs the contacts that do not converge.
BenchOutcome bench_batch(const BenchArguments& arguments, bool silent);

// Computes the whole stress tensor and its measures at all depths in one body under random
// tractions in all directions. GB/s counts the tensor's bytes. Floor on the CPU: the flops of the
// transforms (5 n log2 n) over the multiply-add rate; on the GPU: the tensor's bytes over the
// measured transfer rate from card to host. Error of the GPU: its greatest difference from the CPU
// at the last depth over the greatest stress.
BenchOutcome bench_interior(const BenchArguments& arguments, bool silent);

}  // namespace slipfield
