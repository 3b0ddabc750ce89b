// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/rows.h"

#include <algorithm>
#include <type_traits>

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

// In chunks of the file.
Handle row_properties(const RowCount& rows, const std::string& path) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path);
  const hsize_t chunk =
      std::clamp<std::size_t>(rows.in_chunk, 1, std::max<std::size_t>(1, rows.count));
  check(H5Pset_chunk(properties.id(), 1, &chunk), "H5Pset_chunk", path);
  return properties;
}

Handle create_dataset(hid_t location, const std::string& name, hid_t type, const RowCount& rows,
                      const Handle& properties) {
  const std::size_t shape[] = {rows.count};
  const Handle space = simple_space(shape, name);
  return {checked(H5Dcreate2(location, name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(),
                             H5P_DEFAULT),
                  "H5Dcreate2", location, name),
          H5Dclose, "H5Dcreate2", name};
}

template <typename T>
Handle create_number_rows(hid_t location, const std::string& name, const RowCount& rows, T fill) {
  const std::string path = describe(location, name);
  const Handle properties = row_properties(rows, path);
  check(H5Pset_fill_value(properties.id(), native_type<T>(), &fill), "H5Pset_fill_value", path);
  return create_dataset(location, name, native_type<T>(), rows, properties);
}

// The rows of the dataset's space, selected.
Handle selected_rows(const Handle& dataset, std::size_t start, std::size_t count,
                     const std::string& path) {
  Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  if (H5Sget_simple_extent_ndims(space.id()) != 1)
    throw Hdf5Error("reading", path, "it is not one row of values");
  const std::size_t there = point_count(space, path);
  if (start > there || count > there - start)
    throw Hdf5Error("reading", path, "it ends before what is asked for");
  const hsize_t from = start;
  const hsize_t size = count;
  check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &from, nullptr, &size, nullptr),
        "H5Sselect_hyperslab", path);
  return space;
}

void write_selected(const Handle& dataset, hid_t type, std::size_t start, std::size_t count,
                    const void* values) {
  if (count == 0) return;
  const std::string path = describe(dataset.id());
  const Handle file_space = selected_rows(dataset, start, count, path);
  const std::size_t shape[] = {count};
  const Handle memory_space = simple_space(shape, path);
  check(H5Dwrite(dataset.id(), type, memory_space.id(), file_space.id(), H5P_DEFAULT, values),
        "H5Dwrite", path);
}

void read_selected(const Handle& dataset, hid_t type, std::size_t start, std::size_t count,
                   void* values, const std::string& path) {
  if (count == 0) return;
  const Handle file_space = selected_rows(dataset, start, count, path);
  const std::size_t shape[] = {count};
  const Handle memory_space = simple_space(shape, path);
  check(H5Dread(dataset.id(), type, memory_space.id(), file_space.id(), H5P_DEFAULT, values),
        "H5Dread", path);
}

template <typename T>
std::vector<T> read_number_rows(hid_t location, const std::string& name, std::size_t start,
                                std::size_t count) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  require_numbers(type, std::is_integral_v<T>, location, name);
  std::vector<T> values(count);
  read_selected(dataset, native_type<T>(), start, count, values.data(), path);
  return values;
}

}  // namespace

Handle create_rows(hid_t location, const std::string& name, const RowCount& rows, double fill) {
  return create_number_rows(location, name, rows, fill);
}

Handle create_rows(hid_t location, const std::string& name, const RowCount& rows,
                   std::uint8_t fill) {
  return create_number_rows(location, name, rows, fill);
}

Handle create_text_rows(hid_t location, const std::string& name, const RowCount& rows,
                        std::size_t width) {
  constexpr unsigned kEffort = 1;
  const std::string path = describe(location, name);
  const Handle properties = row_properties(rows, path);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0)
    check(H5Pset_deflate(properties.id(), kEffort), "H5Pset_deflate", path);
  return create_dataset(location, name, text_type(std::max<std::size_t>(1, width)).id(), rows,
                        properties);
}

std::size_t text_width(const Handle& dataset) {
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", "a text");
  return H5Tget_size(type.id());
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const double> values) {
  write_selected(dataset, native_type<double>(), start, values.size(), values.data());
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const std::uint8_t> values) {
  write_selected(dataset, native_type<std::uint8_t>(), start, values.size(), values.data());
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const std::string> texts) {
  const std::size_t width = text_width(dataset);
  std::string characters(texts.size() * width, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() > width)
      throw Hdf5Error("writing", describe(dataset.id()), "a text is longer than its row");
    std::copy(texts[i].begin(), texts[i].end(),
              characters.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  write_selected(dataset, text_type(width).id(), start, texts.size(), characters.data());
}

std::vector<double> read_double_rows(hid_t location, const std::string& name, std::size_t start,
                                     std::size_t count) {
  return read_number_rows<double>(location, name, start, count);
}

std::vector<std::uint8_t> read_byte_rows(hid_t location, const std::string& name, std::size_t start,
                                         std::size_t count) {
  return read_number_rows<std::uint8_t>(location, name, start, count);
}

std::vector<std::string> read_text_rows(hid_t location, const std::string& name, std::size_t start,
                                        std::size_t count) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  if (H5Tget_class(type.id()) != H5T_STRING)
    throw Hdf5Error("reading", path, "it does not hold text");
  if (H5Tis_variable_str(type.id()) > 0) {  // files of the first versions
    const std::vector<std::string> all = read_texts(location, name);
    if (start > all.size() || count > all.size() - start)
      throw Hdf5Error("reading", path, "it ends before what is asked for");
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(start);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
  const std::size_t width = H5Tget_size(type.id());
  require_stored(dataset, count, width, path);
  std::string characters(count * width, '\0');
  read_selected(dataset, type.id(), start, count, characters.data(), path);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view padded = std::string_view(characters).substr(i * width, width);
    texts.emplace_back(padded.substr(0, padded.find('\0')));
  }
  return texts;
}

void rename_link(hid_t location, const std::string& name, const std::string& new_name) {
  check(H5Lmove(location, name.c_str(), location, new_name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
        "H5Lmove", describe(location, name));
}

}  // namespace slipfield::hdf5
