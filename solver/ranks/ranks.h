// SPDX-License-Identifier: Apache-2.0
// The ranks of a run: the processes that mpirun started together, each of which holds some rows of
// the grid. A program that was not started by mpirun, or is built without MPI, is the single rank
// 0.
//
// Calls marked "together" must be made by all ranks in the same order; otherwise ranks wait
// forever.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solver/grid.h"

namespace slipfield::ranks {

// Joins the ranks if mpirun started the program; together, before any other call. Each rank then
// computes with its share of the machine's cores unless OMP_NUM_THREADS is set.
void start();
// Leaves them; together.
void finish();
// Ends all ranks at once with this exit code; any rank may call it.
[[noreturn]] void end_all(int exit_code);

int count();
int number();        // of this rank, from 0
int on_this_host();  // number of ranks on this machine
inline bool several() { return count() > 1; }
inline bool is_first() { return number() == 0; }

// Sums over the ranks in the order of their numbers: the same bits on each. Together.
void add_up(std::span<double> values);
// The greatest value of any rank. Together.
double greatest(double value);

// The values of all ranks, in the order of their numbers. Together.
std::vector<double> gather(const std::vector<double>& own);

// Sends values[rank] to each rank, and returns those that each of them has sent here. Together.
std::vector<std::vector<double>> exchange(const std::vector<std::vector<double>>& values);

// Like gather(), but only on the first rank; the others get nothing. Together.
std::vector<double> gather_on_first(const std::vector<double>& own);
// Gives all ranks the first rank's names, none of which may be empty. Together.
std::vector<std::string> names_of_first(const std::vector<std::string>& names);

// Runs work on each rank alone; it must not contain calls marked "together". If it throws on some
// ranks, all throw Error with the sentence and the exit code of the first of these. Together.
void each(const std::function<void()>& work);
// Whether all ranks are failing with a common error: each has unwound, or will.
bool is_failure_shared();
// Records that all ranks are about to throw the same error.
void share_failure();

// The rows of a grid of `rows` rows that a rank holds: FFTW's own blocks.
RowRange rows_of(int rank, int ranks, int rows);
// The rows of this rank.
RowRange own_rows(int rows);

}  // namespace slipfield::ranks
