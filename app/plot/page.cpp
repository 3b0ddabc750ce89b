// SPDX-License-Identifier: Apache-2.0
#include "app/plot/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/plot/program/mp4.h"
#include "app/plot/scale.h"
#include "io/file_ending.h"
#include "io/output_rule.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kTitleSize = 16.0;  // heights of letters and lines in pixels
constexpr double kTitleLine = 22.0;
constexpr double kTextSize = 12.0;
constexpr double kTextLine = 17.0;
constexpr double kNoteSize = 10.5;
constexpr double kNoteLine = 14.0;
constexpr double kPageLegendLine = 19.0;
constexpr double kEdge = 16.0;
constexpr double kLetter = 0.56;   // mean width over height, of a sans serif letter
constexpr double kPngScale = 2.0;  // pixels of the file per pixel of the layout
constexpr double kGifScale = 1.25;

std::string terminal_command(const Layout& layout, PictureFormat format, double rate) {
  constexpr double kBase = 11.0;
  constexpr double kPixelsPerInch = 96.0;
  if (format == PictureFormat::pdf)
    return fmt::format(
        "set terminal pdfcairo noenhanced size {:.4f}in,{:.4f}in font 'Sans,{}' fontscale 1 "
        "linewidth 0.8 pointscale 0.8 rounded background rgb 'white'\n",
        layout.width / kPixelsPerInch, layout.height / kPixelsPerInch, 0.75 * kBase);
  // No pointscale is known there; without `truecolor` the second frame has no colours left.
  if (format == PictureFormat::gif)
    return fmt::format(
        "set terminal gif truecolor noenhanced animate delay {:.0f} loop 0 size {:.0f},{:.0f} font "
        "'Sans,{}' fontscale {} linewidth {} rounded background rgb 'white'\n",
        100.0 / rate, kGifScale * layout.width, kGifScale * layout.height, 0.75 * kBase, kGifScale,
        kGifScale);
  if (format == PictureFormat::svg)
    return fmt::format(
        "set terminal svg noenhanced size {:.0f},{:.0f} font 'sans-serif,{}' rounded background "
        "rgb 'white'\n",
        layout.width, layout.height, kBase);
  return fmt::format(
      "set terminal pngcairo noenhanced size {:.0f},{:.0f} font 'Sans,{}' fontscale {} linewidth "
      "{} pointscale {} rounded background rgb 'white'\n",
      kPngScale * layout.width, kPngScale * layout.height, 0.75 * kBase, kPngScale, kPngScale,
      kPngScale);
}

// Lines of text over or under the panels, as labels on a plot of nothing.
struct TextBlock {
  std::vector<std::string> lines;
  double size = 0.0;
  double spacing = 0.0;
  double top = 0.0;  // of the first line's middle

  [[nodiscard]] double height() const { return spacing * static_cast<double>(lines.size()); }
};

std::string text_commands(const Frame& figure, const std::vector<TextBlock>& blocks,
                          const std::string& legend) {
  std::string commands =
      "reset\nunset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\n"
      "set lmargin at screen 0\nset rmargin at screen 1\nset tmargin at screen 1\n"
      "set bmargin at screen 0\n";
  for (const TextBlock& block : blocks)
    for (std::size_t i = 0; i < block.lines.size(); ++i)
      commands += fmt::format("set label {} at {} left{}\n", gnuplot_text(block.lines[i]),
                              figure.at(kEdge, block.top + block.spacing * static_cast<double>(i)),
                              font_option(block.size, figure.format));
  return commands + legend + "plot NaN\n";
}

int letters(double width, double size) {
  return std::max(8, static_cast<int>((width - 2.0 * kEdge) / (kLetter * size)));
}

// What is over and under the panels of a page.
struct PageFrame {
  TextBlock title;
  TextBlock summary;
  TextBlock notes;
  std::vector<std::vector<LegendEntry>> legend;

  PageFrame(const PageText& page, double width)
      : title{wrapped(page.title, letters(width, kTitleSize), 2), kTitleSize, kTitleLine,
              kEdge + 0.5 * kTitleLine},
        summary{wrapped(page.summary, letters(width, kTextSize), 3), kTextSize, kTextLine,
                kEdge + title.height() + 0.5 * kTextLine},
        notes{wrapped(page.notes, letters(width, kNoteSize), 6), kNoteSize, kNoteLine, 0.0},
        legend(legend_lines(page.legend, width - 2.0 * kEdge)) {}

  [[nodiscard]] double header() const {
    return kEdge + title.height() + summary.height() +
           kPageLegendLine * static_cast<double>(legend.size());
  }
  [[nodiscard]] double footer() const {
    return notes.lines.empty() ? 0.0 : notes.height() + 1.25 * kEdge;
  }
};

std::string page_commands(PageFrame page, const Layout& layout, double footer,
                          PictureFormat format) {
  page.notes.top = layout.height - footer + 0.5 * kEdge + 0.5 * kNoteLine;
  const Frame figure{format, layout.width, layout.height, 0.0, 0.0, layout.width, layout.height};
  const double legend_top =
      kEdge + page.title.height() + page.summary.height() + 0.7 * kPageLegendLine;
  std::string legend;
  for (std::size_t i = 0; i < page.legend.size(); ++i)
    legend += legend_commands(figure, page.legend[i], kEdge,
                              legend_top + kPageLegendLine * static_cast<double>(i));
  return "set encoding utf8\nset multiplot\n" +
         text_commands(figure, {page.title, page.summary, page.notes}, legend);
}

}  // namespace

std::string page_script(const PageText& page, const std::vector<PanelSize>& panels, int columns,
                        PictureFormat format, const DrawPanel& draw) {
  Movie movie = movie_of({page}, panels, columns, format, 1.0,
                         [&](std::size_t /*page*/, std::size_t panel, const Frame& frame) {
                           return draw(panel, frame);
                         });
  return movie.terminal + movie.frames.front();
}

Movie movie_of(const std::vector<PageText>& pages, const std::vector<PanelSize>& panels,
               int columns, PictureFormat format, double rate, const DrawMoviePanel& draw) {
  const double width = arrange(panels, columns, 0.0, 0.0, format).width;
  std::vector<PageFrame> frames;
  double header = 0.0;
  double footer = 0.0;
  for (const PageText& page : pages) {
    frames.emplace_back(page, width);
    header = std::max(header, frames.back().header());
    footer = std::max(footer, frames.back().footer());
  }
  const Layout layout = arrange(panels, columns, header, footer, format);
  Movie movie{terminal_command(layout, format, rate), {}, rate};
  for (std::size_t page = 0; page < pages.size(); ++page) {
    std::string commands = page_commands(frames[page], layout, footer, format);
    for (std::size_t panel = 0; panel < panels.size(); ++panel)
      commands += draw(page, panel, layout.frames[panel]);
    movie.frames.push_back(commands + "unset multiplot\n");
  }
  return movie;
}

PictureFormat picture_format(const std::filesystem::path& path) {
  const std::string extension = file_ending(path);
  if (extension == ".png") return PictureFormat::png;
  if (extension == ".svg") return PictureFormat::svg;
  if (extension == ".pdf") return PictureFormat::pdf;
  if (extension == ".gif") return PictureFormat::gif;
  if (extension == ".mp4") return PictureFormat::mp4;
  throw InputError(fmt::format(
      "{}: a figure's name ends with .png, .svg or .pdf, that of an animation with .gif or .mp4; "
      "{}",
      path.string(),
      extension.empty() ? "this one has no ending" : "this one ends with " + extension));
}

bool is_animated(PictureFormat format) {
  return format == PictureFormat::gif || format == PictureFormat::mp4;
}

PictureFormat still_format(const std::filesystem::path& path, std::string_view instead) {
  const PictureFormat format = picture_format(path);
  if (!is_animated(format)) return format;
  throw InputError(fmt::format("{}: an animation is of {}; accepted here: .png, .svg, .pdf",
                               path.string(), instead));
}

void write_picture(PendingFile& file, const std::string& script, PictureFormat format) {
  std::string picture = run_gnuplot(script, format);
  if (format == PictureFormat::pdf) picture += kPdfMark;
  file.write(picture, "figure");
  file.commit();
}

void write_movie(PendingFile& file, const Movie& movie, PictureFormat format) {
  if (format == PictureFormat::gif) {
    std::string script = movie.terminal;
    for (const std::string& frame : movie.frames) script += frame;
    return write_picture(file, script, format);
  }
  std::vector<std::string> pictures;
  for (const std::string& frame : movie.frames)
    pictures.push_back(run_gnuplot(movie.terminal + frame, PictureFormat::png));
  file.write(mp4_of(pictures, movie.rate), "animation");
  file.commit();
}

}  // namespace slipfield
