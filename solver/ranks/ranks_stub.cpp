// SPDX-License-Identifier: Apache-2.0
// A build without MPI: one rank.
#include <cstdlib>

#include "solver/error.h"
#include "solver/ranks/rank_solver.h"
#include "solver/ranks/ranks.h"

namespace slipfield {

namespace ranks {

void start() {}
void finish() {}
void end_all(int exit_code) { std::exit(exit_code); }
int count() { return 1; }
int number() { return 0; }
int on_this_host() { return 1; }
void add_up(std::span<double> /*values*/) {}
double greatest(double value) { return value; }
std::vector<double> gather(const std::vector<double>& own) { return own; }
std::vector<std::vector<double>> exchange(const std::vector<std::vector<double>>& values) {
  return values;
}
std::vector<double> gather_on_first(const std::vector<double>& own) { return own; }
std::vector<std::string> names_of_first(const std::vector<std::string>& names) { return names; }
void each(const std::function<void()>& work) { work(); }
bool is_failure_shared() { return true; }
void share_failure() {}

}  // namespace ranks

void require_for_ranks(const ContactProblem& /*problem*/) {}

std::unique_ptr<ContactSolver> make_rank_solver(
    const ContactProblem& /*problem*/, ProgressCallback /*progress*/) {  // NOLINT: as with MPI
  throw Error("this program was built without MPI and has one rank");
}

}  // namespace slipfield
