// SPDX-License-Identifier: Apache-2.0
#include "app/run/wheel/wheel_steps.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "solver/batch/contact_queue.h"
#include "solver/error.h"
#include "solver/step/step_state.h"

namespace slipfield {
namespace {

constexpr std::array<const char*, 2> kNamesOfSides{"left.", "right."};
constexpr const char* kLattice = "lattice";
constexpr std::size_t kLatticeNumbers =
    4;  // spacing, checksums of the wheel's and the rail's points

// Keeps as many digits as a double holds.
double exact_number(std::uint64_t checksum) { return static_cast<double>(checksum >> 11U); }

std::size_t number_of(Side side) { return side == Side::left ? 0 : 1; }

}  // namespace

WheelSteps::WheelSteps(const SettledBackend& backend, const CaseFile& file)
    : backend_(backend),
      bodies_(file.problem),
      searches_(file.wheel_rail->searches),
      case_(file.wheel_rail) {
  bodies_.steps.clear();
  if (!bodies_.surface.empty())  // which follows from tractions and slip
    backend_.queue_fields = QueuedFields::all;
  // For contacts of a few thousand elements FFTs are faster than the sums that the CPU would
  // choose.
  SolverSettings& solver = bodies_.solver;
  if (backend.choice == BackendChoice::cpu && !is_simplified(solver.tangential) &&
      solver.influence == InfluenceMethod::automatic)
    solver.influence = InfluenceMethod::fft;
}

SolvedWheelset WheelSteps::solve(const WheelsetStep& step, const ProgressCallback& progress) {
  WheelsetStep from_here = step;
  const bool same_friction = law_ == law_of(step);
  for (WheelStep& wheel : from_here.wheels) {
    wheel.before = left_[number_of(wheel.position.side)];
    wheel.friction_continues = same_friction;
  }
  return solve_wheelset(searches_.of(step), bodies_, from_here, [&](const ContactProblem& problem) {
    if (progress) progress({});
    return make_solver(backend_, problem, progress);
  });
}

WheelSteps WheelSteps::on_elements_longer_by(double factor) const {
  WheelSteps other = *this;
  auto changed = std::make_shared<WheelRailCase>(*case_);
  changed->patches.spacing_x *= factor;
  changed->patches.spacing_y *= factor;
  changed->searches = SideSearches(changed->wheel, changed->rail, changed->patches);
  other.searches_ = changed->searches;
  other.case_ = std::move(changed);
  other.begin();
  return other;
}

WheelSteps::Law WheelSteps::law_of(const WheelsetStep& step) {
  const WheelStep& wheel = step.wheels.front();
  return {wheel.friction, wheel.friction_by_inclination};
}

void WheelSteps::keep(const WheelsetStep& step, SolvedWheelset& solved) {
  begin();
  law_ = law_of(step);
  for (SolvedWheel& wheel : solved.wheels) {
    if (!wheel.left.empty())
      left_[number_of(wheel.side)] = std::make_shared<const CarriedContacts>(std::move(wheel.left));
    wheel.left.clear();
  }
}

void WheelSteps::begin() {
  left_ = {};
  law_.reset();
}

std::vector<double> WheelSteps::lattice() const {
  return {case_->patches.spacing_x, case_->patches.spacing_y,
          exact_number(points_checksum(case_->wheel)), exact_number(points_checksum(case_->rail))};
}

SolverState WheelSteps::state() const {
  SolverState state;
  if (!case_->patches.lattice) return state;
  state[kLattice] = lattice();
  for (std::size_t i = 0; i < left_.size(); ++i)
    if (left_[i]) save(*left_[i], kNamesOfSides[i], state);
  return state;
}

// Element numbers are places only on the lattice and the profiles that they were made for. A case
// without transient rolling continues nothing.
void WheelSteps::require_same_lattice(const SolverState& state) const {
  constexpr const char* kAccepted = "accepted: a state of the same case";
  const auto saved = state.find(kLattice);
  if ((saved != state.end()) != case_->patches.lattice)
    throw InputError(fmt::format(
        "the state is of a wheel {} steps of transient rolling, and this case is one {} them; {}",
        case_->patches.lattice ? "without" : "with", case_->patches.lattice ? "with" : "without",
        kAccepted));
  if (saved == state.end()) return;
  const std::vector<double>& there = saved->second;
  const std::vector<double> here = lattice();
  if (there.size() != kLatticeNumbers) refuse_state(kLattice);
  if (there[0] != here[0] || there[1] != here[1])
    throw InputError(
        fmt::format("the state is of a wheel with elements of {:g} x {:g} mm (here {:g} x {:g} "
                    "mm); {}",
                    there[0], there[1], here[0], here[1], kAccepted));
  for (const std::size_t i : {2U, 3U})
    if (there[i] != here[i])
      throw InputError(fmt::format("the state is of another {}'s profile; {}",
                                   i == 2 ? "wheel" : "rail", kAccepted));
}

void WheelSteps::restore(const SolverState& state, const WheelsetStep* step, int number) {
  require_same_lattice(state);
  decltype(left_) left;
  for (std::size_t i = 0; i < left.size(); ++i) {
    CarriedContacts contacts = saved_contacts(kNamesOfSides[i], state);
    if (!contacts.empty()) left[i] = std::make_shared<const CarriedContacts>(std::move(contacts));
  }
  begin();
  left_ = std::move(left);
  if (step == nullptr) step = case_->step(number);
  if (step != nullptr) law_ = law_of(*step);
}

}  // namespace slipfield
