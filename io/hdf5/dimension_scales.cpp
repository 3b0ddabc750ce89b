// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/dimension_scales.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

constexpr const char* kList = "DIMENSION_LIST";

// A scale that is damaged, or no numbers, is one without values.
DimensionScale read_scale(hid_t location, const std::string& name) {
  DimensionScale scale;
  scale.name = name;
  try {
    const std::vector<std::size_t> shape = dataset_shape(location, name);
    if (shape.size() != 1) return scale;
    const Handle dataset = open_dataset(location, name);
    constexpr std::string_view kNoValues = "This is a netCDF dimension but not a netCDF variable";
    if (has_attribute(dataset.id(), "NAME") &&
        read_string_attribute(dataset.id(), "NAME").starts_with(kNoValues))
      return scale;
    scale.values = read_doubles(location, name);
    if (has_attribute(dataset.id(), "units"))
      scale.unit = read_string_attribute(dataset.id(), "units");
  } catch (const Hdf5Error&) {
    scale.values.clear();
  }
  return scale;
}

// The first scale of each dimension; an attribute of variable-length lists of references.
std::vector<DimensionScale> attached_scales(const Handle& dataset, std::size_t rank,
                                            const std::string& path) {
  const Handle attribute = open_attribute(dataset.id(), kList);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "H5Aget_type", path);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "H5Aget_space", path);
  if (H5Tget_class(type.id()) != H5T_VLEN || point_count(space, path) != rank) return {};
  const Handle base(H5Tget_super(type.id()), H5Tclose, "H5Tget_super", path);
  if (H5Tequal(base.id(), H5T_STD_REF_OBJ) <= 0) return {};
  std::vector<hvl_t> lists(rank);
  check(H5Aread(attribute.id(), type.id(), lists.data()), "H5Aread", path);
  std::vector<DimensionScale> scales(rank);
  try {
    for (std::size_t i = 0; i < rank; ++i) {
      if (lists[i].len == 0) continue;
      const Handle scale(H5Rdereference2(dataset.id(), H5P_DEFAULT, H5R_OBJECT, lists[i].p),
                         H5Oclose, "H5Rdereference2", path);
      std::array<char, 1024> name{};
      if (H5Iget_type(scale.id()) != H5I_DATASET ||
          H5Iget_name(scale.id(), name.data(), name.size()) <= 0)
        continue;
      scales[i] = read_scale(dataset.id(), name.data());
    }
  } catch (const Hdf5Error&) {
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, lists.data());
    throw;
  }
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, lists.data());
  return scales;
}

}  // namespace

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 = 0
}

std::vector<DimensionScale> dimension_scales(hid_t location, const std::string& dataset,
                                             const std::vector<std::string>& usual) {
  const std::string path = describe(location, dataset);
  const std::vector<std::size_t> shape = dataset_shape(location, dataset);
  const Handle handle = open_dataset(location, dataset);
  if (has_attribute(handle.id(), kList)) return attached_scales(handle, shape.size(), path);
  if (shape.size() != usual.size()) return {};
  const std::string folder = dataset.substr(0, dataset.size() - base_name(dataset).size());
  std::vector<DimensionScale> scales(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    std::string capital = usual[i];
    capital[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(capital[0])));
    for (const std::string& name : {folder + usual[i], folder + capital}) {
      if (!scales[i].name.empty() || !has_link(location, name)) continue;
      DimensionScale scale = read_scale(location, name);
      if (scale.values.size() == shape[i]) scales[i] = std::move(scale);
    }
  }
  return scales;
}

}  // namespace slipfield::hdf5
