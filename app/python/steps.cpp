// SPDX-License-Identifier: Apache-2.0
#include "app/python/steps.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "app/python/arrays.h"
#include "app/python/interior.h"
#include "gpu/cuda_device.h"
#include "io/result/error_attributes.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/result/warnings.h"
#include "solver/error.h"
#include "solver/surface/contact_spots.h"

namespace py = pybind11;

namespace slipfield {
namespace {

using Values = py::array_t<double, py::array::c_style | py::array::forcecast>;

// An array that shares the memory of `owner`, which it keeps alive; read-only.
template <typename T>
py::array shared_array(const std::vector<T>& values, const Grid& grid, py::handle owner) {
  auto array = make_array<T>({grid.my, grid.mx}, values.data(), owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array field_of(const py::object& self, const std::string& name) {
  const auto& step = self.cast<const Step&>();
  const ContactSolution& fields = step.fields();
  if (const FieldEntry* entry = find_field(name)) {
    const std::vector<double>& values = fields.*(entry->values);
    if (!values.empty()) return shared_array(values, step.grid, self);
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
  auto array = make_array<std::uint8_t>({step.grid.my, step.grid.mx}, division, self);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::object number_of_total(const std::string& name, double value) {
  for (const QuantityEntry& entry : quantity_table())
    if (entry.name == name && entry.is_integer() && std::isfinite(value))
      return py::int_(static_cast<std::int64_t>(value));
  return py::float_(value);
}

void put_totals(const NamedNumbers& numbers, py::dict& totals) {
  for (const auto& [name, value] : numbers) totals[py::str(name)] = number_of_total(name, value);
}

py::dict dict_of(const NamedNumbers& numbers) {
  py::dict totals;
  put_totals(numbers, totals);
  return totals;
}

py::dict totals_of(const Step& step) {
  const StepReport& report = step.kept.record.report;
  const StepInput& input = step.kept.record.input;
  py::dict totals;
  for (const QuantityEntry& entry : quantity_table())
    if (entry.applies(input.tangential.problem))
      totals[py::str(std::string(entry.name))] =
          number_of_total(std::string(entry.name), entry.get(report));
  for (const std::string& name : quantity_names())
    if (!totals.contains(name.c_str()) && has_quantity(input, name))
      totals[py::str(name)] = quantity(report, input, name);
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (const auto& value = report.surface.*(entry.value))
      totals[py::str(std::string(entry.name))] = *value;
  for (const ErrorEntry& entry : error_table())
    if (const double value = error_of(entry, input, report); !std::isnan(value))
      totals[py::str(std::string(entry.name))] = value;
  put_totals(step.place, totals);
  return totals;
}

std::vector<std::string> stored_fields(const ContactSolution& fields) {
  std::vector<std::string> names;
  for (const std::span<const FieldEntry> table : {field_table(), surface_field_table()})
    for (const FieldEntry& entry : table)
      if (!(fields.*(entry.values)).empty()) names.emplace_back(entry.name);
  if (!fields.element_division.empty()) names.emplace_back(kDivisionName);
  return names;
}

py::object derivatives_of(const StepReport& report) {
  if (!report.sensitivities) return py::none();
  return make_array<double>({3, 3}, report.sensitivities->data());
}

py::object approach_derivatives_of(const StepReport& report) {
  if (!report.approach_sensitivities) return py::none();
  return make_array<double>({4}, report.approach_sensitivities->data());
}

py::list history_of(const StepReport& report) {
  py::list lines;
  for (const IterationRecord& line : report.history)
    lines.append(py::make_tuple(std::string(phase_name(line.phase)), line.iteration, line.change));
  return lines;
}

void define_wheel_step(py::module_& module) {
  py::class_<WheelsetResult, std::shared_ptr<WheelsetResult>>(module, "WheelStep")
      .def_property_readonly("number",
                             [](const WheelsetResult& step) { return step.kept.record.number; })
      .def_property_readonly("converged",
                             [](const WheelsetResult& step) {
                               return step.kept.record.report.outcome == Outcome::converged;
                             })
      .def_property_readonly(
          "message", [](const WheelsetResult& step) { return step.kept.record.report.message; })
      .def_property_readonly("totals",
                             [](const WheelsetResult& step) { return dict_of(step.totals); })
      .def_property_readonly(
          "sides",
          [](const WheelsetResult& step) {
            py::list sides;
            for (const WheelsetResult::OneSide& side : step.sides)
              sides.append(py::make_tuple(side.name, dict_of(side.totals), side.contacts));
            return sides;
          })
      .def_readonly("contacts", &WheelsetResult::contacts)
      .def_readonly("warnings", &WheelsetResult::warnings)
      .def_readonly("has_fields", &WheelsetResult::has_fields)
      .def_property_readonly("can_be_written",
                             [](const WheelsetResult& step) { return step.origin != nullptr; });
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

}  // namespace

std::shared_ptr<WheelsetResult> wheel_step_of(CaseSolver& solver, bool fields) {
  const StepRecord& record = solver.last();
  const WheelsetOfStep& wheelset = *record.wheelset;
  auto step = std::make_shared<WheelsetResult>();
  step->kept.record = record;
  step->kept.warnings = solver.warnings_of_step();
  step->kept.doubts = solver.doubts();
  step->warnings = solver.warnings();
  step->origin = solver.origin();
  step->has_fields = fields;
  step->totals = numbers_of(wheelset, {});
  for (const Side side : sides_of(wheelset)) {
    const StepSide part = side == Side::left ? StepSide::left : StepSide::right;
    step->sides.push_back({std::string(side_name(side)), numbers_of(wheelset, {part, 0}),
                           contact_count(wheelset, part)});
  }
  int number = 0;
  for (const SolvedWheel& wheel : wheelset.solved.wheels)
    for (const SolvedPatch& patch : wheel.patches) {
      auto contact = std::make_shared<Step>();
      contact->kept.record = {record.number, patch.input, patch.report};
      contact->grid = patch.patch.grid;
      contact->inside = step->origin;
      contact->warnings = warnings_of_contact(step->kept.warnings, ++number);
      contact->centres = element_centres(patch.patch.grid, &patch.patch);
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
  if (py::hasattr(given, "__cuda_array_interface__")) {
    const py::dict interface = given.attr("__cuda_array_interface__");
    const auto shape = interface["shape"].cast<std::vector<int>>();
    const bool dense = !interface.contains("strides") || interface["strides"].is_none();
    if (shape.size() != 2 || interface["typestr"].cast<std::string>() != "<f8" || !dense)
      throw InputError("array " + name +
                       ": is not a dense table of float64 on the GPU; accepted: shape (my, mx), "
                       "C order, float64");
    heights.my = shape[0];
    heights.mx = shape[1];
    heights.values.resize(static_cast<std::size_t>(shape[0]) * static_cast<std::size_t>(shape[1]));
    const auto address = interface["data"].cast<std::pair<std::uintptr_t, bool>>().first;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): that is how the interface gives it
    cuda_copy(heights.values.data(), reinterpret_cast<const double*>(address),
              heights.values.size());
    return std::make_shared<const Heights>(std::move(heights));
  }
  const auto values = py::cast<Values>(given);
  if (values.ndim() != 2)
    throw InputError("array " + name + ": has " + std::to_string(values.ndim()) +
                     " dimensions; accepted: two, (my, mx)");
  if (values.shape(0) > kMostSamples || values.shape(1) > kMostSamples)
    throw InputError("array " + name + ": is larger than " + std::to_string(kMostSamples) +
                     " in a direction; accepted: at most that");
  heights.my = static_cast<int>(values.shape(0));
  heights.mx = static_cast<int>(values.shape(1));
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
      .def_property_readonly("number", [](const Step& step) { return step.kept.record.number; })
      .def_property_readonly(
          "problem",
          [](const Step& step) {
            return std::string(problem_name(step.kept.record.input.tangential.problem));
          })
      .def_property_readonly(
          "direction", [](const Step& step) { return step.kept.record.input.tangential.direction; })
      .def_property_readonly(
          "converged",
          [](const Step& step) { return step.kept.record.report.outcome == Outcome::converged; })
      .def_property_readonly("message",
                             [](const Step& step) { return step.kept.record.report.message; })
      .def_property_readonly("totals", totals_of)
      .def_property_readonly("stored_fields",
                             [](const Step& step) { return stored_fields(step.fields()); })
      .def_property_readonly(
          "centres",
          [](const Step& step) -> py::object {
            if (step.centres.empty()) return py::none();
            return make_array<double>({step.grid.my, step.grid.mx, 3}, step.centres.data());
          })
      .def_property_readonly(
          "jacobian", [](const Step& step) { return derivatives_of(step.kept.record.report); })
      .def_property_readonly(
          "approach_derivatives",
          [](const Step& step) { return approach_derivatives_of(step.kept.record.report); })
      .def_property_readonly("history",
                             [](const Step& step) { return history_of(step.kept.record.report); })
      .def_property_readonly("grid", [](const Step& step) { return grid_of(step.grid); })
      .def_readonly("warnings", &Step::warnings)
      .def_property_readonly("has_fields",
                             [](const Step& step) { return !stored_fields(step.fields()).empty(); })
      .def_property_readonly("can_be_written",
                             [](const Step& step) { return step.origin != nullptr; })
      .def_property_readonly("has_interior", asks_for_interior)
      .def("interior", interior_of_step)
      .def_property_readonly("slip_rate",
                             [](const Step& step) { return slip_rate(step.kept.record.input); })
      .def("field",
           [](const py::object& self, const std::string& name) { return field_of(self, name); });
  define_wheel_step(module);
}

}  // namespace slipfield
