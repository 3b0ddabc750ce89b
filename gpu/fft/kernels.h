// SPDX-License-Identifier: Apache-2.0
// Arguments and table of the kernels of gpu/fft/kernels.cuh; for gpu/fft/fft_product.cu.
#pragma once

#include <cuda_runtime.h>

#include "gpu/device/fields.h"
#include "gpu/fft/block.cuh"
#include "gpu/fft/spectrum.h"

namespace slipfield {
namespace fft_detail {

struct RowArguments {
  const double* in[kDirections];
  double* out[kDirections];
  double2* work[kDirections];
  int mx;
  int my;
  int pitch;         // of a column in `work`, in complex numbers
  int pairs;         // of rows per block, a power of two
  int pair_shift;    // log2(2 pairs)
  bool add;          // out +=
  int blocks_ahead;  // whose input to prefetch into L2; 0: all of it is there
  FftPass pass;
};

struct ColumnArguments {
  double2* work[kDirections];     // columns, in place; of float2 in single precision
  const double* in[kDirections];  // a line's field instead
  double* out[kDirections];
  bool takes[kDirections];
  bool gives[kDirections];
  SpectrumView spectrum[kDirections][kDirections];
  int my;
  int pitch;
  int columns;  // nx/2 + 1
  int columns_per_block;
  int blocks_ahead;
  bool add;
  FftPass pass;
};

// Transforms the columns of a table whose rows are transformed: work[kx][pitch], pitch >= ny.
struct SpectrumArguments {
  const double2* work;
  double* values;
  int pitch;
  int columns;  // nx/2 + 1
  int columns_per_block;
  int rows;              // ky that are kept
  std::size_t stride_x;  // as of SpectrumView
  bool real;             // one part is kept, the imaginary one or the real one
  bool imaginary;
  double scale;
  FftPass pass;
};

// [1]: for padded grids, whose fields fill at most half of a transform.
struct FftKernels {
  void (*rows_forward[2])(RowArguments);
  void (*rows_inverse[2])(RowArguments);
  void (*columns[3][2])(ColumnArguments);  // 1, 2, 3 components that couple
  // In single precision on padded grids; 1 and 2 components, without prefetching.
  void (*single_columns[2])(ColumnArguments);
  void (*line[3])(ColumnArguments);
  void (*spectrum)(SpectrumArguments);
};

FftKernels fft_kernels_4();  // 4 points per thread
FftKernels fft_kernels_8();
FftKernels fft_kernels_16();

}  // namespace fft_detail
}  // namespace slipfield
