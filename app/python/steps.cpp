// SPDX-License-Identifier: Apache-2.0
#include "app/python/steps.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "app/python/arrays.h"
#include "app/python/module.h"
#include "app/run/interior.h"
#include "io/result/field_table.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"
#include "io/result/warnings.h"
#include "solver/error.h"
#include "solver/surface/contact_spots.h"

namespace py = pybind11;

namespace slipfield {
namespace {

using Values = py::array_t<double, py::array::c_style | py::array::forcecast>;

// An array that shares the memory of `owner`, which it keeps alive, or a copy; read-only.
template <typename T>
py::array fixed_array(std::vector<py::ssize_t> shape, const T* values, py::handle owner = {}) {
  auto array = make_array<T>(std::move(shape), values, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array field_of(const py::object& self, const std::string& name) {
  const auto& step = self.cast<const Step&>();
  const ContactSolution& fields = step.fields();
  if (const FieldEntry* entry = find_field(name)) {
    const std::vector<double>& values = fields.*(entry->values);
    std::vector<py::ssize_t> shape{step.grid.my};
    if (find_by_name(row_field_table(), name) == nullptr) shape.push_back(step.grid.mx);
    if (!values.empty()) return fixed_array(std::move(shape), values.data(), self);
    throw InputError(name + (fields.pressure.empty()
                                 ? ": the step was made without fields; accepted: fields=True"
                                 : ": the step does not have it; accepted: fields of what the case "
                                   "asks for"));
  }
  if (name != kDivisionName || fields.element_division.empty())
    throw InputError(name +
                     ": the step has no such field; accepted: a name of field_names(), of a "
                     "step with fields");
  const auto* division = reinterpret_cast<const std::uint8_t*>(fields.element_division.data());
  return fixed_array({step.grid.my, step.grid.mx}, division, self);
}

py::dict totals_of(const Step& step) {
  const StepReport& report = step.kept.record.report;
  const StepInput& input = step.kept.record.input;
  py::dict totals;
  for (const QuantityEntry& entry : quantity_table())
    if (entry.applies(input.tangential.problem))
      totals[py::str(std::string(entry.name))] = entry.get(report);
  if (has_quantity(input, kFrictionPowerName))
    totals[py::str(std::string(kFrictionPowerName))] = quantity(report, input, kFrictionPowerName);
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (const double value = surface_number(entry, report); !std::isnan(value))
      totals[py::str(std::string(entry.name))] = value;
  for (const ErrorEntry& entry : error_table())
    if (const double value = error_of(entry, input, report); !std::isnan(value))
      totals[py::str(std::string(entry.name))] = value;
  for (const auto& [name, value] : interior_numbers(report)) totals[py::str(name)] = value;
  for (const auto& [name, value] : step.place) totals[py::str(name)] = value;
  return totals;
}

// The names of the interior's totals that the step does not have yet.
std::vector<std::string> totals_to_come(const Step& step) {
  std::vector<std::string> names;
  if (!step.later_inside) return names;
  for (const std::string_view name : interior_quantity_names())
    if (is_asked_for(*step.inside->file.interior, name)) names.emplace_back(name);
  return names;
}

std::vector<std::string> stored_fields(const ContactSolution& fields) {
  std::vector<std::string> names;
  for (const auto table : {field_table(), surface_field_table(), row_field_table()})
    for (const FieldEntry& entry : table)
      if (!(fields.*(entry.values)).empty()) names.emplace_back(entry.name);
  if (!fields.element_division.empty()) names.emplace_back(kDivisionName);
  return names;
}

template <std::size_t n>
py::object array_or_none(const std::optional<std::array<double, n>>& values,
                         std::vector<py::ssize_t> shape) {
  if (!values) return py::none();
  return fixed_array(std::move(shape), values->data());
}

py::list history_of(const Step& step) {
  py::list lines;
  for (const IterationRecord& line : step.kept.record.report.history)
    lines.append(py::make_tuple(std::string(phase_name(line.phase)), line.iteration, line.change));
  return lines;
}

py::object centres_of(const py::object& self) {
  const auto& step = self.cast<const Step&>();
  if (step.centres.empty()) return py::none();
  return fixed_array({step.grid.my, step.grid.mx, 3}, step.centres.data(), self);
}

// The attributes of a step for slipfield/result.py, except large ones: fields, centres, history and
// the interior.
py::dict values_of(const Step& step) {
  const StepRecord& record = step.kept.record;
  const std::vector<std::string> fields = stored_fields(step.fields());
  py::dict values;
  values["number"] = record.number;
  values["problem"] = std::string(problem_name(record.input.tangential.problem));
  values["direction"] = record.input.tangential.direction;
  values["converged"] = record.report.outcome == Outcome::converged;
  values["message"] = record.report.message;
  values["totals"] = totals_of(step);
  values["totals_to_come"] = totals_to_come(step);
  values["jacobian"] = array_or_none(record.report.sensitivities, {3, 3});
  values["approach_derivatives"] = array_or_none(record.report.approach_sensitivities, {4});
  values["grid"] = grid_of(step.grid);
  values["boundary"] = std::string(boundary_name(step.grid.boundary));
  values["warnings"] = step.kept.warnings;
  values["stored_fields"] = fields;
  values["has_fields"] = !fields.empty();
  values["slip_rate"] = slip_rate(record.input);
  values["has_interior"] = asks_for_interior(step);
  values["reads_interior"] = step.stored_inside.has_value();
  values["can_be_written"] = step.origin != nullptr;
  return values;
}

// The numbers of the step, those of an interior that are computed included; `find` gives them for a
// contact.
template <class Find>
WheelRecord with_interior(const WheelsetResult& step, const Find& find) {
  WheelRecord numbers = step.numbers;
  std::vector<NamedNumbers> inside;
  for (const auto& contact : step.contacts)
    inside.push_back(contact->later_inside ? find(*contact) : NamedNumbers());
  numbers.add(inside);
  return numbers;
}

// The totals of a side, or of the step for "".
NamedNumbers totals_of(const WheelRecord& numbers, const std::string& side) {
  return side.empty() ? numbers.totals() : numbers.totals_of(side);
}

NamedNumbers all_totals_of_wheelset(const WheelsetResult& step, const std::string& side) {
  return totals_of(with_interior(step, interior_totals_of_step), side);
}

// The totals that a side, or the step, has now, and the names of those to come.
py::tuple known_totals(const WheelsetResult& step, const std::string& side) {
  const NamedNumbers now = totals_of(step.numbers, side);
  const auto names_alone = [](const Step& contact) {
    NamedNumbers numbers;
    for (std::string& name : totals_to_come(contact)) numbers[std::move(name)] = 0.0;
    return numbers;
  };
  std::vector<std::string> to_come;
  for (const auto& [name, value] : totals_of(with_interior(step, names_alone), side))
    if (!now.contains(name)) to_come.push_back(name);
  return py::make_tuple(now, to_come);
}

// The same for slipfield/wheel.py.
py::dict values_of_wheelset(const WheelsetResult& step) {
  const StepReport& report = step.kept.record.report;
  py::dict values;
  values["number"] = step.kept.record.number;
  values["converged"] = report.outcome == Outcome::converged;
  values["message"] = report.message;
  values["totals"] = known_totals(step, {});
  py::list sides;
  for (const std::string side : {"left", "right"})
    if (step.numbers.side == "both" || step.numbers.side == side)
      sides.append(py::make_tuple(side, known_totals(step, side),
                                  std::ranges::count(step.numbers.contact_sides, side)));
  values["sides"] = sides;
  values["contacts"] = step.contacts;
  values["warnings"] = step.kept.warnings;
  values["has_fields"] = step.has_fields;
  values["can_be_written"] = step.origin != nullptr;
  return values;
}

// spot_numbers() of a field element_division, shape (my, mx).
py::array numbers_of_spots(const py::array_t<std::uint8_t, py::array::c_style>& division,
                           const std::pair<bool, bool>& repeats) {
  Grid grid;
  grid.my = static_cast<int>(division.shape(0));
  grid.mx = static_cast<int>(division.shape(1));
  if (repeats.first && repeats.second)
    grid.boundary = Boundary::periodic;
  else if (repeats.first || repeats.second)
    grid.boundary = repeats.first ? Boundary::periodic_x : Boundary::periodic_y;
  std::vector<ElementState> states(grid.count());
  for (std::size_t i = 0; i < states.size(); ++i)
    states[i] = static_cast<ElementState>(division.data()[i]);
  return make_array<int>({grid.my, grid.mx}, spot_numbers(grid, states).data());
}

void take_shape(const std::string& name, std::int64_t my, std::int64_t mx, Heights& heights) {
  if (my < 0 || mx < 0 || my > kMostSamples || mx > kMostSamples)
    throw InputError("array " + name + ": has " + std::to_string(my) + " x " + std::to_string(mx) +
                     " values; accepted: at most " + std::to_string(kMostSamples) +
                     " in a direction");
  heights.my = static_cast<int>(my);
  heights.mx = static_cast<int>(mx);
}

}  // namespace

AnyStep last_step_of(CaseSolver& solver, bool fields) {
  const StepRecord& record = solver.last();
  const auto add_origin = [&](auto& step) {
    step.run_warnings = solver.run_warnings();
    step.origin = solver.origin();
  };
  const auto add_inside = [&](Step& contact, const ContactSolution& solution) {
    contact.inside = solver.origin();
    if (!solver.file().interior) return;
    contact.later_inside = std::make_shared<LaterInterior>();
    if (!fields) contact.later_inside->loads = loads_of_interior(solution);
  };
  if (!solver.is_wheel()) {
    auto step = std::make_shared<Step>();
    step->kept = solver.kept_step(fields);
    step->grid = solver.problem().grid;
    add_origin(*step);
    if (fields || solver.file().interior) add_inside(*step, solver.solution());
    return step;
  }
  auto step = std::make_shared<WheelsetResult>();
  step->kept = solver.kept_step(fields);
  add_origin(*step);
  step->has_fields = fields;
  step->numbers = wheel_record(record.number, record.wheelset->solved);
  int number = 0;
  for (const SolvedWheel& wheel : record.wheelset->solved.wheels)
    for (const SolvedPatch& patch : wheel.patches) {
      auto contact = std::make_shared<Step>();
      contact->kept.record = {record.number, patch.input, patch.report};
      contact->grid = patch.patch.grid;
      contact->kept.warnings = warnings_of_contact(step->kept.warnings, ++number);
      contact->run_warnings = step->run_warnings;
      contact->centres = element_centres(patch.patch.grid, &patch.patch);
      add_inside(*contact, patch.solution);
      if (fields)
        contact->shared = std::shared_ptr<const ContactSolution>(record.wheelset, &patch.solution);
      for (const ContactEntry& entry : contact_table())
        contact->place[std::string(entry.name)] = entry.get(patch);
      step->contacts.push_back(std::move(contact));
    }
  if (!fields) step->kept.record.wheelset = nullptr;
  return step;
}

std::shared_ptr<const Heights> heights_of(const std::string& name, const py::object& given) {
  Heights heights;
  const auto values = py::cast<Values>(given);
  if (values.ndim() != 2)
    throw InputError("array " + name + ": has " + std::to_string(values.ndim()) +
                     " dimensions; accepted: two, (my, mx)");
  take_shape(name, values.shape(0), values.shape(1), heights);
  heights.values.assign(values.data(), values.data() + values.size());
  return std::make_shared<const Heights>(std::move(heights));
}

py::dict grid_of(const Grid& grid) {
  py::dict result;
  result["mx"] = grid.mx;
  result["my"] = grid.my;
  result["dx"] = grid.dx;
  result["dy"] = grid.dy;
  result["x0"] = grid.x(0);
  result["y0"] = grid.y(0);
  result["repeats"] = py::make_tuple(repeats_in_x(grid.boundary), repeats_in_y(grid.boundary));
  return result;
}

void define_step(py::module_& module) {
  module.def("spot_numbers", numbers_of_spots);
  py::class_<Step, std::shared_ptr<Step>>(module, "Step")
      .def("values", values_of)
      .def("history", history_of)
      .def("centres", centres_of)
      .def("interior", interior_of_step)
      .def("interior_totals", interior_totals_of_step)
      .def("run_warnings", [](const Step& step) { return step.run_warnings->lines(); })
      .def("field", field_of);
  py::class_<WheelsetResult, std::shared_ptr<WheelsetResult>>(module, "WheelStep")
      .def("run_warnings", [](const WheelsetResult& step) { return step.run_warnings->lines(); })
      .def("values", values_of_wheelset)
      .def("all_totals", all_totals_of_wheelset);
}

}  // namespace slipfield
