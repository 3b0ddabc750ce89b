// SPDX-License-Identifier: Apache-2.0
// Copies groups between files, value by value. H5Ocopy of HDF5 1.10 crashes on a full disk; these
// calls fail cleanly. Without a target they only read. Attributes that refer to places in their
// file are left out: those of dimension scales are rewritten in the target. Compressed numbers are
// copied without decompression.
#include <optional>

#include "io/hdf5/internal.h"
#include "io/hdf5/scales.h"

namespace slipfield::hdf5 {
namespace {

constexpr int kMostLevels = 8;

struct ValueKind {
  Handle type;
  Handle space;
  std::size_t count;
  std::vector<std::byte> buffer;  // for all values

  ValueKind(hid_t type_id, hid_t space_id, const std::string& path)
      : type(type_id, H5Tclose, "H5Dget_type", path),
        space(space_id, H5Sclose, "H5Dget_space", path),
        count(point_count(space, path)) {}
  void make_room(const std::string& path) {
    const std::size_t each = H5Tget_size(type.id());
    if (each == 0 || count > buffer.max_size() / each)
      throw Hdf5Error("copying", path, "it claims more values than any memory holds");
    buffer.resize(count * each);
  }
  [[nodiscard]] bool owns_text() const { return H5Tis_variable_str(type.id()) > 0; }
};

// The library owns texts of variable length until they are reclaimed.
class Reclaimed {
 public:
  explicit Reclaimed(ValueKind& kind) : kind_(kind) {}
  ~Reclaimed() {
    if (kind_.owns_text())
      H5Dvlen_reclaim(kind_.type.id(), kind_.space.id(), H5P_DEFAULT, kind_.buffer.data());
  }
  Reclaimed(const Reclaimed&) = delete;
  Reclaimed& operator=(const Reclaimed&) = delete;

 private:
  ValueKind& kind_;
};

extern "C" herr_t slipfield_append_attribute(hid_t /*object*/, const char* name,
                                             const H5A_info_t* /*info*/, void* collected) {
  static_cast<std::vector<std::string>*>(collected)->emplace_back(name);
  return 0;
}

// `to`: nothing if nothing is to be written, here and below.
void copy_attributes(hid_t from, std::optional<hid_t> to) {
  const std::string path = describe(to.value_or(from));
  std::vector<std::string> names;
  check(H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, nullptr, slipfield_append_attribute, &names),
        "H5Aiterate2", describe(from));
  for (const std::string& name : names) {
    const Handle source(H5Aopen(from, name.c_str(), H5P_DEFAULT), H5Aclose, "H5Aopen", path);
    ValueKind kind(H5Aget_type(source.id()), H5Aget_space(source.id()), path);
    if (refers_to_places(kind.type)) continue;
    kind.make_room(path);
    check(H5Aread(source.id(), kind.type.id(), kind.buffer.data()), "H5Aread", path);
    const Reclaimed reclaimed(kind);
    if (to) put_attribute(*to, name, kind.type.id(), kind.space, kind.buffer.data());
  }
}

// The chunk of a chunked dataset of numbers; empty otherwise.
std::vector<hsize_t> chunk_of(const Handle& layout, const Handle& type, const std::string& path) {
  const H5T_class_t kind = H5Tget_class(type.id());
  if (H5Pget_layout(layout.id()) != H5D_CHUNKED || (kind != H5T_INTEGER && kind != H5T_FLOAT))
    return {};
  std::vector<hsize_t> chunk(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(layout.id(), H5S_MAX_RANK, chunk.data());
  check(rank, "H5Pget_chunk", path);
  chunk.resize(static_cast<std::size_t>(rank));
  return chunk;
}

// Copies without decompression. A chunk that is not stored holds the fill value in both.
void copy_chunks(const Handle& source, const Handle& copy, const std::vector<hsize_t>& chunk,
                 const ValueKind& kind, const std::string& path) {
  std::vector<hsize_t> extent(chunk.size());
  check(H5Sget_simple_extent_dims(kind.space.id(), extent.data(), nullptr),
        "H5Sget_simple_extent_dims", path);
  if (kind.count == 0) return;
  hsize_t most = H5Tget_size(kind.type.id());
  for (const hsize_t each : chunk) most *= each;
  most += most / 8 + 64;  // incompressible data may grow a little
  std::vector<std::byte> buffer;
  std::vector<hsize_t> start(chunk.size(), 0);
  std::size_t turned = 0;
  while (turned < chunk.size()) {
    hsize_t bytes = 0;
    check(H5Dget_chunk_storage_size(source.id(), start.data(), &bytes), "H5Dget_chunk_storage_size",
          path);
    if (bytes > most) throw Hdf5Error("copying", path, "a chunk claims more bytes than it holds");
    if (bytes > 0) {
      std::uint32_t skipped_filters = 0;
      buffer.resize(bytes);
      check(H5Dread_chunk(source.id(), H5P_DEFAULT, start.data(), &skipped_filters, buffer.data()),
            "H5Dread_chunk", path);
      check(H5Dwrite_chunk(copy.id(), H5P_DEFAULT, skipped_filters, start.data(), bytes,
                           buffer.data()),
            "H5Dwrite_chunk", path);
    }
    // Counts like an odometer: the last dimension turns fastest.
    for (turned = 0; turned < chunk.size(); ++turned) {
      const std::size_t i = chunk.size() - 1 - turned;
      start[i] += chunk[i];
      if (start[i] < extent[i]) break;
      start[i] = 0;
    }
  }
}

void copy_dataset(hid_t from, std::optional<hid_t> to, const std::string& name) {
  const std::string path = describe(to.value_or(from), name);
  const Handle source = open_dataset(from, name);
  ValueKind kind(H5Dget_type(source.id()), H5Dget_space(source.id()), path);
  require_stored(source, kind.count, H5Tget_size(kind.type.id()), path);
  const Handle layout(H5Dget_create_plist(source.id()), H5Pclose, "H5Dget_create_plist", path);
  const auto copy_of_source = [&] {  // chunks and packing are those of the source
    return Handle(H5Dcreate2(*to, name.c_str(), kind.type.id(), kind.space.id(), H5P_DEFAULT,
                             layout.id(), H5P_DEFAULT),
                  H5Dclose, "H5Dcreate2", path);
  };
  const std::vector<hsize_t> chunk = chunk_of(layout, kind.type, path);
  if (to && !chunk.empty()) {
    Handle copy = copy_of_source();
    copy_chunks(source, copy, chunk, kind, path);
    copy_attributes(source.id(), copy.id());
    copy.close("H5Dclose", path);
    return;
  }
  kind.make_room(path);
  check(H5Dread(source.id(), kind.type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, kind.buffer.data()),
        "H5Dread", path);
  const Reclaimed reclaimed(kind);
  if (!to) return copy_attributes(source.id(), {});
  Handle copy = copy_of_source();
  check(H5Dwrite(copy.id(), kind.type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, kind.buffer.data()),
        "H5Dwrite", path);
  copy_attributes(source.id(), copy.id());
  copy.close("H5Dclose", path);
}

void copy_members(hid_t from, std::optional<hid_t> to, int level) {
  if (level > kMostLevels) throw Hdf5Error("copying", describe(from), "too many groups in groups");
  copy_attributes(from, to);
  for (const std::string& name : link_names(from)) {
    H5O_info_t info{};
    check(H5Oget_info_by_name2(from, name.c_str(), &info, H5O_INFO_BASIC, H5P_DEFAULT),
          "H5Oget_info_by_name2", describe(from, name));
    if (info.type == H5O_TYPE_DATASET) {
      copy_dataset(from, to, name);
    } else if (info.type == H5O_TYPE_GROUP) {
      const Handle group = open_group(from, name);
      if (to)
        copy_members(group.id(), create_group(*to, name).id(), level + 1);
      else
        copy_members(group.id(), {}, level + 1);
    }
  }
}

}  // namespace

void copy_group(hid_t from, const std::string& name, hid_t to, const std::string& new_name) {
  try {
    copy_members(open_group(from, name).id(), create_group(to, new_name).id(), 1);
  } catch (const Hdf5Error&) {
    remove_link(to, new_name);
    throw;
  }
}

void read_group(hid_t from, const std::string& name) {
  copy_members(open_group(from, name).id(), {}, 1);
}

}  // namespace slipfield::hdf5
