// SPDX-License-Identifier: Apache-2.0
// A figure as a whole: texts over and under its panels, and the file that it becomes.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
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

// By the ending .png or .svg; throws InputError for another one.
PictureFormat picture_format(const std::filesystem::path& path);

// Draws, writes and commits the file.
void write_picture(PendingFile& file, const std::string& script, PictureFormat format);

}  // namespace slipfield
