// SPDX-License-Identifier: Apache-2.0
// Large values of a contiguous dataset, written past the library by several threads, and on their
// way to the disk at once.
#pragma once

#include <cstddef>

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

// All values of a new dataset, one after another, of `bytes` in all: the first go through the
// library, which gives the dataset its place in the file, the others to the file itself. The file
// is the one that H5Dwrite makes. Throws Hdf5Error with the operating system's reason.
void write_large(const Handle& dataset, hid_t type, const void* values, std::size_t count,
                 std::size_t each, const std::string& path);

// Whether so many bytes are worth it.
inline bool is_large(std::size_t bytes) { return bytes >= std::size_t{16} << 20U; }

}  // namespace slipfield::hdf5
