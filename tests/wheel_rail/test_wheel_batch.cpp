// SPDX-License-Identifier: Apache-2.0
// Positions of a wheel whose contacts are solved in batches, against the same solved one by one.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <thread>
#include <vector>

#include "solver/batch/contact_queue.h"
#include "solver/error.h"
#include "solver/wheel_rail/wheel_solver.h"
#include "tests/support/near.h"
#include "tests/wheel_rail/manchester.h"

namespace slipfield {
namespace {

// One of which no other is to live at the same time.
class LoneSolver final : public ForwardingSolver {
 public:
  LoneSolver(std::atomic<int>& living, std::atomic<int>& most, const ContactProblem& problem)
      : ForwardingSolver(make_cpu_solver(problem)), living_(living) {
    const int now = ++living_;
    if (now > most) most = now;
  }
  ~LoneSolver() override { --living_; }
  LoneSolver(const LoneSolver&) = delete;
  LoneSolver& operator=(const LoneSolver&) = delete;

 private:
  std::atomic<int>& living_;
};

struct QueuedWheels {
  std::vector<WheelStep> steps;
  ContactProblem bodies = test::steel_on_steel();
  SurfaceRequest every_other;  // of the positions 1, 3, 5; the others have that of `bodies`
  PatchSettings settings;
  std::vector<SolvedWheel> wheels;
  std::atomic<int> alone = 0;  // solvers of their own that contacts had
  std::atomic<int> living = 0;
  std::atomic<int> most_living = 0;
  std::atomic<int> batches = 0;
  std::atomic<std::size_t> contacts = 0;  // of all batches
  std::atomic<std::size_t> most = 0;      // contacts of a batch

  QueuedWheels() {
    const std::vector<test::ManchesterCase> cases = test::manchester_cases();
    // Patches of 49 to 93 elements; one of the positions has two patches.
    for (const std::size_t i : {0U, 1U, 4U, 8U, 14U, 20U}) {
      WheelStep step;
      step.position = test::manchester_position(cases[i]);
      step.vertical_force = 10000.0;
      step.friction.coefficient = 0.3;
      steps.push_back(step);
    }
  }

  ContactProblem bodies_of(std::size_t i) const {
    ContactProblem own = bodies;
    if (i % 2 == 1) own.surface = every_other;
    return own;
  }

  SolvedWheel one(std::size_t i, const SolverMaker& make) const {
    WheelRailSearch search(test::manchester_wheel(), test::manchester_rail(), settings);
    return solve_wheel(search, bodies_of(i), steps[i], make);
  }

  void solve(const BatchSolver& solver) {
    wheels.assign(steps.size(), {});
    const auto queue = std::make_shared<ContactQueue>(std::vector<BatchSolver>{solver, solver},
                                                      steps.size() / 2, 1);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      threads.emplace_back([this, i, queue] {
        const ContactQueue::Member member(queue.get());
        wheels[i] = one(i, [&](const ContactProblem& problem) {
          const QueuedFields fields =
              bodies_of(i).surface.empty() ? QueuedFields::pressure : QueuedFields::all;
          return make_queued_solver(queue, problem, fields, [&](const ContactProblem& of_its_own) {
            ++alone;
            return std::make_unique<LoneSolver>(living, most_living, of_its_own);
          });
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  void solve_in_batches() {
    solve([this](const ContactBatch& batch, const BatchOptions& options) {
      return batch_on_cpu(batch, options);
    });
  }

  BatchSolution batch_on_cpu(const ContactBatch& batch, BatchOptions options) {
    ++batches;
    contacts += batch.contacts.size();
    std::size_t known = most;
    while (known < batch.contacts.size() &&
           !most.compare_exchange_weak(known, batch.contacts.size())) {
    }
    options.threads = 1;
    return solve_batch_on_cpu(batch, options);
  }

  void check_against_single(std::size_t i) const {
    CAPTURE(i);
    const SolvedWheel single = one(i, test::solver_on_cpu);
    const SolvedWheel& queued = wheels[i];
    REQUIRE(queued.outcome == Outcome::converged);
    REQUIRE(queued.patches.size() == single.patches.size());
    // Either height is found to 1e-5 of the force, which follows it to the power of 1.5 at least.
    CHECK(std::fabs(queued.track_force.z() - 10000.0) <= 0.1);
    CHECK((queued.track_force - single.track_force).norm() <= 0.2);
    CHECK(std::fabs(queued.z - single.z) <= 1e-6);
    for (std::size_t k = 0; k < single.patches.size(); ++k) {
      const StepReport& a = queued.patches[k].report;
      const StepReport& b = single.patches[k].report;
      CHECK(std::fabs(a.max_pressure - b.max_pressure) <= 2e-5 * b.max_pressure);
      CHECK(std::fabs(a.moment_z - b.moment_z) <= 1.0);
      CHECK(a.residual <= 1e-4);  // 100 times the tolerance
      CHECK((queued.patches[k].moment() - single.patches[k].moment()).norm() <= 2.0);
    }
  }
};

}  // namespace

TEST_SUITE("oracle") {
  TEST_CASE("positions of a wheel in batches: what they are one by one, all patches in batches") {
    QueuedWheels wheels;
    wheels.solve_in_batches();
    CHECK(wheels.alone == 0);
    CHECK(wheels.most > 1);
    std::size_t at_heights = 0;
    for (std::size_t i = 0; i < wheels.steps.size(); ++i) {
      wheels.check_against_single(i);
      at_heights +=
          static_cast<std::size_t>(wheels.wheels[i].positions) * wheels.wheels[i].patches.size();
      CHECK(wheels.wheels[i].complete_solutions == wheels.wheels[i].positions);
    }
    // Normal and tangential problem of a height together: none is solved twice.
    CHECK(wheels.contacts <= at_heights);
  }
}

TEST_SUITE("oracle") {
  TEST_CASE(
      "positions of a wheel in batches: they wear and warm as they do one by one, also next "
      "to others that do not") {
    WearRequest wear;
    wear.coefficient.value = {1.0e-4};
    wear.hardness = 3000.0;
    const ThermalBody steel{0.05, 450.0, 7.85e-6, 20.0};
    for (const bool all : {true, false})
      for (const bool under_force : {false, true}) {
        CAPTURE(all);
        CAPTURE(under_force);
        if (!all && under_force) continue;  // nothing that the others do not show
        QueuedWheels wheels;
        wheels.every_other.wear = wear;
        wheels.every_other.heat = HeatRequest{{steel, steel}};
        wheels.every_other.fatigue = FatigueRequest{300.0};
        if (all) wheels.bodies.surface = wheels.every_other;
        if (!under_force)
          for (WheelStep& step : wheels.steps) step.vertical_force.reset();
        wheels.solve_in_batches();
        CHECK(wheels.alone == 0);
        // 10 times the tolerance at one height; that is found to 1e-5 of the force.
        const double tolerance = under_force ? 5e-5 : 1e-5;
        int worn = 0;
        for (std::size_t i = all ? 0 : 1; i < wheels.steps.size(); i += all ? 1 : 2) {
          CAPTURE(i);
          const SolvedWheel single = wheels.one(i, test::solver_on_cpu);
          const SolvedWheel& queued = wheels.wheels[i];
          REQUIRE(queued.patches.size() == single.patches.size());
          for (std::size_t k = 0; k < single.patches.size(); ++k) {
            const SolvedPatch& of = queued.patches[k];
            const SurfaceNumbers& alone = single.patches[k].report.surface;
            const SurfaceNumbers& together = of.report.surface;
            CHECK(std::fabs(*together.worn_area - *alone.worn_area) <=
                  tolerance * *alone.worn_area);
            const double warmed = *alone.max_temperature - 20.0;
            CHECK(warmed > 0.1);
            CHECK(std::fabs(*together.max_temperature - 20.0 - warmed) <= tolerance * warmed);
            const double greatest = *alone.max_wear_depth;
            const std::vector<double>& a = of.solution.wear_profile;
            const std::vector<double>& b = single.patches[k].solution.wear_profile;
            REQUIRE(a.size() == b.size());
            for (std::size_t row = 0; row < a.size(); ++row)
              CHECK(std::fabs(a[row] - b[row]) <= tolerance * greatest);
            CHECK(*of.report.surface.shakedown_load ==
                  test::near(*single.patches[k].report.surface.shakedown_load, tolerance));
          }
          worn += test::sum_over(single, &SurfaceNumbers::worn_area) > 0.0 ? 1 : 0;
        }
        CHECK(worn == (all ? 6 : 3));
      }
  }
}

TEST_SUITE("unit") {
  TEST_CASE(
      "positions of a wheel in batches: a batch that fails leaves its contacts to solvers of their "
      "own") {
    QueuedWheels wheels;
    wheels.steps.resize(2);
    wheels.steps[0].vertical_force.reset();
    wheels.steps[1].vertical_force.reset();
    wheels.solve([&](const ContactBatch&, const BatchOptions&) -> BatchSolution {
      throw Error("no memory");
    });
    CHECK(wheels.alone == 2);
    for (const SolvedWheel& wheel : wheels.wheels)
      CHECK(std::fabs(wheel.track_force.z() - 10000.0) <= 30.0);  // at the published heights
  }

  TEST_CASE(
      "positions of a wheel in batches: contacts that no batch solves, one solver at a time") {
    QueuedWheels wheels;
    wheels.steps = {wheels.steps[0], wheels.steps[1], wheels.steps[5]};
    wheels.solve([&](const ContactBatch& batch, const BatchOptions& options) {
      BatchSolution solution = wheels.batch_on_cpu(batch, options);
      for (StepReport& report : solution.reports) report.outcome = Outcome::not_converged;
      return solution;
    });
    CHECK(wheels.alone >= 2);
    CHECK(wheels.most_living == 1);
    for (std::size_t i = 0; i < wheels.steps.size(); ++i) wheels.check_against_single(i);
  }

  TEST_CASE("queued solver: a restored state has the pressure, and nothing of the step after it") {
    QueuedWheels wheels;
    std::vector<ContactProblem> problems;
    wheels.steps[0].vertical_force.reset();
    wheels.one(0, [&](const ContactProblem& problem) {
      problems.push_back(problem);
      return make_cpu_solver(problem);
    });
    const auto queue = std::make_shared<ContactQueue>(
        std::vector<BatchSolver>{[&](const ContactBatch& batch, const BatchOptions& options) {
          return wheels.batch_on_cpu(batch, options);
        }},
        1, 1);
    const ContactQueue::Member member(queue.get());
    const auto solver =
        make_queued_solver(queue, problems.at(0), QueuedFields::all, test::solver_on_cpu);
    StepInput step = problems[0].steps.front();
    REQUIRE(solver->advance(step).outcome == Outcome::converged);
    const SolverState state = solver->state();
    const ContactSolution first = solver->download();
    REQUIRE(!first.slip_x.empty());
    StepInput deeper = step;
    deeper.normal.value *= 1.1;
    solver->advance(deeper);
    solver->restore(state, step);
    const ContactSolution restored = solver->download();
    CHECK(restored.pressure == first.pressure);
    CHECK(restored.traction_x.empty());
    CHECK(restored.slip_x.empty());
    CHECK(restored.element_division.empty());
    solver->advance(step);
    // The tractions of the first pressure, found again to the tolerance.
    const std::vector<double> traction = solver->download().traction_x;
    for (std::size_t i = 0; i < traction.size(); ++i)
      CHECK(std::fabs(traction[i] - first.traction_x[i]) <= 1e-3);  // of some 300 N/mm^2
  }

  TEST_CASE("positions of a wheel in batches: a shift under a longitudinal force") {
    QueuedWheels wheels;
    wheels.settings.spacing_x = wheels.settings.spacing_y = 0.5;
    WheelStep step = wheels.steps[0];
    step.position.shifts = true;
    Wheelset& set = step.position.wheelset;
    set.velocity_x = set.velocity_pitch = 0.0;
    set.velocity_y = 0.002;
    step.longitudinal_force = 1000.0;
    wheels.steps = {step};
    wheels.solve_in_batches();
    CHECK(wheels.batches > 0);
    CHECK(wheels.alone > 1);  // batches take no shift, and there are several pitches
    const SolvedWheel& queued = wheels.wheels[0];
    REQUIRE(queued.outcome == Outcome::converged);
    CHECK(std::fabs(queued.wheelset_force.x() - 1000.0) <= 0.03);  // 1e-5 of the friction
    const SolvedWheel single = wheels.one(0, test::solver_on_cpu);
    CHECK(queued.pitch_velocity == test::near(single.pitch_velocity, 1e-3));
  }

  TEST_CASE("positions of a wheel in batches: a GPU that is lost ends every position") {
    QueuedWheels wheels;
    const auto queue = std::make_shared<ContactQueue>(
        std::vector<BatchSolver>{[](const ContactBatch&, const BatchOptions&) -> BatchSolution {
          throw BackendLost("the GPU is lost");
        }},
        2, 1);
    std::atomic<int> lost = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < 2; ++i) {
      threads.emplace_back([&, i] {
        const ContactQueue::Member member(queue.get());
        try {
          wheels.one(i, [&](const ContactProblem& problem) {
            return make_queued_solver(queue, problem, QueuedFields::pressure, test::solver_on_cpu);
          });
        } catch (const BackendLost&) {
          ++lost;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(lost == 2);
  }
}

}  // namespace slipfield
