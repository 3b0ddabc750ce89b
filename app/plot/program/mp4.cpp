// SPDX-License-Identifier: Apache-2.0
#include "app/plot/program/mp4.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "app/plot/program/run.h"
#include "solver/error.h"

namespace slipfield {

std::string mp4_of(const std::vector<std::string>& pictures, double rate) {
  // Players want even sides and 4:2:0. The output is opened by its name: MP4 goes back in its file.
  const std::vector<std::string> command = {
      "ffmpeg",     "-hide_banner",
      "-loglevel",  "error",
      "-f",         "image2pipe",
      "-framerate", fmt::format("{:g}", rate),
      "-c:v",       "png",
      "-i",         "pipe:0",
      "-vf",        "pad=ceil(iw/2)*2:ceil(ih/2)*2:color=white",
      "-pix_fmt",   "yuv420p",
      "-f",         "mp4",
      "-y",         "/dev/stdout"};
  ProgramEnd end = run_program(
      command, pictures,
      "ffmpeg, which makes MP4, is not installed (on Debian or Ubuntu: apt-get install ffmpeg); "
      "an animation that ends with .gif needs only gnuplot");
  if (end.output.size() < 12 || std::string_view(end.output).substr(4, 4) != "ftyp")
    throw Error(fmt::format("ffmpeg delivered no video: {}", end.message));
  return std::move(end.output);
}

}  // namespace slipfield
