// SPDX-License-Identifier: Apache-2.0
// Launchers of a batch on the GPU; host compilers include this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/batch/batch_shape.h"
#include "solver/batch/family.h"
#include "solver/batch/small_contact.h"

namespace slipfield {

// What the contacts of one launch share, in device memory.
struct BatchLaunch {
  BatchShape shape;
  const FrequencyPair* pairs = nullptr;
  int pair_count = 0;
  const double* twiddles = nullptr;  // complex: of the rows, then of the columns
  char* spectra = nullptr;           // family_bytes(pair_count) of each family
};

// One contact: what to solve, of which family, from which undeformed distance.
struct BatchItem {
  SmallTask task;
  int family = 0;
  int shape = 0;
};

// Fields that leave the kernel, mx my values for each contact; null: not wanted.
struct BatchFieldsOut {
  double* pressure = nullptr;
  double* traction = nullptr;  // pairs
  unsigned char* state = nullptr;
};

// The spectra of all families, one block each.
void launch_family_spectra(const BatchLaunch& launch, const BatchFamily* families, int count,
                           cudaStream_t stream);

// Blocks that are at work at a time, each with batch_memory_bytes() of device memory of its own.
int batch_blocks(const BatchShape& shape);
std::size_t batch_memory_bytes(const BatchShape& shape);

// Solves `count` contacts. taken: a counter, 0 before the launch.
void launch_batch(const BatchLaunch& launch, const BatchItem* items, int count,
                  const double* distances, char* memory, int blocks, int* taken,
                  SmallResult* results, const BatchFieldsOut& fields, cudaStream_t stream);

}  // namespace slipfield
