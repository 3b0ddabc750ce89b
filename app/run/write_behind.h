// SPDX-License-Identifier: Apache-2.0
// Writes a step on a thread of its own while the next one is solved.
//
// HDF5 is for one thread at a time: between begin() and take() no other thread calls it.
#pragma once

#include <future>

#include "app/run/step_session.h"
#include "io/case/reader.h"
#include "io/result/writer.h"

namespace slipfield {

class WriteBehind {
 public:
  // The writer outlives it. The destructor waits for a step that is being written.
  explicit WriteBehind(ResultWriter& writer) : writer_(&writer) {}

  // As ResultWriter::write_step; while no other step waits.
  void begin(StepRecord step, ContactSolution solution);
  [[nodiscard]] bool waits() const { return written_.valid(); }
  // A step waits, and take() has it at once.
  [[nodiscard]] bool is_done() const;
  // Returns the step that waits, once it is written. Throws what its writing threw.
  StepRecord take();

 private:
  struct Written {
    StepRecord step;
    double seconds = 0.0;  // of the writing
  };

  ResultWriter* writer_;
  std::future<Written> written_;
};

// Whether a run of the case writes behind. Not of a wheel; not on several ranks, which write
// together; not on several GPUs, which fetch their fields together; not with an interior, which is
// computed while it is written; and only where the machine has free, next to what the run is
// estimated to take in its memory, three times the fields of a step: of one that is written, one
// that is fetched and one that is held.
bool can_write_behind(const CaseFile& case_file, const SettledBackend& backend);

}  // namespace slipfield
