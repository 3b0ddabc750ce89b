// SPDX-License-Identifier: Apache-2.0
// Datasets that are packed: in chunks of some 1 MiB, the bytes of the numbers sorted by their place
// in the number (HDF5's shuffle) and deflated. Every HDF5 library reads them as any other dataset.
#pragma once

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

// As write_dataset. `level`: of deflate, to 9; 0: chunks only. Throws Hdf5Error where the library
// has no deflate.
Handle write_packed(hid_t location, const std::string& name, std::span<const double> values,
                    std::span<const std::size_t> shape, int level);
Handle write_packed(hid_t location, const std::string& name, std::span<const std::uint8_t> values,
                    std::span<const std::size_t> shape, int level);

}  // namespace slipfield::hdf5
