// SPDX-License-Identifier: Apache-2.0
// What a figure needs of a sweep, read block by block.
#pragma once

#include <filesystem>

#include "app/plot/sweep.h"
#include "io/result/sweep_reader.h"

namespace slipfield {

// The keys of the points that `request.where` leaves, and the columns that the figure draws; no
// messages. Throws InputError where no point is left, or a key is none of the sweep.
SweepFile read_drawn_sweep(const std::filesystem::path& path, const SweepFigureRequest& request);

}  // namespace slipfield
