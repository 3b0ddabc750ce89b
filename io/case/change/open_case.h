// SPDX-License-Identifier: Apache-2.0
// A case whose values change while it is solved: by the paths of its keys, with the reader's own
// checks and sentences.
//
// Loads (friction, normal, tangential; of a wheel on a rail friction, and of wheel_rail side,
// track, wheelset and forces) may change before every step. Values set are like one more entry of
// `steps`, put over each entry that follows. Everything else is fixed once a step has run.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/change/override.h"
#include "io/case/reader.h"
#include "io/case/step_task.h"
#include "io/case/text.h"
#include "io/heights/files.h"
#include "solver/plausibility.h"

namespace slipfield {

// The value of a key: YAML, in one line or more.
struct KeyValue {
  std::string key;  // "tangential.x.creepage", "steps.0.normal"
  std::string value;
};
// The shortest YAML that reads back as the same number.
std::string yaml_number(double value);

// A case in YAML with other steps than its own, and nothing to expect. Where none of them rolls in
// time a wheel's case has no lattice when it is read again, whatever the case had.
std::string resolved_case(CaseFile file, const std::vector<StepTask>& steps);

class OpenCase {
 public:
  // Throws CaseError. `files`: with the arrays that the case names. `diagnostics`: what was found
  // wrong with the text so far.
  OpenCase(std::unique_ptr<CaseText> text, HeightsFiles files, CaseDiagnostics& diagnostics);
  // The case as it is now, which goes its own way; places in its messages are those of the other
  // one, which outlives it.
  OpenCase(const OpenCase& other);
  OpenCase& operator=(const OpenCase&) = delete;
  ~OpenCase() = default;

  [[nodiscard]] const ContactProblem& problem() const { return file_.problem; }
  [[nodiscard]] bool is_wheel() const { return file_.wheel_rail != nullptr; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return file_.warnings; }
  // Doubts about the loads that were set, other than the case's own; for the step last asked for.
  [[nodiscard]] const std::vector<std::string>& step_warnings();
  // The warnings that hold of that step as well: where it was set, not those of the positions of
  // a wheel that the case has itself.
  [[nodiscard]] const std::vector<std::string>& lasting_warnings() const {
    return lasting_warnings_ ? *lasting_warnings_ : file_.warnings;
  }
  // As it was read, without the loads that were set since.
  [[nodiscard]] const CaseFile& file() const { return file_; }

  // The loads of a step, from 1: of the case's sequence, repeats counted, and beyond its end those
  // of its last entry; what was set over them.
  [[nodiscard]] const StepTask& step(int number);
  [[nodiscard]] int steps_in_case() const { return count_; }

  // All of them or none, in order. `step`: the number of the one that comes next; after the first
  // only loads. True: more than loads has changed. Throws CaseError or InputError, and the case
  // stays as it was.
  bool set(const std::vector<KeyValue>& changes, int step);

  // An array that the case names as `array:NAME`, in place of the one before.
  void set_array(const std::string& name, std::shared_ptr<const Heights> values, int step);

  // Everything set so far, loads and other keys; arrays are not included.
  struct Values {
    YamlNode tree;
    YamlNode set;
    std::map<std::string, std::string> numbers;
    int readings = 0;
  };
  [[nodiscard]] Values values() const { return {text_->tree, set_, numbers_, readings_}; }
  // Makes every set() since undone. True: more than loads has changed.
  bool take_back(Values values);

  // The value of a key at a step, with everything that was left to defaults. Throws InputError for
  // a path that leads nowhere.
  [[nodiscard]] std::string value(std::string_view key, int step);

  // The whole case in YAML, with these steps for its own.
  [[nodiscard]] std::string resolved(const std::vector<StepTask>& steps) const {
    return resolved_case(file_, steps);
  }

 private:
  [[nodiscard]] std::size_t entry_of(int step) const;
  void read();
  void read(CaseDiagnostics& diagnostics);
  void read_anew(int step, const YamlNode& loads);
  // Throws InputError: the key is fixed once a step has run.
  void refuse_late(const KeyValue& change, const std::vector<PathSegment>& path);
  bool set_numbers(const std::vector<KeyValue>& changes, int step);
  void take_numbers();
  void set_loads(const YamlNode& change, int step);
  [[nodiscard]] StepTask task_of(std::size_t entry) const;
  [[nodiscard]] bool is_load(const KeyValue& change, const std::vector<PathSegment>& path) const;
  [[nodiscard]] YamlNode over_set(const YamlNode& change, std::size_t entry) const;
  void read_over(const YamlNode& change, std::size_t entry);
  void forget_step();  // of the case as it was
  void come_to(std::optional<std::size_t> entry);
  [[nodiscard]] std::vector<Finding> doubts_of(const StepInput& step) const;
  struct StepWarnings {
    std::vector<std::string> own;      // that the case does not have
    std::vector<std::string> lasting;  // of the case's, those that hold of the step
  };
  [[nodiscard]] StepTask read_wheel_over(const YamlNode& change, std::size_t entry,
                                         StepWarnings& warnings) const;

  std::unique_ptr<CaseText> text_;
  mutable HeightsFiles files_;
  CaseFile file_;
  int count_ = 0;
  int readings_ = 0;                            // of the text
  YamlNode set_;                                // the loads that were set; a map
  std::map<std::string, std::string> numbers_;  // that were set since, in step_ and not yet in set_
  // Cache of the entry asked for last.
  std::optional<std::size_t> entry_;
  StepTask step_;
  // None: not looked for yet.
  std::optional<std::vector<std::string>> step_warnings_ = std::vector<std::string>();
  std::optional<std::vector<Finding>> entry_doubts_;          // of the case's own entry
  std::optional<std::vector<std::string>> lasting_warnings_;  // none: all
  std::optional<YamlNode> resolved_;  // of value(), as long as nothing changes
};

}  // namespace slipfield
