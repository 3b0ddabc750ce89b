// SPDX-License-Identifier: Apache-2.0
#include "app/plot/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/plot/scale.h"
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

std::string terminal_command(const Layout& layout, PictureFormat format) {
  constexpr double kBase = 11.0;
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

}  // namespace

std::string page_script(const PageText& page, const std::vector<PanelSize>& panels, int columns,
                        PictureFormat format, const DrawPanel& draw) {
  const double width = arrange(panels, columns, 0.0, 0.0, format).width;
  const TextBlock title{wrapped(page.title, letters(width, kTitleSize), 2), kTitleSize, kTitleLine,
                        kEdge + 0.5 * kTitleLine};
  const TextBlock summary{wrapped(page.summary, letters(width, kTextSize), 3), kTextSize, kTextLine,
                          kEdge + title.height() + 0.5 * kTextLine};
  const auto legend = legend_lines(page.legend, width - 2.0 * kEdge);
  const double legend_top = kEdge + title.height() + summary.height() + 0.7 * kPageLegendLine;
  const double header = kEdge + title.height() + summary.height() +
                        kPageLegendLine * static_cast<double>(legend.size());
  TextBlock notes{wrapped(page.notes, letters(width, kNoteSize), 6), kNoteSize, kNoteLine, 0.0};
  const double footer = notes.lines.empty() ? 0.0 : notes.height() + 1.25 * kEdge;

  const Layout layout = arrange(panels, columns, header, footer, format);
  notes.top = layout.height - footer + 0.5 * kEdge + 0.5 * kNoteLine;
  std::string script = terminal_command(layout, format);
  script += "set encoding utf8\nset multiplot\n";
  const Frame figure{format, layout.width, layout.height, 0.0, 0.0, layout.width, layout.height};
  std::string legend_text;
  for (std::size_t i = 0; i < legend.size(); ++i)
    legend_text += legend_commands(figure, legend[i], kEdge,
                                   legend_top + kPageLegendLine * static_cast<double>(i));
  script += text_commands(figure, {title, summary, notes}, legend_text);
  for (std::size_t panel = 0; panel < panels.size(); ++panel)
    script += draw(panel, layout.frames[panel]);
  return script + "unset multiplot\n";
}

PictureFormat picture_format(const std::filesystem::path& path) {
  const std::string extension = path.extension().string();
  if (extension == ".png") return PictureFormat::png;
  if (extension == ".svg") return PictureFormat::svg;
  throw InputError(fmt::format(
      "{}: a figure's name ends with .png or .svg; {}", path.string(),
      extension.empty() ? "this one has no ending" : "this one ends with " + extension));
}

void write_picture(PendingFile& file, const std::string& script, PictureFormat format) {
  file.write(run_gnuplot(script, format), "figure");
  file.commit();
}

}  // namespace slipfield
