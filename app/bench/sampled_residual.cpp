// SPDX-License-Identifier: Apache-2.0
#include "app/bench/sampled_residual.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/influence/influence_coefficients.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kPairs = 1.0e6;  // of a sampled and a loaded element, about a second's work
constexpr std::size_t kLeastSample = 32;

struct SampledDisplacement {
  double x = 0.0;
  double y = 0.0;
  double n = 0.0;
};

class DirectSum {
 public:
  DirectSum(const Grid& grid, const CombinedMaterial& material, const ContactSolution& tractions)
      : grid_(grid), material_(material), f_(tractions) {
    for (std::size_t i = 0; i < f_.pressure.size(); ++i)
      if (f_.pressure[i] != 0.0 || f_.traction_x[i] != 0.0 || f_.traction_y[i] != 0.0)
        loaded_.push_back(i);
  }
  [[nodiscard]] std::size_t loaded() const { return loaded_.size(); }

  // At the centre of element i, moved by (offset_x, offset_y).
  [[nodiscard]] SampledDisplacement at(std::size_t i, double offset_x, double offset_y) const {
    const bool coupled = material_.coupling != 0.0;
    SampledDisplacement u;
    for (const std::size_t j : loaded_) {
      const double x = difference(i, j, true) * grid_.dx + offset_x;
      const double y = difference(i, j, false) * grid_.dy + offset_y;
      const auto a = [&](Component c) {
        return influence_coefficient(c, x, y, grid_.dx, grid_.dy, material_);
      };
      const double px = f_.traction_x[j];
      const double py = f_.traction_y[j];
      const double pn = f_.pressure[j];
      u.n += a(Component::nn) * pn;
      if (px != 0.0 || py != 0.0) {
        const double xy = a(Component::xy);
        u.x += a(Component::xx) * px + xy * py;
        u.y += xy * px + a(Component::yy) * py;
      }
      if (!coupled) continue;
      const double xn = a(Component::xn);
      const double yn = a(Component::yn);
      u.x += xn * pn;
      u.y += yn * pn;
      u.n -= xn * px + yn * py;
    }
    return u;
  }

 private:
  // Elements from j to i, along x or along y.
  [[nodiscard]] double difference(std::size_t i, std::size_t j, bool along_x) const {
    const auto mx = static_cast<std::size_t>(grid_.mx);
    const std::size_t to = along_x ? i % mx : i / mx;
    const std::size_t from = along_x ? j % mx : j / mx;
    return static_cast<double>(to) - static_cast<double>(from);
  }

  const Grid& grid_;
  const CombinedMaterial& material_;
  const ContactSolution& f_;
  std::vector<std::size_t> loaded_;
};

struct Parts {
  double normal2 = 0.0;
  double pressure2 = 0.0;
  double tangential2 = 0.0;
  double bound2 = 0.0;
};

class Residual {
 public:
  Residual(const ContactProblem& problem, const StepInput& step, const ContactSolution& before,
           const ContactSolution& now, const StepReport& report)
      : grid_(problem.grid),
        material_(combine(problem.upper, problem.lower)),
        step_(step),
        now_(now),
        report_(report),
        sum_now_(grid_, material_, now),
        sum_before_(grid_, material_, before) {
    const Tangential& tangential = step.tangential;
    rolls_ = is_rolling(tangential.problem);
    steady_ = tangential.problem == TangentialProblem::steady_rolling;
    if (rolls_) {
      offset_x_ = tangential.step * std::cos(tangential.direction);
      offset_y_ = tangential.step * std::sin(tangential.direction);
    }
    normal_stiffness_ = 1.0 / own(Component::nn, 0.0, 0.0);
    tangential_stiffness_ = 1.0 / (own(Component::xx, 0.0, 0.0) -
                                   (steady_ ? own(Component::xx, offset_x_, offset_y_) : 0.0));
  }

  [[nodiscard]] double measure() const {
    const std::vector<std::size_t> sample = choose_sample();
    double normal2 = 0.0;
    double pressure2 = 0.0;
    double tangential2 = 0.0;
    double bound2 = 0.0;
#pragma omp parallel for schedule(dynamic) reduction(+ : normal2, pressure2, tangential2, bound2)
    for (const std::size_t i : sample) {
      const Parts parts = at(i);
      normal2 += parts.normal2;
      pressure2 += parts.pressure2;
      tangential2 += parts.tangential2;
      bound2 += parts.bound2;
    }
    const auto relative = [](double part2, double whole2) {
      return part2 == 0.0 ? 0.0 : std::sqrt(part2 / whole2);
    };
    const double normal = relative(normal2, pressure2);
    const double tangential = relative(tangential2, bound2);
    return std::isnan(tangential) ? tangential : std::max(normal, tangential);
  }

 private:
  [[nodiscard]] double own(Component component, double x, double y) const {
    return influence_coefficient(component, x, y, grid_.dx, grid_.dy, material_);
  }

  // Evenly over the elements in contact, and a quarter as many over the others.
  [[nodiscard]] std::vector<std::size_t> choose_sample() const {
    std::vector<std::size_t> inside;
    std::vector<std::size_t> outside;
    for (std::size_t i = 0; i < now_.pressure.size(); ++i)
      (now_.pressure[i] > 0.0 ? inside : outside).push_back(i);
    const double loaded = static_cast<double>(sum_now_.loaded() + sum_before_.loaded() + 1);
    const auto wanted = std::max(kLeastSample, static_cast<std::size_t>(kPairs / loaded));
    std::vector<std::size_t> sample;
    const auto take = [&sample](const std::vector<std::size_t>& from, std::size_t count) {
      count = std::min(count, from.size());
      for (std::size_t k = 0; k < count; ++k) sample.push_back(from[k * from.size() / count]);
    };
    take(inside, wanted);
    take(outside, wanted / 4);
    return sample;
  }

  [[nodiscard]] Parts at(std::size_t i) const {
    Parts parts;
    const SampledDisplacement u = sum_now_.at(i, 0.0, 0.0);
    const double pressure = now_.pressure[i];
    const double gap = now_.undeformed_distance[i] + u.n - report_.approach;
    const double wanted = std::max(0.0, pressure - normal_stiffness_ * gap);
    parts.normal2 = (pressure - wanted) * (pressure - wanted);
    parts.pressure2 = pressure * pressure;
    if (step_.tangential.problem == TangentialProblem::none || !(pressure > 0.0)) return parts;
    const SampledDisplacement past =
        steady_ ? sum_now_.at(i, offset_x_, offset_y_) : sum_before_.at(i, offset_x_, offset_y_);
    const auto ix = static_cast<int>(i % static_cast<std::size_t>(grid_.mx));
    const auto iy = static_cast<int>(i / static_cast<std::size_t>(grid_.mx));
    const double distance = rolls_ ? step_.tangential.step : 1.0;
    const double centre_x = grid_.x(ix) + offset_x_ / 6.0;
    const double centre_y = grid_.y(iy) + offset_y_ / 6.0;
    const double slip_x = distance * (report_.rigid_x - report_.rotation * centre_y) + u.x - past.x;
    const double slip_y = distance * (report_.rigid_y + report_.rotation * centre_x) + u.y - past.y;
    const double bound = step_.friction.coefficient * pressure;
    double x = now_.traction_x[i] - tangential_stiffness_ * slip_x;
    double y = now_.traction_y[i] - tangential_stiffness_ * slip_y;
    const double size = std::hypot(x, y);
    const double scale = size > bound ? bound / size : 1.0;
    x = now_.traction_x[i] - scale * x;
    y = now_.traction_y[i] - scale * y;
    parts.tangential2 = x * x + y * y;
    parts.bound2 = bound * bound;
    return parts;
  }

  const Grid& grid_;
  CombinedMaterial material_;
  const StepInput& step_;
  const ContactSolution& now_;
  const StepReport& report_;
  DirectSum sum_now_;
  DirectSum sum_before_;
  bool rolls_ = false;
  bool steady_ = false;
  double offset_x_ = 0.0;
  double offset_y_ = 0.0;
  double normal_stiffness_ = 0.0;
  double tangential_stiffness_ = 0.0;
};

}  // namespace

double sampled_residual(const ContactProblem& problem, const StepInput& step,
                        const ContactSolution& before, const ContactSolution& now,
                        const StepReport& report) {
  return Residual(problem, step, before, now, report).measure();
}

}  // namespace slipfield
