// SPDX-License-Identifier: Apache-2.0
#include "app/python/files.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/library/step_parts.h"
#include "app/python/arrays.h"
#include "app/python/steps.h"
#include "app/report/step_warnings.h"
#include "io/hdf5/one_thread.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "io/result/sweep_reader.h"
#include "io/result/warnings.h"
#include "io/result/wheel/reader.h"

namespace py = pybind11;

namespace slipfield {
namespace {

std::shared_ptr<ResultFile> open_file(const std::string& path, int point) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  return std::make_shared<ResultFile>(path, Selection{.point = point});
}

std::shared_ptr<Step> file_step(const ResultFile& file, int number, bool fields) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  const ResultStep& found = file.step(number);
  auto step = std::make_shared<Step>();
  step->kept.record = {found.number, found.input, found.report};
  if (fields) step->kept.solution = file.solution(found);
  step->grid = file.info().header.grid;
  step->warnings = step_remarks(found.report, found.warnings);
  return step;
}

py::dict info_of(const ResultInfo& info) {
  py::dict result;
  result["title"] = info.header.title;
  result["case"] = info.header.case_yaml;
  result["case_source"] = info.header.source ? info.header.source->text : "";
  result["units"] = std::string(units_name(info.header.units));
  result["backend"] = info.header.backend;
  result["device"] = info.header.device;
  result["outcome"] = info.outcome;
  result["warning"] = info.warning;
  result["warnings"] = info.warnings;
  result["program_version"] = info.program_version;
  result["created"] = info.created;
  return result;
}

template <class Steps>
py::dict info_with_steps(const ResultInfo& info, const Steps& steps) {
  py::dict result = info_of(info);
  std::vector<int> numbers;
  for (const auto& step : steps) numbers.push_back(step.number);
  result["steps"] = numbers;
  return result;
}

// --- A wheel on a rail

std::shared_ptr<WheelFile> open_wheel(const std::string& path) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  return std::make_shared<WheelFile>(read_wheel_file(path));
}

std::shared_ptr<Step> contact_of_file(const WheelFile& file, const WheelRecord& record, int number,
                                      bool fields) {
  const ResultFile patch(file.path, Selection{.step = record.number, .contact = number});
  const ResultStep& found = patch.step(0);
  auto step = std::make_shared<Step>();
  step->kept.record = {record.number, found.input, found.report};
  if (fields) step->kept.solution = patch.solution(found);
  step->grid = patch.info().header.grid;
  step->warnings = warnings_of_contact(record.warnings, number);
  const NamedNumbers& numbers = record.patches[static_cast<std::size_t>(number) - 1];
  for (const PatchEntry& entry : patch_table())
    if (const auto place = numbers.find(entry.name); place != numbers.end())
      step->place.insert(*place);
  return step;
}

std::vector<WheelsetResult::OneSide> sides_of_file(const WheelRecord& record) {
  std::vector<WheelsetResult::OneSide> sides;
  for (const std::string side : {"left", "right"}) {
    if (record.side != "both" && record.side != side) continue;
    const auto count = std::count(record.patch_sides.begin(), record.patch_sides.end(), side);
    sides.push_back({side, record.totals_of(side), static_cast<int>(count)});
  }
  return sides;
}

std::shared_ptr<WheelsetResult> wheel_file_step(const WheelFile& file, int number, bool fields) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  const WheelRecord& record = file.step(number);
  auto step = std::make_shared<WheelsetResult>();
  step->kept.record.number = record.number;
  step->kept.record.report.outcome = record.outcome;
  step->kept.record.report.message = record.message;
  step->warnings = record.warnings;
  step->has_fields = fields;
  step->totals = record.totals();
  step->sides = sides_of_file(record);
  for (int contact = 1; contact <= static_cast<int>(record.patches.size()); ++contact)
    step->contacts.push_back(contact_of_file(file, record, contact, fields));
  return step;
}

// --- A sweep

std::shared_ptr<SweepFile> open_sweep(const std::string& path) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  return std::make_shared<SweepFile>(read_sweep_file(path));
}

py::dict table_of_sweep(const SweepFile& file) {
  const SweepTable table = one_row_a_step(file.table);
  const auto count = static_cast<py::ssize_t>(table.count());
  py::dict result;
  py::list keys;
  for (const SweepInput& input : table.inputs)
    keys.append(py::make_tuple(
        input.key, input.is_number() ? py::object(make_array<double>({count}, input.numbers.data()))
                                     : py::object(py::cast(input.texts))));
  result["keys"] = keys;
  result["shape"] = table.shape;
  result["first_point"] = table.first_point;
  py::dict totals;
  for (const SweepColumn& column : table.columns)
    totals[py::str(column.name)] = make_array<double>({count}, column.values.data());
  result["totals"] = totals;
  std::vector<std::string> outcomes;
  for (const PointOutcome outcome : table.outcomes)
    outcomes.emplace_back(point_outcome_name(outcome));
  result["outcomes"] = outcomes;
  result["messages"] = table.messages;
  result["warnings"] = table.warnings;
  result["with_fields"] = file.with_fields;
  return result;
}

std::string kind_of_file(const std::string& path) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  switch (kind_of(path)) {
    case ResultKind::wheel:
      return "wheel";
    case ResultKind::sweep:
      return "sweep";
    default:
      return "contact";
  }
}

}  // namespace

void define_files(py::module_& module) {
  module.def("kind_of_file", kind_of_file);
  py::class_<ResultFile, std::shared_ptr<ResultFile>>(module, "File")
      .def(py::init(&open_file), py::arg("path"), py::arg("point") = 0)
      .def("step", file_step, py::arg("number"), py::arg("fields"))
      .def_property_readonly("info", [](const ResultFile& file) {
        return info_with_steps(file.info(), file.steps());
      });
  py::class_<WheelFile, std::shared_ptr<WheelFile>>(module, "WheelFile")
      .def(py::init(&open_wheel), py::arg("path"))
      .def("step", wheel_file_step, py::arg("number"), py::arg("fields"))
      .def_property_readonly(
          "info", [](const WheelFile& file) { return info_with_steps(file.info, file.steps); });
  py::class_<SweepFile, std::shared_ptr<SweepFile>>(module, "SweepFile")
      .def(py::init(&open_sweep), py::arg("path"))
      .def_property_readonly("table", table_of_sweep)
      .def_property_readonly("info", [](const SweepFile& file) { return info_of(file.info); });
}

}  // namespace slipfield
