// SPDX-License-Identifier: Apache-2.0
#include "io/contact/wheel/wheel_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/case/section.h"
#include "io/contact/case.h"
#include "io/contact/digits.h"
#include "io/contact/lines.h"

namespace slipfield {
namespace {

constexpr auto kWheelInteger = InputKind::integer;
constexpr auto kWheelAngle = InputKind::angle;
constexpr auto kWheelOptional = Presence::optional;

constexpr std::array<DigitChoice, 7> kFirstWheelDigits{{{kConfiguration, "0145", "C1"},
                                                        {'P', "0123"},
                                                        {'B', "0156"},
                                                        {'T', "0123"},
                                                        {'N', "01"},
                                                        {'F', "013"},
                                                        {'S', "0123"}}};
constexpr std::array<DigitChoice, 7> kSecondWheelDigits{{{'V', "012"},
                                                         {'L', "012346"},
                                                         {'D', "012345678"},
                                                         {'C', "01234"},
                                                         {'M', "01234567"},
                                                         {'Z', "0123"},
                                                         {'E', "012345"}}};
constexpr std::array<DigitChoice, 2> kExtraWheelDigits{
    {{kGapWeight, "01", "GAPWGT"}, {kDamping, "012", "M2"}}};
constexpr std::array<DigitChoice, 8> kThirdWheelDigits{{{'X', "01"},
                                                        {'H', "013"},
                                                        {'G', "012345"},
                                                        {'I', "0123456789"},
                                                        {'A', "012"},
                                                        {'O', "0123456789"},
                                                        {'W', "0123456789"},
                                                        {'R', "0123"}}};

class WheelReading {
 public:
  WheelReading(InputLines& lines, WheelInput& input, CaseDiagnostics& diagnostics)
      : lines_(lines), input_(input), state_(input.state), diagnostics_(diagnostics) {}

  void read(bool first) {
    read_digits();
    diagnostics_.throw_if_any();  // the layout of the rest depends on them
    refuse_in_first(first && digit('L') == 1, 'L', "friction", "0, 2, 3, 4 or 6");
    refuse_in_first(first && digit('C') < 2, 'C', "material", "2");
    refuse_in_first(first && digit('D') < 2, 'D', "spacing of the elements", "2");
    refuse_in_first(first && digit('Z') != 3, 'Z', "rail", "3");
    refuse_in_first(first && digit('E') != 3 && digit('E') != 5, 'E', "wheelset", "3");
    if (digit('X') == 1) lines_.read_list("P-S-F-L-C-I-N", 1, kWheelInteger);
    shared(SharedLines::iteration);
    if (digit('L') != 1) read_friction();
    if (digit('C') > 1) read_material();
    if (digit(kDamping) == 2) lines_.read_list("CDAMPN, CDAMPT, DFNMAX, DFTMAX", 4);
    shared(SharedLines::heat);
    if (digit('D') > 1) read_patches();
    read_track();
    read_wheelset();
    if (digit('S') >= 2) shared(SharedLines::subsurface);
    input_.base.last_line = lines_.line_number();
  }

 private:
  [[nodiscard]] int digit(char letter) const { return input_.digit(letter); }
  void shared(SharedLines which) { read_shared_lines(which, lines_, input_.base, diagnostics_); }
  void refuse_in_first(bool missing, char letter, std::string_view what,
                       std::string_view accepted) {
    if (missing)
      diagnostics_.add(input_.base.digits[letter].place, std::string(1, letter),
                       fmt::format("{} although there is no {} to keep yet", digit(letter), what),
                       fmt::format("accepted: {}", accepted));
  }

  void read_digits() {
    ControlDigits& digits = input_.base.digits;
    const auto number = [&](std::string_view label, std::size_t count) {
      const std::array<InputField, 2> fields{digits_field(label),
                                             digits_field("GAPWGT, M2", kWheelOptional)};
      return lines_.read(label, std::span(fields).first(count));
    };
    const auto first = number("C-P-B-T-N-F-S", 1);
    input_.base.first_line = lines_.line_number();
    const auto second = number("V-L-D-C-M-Z-E", 2);
    const auto third = number("X-H-G-I-A-O-W-R", 1);
    take_digits(first[0], kFirstWheelDigits, digits, diagnostics_);
    take_digits(second[0], kSecondWheelDigits, digits, diagnostics_);
    digits.at(kDamping) = {1, second[0].place};
    if (second.size() > 1) take_digits(second[1], kExtraWheelDigits, digits, diagnostics_);
    take_digits(third[0], kThirdWheelDigits, digits, diagnostics_);
  }

  // V = 1, 2: rows that begin with an inclination or a place along the track.
  void read_friction() {
    if (digit('V') == 0) return shared(SharedLines::friction);
    InputFriction& friction = input_.base.state.friction;
    friction = {input_.base.digits['L'], input_.base.digits['V'], {}, {}};
    const InputNumber count = lines_.read_list("NVF", 1, kWheelInteger)[0];
    const std::size_t values = digit('L') == 0 ? 2 : digit('L') == 6 ? 4 : 5;
    std::vector<InputField> fields(values + 1, {.label = "FSTAT, FKIN"});
    fields[0] = {.label = digit('V') == 1 ? "ALPHVF" : "SVF", .kind = kWheelAngle};
    for (int row = 0; row < count.integer(); ++row)
      friction.rows.push_back(lines_.read("rows of friction", fields));
    if (digit('L') >= 2) friction.memory = lines_.read_list("MEMDST, MEM_S0", 2);
  }

  void read_material() {
    input_.base.state.influence = input_.base.digits['C'];
    input_.base.state.inclinations.clear();
    if (digit('C') == kConformalInfluence)
      input_.base.state.inclinations = lines_.read_list("IF_METH, VARIANT", 2, kWheelInteger);
    shared(SharedLines::material);
    if (digit('B') == 1) lines_.read_list("FLXZ", 1);
    const int material = digit('M');
    if (material == 1) lines_.read_list("FG 1,2, TC 1,2", 4);
    if (input_.base.simplified()) shared(SharedLines::slope);
    if (material == 4) lines_.read_list("GG3, LAYTHK, TAU_C0, K_TAU", 4);
  }

  void read_patches() {
    state_.planning = input_.base.digits['D'];
    constexpr std::array<InputField, 8> kPatches{{{.label = "DX", .range = kPositive},
                                                  {.label = "DS", .range = kPositive},
                                                  {.label = "DQREL", .range = kPositive},
                                                  {.label = "A_SEP", .kind = kWheelAngle},
                                                  {.label = "D_SEP", .range = kNotNegative},
                                                  {.label = "D_COMB", .range = kNotNegative},
                                                  {.label = "D_TURN", .presence = kWheelOptional},
                                                  {.label = "G_MISS", .presence = kWheelOptional}}};
    state_.patches = lines_.read("DX, DS, DQREL, A_SEP, D_SEP, D_COMB", kPatches);
  }

  void read_track() {
    const int track = digit('Z');
    if (track == 1 || track == 3) {
      constexpr std::array<InputField, 5> kTrack{{{.label = "GAUGHT"},
                                                  {.label = "GAUGSQ or RAILY0"},
                                                  {.label = "GAUGWD or RAILZ0"},
                                                  {.label = "CANT", .kind = kWheelAngle},
                                                  {.label = "CURV", .presence = kWheelOptional}}};
      state_.track = lines_.read("GAUGHT, GAUGSQ, GAUGWD, CANT", kTrack);
    }
    if (track == 3) state_.rail = read_profile("RFNAME");
    if (track < 2) return;
    constexpr std::array<InputField, 6> kDeviation{{{.label = "DYRAIL"},
                                                    {.label = "DZRAIL"},
                                                    {.label = "DROLLR", .kind = kWheelAngle},
                                                    {.label = "VYRAIL"},
                                                    {.label = "VZRAIL"},
                                                    {.label = "VROLLR", .kind = kWheelAngle}}};
    state_.deviation = lines_.read("DYRAIL to VROLLR", kDeviation);
    if (digit('F') == 3) lines_.read_list("KYRAIL, FYRAIL, KZRAIL, FZRAIL", 4);
  }

  InputProfile read_profile(std::string_view label) {
    const std::array<InputField, 6> fields{
        {{.label = label, .kind = InputKind::name},
         {.label = "MIRRORY", .kind = kWheelInteger},
         {.label = "SCALE"},
         {.label = "SMOOTH", .range = kNotNegative},
         {.label = "MIRRORZ", .kind = kWheelInteger, .presence = kWheelOptional},
         {.label = "PRFOPT", .kind = kWheelInteger, .presence = kWheelOptional}}};
    InputProfile profile;
    const InputNumbers numbers = lines_.read(label, fields);
    profile.name = name_at(numbers[0].place);
    profile.numbers.assign(numbers.begin(), numbers.begin() + 4);
    if (numbers.size() > 4) profile.mirror_z = {numbers[4]};
    const int options = numbers.size() > 5 ? numbers[5].integer() : 0;
    constexpr std::array<InputField, 5> kSmoothing{{{.label = "ISMOOTH", .kind = kWheelInteger},
                                                    {.label = "ZIGTHRS", .kind = kWheelAngle},
                                                    {.label = "KINKHIGH", .kind = kWheelAngle},
                                                    {.label = "KINKLOW", .kind = kWheelAngle},
                                                    {.label = "KINKWID"}}};
    if (options >= 1) profile.smoothing = lines_.read("ISMOOTH to KINKWID", kSmoothing);
    if (options >= 2) lines_.read_list("ERRHND, MAXOMIT", 2);
    return profile;
  }

  void read_wheelset() {
    const int wheelset = digit('E');
    if (wheelset == 3 || wheelset == 5) {
      constexpr std::array<InputField, 4> kWheelset{
          {{.label = "FBDIST", .range = kNotNegative},
           {.label = "FBPOS"},
           {.label = "NOMRADW", .range = kPositive},
           {.label = "YTAPE", .presence = kWheelOptional}}};
      state_.wheelset = lines_.read("FBDIST, FBPOS, NOMRADW", kWheelset);
      state_.wheel = read_profile("WFNAME");
    }
    if (wheelset >= 1) {
      const std::array<InputField, 6> position{{{.label = "S"},
                                                {.label = "Y"},
                                                {.label = digit('N') == 1 ? "FZ" : "Z",
                                                 .range = digit('N') == 1 ? kPositive : kAnyNumber},
                                                {.label = "ROLL", .kind = kWheelAngle},
                                                {.label = "YAW", .kind = kWheelAngle},
                                                {.label = "PITCH", .kind = kWheelAngle}}};
      state_.position = lines_.read("S, Y, Z or FZ, ROLL, YAW, PITCH", position);
    }
    if (wheelset >= 2) {
      const bool has_force = digit('F') == 1;
      const std::array<InputField, 6> velocity{
          {{.label = "VS"},
           {.label = "VY"},
           {.label = "VZ"},
           {.label = "VROLL", .kind = kWheelAngle},
           {.label = "VYAW", .kind = kWheelAngle},
           {.label = has_force ? "FX" : "VPITCH",
            .kind = has_force ? InputKind::number : kWheelAngle}}};
      state_.velocity = lines_.read("VS, VY, VZ, VROLL, VYAW, VPITCH or FX", velocity);
      state_.velocity_is_of = input_.base.digits['F'];
    }
    if (wheelset < 4) return;
    state_.flexible = read_deviations("DXWHL to DPITCHW");
    const InputNumbers velocities = read_deviations("VXWHL to VPITCHW");
    state_.flexible.insert(state_.flexible.end(), velocities.begin(), velocities.end());
  }

  // Six numbers in one list, which a remark may follow.
  InputNumbers read_deviations(std::string_view label) {
    std::array<InputField, 6> fields{};
    for (std::size_t i = 0; i < fields.size(); ++i)
      fields[i] = {.label = label, .kind = i < 3 ? InputKind::number : kWheelAngle};
    return lines_.read(label, fields);
  }

  InputLines& lines_;
  WheelInput& input_;
  WheelState& state_;
  CaseDiagnostics& diagnostics_;
};

}  // namespace

bool WheelInput::complete() const {
  return !base.state.friction.rows.empty() && !base.state.material.empty() &&
         !state.patches.empty() && !state.track.empty() && !state.rail.numbers.empty() &&
         !state.deviation.empty() && !state.wheelset.empty() && !state.wheel.numbers.empty() &&
         !state.position.empty() && !state.velocity.empty();
}

std::optional<InputFriction> uniform_friction(const WheelInput& input) {
  const InputFriction& friction = input.base.state.friction;
  if (friction.variation.value == 0 || friction.rows.empty()) return friction;
  InputFriction result = friction;
  result.variation.value = 0;
  const double s = input.state.position[0].value;
  InputNumbers row = friction.rows.front();
  for (std::size_t k = 1; k < friction.rows.size(); ++k) {
    const InputNumbers& before = friction.rows[k - 1];
    const InputNumbers& after = friction.rows[k];
    const double share =
        std::clamp((s - before[0].value) / (after[0].value - before[0].value), 0.0, 1.0);
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (friction.variation.value == 1 && after[i].value != before[i].value) return std::nullopt;
      if (s > before[0].value)
        row[i].value = as_decimal(before[i].value + share * (after[i].value - before[i].value));
    }
  }
  result.rows = {InputNumbers(row.begin() + 1, row.end())};
  return result;
}

WheelInput read_wheel_input(InputLines& lines, const WheelInput* before, int number, int element,
                            CaseDiagnostics& diagnostics) {
  WheelInput input;
  if (before != nullptr) {
    input.state = before->state;
    input.base.state = before->base.state;
    input.base.digits.at(kGapWeight) = before->base.digits[kGapWeight];
  }
  input.base.number = number;
  input.element = element;
  WheelReading(lines, input, diagnostics).read(before == nullptr);
  return input;
}

}  // namespace slipfield
