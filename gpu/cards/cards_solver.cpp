// SPDX-License-Identifier: Apache-2.0
// A step on several cards: each runs the same solver code on its rows (solver/fields/own_rows.h);
// downloads and saved states are joined row by row, as if from one solver.
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "gpu/cards/card_backend.h"
#include "gpu/cards/card_team.h"
#include "gpu/cuda_device.h"
#include "gpu/device/current_device.h"
#include "solver/combinations.h"
#include "solver/error.h"
#include "solver/memory_estimate.h"
#include "solver/problem_check.h"
#include "solver/ranks/shared_rows.h"
#include "solver/run/checked_solver.h"
#include "solver/step/contact_step.h"

namespace slipfield {
namespace {

using CardRun = ContactRun<CardBackend>;

template <class T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

void append(ContactSolution& all, const ContactSolution& more) {
  for (const auto field : kSolutionFields) append(all.*field, more.*field);
  append(all.element_division, more.element_division);
}

class CardsSolver final : public SolverWithDefaults {
 public:
  CardsSolver(const ContactProblem& problem, const std::vector<int>& devices, int krylov_chunks,
              ProgressCallback progress)
      : grid_(problem.grid), team_(devices), cards_(devices.size()) {
    team_.each([&](int card) {
      cards_[index(card)] =
          std::make_unique<CardRun>(problem, card == 0 ? std::move(progress) : ProgressCallback{},
                                    CardBackend(team_, card, krylov_products(krylov_chunks)));
    });
  }
  ~CardsSolver() override {
    for (int card = 0; card < team_.count(); ++card) {
      try {
        const OnDevice here(team_.device(card));
        cards_[index(card)].reset();
      } catch (const Error&) {  // the device is lost, and with it what it held
        cards_[index(card)].reset();
      }
    }
  }
  CardsSolver(const CardsSolver&) = delete;
  CardsSolver& operator=(const CardsSolver&) = delete;

  StepReport advance(const StepInput& step) override {
    StepReport report;
    team_.each([&](int card) {
      StepReport own = cards_[index(card)]->advance(step);
      if (card == 0) report = std::move(own);
    });
    return report;
  }

  void follow_friction(FrictionFollower& follower) override {
    for (const auto& card : cards_) card->follow_friction(follower);
  }

  [[nodiscard]] ContactSolution download() const override { return download_fields({}); }

  [[nodiscard]] ContactSolution download_fields(const ChosenFields& chosen) const override {
    std::vector<ContactSolution> parts(cards_.size());
    team_.each(
        [&](int card) { parts[index(card)] = cards_[index(card)]->download_fields(chosen); });
    ContactSolution all = std::move(parts.front());
    for (std::size_t k = 1; k < parts.size(); ++k) append(all, std::exchange(parts[k], {}));
    return all;
  }

  [[nodiscard]] SolverState state() const override {
    std::vector<SolverState> parts(cards_.size());
    team_.each([&](int card) { parts[index(card)] = cards_[index(card)]->state(); });
    SolverState all = std::move(parts.front());
    for (std::size_t k = 1; k < parts.size(); ++k) {
      for (const auto& [name, values] : parts[k])
        if (is_field_of_state(name)) append(all[name], values);
      parts[k].clear();
    }
    return all;
  }

  // An error in one card's work would end the team, so refusals are thrown after it.
  void restore(const SolverState& state, const StepInput& last) override {
    std::vector<SolverState> parts;
    for (int card = 0; card < team_.count(); ++card)
      parts.push_back(rows_of_state(grid_, slab_rows(card, team_.count(), grid_.my), state));
    require_distance_of(
        state,
        download_fields({{&ContactSolution::undeformed_distance}, false}).undeformed_distance);
    std::vector<std::exception_ptr> refusals(cards_.size());
    team_.each([&](int card) {
      try {
        cards_[index(card)]->restore(parts[index(card)], last);
      } catch (const InputError&) {
        refusals[index(card)] = std::current_exception();
      }
    });
    for (const std::exception_ptr& refusal : refusals)
      if (refusal) std::rethrow_exception(refusal);
  }

  [[nodiscard]] std::string backend_name() const override { return CardBackend::name(); }
  [[nodiscard]] std::string device_name() const override {
    std::vector<int> devices;
    for (int card = 0; card < team_.count(); ++card) devices.push_back(team_.device(card));
    return cards_name(devices);
  }

 private:
  static std::size_t index(int card) { return static_cast<std::size_t>(card); }

  Grid grid_;
  mutable CardTeam team_;
  std::vector<std::unique_ptr<CardRun>> cards_;
};

// Cards of one kind run the same instructions and take the same branches on the same sums.
void require_one_kind(const CudaStatus& status, const std::vector<int>& devices) {
  const std::string& kind = require_cuda_device(status, devices.front()).name;
  for (const int device : devices) {
    const std::string& other = require_cuda_device(status, device).name;
    if (other == kind) continue;
    std::string message = "devices: GPU ";
    message.append(std::to_string(devices.front())).append(" is an ").append(kind);
    message.append(", GPU ").append(std::to_string(device)).append(" an ").append(other);
    throw InputError(message + "; accepted: GPUs of one kind");
  }
}

// A device named several times holds as many cards.
void require_memory_of_cards(const ContactProblem& problem, const CudaStatus& status,
                             const std::vector<int>& devices, int krylov_chunks) {
  const std::size_t each = cards_bytes(problem, static_cast<int>(devices.size()), krylov_chunks);
  for (const int device : devices) {
    const auto cards = static_cast<std::size_t>(std::count(devices.begin(), devices.end(), device));
    const std::string gpu = "GPU " + std::to_string(device);
    require_memory(problem, cards * each, require_cuda_device(status, device).memory_bytes,
                   "on " + gpu + ", which has");
    const OnDevice here(device);
    const std::size_t free = free_device_bytes();
    if (cards * each > free)
      throw Error(
          gpu + ": " +
          CudaOutOfMemory("its rows need up to " + readable_bytes(cards * each), free).what());
  }
}

}  // namespace

std::string cards_name(const std::vector<int>& devices) {
  const CudaStatus status = cuda_status();
  std::string numbers;
  for (const int device : devices)
    numbers += (numbers.empty() ? "" : ", ") + std::to_string(device);
  return std::to_string(devices.size()) + " x " +
         require_cuda_device(status, devices.front()).name + " (" + numbers + ")";
}

std::unique_ptr<ContactSolver> make_cards_solver(const ContactProblem& problem,
                                                 const std::vector<int>& devices,
                                                 ProgressCallback progress) {
  if (devices.size() == 1) return make_cuda_solver(problem, devices.front(), std::move(progress));
  require_sound(check_problem(problem));
  require_on(Way::several_gpus, problem);
  const CudaStatus status = cuda_status();
  require_one_kind(status, devices);
  const int chunks = krylov_chunks_on(devices, problem);
  require_memory_of_cards(problem, status, devices, chunks);
  return checked_solver(
      problem, std::make_unique<CardsSolver>(problem, devices, chunks, std::move(progress)));
}

}  // namespace slipfield
