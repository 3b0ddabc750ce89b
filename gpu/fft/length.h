// SPDX-License-Identifier: Apache-2.0
// Lengths that the shared-memory transform of gpu/fft/block.cuh takes, and the passes of each.
//
// n = 16 m, m = 2^a, 3 2^a, 5 2^a, 9 2^a, 15 2^a: the next length is at most 1.25 times (mostly
// 1.125 times) what is asked. Longest: 8192, one column of which fills a multiprocessor's shared
// memory.
#pragma once

#include <cstddef>
#include <vector>

#include "gpu/device/device_limits.h"
#include "solver/host_device.h"

namespace slipfield {

inline constexpr int kFftMaxLength = 8192;
inline constexpr int kFftMaxThreads = 512;  // of a block: 8192 points at 16 a thread
inline constexpr int kFftMaxPasses = 8;     // behind the first one

// A thread keeps `per_thread` = 4, 8 or 16 points in registers. Passes: radix per_thread, then
// `middle` (0: none), then radix per_thread again, `finals` times. Few points per thread mean many
// threads, many short passes and little code: low latency. Many mean few trips through shared
// memory: high throughput.
struct FftLength {
  int n = 0;
  int per_thread = 0;
  int middle[2] = {0, 0};
  int finals = 0;
};

// True where n is a length of the family. With 4 points per thread all of them work, with 8 the
// multiples of 64, with 16 the multiples of 256.
bool fft_length_supported(int n);
bool fft_length_supported(int n, int per_thread);

// Shortest length >= least; 0 where least > kFftMaxLength.
int fft_length_at_least(int least);

// Passes of length n, which must be supported.
FftLength fft_length(int n, int per_thread);

// cos and -sin of 2 pi j/(spacing radix), j < spacing, pass after pass behind the first one
// (spacing: product of the radices before): interleaved.
std::vector<double> fft_twiddles(const FftLength& length);

// Number of complex numbers in fft_twiddles().
int fft_twiddle_count(const FftLength& length);

// Shared memory is padded by one point every per_thread points, so that the strided writes of a
// pass spread over the banks. Every stride of a pass is a multiple of per_thread (fft_length sees
// to it), so a padded address is a base and a multiple of a padded stride.
SLIPFIELD_HD constexpr int fft_pad_shift(int per_thread) {
  return per_thread == 16 ? 4 : (per_thread == 8 ? 3 : 2);
}

// Points of shared memory of one transform: = 3 mod 8, so that neighbouring transforms of a block
// start in different banks.
constexpr int fft_shared_stride(int n, int per_thread) {
  const int padded = n + (n >> fft_pad_shift(per_thread));
  return padded + ((3 - padded) % 8 + 8) % 8;
}

// Bytes of a block that transforms `group` rows or columns.
std::size_t fft_shared_bytes(const FftLength& length, int group);

// Whether a block of the card can transform that length with `per_thread` points per thread;
// without per_thread: with any number of points.
bool fft_length_fits(int n, int per_thread, const DeviceLimits& card);
bool fft_length_fits(int n, const DeviceLimits& card);

}  // namespace slipfield
