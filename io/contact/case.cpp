// SPDX-License-Identifier: Apache-2.0
#include "io/contact/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>

#include "io/case/sections.h"
#include "io/contact/digits.h"
#include "io/yaml/error.h"

namespace slipfield {
namespace {

constexpr auto kInteger = InputKind::integer;
constexpr NumberRange kElements{
    .least = 1.0, .lower = Bound::closed, .greatest = kMaxElements, .upper = Bound::closed};
constexpr std::array<InputField, 4> kCreep{{{.label = "FG1", .range = kCreepRatio},
                                            {.label = "FG2", .range = kCreepRatio},
                                            {.label = "TC1", .range = kCreepTime},
                                            {.label = "TC2", .range = kCreepTime}}};
constexpr std::array<InputField, 1> kSheet{{{.label = "FLXZ", .range = kNotNegative}}};
constexpr std::array<InputField, 4> kLayer{{{.label = "GG3", .range = kPositive},
                                            {.label = "LAYTHK", .range = kNotNegative},
                                            {.label = "TAU_C0"},
                                            {.label = "K_TAU"}}};
constexpr NumberRange kRatio{.least = -1.0, .greatest = 1.0};
// By IPOTCN, from -6 on.
constexpr std::array<std::array<std::string_view, 4>, 11> kPotentialLabels{
    {{"AA", "BNEG", "BPOS", "SCALE"},
     {"AA", "BB", "SCALE"},
     {"A1", "BB", "SCALE"},
     {"AA", "BB", "SCALE"},
     {"A1", "AOB", "SCALE"},
     {"A1", "B1", "SCALE"},
     {},
     {"XL", "YL", "DX", "DY"},
     {"XL", "YL", "XH", "YH"},
     {"XC1", "YC1", "DX", "DY"},
     {"XC1", "YC1", "XCM", "YCM"}}};

class CaseInput {
 public:
  CaseInput(InputLines& lines, InputCase& input, CaseDiagnostics& diagnostics)
      : lines_(lines), input_(input), state_(input.state), diagnostics_(diagnostics) {}

  void read() {
    read_control_digits(lines_, input_, diagnostics_);
    diagnostics_.throw_if_any();  // the layout of the rest depends on them
    const bool first = input_.number == 1;
    refuse_in_first(first && digit('L') == 1, 'L', "friction");
    refuse_in_first(first && digit('D') != 2, 'D', "potential contact area");
    refuse_in_first(first && digit('Z') != 2, 'Z', "undeformed distance");
    if ((digit('S') == 1 || digit('S') == 2) && state_.points.blocks.empty())
      diagnostics_.add(input_.digits['S'].place, "S",
                       fmt::format("{} although there are no points to keep yet", digit('S')),
                       "accepted: 0 and 3");
    if (digit('D') != 0 && digit('Z') == 0)
      diagnostics_.add(input_.digits['Z'].place, "Z",
                       "0 although D states a new potential contact area", "accepted: 1 or 2");
    const bool new_influence = digit('C') > 1;
    refuse_in_first(!new_influence && state_.material.empty(), 'C', "material");
    refuse_in_first(!new_influence && input_.rolls() && state_.rolling.empty(), 'C',
                    "rolling step");
    if (digit('E') != 1)
      state_.extra_slip = input_.digits['E'];
    else if (state_.extra_slip.value != 9)  // the spin is left out if E now says so
      state_.extra_slip.value = 0;
    if (digit('X') == 1) lines_.read_list("P-S-F-L-C-I-N", 1, kInteger);
    read_iteration();
    read_kinematic();
    if (digit('L') != 1 && digit('V') == 0) read_friction(1);
    if (new_influence) read_material();
    read_heat();
    if (digit('D') == 2) read_potential();
    if (digit('Z') == 2) read_surface();
    if (digit('L') != 1 && digit('V') != 0) read_friction(rows());
    if (digit('E') == 9)
      state_.extra =
          std::make_shared<const InputNumbers>(lines_.read_list("EXRHS", 2 * elements()));
    if (digit('S') >= 2) read_subsurface();
    input_.last_line = lines_.line_number();
  }
  void read_shared(SharedLines which) {
    if (which == SharedLines::iteration) read_iteration();
    if (which == SharedLines::friction) read_friction(1);
    if (which == SharedLines::material) read_moduli();
    if (which == SharedLines::slope) read_slope();
    if (which == SharedLines::heat) read_heat();
    if (which == SharedLines::subsurface) read_subsurface();
  }

 private:
  [[nodiscard]] int digit(char letter) const { return input_.digit(letter); }
  [[nodiscard]] std::size_t rows() const {
    return state_.potential.empty() ? 0 : static_cast<std::size_t>(state_.potential[2].integer());
  }
  [[nodiscard]] std::size_t elements() const {
    return rows() * (rows() == 0 ? 0 : static_cast<std::size_t>(state_.potential[1].integer()));
  }
  void refuse_in_first(bool missing, char letter, std::string_view what) {
    if (missing)
      diagnostics_.add(input_.digits[letter].place, std::string(1, letter),
                       fmt::format("{} although there is no {} to keep yet", digit(letter), what),
                       letter == 'L' ? "accepted: 0, 2, 3 or 4" : "accepted: 2");
  }

  // CONTACT's iteration settings do not matter to another solver, except its start, which selects
  // one of several solutions.
  void read_iteration() {
    if (digit('G') != 1) {
      lines_.read_list("MAXGS, MAXIN, MAXNR, MAXOUT, EPS", 5);
      state_.iteration = input_.digits['G'];
    }
    if (digit('G') == 2 || digit('G') == 3)
      state_.initial_slip = lines_.read_list("OMEGAH, OMEGAS, INISLP, OMGSLP", 4)[2];
    if (digit('G') == 4) state_.initial_slip = lines_.read_list("INISLP, OMGSLP", 2)[0];
    if (digit('G') == 5) lines_.read_list("FDECAY to POW_S", 8);
  }

  void read_kinematic() {
    const bool force = digit('N') == 1;
    const bool force_x = digit('F') >= 1;
    const bool force_y = digit('F') == 2;
    const std::array<InputField, 6> fields{{
        {.label = force ? "FN" : "PEN", .range = force ? kPositive : kAnyNumber},
        {.label = force_x ? "FX" : "CKSI", .range = force_x ? kRatio : kAnyNumber},
        {.label = force_y ? "FY" : "CETA", .range = force_y ? kRatio : kAnyNumber},
        {.label = "CPHI"},
        {.label = "SPINXO", .presence = Presence::optional},
        {.label = "SPINYO", .presence = Presence::optional},
    }};
    input_.kinematic = lines_.read("FN, CKSI, CETA, CPHI", fields);
    if (input_.kinematic.size() == fields.size() - 1)
      diagnostics_.add(input_.kinematic.back().place, "SPINXO", "is given without SPINYO",
                       "accepted: both, or neither");
  }

  void read_friction(std::size_t count) {
    constexpr std::array<InputField, 2> kCoulomb{
        {{.label = "FSTAT", .range = kNotNegative}, {.label = "FKIN", .range = kNotNegative}}};
    constexpr std::array<InputField, 5> kFalling{
        {{.label = "FKIN", .range = kNotNegative},
         {.label = "FLIN1, FRAT1 or FEXP1", .range = kNotNegative},
         {.label = "SABSH1", .range = kNotNegative},
         {.label = "FLIN2, FRAT2 or FEXP2", .range = kNotNegative},
         {.label = "SABSH2", .range = kNotNegative}}};
    InputFriction& friction = state_.friction;
    friction = {input_.digits['L'], input_.digits['V'], {}, {}};
    for (std::size_t row = 0; row < count; ++row) {
      if (digit('L') == 0) friction.rows.push_back(lines_.read("FSTAT, FKIN", kCoulomb));
      if (digit('L') == 6)
        friction.rows.push_back(lines_.read_list("FREF, TREF, DFHEAT, DTHEAT", 4));
      if (digit('L') >= 2 && digit('L') <= 4)
        friction.rows.push_back(lines_.read("FKIN, SABSH", kFalling));
    }
    if (digit('L') >= 2) friction.memory = lines_.read_list("MEMDST, MEM_S0", 2);
  }

  void read_material() {
    state_.influence = input_.digits['C'];
    if (input_.rolls()) {
      constexpr std::array<InputField, 4> kRolling{
          {{.label = "CHI", .kind = InputKind::angle},
           {.label = "DQ", .range = kPositive},
           {.label = "VELOC", .range = kPositive},
           {.label = "FACPHI", .presence = Presence::optional}}};
      state_.rolling = lines_.read("CHI, DQ, VELOC", kRolling);
    }
    if (digit('C') == 4) {
      state_.inclinations = lines_.read_list("IF_METH, VARIANT, NN", 3, kInteger);
      const auto points = lines_.read_list("surface inclinations",
                                           count_of(state_.inclinations[2], 2), InputKind::angle);
      state_.inclinations.insert(state_.inclinations.end(), points.begin(), points.end());
    }
    if (digit('C') == 9)
      state_.coefficients = name_at(lines_.read_list("CFNAME", 1, InputKind::name)[0].place);
    read_moduli();
    if (digit('B') == 1) state_.sheet = lines_.read("FLXZ", kSheet);
    if (digit('M') == 1) state_.creep = lines_.read("FG 1,2, TC 1,2", kCreep);
    if (input_.names_simplified()) read_slope();
    if (digit('M') == 4) state_.layer = lines_.read("GG3, LAYTHK, TAU_C0, K_TAU", kLayer);
    if (input_.damping.value == 2) lines_.read_list("CDAMPN, CDAMPT, DFNMAX, DFTMAX", 4);
  }

  void read_moduli() {
    constexpr std::array<InputField, 4> kMaterial{{{.label = "POISS1", .range = kPoissonRatio},
                                                   {.label = "POISS2", .range = kPoissonRatio},
                                                   {.label = "GG1", .range = kPositive},
                                                   {.label = "GG2", .range = kPositive}}};
    state_.material = lines_.read("POISS 1,2, GG 1,2", kMaterial);
  }

  void read_slope() {
    constexpr std::array<InputField, 4> kFields{{{.label = "FLX", .range = kPositive},
                                                 {.label = "K0_MF", .range = kPositive},
                                                 {.label = "ALFAMF", .range = kShare},
                                                 {.label = "BETAMF", .range = kNotNegative}}};
    const std::size_t first = digit('M') == 2 ? 0 : 1;
    state_.slope = lines_.read("K0_MF, ALFAMF, BETAMF", std::span(kFields).subspan(first));
    if (first == 1) return;
    state_.flexibility = state_.slope.front();
    state_.slope.erase(state_.slope.begin());
  }

  void read_heat() {
    if (digit('H') == 1 && state_.heat.empty())
      diagnostics_.add(input_.digits['H'].place, "H",
                       "1 although there are no thermal properties to keep yet", "accepted: 3");
    if (digit('H') != 3) return;
    constexpr std::array<InputField, 4> kHeat{{{.label = "BKTEMP"},
                                               {.label = "HEATCP", .range = kPositive},
                                               {.label = "LAMBDA", .range = kPositive},
                                               {.label = "DENS", .range = kPositive}}};
    state_.heat = lines_.read("BKTEMP1, HEATCP1, LAMBDA1, DENS1", kHeat);
    const auto second = lines_.read("BKTEMP2, HEATCP2, LAMBDA2, DENS2", kHeat);
    state_.heat.insert(state_.heat.end(), second.begin(), second.end());
    constexpr std::array<InputField, 1> kPlastic{{{.label = "BETAPL", .range = kShare}}};
    if (digit('M') == 4) state_.plastic_heat = lines_.read("BETAPL", kPlastic);
  }

  void read_potential() {
    const InputNumber form = lines_.read_list("IPOTCN", 1, kInteger)[0];
    const int kind = form.integer();
    if (kind < -6 || kind == 0 || kind > 4) {
      diagnostics_.add(form.place, "IPOTCN", fmt::format("there is no {}", kind),
                       "accepted: -6 to -1 and 1 to 4");
      diagnostics_.throw_if_any();
    }
    std::vector<InputField> fields{{.label = "MX", .kind = kInteger, .range = kElements},
                                   {.label = "MY", .kind = kInteger, .range = kElements}};
    const auto labels = potential_labels(kind);
    for (const std::string_view label : labels) {
      const bool size = kind < 0 || label == "DX" || label == "DY";
      fields.push_back({.label = label, .range = size ? kPositive : kAnyNumber});
    }
    state_.potential = lines_.read("potential contact area", fields);
    state_.potential.insert(state_.potential.begin(), form);
    if (kind == 2 || kind == 4) check_increasing(3, labels);
  }

  // XL < XH and YL < YH; between the first and the last element, equal if there is only one.
  void check_increasing(std::size_t first, std::span<const std::string_view> labels) {
    for (std::size_t i = 0; i < 2; ++i) {
      const InputNumber& last = state_.potential[first + 2 + i];
      if (state_.potential[first + i].value < last.value) continue;
      diagnostics_.add(last.place, labels[2 + i],
                       fmt::format("{} is not above {}", last.value, labels[i]),
                       fmt::format("a number > {}", state_.potential[first + i].value));
    }
  }

  void read_surface() {
    state_.planform.clear();
    state_.weights.clear();
    if (state_.potential.empty() || state_.potential[0].value < 0.0) {  // Hertzian: a paraboloid
      state_.surface.clear();
      state_.base = nullptr;
      return;
    }
    state_.surface = lines_.read_list("IBASE, IPLAN", 2, kInteger);
    state_.base = std::make_shared<const InputNumbers>(read_base(state_.surface[0]));
    read_planform(state_.surface[1]);
  }

  InputNumbers read_base(const InputNumber& base) {
    if (base.value == 1.0) return lines_.read_list("B1 to B6", 6);
    if (base.value == 2.0) {
      constexpr std::array<InputField, 5> kFields{
          {{.label = "NN",
            .kind = kInteger,
            .range = {.least = 2.0, .lower = Bound::closed, .greatest = 999999.0}},
           {.label = "XM"},
           {.label = "RM"},
           {.label = "Y1"},
           {.label = "DY1", .range = kPositive}}};
      InputNumbers numbers = lines_.read("NN, XM, RM, Y1, DY1", kFields);
      const auto heights = lines_.read_list("undeformed distance", count_of(numbers[0], 1));
      numbers.insert(numbers.end(), heights.begin(), heights.end());
      return numbers;
    }
    if (base.value == 3.0) return lines_.read_list("B1 to B8", 8);
    if (base.value == 9.0) return lines_.read_list("undeformed distance", elements());
    diagnostics_.add(base.place, "IBASE", fmt::format("there is no {}", base.value),
                     "accepted: 1, 2, 3 or 9");
    throw CaseError(diagnostics_.text());
  }

  void read_planform(const InputNumber& planform) {
    if (planform.value == 2.0) state_.planform = lines_.read_list("P1 to P6", 6);
    if (planform.value == 3.0) state_.planform = lines_.read_list("P1 to P8", 8);
    if (planform.value == 4.0) {
      constexpr std::array<InputField, 1> kPatches{
          {{.label = "NPATCH",
            .kind = kInteger,
            .range = {.least = 1.0, .lower = Bound::closed, .greatest = 1000.0}}}};
      const std::size_t patches = count_of(lines_.read("NPATCH", kPatches)[0], 1);
      state_.planform = lines_.read_list("XL, XH, YL, YH", 4 * patches);
      state_.weights = lines_.read_list("weights of the patches", patches * (patches - 1) / 2);
    }
    if (planform.value >= 1.0 && planform.value <= 4.0) return;
    diagnostics_.add(planform.place, "IPLAN", fmt::format("there is no {}", planform.value),
                     "accepted: 1, 2, 3 or 4");
    throw CaseError(diagnostics_.text());
  }

  void read_subsurface() { read_points(lines_, digit('S'), state_.points, diagnostics_); }

  static std::size_t count_of(const InputNumber& number, std::size_t each) {
    return number.value > 0.0 ? static_cast<std::size_t>(number.value) * each : 0;
  }

  InputLines& lines_;
  InputCase& input_;
  InputState& state_;
  CaseDiagnostics& diagnostics_;
};

}  // namespace

std::span<const std::string_view> potential_labels(int form) {
  const int row = form + 6;  // IPOTCN begins with -6
  const std::span<const std::string_view> labels =
      kPotentialLabels.at(static_cast<std::size_t>(row));
  return labels.first(labels.back().empty() ? 3 : 4);
}

bool same_numbers(const InputNumbers& a, const InputNumbers& b) {
  return std::ranges::equal(a, b, {}, &InputNumber::value, &InputNumber::value);
}

bool same_heat(const InputCase& a, const InputCase& b) {
  return a.heats() == b.heats() && (!a.heats() || same_numbers(a.state.heat, b.state.heat));
}

void read_shared_lines(SharedLines which, InputLines& lines, InputCase& input,
                       CaseDiagnostics& diagnostics) {
  CaseInput(lines, input, diagnostics).read_shared(which);
}

InputCase read_input_case(InputLines& lines, const InputCase* before,
                          CaseDiagnostics& diagnostics) {
  InputCase input;
  if (before != nullptr) input.state = before->state;
  input.number = before == nullptr ? 1 : before->number + 1;
  CaseInput(lines, input, diagnostics).read();
  return input;
}

}  // namespace slipfield
