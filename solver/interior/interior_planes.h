// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements on planes of constant depth, at all element centres of a free grid,
// by FFT (THEORY.md 12.5).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/grid.h"
#include "solver/interior/interior_response.h"
#include "solver/material.h"
#include "solver/solution.h"

namespace slipfield {

// Which components are formed; the cost is proportional to their number.
enum class InteriorNeed { stress, stress_and_displacement };

class InteriorPlanes {
 public:
  // The solution outlives the object. Throws InputError where this machine lacks the memory.
  InteriorPlanes(const Grid& grid, const ElasticBody& material, Body body,
                 const ContactSolution& solution, InteriorNeed need);

  // Forms the plane at the depth >= 0; the one before is gone.
  void compute(double depth);
  // A component of the last plane: mx my values, x fastest, in the axes and signs of the contact
  // (stress [force/length^2], tension positive; displacement [length]).
  [[nodiscard]] const std::vector<double>& component(int component) const {
    return planes_[static_cast<std::size_t>(component)];
  }

  static std::size_t memory_bytes(const Grid& grid, InteriorNeed need);

 private:
  void tabulate(double depth);
  [[nodiscard]] InfluenceTable table(int load, int component) const;

  Grid grid_;
  ElasticBody material_;
  Body body_;
  int components_;
  std::vector<int> loads_;  // those that are not zero everywhere
  std::array<const double*, kLoads> tractions_;
  CpuFftConvolution convolution_;
  std::vector<InteriorResponse> quarter_;  // at differences of positions from 0 on
  std::array<std::vector<double>, kInteriorComponents> planes_;
};

}  // namespace slipfield
