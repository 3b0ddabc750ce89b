// SPDX-License-Identifier: Apache-2.0
#include "io/result/error_attributes.h"

#include <array>
#include <string>

#include "io/hdf5/handle.h"

namespace slipfield {
namespace {

using Estimate = DiscretisationError;
constexpr std::array kErrors = {
    ErrorEntry{"force_x_error", "force_x", Dimension::force, &Estimate::force_x},
    ErrorEntry{"force_y_error", "force_y", Dimension::force, &Estimate::force_y},
    ErrorEntry{"moment_z_error", "moment_z", Dimension::moment, &Estimate::moment_z},
    ErrorEntry{"friction_work_error", "friction_work", Dimension::energy, &Estimate::friction_work},
    ErrorEntry{"t_gamma_error", "t_gamma", Dimension::force, &Estimate::t_gamma},
    ErrorEntry{"creepage_x_error", "creepage_x", Dimension::none, &Estimate::creepage_x},
    ErrorEntry{"creepage_y_error", "creepage_y", Dimension::none, &Estimate::creepage_y},
};

}  // namespace

std::span<const ErrorEntry> error_table() { return kErrors; }

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
