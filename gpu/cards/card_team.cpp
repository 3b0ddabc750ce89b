// SPDX-License-Identifier: Apache-2.0
#include "gpu/cards/card_team.h"

#include <algorithm>
#include <exception>
#include <string>
#include <thread>

#include "gpu/device/current_device.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/shared_rows.h"

namespace slipfield {
namespace {

// Adds the number of the GPU to its error if there are several.
[[noreturn]] void throw_of_card(const std::exception_ptr& failure, int device) {
  const std::string which = "GPU " + std::to_string(device) + ": ";
  try {
    std::rethrow_exception(failure);
  } catch (const BackendLost& error) {
    throw BackendLost(which + error.what());
  } catch (const CudaError& error) {
    throw CudaError(which + error.what());
  } catch (const CudaOutOfMemory& error) {
    throw Error(which + error.what(), error.exit_code());
  }
}

bool is_of_another(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const TeamFailed&) {
    return true;
  } catch (...) {
    return false;
  }
}

// Copies between devices may still be running when an error ends the work.
void empty_streams() noexcept {
  cudaDeviceSynchronize();
  cudaGetLastError();
}

}  // namespace

RowRange slab_rows(int card, int cards, int rows) { return ranks::rows_of(card, cards, rows); }

CardTeam::CardTeam(std::vector<int> devices)
    : devices_(std::move(devices)),
      sums_(2 * devices_.size() * kCardSums * sizeof(double)),
      turns_(devices_.size(), 0),
      sum_turns_(devices_.size(), 0),
      values_(devices_.size()),
      addresses_(devices_.size()),
      rows_asked_(devices_.size()) {
  let_read_one_another();
  for (const int device : devices_) {
    const OnDevice here(device);
    events_.emplace_back();
  }
}

// Arrays come from the devices' own pools (allocate_on_device), which grant access to other devices
// one by one.
void CardTeam::let_read_one_another() {
  for (const int owner : devices_) {
    const OnDevice here(owner);
    cudaMemPool_t pool = nullptr;
    SLIPFIELD_CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, owner));
    for (const int reader : devices_) {
      int can = 0;
      if (reader == owner) continue;
      SLIPFIELD_CUDA_CHECK(cudaDeviceCanAccessPeer(&can, reader, owner));
      if (can == 0) continue;  // copies then go through the host
      cudaMemAccessDesc access{};
      access.location.type = cudaMemLocationTypeDevice;
      access.location.id = reader;
      access.flags = cudaMemAccessFlagsProtReadWrite;
      SLIPFIELD_CUDA_CHECK(cudaMemPoolSetAccess(pool, &access, 1));
    }
  }
}

void CardTeam::each(const std::function<void(int card)>& work) {
  if (failed_) throw TeamFailed();
  std::vector<std::exception_ptr> failures(devices_.size());
  const auto run = [&](int card) {
    const auto k = static_cast<std::size_t>(card);
    try {
      const OnDevice here(devices_[k]);
      try {
        work(card);
      } catch (...) {
        failures[k] = std::current_exception();
        failed_ = true;
        empty_streams();
      }
    } catch (...) {
      if (!failures[k]) failures[k] = std::current_exception();
      failed_ = true;
    }
  };
  std::vector<std::thread> others;
  others.reserve(devices_.size());
  for (int card = 1; card < count() && !failed_; ++card) {
    try {
      others.emplace_back(run, card);
    } catch (...) {  // no thread for it: those that wait for this card leave
      failures[static_cast<std::size_t>(card)] = std::current_exception();
      failed_ = true;
    }
  }
  run(0);
  for (std::thread& other : others) other.join();
  std::size_t first = devices_.size();
  for (std::size_t k = devices_.size(); k-- > 0;) {
    if (!failures[k]) continue;
    if (first == devices_.size() || !is_of_another(failures[k])) first = k;
  }
  if (first != devices_.size()) throw_of_card(failures[first], devices_[first]);
}

void CardTeam::meet() {
  const unsigned meeting = meetings_.load();
  if (arrived_.fetch_add(1) + 1 == count()) {
    arrived_ = 0;
    meetings_.fetch_add(1);
  }
  while (meetings_.load() == meeting) {
    if (failed_) throw TeamFailed();
    std::this_thread::yield();
  }
}

void CardTeam::add_up(int card, std::span<double> values) {
  values_[static_cast<std::size_t>(card)].assign(values.begin(), values.end());
  meet();
  std::fill(values.begin(), values.end(), 0.0);
  for (const std::vector<double>& part : values_) {
    for (std::size_t k = 0; k < values.size(); ++k) values[k] += part[k];
  }
  meet();
}

double CardTeam::greatest(int card, double value) {
  values_[static_cast<std::size_t>(card)].assign(1, value);
  meet();
  value = values_.front().front();  // in one order: a NaN has to give the same result on all cards
  for (const std::vector<double>& part : values_) value = std::max(value, part.front());
  meet();
  return value;
}

std::vector<void*> CardTeam::tell(int card, void* address) {
  addresses_[static_cast<std::size_t>(card)] = address;
  meet();
  std::vector<void*> all = addresses_;
  meet();
  return all;
}

std::vector<double> CardTeam::gather(int card, const std::vector<double>& own) {
  std::vector<double>& mine = values_[static_cast<std::size_t>(card)];
  mine = own;
  meet();
  std::vector<double> all;
  for (const std::vector<double>& part : values_) all.insert(all.end(), part.begin(), part.end());
  meet();
  mine.clear();
  mine.shrink_to_fit();
  return all;
}

void CardTeam::fetch_rows(int card, const Grid& grid, const RowRange& wanted,
                          std::span<const RowsOfField> fields, cudaStream_t stream) {
  // The lists remain unchanged until the second join().
  rows_asked_[static_cast<std::size_t>(card)].assign(fields.begin(), fields.end());
  join(card, stream);
  for (int k = 1; k <= count(); ++k) {
    const int other = (card + k) % count();
    const std::vector<RowsOfField>& list = rows_asked_[static_cast<std::size_t>(other)];
    const RowRange theirs = slab_rows(other, count(), grid.my);
    each_common_part(theirs, wanted, grid.my, [&](const CommonRows& rows) {
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const std::size_t element = fields[f].element_bytes;
        const auto* const from =
            static_cast<const unsigned char*>(list[f].own) + grid.index(0, rows.in_own) * element;
        auto* const to = static_cast<unsigned char*>(fields[f].fetched) +
                         grid.index(0, rows.in_wanted) * element;
        const std::size_t bytes = grid.index(0, rows.count) * element;
        if (from == to) continue;
        if (device(other) == device(card))
          SLIPFIELD_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
        else
          SLIPFIELD_CUDA_CHECK(
              cudaMemcpyPeerAsync(to, device(card), from, device(other), bytes, stream));
      }
    });
  }
  join(card, stream);
}

// Each card alternates between two events: one is recorded again only after all have waited for it,
// which they confirm by coming to the next meeting.
void CardTeam::join(int card, cudaStream_t stream) {
  const auto k = static_cast<std::size_t>(card);
  const auto turn = static_cast<std::size_t>(turns_[k]);
  turns_[k] = 1 - turns_[k];
  SLIPFIELD_CUDA_CHECK(cudaEventRecord(events_[k][turn].get(), stream));
  meet();
  for (std::size_t other = 0; other < devices_.size(); ++other)
    if (other != k)
      SLIPFIELD_CUDA_CHECK(cudaStreamWaitEvent(stream, events_[other][turn].get(), 0));
}

}  // namespace slipfield
