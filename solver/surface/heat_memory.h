// SPDX-License-Identifier: Apache-2.0
// Surface temperatures step by step: in transient rolling and in shifts with a duration the heat of
// all earlier steps counts (THEORY.md 15.5, 15.6).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/cpu/cpu_backend.h"
#include "solver/surface/conduction.h"
#include "solver/surface/heat.h"

namespace slipfield {

class CpuFftConvolution;  // solver/cpu/cpu_fft_convolution.h

// The heat that entered the surfaces in a step, or in several equal steps in a row.
struct HeatPulse {
  double duration = 0.0;
  std::array<double, 2> way_x{};  // motion of each body's material relative to the contact
  std::array<double, 2> way_y{};
  std::int64_t steps = 1;
  std::array<std::vector<double>, 2> flux;  // flux into each body, mean over the duration
};

struct HeatedStep {
  SurfaceTemperatures surface;
  HeatPulse pulse;
  double apart = 0.0;  // difference of the surfaces' temperatures in contact; 0: they agree
};

// Upper bound of the memory that the steps of a problem take for the heat of earlier ones, and to
// compute their temperatures from it [bytes].
std::size_t heat_memory_bytes(const ContactProblem& problem);

class HeatMemory {
 public:
  // problem.surface.heat must be set.
  explicit HeatMemory(const ContactProblem& problem);
  ~HeatMemory();
  HeatMemory(const HeatMemory&) = delete;
  HeatMemory& operator=(const HeatMemory&) = delete;

  // Temperatures after a solved step that follows all kept steps; does not keep it. Throws
  // InputError if the heat of all of them would take too long to compute.
  HeatedStep after(const StepInput& step, const ContactSolution& solution,
                   const StepReport& report);
  // Keeps a step. A steady step counts as rolling for an infinite time: earlier pulses are
  // forgotten.
  void keep(const StepInput& step, HeatPulse pulse);
  // Resets to no earlier steps.
  void forget();

  // To and from a solver's state. restore() throws InputError for a state of another grid.
  void save(SolverState& state) const;
  void restore(const SolverState& state);
  static bool saves(const std::string& name);  // whether save() adds an entry of that name

  // V l/(2 kappa) as in least_peclet_number(); in a shift, for the body that slides through, with
  // its sliding velocity.
  [[nodiscard]] double peclet_number(const StepInput& step, const ContactSolution& solution,
                                     const StepReport& report) const;

 private:
  [[nodiscard]] std::array<double, 2> slide_of(const StepInput& step,
                                               const ContactSolution& solution,
                                               const StepReport& report) const;
  [[nodiscard]] HeatPulse moved(const StepInput& step, const ContactSolution& solution,
                                const StepReport& report) const;
  void add(const InfluenceTable& table, const std::vector<double>& flux, std::vector<double>& sum);
  // The windows of a step and of all kept steps, newest first.
  [[nodiscard]] std::vector<HeatWindow> windows_of(std::size_t body, const HeatPulse& now) const;
  [[nodiscard]] InfluenceTable table_of(std::size_t body, const HeatWindow& window) const;
  void share(const std::array<InfluenceTable, 2>& now, const std::vector<std::size_t>& contact,
             const std::vector<double>& power, HeatedStep& heated);
  std::vector<double> solve_share(const InfluenceTable& table,
                                  const std::vector<std::size_t>& contact,
                                  const CpuBackend::Array<double>& wanted);
  void merge_old();
  void merge_equal();
  void merge_least();
  void merge(std::vector<HeatPulse>::iterator pair);  // with the pulse after it

  ContactProblem problem_;  // without geometry and steps
  HeatRequest& request_ = *problem_.surface.heat;
  const Grid& grid_ = problem_.grid;
  // all steps roll in one direction: material that has left the grid does not return
  bool one_way_;
  std::array<HeatedMaterial, 2> material_;
  std::vector<HeatPulse> pulses_;  // oldest first
  std::unique_ptr<CpuFftConvolution> convolution_;
};

}  // namespace slipfield
