// SPDX-License-Identifier: Apache-2.0
// Launchers of a batch on the GPU; host compilers include this.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "gpu/batch/batch_shape.h"
#include "solver/batch/family.h"
#include "solver/batch/small_contact.h"
#include "solver/host_device.h"

namespace slipfield {

// What contacts of one grid share, in device memory.
struct BatchGrid {
  BatchShape shape;
  bool exact_shared = true;  // as BatchRoom has them
  bool rough_shared = true;
  const FrequencyPair* pairs = nullptr;
  int pair_count = 0;
  const double* twiddles = nullptr;  // complex: of the rows, then of the columns
};

// A family whose transforms are wanted: any grid of its lengths of transform will do.
struct FamilyItem {
  BatchFamily family;
  int grid = 0;
  char* spectra = nullptr;  // family_bytes(pair_count)
};

// One contact: what to solve, on which grid, by which family's spectra.
struct BatchItem {
  SmallTask task;
  int grid = 0;
  char* spectra = nullptr;
  const double* shape = nullptr;  // its undeformed distance or pressure
  const double* start = nullptr;  // a pressure to start from, or null
  std::size_t fields = 0;         // its place in the fields that leave the kernel
};

// Fields that leave the kernel, mx my values for each contact; null: not wanted.
struct BatchFieldsOut {
  double* pressure = nullptr;
  double* traction = nullptr;  // pairs
  unsigned char* state = nullptr;
};

// Memory of each block of a launch: the largest amount that any of its contacts needs.
struct BatchLaunch {
  const BatchGrid* grids = nullptr;
  std::size_t shared_bytes = 0;
  std::size_t own_bytes = 0;     // of a padded grid: BatchRoom
  std::size_t fields_bytes = 0;  // batch_fields_bytes()
  char* memory = nullptr;        // of `blocks` blocks, block_bytes() each
  int blocks = 0;

  [[nodiscard]] SLIPFIELD_HD std::size_t block_bytes() const { return own_bytes + fields_bytes; }
};

// Whether two blocks with so much dynamic shared memory fit a multiprocessor. Contacts for which
// they do are launched apart from the others.
bool is_small_block(std::size_t shared_bytes);

// The spectra of all families, one block each.
void launch_family_spectra(const BatchLaunch& launch, const FamilyItem* families, int count,
                           cudaStream_t stream);

// Blocks that are at work at a time.
int batch_blocks(std::size_t shared_bytes);
// What a block keeps of a contact in device memory.
std::size_t batch_fields_bytes(const BatchShape& shape);

// Solves `count` contacts, all small or none. taken: a counter, 0 before the launch.
void launch_batch(const BatchLaunch& launch, const BatchItem* items, int count, int* taken,
                  SmallResult* results, const BatchFieldsOut& fields, cudaStream_t stream);

}  // namespace slipfield
