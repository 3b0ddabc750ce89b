// SPDX-License-Identifier: Apache-2.0
// Wraps the HDF5 C library in handles that close themselves and calls that are checked.
//
// Every failing call throws Hdf5Error with the call, the file and object, and the library's error
// stack in one line; the library itself prints nothing. Arrays are row-major: shape (my, mx) is x
// fastest. HDF5 converts values to the C++ type requested.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "solver/error.h"

namespace slipfield {

// "HDF5: H5Dwrite failed on out.h5:/steps/0001/pressure: No space left on device"; exit code 3.
// Readers of user files convert it to InputError.
class Hdf5Error : public Error {
 public:
  // `stack`: the library's messages, the innermost first, joined with "; ".
  Hdf5Error(std::string_view call, std::string_view path, const std::string& stack);
  [[nodiscard]] const std::string& reason() const { return reason_; }  // the innermost, in short
  [[nodiscard]] const std::string& stack() const { return stack_; }

 private:
  std::string stack_;
  std::string reason_;
};

namespace hdf5 {

// Owns one identifier of any kind (file, group, dataset, type, space, property list).
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  // Throws Hdf5Error with `call` and `path` if id is the result of a failed call.
  Handle(hid_t id, Close closer, std::string_view call, std::string_view path);
  ~Handle();
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] explicit operator bool() const { return id_ >= 0; }
  // Closes now and throws on failure: this may write the last bytes of a dataset or file.
  void close(std::string_view call, std::string_view path);
  // Closes now and ignores failures, for an object that is abandoned.
  void discard() noexcept;

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Throws Hdf5Error if a call returned a negative number.
void check(std::int64_t result, std::string_view call, std::string_view path);

// "out.h5:/steps/0001" for messages; never throws.
std::string describe(hid_t location, std::string_view name = {});

// Files. create_file never replaces a file; open_file only reads; change_file opens one to add to
// it.
Handle create_file(const std::filesystem::path& path);
Handle open_file(const std::filesystem::path& path);
Handle change_file(const std::filesystem::path& path);
void flush(const Handle& file);

// Groups and links. `name` may be a path below `location`.
Handle create_group(hid_t location, const std::string& name);
Handle open_group(hid_t location, const std::string& name);
bool has_link(hid_t location, const std::string& name);  // every part of the path exists
std::vector<std::string> link_names(hid_t group);        // in increasing order
void remove_link(hid_t location, const std::string& name) noexcept;  // if it exists; never throws
// Copies a group with its attributes, datasets and groups, also to another file; all of it or
// nothing.
void copy_group(hid_t from, const std::string& name, hid_t to, const std::string& new_name);
// Reads everything that copy_group would.
void read_group(hid_t from, const std::string& name);
void link_hard(hid_t from, const std::string& name, hid_t to, const std::string& new_name);

// Attributes of an object.
bool has_attribute(hid_t object, const std::string& name);
void write_attribute(hid_t object, const std::string& name, std::string_view value);  // UTF-8
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::int64_t value);
void write_attribute(hid_t object, const std::string& name, std::span<const double> values);
void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values);
void delete_attribute(hid_t object, const std::string& name);
void write_ascii_attribute(hid_t object, const std::string& name, std::string_view value);  // fixed
std::string read_string_attribute(hid_t object, const std::string& name);
double read_double_attribute(hid_t object, const std::string& name);
std::int64_t read_integer_attribute(hid_t object, const std::string& name);
std::vector<double> read_doubles_attribute(hid_t object, const std::string& name);
std::vector<std::int64_t> read_integers_attribute(hid_t object, const std::string& name);

// Datasets. The product of the shape is the number of values; use the handle for attributes. level:
// packs chunks of some 1 MiB: sorts the bytes of the numbers by their position in the number
// (HDF5's shuffle) and deflates them at this level, up to 9; 0: chunks only; nothing: one piece.
// Every HDF5 library reads them like any other dataset. Throws Hdf5Error if the library has no
// deflate.
Handle write_dataset(hid_t location, const std::string& name, std::span<const double> values,
                     std::span<const std::size_t> shape, std::optional<int> level = {});
Handle write_dataset(hid_t location, const std::string& name, std::span<const std::int64_t> values,
                     std::span<const std::size_t> shape, std::optional<int> level = {});
Handle write_dataset(hid_t location, const std::string& name, std::span<const std::uint8_t> values,
                     std::span<const std::size_t> shape, std::optional<int> level = {});
// A dataset of zeros, which takes no room on the disk where the file system allows it.
Handle write_zeros(hid_t location, const std::string& name, std::span<const std::size_t> shape,
                   std::optional<int> level = {});
// The same without values, which are written later.
enum class Number { float64, uint8 };
Handle create_dataset(hid_t location, const std::string& name, Number type,
                      std::span<const std::size_t> shape, std::optional<int> level = {});
// Writes a part of a dataset with as many dimensions: `count` values along each, from `start`.
void write_part(const Handle& dataset, std::span<const std::size_t> start,
                std::span<const std::size_t> count, std::span<const double> values);
// Makes a dataset with one more, leading dimension from datasets of the same file, which stay in
// place. sources: their paths; an empty one gives a part of NaN, or of 0 for bytes. shape: of each
// part, of at most three dimensions.
Handle stack_datasets(hid_t location, const std::string& name, Number type,
                      std::span<const std::string> sources, std::span<const std::size_t> shape);
// Makes a dataset of one dimension from the values of datasets of the same file, one after another;
// they stay in place.
Handle join_datasets(hid_t location, const std::string& name, std::span<const std::string> sources,
                     const std::vector<std::vector<std::size_t>>& shapes);
Handle write_text(hid_t location, const std::string& name, std::string_view text);
Handle write_texts(hid_t location, const std::string& name, std::span<const std::string> texts);
Handle open_dataset(hid_t location, const std::string& name);
// Empty for a scalar. Check before reading: a wrong file may claim any size.
std::vector<std::size_t> dataset_shape(hid_t location, const std::string& name);
// Returns whether the values are one piece of the file, which can be read without an index.
bool is_contiguous(hid_t location, const std::string& name);
std::vector<double> read_doubles(hid_t location, const std::string& name);
std::vector<std::int64_t> read_integers(hid_t location, const std::string& name);
std::vector<std::uint8_t> read_bytes(hid_t location, const std::string& name);
std::string read_text(hid_t location, const std::string& name);
std::vector<std::string> read_texts(hid_t location, const std::string& name);
bool holds_text(hid_t location, const std::string& name);

std::string library_version();  // "1.10.8"

}  // namespace hdf5
}  // namespace slipfield
