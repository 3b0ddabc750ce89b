// SPDX-License-Identifier: Apache-2.0
// Writes a step on a separate thread while the next one is solved.
//
// HDF5 allows one thread at a time: no other thread may call it between begin() and take().
#pragma once

#include <future>

#include "app/run/step_session.h"
#include "io/case/reader.h"
#include "io/result/writer.h"

namespace slipfield {

class WriteBehind {
 public:
  // The writer must outlive this object. The destructor waits for a step that is being written.
  explicit WriteBehind(ResultWriter& writer) : writer_(&writer) {}

  // Starts ResultWriter::write_step; no other step may be waiting.
  void begin(StepRecord step, ContactSolution solution);
  [[nodiscard]] bool waits() const { return written_.valid(); }
  // Returns true if a step is written and take() returns at once.
  [[nodiscard]] bool is_done() const;
  // Waits until the step is written and returns it. Rethrows errors of the writing.
  StepRecord take();

 private:
  struct Written {
    StepRecord step;
    double seconds = 0.0;  // spent on writing
  };

  ResultWriter* writer_;
  std::future<Written> written_;
};

// Returns whether a run of the case writes behind. Not for a wheel; nor on several ranks, which
// write together; nor on several GPUs, which fetch their fields together; nor with an interior,
// which is computed while it is written; and only if free memory, beyond the run's own estimated
// needs, holds a step's fields three times: being written, being fetched, and waiting.
// that is fetched and one that is held.
bool can_write_behind(const CaseFile& case_file, const SettledBackend& backend);

}  // namespace slipfield
