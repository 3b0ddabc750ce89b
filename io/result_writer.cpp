#include "io/result_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <utility>

#include "io/field_table.h"
#include "io/hdf5_handle.h"
#include "io/provenance.h"
#include "io/result_vtk.h"
#include "io/step_attributes.h"

namespace slipfield {
namespace {

constexpr std::string_view kSteps = "steps";

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, sizeof "2026-01-01T00:00:00Z"> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

std::string step_name(int number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return digits;
}

void describe_dataset(hdf5::Handle dataset, std::string_view unit, std::string_view description) {
  hdf5::write_attribute(dataset.id(), "units", unit);
  hdf5::write_attribute(dataset.id(), "description", description);
  dataset.close("H5Dclose", hdf5::describe(dataset.id()));
}

void write_root(hid_t root, const ResultHeader& header) {
  const BuildInfo& build = build_info();
  hdf5::write_attribute(root, "file_type", kResultFileType);
  hdf5::write_attribute(root, "schema_version", std::int64_t{kResultSchemaVersion});
  hdf5::write_attribute(root, "program_version", build.version);
  hdf5::write_attribute(root, "git_commit", build.git_commit);
  hdf5::write_attribute(root, "created", utc_now());
  hdf5::write_attribute(root, "title", header.title);
  hdf5::write_attribute(root, "backend", header.backend);
  hdf5::write_attribute(root, "device", header.device);
  hdf5::write_attribute(root, "units", units_name(header.units));
  hdf5::write_attribute(root, "outcome", run_outcome_name(RunOutcome::incomplete));  // so far
}

void write_grid(hid_t root, const Grid& grid, Units units) {
  const hdf5::Handle group = hdf5::create_group(root, "grid");
  const std::array<std::int64_t, 2> elements = {grid.mx, grid.my};
  const std::array spacing = {grid.dx, grid.dy};
  const std::array origin = {grid.x0, grid.y0};
  hdf5::write_attribute(group.id(), "elements", std::span<const std::int64_t>(elements));
  hdf5::write_attribute(group.id(), "spacing", std::span<const double>(spacing));
  hdf5::write_attribute(group.id(), "origin", std::span<const double>(origin));
  hdf5::write_attribute(group.id(), "boundary",
                        grid.boundary == Boundary::periodic ? "periodic" : "free");
  const auto write_axis = [&](const std::string& name, int count, auto centre) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(centre(i));
    const std::size_t shape[] = {values.size()};
    hdf5::Handle dataset = hdf5::write_dataset(group.id(), name, std::span(values), shape);
    describe_dataset(std::move(dataset), unit_text(Dimension::length, units),
                     name + " of the element centres");
  };
  write_axis("x", grid.mx, [&](int ix) { return grid.x(ix); });
  write_axis("y", grid.my, [&](int iy) { return grid.y(iy); });
}

void write_history(hid_t group, const std::vector<IterationRecord>& history) {
  const hdf5::Handle convergence = hdf5::create_group(group, "convergence");
  std::vector<std::uint8_t> phases;
  std::vector<std::int64_t> iterations;
  std::vector<double> changes;
  for (const IterationRecord& record : history) {
    phases.push_back(static_cast<std::uint8_t>(record.phase));
    iterations.push_back(record.iteration);
    changes.push_back(record.change);
  }
  const std::size_t shape[] = {history.size()};
  const auto write = [&](const std::string& name, auto values, std::string_view description) {
    describe_dataset(hdf5::write_dataset(convergence.id(), name, values, shape), "-", description);
  };
  write("phase", std::span<const std::uint8_t>(phases),
        "problem of the iteration: 0 normal, 1 tangential, 2 outer");
  write("iteration", std::span<const std::int64_t>(iterations), "number within its phase");
  write("change", std::span<const double>(changes),
        "relative change of the tractions in the iteration");
}

void write_sensitivities(hid_t group, const StepInput& input, const std::array<double, 9>& values) {
  const std::size_t shape[] = {3, 3};
  const bool rolling = is_rolling(input.tangential.problem);
  describe_dataset(
      hdf5::write_dataset(group, std::string(kSensitivitiesName), std::span<const double>(values),
                          shape),
      "forces in N, moment_z in N times the case's length, over the column's own unit",
      fmt::format("derivatives of (force_x, force_y, moment_z), the rows, to {}, the columns; "
                  "pressure and friction coefficients held",
                  rolling ? "(creepage_x, creepage_y, spin)" : "(shift_x, shift_y, rotation)"));
}

}  // namespace

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
  Grid grid;
  Units units;
  std::vector<std::string> fields;
  hdf5::Handle file;  // closed before `pending` removes or moves the file
  std::vector<WrittenStep> written;
  std::vector<int> edge_steps;

  [[nodiscard]] bool writes(std::string_view name) const {
    return fields.empty() || std::find(fields.begin(), fields.end(), name) != fields.end();
  }

  template <typename T>
  void write_field(hid_t group, std::string_view name, Dimension dimension,
                   std::string_view description, std::span<const T> values) {
    if (!writes(name)) return;
    const std::size_t shape[] = {static_cast<std::size_t>(grid.my),
                                 static_cast<std::size_t>(grid.mx)};
    describe_dataset(hdf5::write_dataset(group, std::string(name), values, shape),
                     unit_text(dimension, units), description);
  }

  void write_fields(hid_t group, const StepInput& input, const ContactSolution& solution);
  void write_velocities(hid_t group, double rate, const ContactSolution& solution);
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

void ResultWriter::State::write_velocities(hid_t group, double rate,
                                           const ContactSolution& solution) {
  for (const VelocityFieldEntry& entry : velocity_field_table()) {
    if (!writes(entry.name)) continue;
    std::vector<double> velocity = solution.*(entry.distance);
    for (double& value : velocity) value *= rate;
    write_field<double>(group, entry.name, Dimension::velocity, entry.description, velocity);
  }
}

void ResultWriter::State::write_fields(hid_t group, const StepInput& input,
                                       const ContactSolution& solution) {
  for (const FieldEntry& entry : field_table())
    write_field<double>(group, entry.name, entry.dimension, entry.description,
                        solution.*(entry.values));
  if (slip_rate(input) > 0.0) write_velocities(group, slip_rate(input), solution);
  std::vector<std::uint8_t> division;
  division.reserve(solution.element_division.size());
  for (const ElementState state : solution.element_division)
    division.push_back(static_cast<std::uint8_t>(state));
  write_field<std::uint8_t>(group, kDivisionName, Dimension::none, kDivisionDescription, division);
}

void ResultWriter::State::complete(RunOutcome outcome) {
  const hid_t root = file.id();
  if (!edge_steps.empty())
    hdf5::write_attribute(root, "warning",
                          fmt::format("{} ({} of the steps, first in step {})", kEdgeWarning,
                                      edge_steps.size(), edge_steps.front()));
  if (!written.empty()) {
    // A run that ended early may have done so on a full disk: links take next to no space.
    const bool whole = outcome != RunOutcome::incomplete;
    write_vtk(file, std::string(kSteps), grid, whole ? written : std::vector{written.back()});
  }
  hdf5::flush(file);
  if (outcome != RunOutcome::incomplete) {  // which it is from its beginning on
    hdf5::delete_attribute(root, "outcome");
    hdf5::write_attribute(root, "outcome", run_outcome_name(outcome));
    hdf5::flush(file);
  }
  file.close("H5Fclose", pending.temporary_path().string());
}

ResultWriter::ResultWriter(const std::filesystem::path& path, const ResultHeader& header,
                           Overwrite overwrite, std::vector<std::string> fields,
                           const std::filesystem::path& temporary)
    : state_(new State{PendingFile(path, overwrite, temporary),
                       header.grid,
                       header.units,
                       std::move(fields),
                       {},
                       {},
                       {}}) {
  const std::vector<std::string> known = field_names();
  for (const std::string& name : state_->fields)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("there is no field \"" + name + "\" to write");
  state_->guarded([&] {
    state_->file = hdf5::create_file(state_->pending.temporary_path());
    const hid_t root = state_->file.id();
    write_root(root, header);
    hdf5::write_text(root, "case", header.case_yaml).close("H5Dclose", "/case");
    write_grid(root, header.grid, header.units);
    hdf5::create_group(root, std::string(kSteps));
    hdf5::flush(state_->file);
  });
}

ResultWriter::~ResultWriter() {
  if (state_) state_->file.discard();
}

const std::filesystem::path& ResultWriter::path() const { return state_->pending.path(); }
int ResultWriter::steps_written() const { return static_cast<int>(state_->written.size()); }

void ResultWriter::write_step(int number, const StepInput& input, const StepReport& report,
                              const ContactSolution& solution) {
  state_->guarded([&] {
    const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kSteps));
    try {
      const hdf5::Handle group = hdf5::create_group(steps.id(), step_name(number));
      write_step_attributes(group.id(), input, report);
      state_->write_fields(group.id(), input, solution);
      write_history(group.id(), report.history);
      if (report.sensitivities) write_sensitivities(group.id(), input, *report.sensitivities);
      hdf5::flush(state_->file);
    } catch (const Hdf5Error&) {
      hdf5::remove_link(steps.id(), step_name(number));
      throw;
    }
  });
  std::vector<std::string> fields;
  for (const std::string& name : field_names(input))
    if (state_->writes(name)) fields.push_back(name);
  state_->written.push_back({step_name(number), number, std::move(fields)});
  if (report.touches_edge) state_->edge_steps.push_back(number);
}

void ResultWriter::export_steps(int first, int last, const std::filesystem::path& part) const {
  const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kSteps));
  hdf5::Handle file = hdf5::change_file(part);
  {
    const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kSteps));
    for (int number = first; number <= last; ++number) {
      const std::string name = step_name(number);
      if (hdf5::has_link(steps.id(), name)) hdf5::copy_group(steps.id(), name, copies.id(), name);
    }
  }
  file.close("H5Fclose", part.string());
}

void ResultWriter::import_steps(const std::filesystem::path& part, int last) {
  const hdf5::Handle file = hdf5::open_file(part);
  const hdf5::Handle copies = hdf5::open_group(file.id(), std::string(kSteps));
  std::vector<int> numbers;
  for (const std::string& name : hdf5::link_names(copies.id())) numbers.push_back(std::stoi(name));
  std::sort(numbers.begin(), numbers.end());
  for (const int number : numbers) {
    if (number > last) break;
    const std::string name = step_name(number);
    state_->guarded([&] {
      const hdf5::Handle steps = hdf5::open_group(state_->file.id(), std::string(kSteps));
      hdf5::copy_group(copies.id(), name, steps.id(), name);
      hdf5::flush(state_->file);
    });
    const hdf5::Handle step = hdf5::open_group(copies.id(), name);
    WrittenStep written{name, number, {}};
    for (const std::string& field : field_names())
      if (hdf5::has_link(step.id(), field)) written.fields.push_back(field);
    state_->written.push_back(std::move(written));
    if (hdf5::has_attribute(step.id(), "warning")) state_->edge_steps.push_back(number);
  }
}

void ResultWriter::finish(RunOutcome outcome) {
  try {
    state_->guarded([&] { state_->complete(outcome); });
  } catch (const Error& error) {
    if (state_->written.empty()) throw;
    state_->pending.keep();
    throw Error(fmt::format("{}; what could be written is in {}", error.what(),
                            state_->pending.temporary_path().string()));
  }
  state_->pending.commit();
}

}  // namespace slipfield
