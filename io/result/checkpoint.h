// SPDX-License-Identifier: Apache-2.0
// Finished steps of a run and the state to continue from, kept next to the result while the run
// lasts: "out.h5.checkpoint/" next to "out.h5".
//
// The folder holds parts, HDF5 files of some consecutive steps each (steps-0001-0004.h5: reports of
// all of them, fields of those that the result will hold), and the state after the last step
// (state-0004.h5), which is empty where steps leave nothing to the next. Each file is written under
// a temporary name, brought to the disk and renamed, so that a run that is killed at any moment
// leaves whole files only. A part without its state is as good as none. Each file ends with a
// checksum (io/checksum.h), so that a byte that has changed is found.
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

// What the folder holds; last_step is 0 where no step was finished.
struct Checkpoint {
  struct Step {
    StepReport report;  // without its history; of a wheelset outcome and message alone
    std::shared_ptr<const WheelRecord> wheel{};  // null: of one contact
  };
  int last_step = 0;
  std::string program;  // version and commit
  std::string case_yaml;
  std::string backend;
  std::string device;
  SolverState state;
  std::vector<Step> steps;                   // 1 to last_step
  std::vector<std::filesystem::path> parts;  // whose steps ResultWriter::import_steps takes
};

// A step as it was solved: input and report of one contact, or the whole wheelset.
struct FinishedStep {
  StepInput input;
  StepReport report;
  std::shared_ptr<SolvedWheelset> wheelset{};
  std::vector<std::string> warnings{};  // of the wheelset
};

std::string checkpoint_program();  // Checkpoint::program of this program

class CheckpointFolder {
 public:
  // `inputs`: files that the run reads, which are never removed.
  explicit CheckpointFolder(const std::filesystem::path& result,
                            std::vector<std::filesystem::path> inputs = {});
  // Gives the folder back; removes it where it is empty.
  ~CheckpointFolder();
  CheckpointFolder(const CheckpointFolder&) = delete;
  CheckpointFolder& operator=(const CheckpointFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  // Where the result is written until it is complete.
  [[nodiscard]] std::filesystem::path unfinished_result() const;
  // Whether there is a finished step or point in it.
  [[nodiscard]] bool holds_anything() const;
  // The step that a run continues after from the files that are there now, by their names: 0
  // without a state, nothing where a part before the state is missing.
  [[nodiscard]] std::optional<int> continues_after() const;
  // Parts by their numbers, "points-0001.h5". For a sweep: sweep files, each with the table so far
  // and the fields of the points that finished since the part before.
  [[nodiscard]] std::map<int, std::filesystem::path> numbered_parts() const;
  [[nodiscard]] std::filesystem::path numbered_part(int number) const;
  // Throws InputError where a byte of the part has changed since it was written.
  void require_sound(const std::filesystem::path& part) const;

  // Makes the folder where there is none and holds it until the end. Throws InputError where
  // another run holds it.
  void hold();

  // Throws InputError where the folder is damaged. Files that no state belongs to are removed.
  [[nodiscard]] Checkpoint read();

  // A step has finished; it is part of the next write().
  void add(FinishedStep step);
  // Writes all steps added since the last time, their fields from `writer`, and the state.
  void write(const ResultHeader& header, const ResultWriter& writer, const SolverState& state);

  // Removes what is in the folder, and the folder at the end.
  void clear();

 private:
  void remove_unfinished() const;
  [[nodiscard]] InputError damaged(const Error& error) const;
  // A file of ours that may go: by its contents, and not the run's input.
  [[nodiscard]] bool may_remove(const std::filesystem::path& file) const;
  void remove_except(const std::set<std::filesystem::path>& kept) const;

  std::filesystem::path path_;
  std::vector<std::filesystem::path> inputs_;
  int descriptor_ = -1;  // of the folder, locked; -1: not held
  int last_written_ = 0;
  std::vector<FinishedStep> added_;
};

}  // namespace slipfield
