// SPDX-License-Identifier: Apache-2.0
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>

#include "app/python/arrays.h"
#include "app/python/gil.h"
#include "app/python/module.h"
#include "io/hdf5/one_thread.h"
#include "io/table/table_file.h"
#include "solver/error.h"
#include "solver/table/creep_table.h"

namespace py = pybind11;

namespace slipfield {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

class PythonTable {
 public:
  explicit PythonTable(const std::string& path) {
    const WithoutGil free;
    const hdf5::OneThread alone;
    file_ = read_table(path);
    table_.emplace(file_.image.data(), file_.image_bytes);
  }
  ~PythonTable() = default;
  // table_ points into file_.
  PythonTable(const PythonTable&) = delete;
  PythonTable& operator=(const PythonTable&) = delete;

  // rows: (n, 4), ratio and creepages. Returns forces (n, 3), derivatives (n, 3, 3), and the number
  // of rows outside the ratios.
  [[nodiscard]] py::tuple forces(const Numbers& rows) const {
    if (rows.ndim() != 2 || rows.shape(1) != 4)
      throw InputError("a table takes rows of a ratio and three creepages");
    const py::ssize_t count = rows.shape(0);
    auto forces = make_array<double>({count, 3});
    auto derivatives = make_array<double>({count, 3, 3});
    const double* const from = rows.data();
    double* const to = forces.mutable_data();
    double* const by = derivatives.mutable_data();
    py::ssize_t clamped = 0;
    py::ssize_t senseless = -1;
    {
      const WithoutGil free;
      for (py::ssize_t i = 0; i < count; ++i) {
        const double* const row = from + 4 * i;
        const TableForces at = table_->at(row[0], {row[1], row[2], row[3]});
        std::copy(at.force.begin(), at.force.end(), to + 3 * i);
        std::copy(at.derivative.begin(), at.derivative.end(), by + 9 * i);
        if (at.status == SLIPFIELD_TABLE_CLAMPED) ++clamped;
        if (at.status == SLIPFIELD_TABLE_NOT_FINITE && senseless < 0) senseless = i;
      }
    }
    if (senseless >= 0)
      throw InputError("row " + std::to_string(senseless) +
                       " has no force; accepted: a/b above 0, finite numbers");
    return py::make_tuple(forces, derivatives, clamped);
  }

  [[nodiscard]] py::dict info() const {
    py::dict info;
    info["command"] = file_.origin.command;
    info["first_ratio"] = file_.ratios.front();
    info["last_ratio"] = file_.ratios.back();
    info["greatest_force_error"] = file_.error.greatest_force;
    info["mean_force_error"] = file_.error.mean_force;
    info["greatest_moment_error"] = file_.error.greatest_moment;
    info["mean_moment_error"] = file_.error.mean_moment;
    return info;
  }

 private:
  TableFile file_;
  std::optional<TableEvaluator> table_;
};

}  // namespace

void define_creep_table(py::module_& module) {
  py::class_<PythonTable>(module, "CreepTable")
      .def(py::init<const std::string&>(), py::arg("path"))
      .def("forces", &PythonTable::forces, py::arg("rows"))
      .def_property_readonly("info", &PythonTable::info);
}

}  // namespace slipfield
