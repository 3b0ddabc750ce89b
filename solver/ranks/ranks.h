// SPDX-License-Identifier: Apache-2.0
// The ranks of a run: the processes that mpirun started together, each of which holds some rows of
// the grid. A program that was not started so, or is built without MPI, is the one rank 0.
//
// Calls marked "together" are made by all ranks in the same order; otherwise ranks wait without
// end.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "solver/grid.h"

namespace slipfield::ranks {

// Joins the ranks where mpirun started the program; together, before any other call. Each rank then
// computes with its share of the machine's cores, where OMP_NUM_THREADS does not say otherwise.
void start();
// Leaves them; together.
void finish();
// Ends all ranks at once with that exit code; any rank may call it.
[[noreturn]] void end_all(int exit_code);

int count();
int number();        // of this one, from 0
int on_this_host();  // how many of them share this one's machine
inline bool several() { return count() > 1; }
inline bool is_first() { return number() == 0; }

// Sums over the ranks, added in the order of their numbers: the same bits on each. Together.
void add_up(std::span<double> values);
// The greatest value of any rank. Together.
double greatest(double value);

// The values of all ranks, in the order of their numbers. Together.
std::vector<double> gather(const std::vector<double>& own);

// As gather(), on the first rank alone; nothing on the others. Together.
std::vector<double> gather_on_first(const std::vector<double>& own);
// The names that the first rank gives, none of them empty. Together.
std::vector<std::string> names_of_first(const std::vector<std::string>& names);

// Work of each rank alone, without any call marked "together" in it. Where it throws on some rank,
// all of them throw Error with the sentence and the exit code of the first of these. Together.
void each(const std::function<void()>& work);
// An error that all ranks have in common is on its way: each of them has unwound, or will.
bool is_failure_shared();
// All ranks have come to throw the same.
void share_failure();

// The rows of a grid of `rows` that a rank holds: FFTW's own blocks.
RowRange rows_of(int rank, int ranks, int rows);
// The rows of this rank.
RowRange own_rows(int rows);

}  // namespace slipfield::ranks
