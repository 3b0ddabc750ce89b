// Attributes and datasets: reading and writing of numbers and text.
#include <array>
#include <cstring>
#include <limits>
#include <memory>

#include "io/hdf5_handle.h"

namespace slipfield::hdf5 {
namespace {

template <typename T>
hid_t native_type();
template <>
hid_t native_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
hid_t native_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
hid_t native_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate", "a scalar"}; }

Handle simple_space(std::span<const std::size_t> shape, const std::string& path) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
          "H5Screate_simple", path};
}

Handle variable_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy", "H5T_C_S1");
  check(H5Tset_size(type.id(), H5T_VARIABLE), "H5Tset_size", "a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "H5Tset_cset", "a text type");
  return type;
}

void put_attribute(hid_t object, const std::string& name, hid_t type, const Handle& space,
                   const void* data) {
  const std::string path = describe(object, name);
  const Handle attribute(
      H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
      "H5Acreate2", path);
  check(H5Awrite(attribute.id(), type, data), "H5Awrite", path);
}

// What a reader may convert into `T`: numbers into double, integers into integers.
template <typename T>
void require_convertible(const Handle& type, const std::string& path) {
  const H5T_class_t kind = H5Tget_class(type.id());
  const bool number = kind == H5T_INTEGER || (std::is_same_v<T, double> && kind == H5T_FLOAT);
  if (!number)
    throw Hdf5Error(
        "reading", path,
        std::is_same_v<T, double> ? "it does not hold numbers" : "it does not hold integers");
}

std::size_t point_count(const Handle& space, const std::string& path) {
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  check(count, "H5Sget_simple_extent_npoints", path);
  return static_cast<std::size_t>(count);
}

Handle open_attribute(hid_t object, const std::string& name) {
  return {H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen", describe(object, name)};
}

template <typename T>
std::vector<T> get_attribute(hid_t object, const std::string& name) {
  const std::string path = describe(object, name);
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "H5Aget_type", path);
  require_convertible<T>(type, path);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "H5Aget_space", path);
  std::vector<T> values(point_count(space, path));
  if (!values.empty())
    check(H5Aread(attribute.id(), native_type<T>(), values.data()), "H5Aread", path);
  return values;
}

template <typename T>
T get_scalar_attribute(hid_t object, const std::string& name) {
  const std::vector<T> values = get_attribute<T>(object, name);
  if (values.size() != 1)
    throw Hdf5Error("reading", describe(object, name), "it does not hold one number");
  return values.front();
}

template <typename T>
Handle put_dataset(hid_t location, const std::string& name, std::span<const T> values,
                   std::span<const std::size_t> shape) {
  const std::string path = describe(location, name);
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  if (count != values.size())
    throw Hdf5Error(
        "writing", path,
        std::to_string(values.size()) + " values for a shape of " + std::to_string(count));
  const Handle space = simple_space(shape, path);
  Handle dataset(H5Dcreate2(location, name.c_str(), native_type<T>(), space.id(), H5P_DEFAULT,
                            H5P_DEFAULT, H5P_DEFAULT),
                 H5Dclose, "H5Dcreate2", path);
  if (count > 0)
    check(H5Dwrite(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "H5Dwrite", path);
  return dataset;
}

// A small file may claim any size: what takes much memory must be there. deflate packs a thousand
// to one at most.
void require_stored(const Handle& dataset, std::size_t bytes, const std::string& path) {
  constexpr std::size_t kMuch = std::size_t{64} << 20U;
  constexpr std::size_t kBestPacking = 1100;
  const std::size_t stored = H5Dget_storage_size(dataset.id());
  if (bytes > kMuch && bytes / kBestPacking > stored)
    throw Hdf5Error("reading", path,
                    "it claims " + std::to_string(bytes) + " bytes of values but stores " +
                        std::to_string(stored));
}

template <typename T>
std::vector<T> get_dataset(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  require_convertible<T>(type, path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  const std::size_t count = point_count(space, path);
  require_stored(dataset, count * sizeof(T), path);
  std::vector<T> values(count);
  if (!values.empty())
    check(H5Dread(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "H5Dread", path);
  return values;
}

// Text of either kind, fixed or variable length; `read(type, buffer)` is H5Aread or H5Dread.
template <typename Read>
std::string get_text(const Handle& type, const Handle& space, const std::string& path, Read read) {
  if (H5Tget_class(type.id()) != H5T_STRING)
    throw Hdf5Error("reading", path, "it does not hold text");
  if (point_count(space, path) != 1) throw Hdf5Error("reading", path, "it does not hold one text");
  const htri_t variable = H5Tis_variable_str(type.id());
  check(variable, "H5Tis_variable_str", path);
  if (variable == 0) {
    std::string text(H5Tget_size(type.id()), '\0');
    read(type.id(), text.data());
    return text.substr(0, text.find('\0'));
  }
  const Handle memory_type(H5Tcopy(type.id()), H5Tclose, "H5Tcopy", path);
  char* characters = nullptr;
  read(memory_type.id(), &characters);
  const std::unique_ptr<char, herr_t (*)(void*)> owned(characters, H5free_memory);
  return characters == nullptr ? std::string() : std::string(characters);
}

}  // namespace

bool has_attribute(hid_t object, const std::string& name) {
  const htri_t exists = H5Aexists(object, name.c_str());
  check(exists, "H5Aexists", describe(object, name));
  return exists > 0;
}

void write_attribute(hid_t object, const std::string& name, std::string_view value) {
  const std::string text(value);
  const char* characters = text.c_str();
  put_attribute(object, name, variable_text_type().id(), scalar_space(), &characters);
}

void write_attribute(hid_t object, const std::string& name, double value) {
  put_attribute(object, name, H5T_NATIVE_DOUBLE, scalar_space(), &value);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  put_attribute(object, name, H5T_NATIVE_INT64, scalar_space(), &value);
}

void write_attribute(hid_t object, const std::string& name, std::span<const double> values) {
  const std::size_t shape[] = {values.size()};
  put_attribute(object, name, H5T_NATIVE_DOUBLE, simple_space(shape, describe(object, name)),
                values.data());
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values) {
  const std::size_t shape[] = {values.size()};
  put_attribute(object, name, H5T_NATIVE_INT64, simple_space(shape, describe(object, name)),
                values.data());
}

void delete_attribute(hid_t object, const std::string& name) {
  check(H5Adelete(object, name.c_str()), "H5Adelete", describe(object, name));
}

void write_ascii_attribute(hid_t object, const std::string& name, std::string_view value) {
  const std::string path = describe(object, name);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy", path);
  check(H5Tset_size(type.id(), value.size()), "H5Tset_size", path);
  check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "H5Tset_strpad", path);
  put_attribute(object, name, type.id(), scalar_space(), value.data());
}

std::string read_string_attribute(hid_t object, const std::string& name) {
  const std::string path = describe(object, name);
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, "H5Aget_type", path);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, "H5Aget_space", path);
  return get_text(type, space, path, [&](hid_t memory_type, void* buffer) {
    check(H5Aread(attribute.id(), memory_type, buffer), "H5Aread", path);
  });
}

double read_double_attribute(hid_t object, const std::string& name) {
  return get_scalar_attribute<double>(object, name);
}

std::int64_t read_integer_attribute(hid_t object, const std::string& name) {
  return get_scalar_attribute<std::int64_t>(object, name);
}

std::vector<double> read_doubles_attribute(hid_t object, const std::string& name) {
  return get_attribute<double>(object, name);
}

std::vector<std::int64_t> read_integers_attribute(hid_t object, const std::string& name) {
  return get_attribute<std::int64_t>(object, name);
}

Handle write_dataset(hid_t location, const std::string& name, std::span<const double> values,
                     std::span<const std::size_t> shape) {
  return put_dataset(location, name, values, shape);
}

Handle write_dataset(hid_t location, const std::string& name, std::span<const std::int64_t> values,
                     std::span<const std::size_t> shape) {
  return put_dataset(location, name, values, shape);
}

Handle write_dataset(hid_t location, const std::string& name, std::span<const std::uint8_t> values,
                     std::span<const std::size_t> shape) {
  return put_dataset(location, name, values, shape);
}

Handle stack_datasets(hid_t location, const std::string& name, Number type,
                      std::span<const std::string> sources, std::array<std::size_t, 2> plane) {
  const std::string path = describe(location, name);
  const std::array<hsize_t, 3> extent = {sources.size(), plane[0], plane[1]};
  const std::array<hsize_t, 3> one = {1, plane[0], plane[1]};
  const Handle space(H5Screate_simple(3, extent.data(), nullptr), H5Sclose, "H5Screate_simple",
                     path);
  const Handle source(H5Screate_simple(2, &extent[1], nullptr), H5Sclose, "H5Screate_simple", path);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path);
  const double missing = std::numeric_limits<double>::quiet_NaN();
  if (type == Number::float64)
    check(H5Pset_fill_value(properties.id(), H5T_NATIVE_DOUBLE, &missing), "H5Pset_fill_value",
          path);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].empty()) continue;
    const std::array<hsize_t, 3> start = {i, 0, 0};
    check(
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, one.data(), nullptr),
        "H5Sselect_hyperslab", path);
    check(H5Pset_virtual(properties.id(), space.id(), ".", sources[i].c_str(), source.id()),
          "H5Pset_virtual", path);
  }
  check(H5Sselect_all(space.id()), "H5Sselect_all", path);
  const hid_t file_type = type == Number::float64 ? H5T_IEEE_F64LE : H5T_STD_U8LE;
  return {H5Dcreate2(location, name.c_str(), file_type, space.id(), H5P_DEFAULT, properties.id(),
                     H5P_DEFAULT),
          H5Dclose, "H5Dcreate2", path};
}

Handle write_text(hid_t location, const std::string& name, std::string_view text) {
  const std::string path = describe(location, name);
  const Handle type = variable_text_type();
  const Handle space = scalar_space();
  Handle dataset(H5Dcreate2(location, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT),
                 H5Dclose, "H5Dcreate2", path);
  const std::string owned(text);
  const char* characters = owned.c_str();
  check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, &characters), "H5Dwrite",
        path);
  return dataset;
}

Handle write_texts(hid_t location, const std::string& name, std::span<const std::string> texts) {
  const std::string path = describe(location, name);
  const Handle type = variable_text_type();
  const std::size_t shape[] = {texts.size()};
  const Handle space = simple_space(shape, path);
  Handle dataset(H5Dcreate2(location, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT,
                            H5P_DEFAULT),
                 H5Dclose, "H5Dcreate2", path);
  std::vector<const char*> characters;
  for (const std::string& text : texts) characters.push_back(text.c_str());
  if (!texts.empty())
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()),
          "H5Dwrite", path);
  return dataset;
}

Handle open_dataset(hid_t location, const std::string& name) {
  return {H5Dopen2(location, name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2",
          describe(location, name)};
}

std::vector<std::size_t> dataset_shape(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  check(rank, "H5Sget_simple_extent_ndims", path);
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), "H5Sget_simple_extent_dims",
        path);
  return {extent.begin(), extent.end()};
}

std::vector<double> read_doubles(hid_t location, const std::string& name) {
  return get_dataset<double>(location, name);
}

std::vector<std::int64_t> read_integers(hid_t location, const std::string& name) {
  return get_dataset<std::int64_t>(location, name);
}

std::vector<std::uint8_t> read_bytes(hid_t location, const std::string& name) {
  return get_dataset<std::uint8_t>(location, name);
}

std::string read_text(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  return get_text(type, space, path, [&](hid_t memory_type, void* buffer) {
    check(H5Dread(dataset.id(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer), "H5Dread",
          path);
  });
}

std::vector<std::string> read_texts(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) <= 0)
    throw Hdf5Error("reading", path, "it does not hold texts of any length");
  std::vector<char*> characters(point_count(space, path), nullptr);
  if (!characters.empty())
    check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()),
          "H5Dread", path);
  std::vector<std::string> texts;
  for (const char* text : characters) texts.emplace_back(text == nullptr ? "" : text);
  if (!characters.empty())
    check(H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, characters.data()), "H5Dvlen_reclaim",
          path);
  return texts;
}

bool holds_text(hid_t location, const std::string& name) {
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", describe(location, name));
  return H5Tget_class(type.id()) == H5T_STRING;
}

}  // namespace slipfield::hdf5
