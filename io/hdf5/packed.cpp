// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/packed.h"

#include <algorithm>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

// Whole rows, as many as make some 1 MiB.
std::vector<hsize_t> chunk_of(std::span<const std::size_t> shape, std::size_t bytes_of_number) {
  constexpr std::size_t kBytes = std::size_t{1} << 20U;
  std::vector<hsize_t> chunk(shape.begin(), shape.end());
  std::size_t row = bytes_of_number;
  for (std::size_t i = 1; i < shape.size(); ++i) row *= shape[i];
  chunk.front() = std::clamp<std::size_t>(kBytes / std::max<std::size_t>(1, row), 1,
                                          std::max<std::size_t>(1, shape.front()));
  return chunk;
}

Handle packed_properties(std::span<const std::size_t> shape, std::size_t bytes_of_number, int level,
                         const std::string& path) {
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    throw Hdf5Error("writing", path, "this HDF5 library was built without deflate");
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path);
  const std::vector<hsize_t> chunk = chunk_of(shape, bytes_of_number);
  check(H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data()), "H5Pset_chunk",
        path);
  if (level > 0) {
    check(H5Pset_shuffle(properties.id()), "H5Pset_shuffle", path);
    check(H5Pset_deflate(properties.id(), static_cast<unsigned>(level)), "H5Pset_deflate", path);
  }
  return properties;
}

template <typename T>
Handle make_dataset(hid_t location, const std::string& name, std::span<const std::size_t> shape,
                    std::optional<int> level) {
  const std::string path = describe(location, name);
  Handle properties;
  if (level) properties = packed_properties(shape, sizeof(T), *level, path);
  const Handle space = simple_space(shape, path);
  return {H5Dcreate2(location, name.c_str(), native_type<T>(), space.id(), H5P_DEFAULT,
                     level ? properties.id() : H5P_DEFAULT, H5P_DEFAULT),
          H5Dclose, "H5Dcreate2", path};
}

template <typename T>
Handle put_packed(hid_t location, const std::string& name, std::span<const T> values,
                  std::span<const std::size_t> shape, int level) {
  const std::string path = describe(location, name);
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  if (shape.empty() || count != values.size())
    throw Hdf5Error(
        "writing", path,
        std::to_string(values.size()) + " values for a shape of " + std::to_string(count));
  Handle dataset = make_dataset<T>(location, name, shape, level);
  if (count > 0)
    check(H5Dwrite(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "H5Dwrite", path);
  return dataset;
}

}  // namespace

Handle write_packed(hid_t location, const std::string& name, std::span<const double> values,
                    std::span<const std::size_t> shape, int level) {
  return put_packed(location, name, values, shape, level);
}

Handle write_packed(hid_t location, const std::string& name, std::span<const std::uint8_t> values,
                    std::span<const std::size_t> shape, int level) {
  return put_packed(location, name, values, shape, level);
}

Handle create_dataset(hid_t location, const std::string& name, Number type,
                      std::span<const std::size_t> shape, std::optional<int> level) {
  return type == Number::float64 ? make_dataset<double>(location, name, shape, level)
                                 : make_dataset<std::uint8_t>(location, name, shape, level);
}

}  // namespace slipfield::hdf5
