// SPDX-License-Identifier: Apache-2.0
// The spectrum of a symmetric table in a quarter of the memory that its whole transform takes, some
// rows and some columns at a time: for grids of which the whole does not fit.
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

#include "gpu/fft/spectrum.h"

namespace slipfield {

// Writes `rows` rows of the table, nx numbers each, starting with row `first`; row numbers are
// modulo ny.
using FillTableRows = std::function<void(int first, int rows, double* table)>;

// Whether the spectrum is made so: one of two dimensions that is a real quarter, of cuFFT's shapes
// and of large ones. The others keep the bits of a whole transform.
bool transforms_in_quarters(const DeviceSpectrum& spectrum);

// A row of an even table has a real transform, of an odd one an imaginary one, and so has a column
// of these: half of the rows, and of each one number per column, are all that is kept (THEORY.md
// 2.6).
void transform_quarter(const FillTableRows& fill, DeviceSpectrum& spectrum, cudaStream_t stream);

}  // namespace slipfield
