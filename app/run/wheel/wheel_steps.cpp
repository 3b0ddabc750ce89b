// SPDX-License-Identifier: Apache-2.0
#include "app/run/wheel/wheel_steps.h"

#include <cstddef>

namespace slipfield {
namespace {

constexpr std::array<const char*, 2> kNamesOfSides{"left.", "right."};

std::size_t number_of(Side side) { return side == Side::left ? 0 : 1; }

}  // namespace

WheelSteps::WheelSteps(const SettledBackend& backend, const CaseFile& file)
    : backend_(backend), bodies_(file.problem), searches_(file.wheel_rail->searches) {
  bodies_.steps.clear();
  // For contacts of a few thousand elements FFTs take less time than the sums that the CPU would
  // choose.
  SolverSettings& solver = bodies_.solver;
  if (backend.choice == BackendChoice::cpu && !is_simplified(solver.tangential) &&
      solver.influence == InfluenceMethod::automatic)
    solver.influence = InfluenceMethod::fft;
}

SolvedWheelset WheelSteps::solve(const WheelsetStep& step, const ProgressCallback& progress) {
  WheelsetStep from_here = step;
  for (WheelStep& wheel : from_here.wheels) wheel.before = left_[number_of(wheel.position.side)];
  return solve_wheelset(searches_.of(step), bodies_, from_here, [&](const ContactProblem& problem) {
    if (progress) progress({});
    return make_solver(backend_, problem, progress);
  });
}

void WheelSteps::keep(const SolvedWheelset& solved) {
  left_ = {};
  for (const SolvedWheel& wheel : solved.wheels)
    if (!wheel.left.empty())
      left_[number_of(wheel.side)] = std::make_shared<const CarriedContacts>(wheel.left);
}

SolverState WheelSteps::state() const {
  SolverState state;
  for (std::size_t i = 0; i < left_.size(); ++i)
    if (left_[i]) save(*left_[i], kNamesOfSides[i], state);
  return state;
}

void WheelSteps::restore(const SolverState& state) {
  for (std::size_t i = 0; i < left_.size(); ++i) {
    CarriedContacts contacts = saved_contacts(kNamesOfSides[i], state);
    left_[i] =
        contacts.empty() ? nullptr : std::make_shared<const CarriedContacts>(std::move(contacts));
  }
}

}  // namespace slipfield
