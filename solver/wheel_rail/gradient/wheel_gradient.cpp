// SPDX-License-Identifier: Apache-2.0
#include "solver/wheel_rail/gradient/wheel_gradient.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
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
    }
  }

  std::vector<WheelInputs> gradients(const std::vector<WheelSeed>& seeds, ProfilePoints points) {
    scalars_.clear();
    for (const WheelSeed& seed : seeds) scalars_.push_back(scalar_of(seed));
    std::vector<WheelInputs> found(seeds.size());
    for (std::size_t k = 0; k < seeds.size(); ++k) sum_contacts(scalars_[k], found[k]);
    for (std::size_t n = 0; n < kWheelsetNumbers.size(); ++n) {
      const double half = half_difference(kWheelsetNumbers[n]);
      const auto at = [&](double change) {
        WheelRailPosition position = step_.position;
        position.wheelset.*kWheelsetNumbers[n] += change;
        return values_at(search_, position);
      };
      const std::vector<double> slopes = slopes_between(at(half), at(-half), half);
      for (std::size_t k = 0; k < seeds.size(); ++k) found[k].wheelset.at(n) = slopes[k];
    }
    if (points == ProfilePoints::none) return found;
    add_points(ProfileRole::wheel, found);
    add_points(ProfileRole::rail, found);
    return found;
  }

  [[nodiscard]] std::int64_t near_change() const {
    std::int64_t count = 0;
    for (const auto& contact : contacts_) count += contact->near_change();
    return count;
  }

 private:
  // dJ of the geometry's results for a contact.
  struct OfContact {
    StepInputs by;
    double by_log_velocity = 0.0;  // through the law of friction
  };
  struct Scalar {
    WheelSeed seed;
    std::vector<OfContact> contacts;
  };

  // --- From a seed to the contacts

  Scalar scalar_of(const WheelSeed& seed) {
    if (!seed.contacts.empty() && seed.contacts.size() != contacts_.size())
      throw InputError(std::to_string(seed.contacts.size()) + " sets of values were given for " +
                       std::to_string(contacts_.size()) +
                       " contacts; accepted: one for each, or none");
    Scalar scalar{seed, {}};
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
      OfContact of{contacts_[i]->gradient(outputs_of(seed, i)), 0.0};
      of.by_log_velocity = through_law(wheel_.patches[i], of.by.friction);
      scalar.contacts.push_back(std::move(of));
    }
    return scalar;
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
  static void sum_contacts(const Scalar& scalar, WheelInputs& found) {
    for (const OfContact& of : scalar.contacts) {
      const LawNumbers& law = of.by.law;
      found.law.fixed += law.fixed;
      found.law.kinetic += law.kinetic;
      for (const auto number : kFallingNumbers) found.law.*number += law.*number;
      found.stiffness += of.by.stiffness;
    }
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
  // Each scalar, to first order, at the contacts of another geometry; forces, moments and friction
  // in the totals are held at the solution.
  std::vector<double> values_at(WheelRailSearch& search, const WheelRailPosition& position) const {
    if (between_) between_();
    const std::vector<ContactPatch> patches = search.patches_on(position, grids_);
    std::vector<double> values;
    for (const Scalar& scalar : scalars_) {
      double value = 0.0;
      for (std::size_t i = 0; i < patches.size(); ++i)
        value += of_contact(scalar.contacts[i], patches[i], i, position) +
                 of_place(scalar.seed, patches[i], i, axle(position));
      values.push_back(value);
    }
    return values;
  }
  [[nodiscard]] double of_contact(const OfContact& of, const ContactPatch& patch, std::size_t i,
                                  const WheelRailPosition& position) const {
    double value = of.by.normal * patch.penetration;
    for (std::size_t e = 0; e < patch.distance.size(); ++e)
      if (of.by.heights[e] != 0.0) value += of.by.heights[e] * patch.distance[e];
    const StepInput& input = wheel_.patches[i].input;
    if (input.tangential.problem == TangentialProblem::none) return value;
    const PatchCreepages& creepages = patch.creepages;
    value += of.by.tangential_x * creepages.x + of.by.tangential_y * creepages.y +
             of.by.rotation * creepages.spin;
    if (of.by_log_velocity != 0.0)
      value += of.by_log_velocity * std::log(creepages.velocity / input.tangential.velocity);
    if (!step_.friction_by_inclination) return value;
    const SlidingLaw law =
        sliding_law(friction_at(step_.friction, contact_inclination(patch, position)));
    value += of.by.law.fixed * law.fixed + of.by.law.kinetic * law.kinetic;
    for (const auto number : kFallingNumbers) value += of.by.law.*number * law.*number;
    return value;
  }
  // The part of the scalar that depends directly on a contact's plane and reference point.
  [[nodiscard]] double of_place(const WheelSeed& seed, const ContactPatch& patch, std::size_t i,
                                const AxesFrame& on_axle) const {
    const SolvedPatch& solved = wheel_.patches[i];
    const Eigen::Vector3d force = patch.frame.rotation * contact_force(solved);
    const Eigen::Vector3d moment =
        patch.frame.rotation * solved.moment() + (patch.frame.origin - on_axle.origin).cross(force);
    double value = seed.track_force.dot(force) + seed.track_moment.dot(moment) +
                   seed.wheelset_force.dot(on_axle.rotation.transpose() * force);
    if (!seed.contacts.empty()) value += seed.contacts[i].angle * patch.angle;
    return value;
  }
  static std::vector<double> slopes_between(const std::vector<double>& forth,
                                            const std::vector<double>& back, double half) {
    std::vector<double> slopes;
    for (std::size_t k = 0; k < forth.size(); ++k)
      slopes.push_back((forth[k] - back[k]) / (2.0 * half));
    return slopes;
  }

  // --- Points of the profiles

  void add_points(ProfileRole role, std::vector<WheelInputs>& found) const {
    const bool is_wheel = role == ProfileRole::wheel;
    const auto points_of = is_wheel ? &WheelInputs::wheel_points : &WheelInputs::rail_points;
    const Profile& profile = is_wheel ? search_.wheel() : search_.rail();
    for (WheelInputs& of : found) of.*points_of = std::vector<ProfilePoint>(profile.points.size());
    if (contacts_.empty()) return;
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
        const std::vector<double> slopes =
            slopes_between(at(moved(kPointMoved)), at(moved(-kPointMoved)), kPointMoved);
        for (std::size_t k = 0; k < found.size(); ++k)
          (found[k].*points_of)[i].*coordinate = slopes[k];
      }
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
  std::vector<Scalar> scalars_;  // of which gradients are asked for
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
