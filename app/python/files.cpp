// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/library/result_parts.h"
#include "app/python/arrays.h"
#include "app/python/gil.h"
#include "app/python/module.h"
#include "app/report/step_warnings.h"
#include "io/file_identity.h"
#include "io/hdf5/one_thread.h"
#include "io/result/any_result.h"
#include "io/result/field_table.h"
#include "io/result/reader.h"
#include "io/result/warnings.h"
#include "io/result/wheel/table.h"

namespace py = pybind11;

namespace slipfield {
namespace {

// An open file, or a point of a sweep: one contact with its fields, a wheel with its steps, or a
// sweep without its rows.
struct OpenFile {
  std::filesystem::path path;
  int point = 0;
  std::optional<FileIdentity> identity;  // as it was opened
  ResultSteps wheel;
  std::optional<ResultFile> contact;
  std::optional<SweepOutline> sweep;
  std::shared_ptr<const RunWarnings> run_warnings;  // shared by all steps

  OpenFile() = default;
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {  // called by Python's collector in any thread
    const hdf5::OneThread alone;
    contact.reset();
  }

  // Throws InputError for a sweep.
  [[nodiscard]] const ResultSteps& steps() const {
    if (sweep)
      throw InputError(path.string() +
                       ": this is a sweep, whose points have steps; accepted: table, or point(N) "
                       "of a sweep that keeps fields");
    return contact ? contact->all() : wheel;
  }
  [[nodiscard]] const ResultInfo& info() const { return sweep ? sweep->info : steps().info; }
};

std::shared_ptr<OpenFile> open_file(const std::string& path, int point) {
  const WithoutGil free;
  const hdf5::OneThread alone;
  auto file = std::make_shared<OpenFile>();
  file->path = path;
  file->point = point;
  file->identity = identity_of(path);  // before it is read
  const ResultKind kind = kind_of(path, point);
  if (kind == ResultKind::sweep)
    file->sweep = read_sweep_outline(path);
  else if (kind == ResultKind::wheel)
    file->wheel = read_steps(path, point);
  else
    file->contact.emplace(path, Selection{.point = point});
  file->run_warnings = std::make_shared<const RunWarnings>(file->info().warnings);
  return file;
}

// selection: the one with which the file was opened.
std::shared_ptr<Step> contact_step(const OpenFile& open, const ResultFile& file,
                                   Selection selection, const ResultStep& found, bool fields) {
  auto step = std::make_shared<Step>();
  step->kept.record = {found.number, found.input, found.report};
  if (fields) step->kept.solution = file.solution(found);
  step->grid = file.info().header.grid;
  selection.step = found.number;
  if (!found.report.interior.empty())
    step->stored_inside = {file.path(), std::move(selection), open.identity};
  step->kept.warnings = step_remarks(found.report, found.warnings);
  step->run_warnings = open.run_warnings;
  return step;
}

py::dict info_of(const OpenFile& file) {
  const ResultInfo& info = file.info();
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
  std::vector<int> numbers;
  if (!file.sweep)
    for (const ResultStep& step : file.steps().steps) numbers.push_back(step.number);
  result["steps"] = numbers;
  result["points"] = file.sweep ? file.sweep->with_fields : std::vector<int>();
  return result;
}

// --- A wheel on a rail

std::shared_ptr<Step> contact_of_file(const OpenFile& open, const WheelRecord& record, int number,
                                      bool fields) {
  const Selection selection{open.point, record.number, {}, number};
  std::shared_ptr<Step> step = read_unchanged(open.path, open.identity, "a contact is read", [&] {
    const ResultFile file(open.path, selection);
    return contact_step(open, file, selection, file.step(0), fields);
  });
  step->kept.warnings = warnings_of_contact(record.warnings, number);
  const NamedNumbers& numbers = record.contacts[static_cast<std::size_t>(number) - 1];
  for (const ContactEntry& entry : contact_table())
    if (const auto place = numbers.find(entry.name); place != numbers.end())
      step->place.insert(*place);
  return step;
}

std::shared_ptr<WheelsetResult> wheelset_step(const OpenFile& file, const ResultStep& found,
                                              bool fields) {
  const WheelRecord& record = *found.wheel;
  auto step = std::make_shared<WheelsetResult>();
  step->kept.record = {found.number, found.input, found.report};
  step->kept.warnings = record.warnings;
  step->run_warnings = file.run_warnings;
  step->has_fields = fields;
  step->numbers = record;
  for (int contact = 1; contact <= static_cast<int>(record.contacts.size()); ++contact)
    step->contacts.push_back(contact_of_file(file, record, contact, fields));
  return step;
}

AnyStep file_step(const OpenFile& file, int number, bool fields) {
  const WithoutGil free;
  const hdf5::OneThread alone;
  const ResultStep& found = file.steps().step(number);
  if (found.wheel) return wheelset_step(file, found, fields);
  return contact_step(file, *file.contact, {.point = file.point}, found, fields);
}

// --- The table

SweepTable rows_of_sweep(const OpenFile& file) {
  return read_unchanged(file.path, file.identity, "the table is read",
                        [&] { return read_any_result(file.path).rows; });
}

SweepTable rows_of_file(const OpenFile& file) {
  const WithoutGil free;
  const hdf5::OneThread alone;
  return one_row_a_step(file.sweep ? rows_of_sweep(file) : rows_of(file.steps()).rows, true);
}

py::dict table_of_file(const OpenFile& file) {
  const SweepTable table = rows_of_file(file);
  const auto count = static_cast<py::ssize_t>(table.count());
  py::dict result;
  py::list keys;
  for (const SweepInput& input : table.inputs)
    keys.append(py::make_tuple(
        input.key, input.is_number() ? py::object(make_array<double>({count}, input.numbers.data()))
                                     : py::object(py::cast(input.texts))));
  result["keys"] = keys;
  result["shape"] = table.shape;
  std::vector<int> numbers;
  for (const RowKey& key : table.keys) numbers.push_back(file.sweep ? key.point : key.step);
  result["numbers"] = numbers;
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
  return result;
}

// The worn profiles in the rows of a sweep's wheel contacts.
py::list worn_of_file(const OpenFile& file) {
  py::list result;
  if (!file.sweep) return result;
  SweepTable table;
  {
    const WithoutGil free;
    const hdf5::OneThread alone;
    table = rows_of_sweep(file);
  }
  for (std::size_t row = 0; row < table.count(); ++row) {
    const WornRows& worn = table.worn[row];
    if (worn.depth.empty()) continue;
    const RowKey& key = table.keys[row];
    py::dict one;
    one["point"] = key.point;
    one["side"] = key.side;
    one["contact"] = key.contact;
    one["y"] = list_of(worn.y);
    one["depth"] = list_of(worn.depth);
    result.append(one);
  }
  return result;
}

}  // namespace

void define_files(py::module_& module) {
  py::class_<OpenFile, std::shared_ptr<OpenFile>>(module, "File")
      .def(py::init(&open_file), py::arg("path"), py::arg("point") = 0)
      .def("step", file_step, py::arg("number"), py::arg("fields"))
      .def_property_readonly("is_sweep",
                             [](const OpenFile& file) { return file.sweep.has_value(); })
      .def_property_readonly("table", table_of_file)
      .def("worn", worn_of_file)
      .def_property_readonly("info", info_of);
}

}  // namespace slipfield
