// SPDX-License-Identifier: Apache-2.0
// The GPUs of a host that share the rows of a grid, as MPI's communicator does it for ranks: a host
// thread for each, which meet, add up in the order of the cards, and order their streams by one
// another's. A device may be named several times: it then stands for several cards.
//
// Calls marked "together" are made by all cards in the same order, from the work of each(). Where
// one card fails, the others leave the call that they wait in.
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

// Another card of the team has failed; that one's own error is the one to report.
class TeamFailed : public Error {
 public:
  TeamFailed() : Error("another GPU of the run failed") {}
};

class CardTeam final : public CardSharing {
 public:
  // One or more devices by their numbers, each of which can run the program. Lets them read one
  // another's memory where they can. Throws Error.
  explicit CardTeam(std::vector<int> devices);
  ~CardTeam() override = default;
  CardTeam(const CardTeam&) = delete;
  CardTeam& operator=(const CardTeam&) = delete;

  [[nodiscard]] int count() const override { return static_cast<int>(devices_.size()); }
  [[nodiscard]] int device(int card) const override {
    return devices_[static_cast<std::size_t>(card)];
  }

  // work(card) on a thread for each, which has its device; card 0 on this thread. Where some fail,
  // all have ended and their streams are empty before the error of the first of these is thrown, a
  // GPU's own with its number; from then on each() throws.
  void each(const std::function<void(int card)>& work);

  // All have come. Together.
  void meet();
  // Sums over the cards, added in their order: the same bits on each. Together.
  void add_up(int card, std::span<double> values);
  double greatest(int card, double value) override;
  std::vector<void*> tell(int card, void* address) override;
  void join(int card, cudaStream_t stream) override;

  // What copy gives, on each card, of a field that the first one has. The team holds the field
  // until all have copied: where one fails, others may still be at it. Together.
  template <class Copy>
  std::vector<double> copy_of_first(int card, std::vector<double> field, const Copy& copy) {
    if (card == 0) field_of_first_ = std::move(field);
    meet();
    std::vector<double> own = copy(std::as_const(field_of_first_));
    meet();
    if (card == 0) std::vector<double>().swap(field_of_first_);
    return own;
  }

  // The values of all cards, one card's after the other's. Together.
  std::vector<double> gather(int card, const std::vector<double>& own);

  // Fetches the rows of fields on the whole grid that this card asks for, which differ by card:
  // copies from device to device, on `stream`. Together.
  void fetch_rows(int card, const Grid& grid, const RowRange& wanted,
                  std::span<const RowsOfField> fields, cudaStream_t stream);

  // Where the cards leave their sums of the next operation for one another: kCardSums each, in host
  // memory that every device reaches. Two places in turn: what runs after a join() may still read
  // the place of the operation before. Together.
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
  std::atomic<bool> failed_ = false;  // for good
};

}  // namespace slipfield
