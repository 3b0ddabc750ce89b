// SPDX-License-Identifier: Apache-2.0
// Planes inside a body on the CPU (THEORY.md 12.5).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/cpu/cpu_fft_convolution.h"
#include "solver/interior/interior_planes.h"
#include "solver/interior/interior_response.h"
#include "solver/interior/parity_transform.h"

namespace slipfield {

class CpuInteriorPlanes final : public InteriorPlanes {
 public:
  // The solution outlives the object. Throws InputError where this machine has too little memory.
  CpuInteriorPlanes(const InteriorTask& task, const ContactSolution& solution);

  void compute(double depth) override;
  [[nodiscard]] const std::vector<double>& component(int component) override {
    return planes_[static_cast<std::size_t>(component)];
  }
  [[nodiscard]] const std::vector<double>& measure(InteriorQuantity quantity) override;

  static std::size_t memory_bytes(const Grid& grid, InteriorNeed need);

 private:
  // What a load does to a component, for a depth.
  struct Table {
    int load = 0;
    int component = 0;
    std::vector<double> quarter;  // at differences of positions from 0 on
    Spectrum spectrum;
  };
  void tabulate(double depth);
  void transform_tables();
  void update_measures();

  InteriorTask task_;
  int components_;
  CpuFftConvolution convolution_;
  ParityTransform transform_;
  std::vector<const double*> loads_;  // those that are not zero everywhere
  std::vector<Table> tables_;         // of each of them, each component
  std::array<std::vector<double>, kInteriorComponents> planes_;
  std::array<std::vector<double>, kStressMeasures> measures_;
};

}  // namespace slipfield
