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

// Joins texts and numbers, formatted as in messages.
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
  // Sets a prefix for the fields that follow, such as "steps[2].".
  void within(std::string part) { part_ = std::move(part); }

  void add(std::string_view name, std::string reason, std::string remedy,
           FaultKind kind = FaultKind::senseless) {
    if (kind == FaultKind::senseless) ++senseless_;
    faults_.push_back({part_ + std::string(name), std::move(reason), std::move(remedy), kind});
  }

  // Returns false and adds a fault if the value is out of its range. A value that is not finite is
  // senseless, whatever the kind.
  bool number(std::string_view name, double value, const NumberRange& range,
              FaultKind kind = FaultKind::senseless);
  // The same for several values with one range.
  struct Named {
    std::string_view name;
    double value;
  };
  bool each(const NumberRange& range, std::initializer_list<Named> numbers);
  bool integer(std::string_view name, std::int64_t value, const IntegerRange& range);
  // Reports the first of the numbers that is out of range.
  bool numbers(std::string_view name, const std::vector<double>& values, const NumberRange& range);
  // Requires each number to exceed the one before it.
  bool increasing(std::string_view name, const std::vector<double>& values);
  // Requires an enumerator from the first to `last`.
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

// Check parts of a problem; return false on a fault. grid, material: null if unknown.
bool check_grid(const Grid& grid, FaultList& faults);
bool check_shape(const Shape& shape, const Grid* grid, const CombinedMaterial* material,
                 FaultList& faults);
// For shapes that are faultless one by one: counts the elements with a finite sum of distances, up
// to `most`; check_touching() adds a fault if there are none.
std::size_t count_touching(const std::vector<Shape>& shapes, const Grid& grid, std::size_t most);
void check_touching(const std::vector<Shape>& shapes, const Grid& grid, FaultList& faults);

// Checks the surface request by itself and against the steps. continues: other steps precede them.
void check_surface_parts(const SurfaceRequest& request, const std::vector<StepInput>& steps,
                         FaultList& faults, bool continues = false);

// Checks geometry and approach for the simplified theory, if each part of the problem is faultless
// by itself; other combinations are in solver/combinations.h. Reports the first step that is not
// supported; at: which step, shown with the reason.
void check_simplified(const ContactProblem& problem, FaultList& faults);
void check_simplified_step(const ContactProblem& problem, const StepInput& step,
                           const std::string& at, FaultList& faults);

// Check patches, and coefficients of curved surfaces, by themselves.
void check_patches(const ContactProblem& problem, FaultList& faults);
void check_curved(const ContactProblem& problem, FaultList& faults);

// Same as check_step() of problem_check.h.
void check_step(const StepInput& step, const Grid* grid, const Friction* checked,
                FaultList& faults);

// How messages name a step: the prefix of its fields ("steps[2]."), and the suffix of a reason that
// is shown at another field (" (step 3)").
struct StepName {
  std::string path;
  std::string at;
};

// Reports features of a problem that exclude each other (solver/combinations.h). The problem, or
// the grid, must outlive it. Values must be in their ranges, or be checked elsewhere; enumerators
// must be known.
class CombinationCheck {
 public:
  using Features = std::bitset<96>;

  explicit CombinationCheck(const ContactProblem& problem);
  // With only the grid known: checks what a step's motion and friction need.
  explicit CombinationCheck(const Grid& grid);

  // Checks the problem without its steps.
  void problem(FaultList& faults);
  // Checks a step, in itself and with the problem.
  void step(const StepInput& step, const StepName& name, FaultList& faults);

 private:
  void report(std::size_t index, const StepInput* step, const StepName& name, FaultList& faults);

  const ContactProblem* problem_ = nullptr;
  const Grid& grid_;
  Features features_;          // of the problem
  Features known_;             // features of a step that are checked
  std::bitset<128> reported_;  // pairs already reported at a field of the problem
};

}  // namespace slipfield
