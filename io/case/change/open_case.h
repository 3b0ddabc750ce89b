// SPDX-License-Identifier: Apache-2.0
// A case whose values change while it is solved, addressed by the paths of its keys, with the
// reader's own checks and messages.
//
// Loads may change before every step: friction, normal, tangential; for a wheel on a rail friction
// and wheel_rail's side, track, wheelset and forces. Values set act like one more entry of `steps`,
// put over each entry that follows. Everything else is fixed once a step has run. A batch sets them
// in the case itself instead, like --set and `sweep`.
//
// The curvatures of `hertz` and heat's `conduction: auto`, which a case takes from its steps,
// follow the loads that are set before the first step and stay in later ones.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/case/reader.h"
#include "io/case/step_task.h"
#include "io/case/text.h"
#include "io/heights/files.h"
#include "solver/plausibility.h"

namespace slipfield {

// The value of a key as YAML, in one or more lines.
struct KeyValue {
  std::string key;  // "tangential.x.creepage", "steps.0.normal"
  std::string value;
};
// The shortest YAML that reads back as the same number.
std::string yaml_number(double value);

// Writes a case with other steps than its own and without `expected`. What the case takes from its
// steps as a whole is written as `file` has it, in another notation if these steps would give
// another: `hertz` as the quadratic of its curvatures. If none of the steps is transient rolling, a
// wheel's case has no lattice when it is read again, even if the original had one.
std::string resolved_case(CaseFile file, const std::vector<StepTask>& steps);

// Whether the key is a load, which steps may change.
bool is_load_key(std::string_view key, bool wheel);
// Whether the first of the case's `steps` overrides a load of the root, so that this one changes
// nothing.
bool is_overridden_by_steps(const YamlNode& root, const std::vector<PathSegment>& path,
                            const std::string& key);

class OpenCase {
 public:
  // Throws CaseError. `files`: includes the arrays that the case names. `diagnostics`: the faults
  // found in the text so far.
  OpenCase(std::unique_ptr<CaseText> text, HeightsFiles files, CaseDiagnostics& diagnostics);
  // Copies the case as it is now; the copy then changes independently.
  OpenCase(const OpenCase&) = default;
  OpenCase& operator=(const OpenCase&) = delete;
  ~OpenCase() = default;

  [[nodiscard]] const ContactProblem& problem() const { return file_.problem; }
  [[nodiscard]] bool is_wheel() const { return file_.wheel_rail != nullptr; }
  [[nodiscard]] const std::vector<std::string>& warnings() const { return file_.warnings; }
  // Doubts about the loads that were set rather than read with the case, for the step last
  // requested.
  [[nodiscard]] const std::vector<std::string>& step_warnings();
  // The warnings that also hold for that step: if a wheel's position was set, those about the
  // case's own positions are left out.
  [[nodiscard]] const std::vector<std::string>& lasting_warnings() const {
    return lasting_warnings_ ? *lasting_warnings_ : file_.warnings;
  }
  // The case as read. The steps of its problem are those that a solver begins with: with the loads
  // set before the first step, but not those set since.
  [[nodiscard]] const CaseFile& file() const { return file_; }
  // The entries of its steps as read, without any load set since; of a wheel each with its
  // friction.
  [[nodiscard]] const std::vector<StepInput>& entries() const { return entries_; }

  // The loads of step `number`, from 1, with the values set over them: those of the case's
  // sequence, repeats counted, and after its end those of its last entry.
  [[nodiscard]] const StepTask& step(int number);
  [[nodiscard]] int steps_in_case() const { return count_; }

  enum class Loads {
    over_steps,  // override those of all steps that follow
    in_case      // change the case, like --set: entries of `steps` override them
  };
  // Applies all changes in order and replaces the arrays, which the case names as `array:NAME`; or
  // none of it. `step`: the number of the next step; after the first only loads may change, and
  // only over_steps. in_case: a load is set over the steps if one of its section was before; one
  // that the first of the `steps` overrides, so that it changes nothing, is refused. Returns true
  // if a solver of the case as it was cannot solve it now. Throws CaseError or InputError and
  // leaves the case unchanged.
  bool set(const std::vector<KeyValue>& changes, const std::vector<NamedArray>& arrays, int step,
           Loads loads = Loads::over_steps);
  // Gives the problem the steps with the loads set so far, for a solver that begins now, or those
  // of another solver, whose state one continues. Return true as set() does.
  bool follow_steps();
  bool follow_steps(std::vector<StepInput> steps);
  // What follow_steps() changes, and the way back.
  struct Followed {
    std::vector<StepInput> steps;
    std::vector<double> hertz_forces;  // of the shapes that have one, in order
  };
  [[nodiscard]] Followed followed() const;
  void take_back(Followed before);

  // Everything set so far, loads and other keys, except arrays.
  struct Values {
    std::shared_ptr<const YamlNode> tree;
    YamlNode set;
    std::map<std::string, std::string> numbers;
    int trees = 0;
  };
  [[nodiscard]] Values values() const { return {tree_, set_, numbers_, trees_}; }
  // Undoes every set() since. Returns true if more than loads changed.
  bool take_back(Values values);

  // Returns the value of a key at a step, defaults included. Throws InputError for a path that does
  // not exist.
  [[nodiscard]] std::string value(std::string_view key, int step);

  // The whole case in YAML with these steps as its own.
  [[nodiscard]] std::string resolved(const std::vector<StepTask>& steps) const {
    return resolved_case(file_, steps);
  }

 private:
  bool apply(const std::vector<KeyValue>& changes, const std::vector<NamedArray>& arrays, int step,
             Loads how);
  [[nodiscard]] bool hold_in_every_step(const std::vector<KeyValue>& changes) const;
  [[nodiscard]] bool is_set_over(const std::vector<PathSegment>& path) const;
  void put_load(YamlNode& tree, const std::vector<PathSegment>& path, const YamlNode& value,
                CaseDiagnostics& diagnostics) const;
  void require_in_force(const YamlNode& tree, const std::vector<PathSegment>& path,
                        const std::string& key) const;
  [[nodiscard]] std::optional<StepInput> read_entry_over(const YamlNode& change, std::size_t entry,
                                                         CaseDiagnostics& diagnostics) const;
  void read();
  void read(CaseDiagnostics& diagnostics);
  void read_anew(int step, const YamlNode& loads);
  // Throws InputError if the key is fixed because a step has run.
  void refuse_late(const KeyValue& change, const std::vector<PathSegment>& path);
  bool set_numbers(const std::vector<KeyValue>& changes, int step);
  // files_ with the arrays. Throws InputError for heights after the first step.
  [[nodiscard]] HeightsFiles files_with(const std::vector<NamedArray>& arrays, int step) const;
  void take_numbers();
  void set_loads(const YamlNode& change, int step);
  [[nodiscard]] StepTask task_of(std::size_t entry) const;
  [[nodiscard]] bool is_load(const KeyValue& change, const std::vector<PathSegment>& path) const;
  [[nodiscard]] YamlNode over_set(const YamlNode& change, std::size_t entry) const;
  void read_over(const YamlNode& change, std::size_t entry);
  void forget_step();  // drops what was computed from the old case
  void come_to(std::optional<std::size_t> entry);
  [[nodiscard]] std::vector<Finding> doubts_of(const StepInput& step) const;
  struct StepWarnings {
    std::vector<std::string> own;      // not among the case's warnings
    std::vector<std::string> lasting;  // warnings of the case that hold for the step
  };
  [[nodiscard]] StepTask read_wheel_over(const YamlNode& change, std::size_t entry,
                                         StepWarnings& warnings);

  // Shared by the copies, so that one of a long case takes little: a change replaces the tree.
  std::shared_ptr<const CaseText> text_;  // as written; places in the tree point into it
  std::shared_ptr<const YamlNode> tree_;  // as it is now
  mutable HeightsFiles files_;
  CaseFile file_;
  std::vector<StepInput> entries_;
  int count_ = 0;
  int trees_ = 0;                               // that the text has had since the first
  YamlNode set_;                                // the loads set so far; a map
  std::map<std::string, std::string> numbers_;  // set since, in step_ and not yet in set_
  // Cache for the entry last requested.
  std::optional<std::size_t> entry_;
  StepTask step_;
  // Empty optional: not computed yet.
  std::optional<std::vector<std::string>> step_warnings_ = std::vector<std::string>();
  std::optional<std::vector<Finding>> entry_doubts_;          // about the case's own entry
  std::optional<std::vector<std::string>> lasting_warnings_;  // empty optional: all
  std::optional<YamlNode> resolved_;  // for value(), valid until something changes
};

}  // namespace slipfield
