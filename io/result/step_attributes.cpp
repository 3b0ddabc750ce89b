// SPDX-License-Identifier: Apache-2.0
#include "io/result/step_attributes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/hdf5/handle.h"
#include "io/result/field_table.h"
#include "io/result/header.h"
#include "io/result/interior/group.h"
#include "io/result/surface/table.h"

namespace slipfield {
namespace {

using Estimate = DiscretisationError;
constexpr std::array kErrors = {
    ErrorEntry{"force_x_error", "force_x", "estimated error of force_x, a magnitude",
               Dimension::force, &Estimate::force_x},
    ErrorEntry{"force_y_error", "force_y", "estimated error of force_y, a magnitude",
               Dimension::force, &Estimate::force_y},
    ErrorEntry{"moment_z_error", "moment_z", "estimated error of moment_z, a magnitude",
               Dimension::moment, &Estimate::moment_z},
    ErrorEntry{"friction_work_error", "friction_work",
               "estimated error of friction_work, a magnitude", Dimension::energy,
               &Estimate::friction_work},
    ErrorEntry{"friction_power_error", "friction_power",
               "estimated error of friction_power, a magnitude", Dimension::power,
               &Estimate::friction_work, true},
    ErrorEntry{"t_gamma_error", "t_gamma", "estimated error of t_gamma, a magnitude",
               Dimension::force, &Estimate::t_gamma},
    ErrorEntry{"creepage_x_error", "creepage_x", "estimated error of creepage_x, a magnitude",
               Dimension::none, &Estimate::creepage_x},
    ErrorEntry{"creepage_y_error", "creepage_y", "estimated error of creepage_y, a magnitude",
               Dimension::none, &Estimate::creepage_y},
};

}  // namespace

std::span<const ErrorEntry> error_table() { return kErrors; }

const ErrorEntry* find_error(std::string_view name) { return find_by_name(kErrors, name); }

double error_of(const ErrorEntry& entry, const StepInput& input, const StepReport& report) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (!report.error) return kNone;
  if (entry.quantity == "t_gamma" && std::isnan(quantity(report, input, "t_gamma"))) return kNone;
  const double rate = entry.times_slip_rate ? slip_rate(input) : 1.0;
  const double value = (*report.error).*(entry.value) * rate;
  const bool sometimes = entry.quantity == "t_gamma" || entry.quantity.starts_with("creepage");
  return rate > 0.0 && (!sometimes || value > 0.0) ? value : kNone;
}

namespace {

void write_errors(hid_t group, const StepInput& input, const StepReport& report) {
  for (const ErrorEntry& entry : kErrors)
    if (const double value = error_of(entry, input, report); !std::isnan(value))
      hdf5::write_attribute(group, std::string(entry.name), value);
}

void read_errors(hid_t group, StepReport& report) {
  for (const ErrorEntry& entry : kErrors) {
    const std::string name(entry.name);
    if (entry.times_slip_rate || !hdf5::has_attribute(group, name)) continue;
    if (!report.error) report.error.emplace();
    (*report.error).*(entry.value) = hdf5::read_double_attribute(group, name);
  }
}

constexpr const char* kShiftDuration = "shift_duration";  // of shifts that take time

StepInput read_input(hid_t group, const std::filesystem::path& path) {
  StepInput input;
  const std::string name = hdf5::read_string_attribute(group, "problem");
  const std::optional<TangentialProblem> problem = problem_from_name(name);
  if (!problem)
    throw InputError(path.string() + ": a step has the unknown tangential problem \"" + name +
                     "\"");
  input.tangential.problem = *problem;
  if (is_rolling(*problem)) {
    input.tangential.direction = hdf5::read_double_attribute(group, "rolling_direction");
    input.tangential.step = hdf5::read_double_attribute(group, "rolling_step");
    input.tangential.velocity = hdf5::read_double_attribute(group, "rolling_velocity");
  } else if (hdf5::has_attribute(group, kShiftDuration)) {
    input.tangential.duration = hdf5::read_double_attribute(group, kShiftDuration);
  }
  return input;
}

// Datasets of a result, attributes of a checkpoint.
template <std::size_t N>
void read_numbers(hid_t group, std::string_view name, const std::filesystem::path& path,
                  std::optional<std::array<double, N>>& numbers) {
  const std::string key(name);
  const bool is_dataset = hdf5::has_link(group, key);
  if (!is_dataset && !hdf5::has_attribute(group, key)) return;
  const std::vector<double> values =
      is_dataset ? hdf5::read_doubles(group, key) : hdf5::read_doubles_attribute(group, key);
  if (values.size() != N)
    throw InputError(fmt::format("{}: the {} of a step are {} numbers, not {}", path.string(), name,
                                 values.size(), N));
  std::copy(values.begin(), values.end(), numbers.emplace().begin());
}

}  // namespace

void write_step_attributes(hid_t group, const StepInput& input, const StepReport& report) {
  const Tangential& tangential = input.tangential;
  hdf5::write_attribute(group, "problem", problem_name(tangential.problem));
  if (is_rolling(tangential.problem)) {
    hdf5::write_attribute(group, "rolling_direction", tangential.direction);
    hdf5::write_attribute(group, "rolling_step", tangential.step);
    hdf5::write_attribute(group, "rolling_velocity", tangential.velocity);
  } else if (tangential.duration > 0.0) {
    hdf5::write_attribute(group, kShiftDuration, tangential.duration);
  }
  for (const QuantityEntry& entry : quantity_table()) {
    if (!entry.applies(tangential.problem)) continue;
    if (entry.only_positive && !(entry.get(report) > 0.0)) continue;
    const std::string name(entry.name);
    if (const auto* member = std::get_if<double StepReport::*>(&entry.value))
      hdf5::write_attribute(group, name, report.*(*member));
    else if (const auto* count = std::get_if<int StepReport::*>(&entry.value))
      hdf5::write_attribute(group, name, std::int64_t{report.*(*count)});
    else
      hdf5::write_attribute(group, name, report.*std::get<std::int64_t StepReport::*>(entry.value));
  }
  if (slip_rate(input) > 0.0)
    hdf5::write_attribute(group, std::string(kFrictionPowerName),
                          quantity(report, input, kFrictionPowerName));
  write_errors(group, input, report);
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (const double value = surface_number(entry, report); !std::isnan(value))
      hdf5::write_attribute(group, std::string(entry.name), value);
  hdf5::write_attribute(group, "outcome", outcome_name(report.outcome));
  if (!report.message.empty()) hdf5::write_attribute(group, "message", report.message);
  if (report.touches_edge) hdf5::write_attribute(group, "warning", kEdgeWarning);
}

void read_step_attributes(hid_t group, const std::filesystem::path& path, StepInput& input,
                          StepReport& report) {
  input = read_input(group, path);
  for (const QuantityEntry& entry : quantity_table()) {
    if (!entry.applies(input.tangential.problem)) continue;
    const std::string attribute(entry.name);
    if (!entry.in_every_file && !hdf5::has_attribute(group, attribute)) continue;
    if (const auto* member = std::get_if<double StepReport::*>(&entry.value))
      report.*(*member) = hdf5::read_double_attribute(group, attribute);
    else if (const auto* count = std::get_if<int StepReport::*>(&entry.value))
      report.*(*count) = static_cast<int>(hdf5::read_integer_attribute(group, attribute));
    else
      report.*std::get<std::int64_t StepReport::*>(entry.value) =
          hdf5::read_integer_attribute(group, attribute);
  }
  read_errors(group, report);
  for (const SurfaceNumberEntry& entry : surface_number_table())
    if (hdf5::has_attribute(group, std::string(entry.name)))
      report.surface.*(entry.value) = hdf5::read_double_attribute(group, std::string(entry.name));
  read_numbers(group, kSensitivitiesName, path, report.sensitivities);
  read_numbers(group, kApproachSensitivitiesName, path, report.approach_sensitivities);
  const bool converged = hdf5::read_string_attribute(group, "outcome") == "converged";
  report.outcome = converged ? Outcome::converged : Outcome::not_converged;
  report.message = optional_text(group, "message");
  report.touches_edge = hdf5::has_attribute(group, "warning");
  for (InteriorBody& body : read_interior(group, path))
    report.interior.push_back(std::move(body.summary));
}

}  // namespace slipfield
