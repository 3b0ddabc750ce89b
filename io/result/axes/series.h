// SPDX-License-Identifier: Apache-2.0
// The group /series of a result: its steps side by side, along a dimension `step`. Numbers of the
// steps are columns, each with its unit; fields are (step, y, x), made of those of the steps where
// they are.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/axes/axes.h"
#include "io/result/vtk.h"
#include "io/result/wheel/table.h"
#include "solver/problem.h"
#include "solver/solution.h"

namespace slipfield {

inline constexpr std::string_view kSeriesGroup = "series";

// The quantities that the step has, and the estimated errors.
NamedNumbers step_numbers(const StepInput& input, const StepReport& report);

class Series {
 public:
  // Steps in the order in which they were run.
  void add(int step, Outcome outcome, const NamedNumbers& numbers);
  // The group with its numbers in `root`. Throws Hdf5Error.
  void write_numbers(hid_t root, Units units) const;
  // As write_numbers(), and the fields of the same steps.
  void write(hid_t root, Units units, const Grid& grid, const std::vector<WrittenStep>& steps,
             ResultAxes& axes) const;

 private:
  [[nodiscard]] hdf5::Scale write_columns(hid_t group, Units units) const;

  std::vector<std::int64_t> steps_;
  std::vector<std::uint8_t> converged_;
  std::map<std::string, std::vector<double>> columns_;
};

}  // namespace slipfield
