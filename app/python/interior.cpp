// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/library/case_solver.h"
#include "app/python/arrays.h"
#include "app/python/gil.h"
#include "app/python/module.h"
#include "app/run/interior.h"
#include "io/file_identity.h"
#include "io/hdf5/one_thread.h"
#include "io/result/interior/group.h"
#include "io/result/reader.h"
#include "solver/threads/team_work.h"

namespace py = pybind11;

namespace slipfield {
namespace {

struct BodyValues {
  InteriorBody body;
  std::vector<std::vector<double>> volumes;  // by the body's quantities: (depths, rows, columns)
};

// All planes of the field.
std::vector<BodyValues> values_of(InteriorField& interior) {
  const InteriorRequest& request = interior.request();
  const InteriorWindow& window = interior.window();
  std::vector<BodyValues> bodies;
  for (const Body body : request.bodies) {
    BodyValues& values = bodies.emplace_back();
    values.body.body = body;
    values.body.depths = request.depths;
    for (int ix = 0; ix < window.mx; ++ix)
      values.body.x.push_back(interior.grid().x(window.ix0 + ix));
    for (int iy = 0; iy < window.my; ++iy)
      values.body.y.push_back(interior.grid().y(window.iy0 + iy));
    values.volumes.resize(request.quantities.size());
    for (std::size_t depth = 0; depth < request.depths.size(); ++depth) {
      if (work_should_stop()) throw Cancelled();
      interior.compute(body, depth);
      for (std::size_t i = 0; i < request.quantities.size(); ++i) {
        const std::vector<double> plane = interior.values(request.quantities[i]);
        values.volumes[i].insert(values.volumes[i].end(), plane.begin(), plane.end());
      }
    }
    for (const InteriorQuantity quantity : request.quantities)
      values.body.quantities.emplace_back(interior_entry(quantity).name);
    values.body.dang_van_along_y = interior.along_y(InteriorQuantity::dang_van);
    values.body.crossland_along_y = interior.along_y(InteriorQuantity::crossland);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].body.summary = interior.summaries()[i];
  return bodies;
}

std::vector<BodyValues> values_of(const StepOfFile& stored) {
  const hdf5::OneThread alone;
  return read_unchanged(stored.path, stored.identity, "the interior is read", [&] {
    const ResultFile file(stored.path, stored.selection);
    const ResultStep& step = file.step(stored.selection.step);
    std::vector<BodyValues> bodies;
    for (InteriorBody& body : file.interior(step)) {
      BodyValues& values = bodies.emplace_back();
      values.body = std::move(body);
      for (const std::string& quantity : values.body.quantities)
        values.volumes.push_back(file.interior_values(step, values.body, quantity));
    }
    return bodies;
  });
}

py::dict dict_of(const BodyValues& values) {
  const InteriorBody& of = values.body;
  py::dict body;
  body["depth"] = list_of(of.depths);
  body["x"] = list_of(of.x);
  body["y"] = list_of(of.y);
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(of.depths.size()),
                                          static_cast<py::ssize_t>(of.y.size()),
                                          static_cast<py::ssize_t>(of.x.size())};
  for (std::size_t i = 0; i < of.quantities.size(); ++i)
    body[py::str(of.quantities[i])] = make_array<double>(shape, values.volumes[i].data());
  for (const auto& [quantity, greatest] : greatest_of(of.summary)) {
    const std::string name(quantity);
    body[py::str("max_" + name)] = greatest->value;
    body[py::str("max_" + name + "_at")] = py::make_tuple(greatest->x, greatest->y, greatest->z);
    body[py::str(name + "_by_depth")] = list_of(greatest->by_depth);
  }
  if (!of.dang_van_along_y.empty()) body["dang_van_along_y"] = list_of(of.dang_van_along_y);
  if (!of.crossland_along_y.empty()) body["crossland_along_y"] = list_of(of.crossland_along_y);
  return body;
}

}  // namespace

bool asks_for_interior(const Step& step) {
  return step.stored_inside || (step.inside != nullptr && step.inside->file.interior.has_value());
}

NamedNumbers interior_totals_of_step(const Step& step) {
  const WithoutGil free;
  LaterInterior& later = *step.later_inside;
  std::call_once(later.once, [&] {
    const ThreadCount threads(threads_to_use(step.inside->threads));
    const bool has_fields = !step.fields().pressure.empty();
    later.numbers =
        interior_numbers(step.inside->file, step.grid, has_fields ? step.fields() : later.loads,
                         step.inside->interior);
    later.loads = {};
  });
  return later.numbers;
}

py::object interior_of_step(const Step& step) {
  if (!asks_for_interior(step)) return py::none();
  if (!step.stored_inside && step.fields().pressure.empty()) return py::none();
  std::vector<BodyValues> bodies;
  const ThreadCount threads(threads_to_use(step.stored_inside ? 0 : step.inside->threads));
  if (step.stored_inside) {
    const WithoutGil free;
    bodies = values_of(*step.stored_inside);
  } else {
    std::optional<InteriorField> interior =
        interior_of(step.inside->file, step.grid, step.fields(), step.inside->interior);
    const WithoutGil free;
    bodies = values_of(*interior);
  }
  py::dict result;
  for (const BodyValues& values : bodies)
    result[py::str(std::string(body_name(values.body.body)))] = dict_of(values);
  return result;
}

}  // namespace slipfield
