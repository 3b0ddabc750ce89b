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
  const hsize_t chunk = std::max<std::size_t>(1, rows.in_chunk);
  check(H5Pset_chunk(properties.id(), 1, &chunk), "H5Pset_chunk", path);
  if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0) return properties;
  // Columns mostly repeat a number, or are NaN.
  constexpr unsigned kEffort = 1;
  check(H5Pset_shuffle(properties.id()), "H5Pset_shuffle", path);
  check(H5Pset_deflate(properties.id(), kEffort), "H5Pset_deflate", path);
  return properties;
}

Handle create_dataset(hid_t location, const std::string& name, hid_t type, const RowCount& rows,
                      const Handle& properties) {
  const hsize_t count = rows.count;
  const hsize_t most = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(1, &count, &most), H5Sclose, "H5Screate_simple", name);
  return {checked(H5Dcreate2(location, name.c_str(), type, space.id(), H5P_DEFAULT, properties.id(),
                             H5P_DEFAULT),
                  "H5Dcreate2", location, name),
          H5Dclose, "H5Dcreate2", name};
}

void read_selected(const Handle& dataset, hid_t type, std::size_t start, std::size_t count,
                   void* values, const std::string& path) {
  if (count == 0) return;
  const Handle file_space = selected_part(dataset, {&start, 1}, {&count, 1}, path);
  check(H5Dread(dataset.id(), type, simple_space({&count, 1}, path).id(), file_space.id(),
                small_transfer().id(), values),
        "H5Dread", path);
}

template <typename T>
void write_some(const Handle& dataset, hid_t type, std::size_t start, std::span<T> values) {
  const std::size_t count = values.size();
  write_selected(dataset, type, {&start, 1}, {&count, 1}, values.data());
}

Handle list_type(const std::string& path) {
  return {H5Tvlen_create(H5T_NATIVE_DOUBLE), H5Tclose, "H5Tvlen_create", path};
}

// in_chunk 0: in one piece.
Handle create_rows_of(const Handle& type, hid_t location, const std::string& name,
                      const RowCount& rows) {
  if (rows.in_chunk > 0)
    return create_dataset(location, name, type.id(), rows,
                          row_properties(rows, describe(location, name)));
  const std::size_t shape[] = {rows.count};
  return {checked(H5Dcreate2(location, name.c_str(), type.id(), simple_space(shape, name).id(),
                             H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                  "H5Dcreate2", location, name),
          H5Dclose, "H5Dcreate2", name};
}

}  // namespace

template <typename Number>
Handle create_rows(hid_t location, const std::string& name, const RowCount& rows, Number fill) {
  const std::string path = describe(location, name);
  const Handle properties = row_properties(rows, path);
  check(H5Pset_fill_value(properties.id(), native_type<Number>(), &fill), "H5Pset_fill_value",
        path);
  return create_dataset(location, name, native_type<Number>(), rows, properties);
}
template Handle create_rows(hid_t, const std::string&, const RowCount&, double);
template Handle create_rows(hid_t, const std::string&, const RowCount&, std::int64_t);
template Handle create_rows(hid_t, const std::string&, const RowCount&, std::uint8_t);

void extend_rows(const Handle& dataset, std::size_t count) {
  const hsize_t extent = count;
  check(H5Dset_extent(dataset.id(), &extent), "H5Dset_extent", describe(dataset.id()));
}

std::size_t row_count(hid_t location, const std::string& name) {
  const std::vector<std::size_t> shape = dataset_shape(location, name);
  return shape.size() == 1 ? shape.front() : 0;
}

Handle create_text_rows(hid_t location, const std::string& name, const RowCount& rows) {
  return create_rows_of(text_type(H5T_VARIABLE), location, name, rows);
}

Handle create_list_rows(hid_t location, const std::string& name, const RowCount& rows) {
  return create_rows_of(list_type(name), location, name, rows);
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const double> values) {
  write_some(dataset, native_type<double>(), start, values);
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const std::int64_t> values) {
  write_some(dataset, native_type<std::int64_t>(), start, values);
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const std::uint8_t> values) {
  write_some(dataset, native_type<std::uint8_t>(), start, values);
}

void write_rows(const Handle& dataset, std::size_t start, std::span<const std::string> texts) {
  std::vector<const char*> characters;
  for (const std::string& text : texts) characters.push_back(text.c_str());
  write_some(dataset, text_type(H5T_VARIABLE).id(), start, std::span(characters));
}

void write_rows(const Handle& dataset, std::size_t start,
                std::span<const std::vector<double>> lists) {
  std::vector<hvl_t> places;
  for (const std::vector<double>& list : lists)
    places.push_back({list.size(), const_cast<double*>(list.data())});  // HDF5 only reads it
  write_some(dataset, list_type(describe(dataset.id())).id(), start, std::span(places));
}

template <typename Number>
std::vector<Number> read_rows(hid_t location, const std::string& name, std::size_t start,
                              std::size_t count) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  require_numbers(type, std::is_integral_v<Number>, location, name);
  std::vector<Number> values(count);
  read_selected(dataset, native_type<Number>(), start, count, values.data(), path);
  return values;
}
template std::vector<double> read_rows(hid_t, const std::string&, std::size_t, std::size_t);
template std::vector<std::int64_t> read_rows(hid_t, const std::string&, std::size_t, std::size_t);
template std::vector<std::uint8_t> read_rows(hid_t, const std::string&, std::size_t, std::size_t);

std::vector<std::string> read_text_rows(hid_t location, const std::string& name, std::size_t start,
                                        std::size_t count) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  if (H5Tget_class(type.id()) != H5T_STRING)
    throw Hdf5Error("reading", path, "it does not hold text");
  if (H5Tis_variable_str(type.id()) <= 0)
    throw Hdf5Error("reading", path, "its texts are not of variable length");
  require_stored(dataset, count, sizeof(char*), path);
  std::vector<char*> characters(count, nullptr);
  read_selected(dataset, type.id(), start, count, characters.data(), path);
  std::vector<std::string> texts;
  for (const char* text : characters) texts.emplace_back(text == nullptr ? "" : text);
  const std::size_t shape[] = {count};
  check(H5Dvlen_reclaim(type.id(), simple_space(shape, path).id(), H5P_DEFAULT, characters.data()),
        "H5Dvlen_reclaim", path);
  return texts;
}

std::vector<std::vector<double>> read_list_rows(hid_t location, const std::string& name,
                                                std::size_t start, std::size_t count) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  if (H5Tget_class(type.id()) != H5T_VLEN)
    throw Hdf5Error("reading", path, "it does not hold lists");
  const Handle number(H5Tget_super(type.id()), H5Tclose, "H5Tget_super", path);
  require_numbers(number, false, location, name);
  require_stored(dataset, count, sizeof(hvl_t), path);
  std::vector<hvl_t> places(count, hvl_t{0, nullptr});
  const Handle doubles = list_type(path);
  read_selected(dataset, doubles.id(), start, count, places.data(), path);
  std::vector<std::vector<double>> lists;
  for (const hvl_t& place : places) {
    const auto* const first = static_cast<const double*>(place.p);
    lists.emplace_back(first, first + (first == nullptr ? 0 : place.len));
  }
  const std::size_t shape[] = {count};
  check(H5Dvlen_reclaim(doubles.id(), simple_space(shape, path).id(), H5P_DEFAULT, places.data()),
        "H5Dvlen_reclaim", path);
  return lists;
}

}  // namespace slipfield::hdf5
