// SPDX-License-Identifier: Apache-2.0
// Launchers of a batch on the GPU. Host compilers may include this.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

#include "gpu/batch/batch_shape.h"
#include "solver/batch/family.h"
#include "solver/batch/small_contact.h"
#include "solver/gradient/small_adjoint.h"
#include "solver/host_device.h"

namespace slipfield {

// The transforms of a family's coefficients in device memory, in the order of the pairs of
// frequencies (gpu/batch/batch_kernels.h). Corresponds to the CPU's CpuFamilySpectra
// (solver/batch/cpu_team.h), 152 bytes a pair.
struct FamilySpectra {
  double2* displacement = nullptr;  // xx, xy, yy one behind the other
  double2* slip = nullptr;
  float2* rough = nullptr;
  float2* inverse = nullptr;  // xx, yy
  double* normal = nullptr;
  double* normal_inverse = nullptr;
};

SLIPFIELD_HD inline std::size_t family_bytes(std::size_t pairs) {
  constexpr std::size_t kPair = 6 * sizeof(double2) + 5 * sizeof(float2) + 2 * sizeof(double);
  return (kPair * pairs + 255) / 256 * 256;
}

SLIPFIELD_HD inline FamilySpectra family_spectra(char* memory, std::size_t pairs) {
  FamilySpectra f;
  f.displacement = reinterpret_cast<double2*>(memory);
  f.slip = f.displacement + 3 * pairs;
  f.normal = reinterpret_cast<double*>(f.slip + 3 * pairs);
  f.normal_inverse = f.normal + pairs;
  f.rough = reinterpret_cast<float2*>(f.normal_inverse + pairs);
  f.inverse = f.rough + 3 * pairs;
  return f;
}

// Data shared by contacts of one grid, in device memory.
struct BatchGrid {
  BatchShape shape;
  bool exact_shared = true;  // as BatchRoom has them
  bool rough_shared = true;
  const FrequencyPair* pairs = nullptr;
  int pair_count = 0;
  const double* twiddles = nullptr;  // complex: of the rows, then of the columns
};

// A family whose transforms are to be computed, for any grid with its lengths of transforms.
struct FamilyItem {
  BatchFamily family;
  int grid = 0;
  char* spectra = nullptr;  // family_bytes(pair_count)
};

// One contact: its problem, its grid, and the spectra of its family.
struct BatchItem {
  SmallTask task;
  int grid = 0;
  char* spectra = nullptr;
  const double* shape = nullptr;  // its undeformed distance or pressure
  const double* start = nullptr;  // a pressure to start from, or null
  std::size_t fields = 0;         // its place in the output fields
};

// Output fields, mx my values for each contact; null: not requested.
struct BatchFieldsOut {
  double* pressure = nullptr;
  double* traction = nullptr;  // pairs
  double* slip = nullptr;      // pairs, over dx; with the tractions, as the state
  unsigned char* state = nullptr;
};

// A solved contact and its scalars, which follow each other. All pointers are of the device.
struct AdjointItem {
  AdjointContact contact;
  int grid = 0;
  char* spectra = nullptr;
  int first_scalar = 0;
  int scalars = 0;
};
struct AdjointScalar {
  AdjointSeed seed;
  AdjointFieldsOut out;
};

// Memory of each block of a launch: the maximum over its contacts.
struct BatchLaunch {
  const BatchGrid* grids = nullptr;
  std::size_t shared_bytes = 0;
  std::size_t own_bytes = 0;     // of a padded grid: BatchRoom
  std::size_t fields_bytes = 0;  // batch_fields_bytes(), adjoint_fields_bytes()
  char* memory = nullptr;        // of `blocks` blocks, block_bytes() each
  int blocks = 0;

  [[nodiscard]] SLIPFIELD_HD std::size_t block_bytes() const { return own_bytes + fields_bytes; }
};

// Returns whether two blocks with this much dynamic shared memory fit on a multiprocessor. Contacts
// for which they do are launched separately.
bool is_small_block(std::size_t shared_bytes);

// Computes the spectra of all families, one block each.
void launch_family_spectra(const BatchLaunch& launch, const FamilyItem* families, int count,
                           cudaStream_t stream);

// Blocks that run at the same time.
int batch_blocks(std::size_t shared_bytes);
// Bytes of a contact's data that a block keeps in device memory, and those for its derivatives.
std::size_t batch_fields_bytes(const BatchShape& shape);

std::size_t adjoint_fields_bytes(const BatchShape& shape);

// Solves `count` contacts, all small or none. taken: a counter, 0 before the launch.
void launch_batch(const BatchLaunch& launch, const BatchItem* items, int count, int* taken,
                  SmallResult* results, const BatchFieldsOut& fields, cudaStream_t stream);
// The same for derivatives; the launch has adjoint_fields_bytes(). results: one of each scalar.
void launch_adjoints(const BatchLaunch& launch, const AdjointItem* items, int count, int* taken,
                     const AdjointScalar* scalars, AdjointResult* results, cudaStream_t stream);

}  // namespace slipfield
