// SPDX-License-Identifier: Apache-2.0
// Coordinates of a result's fields as HDF5 dimension scales: x and y of /grid along the fields of
// the steps, depth inside the bodies. netCDF looks for them in a field's group and its parents, so
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

  // Attaches the groups in `steps`, such as "0001". Does nothing if they have too many fields for
  // one scale (hdf5::Scale::kMostAttached less some for a series).
  void attach_steps(const std::vector<std::string>& groups);
  // Attaches a dataset (step, y, x) of another group.
  void attach_series(hid_t group, const std::string& dataset, hdf5::Scale& step);
  // Links x and y into the group as its coordinates.
  void link_into(hid_t group) const;
  // Attaches the fields in the group.
  void attach_step(hid_t step, const std::vector<std::string>& links);
  void finish();

 private:
  hid_t result_;
  hdf5::Scale x_;
  hdf5::Scale y_;
};

inline constexpr std::string_view kSeriesGroup = "series";

// Writes the group /series of a result: its fields side by side, (step, y, x), which refer to those
// of the steps; only `step` if no step has a field. Throws Hdf5Error.
void write_series(hid_t root, const Grid& grid, const std::vector<WrittenStep>& steps,
                  ResultAxes& axes);

// Writes all of these for a complete result.
void write_axes(hid_t result, const std::vector<std::string>& step_groups);
// The same for a contact of a wheel: a group with a `grid` and fields.
void write_contact_axes(hid_t contact);

}  // namespace slipfield
