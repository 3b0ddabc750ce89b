// SPDX-License-Identifier: Apache-2.0
// The cases in an input file of CONTACT's wheel-rail module (module 1).
//
// Names are CONTACT's. Values that a case does not give stay from the previous case of the same
// result element. Lines and their order follow the user's guide's input of the wheel-rail module;
// signs as in THEORY.md 13.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/contact/case.h"
#include "io/contact/contact_input.h"

namespace slipfield {

struct InputProfile {
  std::string name;
  InputNumbers numbers;    // RFNAME or WFNAME, MIRRORY, SCALE, SMOOTH
  InputNumbers mirror_z;   // MIRRORZ; or none
  InputNumbers smoothing;  // ISMOOTH, ZIGTHRS, KINKHIGH, KINKLOW, KINKWID; or none
};

// The values in force, from this case or earlier ones.
struct WheelState {
  ControlDigit planning;  // D other than 0 and 1
  InputNumbers patches;   // DX, DS, DQREL, A_SEP, D_SEP, D_COMB [, D_TURN, G_MISS]
  InputNumbers track;     // GAUGHT, GAUGSQ or RAILY0, GAUGWD or RAILZ0, CANT [, CURV]
  InputProfile rail;
  InputNumbers deviation;  // DYRAIL, DZRAIL, DROLLR, VYRAIL, VZRAIL, VROLLR
  InputNumbers wheelset;   // FBDIST, FBPOS, NOMRADW [, YTAPE]
  InputProfile wheel;
  InputNumbers position;        // S, Y, Z or FZ, ROLL, YAW, PITCH
  InputNumbers velocity;        // VS, VY, VZ, VROLL, VYAW, VPITCH or FX
  ControlDigit velocity_is_of;  // F when it was read
  InputNumbers flexible;        // DXWHL to VPITCHW; or none
};

inline constexpr char kConfiguration = 'Q';    // the digit C1, whose own letter is taken
inline constexpr char kDamping = 'U';          // M2
inline constexpr int kConformalSearch = 4;     // D
inline constexpr int kConformalInfluence = 4;  // C
inline constexpr char kGapWeight = 'J';        // GAPWGT

struct WheelInput {
  InputCase base;  // number, lines, digits; friction, material and heat of its state
  int element = 1;
  WheelState state;

  [[nodiscard]] int digit(char letter) const { return base.digit(letter); }
  [[nodiscard]] bool is_left() const { return digit(kConfiguration) % 2 == 0; }
  [[nodiscard]] bool on_rollers() const { return digit(kConfiguration) >= 4; }
  // D = 4, with C = 4: contacts lie on the curved surface between rail and wheel.
  [[nodiscard]] bool is_conformal() const { return state.planning.value == kConformalSearch; }
  // GAUGHT > 0; otherwise the rail is at RAILY0, RAILZ0.
  [[nodiscard]] bool has_gauge() const { return state.track[0].value > 0.0; }
  // No value that should have stayed from an earlier case is missing; a missing one has been
  // reported.
  [[nodiscard]] bool complete() const;
};

// Reads one case after its module number. `before`: the previous case of the same result element,
// or null. Throws CaseError if the layout of the rest is unclear.
WheelInput read_wheel_input(InputLines& lines, const WheelInput* before, int number, int element,
                            CaseDiagnostics& diagnostics);

// The friction of all contacts in the form of V = 0: for V = 2 that at the wheelset's S, linear
// between the control points; for V = 1 if these are equal. Nothing if contacts differ: friction
// then depends on their inclination, ALPHVF.
std::optional<InputFriction> uniform_friction(const WheelInput& input);

// Reports errors for features that a case of this program cannot express and warnings for those
// only missing in the results, once per row of cases. `before`: the previous case, or null.
void check_wheel_support(const WheelInput& input, const WheelInput* before,
                         CaseDiagnostics& diagnostics);

// Returns whether the cases can be steps of one case file.
bool same_wheel_and_rail(const WheelInput& a, const WheelInput& b);

// z of the wheel's profile at YTAPE [mm], where the radius is NOMRADW; as in CONTACT 0 if no YTAPE
// is given or if it is not on the profile. Throws InputError if the profile cannot be read.
double tape_height(const WheelInput& input);

// `cases`: at least one, supported. `name`: of the input file; `folder`: with its profiles, as seen
// from the case file.
ConvertedCase write_wheel_inputs(const std::vector<const WheelInput*>& cases,
                                 const std::string& name, const std::filesystem::path& folder);

}  // namespace slipfield
