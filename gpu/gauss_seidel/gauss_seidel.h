// SPDX-License-Identifier: Apache-2.0
// gauss_seidel on one GPU, exactly: the iterates of the plain sequential sweep, to rounding.
//
// Mirrors solver/cpu/cpu_gauss_seidel.h. One cooperative launch does one or more sweeps, with the
// same bits in every run. Units: tractions [force/length^2], slip [length], coefficients
// [length^3/force]. For the layout of the work see gpu/gauss_seidel/panels.cuh, for the cost of an
// element gpu/gauss_seidel/chain.cuh: on an H200 0.12 us, whatever the contact's size, up to 65,536
// elements.
//
// The tractions agree with the CPU's to 1e-12 (tests/gpu/gpu_gauss_seidel.cpp). Slip is updated
// only in contact; the CPU's sweep also updates it outside. Memory in addition to the fields and
// the tables: 80 bytes per element in contact, 4 bytes per element of the grid.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <vector>

#include "gpu/device/device_array.h"
#include "solver/fields/tangential_ops.h"
#include "solver/grid.h"

namespace slipfield {

class GaussSeidelSweeper {
 public:
  explicit GaussSeidelSweeper(const Grid& grid, cudaStream_t stream = nullptr);

  // Selects the elements in contact: those not exterior in device_state. The tables, from tractions
  // to slip (gpu/summation/coefficient_table.h), must outlive the sweeps. Waits for the device
  // once.
  void set_contact(const double* device_xx, const double* device_xy, const double* device_yy,
                   const unsigned char* device_state, SweepOrder order);

  // One sweep with over-relaxation 0 < relaxation < 2; tractions, slip and state are updated in
  // contact. Waits for the device once.
  SweepChange sweep(const TangentialFields& device_fields, double relaxation);

  // `count` sweeps with one wait; returns each sweep's change. One launch if the contact has at
  // least four panels (97 elements).
  std::vector<SweepChange> sweeps(const TangentialFields& device_fields, double relaxation,
                                  int count);

  // The same without the wait, for timing; `count` <= kMaxCount. The changes stay on the device.
  void launch(const TangentialFields& device_fields, double relaxation, int count);
  static constexpr int kMaxCount = 64;

  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(elements_); }

 private:
  Grid grid_;
  cudaStream_t stream_;
  int most_owners_ = 0;  // blocks that keep the slip
  int elements_ = 0;
  const double* tables_[3] = {nullptr, nullptr, nullptr};  // xx, xy, yy

  // By element in sweep order.
  DeviceArray<int> index_;                  // into the grid
  DeviceArray<int2> offsets_;               // into the tables: as receiver, as source
  DeviceArray<double2> slip_;               // kept by its owner during a launch
  DeviceArray<double2> snapshot_;           // slip without the last two panels' changes
  DeviceArray<double2> changes_;            // of the tractions; two sweeps alternate
  DeviceArray<unsigned> ready_;             // by panel: the sweep whose snapshot is ready
  DeviceArray<unsigned long long> solved_;  // panels solved since construction
  DeviceArray<SweepChange> sums_;           // by sweep of a launch
  DeviceArray<int> counts_;                 // scratch of set_contact
  DeviceArray<int> selected_;
  unsigned sweeps_done_ = 0;
  unsigned long long panels_done_ = 0;
};

}  // namespace slipfield
