// SPDX-License-Identifier: Apache-2.0
// Blocks of datasets of three dimensions: volumes that are written plane by plane.
#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

// The block of a dataset's space, selected.
Handle selected_block(const Handle& dataset, const Block& block, const std::string& path) {
  Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  constexpr int kRank = 3;
  if (H5Sget_simple_extent_ndims(space.id()) != kRank)
    throw Hdf5Error("reading", path, "it has not three dimensions");
  std::array<hsize_t, kRank> extent{};
  check(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), "H5Sget_simple_extent_dims",
        path);
  std::array<hsize_t, kRank> start{};
  std::array<hsize_t, kRank> count{};
  for (std::size_t i = 0; i < extent.size(); ++i) {
    start[i] = block.start[i];
    count[i] = block.count[i];
    if (start[i] > extent[i] || count[i] > extent[i] - start[i])
      throw Hdf5Error("reading", path, "it ends before what is asked for");
  }
  check(
      H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
      "H5Sselect_hyperslab", path);
  return space;
}

}  // namespace

Handle create_volume(hid_t location, const std::string& name,
                     const std::array<std::size_t, 3>& shape) {
  const Handle space = simple_space(shape, name);
  return {checked(H5Dcreate2(location, name.c_str(), H5T_NATIVE_DOUBLE, space.id(), H5P_DEFAULT,
                             H5P_DEFAULT, H5P_DEFAULT),
                  "H5Dcreate2", location, name),
          H5Dclose, "H5Dcreate2", name};
}

void write_block(const Handle& dataset, const Block& block, std::span<const double> values) {
  const std::string path = describe(dataset.id());
  if (block.size() != values.size())
    throw Hdf5Error(
        "writing", path,
        std::to_string(values.size()) + " values for a block of " + std::to_string(block.size()));
  const Handle file_space = selected_block(dataset, block, path);
  const std::size_t shape[] = {values.size()};
  const Handle memory_space = simple_space(shape, path);
  check(H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, memory_space.id(), file_space.id(), H5P_DEFAULT,
                 values.data()),
        "H5Dwrite", path);
}

Handle join_datasets(hid_t location, const std::string& name, std::span<const std::string> sources,
                     const std::vector<std::vector<std::size_t>>& shapes) {
  const std::string path = describe(location, name);
  std::vector<std::size_t> counts;
  hsize_t total = 0;
  for (const std::vector<std::size_t>& shape : shapes) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    counts.push_back(count);
    total += count;
  }
  const Handle space(H5Screate_simple(1, &total, nullptr), H5Sclose, "H5Screate_simple", path);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path);
  hsize_t start = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const hsize_t count = counts[i];
    const Handle source = simple_space(shapes[i], path);
    check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &start, nullptr, &count, nullptr),
          "H5Sselect_hyperslab", path);
    check(H5Pset_virtual(properties.id(), space.id(), ".", sources[i].c_str(), source.id()),
          "H5Pset_virtual", path);
    start += count;
  }
  check(H5Sselect_all(space.id()), "H5Sselect_all", path);
  return {H5Dcreate2(location, name.c_str(), H5T_IEEE_F64LE, space.id(), H5P_DEFAULT,
                     properties.id(), H5P_DEFAULT),
          H5Dclose, "H5Dcreate2", path};
}

}  // namespace slipfield::hdf5
