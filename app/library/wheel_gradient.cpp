// SPDX-License-Identifier: Apache-2.0
#include "app/library/wheel_gradient.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

#include "app/library/gradient_names.h"
#include "app/library/wheel_derivatives.h"
#include "io/case/wheel_rail/wheel_rail.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kContactAngle = "contact_angle";
constexpr std::size_t kHeight = 1;  // in kWheelsetNumbers
constexpr std::size_t kRoll = 2;
constexpr std::size_t kPitch = 8;

struct TotalVector {
  std::string_view name;
  Eigen::Vector3d WheelSeed::*part;
};
constexpr std::array kTotalVectors{TotalVector{"track_force_", &WheelSeed::track_force},
                                   TotalVector{"wheelset_force_", &WheelSeed::wheelset_force},
                                   TotalVector{"track_moment_", &WheelSeed::track_moment}};

// The wheels of a step on a side.
std::vector<std::size_t> wheels_of(const WheelsetStep& task, StepSide side) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < task.wheels.size(); ++i)
    if (side == StepSide::whole ||
        (side == StepSide::left) == (task.wheels[i].position.side == Side::left))
      found.push_back(i);
  return found;
}

// A component of a sum over the wheels of a side.
struct NamedTotal {
  StepSide side = StepSide::whole;
  Eigen::Vector3d WheelSeed::*part = nullptr;
  Eigen::Index axis = 0;
};
// side: the one that the names belong to. Empty for other names, and for a side that does not
// exist.
std::optional<NamedTotal> total_of(std::string_view name, StepSide side, const WheelsetStep& task) {
  if (side == StepSide::whole)
    for (const auto& [start, of] : {std::pair<std::string_view, StepSide>{"left_", StepSide::left},
                                    {"right_", StepSide::right}})
      if (name.starts_with(start)) {
        name.remove_prefix(start.size());
        side = of;
        break;
      }
  for (const TotalVector& total : kTotalVectors) {
    if (!name.starts_with(total.name) || name.size() != total.name.size() + 1) continue;
    const auto axis = std::string_view("xyz").find(name.back());
    if (axis == std::string_view::npos || wheels_of(task, side).empty()) return {};
    return NamedTotal{side, total.part, static_cast<Eigen::Index>(axis)};
  }
  return {};
}

[[noreturn]] void refuse_total(const std::string& name) {
  throw InputError(fmt::format(
      "the step has no '{}' with derivatives; accepted: track_force_x, .._y and .._z, likewise "
      "wheelset_force and track_moment, of both wheels also left_track_force_x, ..., and numbers "
      "of contacts, as contact_1_force_x, contact_1_spin and contact_1_contact_angle",
      name));
}

const WheelsetStep& wheels_task(CaseSolver& solver) {
  if (!solver.is_wheel())
    throw InputError(
        "the case has one contact, without profiles; accepted: a case with wheel_rail");
  if (solver.steps_done() > 0) return solver.last().wheelset->task;
  return std::get<WheelsetStep>(solver.next_step());
}

std::string profile_key(const char* body, Side side, bool both) {
  return both ? fmt::format("wheel_rail.{}.{}.profile", body, side_name(side))
              : fmt::format("wheel_rail.{}.profile", body);
}

bool has_one_law(const Friction& friction, bool by_inclination) {
  return !by_inclination && !friction.varies() && friction.along_y.empty();
}

std::vector<std::string> number_names(const WheelsetStep& task) {
  std::vector<std::string> names = wheel_derivative_keys(task);
  const WheelStep& first = task.wheels.front();
  if (has_one_law(first.friction, first.friction_by_inclination)) {
    by_name::Members<StepInputs> law;
    by_name::add_law(first.friction, law);
    for (std::string& name : by_name::names_in(law)) names.push_back(std::move(name));
  }
  names.emplace_back("stiffness");
  return names;
}

std::vector<double> flat(const std::vector<ProfilePoint>& points) {
  std::vector<double> values;
  for (const ProfilePoint& point : points) {
    values.push_back(point.y);
    values.push_back(point.z);
  }
  return values;
}

// sum += factor other
void add(const WheelInputs& other, double factor, WheelInputs& sum) {
  for (std::size_t n = 0; n < sum.wheelset.size(); ++n)
    sum.wheelset.at(n) += factor * other.wheelset.at(n);
  for (const auto points : {&WheelInputs::wheel_points, &WheelInputs::rail_points})
    for (std::size_t i = 0; i < (sum.*points).size(); ++i) {
      (sum.*points)[i].y += factor * (other.*points)[i].y;
      (sum.*points)[i].z += factor * (other.*points)[i].z;
    }
  sum.law.fixed += factor * other.law.fixed;
  sum.law.kinetic += factor * other.law.kinetic;
  for (const auto number : kFallingNumbers) sum.law.*number += factor * other.law.*number;
  sum.stiffness += factor * other.stiffness;
}

}  // namespace

WheelsetGradient::WheelsetGradient(const CaseSolver& solver) : step_(solver.last().wheelset) {
  if (step_ == nullptr)
    throw InputError("the case has one contact; accepted: a case with wheel_rail");
  const SolvedWheelset& solved = step_->solved;
  if (solved.geometry_only)
    throw InputError(
        "geometry_only solves nothing, so there are no derivatives; accepted: geometry_only: "
        "false");
  if (solved.outcome != Outcome::converged)
    throw InputError("a step that did not converge has no derivatives; accepted: one that did");
  for (const WheelStep& wheel : step_->task.wheels)
    if (wheel.is_transient()) throw InputError(std::string(kNoTransientDerivatives));
  SideSearches searches = solver.file().wheel_rail->searches;
  const std::span<WheelRailSearch> of_wheels = searches.of(step_->task);
  for (std::size_t i = 0; i < solved.wheels.size(); ++i) {
    const SolvedWheel& wheel = solved.wheels[i];
    OneWheel one{step_->task.wheels[i], &wheel};
    Wheelset& set = one.step.position.wheelset;
    set.z = wheel.z;
    set.roll = wheel.roll;
    if (std::isfinite(wheel.pitch_velocity)) set.velocity_pitch = wheel.pitch_velocity;
    one.gradient = std::make_unique<WheelGradient>(of_wheels[i], solver.problem(), one.step, wheel,
                                                   solver.between_products());
    one.wheel_points = of_wheels[i].wheel().points.size();
    one.rail_points = of_wheels[i].rail().points.size();
    wheels_.push_back(std::move(one));
  }
  find_conditions();
}

void WheelsetGradient::choose(StepSide side, ProfilePoints points) {
  static_cast<void>(contact_count(*step_, side));  // refuses a side that is not there
  side_ = side;
  points_ = points;
}

void WheelsetGradient::find_conditions() {
  std::vector<std::size_t> all(wheels_.size());
  std::iota(all.begin(), all.end(), 0);
  const WheelStep& first = step_->task.wheels.front();
  if (first.vertical_force) {
    for (const std::size_t i : all) conditions_.push_back({{i}, Eigen::Vector3d::UnitZ()});
    unknowns_.push_back({all, kHeight});
    if (all.size() == 2) unknowns_.push_back({all, kRoll});
  }
  if (!first.longitudinal_force) return;
  std::vector<std::vector<std::size_t>> axles{all};
  if (step_->task.independent_wheels) {
    axles.clear();
    for (const std::size_t i : all) axles.push_back({i});
  }
  for (const auto& wheels : axles) {
    conditions_.push_back({wheels, Eigen::Vector3d::Zero(), Eigen::Vector3d::UnitX()});
    unknowns_.push_back({wheels, kPitch});
  }
}

bool WheelsetGradient::add_total(const std::string& name, double value,
                                 std::vector<WheelSeed>& seeds) const {
  const std::optional<NamedTotal> total = total_of(name, side_, step_->task);
  if (!total) return false;
  for (const std::size_t i : wheels_of(step_->task, total->side))
    (seeds[i].*total->part)[total->axis] += value;
  return true;
}

bool WheelsetGradient::add_contact(const std::string& name, double value,
                                   std::vector<WheelSeed>& seeds) const {
  auto [part, rest] = name_of_part(name);
  if (part.contact == 0 || (side_ != StepSide::whole && part.side != StepSide::whole)) return false;
  if (side_ != StepSide::whole) part.side = side_;
  auto left = static_cast<std::size_t>(part.contact);
  for (const std::size_t i : wheels_of(step_->task, part.side)) {
    const std::vector<SolvedPatch>& patches = wheels_[i].solved->patches;
    if (left > patches.size()) {
      left -= patches.size();
      continue;
    }
    std::vector<ContactSeed>& contacts = seeds[i].contacts;
    contacts.resize(patches.size());
    if (rest == kContactAngle) {
      contacts[left - 1].angle += value;
      return true;
    }
    for (const auto& member : by_name::outputs_of(patches[left - 1].input)) {
      if (member.name != rest || by_name::is_field(member)) continue;
      by_name::number_of(contacts[left - 1].outputs, member) += value;
      return true;
    }
    return false;
  }
  return false;
}

void WheelsetGradient::add_seed(const std::string& name, double value,
                                std::vector<WheelSeed>& seeds) const {
  if (!std::isfinite(value)) throw InputError(name + ": is not finite; accepted: a finite number");
  if (add_total(name, value, seeds) || add_contact(name, value, seeds)) return;
  refuse_total(name);
}

std::size_t WheelsetGradient::size_of_output(const std::string& name) const {
  std::vector<WheelSeed> seeds(wheels_.size());
  add_seed(name, 0.0, seeds);
  return 1;
}

std::size_t WheelsetGradient::size_of_input(const std::string& name) const {
  std::vector<std::string> names = number_names(step_->task);
  if (std::find(names.begin(), names.end(), name) != names.end()) return 1;
  for (const OneWheel& wheel : wheels_)
    for (const bool is_wheel : {true, false}) {
      names.push_back(
          profile_key(is_wheel ? "wheel" : "rail", wheel.solved->side, wheels_.size() == 2));
      if (names.back() == name) return 2 * (is_wheel ? wheel.wheel_points : wheel.rail_points);
    }
  by_name::refuse_name(name, names);
}

std::int64_t WheelsetGradient::near_change() const {
  std::vector<std::size_t> wheels = wheels_of(step_->task, side_);
  // The number found for a force on both wheels depends on the other wheel.
  for (const Unknown& unknown : unknowns_)
    if (unknown.wheels.size() > wheels.size()) wheels = unknown.wheels;
  std::int64_t count = 0;
  for (const std::size_t i : wheels) count += wheels_[i].gradient->near_change();
  return count;
}

std::vector<double> WheelsetGradient::multipliers(const std::vector<WheelInputs>& found) const {
  if (conditions_.empty()) return {};
  const auto n = static_cast<Eigen::Index>(conditions_.size());
  Eigen::MatrixXd by_unknowns = Eigen::MatrixXd::Zero(n, n);  // of conditions
  Eigen::VectorXd of_scalar = Eigen::VectorXd::Zero(n);
  for (Eigen::Index u = 0; u < n; ++u) {
    const Unknown& unknown = unknowns_[static_cast<std::size_t>(u)];
    for (const std::size_t i : unknown.wheels) {
      of_scalar(u) += found[i].wheelset.at(unknown.number);
      for (Eigen::Index c = 0; c < n; ++c)
        by_unknowns(c, u) +=
            by_conditions_[i][static_cast<std::size_t>(c)].wheelset.at(unknown.number);
    }
  }
  // Scales each unknown by its own unit; otherwise the roll would hide that nothing depends on the
  // pitch velocity.
  for (Eigen::Index u = 0; u < n; ++u) {
    const double most = by_unknowns.col(u).cwiseAbs().maxCoeff();
    if (!(most > 0.0)) continue;
    by_unknowns.col(u) /= most;
    of_scalar(u) /= most;
  }
  const Eigen::VectorXd solved = by_unknowns.transpose().fullPivLu().solve(of_scalar);
  const double left = (by_unknowns.transpose() * solved - of_scalar).norm();
  if (!solved.allFinite() || !(left <= 1e-8 * of_scalar.norm()))
    throw Error(
        "the derivatives were not found: the forces do not determine what was found for them, the "
        "height, the roll or the pitch velocity");
  return {solved.data(), solved.data() + n};
}

NamedValues WheelsetGradient::numbers_of_all(const WheelInputs& sum,
                                             const std::vector<double>& pulls) const {
  by_name::Members<StepInputs> law;
  by_name::add_law(step_->task.wheels.front().friction, law);
  StepInputs of_law;
  of_law.law = sum.law;
  NamedValues values;
  for (const std::string& name : number_names(step_->task)) {
    double value = name == "stiffness" ? sum.stiffness : 0.0;
    for (std::size_t n = 0; n < kWheelsetNumbers.size(); ++n)
      if (wheel_derivative_key(kWheelsetNumbers.at(n)) == name) value = sum.wheelset.at(n);
    for (std::size_t c = 0; c < pulls.size(); ++c) {
      const bool vertical = conditions_[c].track_force.z() != 0.0;
      const auto force = vertical ? &WheelStep::vertical_force : &WheelStep::longitudinal_force;
      if (name == wheel_derivative_key(force)) value += pulls[c];
    }
    for (const auto& member : law)
      if (member.name == name) value = by_name::number_of(of_law, member);
    values.push_back({name, {value}});
  }
  return values;
}

void WheelsetGradient::differentiate_conditions() {
  const bool has_points = conditions_points_ == points_ ||
                          conditions_points_ == ProfilePoints::all ||
                          points_ == ProfilePoints::none;
  if (conditions_.empty() || (!by_conditions_.empty() && has_points)) return;
  OfWheels found;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    std::vector<WheelSeed> seeds;
    for (const Condition& condition : conditions_) {
      const bool counts =
          std::find(condition.wheels.begin(), condition.wheels.end(), i) != condition.wheels.end();
      WheelSeed& one = seeds.emplace_back();
      if (!counts) continue;
      one.track_force = condition.track_force;
      one.wheelset_force = condition.wheelset_force;
    }
    found.push_back(wheels_[i].gradient->gradients(seeds, points_));
  }
  by_conditions_ = std::move(found);
  conditions_points_ = points_;
}

NamedValues WheelsetGradient::gradient(const NamedValues& seed) {
  by_name::require_once(seed);
  std::vector<WheelSeed> own(wheels_.size());
  for (const auto& [name, values, kind] : seed) {
    if (values.size() != 1)
      throw InputError(fmt::format("{}: {} values; accepted: one number", name, values.size()));
    add_seed(name, values[0], own);
  }
  differentiate_conditions();
  std::vector<WheelInputs> found;
  for (std::size_t i = 0; i < wheels_.size(); ++i)
    found.push_back(wheels_[i].gradient->gradients({own[i]}, points_).front());
  const std::vector<double> pulls = multipliers(found);
  WheelInputs sum;
  NamedValues points;
  for (std::size_t i = 0; i < wheels_.size(); ++i) {
    WheelInputs& of_wheel = found[i];
    for (std::size_t c = 0; c < pulls.size(); ++c) add(by_conditions_[i][c], -pulls[c], of_wheel);
    for (const bool is_wheel : {true, false}) {
      const auto& own_points = is_wheel ? of_wheel.wheel_points : of_wheel.rail_points;
      if (own_points.empty()) continue;
      points.push_back(
          {profile_key(is_wheel ? "wheel" : "rail", wheels_[i].solved->side, wheels_.size() == 2),
           flat(own_points), ValueKind::points});
    }
    of_wheel.wheel_points.clear();
    of_wheel.rail_points.clear();
    add(of_wheel, 1.0, sum);
  }
  NamedValues values = numbers_of_all(sum, pulls);
  values.insert(values.end(), points.begin(), points.end());
  by_name::require_finite(values);
  return values;
}

void require_derivatives(const WheelsetStep& task, const std::vector<std::string>& numbers,
                         const std::vector<std::string>& inputs) {
  for (const std::string& name : numbers) {
    if (total_of(name, StepSide::whole, task)) continue;
    const auto [part, rest] = name_of_part(name);
    if (part.contact == 0 || wheels_of(task, part.side).empty()) refuse_total(name);
    StepInput contact;  // as it is where it has friction
    contact.tangential.problem = task.wheels.front().position.shifts
                                     ? TangentialProblem::shift
                                     : TangentialProblem::steady_rolling;
    const auto is_number = [&, of_contact = rest](const auto& member) {
      return member.name == of_contact && !by_name::is_field(member);
    };
    if (rest != kContactAngle && std::ranges::none_of(by_name::outputs_of(contact), is_number))
      refuse_total(name);
  }
  const std::vector<std::string> known = number_names(task);
  for (const std::string& name : inputs)
    if (std::ranges::find(known, name) == known.end()) by_name::refuse_name(name, known);
}

std::vector<double> profile_points(CaseSolver& solver, ProfileRole role, StepSide side) {
  const WheelsetStep& task = wheels_task(solver);
  SideSearches searches = solver.file().wheel_rail->searches;
  const std::span<WheelRailSearch> of_wheels = searches.of(task);
  const std::vector<std::size_t> found = wheels_of(task, side);
  if (found.size() != 1)
    throw InputError(
        found.empty()
            ? "side: the step has no such wheel; accepted: the side that it has, or the whole"
            : "side: the step has two wheels; accepted: left or right");
  const WheelRailSearch& search = of_wheels[found.front()];
  return flat((role == ProfileRole::wheel ? search.wheel() : search.rail()).points);
}

}  // namespace slipfield
