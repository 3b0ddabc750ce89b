// SPDX-License-Identifier: Apache-2.0
// Solves positions of a wheel on a rail in a sweep on GPUs: many at a time, each in a thread of its
// own; the contacts that they wait for are collected into batches (solver/batch/contact_queue.h).
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "app/run/solver_factory.h"
#include "io/case/reader.h"
#include "io/heights/files.h"
#include "solver/batch/contact_queue.h"

namespace slipfield {

struct PositionsTogether {
  // One for each GPU; none where points have solvers of their own: on the CPU, where the cores are
  // as busy without, and for contacts that batches do not take.
  std::vector<std::shared_ptr<ContactQueue>> queues;
  int at_a_time = 0;  // points

  // The backend of one of the threads.
  [[nodiscard]] SettledBackend backend_of(const SettledBackend& backend, int thread) const;
};

// `keeps_fields`: the result has fields, which batches do not return. asked: points at a time; 0: as
// many as the machine takes. otherwise: points at a time where they are not solved together.
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
