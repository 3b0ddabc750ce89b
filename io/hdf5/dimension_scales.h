// SPDX-License-Identifier: Apache-2.0
// The coordinates of a dataset's dimensions, as NetCDF-4 and h5py attach them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

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

}  // namespace slipfield::hdf5
