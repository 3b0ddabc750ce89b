// SPDX-License-Identifier: Apache-2.0
#include "io/result/error_attributes.h"

#include <array>
#include <cmath>
#include <limits>
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

}  // namespace slipfield
