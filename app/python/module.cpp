// SPDX-License-Identifier: Apache-2.0
// The compiled part of the Python package: app/library with Python types. Users call
// slipfield/*.py.
#include <omp.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
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
#include "app/python/gil.h"
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
#include "io/result/sweep_table.h"
#include "io/yaml/error.h"
#include "io/yaml/tree.h"
#include "solver/error.h"

namespace py = pybind11;

namespace slipfield {
namespace {

// ---- Solver

// Throws what a signal handler of Python raises.
void require_no_signal() {
  if (unless_python_ends(PyErr_CheckSignals) != 0) throw py::error_already_set();
}

// Only Python can handle Ctrl-C; this class checks for it a few times a second.
class Signals {
 public:
  void check() {
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(50)) return;
    asked_ = now;
    const WithGil gil;
    require_no_signal();
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

// A callback of the user's, null if there is none. Only the collector clears it. The last one to
// hold it may be without Python's lock.
using Callback = std::shared_ptr<py::object>;
Callback callback_of(const py::object& given) {
  return {new py::object(given.is_none() ? py::object() : given), [](const py::object* held) {
            const WithGil gil;
            delete held;
          }};
}

// Calls it with arguments for a format of Py_BuildValue. Returns whether the work continues: the
// answer is None or true. Throws what the callback raises.
template <typename... Arguments>
bool continues(PyObject* callback, const char* format, Arguments... arguments) {
  const auto call = [&] {
    PyObject* const answer = PyObject_CallFunction(callback, format, arguments...);
    if (answer == nullptr) return -1;
    const int truth = answer == Py_None ? 1 : PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return truth;
  };
  const int truth = unless_python_ends(call);
  if (truth < 0) throw py::error_already_set();
  return truth != 0;
}

// Ends derivatives on Ctrl-C.
struct BetweenProducts {
  std::shared_ptr<Signals> signals = std::make_shared<Signals>();

  void operator()() const {
    if (work_should_stop()) throw Cancelled();
    signals->check();
  }
};

// The progress of a solver, which looks for Ctrl-C too.
struct PythonProgress {
  Callback callback;
  std::shared_ptr<Signals> signals = std::make_shared<Signals>();

  bool operator()(int step, const Progress& now) const {
    if (work_should_stop()) return false;
    signals->check();
    if (!*callback) return true;
    const WithGil gil;
    const std::string phase(phase_name(now.phase));
    return continues(callback->ptr(), "isid", step, phase.c_str(), now.iteration, now.change);
  }
};

// For Python's collector, which may also ask while the solver is being made.
const PythonProgress* progress_of(PyObject* self) {
  auto* const instance = reinterpret_cast<py::detail::instance*>(self);
  auto place = instance->get_value_and_holder();
  if (place.vh == nullptr || place.value_ptr() == nullptr) return nullptr;
  const auto* const solver = static_cast<const CaseSolver*>(place.value_ptr());
  return solver->options().progress.target<PythonProgress>();
}

// A callback may refer to what owns the solver: a circle that only the collector can take apart.
void let_collect(PyHeapTypeObject* heap_type) {
  PyTypeObject& type = heap_type->ht_type;
  type.tp_flags |= Py_TPFLAGS_HAVE_GC;
  type.tp_traverse = [](PyObject* self, visitproc visit, void* arg) {
#if PY_VERSION_HEX >= 0x03090000
    Py_VISIT(Py_TYPE(self));
#endif
    if (const PythonProgress* const progress = progress_of(self))
      Py_VISIT(progress->callback->ptr());
    return 0;
  };
  type.tp_clear = [](PyObject* self) {
    if (const PythonProgress* const progress = progress_of(self)) *progress->callback = {};
    return 0;
  };
  type.tp_dealloc = [](PyObject* self) {
    PyObject_GC_UnTrack(self);  // nothing may look into it from now on
    py::detail::pybind11_object_dealloc(self);
  };
}

std::unique_ptr<CaseSolver> make(const std::optional<std::string>& text,
                                 const std::optional<std::string>& path, const std::string& backend,
                                 std::optional<int> device, int threads, const std::string& folder,
                                 const Tables& arrays, const py::object& progress) {
  CaseSolverOptions options;
  options.backend = {backend_from_name(backend), device};
  options.threads = threads;
  options.folder = folder;
  options.arrays = named_arrays(arrays);
  options.rewind = !progress.is_none();
  options.progress = PythonProgress{callback_of(progress)};
  options.between = BetweenProducts{};
  const WithoutGil free;
  return path ? CaseSolver::from_file(*path, std::move(options))
              : CaseSolver::from_text(text.value_or(""), std::move(options));
}

std::vector<KeyValue> key_values(const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::vector<KeyValue> changes;
  for (const auto& [key, value] : pairs) changes.push_back({key, value});
  return changes;
}

AnyStep advance(CaseSolver& solver, bool fields) {
  const WithoutGil free;
  solver.advance();
  return last_step_of(solver, fields);
}

// The address of a field in GPU memory, valid until the next step, and the number of the GPU, whose
// work has ended.
py::object cuda_field(CaseSolver& solver, const std::string& name) {
  const double* values = solver.cuda_values(name);
  if (values == nullptr) return py::none();
  const int device = [&] {
    const WithoutGil free;
    return cuda_wait(values);
  }();
  return py::make_tuple(reinterpret_cast<std::uintptr_t>(values), device);
}

// tables: of each point, or none.
py::tuple batch(CaseSolver& solver,
                const std::vector<std::vector<std::pair<std::string, std::string>>>& points,
                const std::vector<std::string>& names, const std::vector<std::string>& gradient_of,
                const std::vector<std::string>& gradient_to, const py::object& progress,
                const std::vector<Tables>& tables, bool keep) {
  BatchRequest request;
  request.count = points.size();
  request.outputs = names;
  request.gradient_of = gradient_of;
  request.gradient_to = gradient_to;
  request.keep = keep;
  request.inputs = [&](std::size_t i) { return key_values(points[i]); };
  std::vector<std::vector<NamedArray>> arrays;
  std::map<PyObject*, std::shared_ptr<const Heights>> known;  // of points that share a table
  for (const Tables& of_point : tables) {
    arrays.emplace_back();
    for (const auto& [name, values] : of_point) {
      auto& heights = known[values.ptr()];
      if (!heights) heights = heights_of(name, values);
      arrays.back().push_back({name, heights});
    }
  }
  if (!arrays.empty()) request.arrays = [&](std::size_t i) { return arrays.at(i); };
  BatchResult result;
  {
    const WithoutGil free;
    result = solve_batch(solver, request, [&](std::size_t done) {
      if (work_should_stop()) return false;
      const WithGil gil;
      require_no_signal();
      return progress.is_none() || continues(progress.ptr(), "n", static_cast<Py_ssize_t>(done));
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
  std::optional<int> gpu;
  if (keep && solver.backend_name() == "cuda") gpu = solver.options().backend.gpu.value_or(0);
  return py::make_tuple(
      totals, converged, result.failed, result.messages, result.warnings, gradients,
      result.near_change,
      keep && all ? py::cast(BatchGradient(std::move(result.kept), solver.options().threads, gpu))
                  : py::none());
}

// Steps of one solver, with their fields.
void write_steps(const std::string& path, bool overwrite, const std::vector<AnyStep>& steps) {
  const WithoutGil free;
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
    const WithoutGil free;
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
    const WithoutGil free;
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
    const WithoutGil free;
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
    const WithoutGil free;
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
py::tuple wheel_gradient(CaseSolver& solver, const NumbersOrFields& seed, const std::string& side) {
  const NamedValues values = named_values(seed);
  NamedValues found;
  std::int64_t near_change = 0;
  {
    const WithoutGil free;
    WheelsetGradient& gradient = solver.wheel_gradient(side_of(side), ProfilePoints::all);
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

// A message may have the name of a file, whose bytes need not be UTF-8.
py::str message_of(const char* text) {
  return py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text, static_cast<Py_ssize_t>(std::strlen(text)), "backslashreplace"));
}

void translate(std::exception_ptr error) {
  const auto raise = [](const char* name, const py::object& arguments) {
    const py::object type = py::module_::import("slipfield.errors").attr(name);
    PyErr_SetObject(type.ptr(), type(*py::tuple(arguments)).ptr());
  };
  try {
    if (error) std::rethrow_exception(std::move(error));
  } catch (const Cancelled& known) {
    if (was_stopped())
      PyErr_SetNone(PyExc_SystemExit);  // ends a thread without a word
    else
      raise("Cancelled", py::make_tuple(message_of(known.what())));
  } catch (const CaseError& known) {
    py::list faults;
    for (const CaseFault& fault : known.faults())
      faults.append(py::make_tuple(message_of(fault.place.c_str()), message_of(fault.key.c_str()),
                                   message_of(fault.reason.c_str()),
                                   message_of(fault.remedy.c_str())));
    raise("CaseError", py::make_tuple(message_of(known.what()), faults));
  } catch (const InputError& known) {
    raise("InputError", py::make_tuple(message_of(known.what())));
  } catch (const Error& known) {
    raise("Error", py::make_tuple(message_of(known.what())));
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
  module.def("cpu_threads", [] { return omp_get_max_threads(); });  // where none are asked for
  module.attr("most_points") = kMaxSweepPoints;
  module.def("gpu", [] { return cuda_status().devices.empty() ? cuda_status().reason : ""; });
}

void define_solver(py::module_& module) {
  py::class_<CaseSolver>(module, "Solver", py::custom_type_setup(let_collect))
      .def(py::init(&make), py::arg("text"), py::arg("path"), py::arg("backend"), py::arg("device"),
           py::arg("threads"), py::arg("folder"), py::arg("arrays"), py::arg("progress"))
      .def("set",
           [](CaseSolver& solver, const std::vector<std::pair<std::string, std::string>>& pairs,
              const Tables& tables) { solver.set(key_values(pairs), named_arrays(tables)); })
      .def("value", &CaseSolver::value)
      .def("advance", advance, py::arg("fields"))
      .def("last_step_with_fields",
           [](CaseSolver& solver) {
             const WithoutGil free;
             return last_step_of(solver, true);
           })
      .def("save",
           [](const CaseSolver& solver) {
             const WithoutGil free;
             return solver.save();
           })
      .def("restore",
           [](CaseSolver& solver, const SavedSteps& saved) {
             const WithoutGil free;
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
  stop_work_as_python_ends();
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
  define_dlpack(module);
  define_files(module);
}
