// SPDX-License-Identifier: Apache-2.0
// The cases in an input file of CONTACT's basic contact module (module 3).
//
// A case has control digits and the values that these require; values not given stay from earlier
// cases. Names are CONTACT's. Read from its sources (m_sinput.f90, m_friclaw.f90, m_subsurf.f90 and
// m_hierarch_data.f90, github.com/eve70a/CONTACT).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/contact/lines.h"
#include "io/contact/points.h"

namespace slipfield {

struct ControlDigit {
  int value = 0;
  SourcePlace place;
};

// The digits P-B-T-N-F-S, V-L-D-C-M-Z-E and X-H-G-I-A-O-W-R, by their letter.
class ControlDigits {
 public:
  [[nodiscard]] const ControlDigit& operator[](char letter) const {
    return digits_[static_cast<std::size_t>(letter - 'A')];
  }
  ControlDigit& at(char letter) { return digits_[static_cast<std::size_t>(letter - 'A')]; }

 private:
  std::array<ControlDigit, 26> digits_{};
};

using InputNumbers = std::vector<InputNumber>;

struct InputFriction {
  ControlDigit law;                // L other than 1
  ControlDigit variation;          // V
  std::vector<InputNumbers> rows;  // one, or one for each row of elements
  InputNumbers memory;             // MEMDST, MEM_S0 of a law whose friction falls
};

// The values in force, from this case or earlier ones.
struct InputState {
  InputFriction friction;
  ControlDigit influence;     // C other than 0 and 1
  ControlDigit extra_slip;    // E; 1 keeps the values of 9, with all of the spin
  ControlDigit iteration;     // G other than 1
  InputNumbers inclinations;  // IF_METH, VARIANT, NN of C = 4, then Y and ALPHA by turns
  std::string coefficients;   // CFNAME of C = 9
  InputNumbers rolling;       // CHI, DQ, VELOC [, FACPHI]
  InputNumbers material;      // POISS1, POISS2, GG1, GG2
  // Above 0: slip velocities from 0 up; below: from VELOC down; 0, or none: as in the case before.
  InputNumber initial_slip;   // INISLP
  InputNumbers creep;         // FG1, FG2, TC1, TC2 of M = 1
  InputNumber flexibility;    // FLX of M = 2
  InputNumbers slope;         // K0_MF, ALFAMF, BETAMF of M = 2, 3 and 5
  InputNumbers heat;          // BKTEMP, HEATCP, LAMBDA, DENS of body 1, then of body 2
  InputNumbers potential;     // IPOTCN, MX, MY and three or four more
  InputNumbers sheet;         // FLXZ of B = 1
  InputNumbers layer;         // GG3, LAYTHK, TAU_C0, K_TAU of M = 4
  InputNumbers plastic_heat;  // BETAPL of H = 3 and M = 4
  std::shared_ptr<const InputNumbers> extra;  // EXRHS of E = 9: x and y of each element
  InputNumbers surface;                       // IBASE, IPLAN
  // Numbers of the undeformed distance and of the planform; shared, since IBASE = 9 has one per
  // element.
  std::shared_ptr<const InputNumbers> base;
  InputNumbers planform;
  InputNumbers weights;  // interaction of patches, IPLAN = 4
  InputPoints points;    // of S = 3
};

struct InputCase {
  int number = 0;      // counted from 1
  int first_line = 0;  // the line of its control digits, from 1
  int last_line = 0;
  ControlDigits digits;
  ControlDigit damping;     // M2
  ControlDigit gap_weight;  // GAPWGT
  std::int64_t result_element = 0;
  InputNumbers kinematic;  // FN or PEN, FX or CKSI, FY or CETA, CPHI [, SPINXO, SPINYO]
  InputState state;        // after the case was read

  [[nodiscard]] int digit(char letter) const { return digits[letter].value; }
  [[nodiscard]] bool rolls() const { return digit('T') >= 2; }
  [[nodiscard]] bool viscoelastic() const { return digit('M') == 1; }
  // M of FASTSIM and FaStrip; without effect if there is no motion and the pressure is computed.
  [[nodiscard]] bool names_simplified() const {
    return digit('M') == 2 || digit('M') == 3 || digit('M') == 5;
  }
  [[nodiscard]] bool simplified() const {
    return names_simplified() && (digit('T') != 0 || digit('B') > 1);
  }
  // Temperatures are computed: only in steady rolling.
  [[nodiscard]] bool heats() const { return digit('H') != 0 && digit('T') == 3; }
  // No value that should have stayed from an earlier case is missing; a missing one has been
  // reported.
  [[nodiscard]] bool complete() const {
    return !state.friction.rows.empty() && !state.material.empty() && !state.potential.empty() &&
           (!rolls() || !state.rolling.empty()) && (!viscoelastic() || !state.creep.empty()) &&
           (state.potential[0].value < 0.0 || state.base != nullptr);
  }
  // False for R = 2, 3, which are read but not computed.
  [[nodiscard]] bool computed() const { return digit('R') <= 1; }
};

// CONTACT's names of the values after MX and MY for each IPOTCN.
std::span<const std::string_view> potential_labels(int form);

bool same_numbers(const InputNumbers& a, const InputNumbers& b);
// True if both have no heat, or equal heat data.
bool same_heat(const InputCase& a, const InputCase& b);

// Lines common to both modules, in their order. slope: of M = 2, 3, 5.
enum class SharedLines { iteration, friction, material, slope, heat, subsurface };
// Reads the lines that the control digits require into the state of `input`; friction: one row.
void read_shared_lines(SharedLines which, InputLines& lines, InputCase& input,
                       CaseDiagnostics& diagnostics);

// Reads one case after its module number. `before`: the previous case, null for the first. Throws
// CaseError if the layout of the rest is unclear.
InputCase read_input_case(InputLines& lines, const InputCase* before, CaseDiagnostics& diagnostics);

}  // namespace slipfield
