// SPDX-License-Identifier: Apache-2.0
// The GPUs of a host that share the rows of a grid, like MPI's communicator for ranks: a host
// thread for each. They synchronise, add values in the order of the cards, and order their streams
// by each other's events. A device named several times stands for several cards.
//
// All cards make the calls marked "together" in the same order, from the work of each(). If one
// card fails, the others leave the call in which they wait.
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "gpu/cards/slab_product.h"
#include "gpu/device/device_array.h"
#include "gpu/device/element_launch.h"
#include "solver/fields/own_rows.h"

namespace slipfield {

// Thrown because another card of the team has failed; report that card's own error.
class TeamFailed : public Error {
 public:
  TeamFailed() : Error("another GPU of the run failed") {}
};

class CardTeam final : public CardSharing {
 public:
  // devices: numbers of one or more GPUs, all of which can run the program. Enables access to each
  // other's memory if possible. Throws Error.
  explicit CardTeam(std::vector<int> devices);
  ~CardTeam() override = default;
  CardTeam(const CardTeam&) = delete;
  CardTeam& operator=(const CardTeam&) = delete;

  [[nodiscard]] int count() const override { return static_cast<int>(devices_.size()); }
  [[nodiscard]] int device(int card) const override {
    return devices_[static_cast<std::size_t>(card)];
  }

  // Runs work(card) on one thread per card, with its device current; card 0 on the calling thread.
  // If some fail, waits until all have ended with empty streams, then throws the error of the first
  // of them (a GPU's own error with its number); after that each() always throws.
  void each(const std::function<void(int card)>& work);

  // Waits until all cards have come. Together.
  void meet();
  // Sums over the cards, added in their order: the same bits on each. Together.
  void add_up(int card, std::span<double> values);
  double greatest(int card, double value) override;
  std::vector<void*> tell(int card, void* address) override;
  void join(int card, cudaStream_t stream) override;

  // Returns on each card what `copy` makes of a field of the first card. The team holds the field
  // until all have copied: if one card fails, others may still be copying. Together.
  template <class Copy>
  std::vector<double> copy_of_first(int card, std::vector<double> field, const Copy& copy) {
    if (card == 0) field_of_first_ = std::move(field);
    meet();
    std::vector<double> own = copy(std::as_const(field_of_first_));
    meet();
    if (card == 0) std::vector<double>().swap(field_of_first_);
    return own;
  }

  // The values of all cards, in the order of the cards. Together.
  std::vector<double> gather(int card, const std::vector<double>& own);

  // Fetches rows of fields on the whole grid from device to device on `stream`; each card requests
  // its own rows. Together.
  void fetch_rows(int card, const Grid& grid, const RowRange& wanted,
                  std::span<const RowsOfField> fields, cudaStream_t stream);

  // Place for this card's sums of the next operation, kCardSums in host memory that every device
  // reaches. Two places alternate: work after a join() may still read the place of the previous
  // operation. Together.
  [[nodiscard]] double* sums(int card) {
    int& turn = sum_turns_[static_cast<std::size_t>(card)];
    turn = 1 - turn;
    return static_cast<double*>(sums_.get()) +
           static_cast<std::size_t>(turn) * devices_.size() * kCardSums;
  }

 private:
  void let_read_one_another();

  std::vector<int> devices_;
  PinnedMemory sums_;
  std::deque<std::array<CudaEvent, 2>> events_;  // of each card, in turn
  std::vector<int> turns_;                       // of each card's events
  std::vector<int> sum_turns_;                   // of each card's places for sums
  std::vector<std::vector<double>> values_;      // of each card, to add up
  std::vector<double> field_of_first_;
  std::vector<void*> addresses_;
  std::vector<std::vector<RowsOfField>> rows_asked_;  // of each card, by fetch_rows()
  std::atomic<int> arrived_ = 0;
  std::atomic<unsigned> meetings_ = 0;
  std::atomic<bool> failed_ = false;  // permanently
};

}  // namespace slipfield
