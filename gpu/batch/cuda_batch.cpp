// SPDX-License-Identifier: Apache-2.0
// A batch on the GPU: contacts of one grid shape in pieces of a few thousand, each block of the
// kernel taking one contact after another. Mirrors solver/batch/cpu_batch.cpp.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "gpu/batch/batch_kernels.h"
#include "gpu/batch/family_spectra.h"
#include "gpu/cuda_device.h"
#include "gpu/device/cuda_stream.h"
#include "gpu/device/current_device.h"
#include "gpu/device/device_array.h"
#include "solver/batch/batch_task.h"

namespace slipfield {
namespace {

constexpr std::size_t kPieceContacts = 8192;
constexpr std::size_t kPieceFamilies = 1024;
constexpr std::size_t kStaticShared = 16 * 1024;  // what the kernels hold beside the padded grid
constexpr const char* kTooLarge =
    "a multiprocessor of this GPU has too little shared memory for the contact's grid";

// exp(-2 pi i k/n) of the rows, then of the columns, as pairs.
std::vector<double> twiddles_of(const BatchShape& shape) {
  std::vector<double> values;
  for (const int n : {shape.nx, shape.ny}) {
    for (int k = 0; k < n; ++k) {
      const double angle = -2.0 * std::numbers::pi * k / n;
      values.push_back(std::cos(angle));
      values.push_back(std::sin(angle));
    }
  }
  return values;
}

// An array that grows and is never made anew for less.
template <class T>
class Grown {
 public:
  T* of(std::size_t count) {
    if (array_.size() < count) {
      array_ = DeviceArray<T>();
      array_ = DeviceArray<T>(count);
    }
    return array_.data();
  }
  T* upload(const std::vector<T>& host, cudaStream_t stream) {
    of(host.size());
    array_.upload(host, stream);
    return array_.data();
  }
  void download(T* host, std::size_t count, cudaStream_t stream) const {
    array_.download(host, count, stream);
  }

 private:
  DeviceArray<T> array_;
};

// Contacts of one launch, and the families and undeformed distances that they need.
struct Piece {
  std::vector<std::size_t> contacts;
  std::vector<BatchItem> items;
  std::vector<BatchFamily> families;
  std::vector<double> distances;
};

class CudaBatch {
 public:
  CudaBatch(const ContactBatch& batch, const BatchOptions& options)
      : batch_(batch), options_(options), plan_(plan_batch(batch)) {
    result_.reports.resize(batch.contacts.size());
    for (StepReport& report : result_.reports) fail(report, kBatchEnded);
    if (options.fields) result_.fields.resize(batch.contacts.size());
  }

  BatchSolution run() {
    std::map<std::pair<int, int>, std::vector<std::size_t>> by_shape;
    for (const std::size_t i : plan_.order) {
      const Grid& grid = batch_.contacts[i].grid;
      by_shape[{grid.mx, grid.my}].push_back(i);
    }
    const std::size_t most = current_limits().shared_per_block;
    for (const auto& [size, contacts] : by_shape) {
      const BatchShape shape = batch_shape(size.first, size.second);
      if (batch_shared_bytes(shape) + kStaticShared > most) {
        for (const std::size_t i : contacts) fail(result_.reports[i], kTooLarge);
        continue;
      }
      prepare(shape);
      for (std::size_t next = 0; next < contacts.size();) {
        const Piece piece = take_piece(contacts, next);
        solve(piece);
        next += piece.contacts.size();
        done_ += piece.contacts.size();
        if (options_.progress && !options_.progress(done_)) return std::move(result_);
      }
    }
    return std::move(result_);
  }

 private:
  void prepare(const BatchShape& shape) {
    const std::vector<FrequencyPair> pairs = frequency_pairs(shape);
    launch_.shape = shape;
    launch_.pairs = pairs_.upload(pairs, stream_.get());
    launch_.pair_count = static_cast<int>(pairs.size());
    launch_.twiddles = twiddles_.upload(twiddles_of(shape), stream_.get());
    blocks_ = batch_blocks(shape);
    memory_.of(static_cast<std::size_t>(blocks_) * batch_memory_bytes(shape));
  }

  // The contacts from `first` on that one launch takes.
  Piece take_piece(const std::vector<std::size_t>& contacts, std::size_t first) const {
    Piece piece;
    std::map<std::size_t, int> families;
    std::map<std::size_t, int> shapes;
    SelfCoefficients self;
    for (std::size_t k = first; k < contacts.size() && k - first < kPieceContacts; ++k) {
      const std::size_t i = contacts[k];
      const BatchContact& contact = batch_.contacts[i];
      const BatchFamily& family = plan_.families[plan_.family[i]];
      const auto [place, new_family] =
          families.try_emplace(plan_.family[i], static_cast<int>(piece.families.size()));
      if (new_family) {
        if (piece.families.size() == kPieceFamilies) break;
        piece.families.push_back(family);
        self = self_coefficients(family);
      }
      const auto [shape, new_shape] =
          shapes.try_emplace(contact.shape, static_cast<int>(shapes.size()));
      if (new_shape) {
        const std::vector<double>& h = batch_.shapes[contact.shape];
        piece.distances.insert(piece.distances.end(), h.begin(), h.end());
      }
      piece.contacts.push_back(i);
      piece.items.push_back({task_of(contact, family, self), place->second, shape->second});
    }
    return piece;
  }

  void solve(const Piece& piece) {
    const auto begin = std::chrono::steady_clock::now();
    const cudaStream_t stream = stream_.get();
    const std::size_t count = piece.contacts.size();
    launch_.spectra = spectra_.of(piece.families.size() *
                                  family_bytes(static_cast<std::size_t>(launch_.pair_count)));
    launch_family_spectra(launch_, families_.upload(piece.families, stream),
                          static_cast<int>(piece.families.size()), stream);
    const std::size_t elements =
        static_cast<std::size_t>(launch_.shape.mx) * static_cast<std::size_t>(launch_.shape.my);
    BatchFieldsOut fields;
    if (options_.fields)
      fields = {pressure_.of(count * elements), traction_.of(2 * count * elements),
                state_.of(count * elements)};
    int* const taken = taken_.upload({0}, stream);
    launch_batch(launch_, items_.upload(piece.items, stream), static_cast<int>(count),
                 distances_.upload(piece.distances, stream), memory_.of(0), blocks_, taken,
                 results_.of(count), fields, stream);
    host_results_.resize(count);
    results_.download(host_results_.data(), count, stream);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    for (std::size_t k = 0; k < count; ++k) {
      const BatchContact& contact = batch_.contacts[piece.contacts[k]];
      StepReport report = report_of(contact, piece.items[k].task, host_results_[k]);
      report.seconds = seconds / static_cast<double>(count);
      result_.reports[piece.contacts[k]] = std::move(report);
    }
    if (options_.fields) keep_fields(piece, elements);
  }

  void keep_fields(const Piece& piece, std::size_t elements) {
    const std::size_t count = piece.contacts.size();
    const cudaStream_t stream = stream_.get();
    std::vector<double> pressure(count * elements);
    std::vector<double> traction(2 * count * elements);
    std::vector<unsigned char> state(count * elements);
    pressure_.download(pressure.data(), pressure.size(), stream);
    traction_.download(traction.data(), traction.size(), stream);
    state_.download(state.data(), state.size(), stream);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = piece.contacts[k];
      result_.fields[i] =
          fields_of(batch_.contacts[i], pressure.data() + k * elements,
                    traction.data() + 2 * k * elements, state.data() + k * elements);
    }
  }

  const ContactBatch& batch_;
  const BatchOptions& options_;
  BatchPlan plan_;
  BatchSolution result_;
  std::size_t done_ = 0;
  CudaStream stream_;
  BatchLaunch launch_;
  int blocks_ = 0;
  Grown<FrequencyPair> pairs_;
  Grown<double> twiddles_, distances_, pressure_, traction_;
  Grown<char> memory_, spectra_;
  Grown<BatchFamily> families_;
  Grown<BatchItem> items_;
  Grown<SmallResult> results_;
  Grown<unsigned char> state_;
  Grown<int> taken_;
  std::vector<SmallResult> host_results_;
};

}  // namespace

BatchSolution solve_batch_on_cuda(const ContactBatch& batch, const BatchOptions& options,
                                  int device) {
  require_cuda_device(cuda_status(), device);
  const OnDevice here(device);
  return CudaBatch(batch, options).run();
}

}  // namespace slipfield
