// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string_view>

#include "io/contact/points.h"
#include "io/contact/support.h"
#include "io/contact/wheel/wheel_input.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr double kLeastRoller = 50.0;  // [mm]
constexpr double kThresholdSlack = 1.0e-4;

class WheelSupport {
 public:
  WheelSupport(const WheelInput& input, const WheelInput* before, CaseDiagnostics& diagnostics)
      : input_(input), before_(before), diagnostics_(diagnostics) {}

  void check() {
    check_digits();
    check_friction();
    check_patches();
    check_track();
    check_profile(input_.state.rail, "RFNAME");
    check_profile(input_.state.wheel, "WFNAME");
    check_wheelset();
    warn_of_wheel_points(input_.base, input_.state.patches[0].value, input_.state.patches[1].value,
                         diagnostics_);
    warn_of_reference_errors(input_.base, before_ != nullptr ? &before_->base : nullptr,
                             diagnostics_);
    warn_of_unused_heat(input_.base, before_ != nullptr ? &before_->base : nullptr, diagnostics_);
  }

 private:
  [[nodiscard]] int digit(char letter) const { return input_.digit(letter); }
  void refuse(const ControlDigit& digit, std::string_view name, std::string_view what,
              std::string_view accepted) {
    diagnostics_.add(digit.place, fmt::format("{} = {}", name, digit.value), what, accepted);
  }
  void refuse(const InputNumber& number, std::string_view name, std::string_view what,
              std::string_view accepted) {
    diagnostics_.add(number.place, name, what, accepted);
  }

  void check_digits() {
    check_method();
    if (digit('T') == 2)
      refuse(
          input_.base.digits['T'], "T",
          "transient rolling takes tractions from the case before, and contacts start without any",
          "accepted: T = 0, 1 and 3");
    if (digit('T') == 1 && before_ != nullptr && (digit('P') == 0 || digit('P') == 3))
      refuse(input_.base.digits['P'], "P",
             "a shift of a wheel starts without the tractions of the case before",
             "accepted: P = 1 and 2 with T = 1");
    check_longitudinal_force();
    if (digit('F') == 3)
      refuse(input_.base.digits['F'], "F", "a rail on springs (KYRAIL, KZRAIL) is not supported",
             "accepted: F = 0, with DYRAIL and DZRAIL");
    const ControlDigit& influence = input_.base.state.influence;
    const bool turned = influence.value == kConformalInfluence;
    if (influence.value > 2 && !(turned && input_.is_conformal()))
      refuse(
          influence, "C",
          turned ? "coefficients that are turned with the surface belong to conformal contacts"
                 : "of the influence coefficients only those of half-spaces with constant "
                   "tractions in each element are supported",
          turned ? "accepted: C = 4 with D = 4, and C = 2" : "accepted: C = 2, and 4 with D = 4");
    if (input_.is_conformal())
      check_conformal(turned);
    else if (input_.state.planning.value > 2)
      refuse(input_.state.planning, "D", "contacts are found by their locus",
             "accepted: D = 2, and D = 4 with C = 4");
    if (digit(kDamping) == 2)
      refuse(input_.base.digits[kDamping], "M2", "damping is not supported", "accepted: 0");
    if (digit(kGapWeight) == 1)
      refuse(input_.base.digits[kGapWeight], "GAPWGT",
             "another weighting of the gap is not supported", "accepted: 0");
  }

  // D = 4: coefficients rotate with the surface, in the variant that keeps reciprocity.
  void check_conformal(bool turned) {
    const ControlDigit& search = input_.state.planning;
    if (!turned)
      refuse(search, "D", "the coefficients of conformal contacts turn with the surface",
             "accepted: D = 4 with C = 4, and D = 2");
    if (input_.base.names_simplified())
      refuse(input_.base.digits['M'], "M", "conformal contacts (D = 4) are elastic half-spaces",
             "accepted: M = 0, or D = 2");
    if (digit('S') >= 2)
      refuse(input_.base.digits['S'], "S", "conformal contacts (D = 4) have no points inside",
             "accepted: S = 0 and 1, or D = 2");
    if (before_ != nullptr && before_->is_conformal()) return;
    diagnostics_.warn(search.place, "D = 4",
                      "becomes contact_surface: conformal. On the flange CONTACT's gap is shifted, "
                      "and its forces differ there; elsewhere they agree to 0.0015 of F_z");
    const InputNumbers& method = input_.base.state.inclinations;
    constexpr int kAsGiven = 1;
    constexpr int kReciprocal = 4;
    if (turned && method.size() > 1 &&
        (method[0].integer() != kAsGiven || method[1].integer() != kReciprocal))
      diagnostics_.warn(method[0].place, "IF_METH, VARIANT",
                        fmt::format("{} {} becomes 1 4: contact_surface: conformal has the "
                                    "inclinations as they are, and the variant that keeps "
                                    "reciprocity",
                                    method[0].integer(), method[1].integer()));
  }

  // F = 1: FX replaces VPITCH, which an earlier case may have left.
  void check_longitudinal_force() {
    if ((digit('F') == 1) == (input_.state.velocity_is_of.value == 1)) return;
    refuse(input_.base.digits['F'], "F",
           digit('F') == 1 ? "there is a VPITCH from the case before, and no FX"
                           : "there is an FX from the case before, and no VPITCH",
           "accepted: F as before, or E = 2 to 5");
  }

  // B and M: half-spaces, or FASTSIM.
  void check_method() {
    const bool fast = input_.base.names_simplified();
    const ControlDigit& material = input_.base.digits['M'];
    if (digit('B') == 1 || (digit('B') > 1 && !fast))
      refuse(input_.base.digits['B'], "B", "the pressure is computed, on half-spaces",
             "accepted: B = 0, and 5 and 6 with M = 2, 3 and 5");
    if (digit('M') != 0 && !fast)
      refuse(material, "M", "bodies are elastic half-spaces, or those of FASTSIM and FaStrip",
             "accepted: M = 0, 2, 3 and 5");
    if (!fast) return;
    if (digit('T') != 3)
      refuse(input_.base.digits['T'], "T", "FASTSIM and FaStrip solve steady rolling only",
             "accepted: T = 3");
    if (input_.base.state.slope.empty() ||
        (digit('M') == 2 && !(input_.base.state.flexibility.value > 0.0)))
      refuse(material, "M", "there are no FLX, K0_MF, ALFAMF and BETAMF to keep yet",
             "accepted: C = 2 with M = 2, 3 and 5");
  }

  void check_friction() {
    const InputFriction& friction = input_.base.state.friction;
    for (std::size_t k = 1; friction.variation.value != 0 && k < friction.rows.size(); ++k)
      if (!(friction.rows[k][0].value > friction.rows[k - 1][0].value)) {
        refuse(friction.rows[k][0], friction.variation.value == 1 ? "ALPHVF" : "SVF",
               "the control points do not increase", "increasing numbers");
        return;
      }
    InputCase base = input_.base;
    if (const auto uniform = uniform_friction(input_)) {
      base.state.friction = *uniform;
      return check_friction_support(base, diagnostics_);
    }
    if (friction.law.value == 6) {
      refuse(friction.law, "L", "contacts whose inclinations differ have one law by temperature",
             "accepted: 0, 2, 3 and 4 with V = 1");
      return;
    }
    for (const InputNumbers& row : friction.rows) {  // each as if it held everywhere
      base.state.friction.variation.value = 0;
      base.state.friction.rows = {InputNumbers(row.begin() + 1, row.end())};
      check_friction_support(base, diagnostics_);
    }
  }

  void check_patches() {
    const InputNumbers& patches = input_.state.patches;
    if (patches[5].value > patches[4].value)
      refuse(patches[5], "D_COMB", fmt::format("{} is above D_SEP", patches[5].value),
             fmt::format("at most {}", patches[4].value));
    if (patches.size() > 7 && patches[7].value > 0.0)
      refuse(patches[7], "G_MISS", "near misses do not widen a contact", "accepted: 0, or none");
  }

  void check_track() {
    const InputNumbers& track = input_.state.track;
    if (!input_.has_gauge() && input_.on_rollers())
      refuse(track[0], "GAUGHT", "rollers at absolute places are not supported",
             "the height > 0 at which the gauge is measured");
    if (input_.has_gauge() && !(track[2].value > 0.0))
      refuse(track[2], "GAUGWD", "is not positive", "the gauge");
    if (!input_.on_rollers()) return;
    if (!(track[3].value >= kLeastRoller))
      refuse(track[3], "NOMRADR", "is too small for the radius of a roller",
             fmt::format("at least {:g}", kLeastRoller));
    if (track.size() > 4 && track[4].value != 0.0)
      refuse(track[4], "CURV", "there are no curves on rollers", "accepted: 0, or none");
  }

  void check_profile(const InputProfile& profile, std::string_view label) {
    if (profile.name.ends_with(".slcs") || profile.name.ends_with(".slcw"))
      refuse(profile.numbers[0], label,
             "profiles that vary along the rail or around the wheel are not supported",
             "one profile");
    if (std::fabs(profile.numbers[1].value) > 1.0)
      refuse(profile.numbers[1], "MIRRORY", "is none of the choices", "accepted: -1, 0 and 1");
    const bool weighted = !profile.smoothing.empty() && profile.smoothing[0].value == 1.0;
    if (profile.numbers[3].value > 0.0 && !weighted)
      refuse(profile.numbers[3], "SMOOTH",
             "of the smoothing splines only the weighted one with a wave length is supported",
             "accepted: 0, or ISMOOTH = 1 (PRFOPT = 1)");
    check_thresholds(profile);
  }
  void check_thresholds(const InputProfile& profile) {
    if (profile.smoothing.empty()) return;
    const double high = std::numbers::pi / 6.0;
    const std::array<double, 4> usual{5.0 * high, high, high / 5.0, 2.0};
    constexpr std::array<std::string_view, 4> kNames{"ZIGTHRS", "KINKHIGH", "KINKLOW", "KINKWID"};
    for (std::size_t i = 0; i < usual.size(); ++i) {
      const InputNumber& number = profile.smoothing[i + 1];
      if (std::fabs(number.value - usual[i]) > kThresholdSlack * usual[i])
        refuse(number, kNames[i], "other thresholds than the usual ones are not supported",
               fmt::format("accepted: {:.7g}", usual[i]));
    }
  }

  void check_wheelset() {
    const InputNumbers& wheelset = input_.state.wheelset;
    try {
      static_cast<void>(tape_height(input_));
    } catch (const InputError& error) {
      refuse(wheelset[3], "YTAPE", error.what(), "a profile that can be read, or no YTAPE");
    }
    constexpr std::array<std::string_view, 12> kNames{"DXWHL", "DYWHL",   "DZWHL", "DROLLW",
                                                      "DYAWW", "DPITCHW", "VXWHL", "VYWHL",
                                                      "VZWHL", "VROLLW",  "VYAWW", "VPITCHW"};
    for (std::size_t i = 0; i < input_.state.flexible.size(); ++i) {
      const InputNumber& number = input_.state.flexible[i];
      if (number.value == 0.0) continue;
      refuse(number, kNames.at(i), "a flexible wheelset is not supported",
             "accepted: zeros, or a case with E = 3");
      break;
    }
  }

  const WheelInput& input_;
  const WheelInput* before_;
  CaseDiagnostics& diagnostics_;
};

}  // namespace

void check_wheel_support(const WheelInput& input, const WheelInput* before,
                         CaseDiagnostics& diagnostics) {
  WheelSupport(input, before, diagnostics).check();
}

}  // namespace slipfield
