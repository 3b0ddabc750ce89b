// SPDX-License-Identifier: Apache-2.0
// A solver around another one, and what such solvers add to its state.
#include <doctest/doctest.h>

#include <memory>
#include <type_traits>
#include <utility>

#include "solver/contact_solver.h"

namespace slipfield {
namespace {

// Gives something else in each function than any default would.
class OddSolver final : public ContactSolver {
 public:
  explicit OddSolver(SolverState& own) : own_(own) {}
  StepReport advance(const StepInput& /*step*/) override { return {}; }
  void follow_friction(FrictionFollower& /*follower*/) override {}
  [[nodiscard]] ContactSolution download() const override { return {}; }
  [[nodiscard]] ContactSolution download_fields(const ChosenFields& /*chosen*/) const override {
    return {};
  }
  [[nodiscard]] const double* device_values(
      std::vector<double> ContactSolution::* /*field*/) const override {
    return nullptr;
  }
  [[nodiscard]] SolverState state() const override { return {{"of_all", {1.0}}}; }
  void restore(const SolverState& /*state*/, const StepInput& /*last*/) override {
    FAIL("the state of one owner was restored as that of all");
  }
  [[nodiscard]] SolverState own_state() const override { return {{"own", {2.0}}}; }
  void restore_own(const SolverState& state, const StepInput& /*last*/) override { own_ = state; }
  [[nodiscard]] double least_of(std::vector<double> ContactSolution::* /*field*/) const override {
    return -3.0;
  }
  [[nodiscard]] std::string backend_name() const override { return "odd"; }
  [[nodiscard]] std::string device_name() const override { return "none"; }

 private:
  SolverState& own_;
};

class Around final : public ForwardingSolver {
 public:
  using ForwardingSolver::ForwardingSolver;
};

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("a solver around another one: its own state and least values are that one's") {
    static_assert(std::is_abstract_v<ContactSolver>);
    SolverState restored;
    Around around(std::make_unique<OddSolver>(restored));
    CHECK(around.state() == SolverState{{"of_all", {1.0}}});
    const SolverState own = around.own_state();
    CHECK(own == SolverState{{"own", {2.0}}});
    around.restore_own(own, {});
    CHECK(restored == own);
    CHECK(around.least_of(&ContactSolution::undeformed_distance) == -3.0);
  }
}

}  // namespace slipfield
