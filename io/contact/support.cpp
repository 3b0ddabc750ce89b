#include "io/contact/support.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <string_view>

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
    if (digit('M') == 1) refuse('M', "viscoelastic bodies are not supported", "accepted is M = 0");
    if (digit('M') == 2)
      refuse('M', "FASTSIM with one given flexibility is not supported",
             "accepted is M = 3, with Kalker's three flexibilities");
    if (digit('M') == 4)
      refuse('M', "a layer between the bodies is not supported", "accepted is M = 0");
    if (input_.simplified() && digit('T') != 3)
      refuse('T', "FASTSIM and FaStrip solve steady rolling only", "accepted is T = 3");
    if (digit('M') == 5 && digit('F') != 0)
      refuse('F', "FaStrip takes creepages only", "accepted is F = 0, or FASTSIM (M = 3)");
    const InputNumbers& slope = input_.state.slope;
    if (input_.simplified() && (slope.empty() || slope[0].value != 1.0 || slope[1].value != 1.0))
      diagnostics_.add(slope.empty() ? input_.digits['M'].place : slope[0].place, "K0_MF, ALFAMF",
                       "a reduced initial slope is not supported",
                       "accepted are K0_MF = 1 and ALFAMF = 1");
    const ControlDigit& influence = input_.state.influence;
    if (influence.value > 2)
      refuse(influence, 'C',
             "of the influence coefficients only those of half-spaces with constant "
             "tractions in each element are supported",
             "accepted is C = 2");
  }

  void check_bound() {
    const int bound = digit('B');
    if (input_.simplified() && bound != 2 && bound != 3)
      refuse('B', "FASTSIM and FaStrip take their bound from the Hertzian ellipse",
             "accepted are B = 2 and B = 3");
    if (!input_.simplified() && bound != 0)
      refuse('B', "the pressure is computed, on half-spaces", "accepted is B = 0");
  }

  void check_slip() {
    if (digit('P') == 3 && (digit('T') == 1 || digit('T') == 2))
      refuse('P', "tractions from before the last case are not supported",
             "accepted are P = 0 to 2");
    const ControlDigit& extra = input_.state.extra_slip;
    if (extra.value != 0)
      refuse(extra, 'E',
             extra.value == 9 ? "an extra rigid slip of the elements is not supported"
                              : "leaving the spin out of one direction is not supported",
             "accepted is E = 0");
    const InputNumbers& kinematic = input_.kinematic;
    const bool offset = std::any_of(kinematic.begin() + 4, kinematic.end(),
                                    [](const InputNumber& number) { return number.value != 0.0; });
    if (offset && input_.simplified())
      diagnostics_.add(kinematic[4].place, "SPINXO, SPINYO",
                       "FASTSIM and FaStrip take the spin about the origin", "accepted is 0");
    const InputNumbers& rolling = input_.state.rolling;
    if (input_.rolls() && rolling.size() > 3 && std::abs(rolling[3].value - 1.0 / 6.0) > 1.0e-4)
      diagnostics_.add(rolling[3].place, "FACPHI", "the spin is taken one sixth of a step ahead",
                       "accepted is 0.16667, or none");
    if (digit('T') == 3 && turned_to_x(input_) && (before_ == nullptr || !turned_to_x(*before_)))
      diagnostics_.warn(rolling[0].place, "CHI",
                        "steady rolling goes along x in CONTACT too: direction 0 is written");
  }

  void check_friction() {
    const InputFriction& friction = input_.state.friction;
    if (friction.law.value == 6) check_warm(friction);
    if (friction.law.value == 0) check_coulomb(friction);
    if (friction.law.value >= 2 && friction.law.value <= 4) check_falling(friction);
    const bool varies = friction.variation.value != 0 || friction.law.value == 6;
    if (varies && digit('T') != 0 && digit('F') != 0)
      refuse('F', "versions of CONTACT differ in what force ratios refer to where friction varies",
             "accepted is F = 0, or V = 0");
  }
  void check_warm(const InputFriction& friction) {
    if (!input_.heats())
      refuse(friction.law, 'L', "friction depends on temperatures that are not computed",
             "accepted are H = 1 or 3 with T = 3, or L = 0, 2, 3 or 4");
    check_memory(friction);
    check_same_rows(friction, "FREF", "a coefficient by temperature that varies over the rows");
    const InputNumber& range = friction.rows.front()[3];
    if (!(range.value > 0.0))
      diagnostics_.add(range.place, "DTHEAT", "is not positive", "a number > 0");
  }
  void check_memory(const InputFriction& friction) {
    if (friction.memory[0].value > 0.0)
      diagnostics_.add(friction.memory[0].place, "MEMDST", "memory of friction is not supported",
                       "accepted is 0");
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
  void check_coulomb(const InputFriction& friction) {
    const int my = input_.state.potential[2].integer();
    if (friction.variation.value != 0 && friction.rows.size() != static_cast<std::size_t>(my))
      refuse('L',
             fmt::format("{} rows of coefficients stay for {} rows of elements",
                         friction.rows.size(), my),
             "accepted is L = 0, with a row for each");
    for (const InputNumbers& row : friction.rows) {
      if (std::abs(row[0].value - row[1].value) > 0.001 * row[1].value)
        diagnostics_.add(row[1].place, "FKIN",
                         fmt::format("{} differs from FSTAT, {}", row[1].value, row[0].value),
                         "accepted by CONTACT is the same; the case file of this program has "
                         "{static, kinetic} for that");
    }
  }
  void check_falling(const InputFriction& friction) {
    check_memory(friction);
    check_same_rows(friction, "FKIN", "a falling coefficient that varies over the rows");
    const InputNumbers& row = friction.rows.front();
    const bool first = row[1].value > 0.0;
    const bool second = row[3].value > 0.0;
    if (second && friction.law.value == 3)
      diagnostics_.add(row[3].place, "FRAT2", "the quadratic term of L = 3 is not supported",
                       "accepted is 0");
    else if (first && second && row[2].value != row[4].value)
      diagnostics_.add(row[3].place, "FLIN2, FEXP2",
                       "a second falling term with a velocity of its own is not supported",
                       "accepted is 0, or SABSH2 = SABSH1");
    for (const std::size_t term : {1U, 3U}) {
      if (row[term].value > 0.0 && !(row[term + 1].value > 0.0))
        diagnostics_.add(row[term + 1].place, term == 1 ? "SABSH1" : "SABSH2", "is not positive",
                         "a number > 0");
    }
  }

  // A radius, by which a square is divided.
  void refuse_zero(std::size_t index, std::string_view label) {
    const InputNumber& number = (*input_.state.base)[index];
    if (number.value == 0.0) diagnostics_.add(number.place, label, "is 0", "a number other than 0");
  }

  void check_results() {
    leave_out('S', "displacements and stresses inside the bodies are not computed");
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

void SupportCheck::check_surface() {
  const InputNumbers& potential = input_.state.potential;
  const int form = potential[0].integer();
  if (form == -6)
    diagnostics_.add(potential[0].place, "IPOTCN",
                     "a contact area of two half ellipses is not supported",
                     "accepted are -5 to -1 and 1 to 4");
  if ((form == -4 || form == -5) && digit('N') == 0)
    refuse('N', "a line contact given by Hertz needs a force", "accepted is N = 1");
  if (form < 0 && digit('N') == 0 && !(input_.kinematic[0].value > 0.0))
    diagnostics_.add(input_.kinematic[0].place, "PEN",
                     "a Hertzian contact needs a positive approach", "a number > 0");
  if (input_.simplified() && (form >= 0 || form < -3))
    diagnostics_.add(potential[0].place, "IPOTCN", "FASTSIM and FaStrip need a Hertzian ellipse",
                     "accepted are -3 to -1");
  if (form > 0 && input_.state.surface[0].value == 2.0) refuse_zero(2, "RM");
  if (form > 0 && input_.state.surface[0].value == 3.0) {
    refuse_zero(6, "B7");
    refuse_zero(7, "B8");
  }
  const InputNumbers& planform = input_.state.planform;
  if (planform.size() != 8) return;
  for (const std::size_t i : {0U, 2U, 4U, 6U}) {
    if (planform[i].value < planform[i + 1].value) continue;
    diagnostics_.add(planform[i + 1].place, fmt::format("P{}", i + 2),
                     fmt::format("{} is not above P{}", planform[i + 1].value, i + 1),
                     fmt::format("a number > {}", planform[i].value));
  }
}

}  // namespace

bool supports_surface(const InputCase& input) {
  CaseDiagnostics found;
  SupportCheck(input, nullptr, found).check_surface();
  return found.empty();
}

void check_support(const InputCase& input, const InputCase* before, CaseDiagnostics& diagnostics) {
  SupportCheck(input, before, diagnostics).check();
}

}  // namespace slipfield
