// SPDX-License-Identifier: Apache-2.0
#include "app/bench/sampled_residual.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "app/bench/direct_displacement.h"
#include "solver/fields/tangential_ops.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kPairs = 1.0e6;  // of a sampled and a loaded element, about a second's work
constexpr std::size_t kLeastSample = 32;

struct ResidualParts {
  double normal2 = 0.0;
  double pressure2 = 0.0;
  double tangential2 = 0.0;
  double bound2 = 0.0;
};

// Error of the prescribed moment over the greatest moment that friction could carry.
double moment_error(const Grid& grid, const ContactSolution& now, double prescribed) {
  double moment = 0.0;
  double greatest = 0.0;
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) {
      const std::size_t i = grid.index(ix, iy);
      moment += grid.x(ix) * now.traction_y[i] - grid.y(iy) * now.traction_x[i];
      greatest += now.traction_bound[i] * std::hypot(grid.x(ix), grid.y(iy));
    }
  const double area = grid.element_area();
  return std::abs(moment * area - prescribed) / (greatest * area);
}

class Residual {
 public:
  Residual(const ContactProblem& problem, const StepInput& step,
           const std::vector<ContactSolution>& before, const ContactSolution& now,
           const StepReport& report)
      : grid_(problem.grid),
        material_(contact_material(problem)),
        step_(step),
        now_(now),
        report_(report),
        second_order_(problem.solver.rolling == RollingScheme::second_order),
        yield_stress_(problem.layer.yields() ? problem.layer.yield_stress
                                             : std::numeric_limits<double>::infinity()),
        displacement_(problem, step, before, now) {
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
      const ResidualParts parts = at(i);
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
    return influence_coefficient(component, x, y, grid_.dx, grid_.dy, material_) +
           layer_coefficient(component, x, y, grid_.dx, grid_.dy, material_);
  }

  // Evenly over the elements in contact, and a quarter as many over the others.
  [[nodiscard]] std::vector<std::size_t> choose_sample() const {
    std::vector<std::size_t> inside;
    std::vector<std::size_t> outside;
    for (std::size_t i = 0; i < now_.pressure.size(); ++i)
      (now_.pressure[i] > 0.0 ? inside : outside).push_back(i);
    const auto loaded = static_cast<double>(displacement_.loaded() + 1);
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

  // By the law at the slip; where it remembers, what the particle had ahead counts as solved.
  [[nodiscard]] double bound_of(std::size_t i, double slip, double pressure) const {
    const Friction& friction = step_.friction;
    if (!friction.depends_on_slip())
      return std::min(traction_bound(friction.shear_strength, friction.coefficient, pressure),
                      yield_stress_);
    const bool slips = now_.element_division[i] == ElementState::slip;
    const double velocity = slips ? slip * slip_rate(step_.tangential) : 0.0;
    double coefficient = sliding_law(friction).at(velocity);
    if (friction.remembers()) {
      const double time = grid_.dx / step_.tangential.velocity;
      const double kept =
          friction.memory_distance /
          (friction.memory_distance + time * std::max(velocity, friction.memory_velocity));
      const std::size_t ahead = std::cos(step_.tangential.direction) > 0.0 ? i + 1 : i - 1;
      const auto row = static_cast<std::size_t>(grid_.mx);
      const bool leading = ahead / row != i / row || !(now_.pressure[ahead] > 0.0);
      const double before =
          leading ? friction.coefficient : now_.traction_bound[ahead] / now_.pressure[ahead];
      coefficient = kept * before + (1.0 - kept) * coefficient;
    }
    return coefficient * pressure;
  }

  [[nodiscard]] ResidualParts at(std::size_t i) const {
    ResidualParts parts;
    const auto ix = static_cast<int>(i % static_cast<std::size_t>(grid_.mx));
    const auto iy = static_cast<int>(i / static_cast<std::size_t>(grid_.mx));
    const DirectSum3 u = displacement_.now(ix, iy);
    const double pressure = now_.pressure[i];
    const double gap = now_.undeformed_distance[i] + u.n - report_.approach;
    const double wanted = std::max(0.0, pressure - normal_stiffness_ * gap);
    parts.normal2 = (pressure - wanted) * (pressure - wanted);
    parts.pressure2 = pressure * pressure;
    if (step_.tangential.problem == TangentialProblem::none || !(pressure > 0.0)) return parts;
    const DirectSum3 past = displacement_.past(ix, iy);
    const double distance = rolls_ ? step_.tangential.step : 1.0;
    const double centre_x = grid_.x(ix) + offset_x_ / 6.0;
    const double centre_y = grid_.y(iy) + offset_y_ / 6.0;
    double slip_x = distance * (report_.rigid_x - report_.rotation * centre_y) + u.x - past.x;
    double slip_y = distance * (report_.rigid_y + report_.rotation * centre_x) + u.y - past.y;
    if (second_order_) {  // which adds to these displacements
      slip_x = now_.slip_x[i];
      slip_y = now_.slip_y[i];
    }
    const double bound = bound_of(i, std::hypot(slip_x, slip_y), pressure);
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
  bool second_order_;
  double yield_stress_;
  DirectDisplacement displacement_;
  bool rolls_ = false;
  bool steady_ = false;
  double offset_x_ = 0.0;
  double offset_y_ = 0.0;
  double normal_stiffness_ = 0.0;
  double tangential_stiffness_ = 0.0;
};

}  // namespace

double sampled_residual(const ContactProblem& problem, const StepInput& step,
                        const std::vector<ContactSolution>& before, const ContactSolution& now,
                        const StepReport& report) {
  const double residual = Residual(problem, step, before, now, report).measure();
  if (!step.tangential.moment) return residual;
  return std::max(residual, moment_error(problem.grid, now, *step.tangential.moment));
}

}  // namespace slipfield
