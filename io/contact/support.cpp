// SPDX-License-Identifier: Apache-2.0
#include "io/contact/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "io/contact/bodies/influence.h"
#include "io/contact/friction.h"
#include "io/contact/layer.h"
#include "io/contact/step.h"

namespace slipfield {
namespace {

bool turned_to_x(const InputCase& input) {
  return input.digit('T') == 3 &&
         std::abs(std::remainder(input_direction(input) - input.state.rolling[0].value,
                                 2.0 * std::numbers::pi)) > kDirectionSlack;
}

class SupportCheck {
 public:
  SupportCheck(const InputCase& input, const InputCase* before, CaseDiagnostics& diagnostics)
      : input_(input), before_(before), diagnostics_(diagnostics) {}

  void check() {
    check_material();
    check_bound();
    check_slip();
    check_friction();
    check_surface();
    check_results();
  }

  void check_surface();
  void check_friction();

 private:
  [[nodiscard]] int digit(char letter) const { return input_.digit(letter); }
  void refuse(const ControlDigit& digit, char letter, std::string_view what,
              std::string_view accepted) {
    diagnostics_.add(digit.place, fmt::format("{} = {}", letter, digit.value), what, accepted);
  }
  void refuse(char letter, std::string_view what, std::string_view accepted) {
    refuse(input_.digits[letter], letter, what, accepted);
  }

  void check_material() {
    if (digit('M') == 1 && digit('T') == 0)
      refuse('T', "viscoelastic bodies need a time", "accepted are T = 1 to 3, or M = 0");
    if (digit('M') == 4) check_layer();
    if (input_.simplified() && digit('T') != 3)
      refuse('T', "FASTSIM and FaStrip solve steady rolling only", "accepted is T = 3");
    if (digit('M') == 5 && digit('F') != 0)
      refuse('F', "FaStrip takes creepages only", "accepted is F = 0, or FASTSIM (M = 3)");
    if (input_.simplified() && input_.state.slope.empty())
      refuse('M', "there are no K0_MF, ALFAMF and BETAMF yet that could stay",
             "accepted is C = 2 with M = 2, 3 or 5");
    if (digit('M') == 2 && !(input_.state.flexibility.value > 0.0))
      refuse('M', "there is no FLX yet that could stay", "accepted is C = 2 with M = 2");
    check_influence_support(input_, diagnostics_);
  }

  void check_bound() {
    const int bound = digit('B');
    if (input_.simplified()) check_fast_bound(bound);
    if (!input_.simplified() && bound > 1)
      refuse('B', "the pressure is computed, on half-spaces",
             "accepted are B = 0 and B = 1, or FASTSIM (M = 2, 3)");
    if (bound == 1 && input_.state.sheet.empty())
      refuse('B', "there is no FLXZ yet that could stay", "accepted is C = 2 with B = 1");
  }

  void check_fast_bound(int bound) {
    const bool strips = digit('M') == 5;
    if (bound == 1 || (strips && bound != 2 && bound != 3))
      refuse('B',
             strips ? "FaStrip takes its bound from the Hertzian ellipse"
                    : "FASTSIM has no sheet between the bodies",
             strips ? "accepted are B = 2 and B = 3" : "accepted are B = 0, and 2 to 6");
    const int form = input_.state.potential[0].integer();
    if (bound == 4 && form != -6)
      refuse('B', "SDEC needs a contact of two half ellipses", "accepted is IPOTCN = -6");
    if (bound == 4 && digit('N') == 0)
      refuse('N', "SDEC needs a force, for its ellipses are given", "accepted is N = 1");
    if ((bound == 5 || bound == 6) && digit('N') == 1)
      refuse('N', "KPEC and ANALYN start from an approach there", "accepted is N = 0");
  }

  void check_layer() {
    if (input_.state.layer.empty())
      refuse('M', "there is no layer yet that could stay", "accepted is C = 2 with M = 4");
    const bool heats = input_.heats() && input_layer(input_).yields();
    const InputNumbers& share = input_.state.plastic_heat;
    if (heats && (share.empty() || share[0].value != 1.0))
      diagnostics_.add(share.empty() ? input_.digits['H'].place : share[0].place, "BETAPL",
                       "all of the plastic work becomes heat", "accepted is 1");
  }

  void check_slip() {
    const ControlDigit& extra = input_.state.extra_slip;
    if (extra.value != 0 && input_.simplified())
      refuse(extra, 'E', "FASTSIM and FaStrip take no slip of single elements",
             "accepted is E = 0");
    const std::size_t elements = static_cast<std::size_t>(input_.state.potential[1].integer()) *
                                 static_cast<std::size_t>(input_.state.potential[2].integer());
    if (extra.value == 9 && (!input_.state.extra || input_.state.extra->size() != 2 * elements))
      refuse(extra, 'E',
             fmt::format("{} values stay for {} elements",
                         input_.state.extra ? input_.state.extra->size() : 0, elements),
             "accepted is E = 9 with two for each");
    const InputNumbers& kinematic = input_.kinematic;
    const bool offset = std::any_of(kinematic.begin() + 4, kinematic.end(),
                                    [](const InputNumber& number) { return number.value != 0.0; });
    if (offset && input_.simplified())
      diagnostics_.add(kinematic[4].place, "SPINXO, SPINYO",
                       "FASTSIM and FaStrip take the spin about the origin", "accepted is 0");
    const InputNumbers& rolling = input_.state.rolling;
    if (input_.simplified() && rolling.size() > 3 && !takes_sixth(input_))
      diagnostics_.add(rolling[3].place, "FACPHI", "the spin is taken one sixth of a step ahead",
                       "accepted is 0.16667, or none");
    if (digit('T') == 3 && turned_to_x(input_) && (before_ == nullptr || !turned_to_x(*before_)))
      diagnostics_.warn(rolling[0].place, "CHI",
                        "steady rolling goes along x in CONTACT too: direction 0 is written");
  }

  void check_warm(const InputFriction& friction) {
    if (!input_.heats())
      refuse(friction.law, 'L', "friction depends on temperatures that are not computed",
             "accepted are H = 1 or 3 with T = 3, or L = 0, 2, 3 or 4");
    if (friction.memory[0].value > kLeastMemory)
      diagnostics_.add(friction.memory[0].place, "MEMDST",
                       "memory of friction by temperature is not supported", "accepted is 0");
    check_same_rows(friction, "FREF", "a coefficient by temperature that varies over the rows");
    const InputNumber& range = friction.rows.front()[3];
    if (!(range.value > 0.0))
      diagnostics_.add(range.place, "DTHEAT", "is not positive", "a number > 0");
  }
  void check_same_rows(const InputFriction& friction, std::string_view label,
                       std::string_view what) {
    const InputNumbers& row = friction.rows.front();
    for (const InputNumbers& other : friction.rows) {
      const bool same =
          std::equal(row.begin(), row.end(), other.begin(),
                     [](const InputNumber& a, const InputNumber& b) { return a.value == b.value; });
      if (!same)
        diagnostics_.add(other[0].place, label, fmt::format("{} is not supported", what),
                         "accepted are the same numbers in each row, or L = 0");
    }
  }
  void check_rows(const InputFriction& friction) {
    const bool varies = friction.variation.value != 0;
    const int my = varies ? input_.state.potential[2].integer() : 1;
    if (varies && friction.rows.size() != static_cast<std::size_t>(my))
      refuse('L',
             fmt::format("{} rows of coefficients stay for {} rows of elements",
                         friction.rows.size(), my),
             "accepted is L other than 1, with a row for each");
  }
  void check_coulomb(const InputFriction& friction) {
    check_rows(friction);
    for (const InputNumbers& row : friction.rows) {
      if (std::abs(row[0].value - row[1].value) > 0.001 * row[1].value)
        diagnostics_.add(row[1].place, "FKIN",
                         fmt::format("{} differs from FSTAT, {}", row[1].value, row[0].value),
                         "accepted by CONTACT is the same; the case file of this program has "
                         "{static, kinetic} for that");
    }
  }
  void check_falling(const InputFriction& friction) {
    check_rows(friction);
    for (const InputNumbers& row : friction.rows) {
      for (const std::size_t term : {1U, 3U}) {
        if (row[term].value > 0.0 && !(row[term + 1].value > 0.0))
          diagnostics_.add(row[term + 1].place, term == 1 ? "SABSH1" : "SABSH2", "is not positive",
                           "a number > 0");
      }
    }
    if (input_.simplified() && remembers(friction))
      diagnostics_.add(friction.memory[0].place, "MEMDST", "FASTSIM and FaStrip have no memory",
                       "accepted is 0");
  }

  // A radius, by which a square is divided.
  void refuse_zero(std::size_t index, std::string_view label) {
    const InputNumber& number = (*input_.state.base)[index];
    if (number.value == 0.0) diagnostics_.add(number.place, label, "is 0", "a number other than 0");
  }

  void check_results() {
    if (input_.gap_weight.value != 0 &&
        (before_ == nullptr || before_->gap_weight.value != input_.gap_weight.value))
      diagnostics_.warn(input_.gap_weight.place,
                        fmt::format("GAPWGT = {}", input_.gap_weight.value),
                        "is left out: module 3 has no gap to weight");
    if (input_.damping.value == 2)
      diagnostics_.warn(input_.damping.place, "M2 = 2",
                        "damping is left out: it does not change the contact in module 3");
    if (!input_.heats()) leave_out('H', "temperatures are those of steady rolling (T = 3)");
  }
  void leave_out(char letter, std::string_view what) {
    if (digit(letter) == 0 || (before_ != nullptr && before_->digit(letter) != 0)) return;
    diagnostics_.warn(input_.digits[letter].place, fmt::format("{} = {}", letter, digit(letter)),
                      what);
  }

  const InputCase& input_;
  const InputCase* before_;
  CaseDiagnostics& diagnostics_;
};

void SupportCheck::check_friction() {
  const InputFriction& friction = input_.state.friction;
  if (friction.law.value == 6) check_warm(friction);
  if (friction.law.value == 0) check_coulomb(friction);
  if (friction.law.value >= 2 && friction.law.value <= 4) check_falling(friction);
  if (digit('T') == 0 || digit('F') == 0) return;
  if (friction.variation.value == 2)
    refuse('F', "versions of CONTACT differ in what force ratios refer to where friction varies",
           "accepted are F = 0, V = 0 and V = 3");
  if (digit('N') == 0 && force_unit(input_) == ForceUnit::unknown)
    refuse('N', "forces are given as parts of one that is not known", "accepted is N = 1");
}

void SupportCheck::check_surface() {
  const InputNumbers& potential = input_.state.potential;
  const int form = potential[0].integer();
  if (form == -6 && (digit('B') != 4 || !input_.simplified()))
    diagnostics_.add(potential[0].place, "IPOTCN", "two half ellipses are a contact of SDEC only",
                     "accepted are -5 to -1 and 1 to 4, or B = 4 with FASTSIM (M = 2, 3)");
  if ((form == -4 || form == -5) && digit('N') == 0)
    refuse('N', "a line contact given by Hertz needs a force", "accepted is N = 1");
  if (form < 0 && digit('N') == 0 && !(input_.kinematic[0].value > 0.0))
    diagnostics_.add(input_.kinematic[0].place, "PEN",
                     "a Hertzian contact needs a positive approach", "a number > 0");
  const bool ellipse = digit('B') == 2 || digit('B') == 3;
  if (input_.simplified() && ((ellipse && form >= 0) || form == -4 || form == -5))
    diagnostics_.add(potential[0].place, "IPOTCN", "FASTSIM and FaStrip need a Hertzian ellipse",
                     "accepted are -3 to -1, or of FASTSIM B = 0, 5 and 6");
  if (form > 0 && input_.state.surface[0].value == 2.0) refuse_zero(2, "RM");
  if (form > 0 && input_.state.surface[0].value == 3.0) {
    refuse_zero(6, "B7");
    refuse_zero(7, "B8");
  }
  const InputNumbers& planform = input_.state.planform;
  for (const InputNumber& weight : input_.state.weights)
    if (!(weight.value >= 0.0 && weight.value <= 1.0))
      diagnostics_.add(weight.place, "weights of the patches",
                       fmt::format("{} is out of range", weight.value),
                       "accepted are 0 (no influence on each other) to 1 (that of one half-space)");
  if (planform.size() == 6) return;
  for (std::size_t i = 0; i + 1 < planform.size(); i += 2) {
    if (planform[i].value < planform[i + 1].value) continue;
    diagnostics_.add(planform[i + 1].place, fmt::format("P{}", i + 2),
                     fmt::format("{} is not above P{}", planform[i + 1].value, i + 1),
                     fmt::format("a number > {}", planform[i].value));
  }
}

}  // namespace

void check_friction_support(const InputCase& input, CaseDiagnostics& diagnostics) {
  SupportCheck(input, nullptr, diagnostics).check_friction();
}

bool supports_surface(const InputCase& input) {
  CaseDiagnostics found;
  SupportCheck(input, nullptr, found).check_surface();
  return found.empty();
}

void check_support(const InputCase& input, const InputCase* before, CaseDiagnostics& diagnostics) {
  SupportCheck(input, before, diagnostics).check();
}

}  // namespace slipfield
