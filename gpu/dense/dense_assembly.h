// SPDX-License-Identifier: Apache-2.0
// Assembles dense matrices of the elements in contact from the coefficient tables, in device
// memory. Mirrors solver/cpu/cpu_dense.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include "solver/fields/newton_ops.h"

namespace slipfield {

// Elements of a contact (device pointer) within a grid of mx x my.
struct DenseContact {
  const int* elements = nullptr;
  int count = 0;
  int mx = 0;
  int my = 0;
};

// A_nn, column by column; asynchronous.
void assemble_normal(const DenseContact& contact, const double* nn, double* matrix,
                     cudaStream_t stream);

// newton's Jacobian; unknowns: x of all elements, y of all, and the rigid slips whose force is
// given.
void assemble_jacobian(const DenseContact& contact, const double* xx, const double* xy,
                       const double* yy, const NewtonFields& f, double* matrix,
                       cudaStream_t stream);

}  // namespace slipfield
