// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/scales.h"

#include "io/hdf5/internal.h"

namespace slipfield::hdf5 {
namespace {

// Writes a text of fixed length, ended by a zero: HDF5 does not recognise a scale without it.
void write_mark(hid_t object, const std::string& name, const std::string& value) {
  const std::string path = describe(object, name);
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy", path);
  check(H5Tset_size(type.id(), value.size() + 1), "H5Tset_size", path);
  put_attribute(object, name, type.id(), scalar_space(), value.c_str());
}

hobj_ref_t reference_to(hid_t location, const std::string& name) {
  hobj_ref_t reference = 0;
  checked(H5Rcreate(&reference, location, name.c_str(), H5R_OBJECT, -1), "H5Rcreate", location,
          name);
  return reference;
}

}  // namespace

Scale::Scale(hid_t location, const std::string& dataset, const std::string& name)
    : dataset_(open_dataset(location, dataset)), reference_(reference_to(location, dataset)) {
  if (has_attribute(dataset_.id(), "CLASS")) return;  // a copy of a scale
  write_mark(dataset_.id(), "CLASS", "DIMENSION_SCALE");
  write_mark(dataset_.id(), "NAME", name);
}

void Scale::finish() {
  if (attached_.empty()) return;
  const std::string path = describe(dataset_.id());
  if (attached_.size() > kMostAttached)
    throw Hdf5Error("writing", path, "too many datasets are attached to this scale");
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(Attached)), H5Tclose, "H5Tcreate", path);
  check(H5Tinsert(type.id(), "dataset", HOFFSET(Attached, dataset), H5T_STD_REF_OBJ), "H5Tinsert",
        path);
  check(H5Tinsert(type.id(), "dimension", HOFFSET(Attached, dimension), H5T_NATIVE_INT),
        "H5Tinsert", path);
  const std::size_t shape[] = {attached_.size()};
  put_attribute(dataset_.id(), "REFERENCE_LIST", type.id(), simple_space(shape, path),
                attached_.data());
  dataset_.close("H5Dclose", path);
}

void attach_scales(hid_t location, const std::string& dataset,
                   std::initializer_list<Scale*> scales) {
  const hobj_ref_t reference = reference_to(location, dataset);
  std::vector<hvl_t> list;
  for (Scale* scale : scales) {
    scale->attached_.push_back({reference, static_cast<int>(list.size())});
    list.push_back({1, &scale->reference_});
  }
  static const Handle& type =
      *new Handle(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose, "H5Tvlen_create",
                  "a list of scales");  // as scalar_space()
  const std::size_t shape[] = {list.size()};
  put_attribute(open_dataset(location, dataset).id(), "DIMENSION_LIST", type.id(),
                simple_space(shape, dataset), list.data());
}

bool refers_to_places(const Handle& attribute_type) {
  return H5Tdetect_class(attribute_type.id(), H5T_REFERENCE) > 0;
}

}  // namespace slipfield::hdf5
