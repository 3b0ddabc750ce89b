// SPDX-License-Identifier: Apache-2.0
// Dimension scales: which dataset holds the coordinates along a dimension of another one, as the
// attributes of HDF5's Dimension Scale Specification. h5py, netCDF and xarray look there.
//
// HDF5's own H5DSattach_scale rewrites the list of a scale for every dataset that is attached to
// it; here the list is written once.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

class Scale {
 public:
  // Dimensions that one scale can be attached to: its list is an attribute, which ends at 64 kB.
  static constexpr std::size_t kMostAttached = 4000;

  // Marks a dataset of one dimension; `name`: of that dimension.
  Scale(hid_t location, const std::string& dataset, const std::string& name);
  // Writes the list of what was attached since. Throws Hdf5Error where it is too long.
  void finish();

 private:
  friend void attach_scales(hid_t location, const std::string& dataset,
                            std::initializer_list<Scale*> scales);
  struct Attached {  // as the specification has it in the file
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

// --- Reading: the coordinates of a dataset's dimensions, as NetCDF-4 and h5py attach them.

struct DimensionScale {
  std::string name;  // in the file, or the dimension's label; empty where it has neither
  std::string unit;
  std::vector<double> values;  // empty where they are not numbers
};

// One for each dimension; nothing where the dataset has none. Where none are attached, datasets
// next to it that have one of the names `usual` of the dimension and as many values, in a row, in a
// column, or repeated over the whole table as MATLAB's and NumPy's meshgrid have them. Two that fit
// only the other way round are given so.
std::vector<DimensionScale> dimension_scales(hid_t location, const std::string& dataset,
                                             const std::vector<std::vector<std::string>>& usual);

std::string_view base_name(std::string_view path);  // behind the last /

// The attribute is one of those that refer to places in its file, and means nothing in a copy.
bool refers_to_places(const Handle& attribute_type);

}  // namespace slipfield::hdf5
