// SPDX-License-Identifier: Apache-2.0
// The HDF5 C library behind handles that close themselves and calls that are checked.
//
// Every failing call throws Hdf5Error with the call, the file and object, and the library's own
// error stack on one line; the library prints nothing itself. Arrays are row-major: shape (my, mx)
// is x fastest. Values are converted by HDF5 to the C++ type asked for.
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

// "HDF5: H5Dwrite failed on out.h5:/steps/0001/pressure: No space left on device"; exit code 3. A
// reader of user files turns it into an InputError.
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
  // Throws Hdf5Error with `call` and `path` where id says that the call failed.
  Handle(hid_t id, Close closer, std::string_view call, std::string_view path);
  ~Handle();
  Handle(Handle&& other) noexcept;
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  [[nodiscard]] hid_t id() const { return id_; }
  [[nodiscard]] explicit operator bool() const { return id_ >= 0; }
  // Closes now and throws on failure: a dataset's or file's last bytes may be written here.
  void close(std::string_view call, std::string_view path);
  // Closes now; what fails is of no interest: the object is given up.
  void discard() noexcept;

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Throws Hdf5Error where a call returned a negative number.
void check(std::int64_t result, std::string_view call, std::string_view path);

// "out.h5:/steps/0001" for messages; never throws.
std::string describe(hid_t location, std::string_view name = {});

// Files. create_file never replaces a file; open_file reads only; change_file opens one to add to
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
void remove_link(hid_t location, const std::string& name) noexcept;  // quietly, where there is one
// A group with its attributes, datasets and groups, also into another file; whole or not at all.
void copy_group(hid_t from, const std::string& name, hid_t to, const std::string& new_name);
// Reads all that copy_group would.
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

// Datasets. The shape's product is the number of values; the handle is for attributes. level:
// packed, in chunks of some 1 MiB, the bytes of the numbers sorted by their place in the number
// (HDF5's shuffle) and deflated to this level, to 9; 0: chunks only; nothing: in one piece. Every
// HDF5 library reads them as any other dataset. Throws Hdf5Error where the library has no deflate.
Handle write_dataset(hid_t location, const std::string& name, std::span<const double> values,
                     std::span<const std::size_t> shape, std::optional<int> level = {});
Handle write_dataset(hid_t location, const std::string& name, std::span<const std::int64_t> values,
                     std::span<const std::size_t> shape, std::optional<int> level = {});
Handle write_dataset(hid_t location, const std::string& name, std::span<const std::uint8_t> values,
                     std::span<const std::size_t> shape, std::optional<int> level = {});
// The same without values: they are written later.
enum class Number { float64, uint8 };
Handle create_dataset(hid_t location, const std::string& name, Number type,
                      std::span<const std::size_t> shape, std::optional<int> level = {});
// Writes a part of a dataset of as many dimensions: `count` values along each, from its beginning.
void write_part(const Handle& dataset, std::span<const std::size_t> start,
                std::span<const std::size_t> count, std::span<const double> values);
// A dataset of one dimension more, first, whose parts are datasets of the same file that stay where
// they are. sources: their paths; an empty one is a part of NaN, or of 0 where they are bytes.
// shape: of each part, of at most three dimensions.
Handle stack_datasets(hid_t location, const std::string& name, Number type,
                      std::span<const std::string> sources, std::span<const std::size_t> shape);
// A dataset of one dimension: the values of datasets of the same file, which stay where they are,
// one after another.
Handle join_datasets(hid_t location, const std::string& name, std::span<const std::string> sources,
                     const std::vector<std::vector<std::size_t>>& shapes);
Handle write_text(hid_t location, const std::string& name, std::string_view text);
Handle write_texts(hid_t location, const std::string& name, std::span<const std::string> texts);
Handle open_dataset(hid_t location, const std::string& name);
// Empty for a scalar. Ask before reading: a wrong file may hold any size.
std::vector<std::size_t> dataset_shape(hid_t location, const std::string& name);
// The values are in one piece of the file, which is read without looking for them.
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
