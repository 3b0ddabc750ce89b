// SPDX-License-Identifier: Apache-2.0
// Dimension scales: attributes that name the dataset with the coordinates along a dimension of
// another one (HDF5's Dimension Scale Specification), as h5py, netCDF and xarray expect.
//
// HDF5's H5DSattach_scale rewrites the list of a scale for each dataset attached to it; this code
// writes the list once.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

class Scale {
 public:
  // The most dimensions per scale: its list is an attribute, which is limited to 64 kB.
  static constexpr std::size_t kMostAttached = 4000;

  // Marks a dataset of one dimension; `name`: of that dimension.
  Scale(hid_t location, const std::string& dataset, const std::string& name);
  // Writes the list of attached datasets. Throws Hdf5Error if it is too long.
  void finish();

 private:
  friend void attach_scales(hid_t location, const std::string& dataset,
                            std::initializer_list<Scale*> scales);
  struct Attached {  // layout in the file, as the specification requires
    hobj_ref_t dataset;
    int dimension;
  };

  Handle dataset_;
  hobj_ref_t reference_ = 0;
  std::vector<Attached> attached_;
};

// A scale for each dimension of the dataset, the slowest first.
void attach_scales(hid_t location, const std::string& dataset,
                   std::initializer_list<Scale*> scales);

// --- Reading: the coordinates of a dataset's dimensions, attached by NetCDF-4 or h5py.

struct DimensionScale {
  std::string name;  // in the file, or the dimension's label; empty if it has neither
  std::string unit;
  std::vector<double> values;  // empty if they are not numbers
};

// Returns one scale per dimension, or nothing. If none are attached, takes datasets next to it that
// have a name in `usual` and the size of the dimension: a row, a column, or repeated over the whole
// table like MATLAB's and NumPy's meshgrid. A pair that fits only when exchanged is returned
// exchanged.
std::vector<DimensionScale> dimension_scales(hid_t location, const std::string& dataset,
                                             const std::vector<std::vector<std::string>>& usual);

std::string_view base_name(std::string_view path);  // after the last /

// Returns whether the attribute refers to places in its file, so that it is meaningless in a copy.
bool refers_to_places(const Handle& attribute_type);

}  // namespace slipfield::hdf5
