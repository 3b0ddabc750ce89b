// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend/backend_kit.h"

#include <omp.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <mutex>
#include <utility>

#include "gpu/device/cuda_check.h"

namespace slipfield {

namespace {

constexpr std::size_t kPiece = std::size_t{4} << 20U;
constexpr std::size_t kLeastStaged = 4 * kPiece;  // less than that CUDA copies by itself
constexpr std::size_t kManyValues = 8192;         // of a field: several threads copy

// One thread does not keep up with the bus.
void put(char* to, const char* from, std::size_t bytes) {
  constexpr std::size_t kBlock = std::size_t{1} << 20U;
  const auto blocks = static_cast<std::ptrdiff_t>((bytes + kBlock - 1) / kBlock);
#pragma omp parallel for num_threads(std::min(4, omp_get_max_threads()))
  for (std::ptrdiff_t i = 0; i < blocks; ++i) {
    const std::size_t begin = static_cast<std::size_t>(i) * kBlock;
    std::memcpy(to + begin, from + begin, std::min(kBlock, bytes - begin));
  }
}

}  // namespace

void StagedDownload::copy(void* host, const void* device, std::size_t bytes, cudaStream_t stream) {
  if (bytes == 0) return;
  if (bytes < kLeastStaged) {
    SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream));
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
    return;
  }
  make_staging();
  const std::array<CudaEvent, 2> arrived;
  auto* const to = static_cast<char*>(host);
  const auto* const from = static_cast<const char*>(device);
  const auto size = [&](std::size_t k) { return std::min(kPiece, bytes - k * kPiece); };
  const auto place = [&](std::size_t k) {
    return static_cast<char*>(staging_->get()) + k % 2 * kPiece;
  };
  const auto begin = [&](std::size_t k) {
    SLIPFIELD_CUDA_CHECK(
        cudaMemcpyAsync(place(k), from + k * kPiece, size(k), cudaMemcpyDeviceToHost, stream));
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(arrived[k % 2].get(), stream));
  };
  const std::size_t pieces = (bytes + kPiece - 1) / kPiece;
  begin(0);
  for (std::size_t k = 0; k < pieces; ++k) {
    if (k + 1 < pieces) begin(k + 1);
    SLIPFIELD_CUDA_CHECK(cudaEventSynchronize(arrived[k % 2].get()));
    put(to + k * kPiece, place(k), size(k));
  }
}

void StagedDownload::copy_fields(const std::vector<FieldCopy>& fields, std::size_t count,
                                 cudaStream_t stream) {
  const std::size_t at_once = count > 0 ? 2 * kPiece / (count * sizeof(double)) : 0;
  if (at_once < 2) {
    for (const FieldCopy& field : fields) {
      *field.host = make_host_values<double>(count);
      copy(field.host->data(), field.values, count * sizeof(double), stream);
    }
    return;
  }
  make_staging();
  auto* const staging = static_cast<double*>(staging_->get());
  for (std::size_t first = 0; first < fields.size(); first += at_once) {
    const std::size_t here = std::min(at_once, fields.size() - first);
    for (std::size_t k = 0; k < here; ++k)
      SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(staging + k * count, fields[first + k].values,
                                           count * sizeof(double), cudaMemcpyDeviceToHost, stream));
    for (std::size_t k = 0; k < here; ++k) fields[first + k].host->reserve(count);
    SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));
    // Touching new memory takes longer than the copies. With all threads, as elsewhere: OpenMP makes
    // them again for another number.
#pragma omp parallel for if (count >= kManyValues)
    for (std::size_t k = 0; k < here; ++k)
      fields[first + k].host->assign(staging + k * count, staging + (k + 1) * count);
  }
}

void StagedDownload::make_staging() {
  if (!staging_) staging_ = std::make_unique<PinnedMemory>(2 * kPiece);
}

void advise_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t kPage = std::uintptr_t{2} << 20U;
  if (bytes < 8 * kPage) return;
  const auto address = reinterpret_cast<std::uintptr_t>(memory);
  const std::uintptr_t first = (address + kPage - 1) / kPage * kPage;
  const std::uintptr_t end = (address + bytes) / kPage * kPage;
  static_cast<void>(madvise(static_cast<char*>(memory) + (first - address), end - first,
                            MADV_HUGEPAGE));  // refused: ordinary pages
}

namespace {

struct KitShelf {
  std::mutex mutex;
  std::vector<std::unique_ptr<BackendKit>> kits;
};

KitShelf& kit_shelf() {
  static auto* const shelf = new KitShelf;
  return *shelf;
}

}  // namespace

BackendKit::BackendKit() {
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  workspace.zero(stream.get());
}

BackendKitLoan::BackendKitLoan() {
  int device = 0;
  SLIPFIELD_CUDA_CHECK(cudaGetDevice(&device));
  {
    KitShelf& shelf = kit_shelf();
    const std::lock_guard lock(shelf.mutex);
    const auto found = std::find_if(shelf.kits.begin(), shelf.kits.end(),
                                    [device](const auto& kit) { return kit->device == device; });
    if (found != shelf.kits.end()) {
      kit_ = std::move(*found);
      shelf.kits.erase(found);
    }
  }
  if (!kit_) kit_ = std::make_unique<BackendKit>();
}

BackendKitLoan::~BackendKitLoan() {
  if (std::uncaught_exceptions() > 0) return;
  kit_->replay.drop();
  KitShelf& shelf = kit_shelf();
  const std::lock_guard lock(shelf.mutex);
  shelf.kits.push_back(std::move(kit_));
}

}  // namespace slipfield
