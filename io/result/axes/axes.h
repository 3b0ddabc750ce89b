// SPDX-License-Identifier: Apache-2.0
// Coordinates of a result's fields, as HDF5's dimension scales: x and y of /grid along the fields
// of the steps, depth inside the bodies. netCDF looks for them in a field's group and those above:
// the result has links to x and y.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/hdf5/scales.h"
#include "io/result/vtk.h"

namespace slipfield {

class ResultAxes {
 public:
  // `result`: a group with `grid` and `steps`.
  explicit ResultAxes(hid_t result);

  // Attaches the groups in `steps`, such as "0001". Does nothing where their fields are too many
  // for one scale (hdf5::Scale::kMostAttached less some for a series).
  void attach_steps(const std::vector<std::string>& groups);
  // A dataset (step, y, x) of another group.
  void attach_series(hid_t group, const std::string& dataset, hdf5::Scale& step);
  // x and y as coordinates of the group.
  void link_into(hid_t group) const;
  // The fields in the group.
  void attach_step(hid_t step, const std::vector<std::string>& links);
  void finish();

 private:
  hid_t result_;
  hdf5::Scale x_;
  hdf5::Scale y_;
};

inline constexpr std::string_view kSeriesGroup = "series";

// The group /series of a result: its fields side by side, (step, y, x), made of those of the steps
// where they are; `step` alone where no step has a field. Throws Hdf5Error.
void write_series(hid_t root, const Grid& grid, const std::vector<WrittenStep>& steps,
                  ResultAxes& axes);

// All of these for a result that is complete.
void write_axes(hid_t result, const std::vector<std::string>& step_groups);
// For a contact of a wheel: a group with a `grid` and fields.
void write_contact_axes(hid_t contact);

}  // namespace slipfield
