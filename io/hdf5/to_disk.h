// SPDX-License-Identifier: Apache-2.0
// Large values, on their way to the disk as soon as they are written.
#pragma once

#include <cstddef>

#include "io/hdf5/handle.h"

namespace slipfield::hdf5 {

// Values of fewer bytes wait for the operating system.
inline constexpr std::size_t kLeastToDisk = std::size_t{1} << 20U;

// Has the operating system begin to bring the values of a contiguous dataset to the disk, so that
// bringing the whole file there takes less time at the end. Does not wait for them; nothing happens
// where it cannot be done.
void send_to_disk(const Handle& dataset);

}  // namespace slipfield::hdf5
