// SPDX-License-Identifier: Apache-2.0
// A figure as a whole: texts over and under its panels, and the file that it becomes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/plot/gnuplot.h"
#include "app/plot/layout.h"
#include "io/pending_file.h"

namespace slipfield {

// What is around the panels, broken into lines where it is long; each may be empty.
struct PageText {
  std::string title;
  std::string summary;                   // under the title
  std::string notes;                     // under the panels
  std::vector<LegendEntry> legend = {};  // of all panels, under the summary
};

using DrawPanel = std::function<std::string(std::size_t panel, const Frame& frame)>;

// gnuplot's commands for panels in rows of `columns`.
std::string page_script(const PageText& page, const std::vector<PanelSize>& panels, int columns,
                        PictureFormat format, const DrawPanel& draw);

// The frames of an animation, all of one size: gnuplot's commands for each, which come after those
// for the terminal.
struct Movie {
  std::string terminal;
  std::vector<std::string> frames;
  double rate = 1.0;  // frames in a second
};
using DrawMoviePanel =
    std::function<std::string(std::size_t page, std::size_t panel, const Frame& frame)>;
Movie movie_of(const std::vector<PageText>& pages, const std::vector<PanelSize>& panels,
               int columns, PictureFormat format, double rate, const DrawMoviePanel& draw);

// By the ending: .png, .svg, .pdf, or of an animation .gif, .mp4; throws InputError for another
// one.
PictureFormat picture_format(const std::filesystem::path& path);
bool is_animated(PictureFormat format);
// Throws InputError for the ending of an animation. `instead`: what an animation is of.
PictureFormat still_format(const std::filesystem::path& path, std::string_view instead);

// Draws, writes and commits the file.
void write_picture(PendingFile& file, const std::string& script, PictureFormat format);
// The same; MP4 is made by ffmpeg. Throws Error where it is not installed.
void write_movie(PendingFile& file, const Movie& movie, PictureFormat format);

}  // namespace slipfield
