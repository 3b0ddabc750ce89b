// SPDX-License-Identifier: Apache-2.0
// The sweep as [deReus2010] ran it on a GPU, kept for `bench`: one launch per element, two fused
// inner products over the contact.
#pragma once

#include <cuda_runtime_api.h>

#include <vector>

#include "gpu/device/device_array.h"
#include "solver/fields/tangential_ops.h"

namespace slipfield {

class StudyGaussSeidel {
 public:
  // contact: the elements' indices in sweep order; tables as in gpu/gauss_seidel/gauss_seidel.h.
  StudyGaussSeidel(int mx, int my, const std::vector<int>& contact, const double* device_xx,
                   const double* device_xy, const double* device_yy);

  // One sweep, asynchronous. slip_x, slip_y: the slip that the tractions do not make, unchanged;
  // every element's slip is summed again.
  void sweep(const TangentialFields& device_fields, double relaxation, cudaStream_t stream);

 private:
  int mx_;
  int my_;
  std::vector<int> contact_;
  DeviceArray<int> device_contact_;
  const double* tables_[3];
  int blocks_;
  DeviceArray<double2> partial_;
  DeviceArray<unsigned> ticket_;
};

}  // namespace slipfield
