// SPDX-License-Identifier: Apache-2.0
// Points of a sweep that are solved many at a time: small contacts (solver/batch/batch.h); and
// positions of a wheel on a rail on GPUs, each in a thread of its own, the contacts that they wait
// for being collected into batches (solver/batch/contact_queue.h).
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
  // The points of this batch that are done so far, from any thread; false ends it.
  std::function<bool(std::size_t done)> goes_on;
  std::function<void()> throw_if_ended;  // between batches
  std::function<void(int number, PointResult result)> keep;
};

// Solves the points of the range that are not done, up to the first whose contact the batch does
// not take. Keeps those that converge; the others are the single solver's, which has more methods,
// and so are all where the GPU has no room for a batch.
void solve_points_together(const SettledBackend& backend, const PointRange& range,
                           const PointsTogether& sweep);

struct PositionsTogether {
  // One for each GPU; none where points have solvers of their own: on the CPU, where the cores are
  // as busy without, and for contacts that batches do not take.
  std::vector<std::shared_ptr<ContactQueue>> queues;
  int at_a_time = 0;  // points

  // The backend of one of the threads.
  [[nodiscard]] SettledBackend backend_of(const SettledBackend& backend, int thread) const;
};

// `keeps_fields`: the result has fields, which batches do not return. asked: points at a time; 0:
// as many as the machine takes. otherwise: points at a time where they are not solved together.
PositionsTogether positions_together(const CaseFile& file, const SettledBackend& backend,
                                     bool keeps_fields, int asked, int otherwise);

// Reads points of a sweep, from any thread.
class PointReader {
 public:
  explicit PointReader(const CaseFile& sweep);
  // `hdf5` is held where the point may name a file of HDF5, which allows one thread at a time. A
  // wheel's position names none.
  CaseFile read(int number, std::mutex& hdf5);

 private:
  const CaseSweep& sweep_;
  bool together_;
  HeightsFiles files_;
};

// Calls work(thread) with numbers from 0 in `count` threads, or in fewer where the machine has no
// more. Waits for them.
void run_in_threads(int count, const std::function<void(int thread)>& work);

}  // namespace slipfield
