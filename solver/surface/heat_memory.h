// SPDX-License-Identifier: Apache-2.0
// Surface temperatures step by step: in transient rolling and in shifts that take time the heat of
// all steps before counts (THEORY.md 15.5, 15.6).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/surface/conduction.h"
#include "solver/surface/heat.h"

namespace slipfield {

class CpuFftConvolution;  // solver/cpu/cpu_fft_convolution.h

// What entered the surfaces in a step, or in some like it one after the other.
struct HeatPulse {
  double duration = 0.0;
  std::array<double, 2> way_x{};  // of each body's material against the contact
  std::array<double, 2> way_y{};
  std::int64_t steps = 1;
  std::array<std::vector<double>, 2> flux;  // into each body, its mean over the duration
};

struct HeatedStep {
  SurfaceTemperatures surface;
  HeatPulse pulse;
  double apart = 0.0;  // by how much the surfaces' temperatures in contact differ; 0: they agree
};

class HeatMemory {
 public:
  // problem.surface.heat is there.
  explicit HeatMemory(const ContactProblem& problem);
  ~HeatMemory();
  HeatMemory(const HeatMemory&) = delete;
  HeatMemory& operator=(const HeatMemory&) = delete;

  // After a solved step on top of all that were kept; keeps nothing. Throws InputError where the
  // heat of all of them together would take too long.
  HeatedStep after(const StepInput& step, const ContactSolution& solution,
                   const StepReport& report);
  // A steady step counts as rolled for an infinite time: earlier pulses are forgotten.
  void keep(const StepInput& step, HeatPulse pulse);
  // As if no step had been before.
  void forget();

  // Into and from a solver's state. Throws InputError for a state of another grid.
  void save(SolverState& state) const;
  void restore(const SolverState& state);
  static void erase(SolverState& state);  // what save() put there

  // V l/(2 kappa) as least_peclet_number, in a shift of the body that passes, with the velocity of
  // its sliding.
  [[nodiscard]] double peclet_number(const StepInput& step, const ContactSolution& solution,
                                     const StepReport& report) const;

 private:
  [[nodiscard]] std::array<double, 2> slide_of(const StepInput& step,
                                               const ContactSolution& solution,
                                               const StepReport& report) const;
  [[nodiscard]] HeatPulse moved(const StepInput& step, const ContactSolution& solution,
                                const StepReport& report) const;
  void add(const InfluenceTable& table, const std::vector<double>& flux, std::vector<double>& sum);
  // The windows of a step and of all that were kept, the newest first.
  [[nodiscard]] std::vector<HeatWindow> windows_of(std::size_t body, const HeatPulse& now) const;
  [[nodiscard]] InfluenceTable table_of(std::size_t body, const HeatWindow& window) const;
  void share(const std::array<InfluenceTable, 2>& now, const std::vector<std::size_t>& contact,
             const std::vector<double>& power, HeatedStep& heated);
  std::vector<double> solve_share(const InfluenceTable& table,
                                  const std::vector<std::size_t>& contact,
                                  const CpuBackend::Array<double>& wanted);
  void merge_old();

  ContactProblem problem_;  // without geometry and steps
  HeatRequest& request_ = *problem_.surface.heat;
  const Grid& grid_ = problem_.grid;
  bool one_way_;  // all steps roll in one direction: what has left the grid does not come back
  std::array<HeatedMaterial, 2> material_;
  std::vector<HeatPulse> pulses_;  // the oldest first
  std::unique_ptr<CpuFftConvolution> convolution_;
};

}  // namespace slipfield
