// SPDX-License-Identifier: Apache-2.0
// ffmpeg makes a video of pictures.
#pragma once

#include <string>
#include <vector>

namespace slipfield {

// The bytes of an MP4 of the pictures (PNG, all of one size), `rate` of them in a second. Throws
// Error where ffmpeg is not installed, fails, or delivers no video.
std::string mp4_of(const std::vector<std::string>& pictures, double rate);

}  // namespace slipfield
