// SPDX-License-Identifier: Apache-2.0
#include "io/hdf5/ranks/shared_file.h"

#include <mpi.h>

#include <array>

#include "io/hdf5/internal.h"
#include "solver/ranks/ranks.h"

namespace slipfield::hdf5 {
namespace {

template <typename T>
void put_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                     std::span<const T> values) {
  const std::string path = describe(location, name);
  const Handle dataset = open_dataset(location, name);
  const std::vector<std::size_t> extent = dataset_shape(location, name);
  const Handle space(H5Dget_space(dataset.id()), H5Sclose, "H5Dget_space", path);
  const Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose, "H5Pcreate", path);
  check(H5Pset_dxpl_mpio(transfer.id(), H5FD_MPIO_COLLECTIVE), "H5Pset_dxpl_mpio", path);
  const std::array<hsize_t, 2> start = {static_cast<hsize_t>(rows.first), 0};
  const std::array<hsize_t, 2> count = {static_cast<hsize_t>(rows.count), extent.at(1)};
  const std::size_t shape[] = {values.size()};
  const Handle memory = simple_space(shape, path);
  if (rows.count == 0) {  // participates nevertheless
    check(H5Sselect_none(space.id()), "H5Sselect_none", path);
    check(H5Sselect_none(memory.id()), "H5Sselect_none", path);
  } else {
    check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(),
                              nullptr),
          "H5Sselect_hyperslab", path);
  }
  ranks::each([&] {
    try {
      check(H5Dwrite(dataset.id(), native_type<T>(), memory.id(), space.id(), transfer.id(),
                     values.data()),
            "H5Dwrite", path);
    } catch (const Hdf5Error& error) {
      throw Error(error.reason());
    }
  });
}

}  // namespace

Handle open_shared(const std::filesystem::path& path) {
  prepare();
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate", path.string());
  check(H5Pset_fapl_mpio(access.id(), MPI_COMM_WORLD, MPI_INFO_NULL), "H5Pset_fapl_mpio",
        path.string());
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), H5Fclose, "H5Fopen", path.string()};
}

void write_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                       std::span<const double> values) {
  put_shared_rows(location, name, rows, values);
}

void write_shared_rows(hid_t location, const std::string& name, const RowRange& rows,
                       std::span<const std::uint8_t> values) {
  put_shared_rows(location, name, rows, values);
}

}  // namespace slipfield::hdf5
