// SPDX-License-Identifier: Apache-2.0
// State that a step takes from the step before: fields in the memory of a backend, and a few
// numbers.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
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

// Everything here is saved and restored; otherwise a resumed run would differ in its last bits. The
// tangential fields are allocated by the first step with a tangential problem; until then they
// count as 0, and the bound is the coefficient times the pressure.
template <class Backend>
struct StepState {
  template <class T>
  using Array = typename Backend::template Array<T>;

  // Which problems and steps allocate a field: all; those with a tangential problem; of these,
  // those whose rounds compare tractions, or whose layer yields; problems whose surfaces yield;
  // problems whose surfaces adhere; problems whose surfaces wear in shifts, from the first one on.
  enum class Needed { always, tangential, rounds, layer, hardness, adhesion, wear };
  // Whether the problem alone, not its steps, decides if the field exists.
  static constexpr bool is_of_problem(Needed needed) {
    return needed == Needed::hardness || needed == Needed::adhesion || needed == Needed::wear;
  }
  struct Field {
    const char* name = "";  // in a saved state
    Array<double> StepState::*array = nullptr;
    Needed needed = Needed::always;
    std::vector<double> ContactSolution::*result = nullptr;  // null: not part of the result
  };
  // All other functions on fields loop over this table.
  static constexpr auto fields() {
    using Result = ContactSolution;
    return std::array{
        Field{"pressure", &StepState::pressure, Needed::always, &Result::pressure},
        Field{"traction_x", &StepState::traction_x, Needed::tangential, &Result::traction_x},
        Field{"traction_y", &StepState::traction_y, Needed::tangential, &Result::traction_y},
        Field{"displacement_x", &StepState::displacement_x, Needed::tangential,
              &Result::displacement_x},
        Field{"displacement_y", &StepState::displacement_y, Needed::tangential,
              &Result::displacement_y},
        Field{"displacement_n", &StepState::displacement_n, Needed::always,
              &Result::displacement_n},
        Field{"slip_x", &StepState::slip_x, Needed::tangential, &Result::slip_x},
        Field{"slip_y", &StepState::slip_y, Needed::tangential, &Result::slip_y},
        Field{"traction_bound", &StepState::bound, Needed::tangential, &Result::traction_bound},
        Field{"friction", &StepState::friction, Needed::tangential},
        Field{"friction_without_layer", &StepState::friction_without_layer, Needed::layer},
        Field{"plastic_path", &StepState::plastic_path, Needed::layer},
        Field{"permanent_deformation", &StepState::permanent, Needed::hardness,
              &Result::permanent_deformation},
        Field{"adhesive_stress", &StepState::adhesive_stress, Needed::adhesion,
              &Result::adhesive_stress},
        Field{"wear_depth_total", &StepState::wear_depth_total, Needed::wear,
              &Result::wear_depth_total},
        Field{"outer_pressure", &StepState::outer_pressure, Needed::rounds},
        Field{"outer_traction_x", &StepState::outer_x, Needed::rounds},
        Field{"outer_traction_y", &StepState::outer_y, Needed::rounds}};
  }

  // Allocates only what normal contact needs.
  explicit StepState(std::size_t count) : pressure(count), displacement_n(count), division(count) {}

  // Allocates the fields of the tangential problem as zeros unless they exist.
  void make_tangential(bool rounds, bool layer) {
    if (has_tangential_) return;
    has_tangential_ = true;
    for (const Field& field : fields())
      if (field.needed == Needed::tangential || (rounds && field.needed == Needed::rounds) ||
          (layer && field.needed == Needed::layer))
        this->*field.array = Array<double>(pressure.size());
  }
  void drop_tangential() {
    has_tangential_ = false;
    for (const Field& field : fields())
      if (field.needed != Needed::always && !is_of_problem(field.needed))
        this->*field.array = Array<double>();
  }
  [[nodiscard]] bool has_tangential() const { return has_tangential_; }

  // Calls visit(name, array) for every field; name: its key in a saved state.
  template <class Self, class Visit>
  static void visit(Self& self, const Visit& visit) {
    for (const Field& field : fields()) visit(field.name, self.*field.array);
    visit("element_division", self.division);
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
    for (const Field& field : fields()) {
      Array<double>& array = this->*field.array;
      if (array.size() != 0 && field.array != &StepState::friction)
        backend.run(array.size(), FillField{0.0, array.data()});
    }
    approach = shift_total_x = shift_total_y = friction_work_total = 0.0;
    broken = false;
  }

  Array<double> pressure, traction_x, traction_y, displacement_x, displacement_y, displacement_n;
  Array<double> slip_x, slip_y, bound, friction;
  Array<double> friction_without_layer;  // coefficient before the layer's bound lowers it
  Array<double> plastic_path;            // accumulated plastic shear of the layer, if it yields
  Array<double> permanent;         // permanent deformation by all steps, if the surfaces yield
  Array<double> adhesive_stress;   // attracts the surfaces, if they adhere
  Array<double> wear_depth_total;  // by all shifts, if the surfaces wear
  Array<unsigned char> division;
  Array<double> outer_pressure, outer_x, outer_y;  // of the last round, if rounds compare tractions
  double approach = 0.0;
  double creepage_x = 0.0;  // of the step before if it rolled and converged, else 0
  double creepage_y = 0.0;
  double shift_total_x = 0.0;  // sum of all shifts up to now
  double shift_total_y = 0.0;
  double friction_work_total = 0.0;  // accumulated over shifts as well
  bool broken = false;               // the last step left a field that is not finite

 private:
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
// zeros_for_missing: missing tangential fields are set to 0, as in a contact that has had no
// tangential problem.
template <class Backend>
struct LoadArray {
  Backend& backend;
  const SolverState& state;
  bool zeros_for_missing = false;

  template <class Array>
  void operator()(const char* name, Array& array) const {
    if (array.size() == 0) return;
    using Value = typename decltype(backend.download(array))::value_type;
    if constexpr (std::is_same_v<Value, double>) {
      const std::string_view field = name;
      const bool is_tangential = field != "pressure" && field != "displacement_n" &&
                                 field != "permanent_deformation" && field != "adhesive_stress" &&
                                 field != "wear_depth_total";
      if (is_tangential && zeros_for_missing && state.count(name) == 0)
        return backend.run(array.size(), FillField{0.0, array.data()});
    }
    const std::vector<double>& values = saved_values(state, name);
    if (values.size() != array.size()) refuse_state(name);
    std::vector<Value> converted;
    converted.reserve(values.size());
    for (const double value : values) converted.push_back(static_cast<Value>(value));
    backend.upload(converted, array);
  }
};

}  // namespace slipfield
