// SPDX-License-Identifier: Apache-2.0
// The compiled part of the Python package: app/library with Python types. Users call
// slipfield/*.py.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "app/library/batch_gradient.h"
#include "app/library/case_solver.h"
#include "app/library/result_parts.h"
#include "app/library/step_gradient.h"
#include "app/library/wheel_derivatives.h"
#include "app/library/wheel_gradient.h"
#include "app/python/arrays.h"
#include "app/python/module.h"
#include "gpu/cuda_device.h"
#include "io/case/sections.h"
#include "io/case/sweep.h"
#include "io/case/table.h"
#include "io/case/text.h"
#include "io/contact/contact_input.h"
#include "io/hdf5/one_thread.h"
#include "io/provenance.h"
#include "io/result/field_table.h"
#include "io/result/surface/table.h"
#include "io/yaml/error.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace py = pybind11;

namespace slipfield {
namespace {

// ---- Solver

// Only Python can handle Ctrl-C; this class checks for it a few times a second.
class Signals {
 public:
  void check() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(50)) return;
    asked_ = now;
    const py::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
};

using Tables = std::map<std::string, py::object>;
std::vector<NamedArray> named_arrays(const Tables& tables) {
  std::vector<NamedArray> arrays;
  for (const auto& [name, values] : tables) arrays.push_back({name, heights_of(name, values)});
  return arrays;
}

// Whether a callback's answer lets the work continue: None, or any true value.
bool continues(const py::object& answer) { return answer.is_none() || py::bool_(answer); }

using PythonProgress = std::function<py::object(int, const std::string&, int, double)>;

std::unique_ptr<CaseSolver> make(const std::optional<std::string>& text,
                                 const std::optional<std::string>& path, const std::string& backend,
                                 std::optional<int> device, int threads, const std::string& folder,
                                 const Tables& arrays,
                                 const std::optional<PythonProgress>& progress) {
  CaseSolverOptions options;
  options.backend = {backend_from_name(backend), device};
  options.threads = threads;
  options.folder = folder;
  options.arrays = named_arrays(arrays);
  options.rewind = progress.has_value();
  options.progress = [progress, signals = std::make_shared<Signals>()](int step,
                                                                       const Progress& now) {
    signals->check();
    if (!progress) return true;
    const py::gil_scoped_acquire gil;
    return continues(
        (*progress)(step, std::string(phase_name(now.phase)), now.iteration, now.change));
  };
  const py::gil_scoped_release free;
  return path ? CaseSolver::from_file(*path, std::move(options))
              : CaseSolver::from_text(text.value_or(""), std::move(options));
}

std::vector<KeyValue> key_values(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<KeyValue> changes;
  for (const auto& [key, value] : pairs) changes.push_back({key, value});
  return changes;
}

AnyStep advance(CaseSolver& solver, bool fields) {
  const py::gil_scoped_release free;
  auto step = std::make_shared<Step>();
  step->kept.record = solver.advance();
  if (solver.is_wheel()) return wheel_step_of(solver, fields);
  step->kept.warnings = solver.warnings_of_step();
  step->kept.doubts = solver.doubts();
  if (fields) step->kept.solution = solver.solution();
  step->grid = solver.problem().grid;
  step->warnings = solver.warnings();
  step->origin = step->inside = solver.origin();
  return step;
}

// The field in GPU memory, valid until the next step, for __cuda_array_interface__. Not marked as
// read-only, because PyTorch refuses that.
py::object cuda_field(CaseSolver& solver, const std::string& name) {
  const double* values = solver.cuda_values(name);
  if (values == nullptr) return py::none();
  const Grid& grid = solver.problem().grid;
  py::dict interface;
  interface["shape"] = py::make_tuple(grid.my, grid.mx);
  interface["typestr"] = "<f8";
  interface["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(values), false);
  interface["strides"] = py::none();
  interface["version"] = 3;
  return interface;
}

using BatchProgress = std::function<py::object(std::size_t)>;

// tables: of each point, or none.
py::tuple batch(CaseSolver& solver,
                const std::vector<std::vector<std::pair<std::string, std::string>>>& points,
                const std::vector<std::string>& names, const std::vector<std::string>& gradient_of,
                const std::vector<std::string>& gradient_to,
                const std::optional<BatchProgress>& progress, const std::vector<Tables>& tables,
                bool keep) {
  BatchRequest request;
  request.count = points.size();
  request.outputs = names;
  request.gradient_of = gradient_of;
  request.gradient_to = gradient_to;
  request.keep = keep;
  request.inputs = [&](std::size_t i) { return key_values(points[i]); };
  std::vector<std::vector<NamedArray>> arrays;
  for (const Tables& of_point : tables) arrays.push_back(named_arrays(of_point));
  if (!arrays.empty()) request.arrays = [&](std::size_t i) { return arrays.at(i); };
  BatchResult result;
  {
    const py::gil_scoped_release free;
    result = solve_batch(solver, request, [&](std::size_t done) {
      const py::gil_scoped_acquire gil;
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress) return true;
      return continues((*progress)(done));
    });
  }
  const auto totals = make_array<double>(
      {static_cast<py::ssize_t>(points.size()), static_cast<py::ssize_t>(names.size())},
      result.totals.data());
  std::vector<bool> converged;
  for (std::size_t i = 0; i < points.size(); ++i)
    converged.push_back(!result.failed[i] && result.outcomes[i] == Outcome::converged);
  const auto gradients = make_array<double>(
      {static_cast<py::ssize_t>(points.size()), static_cast<py::ssize_t>(gradient_of.size()),
       static_cast<py::ssize_t>(gradient_row(solver, request))},
      result.gradients.data());
  const bool all =
      std::ranges::all_of(result.kept, [](const auto& kept) { return kept != nullptr; });
  return py::make_tuple(
      totals, converged, result.failed, result.messages, result.warnings, gradients,
      result.near_change,
      keep && all ? py::cast(BatchGradient(std::move(result.kept), solver.options().threads))
                  : py::none());
}

// Steps of one solver, with their fields.
void write_steps(const std::string& path, bool overwrite, const std::vector<AnyStep>& steps) {
  const py::gil_scoped_release free;
  std::vector<KeptStep> kept;
  std::shared_ptr<const ResultOrigin> origin;
  for (const AnyStep& any : steps)
    std::visit(
        [&](const auto& step) {
          kept.push_back(step->kept);
          origin = step->origin;
        },
        any);
  if (origin == nullptr)
    throw InputError("these steps are not a solver's; accepted: results of advance()");
  write_result(*origin, path, overwrite_if(overwrite), kept);
}

StepSide side_of(const std::string& side) {
  return side == "left" ? StepSide::left : side == "right" ? StepSide::right : StepSide::whole;
}

py::tuple derivatives(CaseSolver& solver, const std::vector<std::string>& names,
                      const std::vector<std::string>& keys, const std::string& side,
                      bool with_errors) {
  const ResultPart part{side_of(side)};
  WheelDerivatives found;
  {
    const py::gil_scoped_release free;
    found = wheel_derivatives(solver, names, keys, part, with_errors);
  }
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(names.size()),
                                       static_cast<py::ssize_t>(keys.size())};
  return py::make_tuple(
      make_array<double>(shape, found.values.data()),
      with_errors ? py::object(make_array<double>(shape, found.errors.data())) : py::none());
}

using NumbersOrFields = std::vector<
    std::pair<std::string, py::array_t<double, py::array::c_style | py::array::forcecast>>>;

NamedValues named_values(const NumbersOrFields& given) {
  NamedValues values;
  for (const auto& [name, array] : given)
    values.push_back({name, {array.data(), array.data() + array.size()}});
  return values;
}
// An array of shape (points, 2).
py::array points_array(const std::vector<double>& values) {
  return make_array<double>({static_cast<py::ssize_t>(values.size() / 2), 2}, values.data());
}
// Numbers, fields of shape (my, mx), and points.
py::dict arrays_of(const NamedValues& values, const Grid& grid) {
  py::dict result;
  for (const auto& [name, numbers, kind] : values) {
    if (kind == ValueKind::field)
      result[py::str(name)] = make_array<double>({grid.my, grid.mx}, numbers.data());
    else if (kind == ValueKind::points)
      result[py::str(name)] = points_array(numbers);
    else
      result[py::str(name)] = numbers[0];
  }
  return result;
}

// kFind: gradient() or derivative() of the class: of one step, of consecutive steps, or of kept
// contacts.
template <NamedValues (StepGradient::*kFind)(const NamedValues&)>
py::tuple of_step(CaseSolver& solver, const NumbersOrFields& given, int contact) {
  const ResultPart part{StepSide::whole, contact};
  const NamedValues values = named_values(given);
  NamedValues found;
  std::int64_t near_change = 0;
  {
    const py::gil_scoped_release free;
    StepGradient& gradient = solver.gradient(part);
    found = (gradient.*kFind)(values);
    near_change = gradient.near_change();
  }
  return py::make_tuple(arrays_of(found, solver.grid(part)), near_change);
}

template <std::vector<NamedValues> (SequenceGradient::*kFind)(const std::vector<NamedValues>&)>
py::list of_steps(const std::vector<std::shared_ptr<Step>>& steps,
                  const std::vector<NumbersOrFields>& given) {
  std::vector<const KeptStep*> kept;
  for (const auto& step : steps) {
    if (step->origin == nullptr || step->kept.solution.pressure.empty())
      throw InputError(
          "a step comes from a file, belongs to a wheel or has no fields; accepted: results of "
          "advance() with fields=True");
    kept.push_back(&step->kept);
  }
  if (kept.empty()) throw InputError("no steps were given; accepted: one step or more");
  std::vector<NamedValues> values;
  for (const NumbersOrFields& of_step : given) values.push_back(named_values(of_step));
  std::vector<NamedValues> found;
  std::vector<std::int64_t> near_change;
  {
    const py::gil_scoped_release free;
    const ResultOrigin& origin = *steps.back()->origin;
    SequenceGradient gradient(origin.file.problem, kept, origin.systems);
    found = (gradient.*kFind)(values);
    near_change = gradient.near_change();
  }
  py::list result;
  for (std::size_t k = 0; k < found.size(); ++k)
    result.append(py::make_tuple(arrays_of(found[k], steps.back()->grid), near_change[k]));
  return result;
}

// {name: values}, flat, one contact after another.
template <auto kFind>
py::dict of_contacts(const BatchGradient& kept, const NumbersOrFields& given,
                     const std::vector<std::string>& names) {
  const NamedValues values = named_values(given);
  NamedValues found;
  {
    const py::gil_scoped_release free;
    Signals signals;
    found = (kept.*kFind)(values, names, [&] { signals.check(); });
  }
  py::dict result;
  for (const NamedValue& value : found) result[py::str(value.name)] = list_of(value.values);
  return result;
}
void define_batch_gradient(py::module_& module) {
  py::class_<BatchGradient>(module, "BatchGradient")
      .def("field", [](const BatchGradient& kept,
                       const std::string& name) { return list_of(kept.field(name)); })
      .def("inputs", &BatchGradient::inputs)
      .def("gradient", of_contacts<&BatchGradient::gradient>)
      .def("derivative", of_contacts<&BatchGradient::derivative>);
}

// The gradient through the geometry and all contacts of one wheel, or of both.
py::tuple wheel_gradient(const CaseSolver& solver, const NumbersOrFields& seed,
                         const std::string& side) {
  const NamedValues values = named_values(seed);
  NamedValues found;
  std::int64_t near_change = 0;
  {
    const py::gil_scoped_release free;
    WheelsetGradient gradient(solver, side_of(side));
    found = gradient.gradient(values);
    near_change = gradient.near_change();
  }
  return py::make_tuple(arrays_of(found, {}), near_change);
}
py::array profile(CaseSolver& solver, const std::string& body, const std::string& side) {
  return points_array(profile_points(
      solver, body == "wheel" ? ProfileRole::wheel : ProfileRole::rail, side_of(side)));
}

py::tuple convert(const std::string& path, const std::optional<std::pair<int, int>>& range,
                  bool skip) {
  std::optional<CaseRange> cases;
  if (range) cases = CaseRange{range->first, range->second};
  const ConvertedInput input =
      convert_contact_input(path, cases, skip ? Unsupported::skip : Unsupported::refuse);
  py::list texts;
  for (const ConvertedCase& one : input.cases)
    texts.append(py::make_tuple(one.text("array:heights"), one.heights));
  return py::make_tuple(texts, input.warnings);
}

// ---- A case as a dict

struct PythonForm {
  static py::object null() { return py::none(); }
  static py::object list() { return py::list(); }
  static py::object map() { return py::dict(); }
  static py::object value(const auto& value) { return py::cast(value); }
  static void append(py::object& list, const py::object& value) {
    py::reinterpret_borrow<py::list>(list).append(value);
  }
  static void put(py::object& map, const std::string& key, const py::object& value) {
    map[py::str(key)] = value;
  }
};

// The values of a case file, and its text.
py::tuple read_case_file(const std::string& path) {
  CaseDiagnostics diagnostics;
  const auto text = read_case_text(path, {}, diagnostics);
  if (text->tree.kind != YamlNode::Kind::map)
    diagnostics.add(text->tree.place, "", "is not a map of keys", "a case file (YAML)");
  diagnostics.throw_if_any();
  const bool is_sweep = text->tree.index_of("sweep").has_value();
  case_table(text->tree.index_of("wheel_rail").has_value(), is_sweep).quote_texts(text->tree);
  quote_swept_texts(text->tree);
  return py::make_tuple(converted<py::object>(text->tree, PythonForm()), text->source.text());
}

// ---- Errors of slipfield/errors.py.
void translate(std::exception_ptr error) {
  const auto raise = [](const char* name, const py::object& arguments) {
    const py::object type = py::module_::import("slipfield.errors").attr(name);
    PyErr_SetObject(type.ptr(), type(*py::tuple(arguments)).ptr());
  };
  try {
    if (error) std::rethrow_exception(std::move(error));
  } catch (const CaseError& known) {
    py::list faults;
    for (const CaseFault& fault : known.faults())
      faults.append(py::make_tuple(fault.place, fault.key, fault.reason, fault.remedy));
    raise("CaseError", py::make_tuple(known.what(), faults));
  } catch (const InputError& known) {
    raise("InputError", py::make_tuple(known.what()));
  } catch (const Cancelled& known) {
    raise("Cancelled", py::make_tuple(known.what()));
  } catch (const Error& known) {
    raise("Error", py::make_tuple(known.what()));
  }
}

void define_tables(py::module_& module) {
  module.def("field_names", [] { return stored_field_names(); });
  module.def("row_field_names", [] { return row_field_names(); });
  module.def("is_total_of_contacts", is_total_of_contacts);
  module.def("quantity_names", [] { return quantity_names(); });
  module.def("wheel_names", [] { return wheel_number_names(); });
  module.def("unit", [](const std::string& name, const std::string& units) {
    const Units system = units_from_name(units).value_or(Units::n_mm_s);
    const bool field = !field_description(name).empty();
    return std::string(unit_text(field ? field_dimension(name) : quantity_dimension(name), system));
  });
  module.def("describe", [](const std::string& name) {
    return std::string(field_description(name).empty() ? quantity_description(name)
                                                       : field_description(name));
  });
  module.def("gpu", [] { return cuda_status().devices.empty() ? cuda_status().reason : ""; });
}

void define_solver(py::module_& module) {
  py::class_<CaseSolver>(module, "Solver")
      .def(py::init(&make), py::arg("text"), py::arg("path"), py::arg("backend"), py::arg("device"),
           py::arg("threads"), py::arg("folder"), py::arg("arrays"), py::arg("progress"))
      .def("set",
           [](CaseSolver& solver, const std::vector<std::pair<std::string, std::string>>& pairs) {
             solver.set(key_values(pairs));
           })
      .def("set_array",
           [](CaseSolver& solver, const std::string& name, const py::object& values) {
             solver.set_array(name, heights_of(name, values));
           })
      .def("value", &CaseSolver::value)
      .def("advance", advance, py::arg("fields"))
      .def("save",
           [](const CaseSolver& solver) {
             const py::gil_scoped_release free;
             return solver.save();
           })
      .def("restore",
           [](CaseSolver& solver, const SavedSteps& saved) {
             const py::gil_scoped_release free;
             solver.restore(saved);
           })
      .def("values",
           [](const CaseSolver& solver) {
             return std::make_shared<OpenCase::Values>(solver.values());
           })
      .def("take_back", &CaseSolver::take_back)
      .def("batch", batch, py::arg("points"), py::arg("names"), py::arg("gradient_of"),
           py::arg("gradient_to"), py::arg("progress"), py::arg("tables") = std::vector<Tables>(),
           py::arg("keep") = false)
      .def("derivatives", derivatives)
      .def("gradient", of_step<&StepGradient::gradient>)
      .def("wheel_gradient", wheel_gradient)
      .def("profile", profile)
      .def("derivative", of_step<&StepGradient::derivative>)
      .def_static("gradients", of_steps<&SequenceGradient::gradient>)
      .def_static("derivatives_of_steps", of_steps<&SequenceGradient::derivative>)
      .def("contact_grid",
           [](const CaseSolver& solver, int contact) {
             return grid_of(solver.grid({StepSide::whole, contact}));
           })
      .def("derivative_keys",
           [](const CaseSolver& solver) {
             const auto& wheelset = solver.last().wheelset;
             return wheelset ? wheel_derivative_keys(wheelset->task) : std::vector<std::string>();
           })
      .def_property_readonly("is_wheel", &CaseSolver::is_wheel)
      .def("cuda_field", cuda_field)
      .def("resolved", &CaseSolver::resolved)
      .def_property_readonly("warnings", &CaseSolver::warnings)
      .def_property_readonly("backend", &CaseSolver::backend_name)
      .def_property_readonly("device", &CaseSolver::device_name)
      .def_property_readonly("steps_done", &CaseSolver::steps_done)
      .def_property_readonly("steps_in_case", &CaseSolver::steps_in_case)
      .def_property_readonly("title",
                             [](const CaseSolver& solver) { return solver.problem().title; })
      .def_property_readonly(
          "units",
          [](const CaseSolver& solver) { return std::string(units_name(solver.problem().units)); })
      .def_property_readonly(
          "grid", [](const CaseSolver& solver) { return grid_of(solver.problem().grid); });
}

}  // namespace
}  // namespace slipfield

PYBIND11_MODULE(_slipfield, module) {
  using namespace slipfield;  // NOLINT(google-build-using-namespace)
  py::register_exception_translator(translate);
  module.attr("__version__") = build_info().version;
  define_tables(module);
  module.def("read_case", read_case_file);
  module.def("convert", convert, py::arg("path"), py::arg("range"), py::arg("skip"));

  module.def("write_steps", write_steps);

  const py::class_<SavedSteps> state(module, "State");
  const py::class_<OpenCase::Values, std::shared_ptr<OpenCase::Values>> values(module, "Values");
  define_step(module);
  define_solver(module);
  define_batch_gradient(module);
  define_creep_table(module);
  define_files(module);
}
