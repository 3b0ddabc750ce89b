// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/gradient/wheel_gradient.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "solver/error.h"
#include "solver/rolling.h"
#include "solver/wheel_rail/surface/rail_friction.h"

namespace slipfield {
namespace {

// Half steps of central differences of the geometry. As nothing is solved for them, only rounding
// of coordinates of some 1000 mm (1e-13 mm) limits them.
constexpr double kMoved = 1.0e-5;  // [mm] of the wheelset
// [mm] of a point. Smaller, because the rail is placed by its top, which is flat: moving a point
// next to the top moves the top by 700 times as much.
constexpr double kPointMoved = 5.0e-7;
constexpr double kRolled = 2.0e-8;      // [rad]
constexpr double kYawed = 1.0e-6;       // [rad]
constexpr double kOfVelocity = 1.0e-5;  // of V, or of a shift [mm]

// Limits to decide which points of a profile matter: those that, moved by kMoved, move something
// else by more.
constexpr double kNoticed = 1.0e-7 * kMoved;  // a knot near the contacts, or its direction
constexpr double kPlaced = 1.0e-7 * kMoved;   // the rail's place
constexpr std::size_t kKnotsAround = 8;

Eigen::Vector3d contact_force(const SolvedPatch& solved) {
  return {solved.report.force_x, solved.report.force_y, solved.report.normal_force};
}

bool asks_for(ProfilePoints points, ProfileRole role) {
  return points == ProfilePoints::all ||
         points == (role == ProfileRole::wheel ? ProfilePoints::wheel : ProfilePoints::rail);
}

}  // namespace

class WheelGradient::Chain {
 public:
  Chain(const WheelRailSearch& search, const ContactProblem& bodies, const WheelStep& step,
        const SolvedWheel& wheel, std::function<void()> between)
      : search_(search), step_(step), wheel_(wheel), between_(std::move(between)) {
    const StepSystemsMaker systems = [this](const SystemsTask& task) {
      auto made = make_cpu_step_systems(task);
      made->between = between_;
      return made;
    };
    for (const SolvedPatch& solved : wheel.patches) {
      contacts_.push_back(std::make_unique<StepDerivatives>(
          patch_problem(bodies, solved.patch, solved.input.friction), solved.input, solved.solution,
          solved.report, nullptr, 0.0, systems));
      grids_.push_back(solved.patch.grid);
      std::vector<std::size_t>& touching = touching_.emplace_back();
      for (std::size_t e = 0; e < solved.solution.element_division.size(); ++e)
        if (solved.solution.element_division[e] != ElementState::exterior) touching.push_back(e);
    }
  }

  std::vector<WheelInputs> gradients(const std::vector<WheelSeed>& seeds, ProfilePoints points) {
    std::vector<WheelInputs> found(seeds.size());
    std::vector<Eigen::VectorXd> weights;
    for (std::size_t k = 0; k < seeds.size(); ++k)
      weights.push_back(weights_of(seeds[k], found[k]));
    if (by_wheelset_.empty()) by_wheelset_ = slopes_by_wheelset();
    for (std::size_t k = 0; k < seeds.size(); ++k)
      for (std::size_t n = 0; n < kWheelsetNumbers.size(); ++n)
        found[k].wheelset.at(n) = by_wheelset_[n].dot(weights[k]);
    if (asks_for(points, ProfileRole::wheel)) add_points(ProfileRole::wheel, weights, found);
    if (asks_for(points, ProfileRole::rail)) add_points(ProfileRole::rail, weights, found);
    return found;
  }

  [[nodiscard]] std::int64_t near_change() const {
    std::int64_t count = 0;
    for (const auto& contact : contacts_) count += contact->near_change();
    return count;
  }

 private:
  // Values of the geometry for a contact, or the derivatives dJ with respect to each of them.
  struct OfContact {
    double penetration = 0.0;
    double creepage_x = 0.0;
    double creepage_y = 0.0;
    double spin = 0.0;
    double log_velocity = 0.0;  // ln V, which counts through the law of friction
    double angle = 0.0;
    LawNumbers law;  // if friction follows the inclination
    // The contact's part of the totals, its forces and moments held in its own axes.
    Eigen::Vector3d track_force = Eigen::Vector3d::Zero();
    Eigen::Vector3d track_moment = Eigen::Vector3d::Zero();
    Eigen::Vector3d wheelset_force = Eigen::Vector3d::Zero();
    std::vector<double> distance;  // of the elements in contact; no other one has derivatives

    void append_to(std::vector<double>& values) const {
      values.insert(values.end(), {penetration, creepage_x, creepage_y, spin, log_velocity, angle,
                                   law.fixed, law.kinetic});
      for (const auto number : kFallingNumbers) values.push_back(law.*number);
      for (const Eigen::Vector3d* total : {&track_force, &track_moment, &wheelset_force})
        values.insert(values.end(), total->begin(), total->end());
      values.insert(values.end(), distance.begin(), distance.end());
    }
  };
  // Derivatives with respect to one coordinate of a point of what the geometry gives.
  struct ByPoint {
    std::size_t point = 0;
    double ProfilePoint::*coordinate = nullptr;
    Eigen::VectorXd slopes;
  };

  // --- From a seed to the contacts

  // dJ of what the geometry gives, for all contacts; adds what does not depend on it to `found`.
  Eigen::VectorXd weights_of(const WheelSeed& seed, WheelInputs& found) {
    if (!seed.contacts.empty() && seed.contacts.size() != contacts_.size())
      throw InputError(std::to_string(seed.contacts.size()) + " sets of values were given for " +
                       std::to_string(contacts_.size()) +
                       " contacts; accepted: one for each, or none");
    std::vector<double> weights;
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      const StepInputs by = contacts_[i]->gradient(outputs_of(seed, i));
      add_contact(by, found);
      OfContact of{.penetration = by.normal,
                   .creepage_x = by.tangential_x,
                   .creepage_y = by.tangential_y,
                   .spin = by.rotation,
                   .log_velocity = through_law(wheel_.patches[i], by.friction),
                   .angle = seed.contacts.empty() ? 0.0 : seed.contacts[i].angle,
                   .law = by.law,
                   .track_force = seed.track_force,
                   .track_moment = seed.track_moment,
                   .wheelset_force = seed.wheelset_force,
                   .distance = {}};
      for (const std::size_t e : touching_[i]) of.distance.push_back(by.heights[e]);
      of.append_to(weights);
    }
    return Eigen::Map<const Eigen::VectorXd>(weights.data(),
                                             static_cast<Eigen::Index>(weights.size()));
  }
  [[nodiscard]] AxesFrame axle(const WheelRailPosition& position) const {
    return place_wheel(position.wheelset).axle;
  }
  // Derivatives with respect to the results of contact i: the totals are sums over the contacts'
  // forces and moments.
  [[nodiscard]] StepOutputs outputs_of(const WheelSeed& seed, std::size_t i) const {
    const SolvedPatch& solved = wheel_.patches[i];
    const AxesFrame& frame = solved.patch.frame;
    StepOutputs outputs = seed.contacts.empty() ? StepOutputs() : seed.contacts[i].outputs;
    const AxesFrame on_axle = axle(step_.position);
    const Eigen::Matrix3d to_contact = frame.rotation.transpose();
    const Eigen::Vector3d force =
        to_contact * (seed.track_force + on_axle.rotation * seed.wheelset_force +
                      seed.track_moment.cross(frame.origin - on_axle.origin));
    const Eigen::Vector3d moment = to_contact * seed.track_moment;
    outputs.force_x += force.x();
    outputs.force_y += force.y();
    outputs.normal_force += force.z();
    outputs.moment_z += moment.z();
    if (moment.x() == 0.0 && moment.y() == 0.0) return outputs;
    const Grid& grid = solved.patch.grid;
    outputs.pressure.resize(grid.count(), 0.0);
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        outputs.pressure[grid.index(ix, iy)] +=
            grid.element_area() * (moment.x() * grid.y(iy) - moment.y() * grid.x(ix));
    return outputs;
  }
  // dJ/d ln V, if the coefficient depends on the slip velocity, which is V |s|/dq.
  static double through_law(const SolvedPatch& solved, const std::vector<double>& by_friction) {
    const Friction& friction = solved.input.friction;
    if (!friction.depends_on_slip() || friction.law == FrictionLaw::constant ||
        !is_rolling(solved.input.tangential.problem))
      return 0.0;
    const Grid& grid = solved.patch.grid;
    const double rate = slip_rate(solved.input.tangential);
    double sum = 0.0;
    for (std::size_t i = 0; i < by_friction.size(); ++i) {
      if (by_friction[i] == 0.0) continue;
      const double velocity =
          rate * std::hypot(solved.solution.slip_x[i], solved.solution.slip_y[i]);
      const double y = grid.y(static_cast<int>(i) / grid.mx);
      sum += by_friction[i] * sliding_law(friction, y).slope(velocity) * velocity;
    }
    return sum;
  }
  static void add_contact(const StepInputs& by, WheelInputs& found) {
    found.law.fixed += by.law.fixed;
    found.law.kinetic += by.law.kinetic;
    for (const auto number : kFallingNumbers) found.law.*number += by.law.*number;
    found.stiffness += by.stiffness;
  }

  // --- The geometry

  [[nodiscard]] double half_difference(double Wheelset::*number) const {
    if (number == &Wheelset::y || number == &Wheelset::z) return kMoved;
    if (number == &Wheelset::roll) return kRolled;
    if (number == &Wheelset::yaw) return kYawed;
    double velocity = step_.position.shifts ? 1.0 : 0.0;
    for (const SolvedPatch& solved : wheel_.patches)
      velocity = std::max(velocity, solved.patch.creepages.velocity);
    const double half = kOfVelocity * (velocity > 0.0 ? velocity : 1.0);
    const bool turns = number == &Wheelset::velocity_roll || number == &Wheelset::velocity_pitch ||
                       number == &Wheelset::velocity_yaw;
    return turns ? half / step_.position.wheelset.nominal_radius : half;
  }
  // What another geometry gives for all contacts.
  Eigen::VectorXd values_at(WheelRailSearch& search, const WheelRailPosition& position) const {
    if (between_) between_();
    const std::vector<ContactPatch> patches = search.patches_on(position, grids_);
    std::vector<double> values;
    for (std::size_t i = 0; i < patches.size(); ++i)
      of_contact(patches[i], i, position).append_to(values);
    return Eigen::Map<const Eigen::VectorXd>(values.data(),
                                             static_cast<Eigen::Index>(values.size()));
  }
  [[nodiscard]] OfContact of_contact(const ContactPatch& patch, std::size_t i,
                                     const WheelRailPosition& position) const {
    const SolvedPatch& solved = wheel_.patches[i];
    const AxesFrame on_axle = axle(position);
    OfContact of;
    of.penetration = patch.penetration;
    of.angle = patch.angle;
    of.track_force = patch.frame.rotation * contact_force(solved);
    of.track_moment = patch.frame.rotation * solved.moment() +
                      (patch.frame.origin - on_axle.origin).cross(of.track_force);
    of.wheelset_force = on_axle.rotation.transpose() * of.track_force;
    for (const std::size_t e : touching_[i]) of.distance.push_back(patch.distance[e]);
    const Tangential& tangential = solved.input.tangential;
    if (tangential.problem == TangentialProblem::none) return of;
    const PatchCreepages& creepages = patch.creepages;
    of.creepage_x = creepages.x;
    of.creepage_y = creepages.y;
    of.spin = creepages.spin;
    if (is_rolling(tangential.problem))
      of.log_velocity = std::log(creepages.velocity / tangential.velocity);
    if (!step_.friction_by_inclination) return of;
    const SlidingLaw law =
        sliding_law(friction_at(step_.friction, contact_inclination(patch, position)));
    of.law.fixed = law.fixed;
    of.law.kinetic = law.kinetic;
    for (const auto number : kFallingNumbers) of.law.*number = law.*number;
    return of;
  }
  std::vector<Eigen::VectorXd> slopes_by_wheelset() {
    std::vector<Eigen::VectorXd> slopes;
    for (double Wheelset::*number : kWheelsetNumbers) {
      const double half = half_difference(number);
      const auto at = [&](double change) {
        WheelRailPosition position = step_.position;
        position.wheelset.*number += change;
        return values_at(search_, position);
      };
      slopes.emplace_back((at(half) - at(-half)) / (2.0 * half));
    }
    return slopes;
  }

  // --- Points of the profiles

  void add_points(ProfileRole role, const std::vector<Eigen::VectorXd>& weights,
                  std::vector<WheelInputs>& found) {
    const bool is_wheel = role == ProfileRole::wheel;
    const auto points_of = is_wheel ? &WheelInputs::wheel_points : &WheelInputs::rail_points;
    const Profile& profile = is_wheel ? search_.wheel() : search_.rail();
    std::optional<std::vector<ByPoint>>& kept = is_wheel ? by_wheel_points_ : by_rail_points_;
    if (!kept) kept = slopes_by_points(role);
    for (std::size_t k = 0; k < found.size(); ++k) {
      std::vector<ProfilePoint>& points = found[k].*points_of;
      points.resize(profile.points.size());
      for (const ByPoint& by : *kept) points[by.point].*by.coordinate = by.slopes.dot(weights[k]);
    }
  }
  // Leaves out what does not matter.
  [[nodiscard]] std::vector<ByPoint> slopes_by_points(ProfileRole role) const {
    std::vector<ByPoint> found;
    if (contacts_.empty()) return found;
    const bool is_wheel = role == ProfileRole::wheel;
    const Profile& profile = is_wheel ? search_.wheel() : search_.rail();
    const std::vector<std::size_t> near = knots_near(role);
    for (std::size_t i = 0; i < profile.points.size(); ++i)
      for (double ProfilePoint::*coordinate : {&ProfilePoint::y, &ProfilePoint::z}) {
        if (between_) between_();
        const auto moved = [&](double change) {
          std::vector<ProfilePoint> points = profile.points;
          points[i].*coordinate += change;
          return with_points(profile, std::move(points));
        };
        if (!matters(role, moved(kMoved), near)) continue;
        const auto at = [&](Profile&& changed) {
          WheelRailSearch there = is_wheel ? search_.with_wheel(std::move(changed))
                                           : search_.with_rail(std::move(changed));
          return values_at(there, step_.position);
        };
        found.push_back({i, coordinate,
                         (at(moved(kPointMoved)) - at(moved(-kPointMoved))) / (2.0 * kPointMoved)});
      }
    return found;
  }
  // Knots of the curve near the contacts.
  [[nodiscard]] std::vector<std::size_t> knots_near(ProfileRole role) const {
    const Profile& profile = role == ProfileRole::wheel ? search_.wheel() : search_.rail();
    const std::vector<double>& knots = profile.curve.knots();
    std::vector<bool> near(knots.size(), false);
    const double sign = step_.position.side == Side::right ? 1.0 : -1.0;
    for (const SolvedPatch& solved : wheel_.patches) {
      const ContactPatch& patch = solved.patch;
      const Grid& grid = patch.grid;
      const bool is_wheel = role == ProfileRole::wheel;
      const double y = sign * (is_wheel ? patch.on_wheel : patch.on_rail).y();
      const double s = profile.curve.parameter_at_y(y, is_wheel ? SeenFrom::below : SeenFrom::above)
                           .value_or(0.0);
      // As far as the mesh of the wheel's surface reaches (undeformed_distance.cpp).
      const double reach =
          1.2 * std::max(std::fabs(grid.y(0)), std::fabs(grid.y(grid.my - 1))) + 5.0 * grid.dy;
      const auto first = std::lower_bound(knots.begin(), knots.end(), s - reach) - knots.begin();
      const auto last = std::upper_bound(knots.begin(), knots.end(), s + reach) - knots.begin();
      const std::size_t begin = static_cast<std::size_t>(first);
      const std::size_t end = static_cast<std::size_t>(last);
      for (std::size_t k = begin - std::min(begin, kKnotsAround);
           k < std::min(end + kKnotsAround, knots.size()); ++k)
        near[k] = true;
    }
    std::vector<std::size_t> found;
    for (std::size_t k = 0; k < near.size(); ++k)
      if (near[k]) found.push_back(k);
    return found;
  }
  // The effect of a point on the curve fades, by more than a factor of three per knot.
  [[nodiscard]] bool matters(ProfileRole role, const Profile& changed,
                             const std::vector<std::size_t>& near) const {
    const bool is_wheel = role == ProfileRole::wheel;
    const Profile& profile = is_wheel ? search_.wheel() : search_.rail();
    for (const std::size_t k : near)
      if ((changed.curve.at_knot(k) - profile.curve.at_knot(k)).norm() > kNoticed ||
          (changed.curve.tangent_at_knot(k) - profile.curve.tangent_at_knot(k)).norm() > kNoticed)
        return true;
    if (is_wheel) return false;
    const Track track =
        step_.position.side == Side::right ? step_.position.track : mirrored(step_.position).track;
    const Eigen::Vector3d moved =
        place_rail(changed, track).frame.origin - place_rail(profile, track).frame.origin;
    return moved.norm() > kPlaced;
  }

  WheelRailSearch search_;
  WheelStep step_;
  const SolvedWheel& wheel_;
  std::function<void()> between_;
  std::vector<std::unique_ptr<StepDerivatives>> contacts_;
  std::vector<Grid> grids_;
  std::vector<std::vector<std::size_t>> touching_;  // the elements in contact, of each contact
  // Derivatives of the geometry's values, empty until they are needed; by kWheelsetNumbers.
  std::vector<Eigen::VectorXd> by_wheelset_;
  std::optional<std::vector<ByPoint>> by_wheel_points_;
  std::optional<std::vector<ByPoint>> by_rail_points_;
};

WheelGradient::WheelGradient(const WheelRailSearch& search, const ContactProblem& bodies,
                             const WheelStep& step, const SolvedWheel& wheel,
                             std::function<void()> between)
    : chain_(std::make_unique<Chain>(search, bodies, step, wheel, std::move(between))) {}
WheelGradient::~WheelGradient() = default;

std::vector<WheelInputs> WheelGradient::gradients(const std::vector<WheelSeed>& seeds,
                                                  ProfilePoints points) {
  return chain_->gradients(seeds, points);
}
std::int64_t WheelGradient::near_change() const { return chain_->near_change(); }

}  // namespace slipfield
