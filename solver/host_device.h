// SLIPFIELD_HD marks an inline function that a CPU loop and a CUDA kernel call alike.
#pragma once

#if defined(__CUDACC__)
#define SLIPFIELD_HD __host__ __device__
#else
#define SLIPFIELD_HD
#endif
