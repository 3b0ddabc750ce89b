// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "app/python/arrays.h"
#include "app/python/module.h"
#include "app/run/interior.h"
#include "io/result/interior/group.h"

namespace py = pybind11;

namespace slipfield {
namespace {

struct BodyValues {
  Body body = Body::upper;
  std::vector<std::vector<double>> volumes;  // by the request's quantities: (depths, rows, columns)
  std::vector<double> dang_van_along_y;
  std::vector<double> crossland_along_y;
};

// All planes of the field.
std::vector<BodyValues> values_of(InteriorField& interior) {
  const InteriorRequest& request = interior.request();
  std::vector<BodyValues> bodies;
  for (const Body body : request.bodies) {
    BodyValues& values = bodies.emplace_back();
    values.body = body;
    values.volumes.resize(request.quantities.size());
    for (std::size_t depth = 0; depth < request.depths.size(); ++depth) {
      interior.compute(body, depth);
      for (std::size_t i = 0; i < request.quantities.size(); ++i) {
        const std::vector<double> plane = interior.values(request.quantities[i]);
        values.volumes[i].insert(values.volumes[i].end(), plane.begin(), plane.end());
      }
    }
    values.dang_van_along_y = interior.along_y(InteriorQuantity::dang_van);
    values.crossland_along_y = interior.along_y(InteriorQuantity::crossland);
  }
  return bodies;
}

py::dict dict_of(const BodyValues& values, const InteriorSummary& summary,
                 const InteriorField& interior) {
  const InteriorRequest& request = interior.request();
  const InteriorWindow& window = interior.window();
  std::vector<double> x;
  std::vector<double> y;
  for (int ix = 0; ix < window.mx; ++ix) x.push_back(interior.grid().x(window.ix0 + ix));
  for (int iy = 0; iy < window.my; ++iy) y.push_back(interior.grid().y(window.iy0 + iy));
  py::dict body;
  body["depth"] = list_of(request.depths);
  body["x"] = list_of(x);
  body["y"] = list_of(y);
  for (std::size_t i = 0; i < request.quantities.size(); ++i)
    body[py::str(std::string(interior_entry(request.quantities[i]).name))] =
        make_array<double>({static_cast<py::ssize_t>(request.depths.size()), window.my, window.mx},
                           values.volumes[i].data());
  for (const auto& [quantity, greatest] : greatest_of(summary)) {
    const std::string name(quantity);
    body[py::str("max_" + name)] = greatest->value;
    body[py::str("max_" + name + "_at")] = py::make_tuple(greatest->x, greatest->y, greatest->z);
    body[py::str(name + "_by_depth")] = list_of(greatest->by_depth);
  }
  if (!values.dang_van_along_y.empty()) body["dang_van_along_y"] = list_of(values.dang_van_along_y);
  if (!values.crossland_along_y.empty())
    body["crossland_along_y"] = list_of(values.crossland_along_y);
  return body;
}

}  // namespace

bool asks_for_interior(const Step& step) {
  return step.inside != nullptr && step.inside->file.interior.has_value();
}

py::object interior_of_step(const Step& step) {
  if (!asks_for_interior(step) || step.fields().pressure.empty()) return py::none();
  ContactProblem problem = step.inside->file.problem;
  problem.grid = step.grid;
  std::optional<InteriorField> interior =
      interior_of(step.inside->file, problem, step.fields(), step.inside->interior);
  std::vector<BodyValues> bodies;
  {
    const py::gil_scoped_release free;
    bodies = values_of(*interior);
  }
  py::dict result;
  for (std::size_t i = 0; i < bodies.size(); ++i)
    result[py::str(std::string(body_name(bodies[i].body)))] =
        dict_of(bodies[i], interior->summaries()[i], *interior);
  return result;
}

}  // namespace slipfield
