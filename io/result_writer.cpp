#include "io/result_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/field_table.h"
#include "io/hdf5_handle.h"
#include "io/result_parts.h"

namespace slipfield {

std::string_view run_outcome_name(RunOutcome outcome) {
  switch (outcome) {
    case RunOutcome::converged:
      return "converged";
    case RunOutcome::not_converged:
      return "not_converged";
    case RunOutcome::incomplete:
      return "incomplete";
  }
  return "";
}

struct ResultWriter::State {
  PendingFile pending;
  ResultHeader header;
  FieldChoice fields;
  hdf5::Handle file;  // closed before `pending` removes or moves the file
  int steps_written = 0;
  int last_number = 0;
  std::vector<std::string> last_fields;  // names of those that the last step has
  std::vector<int> edge_steps;

  void write_vtk();
  void complete(RunOutcome outcome);

  // Runs `write`; a failing write becomes one sentence that names the file and the reason.
  template <typename Write>
  void guarded(Write write) {
    try {
      write();
    } catch (const Hdf5Error& error) {
      throw Error(pending.path().string() +
                  ": the results could not be written: " + error.reason());
    }
  }
};

// An ImageData of mx x my x 0 cells: a flat image, whose cell arrays have the shape (my, mx) as
// they stand in the steps. VTK 9.3 and later read it; earlier ones read no cell data of images.
void ResultWriter::State::write_vtk() {
  const Grid& grid = header.grid;
  const hdf5::Handle group = hdf5::create_group(file.id(), "VTKHDF");
  const std::array<std::int64_t, 2> version = {2, 0};
  const std::array<std::int64_t, 6> extent = {0, grid.mx, 0, grid.my, 0, 0};
  const std::array origin = {grid.x0, grid.y0, 0.0};
  const std::array spacing = {grid.dx, grid.dy, 1.0};
  const std::array direction = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
  hdf5::write_attribute(group.id(), "Version", std::span<const std::int64_t>(version));
  hdf5::write_ascii_attribute(group.id(), "Type", "ImageData");
  hdf5::write_attribute(group.id(), "WholeExtent", std::span<const std::int64_t>(extent));
  hdf5::write_attribute(group.id(), "Origin", std::span<const double>(origin));
  hdf5::write_attribute(group.id(), "Spacing", std::span<const double>(spacing));
  hdf5::write_attribute(group.id(), "Direction", std::span<const double>(direction));
  const hdf5::Handle cells = hdf5::create_group(group.id(), "CellData");
  const hdf5::Handle step =
      hdf5::open_group(file.id(), std::string(kStepsGroup) + "/" + numbered_name(last_number));
  for (const std::string& name : last_fields)
    if (writes_field(fields, name)) hdf5::link_hard(step.id(), name, cells.id(), name);
}

void ResultWriter::State::complete(RunOutcome outcome) {
  const hid_t root = file.id();
  if (!edge_steps.empty())
    hdf5::write_attribute(root, "warning",
                          fmt::format("{} ({} of the steps, first in step {})", kEdgeWarning,
                                      edge_steps.size(), edge_steps.front()));
  if (steps_written > 0) write_vtk();
  hdf5::flush(file);
  if (outcome != RunOutcome::incomplete) {  // which it is from its beginning on
    replace_outcome(root, outcome);
    hdf5::flush(file);
  }
  file.close("H5Fclose", pending.temporary_path().string());
}

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
                           Overwrite overwrite, FieldChoice fields)
    : state_(new State{PendingFile(path, overwrite), header, std::move(fields), {}, 0, 0, {}, {}}) {
  const std::vector<std::string> known = field_names();
  for (const std::string& name : state_->fields.value_or(std::vector<std::string>()))
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("there is no field \"" + name + "\" to write");
  state_->guarded([&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    const hid_t root = state_->file.id();
    write_result_header(root, header, kResultFileType);
    write_grid(root, header.grid, header.units);
    hdf5::create_group(root, std::string(kStepsGroup));
    hdf5::flush(state_->file);
  });
}

ResultWriter::~ResultWriter() {
  if (state_) state_->file.discard();
}

const std::filesystem::path& ResultWriter::path() const { return state_->pending.path(); }
int ResultWriter::steps_written() const { return state_->steps_written; }

void ResultWriter::write_step(int number, const StepInput& input, const StepReport& report,
                              const ContactSolution& solution) {
  state_->guarded([&] {
    const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kStepsGroup));
    try {
      write_step_group(steps.id(), state_->header, state_->fields, number, input, report, solution);
      hdf5::flush(state_->file);
    } catch (const Hdf5Error&) {
      hdf5::remove_link(steps.id(), numbered_name(number));
      throw;
    }
  });
  state_->last_number = number;
  state_->last_fields = field_names(input);
  ++state_->steps_written;
  if (report.touches_edge) state_->edge_steps.push_back(number);
}

void ResultWriter::finish(RunOutcome outcome) {
  try {
    state_->guarded([&] { state_->complete(outcome); });
  } catch (const Error& error) {
    if (state_->steps_written == 0) throw;
    state_->pending.keep();
    throw Error(fmt::format("{}; what could be written is in {}", error.what(),
                            state_->pending.temporary_path().string()));
  }
  state_->pending.commit();
}

}  // namespace slipfield
