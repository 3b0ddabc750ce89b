// SPDX-License-Identifier: Apache-2.0
// Text in attributes and datasets.
//
// Datasets hold text of fixed length, which the library reads without following addresses that may
// be wrong in a damaged file. Attributes hold text of variable length, which h5py returns as str
// rather than bytes. Both kinds are read in both places, also from older files.
#include <algorithm>
#include <memory>

#include "io/hdf5/internal.h"
#include "io/yaml/source.h"

namespace slipfield::hdf5 {
Handle text_type(std::size_t size) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy", "H5T_C_S1");
  check(H5Tset_size(type.id(), size), "H5Tset_size", "a text type");
  check(H5Tset_cset(type.id(), H5T_CSET_UTF8), "H5Tset_cset", "a text type");
  if (size != H5T_VARIABLE)
    check(H5Tset_strpad(type.id(), H5T_STR_NULLPAD), "H5Tset_strpad", "a text type");
  return type;
}

namespace {

// Compresses long rows of mostly short texts, such as the messages of a sweep.
Handle text_properties(std::size_t count, std::size_t size, const std::string& path) {
  constexpr std::size_t kPackedFrom = std::size_t{1} << 20U;
  constexpr unsigned kEffort = 1;
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate", path);
  if (count < 2 || count * size < kPackedFrom || H5Zfilter_avail(H5Z_FILTER_DEFLATE) <= 0)
    return properties;
  const hsize_t chunk = std::clamp<hsize_t>(kPackedFrom / size, 1, count);
  check(H5Pset_chunk(properties.id(), 1, &chunk), "H5Pset_chunk", path);
  check(H5Pset_deflate(properties.id(), kEffort), "H5Pset_deflate", path);
  return properties;
}

void require_text(const Handle& type, const std::string& path) {
  if (H5Tget_class(type.id()) != H5T_STRING)
    throw Hdf5Error("reading", path, "it does not hold text");
}

bool is_variable(const Handle& type, const std::string& path) {
  const htri_t variable = H5Tis_variable_str(type.id());
  check(variable, "H5Tis_variable_str", path);
  return variable > 0;
}

// Damaged text that claims to be UTF-8, as all of ours does, would be an error where it is shown:
// its bytes are escaped. Files of other programs have other encodings.
std::string readable(const Handle& type, const std::string& text) {
  const bool damaged = H5Tget_cset(type.id()) == H5T_CSET_UTF8 && !is_utf8(text);
  return damaged ? escaped_text(text) : text;
}

// Text of either kind; `read(type, buffer)` is H5Aread or H5Dread.
template <typename Read>
std::string get_text(const Handle& type, const Handle& space, const std::string& path, Read read) {
  require_text(type, path);
  if (point_count(space, path) != 1) throw Hdf5Error("reading", path, "it does not hold one text");
  if (!is_variable(type, path)) {
    std::string text(H5Tget_size(type.id()), '\0');
    read(type.id(), text.data());
    text.resize(std::min(text.find('\0'), text.size()));
    return readable(type, text);
  }
  const Handle memory_type(H5Tcopy(type.id()), H5Tclose, "H5Tcopy", path);
  char* characters = nullptr;
  read(memory_type.id(), &characters);
  const std::unique_ptr<char, herr_t (*)(void*)> owned(characters, H5free_memory);
  return readable(type, characters == nullptr ? "" : characters);
}

std::vector<std::string> variable_texts(const Handle& dataset, const Handle& type,
                                        const Handle& space, const std::string& path) {
  const std::size_t count = point_count(space, path);
  require_stored(dataset, count, sizeof(char*), path);
  std::vector<char*> characters(count, nullptr);
  check(
      H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, small_transfer().id(), characters.data()),
      "H5Dread", path);
  std::vector<std::string> texts;
  for (const char* text : characters) texts.push_back(readable(type, text == nullptr ? "" : text));
  check(H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, characters.data()), "H5Dvlen_reclaim",
        path);
  return texts;
}

std::vector<std::string> fixed_texts(const Handle& dataset, const Handle& type, const Handle& space,
                                     const std::string& path) {
  const std::size_t count = point_count(space, path);
  const std::size_t size = H5Tget_size(type.id());
  require_stored(dataset, count, size, path);
  std::string characters(count * size, '\0');
  check(H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()),
        "H5Dread", path);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view padded = std::string_view(characters).substr(i * size, size);
    texts.push_back(readable(type, std::string(padded.substr(0, padded.find('\0')))));
  }
  return texts;
}

Handle put_texts(hid_t location, const std::string& name, std::span<const std::string> texts,
                 const Handle& space) {
  const std::string path = describe(location, name);
  std::size_t size = 1;  // HDF5 has no text type of size 0
  for (const std::string& text : texts) size = std::max(size, text.size());
  std::string characters(texts.size() * size, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(),
              characters.begin() + static_cast<std::ptrdiff_t>(i * size));
  const Handle type = text_type(size);
  Handle dataset(H5Dcreate2(location, name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                            text_properties(texts.size(), size, path).id(), H5P_DEFAULT),
                 H5Dclose, "H5Dcreate2", path);
  if (!texts.empty())
    check(H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()),
          "H5Dwrite", path);
  return dataset;
}

}  // namespace

void write_attribute(hid_t object, const std::string& name, std::string_view value) {
  static const Handle& type = *new Handle(text_type(H5T_VARIABLE));  // as scalar_space()
  const std::string text(value);
  const char* characters = text.c_str();
  put_attribute(object, name, type.id(), scalar_space(), &characters);
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
  if (H5Tget_size(type.id()) > kMostInAttribute)
    throw Hdf5Error("reading", path, "it claims a text longer than an attribute can be");
  return get_text(type, space, path, [&](hid_t memory_type, void* buffer) {
    check(H5Aread(attribute.id(), memory_type, buffer), "H5Aread", path);
  });
}

Handle write_text(hid_t location, const std::string& name, std::string_view text) {
  const std::string texts[] = {std::string(text)};
  return put_texts(location, name, texts, scalar_space());
}

Handle write_texts(hid_t location, const std::string& name, std::span<const std::string> texts) {
  const std::size_t shape[] = {texts.size()};
  return put_texts(location, name, texts, simple_space(shape, name));
}

std::string read_text(hid_t location, const std::string& name) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", path);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  require_stored(dataset, 1, H5Tget_size(type.id()), path);
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
  require_text(type, path);
  if (point_count(space, path) == 0) return {};
  return is_variable(type, path) ? variable_texts(dataset, type, space, path)
                                 : fixed_texts(dataset, type, space, path);
}

bool holds_text(hid_t location, const std::string& name) {
  const Handle dataset = open_dataset(location, name);
  const Handle type(H5Dget_type(dataset.id()), H5Tclose, "H5Dget_type", describe(location, name));
  return H5Tget_class(type.id()) == H5T_STRING;
}

}  // namespace slipfield::hdf5
