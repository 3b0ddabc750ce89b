// SPDX-License-Identifier: Apache-2.0
// The cases of CONTACT's wheel-rail module (module 1), as its input file gives them.
//
// Names are CONTACT's. What a case does not state stays from the case before it of the same result
// element. Lines and their order: the user's guide's input of the wheel-rail module; signs as in
// THEORY.md 13.
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

// The values in force, from this case or from those before it.
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
  ControlDigit velocity_is_of;  // F with which it was read
  InputNumbers flexible;        // DXWHL to VPITCHW; or none
};

inline constexpr char kConfiguration = 'Q';    // the digit C1, whose letter another one has
inline constexpr char kDamping = 'U';          // M2
inline constexpr int kConformalSearch = 4;     // D
inline constexpr int kConformalInfluence = 4;  // C
inline constexpr char kGapWeight = 'J';        // GAPWGT

struct WheelInput {
  InputCase base;  // number, lines, digits; of its state friction, material and heat
  int element = 1;
  WheelState state;

  [[nodiscard]] int digit(char letter) const { return base.digit(letter); }
  [[nodiscard]] bool is_left() const { return digit(kConfiguration) % 2 == 0; }
  [[nodiscard]] bool on_rollers() const { return digit(kConfiguration) >= 4; }
  // D = 4, with C = 4: contacts lie on the curved surface between rail and wheel.
  [[nodiscard]] bool is_conformal() const { return state.planning.value == kConformalSearch; }
  // GAUGHT > 0; otherwise the rail is at RAILY0, RAILZ0.
  [[nodiscard]] bool has_gauge() const { return state.track[0].value > 0.0; }
  // Nothing is missing that should have stayed from a case before; that has been reported.
  [[nodiscard]] bool complete() const;
};

// Reads one case after its module number. `before`: the case before it of the same result element,
// or null. Throws CaseError where the layout is lost.
WheelInput read_wheel_input(InputLines& lines, const WheelInput* before, int number, int element,
                            CaseDiagnostics& diagnostics);

// The friction of all contacts as a case with V = 0 states it: V = 2 at the wheelset's S, linear
// between the control points; V = 1 where these are equal. Nothing where contacts differ: then it
// depends on their inclination, ALPHVF.
std::optional<InputFriction> uniform_friction(const WheelInput& input);

// Errors for what a case of this program cannot state, warnings for what is only left out of the
// results, given once in a row of cases. `before`: the case before it, or null.
void check_wheel_support(const WheelInput& input, const WheelInput* before,
                         CaseDiagnostics& diagnostics);

// The cases can be steps of one case file.
bool same_wheel_and_rail(const WheelInput& a, const WheelInput& b);

// z of the wheel's profile at YTAPE [mm], where NOMRADW is the radius; 0 if no YTAPE is given or it
// is not on the profile, as in CONTACT. InputError where the profile cannot be read.
double tape_height(const WheelInput& input);

// `cases`: at least one, supported. `name`: of the input file, `folder`: where its profiles are, as
// seen from the case file.
ConvertedCase write_wheel_inputs(const std::vector<const WheelInput*>& cases,
                                 const std::string& name, const std::filesystem::path& folder);

}  // namespace slipfield
