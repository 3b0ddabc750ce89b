// SPDX-License-Identifier: Apache-2.0
// Shared by the source files of io/hdf5/handle.h.
#pragma once

#include "io/hdf5/handle.h"
#include "io/hdf5/one_thread.h"

namespace slipfield::hdf5 {

inline constexpr std::size_t kMostInAttribute = std::size_t{16} << 20U;  // bytes, when read

// Checks an identifier or result; builds the path only if the call failed, since that takes longer
// than most calls.
template <typename Result>
Result checked(Result result, std::string_view call, hid_t location, std::string_view name = {}) {
  if (result < 0) check(result, call, describe(location, name));
  return result;
}

template <typename T>
hid_t native_type();
template <>
inline hid_t native_type<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t native_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t native_type<std::uint8_t>() {
  return H5T_NATIVE_UINT8;
}
// Throws Hdf5Error unless values of the type convert to doubles or, with `into_integers`, integers.
void require_numbers(const Handle& type, bool into_integers, hid_t location,
                     const std::string& name);

// A text type with a fixed size in bytes, or H5T_VARIABLE.
Handle text_type(std::size_t size);

const Handle& scalar_space();
// The transfer of rows and texts. HDF5 clears its buffer for converted values at each call, by
// default 1 MB for a text of ten letters; this one holds 2,048 of the largest values given here,
// numbers and references to texts.
const Handle& small_transfer();
Handle simple_space(std::span<const std::size_t> shape, const std::string& path);
void put_attribute(hid_t object, const std::string& name, hid_t type, const Handle& space,
                   const void* data);
Handle open_attribute(hid_t object, const std::string& name);
std::size_t point_count(const Handle& space, const std::string& path);
std::size_t product_of(std::span<const std::size_t> shape);

// Selects a part of a dataset's space. Throws Hdf5Error if the dataset has other dimensions or is
// too short.
Handle selected_part(const Handle& dataset, std::span<const std::size_t> start,
                     std::span<const std::size_t> count, const std::string& path);
// Like write_part, for any type.
void write_selected(const Handle& dataset, hid_t type, std::span<const std::size_t> start,
                    std::span<const std::size_t> count, const void* values);

// Throws Hdf5Error if a dataset claims many more bytes than the file can hold.
void require_stored(const Handle& dataset, std::size_t count, std::size_t each,
                    const std::string& path);

}  // namespace slipfield::hdf5
