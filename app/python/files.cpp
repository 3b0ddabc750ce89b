// SPDX-License-Identifier: Apache-2.0
#include "app/python/files.h"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
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
#include "io/result/warnings.h"
#include "io/result/wheel/table.h"

namespace py = pybind11;

namespace slipfield {
namespace {

// A result with steps, and of one contact also its fields.
struct OpenFile {
  ResultSteps wheel;  // empty: of one contact
  std::optional<ResultFile> contact;

  [[nodiscard]] const ResultSteps& all() const { return contact ? contact->all() : wheel; }
};

std::shared_ptr<OpenFile> open_file(const std::string& path, int point) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  auto file = std::make_shared<OpenFile>();
  if (point == 0 && kind_of(path) == ResultKind::wheel)
    file->wheel = read_steps(path);
  else
    file->contact.emplace(path, Selection{.point = point});
  return file;
}

std::shared_ptr<Step> contact_step(const ResultFile& file, const ResultStep& found, bool fields) {
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

py::dict info_with_steps(const OpenFile& file) {
  py::dict result = info_of(file.all().info);
  std::vector<int> numbers;
  for (const ResultStep& step : file.all().steps) numbers.push_back(step.number);
  result["steps"] = numbers;
  return result;
}

// --- A wheel on a rail

std::shared_ptr<Step> contact_of_file(const std::filesystem::path& path, const WheelRecord& record,
                                      int number, bool fields) {
  const ResultFile file(path, Selection{.step = record.number, .contact = number});
  std::shared_ptr<Step> step = contact_step(file, file.step(0), fields);
  step->warnings = warnings_of_contact(record.warnings, number);
  const NamedNumbers& numbers = record.contacts[static_cast<std::size_t>(number) - 1];
  for (const ContactEntry& entry : contact_table())
    if (const auto place = numbers.find(entry.name); place != numbers.end())
      step->place.insert(*place);
  return step;
}

std::vector<WheelsetResult::OneSide> sides_of_file(const WheelRecord& record) {
  std::vector<WheelsetResult::OneSide> sides;
  for (const std::string side : {"left", "right"}) {
    if (record.side != "both" && record.side != side) continue;
    const auto count = std::count(record.contact_sides.begin(), record.contact_sides.end(), side);
    sides.push_back({side, record.totals_of(side), static_cast<int>(count)});
  }
  return sides;
}

std::shared_ptr<WheelsetResult> wheelset_step(const std::filesystem::path& path,
                                              const ResultStep& found, bool fields) {
  const WheelRecord& record = *found.wheel;
  auto step = std::make_shared<WheelsetResult>();
  step->kept.record = {found.number, found.input, found.report};
  step->warnings = record.warnings;
  step->has_fields = fields;
  step->totals = record.totals();
  step->sides = sides_of_file(record);
  for (int contact = 1; contact <= static_cast<int>(record.contacts.size()); ++contact)
    step->contacts.push_back(contact_of_file(path, record, contact, fields));
  return step;
}

AnyStep file_step(const OpenFile& file, int number, bool fields) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  const ResultStep& found = file.all().step(number);
  if (found.wheel) return wheelset_step(file.wheel.path, found, fields);
  return contact_step(*file.contact, found, fields);
}

// --- A sweep

std::shared_ptr<AnyResult> open_sweep(const std::string& path) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  return std::make_shared<AnyResult>(read_any_result(path));
}

py::dict table_of_sweep(const AnyResult& file) {
  const SweepTable table = one_row_a_step(file.rows, true);
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

bool is_sweep(const std::string& path) {
  const py::gil_scoped_release free;
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  return kind_of(path) == ResultKind::sweep;
}

}  // namespace

void define_files(py::module_& module) {
  module.def("is_sweep", is_sweep);
  py::class_<OpenFile, std::shared_ptr<OpenFile>>(module, "File")
      .def(py::init(&open_file), py::arg("path"), py::arg("point") = 0)
      .def("step", file_step, py::arg("number"), py::arg("fields"))
      .def_property_readonly("info", info_with_steps);
  py::class_<AnyResult, std::shared_ptr<AnyResult>>(module, "SweepFile")
      .def(py::init(&open_sweep), py::arg("path"))
      .def_property_readonly("table", table_of_sweep)
      .def_property_readonly("info", [](const AnyResult& file) { return info_of(file.info); });
}

}  // namespace slipfield
