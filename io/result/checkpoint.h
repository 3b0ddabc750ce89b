// SPDX-License-Identifier: Apache-2.0
// Keeps finished steps of a run and the state to continue from next to the result while the run
// lasts: "out.h5.checkpoint/" next to "out.h5".
//
// The folder holds parts, HDF5 files of consecutive steps (steps-0001-0004.h5: reports of all of
// them, fields of those that the result will hold), and the state after the last step
// (state-0004.h5), which is empty if steps leave nothing to the next. Each file is written under a
// temporary name, flushed to disk and renamed, so that a run killed at any moment leaves only whole
// files. A part without its state is ignored. Each file ends with a checksum (io/checksum.h) that
// reveals changed bytes.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "io/result/writer.h"
#include "solver/contact_solver.h"
#include "solver/error.h"

namespace slipfield {

struct WheelRecord;

// The contents of the folder; last_step is 0 if no step was finished.
struct Checkpoint {
  struct Step {
    StepReport report;  // without its history; for a wheelset only outcome and message
    std::shared_ptr<const WheelRecord> wheel{};  // null: of one contact
  };
  int last_step = 0;
  std::string program;  // version and commit
  std::string case_yaml;
  std::vector<std::string> inputs;  // ResultHeader::inputs
  std::string backend;
  std::string device;
  SolverState state;
  std::vector<Step> steps;                   // 1 to last_step
  std::vector<std::filesystem::path> parts;  // input of ResultWriter::import_steps
};

// A solved step: input and report of one contact, or the whole wheelset.
struct FinishedStep {
  StepInput input;
  StepReport report;
  std::shared_ptr<SolvedWheelset> wheelset{};
  std::vector<std::string> warnings{};  // of the wheelset
};

std::string checkpoint_program();  // Checkpoint::program of this program

// For readers of a result that is not there; names the checkpoint of its run if there is one.
InputError no_such_result(const std::filesystem::path& path);

class CheckpointFolder {
 public:
  // `inputs`: files that the run reads; they are never removed.
  explicit CheckpointFolder(const std::filesystem::path& result,
                            std::vector<std::filesystem::path> inputs = {});
  // Releases the folder and removes it if it is empty.
  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // The path of the result until it is complete.
  [[nodiscard]] std::filesystem::path unfinished_result() const;
  // Returns whether the folder has a finished step or point.
  [[nodiscard]] bool holds_anything() const;
  // The step after which a run would continue, judging by the names of the files there now: 0
  // without a state, nothing if a part before the state is missing.
  [[nodiscard]] std::optional<int> continues_after() const;
  // Parts by number, "points-0001.h5": sweep files, each with the table so far and the fields of
  // the points finished since the previous part.
  [[nodiscard]] std::map<int, std::filesystem::path> numbered_parts() const;
  [[nodiscard]] std::filesystem::path numbered_part(int number) const;
  // Throws InputError if a byte of the part has changed since it was written.
  void require_sound(const std::filesystem::path& part) const;

  // Makes the folder if necessary and locks it until destruction. Throws InputError if another run
  // holds it.
  void hold();

  // Throws InputError if the folder is damaged. Removes files that belong to no state.
  [[nodiscard]] Checkpoint read();

  // Adds a finished step to the next write().
  void add(FinishedStep step);
  // Writes all steps added since the last call, with their fields from `writer`, and the state.
  void write(const ResultHeader& header, const ResultWriter& writer, const SolverState& state);

  // Removes the contents of the folder, and the folder on destruction.
  void clear();

 private:
  void remove_unfinished() const;
  [[nodiscard]] InputError damaged(const Error& error) const;
  // True for a file of ours, judging by its contents, that is not the run's input.
  [[nodiscard]] bool may_remove(const std::filesystem::path& file) const;
  void remove_except(const std::set<std::filesystem::path>& kept) const;

  std::filesystem::path path_;
  std::vector<std::filesystem::path> inputs_;
  int descriptor_ = -1;  // of the folder, locked; -1: not held
  int last_written_ = 0;
  std::vector<FinishedStep> added_;
};

}  // namespace slipfield
