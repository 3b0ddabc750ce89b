// SPDX-License-Identifier: Apache-2.0
#include "io/contact/support.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

#include "io/contact/bodies/influence.h"
#include "io/contact/friction.h"
#include "io/contact/step.h"
#include "io/contact/surface.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

bool turned_to_x(const InputCase& input) {
  return input.rolls() &&
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
      refuse('T', "viscoelastic bodies need a time, and pressure alone has none",
             "accepted: T = 3, as in CONTACT, T = 1 or 2, or M = 0 with the moduli at once or "
             "at rest");
    if (digit('M') == 1 && digit('T') == 2 && !input_.state.rolling.empty()) {
      const InputNumber& chi = input_.state.rolling[0];
      if (!rolls_along_x(input_direction(input_)) && !rolls_along_y(input_direction(input_)))
        diagnostics_.add(chi.place, "CHI", "viscoelastic bodies roll along x or y",
                         "accepted: 0, 90d, 180d and 270d, or M = 0");
    }
    if (digit('M') == 4) check_layer();
    if (input_.simplified() && digit('T') != 3)
      refuse('T', "FASTSIM and FaStrip solve steady rolling only",
             "accepted: T = 3, and T = 0 with B = 0 or 1");
    if (input_.simplified() && input_.state.slope.empty())
      refuse('M', "there are no K0_MF, ALFAMF and BETAMF to keep yet",
             "accepted: C = 2 with M = 2, 3 or 5");
    if (digit('M') == 2 && !(input_.state.flexibility.value > 0.0))
      refuse('M', "there is no FLX to keep yet", "accepted: C = 2 with M = 2");
    check_influence_support(input_, diagnostics_);
  }

  void check_bound() {
    const int bound = digit('B');
    if (input_.simplified()) check_fast_bound(bound);
    if (!input_.simplified() && bound > 1)
      refuse('B', "the pressure is computed, on half-spaces",
             "accepted: B = 0 and B = 1, or FASTSIM (M = 2, 3)");
    if (bound == 1 && input_.state.sheet.empty())
      refuse('B', "there is no FLXZ to keep yet", "accepted: C = 2 with B = 1");
  }

  void check_fast_bound(int bound) {
    const int form = input_.state.potential[0].integer();
    if (bound == 4 && form != -6)
      refuse('B', "SDEC needs a contact of two half ellipses", "accepted: IPOTCN = -6");
    if (bound == 4 && digit('N') == 0)
      refuse('N', "SDEC needs a force, for its ellipses are given", "accepted: N = 1");
    if ((bound == 5 || bound == 6) && digit('N') == 1)
      refuse('N', "KPEC and ANALYN start from an approach there", "accepted: N = 0");
  }

  void check_layer() {
    if (input_.state.layer.empty())
      refuse('M', "there is no layer to keep yet", "accepted: C = 2 with M = 4");
    const bool heats = input_.heats() && input_layer(input_).yields();
    const InputNumbers& share = input_.state.plastic_heat;
    if (heats && share.empty())
      refuse('H', "there is no BETAPL to keep yet", "accepted: H = 3 with M = 4");
  }

  void check_slip() {
    const ControlDigit& extra = input_.state.extra_slip;
    if (extra.value == 9 && input_.simplified() && digit('M') == 5)
      refuse(extra, 'E', "the strips of FaStrip know no slip of single elements",
             "accepted: E = 0, 2 and 3, or FASTSIM (M = 3)");
    const std::size_t elements = static_cast<std::size_t>(input_.state.potential[1].integer()) *
                                 static_cast<std::size_t>(input_.state.potential[2].integer());
    if (extra.value == 9 && (!input_.state.extra || input_.state.extra->size() != 2 * elements))
      refuse(extra, 'E',
             fmt::format("{} values stay for {} elements",
                         input_.state.extra ? input_.state.extra->size() : 0, elements),
             "accepted: E = 9 with two for each");
    const InputNumbers& rolling = input_.state.rolling;
    if (turned_to_x(input_) && (before_ == nullptr || !turned_to_x(*before_)))
      diagnostics_.warn(rolling[0].place, "CHI",
                        digit('T') == 3
                            ? "steady rolling goes along x in CONTACT too: direction 0 is written"
                            : "with a third layer rolling goes along x in CONTACT too: direction "
                              "0 is written");
  }

  // Reported once for numbers that stay for later cases.
  [[nodiscard]] bool is_new(const InputFriction& friction) const {
    return before_ == nullptr || before_->state.friction.rows.empty() ||
           before_->state.friction.rows.front()[0].place.line !=
               friction.rows.front()[0].place.line;
  }

  void check_warm(const InputFriction& friction) {
    if (!input_.heats())
      refuse(friction.law, 'L', "friction depends on temperatures that are not computed",
             "accepted: H = 1 or 3 with T = 3, or L = 0, 2, 3 or 4");
    if (input_.simplified())
      refuse(friction.law, 'L', "FASTSIM and FaStrip have no friction by temperature",
             "accepted: L = 0, 2, 3 and 4");
    check_rows(friction);
    for (const InputNumbers& row : friction.rows) {
      if (row[0].value < 0.0 || row[0].value + row[2].value < 0.0)
        diagnostics_.add(row[row[0].value < 0.0 ? 0 : 2].place,
                         row[0].value < 0.0 ? "FREF" : "DFHEAT", "makes the coefficient negative",
                         "FREF and FREF + DFHEAT >= 0");
      if (row[3].value < 0.0)
        diagnostics_.add(row[3].place, "DTHEAT", "is negative", "a number >= 0");
    }
    const InputNumber& range = friction.rows.front()[3];
    if (range.value == 0.0 && is_new(friction))
      diagnostics_.warn(range.place, "DTHEAT",
                        "is 0: the coefficient changes within 0.001 degrees, and may find no "
                        "temperature that it agrees with");
  }
  void check_rows(const InputFriction& friction) {
    const bool varies = friction.variation.value != 0;
    const int my = varies ? input_.state.potential[2].integer() : 1;
    if (varies && friction.rows.size() != static_cast<std::size_t>(my))
      refuse('L',
             fmt::format("{} rows of coefficients stay for {} rows of elements",
                         friction.rows.size(), my),
             "accepted: L other than 1, with a row for each");
    if (input_.simplified() && !same_rows(friction))
      refuse('V', "FASTSIM and FaStrip take one coefficient of friction, as in CONTACT",
             "accepted: V = 0, and the same numbers in each row");
  }
  void check_coulomb(const InputFriction& friction) {
    check_rows(friction);
    for (const InputNumbers& row : friction.rows) {
      if (static_of(friction, row) == slipping_of(friction, row)) continue;
      const std::string what = fmt::format("{} differs from FSTAT, {}", row[1].value, row[0].value);
      if (input_.simplified())
        diagnostics_.add(row[1].place, "FKIN", what, "with FASTSIM and FaStrip the same");
      else if (row[1].value > row[0].value)
        diagnostics_.add(row[1].place, "FKIN", what, "accepted: a number of at most FSTAT");
      else if (&row == &friction.rows.front() && is_new(friction))
        diagnostics_.warn(row[1].place, "FKIN",
                          what + ": {static, kinetic} is written, where CONTACT wants them equal");
    }
  }
  // A velocity of 0: the term vanishes as soon as something slips.
  void check_falling(const InputFriction& friction) {
    check_rows(friction);
    if (drops(friction)) check_drop(friction);
  }

  void check_drop(const InputFriction& friction) {
    for (const InputNumbers& row : friction.rows) {
      const auto at_once = [&](std::size_t term) {
        return row[term].value > 0.0 && !(row[term + 1].value > 0.0);
      };
      const std::size_t term = at_once(1) ? 1 : 3;
      if (!at_once(term)) continue;
      const InputNumber& velocity = row[term + 1];
      const std::string_view label = term == 1 ? "SABSH1" : "SABSH2";
      if (falls(friction) || input_.simplified() || friction.memory[0].value > kLeastMemory)
        diagnostics_.add(velocity.place, label, "is not positive", "a number > 0");
      else if (&row == &friction.rows.front() && is_new(friction))
        diagnostics_.warn(velocity.place, label,
                          "is 0: what falls does so as soon as something slips, and {static, "
                          "kinetic} is written");
    }
  }

  // A radius whose square is a divisor.
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
    warn_of_unused_heat(input_, before_, diagnostics_);
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
  if (digit('V') == 2 && (before_ == nullptr || before_->digit('V') != 2))
    diagnostics_.warn(input_.digits['F'].place, fmt::format("F = {}", digit('F')),
                      "FX and FY are taken as parts of FN where friction varies, as from 2023 on");
}

void SupportCheck::check_surface() {
  const InputNumbers& potential = input_.state.potential;
  const int form = potential[0].integer();
  if (form == -6 && (digit('B') != 4 || !input_.simplified()))
    diagnostics_.add(potential[0].place, "IPOTCN", "two half ellipses are a contact of SDEC only",
                     "accepted: -5 to -1 and 1 to 4, or B = 4 with FASTSIM (M = 2, 3)");
  if ((form == -4 || form == -5) && digit('N') == 0)
    refuse('N', "a line contact given by Hertz needs a force", "accepted: N = 1");
  if (form < 0 && digit('N') == 0 && !(input_.kinematic[0].value > 0.0))
    diagnostics_.add(input_.kinematic[0].place, "PEN",
                     "a Hertzian contact needs a positive approach", "a number > 0");
  const bool ellipse = digit('B') == 2 || digit('B') == 3;
  if (input_.simplified() && ((ellipse && form >= 0) || form == -4 || form == -5))
    diagnostics_.add(potential[0].place, "IPOTCN", "FASTSIM and FaStrip need a Hertzian ellipse",
                     "accepted: -3 to -1, or B = 0, 1, 5 and 6");
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
                       "accepted: 0 (no influence on each other) to 1 (that of one half-space)");
  if (planform.size() == 6) return;
  for (std::size_t i = 0; i + 1 < planform.size(); i += 2) {
    if (planform[i].value < planform[i + 1].value) continue;
    diagnostics_.add(planform[i + 1].place, fmt::format("P{}", i + 2),
                     fmt::format("{} is not above P{}", planform[i + 1].value, i + 1),
                     fmt::format("a number > {}", planform[i].value));
  }
}

}  // namespace

void check_range(const SourceText& source, int last, const std::optional<CaseRange>& range) {
  const SourcePlace end{&source, source.line_count() - 1, 0};
  CaseDiagnostics found;
  if (last == 0)
    found.add(end, "MODULE", "the file has no case", "\"3 MODULE\" and the lines of a case");
  else if (range && range->last > last)
    found.add(end, "cases", fmt::format("the file has {} of them", last),
              fmt::format("numbers from 1 to {}", last));
  found.throw_if_any();
}

void warn_not_computed(const InputCase& input, CaseDiagnostics& found) {
  found.warn(input.digits['R'].place, fmt::format("R = {}", input.digit('R')),
             fmt::format("case {} is read but not computed: it gives no step", input.number));
}

void warn_of_unused_heat(const InputCase& input, const InputCase* before,
                         CaseDiagnostics& diagnostics) {
  const int h = input.digit('H');
  if (input.heats() || h == 0 || (before != nullptr && before->digit('H') != 0)) return;
  diagnostics.warn(input.digits['H'].place, fmt::format("H = {}", h),
                   "temperatures are those of steady rolling (T = 3)");
}

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
  warn_of_reference_errors(input, before, diagnostics);
}

}  // namespace slipfield
