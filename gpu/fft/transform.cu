// SPDX-License-Identifier: Apache-2.0
#include "gpu/fft/transform.h"

#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "gpu/device/device_array.h"

namespace slipfield {

namespace {

using fft_detail::FftKernels;

FftKernels kernels_for(int per_thread) {
  using namespace fft_detail;
  return per_thread == 4 ? fft_kernels_4() : (per_thread == 8 ? fft_kernels_8() : fft_kernels_16());
}

template <class Kernel>
void allow_shared_memory(Kernel* kernel, const DeviceLimits& card) {
  SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(card.shared_per_block)));
}

void allow_shared_memory(const FftKernels& kernels, const DeviceLimits& card) {
  for (auto* kernel : kernels.rows_forward) allow_shared_memory(kernel, card);
  for (auto* kernel : kernels.rows_inverse) allow_shared_memory(kernel, card);
  for (const auto& coupled : kernels.columns)
    for (auto* kernel : coupled) allow_shared_memory(kernel, card);
  for (auto* kernel : kernels.single_columns) allow_shared_memory(kernel, card);
  for (auto* kernel : kernels.line) allow_shared_memory(kernel, card);
  allow_shared_memory(kernels.spectrum, card);
}

FftTransform make_transform(int n, int per_thread, const DeviceLimits& card) {
  FftTransform made;
  if (!fft_length_fits(n, per_thread, card)) return made;
  made.length = fft_length(n, per_thread);
  made.kernels = kernels_for(per_thread);
  allow_shared_memory(made.kernels, card);
  DeviceArray<double> twiddles;
  const std::vector<double> host = fft_twiddles(made.length);
  if (!host.empty()) twiddles = DeviceArray<double>(host);
  made.pass = make_fft_pass(made.length, reinterpret_cast<const double2*>(twiddles.release()));
  made.usable = true;
  return made;
}

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

void set_group(FftSide& side, int group) {
  side.group = group;
  side.threads = round_up(side.pass().threads * group, 32);
  side.shared_bytes = fft_shared_bytes(side.transform->length, group);
}

}  // namespace

const FftTransform& fft_transform(int n, int index, const DeviceLimits& card) {
  static std::mutex guard;
  static std::map<std::tuple<int, int, int>, FftTransform> known;
  int device = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  const std::lock_guard<std::mutex> lock(guard);
  const std::tuple<int, int, int> key(device, n, index);
  auto found = known.find(key);
  if (found == known.end())
    found = known.emplace(key, make_transform(n, kFftPerThread[index], card)).first;
  return found->second;
}

// With many transforms, fewer trips through shared memory win. The bounds follow from a product's
// time [us] by points per thread (rows, columns), NVIDIA H200, CUDA 13.0:
//                    (4,4)  (4,8)  (8,8) (8,16) (16,16)
//   128^2 normal       8.4    8.6   10.0   12.0    15.2
//   256^2 normal      11.7   10.6   10.8   16.5    20.0
//   256^2 tangential  17.3   14.3   14.0   18.1    22.8
//   512^2 normal      26.1   20.8   19.9   21.8    21.3
//   512^2 tangential  56.5   41.7   34.4   30.7    34.0
//  1024^2 normal       116     78   55.7   52.6    48.3
//  2048^2 normal         -      -    265    226     202
int choose_fft_rows(int n, int pairs, int fields) {
  const double points = static_cast<double>(n) * pairs * fields;
  return points <= 1.2e5 ? 0 : (points <= 6.0e5 ? 1 : 2);
}
int choose_fft_columns(int n, int columns, int fields) {
  const double points = static_cast<double>(n) * columns * fields;
  return points <= 1.0e5 ? 0 : (points <= 8.0e5 ? 1 : 2);
}

int nearest_usable(const FftSide (&sides)[3], int index) {
  int found = index;
  while (found < 3 && !sides[found].usable()) ++found;
  if (found == 3)
    for (found = index; !sides[found].usable();) --found;
  return found;
}

FftSide fft_column_side(int n, int columns, int index, const DeviceLimits& card) {
  FftSide side{&fft_transform(n, index, card)};
  if (!side.usable()) return side;
  // Enough columns for a warp or two; with few columns prefer more blocks.
  int group = 1;
  const int wanted = columns >= 1024 ? 128 : 32;
  while (side.pass().threads * group * 2 <= wanted && group < columns &&
         fft_shared_bytes(side.transform->length, 2 * group) <= card.shared_per_block)
    group *= 2;
  set_group(side, group);
  return side;
}

FftSide fft_row_side(int n, int rows, int index, const DeviceLimits& card) {
  FftSide side{&fft_transform(n, index, card)};
  if (!side.usable()) return side;
  // Four pairs write whole 128-byte lines; take fewer if that would leave multiprocessors idle.
  int pairs = 4;
  const auto fits = [&](int count) {
    return side.pass().threads * count <= kFftMaxThreads &&
           fft_shared_bytes(side.transform->length, count) <= card.shared_per_block;
  };
  const auto fills = [&](int count) {
    return (rows + 2 * count - 1) / (2 * count) >= 2 * card.multiprocessors;
  };
  while (pairs > 1 && !(fits(pairs) && fills(pairs))) pairs /= 2;
  while (side.pass().threads * pairs < 32 && pairs < 16 && 2 * pairs < rows && fits(2 * pairs))
    pairs *= 2;
  set_group(side, pairs);
  return side;
}

}  // namespace slipfield
