// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/module.h"
#include "app/run/interior.h"
#include "io/hdf5/one_thread.h"
#include "io/result/interior/group.h"

namespace py = pybind11;

namespace slipfield {
namespace {

struct BodyValues {
  InteriorBody body;
  std::vector<std::vector<double>> volumes;  // of body.quantities: (depths, rows, columns)
};

// All planes of the field.
std::vector<BodyValues> values_of(InteriorField& interior) {
  const InteriorRequest& request = interior.request();
  const InteriorWindow& window = interior.window();
  std::vector<BodyValues> bodies;
  for (const Body body : request.bodies) {
    auto& [values, volumes] = bodies.emplace_back();
    values.body = body;
    values.depths = request.depths;
    for (int ix = 0; ix < window.mx; ++ix) values.x.push_back(interior.grid().x(window.ix0 + ix));
    for (int iy = 0; iy < window.my; ++iy) values.y.push_back(interior.grid().y(window.iy0 + iy));
    for (const InteriorQuantity quantity : request.quantities)
      values.quantities.emplace_back(interior_entry(quantity).name);
    volumes.resize(request.quantities.size());
    for (std::size_t depth = 0; depth < request.depths.size(); ++depth) {
      interior.compute(body, depth);
      for (std::size_t i = 0; i < request.quantities.size(); ++i) {
        const std::vector<double> plane = interior.values(request.quantities[i]);
        volumes[i].insert(volumes[i].end(), plane.begin(), plane.end());
      }
    }
    values.summary = interior.summaries().back();
    values.dang_van_along_y = interior.along_y(InteriorQuantity::dang_van);
    values.crossland_along_y = interior.along_y(InteriorQuantity::crossland);
  }
  return bodies;
}

std::vector<BodyValues> values_in_file(const Step::InFile& place) {
  const std::lock_guard<std::mutex> hdf5(hdf5_one_thread());
  const ResultFile file(place.path, place.selection);
  const ResultStep& step = file.step(place.selection.step);
  std::vector<BodyValues> bodies;
  for (InteriorBody& body : file.interior(step)) {
    BodyValues& values = bodies.emplace_back();
    for (const std::string& name : body.quantities)
      values.volumes.push_back(file.interior_values(step, body.body, name));
    values.body = std::move(body);
  }
  return bodies;
}

py::dict dict_of(const BodyValues& values) {
  const InteriorBody& inside = values.body;
  const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(inside.depths.size()),
                                       static_cast<py::ssize_t>(inside.y.size()),
                                       static_cast<py::ssize_t>(inside.x.size())};
  py::dict body;
  body["depth"] = list_of(inside.depths);
  body["x"] = list_of(inside.x);
  body["y"] = list_of(inside.y);
  for (std::size_t i = 0; i < inside.quantities.size(); ++i)
    body[py::str(inside.quantities[i])] = make_array<double>(shape, values.volumes[i].data());
  for (const auto& [quantity, greatest] : greatest_of(inside.summary)) {
    const std::string name(quantity);
    body[py::str("max_" + name)] = greatest->value;
    body[py::str("max_" + name + "_at")] = py::make_tuple(greatest->x, greatest->y, greatest->z);
    body[py::str(name + "_by_depth")] = list_of(greatest->by_depth);
  }
  if (!inside.dang_van_along_y.empty()) body["dang_van_along_y"] = list_of(inside.dang_van_along_y);
  if (!inside.crossland_along_y.empty())
    body["crossland_along_y"] = list_of(inside.crossland_along_y);
  return body;
}

std::vector<BodyValues> computed_values(const Step& step) {
  ContactProblem problem = step.inside->file.problem;
  problem.grid = step.grid;
  std::optional<InteriorField> interior =
      interior_of(step.inside->file, problem, step.fields(), step.inside->interior);
  return values_of(*interior);
}

}  // namespace

bool has_interior(const Step& step) {
  return step.in_file || (step.inside != nullptr && step.inside->file.interior.has_value());
}

py::object interior_of_step(const Step& step) {
  if (!has_interior(step) || (!step.in_file && step.fields().pressure.empty())) return py::none();
  std::vector<BodyValues> bodies;
  {
    const py::gil_scoped_release free;
    bodies = step.in_file ? values_in_file(*step.in_file) : computed_values(step);
  }
  py::dict result;
  for (const BodyValues& values : bodies)
    result[py::str(std::string(body_name(values.body.body)))] = dict_of(values);
  return result;
}

}  // namespace slipfield
