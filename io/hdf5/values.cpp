// SPDX-License-Identifier: Apache-2.0
// Attributes and datasets of numbers: reading and writing. Text is in io/hdf5/text.cpp.
#include <fcntl.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

// Fewer bytes than this are left to the operating system.
constexpr std::size_t kLeastToDisk = std::size_t{1} << 20U;

// The descriptor of a file that the library writes through the operating system; -1 for another
// driver.
int descriptor_of(const Handle& dataset, const std::string& path) {
  const Handle file(H5Iget_file_id(dataset.id()), H5Fclose, "H5Iget_file_id", path);
  const Handle access(H5Fget_access_plist(file.id()), H5Pclose, "H5Fget_access_plist", path);
  if (H5Pget_driver(access.id()) != H5FD_SEC2) return -1;
  void* descriptor = nullptr;
  check(H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor), "H5Fget_vfd_handle", path);
  return *static_cast<const int*>(descriptor);
}

// Asks the operating system to start writing the values of a contiguous dataset to disk, which
// shortens the final flush. Does not wait; does nothing if it is not possible.
void send_to_disk(const Handle& dataset) {
  const std::string path = describe(dataset.id());
  const haddr_t place = H5Dget_offset(dataset.id());
  if (place == HADDR_UNDEF) return;
  const int descriptor = descriptor_of(dataset, path);
  if (descriptor < 0) return;
  static_cast<void>(sync_file_range(descriptor, static_cast<off_t>(place),
                                    static_cast<off_t>(H5Dget_storage_size(dataset.id())),
                                    SYNC_FILE_RANGE_WRITE));
}

// Makes the place of a contiguous dataset a hole in the file, which reads as zeros and takes no
// room on the disk. Returns whether that was possible.
bool leave_hole(const Handle& dataset) {
  const std::string path = describe(dataset.id());
  const haddr_t place = H5Dget_offset(dataset.id());
  const int descriptor = place == HADDR_UNDEF ? -1 : descriptor_of(dataset, path);
  return descriptor >= 0 && fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                      static_cast<off_t>(place),
                                      static_cast<off_t>(H5Dget_storage_size(dataset.id()))) == 0;
}

bool is_all_zeros(std::span<const std::byte> bytes) {  // no -0.0 among them
  return bytes.empty() || (bytes.front() == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// The bits of a value lie within its bytes: the library's conversions rely on that.
bool is_sound_number(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  constexpr std::size_t kLargest = 16;  // bytes, of a long double
  if (size < 1 || size > kLargest) return false;
  const std::size_t bits = 8 * size;
  const int offset = H5Tget_offset(type);
  const std::size_t precision = H5Tget_precision(type);
  if (offset < 0 || precision < 1 || static_cast<std::size_t>(offset) + precision > bits)
    return false;
  if (H5Tget_class(type) != H5T_FLOAT) return true;
  std::size_t sign = 0;
  std::size_t exponent = 0;
  std::size_t exponent_size = 0;
  std::size_t mantissa = 0;
  std::size_t mantissa_size = 0;
  return H5Tget_fields(type, &sign, &exponent, &exponent_size, &mantissa, &mantissa_size) >= 0 &&
         sign < bits && exponent + exponent_size <= bits && mantissa + mantissa_size <= bits;
}

void select(const Handle& space, std::span<const std::size_t> start,
            std::span<const std::size_t> count, const std::string& path) {
  const std::vector<hsize_t> from(start.begin(), start.end());
  const std::vector<hsize_t> size(count.begin(), count.end());
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr),
        "H5Sselect_hyperslab", path);
}

std::vector<std::size_t> shape_of(const Handle& space, const std::string& path) {
  const int rank = H5Sget_simple_extent_ndims(space.id());
  check(rank, "H5Sget_simple_extent_ndims", path);
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  check(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), "H5Sget_simple_extent_dims",
        path);
  return {extent.begin(), extent.end()};
}

template <typename T>
std::vector<T> get_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type(checked(H5Aget_type(attribute.id()), "H5Aget_type", object, name), H5Tclose,
                    "H5Aget_type", name);
  require_numbers(type, std::is_integral_v<T>, object, name);
  const Handle space(checked(H5Aget_space(attribute.id()), "H5Aget_space", object, name), H5Sclose,
                     "H5Aget_space", name);
  const std::size_t count = point_count(space, name);
  if (count > kMostInAttribute / sizeof(T))
    throw Hdf5Error("reading", describe(object, name),
                    "it claims " + std::to_string(count) + " values");
  std::vector<T> values(count);
  if (!values.empty())
    checked(H5Aread(attribute.id(), native_type<T>(), values.data()), "H5Aread", object, name);
  return values;
}

template <typename T>
T get_scalar_attribute(hid_t object, const std::string& name) {
  const std::vector<T> values = get_attribute<T>(object, name);
  if (values.size() != 1)
    throw Hdf5Error("reading", describe(object, name), "it does not hold one number");
  return values.front();
}

// Whole rows, about 1 MiB in all.
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

// A contiguous dataset with them has its place in the file at once, and leaves it as it is.
Handle room_properties(const std::string& path) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path);
  check(H5Pset_alloc_time(properties.id(), H5D_ALLOC_TIME_EARLY), "H5Pset_alloc_time", path);
  check(H5Pset_fill_time(properties.id(), H5D_FILL_TIME_NEVER), "H5Pset_fill_time", path);
  return properties;
}

template <typename T>
Handle make_dataset(hid_t location, const std::string& name, std::span<const std::size_t> shape,
                    std::optional<int> level, bool room = false) {
  Handle properties;
  if (level) properties = packed_properties(shape, sizeof(T), *level, describe(location, name));
  if (room) properties = room_properties(describe(location, name));
  const Handle space = simple_space(shape, name);
  return {checked(H5Dcreate2(location, name.c_str(), native_type<T>(), space.id(), H5P_DEFAULT,
                             level || room ? properties.id() : H5P_DEFAULT, H5P_DEFAULT),
                  "H5Dcreate2", location, name),
          H5Dclose, "H5Dcreate2", name};
}

template <typename T>
Handle put_dataset(hid_t location, const std::string& name, std::span<const T> values,
                   std::span<const std::size_t> shape, std::optional<int> level) {
  const std::size_t count = product_of(shape);
  if (count != values.size() || (level && shape.empty()))
    throw Hdf5Error(
        "writing", describe(location, name),
        std::to_string(values.size()) + " values for a shape of " + std::to_string(count));
  const bool large = !level && count * sizeof(T) >= kLeastToDisk;
  const bool zeros = large && is_all_zeros(std::as_bytes(values));
  Handle dataset = make_dataset<T>(location, name, shape, level, zeros);
  if (zeros && leave_hole(dataset)) return dataset;
  if (count > 0)
    checked(H5Dwrite(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            "H5Dwrite", location, name);
  if (large) send_to_disk(dataset);
  return dataset;
}

// A dataset of the shape whose values are those of other datasets, which stay in place.
class VirtualDataset {
 public:
  VirtualDataset(std::string path, Number type, std::span<const std::size_t> shape)
      : path_(std::move(path)),
        type_(type == Number::float64 ? H5T_IEEE_F64LE : H5T_STD_U8LE),
        space_(simple_space(shape, path_)),
        properties_(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path_) {}

  void fill_with(double value) {
    check(H5Pset_fill_value(properties_.id(), H5T_NATIVE_DOUBLE, &value), "H5Pset_fill_value",
          path_);
  }
  // The source's values, of its shape, at a place of as many dimensions as this dataset has.
  void add(const std::string& source, std::span<const std::size_t> shape,
           std::span<const std::size_t> start, std::span<const std::size_t> count) {
    select(space_, start, count, path_);
    check(H5Pset_virtual(properties_.id(), space_.id(), ".", source.c_str(),
                         simple_space(shape, path_).id()),
          "H5Pset_virtual", path_);
  }
  Handle create(hid_t location, const std::string& name) {
    check(H5Sselect_all(space_.id()), "H5Sselect_all", path_);
    return {H5Dcreate2(location, name.c_str(), type_, space_.id(), H5P_DEFAULT, properties_.id(),
                       H5P_DEFAULT),
            H5Dclose, "H5Dcreate2", path_};
  }

 private:
  std::string path_;
  hid_t type_;
  Handle space_;
  Handle properties_;
};

template <typename T>
std::vector<T> get_dataset(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  require_numbers(type, std::is_integral_v<T>, location, name);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  const std::size_t count = point_count(space, path);
  require_stored(dataset, count, sizeof(T), path);
  std::vector<T> values(count);
  if (!values.empty())
    check(H5Dread(dataset.id(), native_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
          "H5Dread", path);
  return values;
}

}  // namespace

void require_numbers(const Handle& type, bool into_integers, hid_t location,
                     const std::string& name) {
  const H5T_class_t kind = H5Tget_class(type.id());
  const bool number = kind == H5T_INTEGER || (!into_integers && kind == H5T_FLOAT);
  if (!number)
    throw Hdf5Error("reading", describe(location, name),
                    into_integers ? "it does not hold integers" : "it does not hold numbers");
  if (!is_sound_number(type.id()))
    throw Hdf5Error("reading", describe(location, name), "its type of numbers is damaged");
}

const Handle& scalar_space() {
  // Never closed: with MPI the library ends before the program does.
  static const Handle& space =
      *new Handle(H5Screate(H5S_SCALAR), H5Sclose, "H5Screate", "a scalar");
  return space;
}

const Handle& small_transfer() {
  static const Handle& transfer = []() -> const Handle& {  // as scalar_space()
    constexpr std::size_t kBytes = std::size_t{32} << 10U;
    const auto& made =
        *new Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate", "a transfer");
    check(H5Pset_buffer(made.id(), kBytes, nullptr, nullptr), "H5Pset_buffer", "a transfer");
    return made;
  }();
  return transfer;
}

Handle simple_space(std::span<const std::size_t> shape, const std::string& path) {
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose,
          "H5Screate_simple", path};
}

void put_attribute(hid_t object, const std::string& name, hid_t type, const Handle& space,
                   const void* data) {
  const Handle attribute(
      checked(H5Acreate2(object, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
              "H5Acreate2", object, name),
      H5Aclose, "H5Acreate2", name);
  checked(H5Awrite(attribute.id(), type, data), "H5Awrite", object, name);
}

std::size_t point_count(const Handle& space, const std::string& path) {
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  check(count, "H5Sget_simple_extent_npoints", path);
  return static_cast<std::size_t>(count);
}

std::size_t product_of(std::span<const std::size_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

Handle selected_part(const Handle& dataset, std::span<const std::size_t> start,
                     std::span<const std::size_t> count, const std::string& path) {
  Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  const std::vector<std::size_t> extent = shape_of(space, path);
  if (extent.size() != start.size())
    throw Hdf5Error("reading", path, "it has another number of dimensions");
  for (std::size_t i = 0; i < extent.size(); ++i)
    if (start[i] > extent[i] || count[i] > extent[i] - start[i])
      throw Hdf5Error("reading", path, "it ends before what is asked for");
  select(space, start, count, path);
  return space;
}

void write_selected(const Handle& dataset, hid_t type, std::span<const std::size_t> start,
                    std::span<const std::size_t> count, const void* values) {
  if (product_of(count) == 0) return;
  const std::string path = describe(dataset.id());
  const Handle file_space = selected_part(dataset, start, count, path);
  check(H5Dwrite(dataset.id(), type, simple_space(count, path).id(), file_space.id(),
                 small_transfer().id(), values),
        "H5Dwrite", path);
}

Handle open_attribute(hid_t object, const std::string& name) {
  return {checked(H5Aopen(object, name.c_str(), H5P_DEFAULT), "H5Aopen", object, name), H5Aclose,
          "H5Aopen", name};
}

// A small file may claim any size, so large data must really be there. deflate compresses by at
// most a thousand to one.
void require_stored(const Handle& dataset, std::size_t count, std::size_t each,
                    const std::string& path) {
  constexpr std::size_t kMuch = std::size_t{64} << 20U;
  constexpr std::size_t kBestPacking = 1100;
  if (count <= kMuch / std::max<std::size_t>(1, each)) return;
  const Handle file(H5Iget_file_id(dataset.id()), H5Fclose, "H5Iget_file_id", path);
  hsize_t file_bytes = 0;
  check(H5Fget_filesize(file.id(), &file_bytes), "H5Fget_filesize", path);
  const auto stored = std::min<hsize_t>(H5Dget_storage_size(dataset.id()), file_bytes);
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  const std::size_t bytes = count > most / each ? most : count * each;
  if (bytes / kBestPacking > stored)
    throw Hdf5Error("reading", path,
                    "it claims " + std::to_string(bytes) + " bytes of values but stores " +
                        std::to_string(stored));
}

bool has_attribute(hid_t object, const std::string& name) {
  return checked(H5Aexists(object, name.c_str()), "H5Aexists", object, name) > 0;
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
                     std::span<const std::size_t> shape, std::optional<int> level) {
  return put_dataset(location, name, values, shape, level);
}

Handle write_dataset(hid_t location, const std::string& name, std::span<const std::int64_t> values,
                     std::span<const std::size_t> shape, std::optional<int> level) {
  return put_dataset(location, name, values, shape, level);
}

Handle write_dataset(hid_t location, const std::string& name, std::span<const std::uint8_t> values,
                     std::span<const std::size_t> shape, std::optional<int> level) {
  return put_dataset(location, name, values, shape, level);
}

Handle write_zeros(hid_t location, const std::string& name, std::span<const std::size_t> shape,
                   std::optional<int> level) {
  const std::size_t count = product_of(shape);
  if (level || count * sizeof(double) < kLeastToDisk)
    return put_dataset<double>(location, name, std::vector<double>(count), shape, level);
  Handle dataset = make_dataset<double>(location, name, shape, level, true);
  if (!leave_hole(dataset)) {
    const std::vector<double> zeros(count);
    checked(H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data()),
            "H5Dwrite", location, name);
  }
  return dataset;
}

Handle create_dataset(hid_t location, const std::string& name, Number type,
                      std::span<const std::size_t> shape, std::optional<int> level) {
  return type == Number::float64 ? make_dataset<double>(location, name, shape, level)
                                 : make_dataset<std::uint8_t>(location, name, shape, level);
}

void write_part(const Handle& dataset, std::span<const std::size_t> start,
                std::span<const std::size_t> count, std::span<const double> values) {
  if (product_of(count) != values.size())
    throw Hdf5Error("writing", describe(dataset.id()),
                    std::to_string(values.size()) + " values for a part of " +
                        std::to_string(product_of(count)));
  write_selected(dataset, H5T_NATIVE_DOUBLE, start, count, values.data());
}

Handle stack_datasets(hid_t location, const std::string& name, Number type,
                      std::span<const std::string> sources, std::span<const std::size_t> shape) {
  std::vector<std::size_t> extent = {sources.size()};
  extent.insert(extent.end(), shape.begin(), shape.end());
  VirtualDataset stack(describe(location, name), type, extent);
  if (type == Number::float64) stack.fill_with(std::numeric_limits<double>::quiet_NaN());
  extent.front() = 1;
  std::vector<std::size_t> start(extent.size(), 0);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    start.front() = i;
    if (!sources[i].empty()) stack.add(sources[i], shape, start, extent);
  }
  return stack.create(location, name);
}

Handle join_datasets(hid_t location, const std::string& name, std::span<const std::string> sources,
                     const std::vector<std::vector<std::size_t>>& shapes) {
  std::size_t total = 0;
  for (const std::vector<std::size_t>& shape : shapes) total += product_of(shape);
  VirtualDataset joined(describe(location, name), Number::float64, {&total, 1});
  std::size_t start = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::size_t count = product_of(shapes[i]);
    joined.add(sources[i], shapes[i], {&start, 1}, {&count, 1});
    start += count;
  }
  return joined.create(location, name);
}

Handle open_dataset(hid_t location, const std::string& name) {
  return {checked(H5Dopen2(location, name.c_str(), H5P_DEFAULT), "H5Dopen2", location, name),
          H5Dclose, "H5Dopen2", name};
}

std::vector<std::size_t> dataset_shape(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  return shape_of(space, path);
}

bool is_contiguous(hid_t location, const std::string& name) {
  const Handle dataset = open_dataset(location, name);
  const Handle properties(
      checked(H5Dget_create_plist(dataset.id()), "H5Dget_create_plist", location, name), H5Pclose,
      "H5Dget_create_plist", name);
  return H5Pget_layout(properties.id()) == H5D_CONTIGUOUS;
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

}  // namespace slipfield::hdf5
