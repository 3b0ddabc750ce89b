// SPDX-License-Identifier: Apache-2.0
#include "gpu/backend/backend_kit.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

#include "gpu/device/cuda_check.h"

namespace slipfield {

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
