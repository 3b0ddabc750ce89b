// SPDX-License-Identifier: Apache-2.0
#include "io/result/error_attributes.h"

#include <algorithm>
#include <array>
#include <string>

#include "io/hdf5/handle.h"

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
    ErrorEntry{"t_gamma_error", "t_gamma", "estimated error of t_gamma, a magnitude",
               Dimension::force, &Estimate::t_gamma},
    ErrorEntry{"creepage_x_error", "creepage_x", "estimated error of creepage_x, a magnitude",
               Dimension::none, &Estimate::creepage_x},
    ErrorEntry{"creepage_y_error", "creepage_y", "estimated error of creepage_y, a magnitude",
               Dimension::none, &Estimate::creepage_y},
};

}  // namespace

std::span<const ErrorEntry> error_table() { return kErrors; }

const ErrorEntry* find_error(std::string_view name) {
  const auto* found = std::find_if(kErrors.begin(), kErrors.end(),
                                   [&](const ErrorEntry& entry) { return entry.name == name; });
  return found == kErrors.end() ? nullptr : found;
}

bool has_error(const ErrorEntry& entry, const StepReport& report) {
  if (!report.error) return false;
  if (entry.quantity == "t_gamma" && !report.surface.t_gamma) return false;
  const bool sometimes = entry.quantity == "t_gamma" || entry.quantity.starts_with("creepage");
  return !sometimes || (*report.error).*(entry.value) > 0.0;
}

void write_errors(hid_t group, const StepInput& input, const StepReport& report) {
  for (const ErrorEntry& entry : kErrors)
    if (has_error(entry, report))
      hdf5::write_attribute(group, std::string(entry.name), (*report.error).*(entry.value));
  if (report.error && slip_rate(input) > 0.0)
    hdf5::write_attribute(group, std::string(kPowerErrorName),
                          report.error->friction_work * slip_rate(input));
}

void read_errors(hid_t group, StepReport& report) {
  for (const ErrorEntry& entry : kErrors) {
    const std::string name(entry.name);
    if (!hdf5::has_attribute(group, name)) continue;
    if (!report.error) report.error.emplace();
    (*report.error).*(entry.value) = hdf5::read_double_attribute(group, name);
  }
}

}  // namespace slipfield
