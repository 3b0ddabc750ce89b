// SPDX-License-Identifier: Apache-2.0
// Collects the faults of a problem while its parts are checked.
#pragma once

#include <bitset>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/number_text.h"
#include "solver/problem_check.h"
#include "solver/problem_limits.h"

namespace slipfield {

// One text of texts and numbers, which are written as messages have them.
template <class... Parts>
std::string joined(const Parts&... parts) {
  std::string text;
  const auto append = [&text](const auto& part) {
    using Part = std::decay_t<decltype(part)>;
    if constexpr (std::is_floating_point_v<Part>)
      text += number_text(part);
    else if constexpr (std::is_integral_v<Part>)
      text += std::to_string(part);
    else
      text += part;
  };
  (append(parts), ...);
  return text;
}

class FaultList {
 public:
  // Fields are named from here on within this part, such as "steps[2].".
  void within(std::string part) { part_ = std::move(part); }

  void add(std::string_view name, std::string reason, std::string remedy,
           FaultKind kind = FaultKind::senseless) {
    if (kind == FaultKind::senseless) ++senseless_;
    faults_.push_back({part_ + std::string(name), std::move(reason), std::move(remedy), kind});
  }

  // False where the value is out of its range, which is then in the list. What is not finite is
  // senseless, whatever the kind.
  bool number(std::string_view name, double value, const NumberRange& range,
              FaultKind kind = FaultKind::senseless);
  // The same of several that have one range.
  struct Named {
    std::string_view name;
    double value;
  };
  bool each(const NumberRange& range, std::initializer_list<Named> numbers);
  bool integer(std::string_view name, std::int64_t value, const IntegerRange& range);
  // Reports the first of the numbers that is out of range.
  bool numbers(std::string_view name, const std::vector<double>& values, const NumberRange& range);
  // Each number above the one before it.
  bool increasing(std::string_view name, const std::vector<double>& values);
  // An enumerator from the first to `last`.
  template <class E>
  bool enumerator(std::string_view name, E value, E last) {
    return integer(name, static_cast<std::int64_t>(value), {0, static_cast<std::int64_t>(last)});
  }

  [[nodiscard]] std::size_t size() const { return faults_.size(); }
  [[nodiscard]] std::size_t senseless() const { return senseless_; }
  std::vector<Fault> take() { return std::move(faults_); }

 private:
  std::string part_;
  std::vector<Fault> faults_;
  std::size_t senseless_ = 0;
};

// The parts of a problem; false where one has a fault. `grid`, `material`: null where unknown.
bool check_grid(const Grid& grid, FaultList& faults);
bool check_shape(const Shape& shape, const Grid* grid, const CombinedMaterial* material,
                 FaultList& faults);
// The shapes together, each without a fault: how many elements have a finite distance, counted up
// to `most`; a fault where none has.
std::size_t count_touching(const std::vector<Shape>& shapes, const Grid& grid, std::size_t most);
void check_touching(const std::vector<Shape>& shapes, const Grid& grid, FaultList& faults);

// What is asked for of the surfaces, by itself and against the steps. continues: there are others
// before them.
void check_surface_parts(const SurfaceRequest& request, const std::vector<StepInput>& steps,
                         FaultList& faults, bool continues = false);

// The geometry and the approach that the simplified theory takes, where each part of the problem
// has no fault by itself; what else it goes together with is in solver/combinations.h. Of the steps
// the first that is not taken; `at`: which step, shown with the reason.
void check_simplified(const ContactProblem& problem, FaultList& faults);
void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults);

// Patches, and coefficients of curved surfaces, by themselves.
void check_patches(const ContactProblem& problem, FaultList& faults);
void check_curved(const ContactProblem& problem, FaultList& faults);

// As check_step() of problem_check.h.
void check_step(const StepInput& step, const Grid* grid, const Friction* checked,
                FaultList& faults);

// The features of a problem that do not go together (solver/combinations.h), as faults.
// A step in messages: how its fields begin ("steps[2]."), and what follows a reason that is
// placed at another field (" (step 3)").
struct StepName {
  std::string path;
  std::string at;
};

// The problem, or the grid, must outlive it. Each value has to be in its range or to be checked
// elsewhere; enumerators have to be known.
class CombinationCheck {
 public:
  using Features = std::bitset<96>;

  explicit CombinationCheck(const ContactProblem& problem);
  // Where only the grid is known: checks what a step's motion and friction need.
  explicit CombinationCheck(const Grid& grid);

  // The problem without its steps.
  void problem(FaultList& faults);
  // A step, in itself and with the problem.
  void step(const StepInput& step, const StepName& name, FaultList& faults);

 private:
  void report(std::size_t index, const StepInput* step, const StepName& name, FaultList& faults);

  const ContactProblem* problem_ = nullptr;
  const Grid& grid_;
  Features features_;          // of the problem
  Features known_;             // those of a step that count
  std::bitset<128> reported_;  // pairs whose field is of the problem
};

}  // namespace slipfield
