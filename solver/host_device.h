// SPDX-License-Identifier: Apache-2.0
// SLIPFIELD_HD marks an inline function that both a CPU loop and a CUDA kernel call.
// SLIPFIELD_TEAM marks one that is compiled for the GPU by nvcc, otherwise for the CPU.
#pragma once

#if defined(__CUDACC__)
#define SLIPFIELD_HD __host__ __device__
#define SLIPFIELD_TEAM __device__
#else
#define SLIPFIELD_HD
#define SLIPFIELD_TEAM
#endif
