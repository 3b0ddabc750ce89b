// SPDX-License-Identifier: Apache-2.0
// Solves many points of a sweep at a time: small contacts in batches (solver/batch/batch.h), and
// positions of a wheel on a rail on GPUs, each in its own thread, with their contacts collected
// into batches (solver/batch/contact_queue.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "app/run/solver_factory.h"
#include "app/run/sweep/sweep_point.h"
#include "io/case/reader.h"
#include "io/heights/files.h"
#include "io/result/sweep_table.h"
#include "solver/batch/contact_queue.h"

namespace slipfield {

struct PointsTogether {
  std::function<bool(int number)> is_done;
  std::function<CaseFile(int number)> read;
  // Called from any thread with the points of this batch done so far; returning false ends it.
  std::function<bool(std::size_t done)> goes_on;
  std::function<void()> throw_if_ended;  // between batches
  std::function<void(int number, PointResult result)> keep;
};

// Solves the unfinished points of the range, up to the first whose contact the batch does not
// accept, and keeps those that converge. The single solver, which has more methods, solves the
// others, and all of them if the GPU has no room for a batch.
void solve_points_together(const SettledBackend& backend, const PointRange& range,
                           const PointsTogether& sweep);

struct PositionsTogether {
  // One per GPU; empty if each point has its own solver: on the CPU, whose cores are busy anyway,
  // and for contacts that batches do not accept.
  std::vector<std::shared_ptr<ContactQueue>> queues;
  int at_a_time = 0;  // points

  // The backend of a thread.
  [[nodiscard]] SettledBackend backend_of(const SettledBackend& backend, int thread) const;
};

// `keeps_fields`: the result has fields, which batches do not return. asked: points at a time; 0:
// decided by the machine. otherwise: points at a time if they are not solved together.
PositionsTogether positions_together(const CaseFile& file, const SettledBackend& backend,
                                     bool keeps_fields, int asked, int otherwise);

// Reads points of a sweep from any thread.
class PointReader {
 public:
  explicit PointReader(const CaseFile& sweep);
  // Locks `hdf5` if the point may name an HDF5 file, since HDF5 allows one thread at a time. A
  // wheel's position names none.
  CaseFile read(int number, std::mutex& hdf5);

 private:
  const CaseSweep& sweep_;
  bool together_;
  HeightsFiles files_;
};

}  // namespace slipfield
