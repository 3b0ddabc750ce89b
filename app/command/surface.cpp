// SPDX-License-Identifier: Apache-2.0
// slipfield surface: prepares a measured surface for a contact and prints its numbers. The Python
// package slipfield.surface does the work; this command defines the options and decides which files
// may be overwritten.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "app/command/commands.h"
#include "app/command/python_options.h"
#include "app/console.h"
#include "app/figures/python.h"
#include "io/pending_file.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kFileGroup = "What the file does not say";
constexpr const char* kChangeGroup = "Changes, in this order";

// slipfield/surface/__main__.py defines the same ones.
constexpr std::array kSurfaceOptions = {
    PythonOption{"--unit", kFileGroup, "{m,cm,mm,um,nm,angstrom,inch}",
                 "Unit of distances, and of heights of which nothing else says one"},
    PythonOption{"--height-unit", kFileGroup, "{m,cm,mm,um,nm,angstrom,inch}",
                 "Unit of the heights"},
    PythonOption{"--spacing", kFileGroup, "DX,DY", "Distances of columns and rows, in --unit"},
    PythonOption{"--dataset", kFileGroup, "NAME",
                 "Dataset of HDF5, variable of MATLAB or channel, where there are several"},
    PythonOption{"--missing", kFileGroup, "VALUE",
                 "A number that stands for places that were not measured"},
    PythonOption{"--to", kOutputGroup, "{m,cm,mm,um,nm,angstrom,inch}",
                 "Unit of all that is printed and written; default: mm"},
    PythonOption{"--height-factor", kChangeGroup, "F", "Multiply heights by this"},
    PythonOption{"--lateral-factor", kChangeGroup, "F", "Multiply distances by this"},
    PythonOption{"--crop", kChangeGroup, "X0,X1,Y0,Y1",
                 "Keep this part, in the unit of --to; where the file has no places, the first "
                 "sample is at 0,0"},
    PythonOption{"--flip", kChangeGroup, "WHAT[,WHAT...]",
                 "Turn over `x` (columns), `y` (rows), `heights` (their signs)"},
    PythonOption{"--spikes", kChangeGroup, "{missing}",
                 "Take samples that stand far out from those around for not measured"},
    PythonOption{"--level", kChangeGroup, "FORM",
                 "Take off the form that fits best: `mean`, `plane`, `sphere` (a plane and one "
                 "curvature), `curvature` (a plane and two), or a polynomial's degree, 0 to 12"},
    PythonOption{"--fill", kChangeGroup, "{smooth,lowest}",
                 "Give heights to places that were not measured: of a membrane over each hole, or "
                 "the lowest height"},
};

struct SurfaceArguments {
  std::string path;
  std::string output;
  std::string plot;
  GivenOptions values;
  bool periodic = false;
  bool json = false;
  bool overwrite = false;
};

int run_surface(const SurfaceArguments& arguments) {
  require_file(arguments.path);
  require_png(arguments.plot);
  const OutputRule rule{overwrite_if(arguments.overwrite), {arguments.path}};
  std::vector<std::string> passed = passed_options(arguments.values);
  auto output = pass_output(passed, arguments.output, FileKind::surface, rule, "--output");
  auto figure = pass_output(passed, arguments.plot, FileKind::picture, rule, "--plot");
  if (output) passed.push_back("--named=" + arguments.output);
  if (figure) passed.push_back("--plot-named=" + arguments.plot);
  if (arguments.periodic) passed.emplace_back("--periodic");
  if (arguments.json) passed.emplace_back("--json");
  passed.emplace_back("--");
  passed.push_back(arguments.path);
  const int exit_code = run_python_module(kSurfaces, passed, "");
  if (exit_code != 0) return exit_code;
  for (PendingFile* file : {output.get(), figure.get()}) {
    if (file == nullptr) continue;
    commit_output(*file);
    if (!arguments.json)
      print_line(fmt::format("{} written to {}", file == output.get() ? "surface" : "figure",
                             file->path().string()));
  }
  return exit_code;
}

constexpr const char* kSurfaceExamples =
    "Examples:\n"
    "  slipfield surface scan.txt                                  # its numbers\n"
    "  slipfield surface scan.txt -o heights.h5 --spikes missing --fill smooth\n"
    "  slipfield surface ball.xyz -o rough.h5 --unit um --level sphere --plot a.png\n"
    "  slipfield surface scan.npy -o a.h5 --unit um --height-unit nm --spacing .5,.5\n"
    "  slipfield surface scan.x3p -o part.h5 --crop 0.2,0.7,0.1,0.6 --flip x,heights\n"
    "  slipfield surface scan.mat --dataset Z --unit um --json\n"
    "Reads text (tables, lists of x, y and z, Gwyddion's export, ESRI grids), .npy, HDF5 with its "
    "scale_factor, "
    "add_offset, _FillValue and units, and MATLAB's .mat; x3p, sur, sdf, opd, plu, al3d, gwy and "
    "others with the Python package SurfaceTopography.\n"
    "Prints what was done, and heights, slopes, curvature, bearing curve and power spectrum. "
    "Nothing is filled or levelled unasked. The file that -o writes has heights and coordinates "
    "with units, the name and the SHA-256 of the file that was read, and what was done; `geometry: "
    "{type: heights, file: heights.h5}` reads it.\n"
    "Python does the work (python3-numpy, python3-h5py; --plot: python3-matplotlib; .mat before "
    "version 7.3: python3-scipy): slipfield.surface, which is also there for notebooks.\n"
    "Exit codes: 0 done; 2 the file or the command line is wrong; 3 it could not be written.";

}  // namespace

void add_surface_command(CLI::App& program, Action& action) {
  const auto arguments = std::make_shared<SurfaceArguments>();
  CLI::App* command = program.add_subcommand(
      "surface", "Level, crop and fill a measured surface; print its numbers, write its heights");
  command->add_option("file", arguments->path, "A measured surface")
      ->required()
      ->type_name("SCAN.txt|xyz|npy|h5|mat|x3p");
  command
      ->add_option("-o,--output", arguments->output,
                   "The heights (HDF5), for `geometry: {type: heights}` of a case")
      ->type_name("OUT.h5")
      ->group(kOutputGroup);
  add_python_options(*command, kSurfaceOptions, arguments->values);
  command
      ->add_option("--plot", arguments->plot,
                   "A figure: the map of heights, the power spectrum, the bearing curve")
      ->type_name("FIG.png")
      ->group(kOutputGroup);
  command
      ->add_flag("--overwrite", arguments->overwrite,
                 "Replace a surface or a figure that was written before")
      ->group(kOutputGroup);
  command->add_flag("--periodic", arguments->periodic,
                    "The surface repeats in x and y: slopes across its edges count, and the "
                    "spectrum has no window");
  command->add_flag("--json", arguments->json, "Print one JSON document");
  command->footer(kSurfaceExamples);
  command->callback(
      [arguments, &action] { action = [arguments] { return run_surface(*arguments); }; });
}

}  // namespace slipfield
