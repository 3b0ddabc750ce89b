// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/scales.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

constexpr const char* kList = "DIMENSION_LIST";
constexpr const char* kLabels = "DIMENSION_LABELS";

// The coordinates along one dimension of a table that repeats them at each place; nothing if they
// also change along the other one.
std::vector<double> along(const std::vector<double>& table, const std::vector<std::size_t>& shape,
                          std::size_t dimension) {
  std::vector<double> line;
  for (std::size_t i = 0; i < shape[dimension]; ++i)
    line.push_back(table[dimension == 0 ? i * shape[1] : i]);
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[i] != line[dimension == 0 ? i / shape[1] : i % shape[1]]) return {};
  return line;
}

// A damaged or non-numeric scale counts as one without values. map: the shape of its dataset,
// dimension: the one that it may belong to.
DimensionScale read_scale(hid_t location, const std::string& name,
                          const std::vector<std::size_t>& map, std::size_t dimension) {
  DimensionScale scale;
  scale.name = name;
  try {
    const std::vector<std::size_t> shape = dataset_shape(location, name);
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    const bool whole = shape == map && map.size() == 2;
    const bool line = !shape.empty() && count == *std::max_element(shape.begin(), shape.end());
    if (!whole && !line) return scale;
    const Handle dataset = open_dataset(location, name);
    constexpr std::string_view kNoValues = "This is a netCDF dimension but not a netCDF variable";
    if (has_attribute(dataset.id(), "NAME") &&
        read_string_attribute(dataset.id(), "NAME").starts_with(kNoValues))
      return scale;
    scale.values = read_doubles(location, name);
    if (whole && !line) scale.values = along(scale.values, map, dimension);
    if (has_attribute(dataset.id(), "units"))
      scale.unit = read_string_attribute(dataset.id(), "units");
  } catch (const Hdf5Error&) {
    scale.values.clear();
  }
  return scale;
}

// The first scale of each dimension; an attribute of variable-length lists of references.
std::vector<DimensionScale> attached_scales(const Handle& dataset,
                                            const std::vector<std::size_t>& shape,
                                            const std::string& path) {
  const std::size_t rank = shape.size();
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
      scales[i] = read_scale(dataset.id(), name.data(), shape, i);
    }
  } catch (const Hdf5Error&) {
    H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, lists.data());
    throw;
  }
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, lists.data());
  return scales;
}

// The names of dimensions without scales: texts of any length, one for each.
std::vector<std::string> labels_of(const Handle& dataset, std::size_t rank,
                                   const std::string& path) {
  const Handle attribute = open_attribute(dataset.id(), kLabels);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "H5Aget_type", path);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "H5Aget_space", path);
  if (H5Tis_variable_str(type.id()) <= 0 || point_count(space, path) != rank) return {};
  std::vector<char*> texts(rank, nullptr);
  check(H5Aread(attribute.id(), type.id(), texts.data()), "H5Aread", path);
  std::vector<std::string> labels;
  for (const char* text : texts) labels.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, texts.data());
  return labels;
}

// The first dataset with one of the names (unchanged, capitalised or in capitals) that has values
// for the dimension.
DimensionScale scale_beside(hid_t location, const std::string& folder,
                            const std::vector<std::string>& names,
                            const std::vector<std::size_t>& shape, std::size_t dimension) {
  const auto capital = [](char letter) {
    return static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  };
  for (const std::string& name : names) {
    std::string first = name;
    first[0] = capital(first[0]);
    std::string all = name;
    std::transform(all.begin(), all.end(), all.begin(), capital);
    for (const std::string& spelled : {name, first, all}) {
      if (!has_link(location, folder + spelled)) continue;
      DimensionScale scale = read_scale(location, folder + spelled, shape, dimension);
      if (scale.values.size() == shape[dimension]) return scale;
    }
  }
  return {};
}

}  // namespace

std::string_view base_name(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);  // npos + 1 = 0
}

std::vector<DimensionScale> dimension_scales(hid_t location, const std::string& dataset,
                                             const std::vector<std::vector<std::string>>& usual) {
  const std::string path = describe(location, dataset);
  const std::vector<std::size_t> shape = dataset_shape(location, dataset);
  const Handle handle = open_dataset(location, dataset);
  std::vector<DimensionScale> scales;
  if (has_attribute(handle.id(), kList)) scales = attached_scales(handle, shape, path);
  std::vector<std::string> labels;
  if (has_attribute(handle.id(), kLabels)) labels = labels_of(handle, shape.size(), path);
  scales.resize(scales.empty() && labels.empty() ? 0 : shape.size());
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (scales[i].name.empty()) scales[i].name = labels[i];
  if (!scales.empty()) return scales;
  if (shape.size() != usual.size()) return {};
  const std::string folder = dataset.substr(0, dataset.size() - base_name(dataset).size());
  const auto beside = [&](std::size_t i, std::size_t names) {
    return scale_beside(location, folder, usual[names], shape, i);
  };
  for (std::size_t i = 0; i < shape.size(); ++i) scales.push_back(beside(i, i));
  if (shape.size() != 2 || !scales[0].name.empty() || !scales[1].name.empty()) return scales;
  std::vector<DimensionScale> other{beside(0, 1), beside(1, 0)};
  return other[0].name.empty() || other[1].name.empty() ? scales : other;
}

namespace {

// Writes a text of fixed length, ended by a zero: HDF5 does not recognise a scale without it.
void write_mark(hid_t object, const std::string& name, const std::string& value) {
  const std::string path = describe(object, name);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy", path);
  check(H5Tset_size(type.id(), value.size() + 1), "H5Tset_size", path);
  put_attribute(object, name, type.id(), scalar_space(), value.c_str());
}

hobj_ref_t reference_to(hid_t location, const std::string& name) {
  hobj_ref_t reference = 0;
  checked(H5Rcreate(&reference, location, name.c_str(), H5R_OBJECT, -1), "H5Rcreate", location,
          name);
  return reference;
}

}  // namespace

Scale::Scale(hid_t location, const std::string& dataset, const std::string& name)
    : dataset_(open_dataset(location, dataset)), reference_(reference_to(location, dataset)) {
  if (has_attribute(dataset_.id(), "CLASS")) return;  // a copy of a scale
  write_mark(dataset_.id(), "CLASS", "DIMENSION_SCALE");
  write_mark(dataset_.id(), "NAME", name);
}

void Scale::finish() {
  if (attached_.empty()) return;
  const std::string path = describe(dataset_.id());
  if (attached_.size() > kMostAttached)
    throw Hdf5Error("writing", path, "too many datasets are attached to this scale");
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Attached)), H5Tclose, "H5Tcreate", path);
  check(H5Tinsert(type.id(), "dataset", HOFFSET(Attached, dataset), H5T_STD_REF_OBJ), "H5Tinsert",
        path);
  check(H5Tinsert(type.id(), "dimension", HOFFSET(Attached, dimension), H5T_NATIVE_INT),
        "H5Tinsert", path);
  const std::size_t shape[] = {attached_.size()};
  put_attribute(dataset_.id(), "REFERENCE_LIST", type.id(), simple_space(shape, path),
                attached_.data());
  dataset_.close("H5Dclose", path);
}

void attach_scales(hid_t location, const std::string& dataset,
                   std::initializer_list<Scale*> scales) {
  const hobj_ref_t reference = reference_to(location, dataset);
  std::vector<hvl_t> list;
  for (Scale* scale : scales) {
    scale->attached_.push_back({reference, static_cast<int>(list.size())});
    list.push_back({1, &scale->reference_});
  }
  static const Handle& type =
      *new Handle(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "H5Tvlen_create",
                  "a list of scales");  // as scalar_space()
  const std::size_t shape[] = {list.size()};
  put_attribute(open_dataset(location, dataset).id(), "DIMENSION_LIST", type.id(),
                simple_space(shape, dataset), list.data());
}

bool refers_to_places(const Handle& attribute_type) {
  return H5Tdetect_class(attribute_type.id(), H5T_REFERENCE) > 0;
}

}  // namespace slipfield::hdf5
