// SPDX-License-Identifier: Apache-2.0
#include "io/result/surface/table.h"

#include <array>
#include <limits>

namespace slipfield {
namespace {

constexpr std::array kSurfaceFields = {
    FieldEntry{"friction_power_density", Dimension::power_density,
               "frictional power per area, -(p_x s_x + p_y s_y) V/dq",
               &ContactSolution::friction_power_density},
    FieldEntry{
        "t_gamma_density", Dimension::traction,
        "T-gamma per area: t_gamma, less what unlike or viscoelastic bodies get, shared out by "
        "(p_x s_x + p_y s_y)",
        &ContactSolution::t_gamma_density},
    FieldEntry{
        "wear_depth", Dimension::length,
        "the element's part of the depth worn off in one pass; in a shift the depth worn off",
        &ContactSolution::wear_depth},
    FieldEntry{"wear_depth_total", Dimension::length, "depth worn off in all shifts so far",
               &ContactSolution::wear_depth_total},
    FieldEntry{
        "permanent_deformation", Dimension::length,
        "by how much the surfaces have yielded in all steps so far, where a body has a hardness",
        &ContactSolution::permanent_deformation},
    FieldEntry{"adhesive_stress", Dimension::traction,
               "stress by which surfaces that adhere draw each other, not negative; the net normal "
               "traction is pressure - adhesive_stress",
               &ContactSolution::adhesive_stress},
    FieldEntry{"temperature_upper", Dimension::temperature, "surface temperature of body 1",
               &ContactSolution::temperature_upper},
    FieldEntry{"temperature_lower", Dimension::temperature, "surface temperature of body 2",
               &ContactSolution::temperature_lower},
};

constexpr std::array kRowFields = {
    FieldEntry{kWearProfileName, Dimension::length, kWearProfileDescription,
               &ContactSolution::wear_profile},
    FieldEntry{"surface_fatigue_along_y", Dimension::none,
               "surface fatigue index of each row taken as a line contact: tangential over normal "
               "force - k/p_0; NaN where the row does not touch",
               &ContactSolution::surface_fatigue_along_y},
};

using Of = SurfaceNumberEntry::Of;
constexpr std::array kSurfaceNumbers = {
    SurfaceNumberEntry{"force_ratio_x", Dimension::none,
                       "F_x over mu F_n; of surfaces that adhere over mu (F_n + adhesive_force)",
                       &SurfaceNumbers::force_ratio_x, Of::every_case},
    SurfaceNumberEntry{"force_ratio_y", Dimension::none,
                       "F_y over mu F_n; of surfaces that adhere over mu (F_n + adhesive_force)",
                       &SurfaceNumbers::force_ratio_y, Of::every_case},
    SurfaceNumberEntry{"t_gamma", Dimension::force,
                       "T-gamma, -(F_x xi + F_y eta + M_z phi), > 0 where rolling dissipates; in "
                       "transient rolling less what the bodies store",
                       &SurfaceNumbers::t_gamma, Of::motion},
    SurfaceNumberEntry{"t_gamma_spin", Dimension::force, "the spin's part of t_gamma, -M_z phi",
                       &SurfaceNumbers::t_gamma_spin, Of::motion},
    SurfaceNumberEntry{"t_gamma_elements", Dimension::force,
                       "T-gamma as the sum over the elements, -dx dy sum (p_x s_x + p_y s_y)/dq",
                       &SurfaceNumbers::t_gamma_elements, Of::rolling_wear},
    SurfaceNumberEntry{"rcf_damage", Dimension::none,
                       "rolling contact fatigue damage of one pass, by T-gamma",
                       &SurfaceNumbers::rcf_damage, Of::rolling_wear},
    SurfaceNumberEntry{"worn_area", Dimension::area,
                       "area of the worn profile: volume worn off per length rolled, all passes",
                       &SurfaceNumbers::worn_area, Of::rolling_wear},
    SurfaceNumberEntry{"worn_volume", Dimension::volume,
                       "volume worn off in all shifts so far, all passes",
                       &SurfaceNumbers::worn_volume, Of::shift_wear},
    SurfaceNumberEntry{"max_wear_depth", Dimension::length,
                       "greatest depth of the worn profile, in shifts of wear_depth_total, all "
                       "passes",
                       &SurfaceNumbers::max_wear_depth, Of::wear},
    SurfaceNumberEntry{"max_temperature", Dimension::temperature,
                       "greatest temperature in the contact, where both surfaces have one",
                       &SurfaceNumbers::max_temperature, Of::heat},
    SurfaceNumberEntry{"max_temperature_upper", Dimension::temperature,
                       "greatest surface temperature of body 1, also outside the contact",
                       &SurfaceNumbers::max_temperature_upper, Of::heat},
    SurfaceNumberEntry{"max_temperature_lower", Dimension::temperature,
                       "greatest surface temperature of body 2, also outside the contact",
                       &SurfaceNumbers::max_temperature_lower, Of::heat},
    SurfaceNumberEntry{"heat_upper", Dimension::power,
                       "heat into body 1 by friction and conduction", &SurfaceNumbers::heat_upper,
                       Of::heat},
    SurfaceNumberEntry{"heat_lower", Dimension::power,
                       "heat into body 2 by friction and conduction", &SurfaceNumbers::heat_lower,
                       Of::heat},
    SurfaceNumberEntry{
        "peclet_number", Dimension::none,
        "V l/(2 kappa), l half of the contact's greatest length along the motion; the smaller "
        "one of the bodies that pass through it",
        &SurfaceNumbers::peclet_number, Of::heat},
    SurfaceNumberEntry{"used_friction", Dimension::none,
                       "tangential force over normal force, of the shakedown map",
                       &SurfaceNumbers::used_friction, Of::fatigue},
    SurfaceNumberEntry{"shakedown_load", Dimension::none,
                       "p_0/k of the shakedown map, p_0 = 4/3 sum p_n^2/sum p_n, of a line 3 pi/8",
                       &SurfaceNumbers::shakedown_load, Of::fatigue},
    SurfaceNumberEntry{"surface_fatigue_index", Dimension::none,
                       "used_friction - k/p_0: above 0 the surface yields at every pass",
                       &SurfaceNumbers::surface_fatigue_index, Of::fatigue},
    SurfaceNumberEntry{"elastic_limit", Dimension::none,
                       "p_0/k up to which the first pass stays elastic at this friction",
                       &SurfaceNumbers::elastic_limit, Of::fatigue},
    SurfaceNumberEntry{"shakedown_limit", Dimension::none,
                       "p_0/k up to which passes become elastic at this friction",
                       &SurfaceNumbers::shakedown_limit, Of::fatigue},
    SurfaceNumberEntry{"shakedown_reserve", Dimension::none,
                       "shakedown_limit over shakedown_load: below 1 passes never become elastic",
                       &SurfaceNumbers::shakedown_reserve, Of::fatigue},
    SurfaceNumberEntry{
        "rolling_resistance", Dimension::force,
        "what the pressure loses per rolling distance, of viscoelastic or unlike bodies",
        &SurfaceNumbers::rolling_resistance, Of::every_case},
    SurfaceNumberEntry{"moment_x", Dimension::moment,
                       "M_x = dx dy sum y p_n, of the pressure about the x axis",
                       &SurfaceNumbers::moment_x, Of::every_case},
    SurfaceNumberEntry{"moment_y", Dimension::moment,
                       "M_y = -dx dy sum x p_n, of the pressure about the y axis",
                       &SurfaceNumbers::moment_y, Of::every_case},
    SurfaceNumberEntry{"pressure_centre_x", Dimension::length,
                       "x of the centre of pressure, sum x p_n/sum p_n",
                       &SurfaceNumbers::pressure_centre_x, Of::every_case},
    SurfaceNumberEntry{"pressure_centre_y", Dimension::length,
                       "y of the centre of pressure, sum y p_n/sum p_n",
                       &SurfaceNumbers::pressure_centre_y, Of::every_case},
    SurfaceNumberEntry{"contact_area", Dimension::area, "area of the elements in contact",
                       &SurfaceNumbers::contact_area, Of::spots},
    SurfaceNumberEntry{"contact_area_corrected", Dimension::area,
                       "contact_area less what the elements on the outline count too much",
                       &SurfaceNumbers::contact_area_corrected, Of::spots},
    SurfaceNumberEntry{"contact_perimeter", Dimension::length,
                       "length of the outline of the elements in contact",
                       &SurfaceNumbers::contact_perimeter, Of::spots},
    SurfaceNumberEntry{"contact_spots", Dimension::none,
                       "number of spots: elements in contact that share a side",
                       &SurfaceNumbers::contact_spots, Of::spots},
    SurfaceNumberEntry{"largest_spot_area", Dimension::area, "area of the largest spot",
                       &SurfaceNumbers::largest_spot_area, Of::spots},
    SurfaceNumberEntry{"mean_gap", Dimension::length, "mean gap of all elements that can touch",
                       &SurfaceNumbers::mean_gap, Of::spots},
    SurfaceNumberEntry{
        "open_along_x", Dimension::none,
        "1 if gaps lead through the grid along x, on a periodic one all around it; else 0",
        &SurfaceNumbers::open_along_x, Of::spots},
    SurfaceNumberEntry{
        "open_along_y", Dimension::none,
        "1 if gaps lead through the grid along y, on a periodic one all around it; else 0",
        &SurfaceNumbers::open_along_y, Of::spots},
    SurfaceNumberEntry{"stiffness", Dimension::stiffness,
                       "d normal_force/d approach, the elements in contact held",
                       &SurfaceNumbers::stiffness, Of::sensitivities},
};

}  // namespace

std::span<const FieldEntry> surface_field_table() { return kSurfaceFields; }

std::span<const FieldEntry> row_field_table() { return kRowFields; }

std::span<const SurfaceNumberEntry> surface_number_table() { return kSurfaceNumbers; }

const SurfaceNumberEntry* find_surface_number(std::string_view name) {
  return find_by_name(kSurfaceNumbers, name);
}

double surface_number(const SurfaceNumberEntry& entry, const StepReport& report) {
  if (const std::optional<double>& value = report.surface.*(entry.value)) return *value;
  if (entry.of == Of::sensitivities && report.approach_sensitivities)
    return report.approach_sensitivities->front();
  return std::numeric_limits<double>::quiet_NaN();
}

bool has_surface_number(const ContactProblem& problem, const SurfaceNumberEntry& entry) {
  const SurfaceRequest& request = problem.surface;
  switch (entry.of) {
    case Of::wear:
    case Of::rolling_wear:
    case Of::shift_wear:
      return request.wear.has_value();
    case Of::heat:
      return request.heat.has_value();
    case Of::motion:  // of the step, without request
    case Of::every_case:
      return true;
    case Of::spots:
      return request.spots;
    case Of::sensitivities:
      return problem.sensitivities;
    case Of::fatigue:
      break;
  }
  return request.fatigue.has_value();
}

std::string_view request_text(SurfaceNumberEntry::Of of) {
  switch (of) {
    case Of::wear:
    case Of::rolling_wear:
    case Of::shift_wear:
      return "wear";
    case Of::motion:
      return "steady_rolling, or wear";
    case Of::heat:
      return "heat";
    case Of::every_case:
      return "";
    case Of::spots:
      return "output: {spots: true}";
    case Of::sensitivities:
      return "output: {sensitivities: true}";
    case Of::fatigue:
      break;
  }
  return "fatigue";
}

std::vector<std::string> stored_field_names() {
  std::vector<std::string> names = field_names();
  for (const FieldEntry& entry : kSurfaceFields) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> row_field_names() {
  std::vector<std::string> names;
  for (const FieldEntry& entry : kRowFields) names.emplace_back(entry.name);
  return names;
}

}  // namespace slipfield
