// SPDX-License-Identifier: Apache-2.0
// The transforms of a family's coefficients in device memory, in the order of the pairs of
// frequencies (gpu/batch/batch_shape.h): what the CPU keeps in CpuFamilySpectra
// (solver/batch/cpu_products.h), 152 bytes a pair.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "solver/host_device.h"

namespace slipfield {

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

}  // namespace slipfield
