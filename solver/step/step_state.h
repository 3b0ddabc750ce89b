// SPDX-License-Identifier: Apache-2.0
// State that a step takes from the step before: fields in the memory of a backend, and a few
// numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/error.h"
#include "solver/fields/step_ops.h"
#include "solver/influence/fading_memory.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

// Whether a step needs the fields of the tangential problem; keeps_tangential_fields(): whether a
// problem needs them whatever its steps are.
inline bool needs_tangential_fields(const StepInput& step) {
  const Friction& friction = step.friction;
  return step.tangential.problem != TangentialProblem::none || friction.varies() ||
         !friction.along_y.empty() || friction.depends_on_slip();
}
inline bool keeps_tangential_fields(const ContactProblem& problem) {
  return couples(problem) || creeps(problem) || problem.layer.yields() || problem.sensitivities;
}

// When a field is allocated: with the problem, by the first step with a tangential problem, or by
// the part that owns it.
enum class Allocated { at_once, with_tangential, by_part };

// The fields here and those that the step's parts add are saved and restored; otherwise a resumed
// run would differ in its last bits. Until the tangential fields are allocated they count as 0, and
// the bound is the coefficient times the pressure.
template <class Backend>
struct StepState {
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Result = ContactSolution;

  struct Field {
    const char* name = "";  // in a saved state
    Array<double>* array = nullptr;
    Allocated allocated = Allocated::at_once;
    std::vector<double> ContactSolution::*result = nullptr;  // null: not part of the result
  };

  explicit StepState(std::size_t count) : division(count), count_(count) {
    constexpr Allocated kTangential = Allocated::with_tangential;
    add({"pressure", &pressure, Allocated::at_once, &Result::pressure});
    add({"traction_x", &traction_x, kTangential, &Result::traction_x});
    add({"traction_y", &traction_y, kTangential, &Result::traction_y});
    add({"displacement_x", &displacement_x, kTangential, &Result::displacement_x});
    add({"displacement_y", &displacement_y, kTangential, &Result::displacement_y});
    add({"displacement_n", &displacement_n, Allocated::at_once, &Result::displacement_n});
    add({"slip_x", &slip_x, kTangential, &Result::slip_x});
    add({"slip_y", &slip_y, kTangential, &Result::slip_y});
    add({"traction_bound", &bound, kTangential, &Result::traction_bound});
    add({"friction", &friction, kTangential});
  }
  ~StepState() = default;
  StepState(const StepState&) = delete;  // the list refers to the fields
  StepState& operator=(const StepState&) = delete;
  StepState(StepState&&) = delete;
  StepState& operator=(StepState&&) = delete;

  // The array must outlive the state's use.
  void add(const Field& field) {
    fields_.push_back(field);
    if (field.allocated == Allocated::at_once ||
        (field.allocated == Allocated::with_tangential && has_tangential_))
      *field.array = Array<double>(count_);
  }
  [[nodiscard]] const std::vector<Field>& fields() const { return fields_; }

  // Allocates the fields of the tangential problem as zeros, or frees them.
  void set_tangential(bool wanted) {
    if (wanted == has_tangential_) return;
    has_tangential_ = wanted;
    for (const Field& field : fields_)
      if (field.allocated == Allocated::with_tangential)
        *field.array = wanted ? Array<double>(count_) : Array<double>();
  }
  [[nodiscard]] bool has_tangential() const { return has_tangential_; }
  // Allocates the fields of parts that a saved state has.
  void allocate_saved(const SolverState& saved) {
    for (const Field& field : fields_)
      if (field.allocated == Allocated::by_part)
        *field.array = Array<double>(saved.count(field.name) != 0 ? count_ : 0);
  }

  // Calls visit(name, array) for every field; name: its key in a saved state.
  template <class Visit>
  void visit(const Visit& visit) const {
    for (const Field& field : fields_) visit(field.name, std::as_const(*field.array));
    visit("element_division", division);
  }

  // The numbers, in the order of a saved state.
  [[nodiscard]] std::vector<double> scalars() const {
    return {approach,      creepage_x,    creepage_y,         broken ? 1.0 : 0.0,
            shift_total_x, shift_total_y, friction_work_total};
  }
  static constexpr std::size_t kScalars = 7;
  void set_scalars(const std::vector<double>& values) {
    approach = values[0];
    creepage_x = values[1];
    creepage_y = values[2];
    broken = values[3] != 0.0;
    shift_total_x = values[4];
    shift_total_y = values[5];
    friction_work_total = values[6];
  }

  // Resets to an unloaded contact; the friction coefficients are kept.
  void clear(Backend& backend) {
    for (const Field& field : fields_)
      if (field.array->size() != 0 && field.array != &friction)
        backend.run(count_, FillField{0.0, field.array->data()});
    approach = shift_total_x = shift_total_y = friction_work_total = 0.0;
    broken = false;
  }

  Array<double> pressure, traction_x, traction_y, displacement_x, displacement_y, displacement_n;
  Array<double> slip_x, slip_y, bound, friction;
  Array<unsigned char> division;
  double approach = 0.0;
  double creepage_x = 0.0;  // of the step before if it rolled and converged, else 0
  double creepage_y = 0.0;
  double shift_total_x = 0.0;  // sum of all shifts up to now
  double shift_total_y = 0.0;
  double friction_work_total = 0.0;  // accumulated over shifts as well
  bool broken = false;               // the last step left a field that is not finite

 private:
  std::size_t count_;
  std::vector<Field> fields_;
  bool has_tangential_ = false;
};

// Keys of a saved state that are no fields of the grid: numbers, the memories of second-order
// rolling and of creeping bodies, and the checksum of the influence coefficients.
inline constexpr const char* kStateNumbers = "scalars";
inline constexpr const char* kRollingMemory = "rolling_memory";
inline constexpr const char* kCreepMemory = "creep_memory";
inline constexpr const char* kCoefficientsOfState = "influence_coefficients";
inline constexpr const char* kWarmFriction = "friction_by_temperature";  // a field

// A saved field holds the rows of one owner of the grid; everything else is the same on all owners.
inline bool is_field_of_state(const std::string& name) {
  return name != kStateNumbers && name != kRollingMemory && name != kCreepMemory &&
         name != kCoefficientsOfState;
}

[[noreturn]] inline void refuse_state(const std::string& name) {
  throw InputError("the saved state does not fit the case: " + name);
}

inline const std::vector<double>& saved_values(const SolverState& state, const char* name) {
  const auto found = state.find(name);
  if (found == state.end()) refuse_state(name);
  return found->second;
}

// Throws InputError unless this distance is the one that the saved state belongs to. Heights of a
// rough surface differ by rounding if other owners of the rows, or another processor, generate
// them.
inline void require_distance_of(const SolverState& state, const std::vector<double>& distance) {
  constexpr double kRounding = 1.0e-10;  // of the greatest distance
  const std::vector<double>& saved = saved_values(state, "undeformed_distance");
  bool same = saved.size() == distance.size();
  double greatest = 0.0;
  double apart = 0.0;
  for (std::size_t i = 0; same && i < saved.size(); ++i) {
    if (saved[i] == distance[i]) continue;
    same = std::isfinite(saved[i]) && std::isfinite(distance[i]);
    apart = std::fmax(apart, std::fabs(saved[i] - distance[i]));
  }
  for (const double at : distance)
    if (apart > 0.0 && std::isfinite(at)) greatest = std::fmax(greatest, std::fabs(at));
  if (!same || apart > kRounding * greatest)
    throw InputError("the geometry is not the one that the saved state belongs to");
}

// Visitor that copies every field that has elements into a saved state.
template <class Backend>
struct SaveArray {
  const Backend& backend;
  SolverState& state;

  template <class Array>
  void operator()(const char* name, const Array& array) const {
    if (array.size() == 0) return;
    const auto values = backend.download(array);
    state[name].assign(values.begin(), values.end());
  }
};

// Whether a saved state comes from a contact without a tangential problem so far.
inline bool has_no_tangential_fields(const SolverState& state) {
  return state.count("friction") == 0;
}

// Visitor that copies the fields back. Throws InputError if one is missing or has another size.
// zeros_for_missing: missing fields of numbers are set to 0 instead.
template <class Backend>
struct LoadArray {
  Backend& backend;
  const SolverState& state;
  bool zeros_for_missing = false;

  template <class Array>
  void operator()(const char* name, Array& array) const {
    if (array.size() == 0) return;
    using Value = typename decltype(backend.download(array))::value_type;
    if constexpr (std::is_same_v<Value, double>)
      if (zeros_for_missing && state.count(name) == 0)
        return backend.run(array.size(), FillField{0.0, array.data()});
    const std::vector<double>& values = saved_values(state, name);
    if (values.size() != array.size()) refuse_state(name);
    std::vector<Value> converted;
    converted.reserve(values.size());
    for (const double value : values) converted.push_back(static_cast<Value>(value));
    backend.upload(converted, array);
  }
};

}  // namespace slipfield
