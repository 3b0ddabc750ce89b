// SPDX-License-Identifier: Apache-2.0
#include "io/result/parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <future>
#include <utility>
#include <vector>

#include "io/case/names.h"
#include "io/hdf5/ranks/shared_file.h"
#include "io/provenance.h"
#include "io/result/field_table.h"
#include "io/result/step_attributes.h"
#include "io/result/surface/table.h"

namespace slipfield {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, sizeof "2026-01-01T00:00:00Z"> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

namespace {

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
  write_list(convergence.id(), "phase", phases, "-",
             "problem of the iteration: 0 normal, 1 tangential, 2 outer");
  write_list(convergence.id(), "iteration", iterations, "-", "number within its phase");
  write_list(convergence.id(), "change", changes, "-",
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
                  "elements in contact and the normal force or approach, whichever is "
                  "prescribed, held",
                  rolling ? "(creepage_x, creepage_y, spin)" : "(shift_x, shift_y, rotation)"));
}

// Writes the requested fields of a step into its group.
class FieldWriter {
 public:
  enum class Part { whole, place, rows };  // the dataset with its values, without, or these alone
  FieldWriter(hid_t group, const ResultHeader& header, const FieldChoice& fields, Part part,
              bool yields)
      : group_(group), header_(header), fields_(fields), part_(part), yields_(yields) {}

  void write_all(const StepInput& input, const ContactSolution& solution) const {
    for (const Piece& piece : pieces(input)) piece.write(solution);
    for (const FieldEntry& entry : surface_field_table())
      if (has(entry, solution) && writes_field(fields_, entry.name))
        write<double>(entry.name, entry.dimension, entry.description, solution.*(entry.values));
  }

  // Fetches the next field while one is written.
  void write_all(const StepInput& input, const FieldSource& source) const {
    const std::vector<Piece> all = pieces(input);
    std::future<ContactSolution> next;
    const auto ask_for = [&](std::size_t k) {
      if (k >= all.size()) return;
      const ChosenFields& chosen = all[k].chosen;
      next = std::async(std::launch::async, source,
                        part_ == Part::whole ? chosen.without_zeros() : chosen);
    };
    ask_for(0);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const ContactSolution one = next.get();
      ask_for(k + 1);
      all[k].write(one);
    }
  }

 private:
  // A requested field, and the part of a solution from which it is written.
  struct Piece {
    ChosenFields chosen;
    std::function<void(const ContactSolution&)> write;
  };

  // Whether the step has this field; of a rank without rows its values are empty in any case.
  [[nodiscard]] bool has(const FieldEntry& entry, const ContactSolution& solution) const {
    return part_ == Part::rows ? hdf5::has_link(group_, std::string(entry.name))
                               : !(solution.*(entry.values)).empty();
  }

  [[nodiscard]] std::vector<Piece> pieces(const StepInput& input) const {
    std::vector<Piece> all;
    for (const FieldEntry& entry : field_table())
      if (writes_field(fields_, entry.name))
        all.push_back({{{entry.values}, false}, [this, &entry](const ContactSolution& solution) {
                         write<double>(entry.name, entry.dimension, entry.description,
                                       solution.*(entry.values));
                       }});
    const double rate = slip_rate(input);
    for (const VelocityFieldEntry& entry : velocity_field_table())
      if (rate > 0.0 && writes_field(fields_, entry.name))
        all.push_back(
            {{{entry.distance}, false}, [this, &entry, rate](const ContactSolution& solution) {
               std::vector<double> velocity = solution.*(entry.distance);
               for (double& value : velocity) value *= rate;
               write<double>(entry.name, Dimension::velocity, entry.description, velocity);
             }});
    if (writes_field(fields_, kDivisionName))
      all.push_back({{{}, true}, [this](const ContactSolution& solution) {
                       write_division(solution.element_division);
                     }});
    return all;
  }

  void write_division(const std::vector<ElementState>& states) const {
    static_assert(sizeof(ElementState) == sizeof(std::uint8_t));
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(states.data());
    write<std::uint8_t>(kDivisionName, Dimension::none,
                        yields_ ? kPlasticDivisionDescription : kDivisionDescription,
                        std::span(bytes, states.size()));
  }

  template <typename T>
  void write(std::string_view name, Dimension dimension, std::string_view description,
             std::span<const T> values) const {
    if (part_ == Part::rows)
      return hdf5::write_shared_rows(group_, std::string(name), *header_.rows, own_rows(values));
    const std::size_t shape[] = {static_cast<std::size_t>(header_.grid.my),
                                 static_cast<std::size_t>(header_.grid.mx)};
    constexpr hdf5::Number kNumber = sizeof(T) == 1 ? hdf5::Number::uint8 : hdf5::Number::float64;
    const std::string as(name);
    const std::optional<int> level = header_.compression;
    const bool left_out = part_ == Part::whole && values.empty();  // a field of zeros
    hdf5::Handle dataset = part_ == Part::place
                               ? hdf5::create_dataset(group_, as, kNumber, shape, level)
                           : left_out ? hdf5::write_zeros(group_, as, shape, level)
                                      : hdf5::write_dataset(group_, as, values, shape, level);
    describe_dataset(std::move(dataset), unit_text(dimension, header_.units), description);
  }

  // This rank's rows of fields, of which it may hold all rows.
  template <typename T>
  [[nodiscard]] std::span<const T> own_rows(std::span<const T> values) const {
    const std::size_t count = header_.grid.index(0, header_.rows->count);
    if (values.size() == count) return values;
    return values.subspan(header_.grid.index(0, header_.rows->first), count);
  }

  hid_t group_;
  const ResultHeader& header_;
  const FieldChoice& fields_;
  Part part_;
  bool yields_;  // the layer yields at some element, perhaps on another rank
};

}  // namespace

std::string numbered_name(int number) {
  std::string digits = std::to_string(number);
  if (digits.size() < 4) digits.insert(0, 4 - digits.size(), '0');
  return digits;
}

std::string point_group(int point) {
  return point == 0 ? "/" : "/" + std::string(kPointsGroup) + "/" + numbered_name(point);
}

bool writes_field(const FieldChoice& fields, std::string_view name) {
  return !fields || std::find(fields->begin(), fields->end(), name) != fields->end();
}

ChosenFields fields_of(const FieldChoice& choice, const StepInput& input) {
  if (!choice) return {};
  std::vector<ChosenFields::Field> fields;
  for (const FieldEntry& entry : field_table())
    if (writes_field(choice, entry.name)) fields.push_back(entry.values);
  for (const FieldEntry& entry : surface_field_table())
    if (writes_field(choice, entry.name)) fields.push_back(entry.values);
  for (const VelocityFieldEntry& entry : velocity_field_table())
    if (slip_rate(input) > 0.0 && writes_field(choice, entry.name))
      fields.push_back(entry.distance);
  return {std::move(fields), writes_field(choice, kDivisionName)};
}

void describe_dataset(hdf5::Handle dataset, std::string_view unit, std::string_view description) {
  hdf5::write_attribute(dataset.id(), "units", unit);
  hdf5::write_attribute(dataset.id(), "description", description);
  dataset.close("H5Dclose", "a dataset");
}

void write_result_header(hid_t root, const ResultHeader& header, std::string_view file_type) {
  const BuildInfo& build = build_info();
  hdf5::write_attribute(root, "file_type", file_type);
  hdf5::write_attribute(root, "schema_version", std::int64_t{kResultSchemaVersion});
  hdf5::write_attribute(root, "program_version", build.version);
  hdf5::write_attribute(root, "git_commit", build.git_commit);
  hdf5::write_attribute(root, "created", utc_now());
  hdf5::write_attribute(root, "title", header.title);
  hdf5::write_attribute(root, "backend", header.backend);
  hdf5::write_attribute(root, "device", header.device);
  hdf5::write_attribute(root, "units", units_name(header.units));
  hdf5::write_attribute(root, "outcome", run_outcome_name(RunOutcome::incomplete));  // so far
  hdf5::write_text(root, "case", header.case_yaml).close("H5Dclose", "/case");
  if (!header.inputs.empty()) {
    hdf5::Handle files = hdf5::write_text(root, std::string(kFilesName),
                                          fmt::format("{}", fmt::join(header.inputs, "\n")));
    hdf5::write_attribute(files.id(), "description",
                          "the files that the case names, as cksum prints them: checksum, bytes, "
                          "name");
    files.close("H5Dclose", "/case_files");
  }
  if (!header.source) return;
  hdf5::Handle source = hdf5::write_text(root, std::string(kSourceName), header.source->text);
  hdf5::write_attribute(source.id(), "description",
                        "the case as it was written; /case is what ran, with every default");
  hdf5::write_attribute(source.id(), "file", header.source->file);
  hdf5::write_attribute(source.id(), "set",
                        fmt::format("{}", fmt::join(header.source->overrides, "\n")));
  source.close("H5Dclose", "/case_source");
}

void replace_outcome(hid_t root, RunOutcome outcome) {
  hdf5::delete_attribute(root, "outcome");
  hdf5::write_attribute(root, "outcome", run_outcome_name(outcome));
}

void write_grid(hid_t root, const Grid& grid, Units units) {
  const hdf5::Handle group = hdf5::create_group(root, "grid");
  const std::array<std::int64_t, 2> elements = {grid.mx, grid.my};
  const std::array spacing = {grid.dx, grid.dy};
  const std::array origin = {grid.x0, grid.y0};
  hdf5::write_attribute(group.id(), "elements", std::span<const std::int64_t>(elements));
  hdf5::write_attribute(group.id(), "spacing", std::span<const double>(spacing));
  hdf5::write_attribute(group.id(), "origin", std::span<const double>(origin));
  hdf5::write_attribute(group.id(), "boundary", boundary_name(grid.boundary));
  const auto write_axis = [&](const std::string& name, int count, auto centre) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back(centre(i));
    write_list(group.id(), name, values, unit_text(Dimension::length, units),
               name + " of the element centres");
  };
  write_axis("x", grid.mx, [&](int ix) { return grid.x(ix); });
  write_axis("y", grid.my, [&](int iy) { return grid.y(iy); });
}

namespace {

// Everything except the fields, which write_fields writes.
template <typename WriteFields>
void write_contents(hid_t group, const StepInput& input, const StepReport& report,
                    WriteFields write_fields) {
  write_step_attributes(group, input, report);
  write_fields();
  write_history(group, report.history);
  if (report.sensitivities) write_sensitivities(group, input, *report.sensitivities);
  if (report.approach_sensitivities)
    write_list(
        group, kApproachSensitivitiesName, *report.approach_sensitivities,
        "forces in N, moment_z in N times the case's length, over the case's length",
        "derivatives of (normal_force, force_x, force_y, moment_z) to the approach; elements "
        "in contact and rigid motion held");
}

}  // namespace

void write_contact(hid_t group, const ResultHeader& header, const FieldChoice& fields,
                   const StepInput& input, const StepReport& report,
                   const ContactSolution& solution) {
  const auto part = header.rows ? FieldWriter::Part::place : FieldWriter::Part::whole;
  write_contents(group, input, report, [&] {
    FieldWriter(group, header, fields, part, report.elements_plastic > 0)
        .write_all(input, solution);
    for (const FieldEntry& entry : row_field_table())
      if (const std::vector<double>& values = solution.*(entry.values); !values.empty())
        write_list(group, entry.name, values, unit_text(entry.dimension, header.units),
                   entry.description);
  });
}

void write_step_group(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, const StepInput& input, const StepReport& report,
                      const ContactSolution& solution) {
  const hdf5::Handle group = hdf5::create_group(steps, numbered_name(number));
  write_contact(group.id(), header, fields, input, report, solution);
}

void write_step_group(hid_t steps, const ResultHeader& header, const FieldChoice& fields,
                      int number, const StepInput& input, const StepReport& report,
                      const FieldSource& source) {
  const hdf5::Handle group = hdf5::create_group(steps, numbered_name(number));
  write_contents(group.id(), input, report, [&] {
    FieldWriter(group.id(), header, fields, FieldWriter::Part::whole, report.elements_plastic > 0)
        .write_all(input, source);
  });
}

void write_step_rows(hid_t steps, const ResultHeader& header, const FieldChoice& fields, int number,
                     const StepInput& input, const ContactSolution& solution) {
  const hdf5::Handle group = hdf5::open_group(steps, numbered_name(number));
  FieldWriter(group.id(), header, fields, FieldWriter::Part::rows, false)
      .write_all(input, solution);
}

}  // namespace slipfield
