// SPDX-License-Identifier: Apache-2.0
#include "io/case/wheel_rail/wheel_rail.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "io/case/check/faults.h"
#include "io/case/doubts.h"
#include "io/case/names.h"
#include "io/case/reader.h"
#include "io/case/table.h"
#include "io/case/wheel_rail/doubts.h"
#include "io/profiles/reader.h"
#include "io/result/wheel/table.h"
#include "io/yaml/tree.h"
#include "solver/error.h"
#include "solver/wheel_rail/conformal/conformal_patch.h"
#include "solver/wheel_rail/surface/rail_friction.h"

namespace slipfield {
namespace {

constexpr NumberRange kMergeAngle{
    .least = 0.0, .lower = Bound::closed, .greatest = 3.2, .besides = " rad"};
constexpr double kMostTurning = 0.0873;   // [rad], 5 degrees: beyond it a contact is conformal
constexpr double kMostPenetration = 0.5;  // [mm], of undeformed bodies: steel yields long before
constexpr double kMostSlope = 0.005;      // of the rail along the track
constexpr double kDegree = 0.017453292519943295;

struct WheelProfileKeys {
  std::optional<std::string> file;
  std::vector<std::string> files;  // a list, with their places along the track
  std::optional<std::vector<double>> position;
  ProfileChanges changes;
};

void read_profile_name(CaseSection& section, const KeyRow& row, WheelProfileKeys& keys) {
  const YamlNode* node = section.node().find(row.name);
  if (node == nullptr && row.is_required() && (section.has("left") || section.has("right"))) {
    section.diagnostics().add_missing(section.place(), section.path_of(row.name),
                                      "the profile of both sides next to 'left' and 'right', whose "
                                      "own replaces it; where both have their own, one of them");
    return;
  }
  if (node == nullptr || node->kind != YamlNode::Kind::sequence) {
    const auto presence = row.is_required() ? Presence::required : Presence::optional;
    if (auto file = section.text(row.name, row.accepted, presence)) keys.file = std::move(file);
    keys.files.clear();
    return;
  }
  section.know(row.name);
  std::vector<std::string> names;
  for (const YamlNode& item : node->items) {
    if (item.kind != YamlNode::Kind::scalar || item.text.empty())
      return section.error_at_value(row.name, "is a list of something else than files",
                                    "the names of profiles' files");
    names.push_back(item.text);
  }
  if (names.size() < 2)
    return section.error_at_value(row.name, "is a list of fewer than two files",
                                  "one file, or a list of two and more with their position");
  keys.file = names.front();
  keys.files = std::move(names);
}
std::string profile_name_text(const WheelProfileKeys& keys) {
  if (keys.files.empty()) return keys.file ? double_quoted(*keys.file) : std::string();
  return keys::text_of(list_form(KeyForm{}, 2), keys.files);
}

std::vector<KeyRow> profile_rows(std::string_view file_otherwise) {
  using S = WheelProfileKeys;
  using C = ProfileChanges;
  return {
      value(
          "profile", {KeyForm{}, list_form(KeyForm{}, 2)},
          "the name of a profile's file, from the folder of the case", file_otherwise,
          "a file: SIMPACK `.prr`, `.prw`; MiniProf `.ban`, `.whl`, `.mpt` of any age; VAMPIRE "
          "`.whe`, `.rai`; else a table of y, z, as GENSYS's `.wheel`, `.rail` (blanks, commas or "
          "semicolons; lines of names above them; comments from #, % or ! on). Of "
          "a rail that changes along the track CONTACT's slices `.slcs`, or a list of files with "
          "their `position`")
          .by(read_profile_name, profile_name_text),
      numbers("position", &S::position, kAnyNumber, 2, "none",
              "of a list of profiles: where each is along the track, increasing; between them they "
              "are blended, by equal shares of their lengths"),
      flag("mirror_y", InPart{&S::changes, &C::mirror_y}, "false; required for MiniProf",
           "y changes sign, after what the file itself asks for"),
      flag("mirror_z", InPart{&S::changes, &C::mirror_z},
           "found out from the shape; SIMPACK: false", "z changes sign"),
      word("unit", InPart{&S::changes, &C::unit}, kProfileUnits, "mm; SIMPACK: what the file says",
           "`mm`, `cm`, `m`, `inch`: of the file's numbers"),
      number("scale", InPart{&S::changes, &C::scale}, kPositive, "1",
             "factor besides, 1.02 for shrinkage or 0.001 for micrometres"),
      pair("shift", &C::shift_y, &C::shift_z, kAnyNumber, "[y, z]", "[0, 0]", "[y, z], added last")
          .within(&S::changes),
      number("smoothing", InPart{&S::changes, &C::smoothing}, kNotNegative, "0",
             "wave length of which a smoothing spline leaves half of the amplitude; 0: "
             "through the points")};
}

// A key of one side replaces that of both.
const KeyTable kSideProfileTable{"wheel_rail.wheel.left", profile_rows("that of both")};

const KeyTable kWheelProfileTable{
    "wheel_rail.wheel",
    joined_rows(profile_rows("required"),
                {map("left", kSideProfileTable, "none",
                     "keys of this section that the left wheel or rail has instead, its `profile` "
                     "too"),
                 map("right", kSideProfileTable, "none",
                     "the same of the right one; a wheel of another diameter has another "
                     "`shift`")})};

struct WheelKeys {
  PatchSettings patches;
  bool geometry_only = false;
};

const KeyTable kMergeTable{"wheel_rail.merge",
                           {number("distance", &PatchSettings::merge_distance, kNotNegative, "8",
                                   "up to which two regions are one contact"),
                            number("angle", &PatchSettings::merge_angle, kMergeAngle, "pi/2",
                                   "and by how much they may be turned [rad]")}};

// Reads the profiles of wheels or rails; the keys of a side replace those of both.
class ProfileReader {
 public:
  ProfileReader(ProfileRole role, const std::filesystem::path& folder, HeightsFiles& files)
      : role_(role), folder_(folder), files_(files) {}

  SideProfiles read(CaseSection& parent, std::string_view key) {
    SideProfiles profiles;
    auto section = parent.section(key, kWheelProfileTable.accepted_text(), Presence::required);
    if (!section) return profiles;
    const std::size_t before = section->diagnostics().reported();
    WheelProfileKeys given;
    kWheelProfileTable.read_into(*section, &given);
    const std::string of_side_text = kSideProfileTable.accepted_text();
    const auto left = section->section("left", of_side_text, Presence::optional);
    const auto right = section->section("right", of_side_text, Presence::optional);
    if (section->diagnostics().reported() != before || !given.file) return profiles;
    profiles.differ = left || right;
    profiles.left = left ? of_side(*left, given) : load(*section, given);
    profiles.right = right ? of_side(*right, given) : !left ? profiles.left : load(*section, given);
    return profiles;
  }

 private:
  ProfileSource of_side(CaseSection section, const WheelProfileKeys& usual) {
    WheelProfileKeys given = usual;
    if (!kSideProfileTable.read_into(section, &given)) return {};
    // A single profile instead of slices drops their positions.
    if (given.files.empty() && !section.has("position")) given.position.reset();
    return load(section, given);
  }

  // The slices of a rail that changes along the track.
  std::vector<SliceOfFile> slices_of(CaseSection& section, const WheelProfileKeys& given,
                                     ProfileSource& source) {
    std::vector<SliceOfFile> slices;
    if (given.files.empty()) {
      section.diagnostics().add_file(folder_ / *given.file);
      return read_slices(folder_ / *given.file);
    }
    if (!given.position || given.position->size() != given.files.size())
      throw InputError(fmt::format("lists {} profiles, and 'position' {} places; accepted: as many",
                                   given.files.size(),
                                   given.position ? given.position->size() : 0));
    for (std::size_t i = 0; i < given.files.size(); ++i) {
      slices.push_back({(*given.position)[i], folder_ / given.files[i], {}});
      source.files.push_back(absolute_path(slices.back().file));
    }
    return slices;
  }
  ProfileSource load_slices(CaseSection& section, const WheelProfileKeys& given) {
    ProfileSource source{absolute_path(folder_ / *given.file), given.changes, {}};
    try {
      if (role_ == ProfileRole::wheel)
        throw InputError("changes along the track, which a wheel does not; accepted: one profile");
      std::vector<RailSlice> slices;
      std::map<std::string, std::vector<std::string>> warned;  // in which files
      for (SliceOfFile& each : slices_of(section, given, source)) {
        section.diagnostics().add_file(each.file);
        const auto profile = files_.profile(each.file, role_, given.changes);
        for (const std::string& warning : profile->warnings)
          warned[warning].push_back(each.file.filename().string());
        slices.push_back({each.position, profile, std::move(each.features)});
      }
      for (const auto& [warning, in] : warned)
        warn(section, in.size() == 1 ? fmt::format("{}: {}", in.front(), warning)
                                     : fmt::format("{} of {} slices, {} to {}: {}", in.size(),
                                                   slices.size(), in.front(), in.back(), warning));
      source.slices = std::make_shared<const RailSlices>(std::move(slices));
      source.profile = source.at(source.slices->first());
    } catch (const InputError& error) {
      refuse(section, error.what());
    }
    return source;
  }

  ProfileSource load(CaseSection& section, const WheelProfileKeys& given) {
    const bool of_file = given.files.empty() && is_slices_file(*given.file);
    if (given.files.empty() && given.position)
      section.error_at_key("position",
                           of_file ? "given together with a file of slices, which has their places"
                                   : "given together with one profile",
                           "a list of profiles, or no position");
    if (!given.files.empty() || of_file) return load_slices(section, given);
    const std::filesystem::path path = folder_ / *given.file;
    ProfileSource source{absolute_path(path), given.changes, {}};
    section.diagnostics().add_file(path);
    try {
      source.profile = files_.profile(path, role_, given.changes);
      for (const std::string& warning : source.profile->warnings)
        warn(section, fmt::format("{}: {}", *given.file, warning));
    } catch (const InputError& error) {
      refuse(section, error.what());
    }
    return source;
  }
  static void refuse(CaseSection& section, const std::string& what) {
    if (section.has("profile"))
      section.error_at_value("profile", what, "");
    else
      section.error_here(what, "");
  }
  static void warn(CaseSection& section, const std::string& text) {
    if (section.has("profile"))
      section.warn_at_value("profile", text);
    else
      section.diagnostics().warn(section.place(), section.path(), text);
  }

  ProfileRole role_;
  const std::filesystem::path& folder_;
  HeightsFiles& files_;
};

// The length along x of the contact where the undeformed bodies overlap. For Hertz's paraboloids
// the contact is 1/sqrt(2) times as long as the overlap.
double estimated_length(const ContactPatch& patch) {
  const auto columns = static_cast<std::size_t>(patch.grid.mx);
  std::vector<bool> overlaps(columns, false);
  for (std::size_t e = 0; e < patch.distance.size(); ++e)
    if (patch.distance[e] < patch.penetration) overlaps[e % columns] = true;
  const auto count = std::ranges::count(overlaps, true);
  return static_cast<double>(count) * patch.grid.dx / std::numbers::sqrt2;
}

// A section or setting of the case that something in `wheel_rail` excludes.
struct WheelConflict {
  std::string_view with;  // in wheel_rail
  std::string_view key;   // of the root
  std::string_view why;
  std::string_view accepted;
  bool (*holds)(const ContactProblem&) = nullptr;  // null: where the key is given

  [[nodiscard]] bool occurs(const CaseSection& root, const ContactProblem& problem) const {
    return holds != nullptr ? holds(problem) : root.has(key);
  }
};

constexpr std::string_view kConformal = "contact_surface: conformal";
constexpr std::string_view kShift = "problem: shift";
constexpr std::string_view kTransient = "problem: transient_rolling";
constexpr std::string_view kGeometryOnly = "geometry_only";

bool needs_half_spaces(const ContactProblem& problem) {
  const SolverSettings& solver = problem.solver;
  return (solver.tangential != TangentialMethod::automatic &&
          solver.tangential != TangentialMethod::newton) ||
         (solver.normal != NormalMethod::automatic && solver.normal != NormalMethod::newton) ||
         solver.rolling == RollingScheme::second_order ||
         solver.influence == InfluenceMethod::summation;
}
bool asks_for_sensitivities(const ContactProblem& problem) { return problem.sensitivities; }
bool is_second_order(const ContactProblem& problem) {
  return problem.solver.rolling == RollingScheme::second_order;
}
constexpr std::string_view kMove = "whose contacts move from step to step";
constexpr std::string_view kOwnGrid =
    "wheel_rail.problem: steady_rolling, or a contact with a grid of its own";
constexpr std::string_view kNothing = "which solves nothing";

// Conformal contacts have coefficients of their own. A shift takes no time and wears no profile.
// Transient contacts move, and temperatures and wear would have to follow them.
constexpr std::array kWheelConflicts{
    WheelConflict{kConformal, "solver",
                  "whose contacts newton solves, by first_order and without tiled sums",
                  "normal and tangential: auto or newton, influence: auto or fft, or "
                  "contact_surface: planar",
                  needs_half_spaces},
    WheelConflict{kConformal, "interior", "and stresses inside are those of half-spaces",
                  "no interior, or contact_surface: planar"},
    WheelConflict{kConformal, "wear", "and worn profiles are those of planar contacts",
                  "no wear, or contact_surface: planar"},
    WheelConflict{kConformal, "output", "and sensitivities are those of half-spaces",
                  "no sensitivities, or contact_surface: planar", asks_for_sensitivities},
    WheelConflict{kShift, "wear", "which rolls over nothing",
                  "wheel_rail.problem: steady_rolling, or no wear"},
    WheelConflict{kShift, "heat", "which takes no time",
                  "wheel_rail.problem: steady_rolling, or no heat"},
    WheelConflict{kTransient, "wear", kMove, kOwnGrid},
    WheelConflict{kTransient, "heat", kMove, kOwnGrid},
    WheelConflict{kTransient, "fatigue", kMove, kOwnGrid},
    WheelConflict{kTransient, "solver", "whose contacts keep no more than tractions",
                  "rolling: first_order, or wheel_rail.problem: steady_rolling", is_second_order},
    WheelConflict{kGeometryOnly, "interior", kNothing, "one of them"},
    WheelConflict{kGeometryOnly, "wear", kNothing, "one of them"},
    WheelConflict{kGeometryOnly, "heat", kNothing, "one of them"},
    WheelConflict{kGeometryOnly, "fatigue", kNothing, "one of them"}};

void refuse_with(std::string_view with, CaseSection& root, const ContactProblem& problem) {
  for (const WheelConflict& row : kWheelConflicts)
    if (row.with == with && row.occurs(root, problem))
      root.error_at_key(row.key,
                        fmt::format("given together with 'wheel_rail.{}', {}", with, row.why),
                        row.accepted);
}

void check_wheel_settings(CaseSection& root, const ContactProblem& problem) {
  if (problem.units != Units::n_mm_s)
    root.error_at_value("units", "a case with 'wheel_rail' is in mm", "N-mm-s");
  const SolverSettings& solver = problem.solver;
  if (is_simplified(solver.tangential) &&
      (solver.normal == NormalMethod::automatic || solver.normal == NormalMethod::sdec))
    root.error_at_key("solver",
                      "the contacts of 'wheel_rail' are not ellipses, which fastsim and fastrip "
                      "with this 'normal' need",
                      "tangential: fastsim or fastrip with normal: kpec, analyn or bound_cg and no "
                      "influence, or tangential: auto, newton, gauss_seidel or direct");
  if (root.diagnostics().empty()) report_wheel_problem(root, problem);
}

// Checks the undeformed bodies of a step before anything is solved: errors of its position, and the
// grid of its largest contact.
class StepProbe {
 public:
  StepProbe(const CaseSection& root, CaseSection& section, WheelRailCase& wheel_rail,
            ContactProblem& problem)
      : section_(section), wheel_rail_(wheel_rail), problem_(problem) {
    for (const WheelConflict& row : kWheelConflicts)
      if (row.with == kConformal && row.occurs(root, problem))
        not_conformal_ += fmt::format("{}'{}'", not_conformal_.empty() ? "" : ", ", row.key);
  }

  bool probe(std::size_t i) {
    const WheelsetStep& step = wheel_rail_.steps[i];
    try {
      const std::span<WheelRailSearch> searches = wheel_rail_.searches.of(step);
      if (step.geometry_only) {  // the run computes the rest
        for (std::size_t k = 0; k < step.wheels.size(); ++k) {
          doubt(i, step.wheels[k].position, searches[k]);
          searches.back().share_rail(searches.front());
        }
        return true;
      }
      const AxlePose pose = estimated_pose(searches, combine(problem_.upper, problem_.lower), step);
      std::array<double, 2> radii{};
      for (std::size_t k = 0; k < step.wheels.size(); ++k) {
        WheelRailPosition position = step.wheels[k].position;
        position.wheelset.z = pose.z;
        position.wheelset.roll = pose.roll;
        radii[k] = probe(i, position, searches[k]);
      }
      doubt_pitch(i, radii, searches.front());
      return true;
    } catch (const InputError& error) {
      const WheelRailPosition& position = step.wheels.front().position;
      const auto& wheel = wheel_rail_.wheel.of(position.side).profile;
      if (const auto found = wrong_length(position, *wheel))
        section_.error_at_value(found->key, found->problem, found->accepted);
      else
        section_.error_here(step_text(i) + error.what(), "");
      return false;
    }
  }

  // Warnings that need all steps.
  void finish() {
    if (steps_that_turn_.empty()) return;
    const std::size_t others = steps_that_turn_.size() - 1;
    warn(most_.step,
         fmt::format(
             "the rail's normal turns by about {:.3g} degrees within the contact at y = {:.4g} mm "
             "(angle {:.3g} degrees{}); planar contacts are good up to some 5 degrees, {}",
             most_.turning / kDegree, most_.y, most_.angle / kDegree,
             others == 0 ? "" : fmt::format("; less in {} more of the steps", others),
             not_conformal_.empty()
                 ? "contact_surface: conformal beyond them"
                 : fmt::format("and contact_surface: conformal, good beyond them, does not go with "
                               "{} of this case: compare the forces of a run without",
                               not_conformal_)),
         "wheel_turning");
  }

 private:
  // Returns the wheel's rolling radius.
  double doubt(std::size_t i, const WheelRailPosition& position, WheelRailSearch& search) {
    const NearestPoint nearest = search.nearest(position);
    const WheelStep& wheel = wheel_rail_.steps[i].wheels.front();
    warn(i, force_doubt(wheel.vertical_force, position.wheelset));
    warn(i, driving_doubt(wheel_rail_.steps[i]));
    warn(i, velocity_doubt(wheel, problem_.surface.heat.has_value()));
    for (const WheelDoubt& found : wheel_doubts(position, nearest, search.wheel())) warn(i, found);
    if (i > 0) warn(i, motion_doubt(wheel_rail_.steps[i - 1].wheels.front().position, position));
    if (i > 0) return nearest.radius;  // all steps usually share the first one's gauge
    const bool changes = wheel_rail_.rail.of(position.side).slices != nullptr;
    const RailHead& head = search.rail_head();
    const std::string of = of_side(i, position.side);
    warn(i, gauge_doubt(search.rail(), head, position.track, search.placed_rail()), of);
    if (changes) return nearest.radius;
    warn(i, lean_doubt(head.inclination, position.track), of);
    warn(i, groove_doubt(head.grooves), of);
    return nearest.radius;
  }
  // radii: of the step's wheels.
  void doubt_pitch(std::size_t i, const std::array<double, 2>& radii, WheelRailSearch& search) {
    const std::vector<WheelStep>& wheels = wheel_rail_.steps[i].wheels;
    for (std::size_t k = 0; k < wheels.size(); ++k)
      if (!rolls_off_nominal_radius(wheels[k], radii[k])) return;
    const bool is_alone = wheels.size() == 1;
    double other = radii[1];
    if (is_alone) {  // what only few positions need
      const double sign = wheels.front().position.side == Side::left ? 1.0 : -1.0;
      SolvedWheel wheel;
      describe_position(search, wheels.front().position, wheel);
      other = radii[0] + sign * wheel.radius_difference;
    }
    warn(i, pitch_doubt(wheels.front(), radii[0], other, is_alone));
  }
  // Names the rail if the two of a wheelset differ.
  [[nodiscard]] std::string of_side(std::size_t i, Side side) const {
    if (wheel_rail_.steps[i].wheels.size() != 2 || !wheel_rail_.rail.differ) return {};
    return side == Side::left ? "left rail: " : "right rail: ";
  }
  // Returns the wheel's rolling radius.
  double probe(std::size_t i, const WheelRailPosition& position, WheelRailSearch& search) {
    const double radius = doubt(i, position, search);
    const auto patches = search.patches(position);
    double length = 0.0;  // of the longest contact
    for (const ContactPatch& patch : patches) {
      take(i, patch);
      warn_of_slope(i, position, patch);
      length = std::max(length, estimated_length(patch));
    }
    warn_of_long_step(i, position, length);
    if (patches.empty()) warn(i, gap_doubt(position.side, search.nearest(position).gap));
    return radius;
  }
  void warn_of_long_step(std::size_t i, const WheelRailPosition& position, double length) {
    const double spacing = wheel_rail_.patches.spacing_x;
    if (!(position.rolled >= kLongStep * length) || length == 0.0 || position.rolled <= spacing)
      return;
    warn(i,
         fmt::format("the wheel rolls {:.4g} mm in a step, {:.2g} times the length of its contact, "
                     "about {:.3g} mm, so that hardly any material stays in contact from one step "
                     "to the next; a smaller wheel_rail.step (by default dx of spacing, {:g} mm)",
                     position.rolled, position.rolled / length, length, spacing),
         "wheel_long_step");
  }
  // The contact uses the profile at the axle's place, straight along the track.
  void warn_of_slope(std::size_t i, const WheelRailPosition& position, const ContactPatch& patch) {
    const auto& slices = wheel_rail_.rail.of(position.side).slices;
    if (!slices) return;
    const double sign = position.side == Side::right ? 1.0 : -1.0;
    const double slope = slices->slope(position.wheelset.x, sign * patch.on_rail.y());
    if (!(std::fabs(slope) > kMostSlope)) return;
    warn(i,
         fmt::format(
             "the rail {} by 1:{:.3g} along the track at the contact at y = {:.4g} mm, which "
             "is left out: the contact lies some {:.2g} mm {} the axle, on another place "
             "of the rail, and its force is inclined",
             slope < 0.0 ? "rises" : "falls", 1.0 / std::fabs(slope), patch.frame.origin.y(),
             std::fabs(slope) * position.wheelset.nominal_radius,
             slope < 0.0 ? "ahead of" : "behind"),
         "rail_slope");
  }
  void take(std::size_t i, const ContactPatch& patch) {
    if (patch.grid.count() > problem_.grid.count()) {
      problem_.grid = patch.grid;
      if (patch.is_conformal()) problem_.influence = conformal_influence(patch);
    }
    if (patch.turning > kMostTurning && !patch.is_conformal()) {
      steps_that_turn_.insert(i);
      if (patch.turning > most_.turning)
        most_ = {i, patch.turning, patch.angle, patch.frame.origin.y()};
    }
    take_extremes(i, patch);
  }
  void take_extremes(std::size_t i, const ContactPatch& patch) {
    if (patch.penetration > kMostPenetration)
      warn(i,
           fmt::format("the undeformed bodies overlap by {:.3g} mm at y = {:.4g} mm, where some "
                       "hundredths of a mm are usual; a smaller {}",
                       patch.penetration, patch.frame.origin.y(),
                       wheel_rail_.steps[i].wheels.front().vertical_force ? "vertical_force"
                                                                          : "wheelset.z"),
           "wheel_penetration");
    if (patch.at_profile_end)
      warn(i,
           fmt::format("the contact at y = {:.4g} mm reaches the end of a profile, where the rest "
                       "of it is missing; longer profiles, or another position",
                       patch.frame.origin.y()),
           "wheel_profile_end");
  }
  // `of`: names the rail.
  void warn(std::size_t i, const std::optional<WheelDoubt>& found, const std::string& of = {}) {
    if (found) warn(i, of + found->text, found->topic + of);
  }
  // Warns once for all steps, and points, with the same `topic`.
  void warn(std::size_t i, const std::string& what, const std::string& topic) {
    section_.diagnostics().warn(section_.place(), section_.path(), step_text(i) + what, topic);
  }
  [[nodiscard]] std::string step_text(std::size_t i) const {
    if (wheel_rail_.count() == 1) return {};
    int number = 1;
    for (std::size_t k = 0; k < i; ++k) number += wheel_rail_.steps[k].repeat;
    return fmt::format("step {}: ", number);
  }

  CaseSection& section_;
  WheelRailCase& wheel_rail_;
  ContactProblem& problem_;
  std::string not_conformal_;  // the case's keys that conformal contacts do not go with
  struct Turning {
    std::size_t step = 0;
    double turning = 0.0;  // of the rail's normal [rad]
    double angle = 0.0;
    double y = 0.0;
  };
  Turning most_;
  std::set<std::size_t> steps_that_turn_;  // beyond kMostTurning
};

// Warns of a profile on a side without a wheel in the case, unless a sweep, a program or --set
// chooses the side and may use it next time.
void warn_of_idle_profiles(const CaseSection& section, const WheelRailCase& wheel_rail) {
  const YamlNode* given = section.node().find("side");
  if (given != nullptr && given->place.source != nullptr &&
      given->place.source->kind() == SourceText::Kind::argument)
    return;
  for (const Side side : {Side::left, Side::right}) {
    const std::string_view name = side_name(side);
    const bool is_there = std::ranges::any_of(wheel_rail.steps, [&](const WheelsetStep& step) {
      return std::ranges::any_of(
          step.wheels, [&](const WheelStep& wheel) { return wheel.position.side == side; });
    });
    for (const std::string_view body : {"wheel", "rail"})
      if (const YamlNode* profile = section.node().find(body, name);
          profile != nullptr && !is_there)
        section.diagnostics().warn(
            profile->place, fmt::format("wheel_rail.{}.{}", body, name),
            fmt::format("has no effect: wheel_rail.side has no {} wheel. side: {} or both, or no "
                        "profile of its own",
                        name, name));
  }
}

// Warns of keys that have no effect with this rail, or with wheels at all.
void warn_of_idle_keys(CaseSection& root, const CaseSection& section,
                       const WheelRailCase& wheel_rail, const OutputSettings& output) {
  const bool moves = std::ranges::any_of(wheel_rail.steps, [](const WheelsetStep& step) {
    return step.wheels.front().position.wheelset.x != 0.0;
  });
  const bool changes =
      wheel_rail.rail.of(Side::left).slices || wheel_rail.rail.of(Side::right).slices;
  if (moves && !changes)
    section.diagnostics().warn(section.place(), "wheel_rail.wheelset.x",
                               "has no effect: the rail does not change along the track. Give "
                               "slices of the rail, or leave x out");
  if (!output.error_estimate.value_or(false)) return;
  if (auto given = root.section("output", "a map", Presence::optional))
    given->warn_at_value("error_estimate",
                         "has no effect: the errors of a wheel's contacts are not estimated. Leave "
                         "error_estimate out, or run a contact with a grid of its own");
}

void refuse_temperatures_of_shifts(CaseSection& root, const ContactProblem& problem) {
  if (!root.has("heat") && std::ranges::any_of(problem.steps, [](const StepInput& step) {
        return step.tangential.problem == TangentialProblem::shift &&
               std::holds_alternative<FrictionByTemperature>(step.friction.place);
      }))
    root.error_at_key(root.has("friction") ? "friction" : "steps",
                      "depends on a temperature, and 'wheel_rail.problem: shift' takes no time",
                      "wheel_rail.problem: steady_rolling with a section heat, or a coefficient "
                      "without temperature");
}

// Before the sections are checked by themselves.
void refuse_conflicts(CaseSection& root, const WheelRailCase& wheel_rail,
                      const ContactProblem& problem) {
  if (wheel_rail.patches.conformal) refuse_with(kConformal, root, problem);
  if (std::ranges::any_of(wheel_rail.steps, [](const WheelsetStep& step) {
        return step.wheels.front().position.shifts;
      }))
    refuse_with(kShift, root, problem);
  refuse_temperatures_of_shifts(root, problem);
  if (wheel_rail.patches.lattice) refuse_with(kTransient, root, problem);
}

// `interior` for each contact. A box would be undefined, because contacts choose their own grids.
std::optional<InteriorRequest> read_wheel_interior(CaseSection& root,
                                                   const ContactProblem& problem) {
  Grid any;  // depths and quantities are checked independently of the grid
  any.mx = any.my = 1;
  any.dx = any.dy = 1.0;
  auto request = read_interior(root, any, problem, problem.steps);
  if (!request) return std::nullopt;
  if (request->region == InteriorRegion::box)
    root.error_at_key("interior", "has a box as its region, and the contacts choose their grids",
                      "region: contact or grid");
  return request;
}

std::string keys_text(const KeyTable& table, const ProfileSource& source) {
  WheelProfileKeys keys{source.path.string(), {}, {}, source.changes};
  for (std::size_t i = 0; i < source.files.size(); ++i) {
    keys.files.push_back(source.files[i].string());
    if (i == 0) keys.position.emplace();
    keys.position->push_back(source.slices->slices()[i].position);
  }
  return flow_text(table, &keys);
}

std::string profiles_text(const SideProfiles& profiles) {
  if (!profiles.differ) return keys_text(kWheelProfileTable, profiles.right);
  return fmt::format(
      "{{profile: {}, left: {}, right: {}}}", double_quoted(profiles.right.path.string()),
      keys_text(kSideProfileTable, profiles.left), keys_text(kSideProfileTable, profiles.right));
}

// A comment that distinguishes different profiles in files of the same name.
std::string points_remark(const SideProfiles& profiles) {
  return fmt::format("  # points {:016x}", points_checksum(profiles));
}

std::string step_friction_text(const WheelsetStep& step) {
  const WheelStep& wheel = step.wheels.front();
  return friction_text(wheel.friction, wheel.friction_by_inclination ? kByInclination : "y");
}

// Refuses options that slices exclude: a gauge and a top found on each profile would hide the
// change along the track, and a lattice counts from the profile's beginning, which differs between
// slices.
void check_slices(CaseSection& section, const WheelRailCase& wheel_rail) {
  for (const WheelsetStep& step : wheel_rail.steps)
    for (const WheelStep& wheel : step.wheels) {
      const Track& track = wheel.position.track;
      if (!wheel_rail.rail.of(wheel.position.side).slices) continue;
      if (wheel_rail.patches.lattice)
        return section.error_at_key(
            "rail",
            "changes along the track, given together with 'wheel_rail.problem: "
            "transient_rolling', whose contacts keep their elements on one profile",
            "a rail of one profile, or wheel_rail.problem: steady_rolling");
      if (track.rail_origin && track.roller_radius == 0.0) continue;
      return section.error_at_key(
          "rail", "changes along the track, where its gauge and its top follow no one profile",
          "track.rail_origin: [y, z] of the origin of all its profiles, and no roller");
    }
}

}  // namespace

// The rows of the state are read for each step (state.cpp), those of the profiles below.
const KeyTable& wheel_rail_table() {
  using S = WheelKeys;
  using P = PatchSettings;
  static const KeyTable table = [] {
    std::vector<KeyRow> state = kWheelStateTable.rows;
    for (KeyRow& row : state) {
      row.read = nullptr;
      row.write = nullptr;
    }
    const std::vector<KeyRow> others{
        map("wheel", kWheelProfileTable, "required", "the wheel's profile"),
        map("rail", kWheelProfileTable, "required", "the rail's profile"),
        pair("spacing", &P::spacing_x, &P::spacing_y, kPositive, "[dx, dy]", "[0.2, 0.2]",
             "[dx, dy] of the elements, along the rail and across it")
            .within(&S::patches),
        word("contact_surface", InPart{&S::patches, &P::conformal}, kContactSurfaces, "planar",
             "`planar`: each contact lies in a plane; `conformal`: on the curved surface between "
             "rail and wheel, for flange roots"),
        flag("geometry_only", &S::geometry_only, "false",
             "`true`: nothing is solved; at the height given, or else where the undeformed wheel "
             "(`both`: where both) touches, the place of the contact, its angle and the rolling "
             "radius. `vertical_force` and `longitudinal_force` then do not count"),
        map("merge", kMergeTable, "{8, pi/2}",
            "`{distance, angle}`: regions in which the bodies overlap that are nearer than this, "
            "and turned against each other by less, are one contact")
            .at_own<PatchSettings>()
            .within(&S::patches)};
    return KeyTable{"wheel_rail", joined_rows(state, others)};
  }();
  return table;
}

std::uint64_t points_checksum(const SideProfiles& profiles) {
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  const auto add = [&hash](double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8)
      hash = (hash ^ (bits >> shift & 0xffU)) * 1099511628211U;
  };
  for (const ProfileSource* source : {&profiles.left, &profiles.right}) {
    const auto add_points = [&](const Profile& profile) {
      for (const ProfilePoint& point : profile.points) {
        add(point.y);
        add(point.z);
      }
    };
    if (source->slices) {
      for (const RailSlice& slice : source->slices->slices()) add_points(*slice.profile);
    } else if (source->profile) {
      add_points(*source->profile);
    }
  }
  return hash;
}

SideSearches::SideSearches(const SideProfiles& wheels, const SideProfiles& rails,
                           const PatchSettings& settings,
                           const std::shared_ptr<PlacedRails>& placed) {
  for (const Side side : {Side::left, Side::right}) {
    const ProfileSource& rail = rails.of(side);
    sources_.push_back({wheels.of(side), rail, rail.slices ? rail.slices->first() : 0.0});
    searches_.emplace_back(wheels.of(side).profile, rail.profile, settings,
                           rail.slices ? nullptr : placed);
  }
}

std::span<WheelRailSearch> SideSearches::of(const WheelsetStep& step) {
  for (const WheelStep& wheel : step.wheels) {
    const std::size_t k = wheel.position.side == Side::left ? 0 : 1;
    One& source = sources_[k];
    const double x = wheel.position.wheelset.x;
    if (!source.rail.slices || source.x == x) continue;
    searches_[k] =
        WheelRailSearch(source.wheel.profile, source.rail.at(x), searches_[k].settings());
    source.x = x;
  }
  const bool right = step.wheels.front().position.side == Side::right;
  return std::span(searches_).subspan(right ? 1 : 0, step.wheels.size());
}

int WheelRailCase::count() const {
  return std::accumulate(steps.begin(), steps.end(), 0,
                         [](int sum, const WheelsetStep& step) { return sum + step.repeat; });
}

const WheelsetStep* WheelRailCase::step(int number) const {
  int last = 0;
  for (const WheelsetStep& step : steps) {
    last += step.repeat;
    if (last >= number) return &step;
  }
  return nullptr;
}

std::optional<CaseFile> read_wheel_rail(CaseSection& root, const std::filesystem::path& path,
                                        const SweepPosition& position, HeightsFiles& files,
                                        CaseFile file) {
  ContactProblem& problem = file.problem;
  read_bodies(root, problem, kWheelRailBodies);
  if (creeps(problem))
    root.error_at_key("bodies", "the contacts of 'wheel_rail' are between elastic bodies",
                      "no 'viscoelastic', or a contact with a grid of its own");
  auto wheel_rail = std::make_shared<WheelRailCase>();
  auto section = root.section("wheel_rail", "a map {side, wheel, rail, track, wheelset, ...}",
                              Presence::required);
  if (section) {
    const std::filesystem::path folder = path.parent_path();
    wheel_rail->wheel = ProfileReader(ProfileRole::wheel, folder, files).read(*section, "wheel");
    wheel_rail->rail = ProfileReader(ProfileRole::rail, folder, files).read(*section, "rail");
    WheelKeys keys;
    wheel_rail_table().read_into(*section, &keys);
    wheel_rail->patches = keys.patches;
    wheel_rail->steps =
        read_wheel_steps(root, {std::nullopt, folder, files, true},
                         {keys.geometry_only, keys.patches.spacing_x, keys.patches.conformal});
    wheel_rail->patches.lattice = std::ranges::any_of(
        wheel_rail->steps,
        [](const WheelsetStep& step) { return step.wheels.front().is_transient(); });
    check_slices(*section, *wheel_rail);
    if (position.count == 0) warn_of_idle_profiles(*section, *wheel_rail);
  }
  for (const WheelsetStep& step : wheel_rail->steps) {
    const WheelStep& wheel = step.wheels.front();
    const bool rolls = !wheel.position.shifts;
    warn_of_friction(root, wheel.friction, rolls ? wheel.position.wheelset.velocity_x : 0.0,
                     problem.steps.size(), problem.units);
    StepInput input;
    input.repeat = step.repeat;
    input.friction =
        wheel.friction_by_inclination ? friction_at(wheel.friction, 0.0) : wheel.friction;
    const WheelRailPosition& at = wheel.position;
    if (at.shifts) {
      input.tangential.problem = TangentialProblem::shift;
      problem.steps.push_back(std::move(input));
      continue;
    }
    input.tangential.problem = wheel.is_transient() ? TangentialProblem::transient_rolling
                                                    : TangentialProblem::steady_rolling;
    input.tangential.step = wheel_rail->patches.spacing_x;
    input.tangential.velocity =
        std::max({1.0, std::fabs(at.wheelset.velocity_x),
                  std::fabs(at.track.roller_pitch * at.track.roller_radius)});
    problem.steps.push_back(std::move(input));
  }
  problem.solver = read_solver(root);
  const auto steps = problem.steps.empty() ? std::nullopt : std::optional(problem.steps);
  file.output = read_output(root, steps, position.fields_by_default);
  if (section && position.count == 0) warn_of_idle_keys(root, *section, *wheel_rail, file.output);
  problem.sensitivities = file.output.sensitivities;
  refuse_conflicts(root, *wheel_rail, problem);
  problem.surface = read_surface(root, steps, problem.layer, Boundary::free, kWheelRailBodies);
  problem.surface.spots = file.output.spots;
  warn_of_rail_bodies(root, problem);
  check_wheel_settings(root, problem);
  file.interior = read_wheel_interior(root, problem);
  if (!wheel_rail->steps.empty() && wheel_rail->steps.front().geometry_only)
    refuse_with(kGeometryOnly, root, problem);
  file.expected = read_expected(root, steps, position, ExpectedOf::wheel, {}, problem);
  case_table(true, position.count > 0).read_into(root, nullptr);
  if (!root.diagnostics().empty()) return std::nullopt;
  wheel_rail->searches =
      SideSearches(wheel_rail->wheel, wheel_rail->rail, wheel_rail->patches, files.placed_rails());
  StepProbe probe(root, *section, *wheel_rail, problem);
  for (std::size_t i = 0; i < wheel_rail->steps.size() && !position.is_checked; ++i)
    if (!probe.probe(i)) return std::nullopt;
  probe.finish();
  file.input_files = input_files(path, root.diagnostics());
  file.warnings = root.diagnostics().warnings();
  file.wheel_rail = std::move(wheel_rail);
  return file;
}

std::string wheel_rail_text(const CaseFile& file) {
  const WheelRailCase& wheel_rail = *file.wheel_rail;
  const std::vector<WheelsetStep>& steps = wheel_rail.steps;
  const WheelKeys keys{wheel_rail.patches, steps.front().geometry_only};
  std::string text = fmt::format("wheel_rail:\n  wheel: {}{}\n  rail: {}{}\n",
                                 profiles_text(wheel_rail.wheel), points_remark(wheel_rail.wheel),
                                 profiles_text(wheel_rail.rail), points_remark(wheel_rail.rail));
  text += block_text(wheel_rail_table(), &keys, "  ") + wheel_state_text(steps.front(), "  ");
  if (wheel_rail.count() == 1)
    return text + "friction: " + step_friction_text(steps.front()) + "\n";
  text += "steps:\n";
  for (const WheelsetStep& step : steps) {
    text += "  - friction: " + step_friction_text(step) + "\n    wheel_rail:\n" +
            wheel_state_text(step, "      ");
    if (step.repeat > 1) text += fmt::format("    repeat: {}\n", step.repeat);
  }
  return text;
}

}  // namespace slipfield
