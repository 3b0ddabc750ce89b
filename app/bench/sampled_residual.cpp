// SPDX-License-Identifier: Apache-2.0
#include "app/bench/sampled_residual.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

#include "solver/fields/tangential_ops.h"
#include "solver/influence/fading_memory.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/influence/influence_table.h"
#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kPairs = 1.0e6;  // of a sampled and a loaded element, about a second's work
constexpr std::size_t kLeastSample = 32;

struct DirectSum3 {
  double x = 0.0;
  double y = 0.0;
  double n = 0.0;
};

// A creep time of a body over a step: the faded tractions, P = integral of exp(-s/tau)/tau p(t - s)
// ds, displace by the compliance that the term adds to the body.
struct CreepOverStep {
  CombinedMaterial added;
  double times = 0.0;  // duration of the step over the creep time
  double now = 0.0;    // share of the step's change of tractions in P at its end
  // Compliance under pressure, relative to that of both bodies without creep.
  double ratio = 0.0;
};

// Whether the displacements are given, so that they, not the tractions, go linearly (THEORY.md
// 5.13).
bool only_moves(const StepInput& step) {
  const auto is_moved = [](const TangentialLoad& load) {
    return load.control == TangentialControl::rigid || load.value == 0.0;
  };
  const Tangential& tangential = step.tangential;
  return tangential.problem == TangentialProblem::shift &&
         step.normal.control == NormalControl::approach && is_moved(tangential.x) &&
         is_moved(tangential.y) && tangential.moment.value_or(0.0) == 0.0;
}

// Takes as share P/p at the end of a displacement p + sum of ratio P that grows from rest linearly,
// dP/dt = (p - P)/tau, by the trapezoidal rule.
void share_as_displaced(std::vector<CreepOverStep>& creep) {
  constexpr int kIntervals = 20000;
  double pressure = 0.0;
  std::vector<double> faded(creep.size(), 0.0);
  for (int interval = 1; interval <= kIntervals; ++interval) {
    double known = 0.0;
    double compliance = 1.0;
    for (std::size_t k = 0; k < creep.size(); ++k) {
      const double half = 0.5 * creep[k].times / kIntervals;
      faded[k] = (faded[k] * (1.0 - half) + half * pressure) / (1.0 + half);
      known += creep[k].ratio * faded[k];
      compliance += creep[k].ratio * half / (1.0 + half);
    }
    pressure = (static_cast<double>(interval) / kIntervals - known) / compliance;
    for (std::size_t k = 0; k < creep.size(); ++k) {
      const double half = 0.5 * creep[k].times / kIntervals;
      faded[k] += half / (1.0 + half) * pressure;
    }
  }
  for (std::size_t k = 0; k < creep.size(); ++k) creep[k].now = faded[k] / pressure;
}

std::vector<CreepOverStep> creep_over(const ContactProblem& problem, const StepInput& step) {
  const Tangential& tangential = step.tangential;
  const double duration =
      is_rolling(tangential.problem) ? tangential.step / tangential.velocity : tangential.duration;
  const auto compliance = [](const CombinedMaterial& material) {
    return (1.0 - material.poisson_ratio) / material.shear_modulus;
  };
  const double whole = compliance(combine(problem.upper, problem.lower));
  std::vector<CreepOverStep> creep;
  const auto add = [&](const ElasticBody& body, double side) {
    for (const CreepTerm& term : body.creep) {
      const CombinedMaterial added{2.0 * body.shear_modulus / term.ratio, body.poisson_ratio,
                                   0.5 * side * (1.0 - 2.0 * body.poisson_ratio)};
      const double times = duration / term.time;
      creep.push_back({added, times, 1.0 + std::expm1(-times) / times, compliance(added) / whole});
    }
  };
  add(problem.upper, 1.0);
  add(problem.lower, -1.0);
  if (only_moves(step)) share_as_displaced(creep);
  return creep;
}

// Displacements of a step by direct summation, now and one step ago for the same particles: for
// elastic bodies, with a layer between them (THEORY.md 5.10), and for viscoelastic ones (2.8,
// 5.13).
class DirectDisplacement {
 public:
  // before: the fields of all earlier steps, oldest first; every step is made by `step`.
  DirectDisplacement(const ContactProblem& problem, const StepInput& step,
                     const std::vector<ContactSolution>& before, const ContactSolution& now);

  [[nodiscard]] DirectSum3 now(int ix, int iy) const { return sum(now_, false, ix, iy); }
  // At the previous position of the particle that is now in the element; the same place in a shift.
  [[nodiscard]] DirectSum3 past(int ix, int iy) const {
    return steady_ ? sum(now_, true, ix, iy) : sum(past_, true, ix, iy);
  }
  [[nodiscard]] bool is_steady() const { return steady_; }
  // Offset to the previous positions of particles.
  [[nodiscard]] std::array<double, 2> offset() const { return {offset_x_, offset_y_}; }
  // Number of pairs of elements in both sums.
  [[nodiscard]] std::size_t loaded() const;

 private:
  struct Source {
    int ix;  // may be outside the grid
    int iy;
    double x, y, n;
  };
  // Tractions, and the material in which they act.
  struct Part {
    CombinedMaterial material;
    std::vector<Source> sources;
  };
  using Parts = std::vector<Part>;

  [[nodiscard]] DirectSum3 sum(const Parts& parts, bool ago, int ix, int iy) const;
  [[nodiscard]] double coefficient(const Part& part, Component component, bool ago, int kx,
                                   int ky) const;
  [[nodiscard]] std::vector<Source> sources_of(const ContactSolution& fields) const;
  void remember(const CreepOverStep& creep, const std::vector<ContactSolution>& before,
                const ContactSolution& now);

  Grid grid_;
  CombinedMaterial material_;
  bool steady_ = false;
  bool coupled_ = false;
  double offset_x_ = 0.0;
  double offset_y_ = 0.0;
  Parts now_, past_;
  // For viscoelastic bodies in steady rolling: tables now, and one step ago.
  std::array<std::vector<InfluenceTable>, 2> tables_;
};

DirectDisplacement::DirectDisplacement(const ContactProblem& problem, const StepInput& step,
                                       const std::vector<ContactSolution>& before,
                                       const ContactSolution& now)
    : grid_(problem.grid), material_(contact_material(problem)), coupled_(couples(problem)) {
  const Tangential& tangential = step.tangential;
  steady_ = tangential.problem == TangentialProblem::steady_rolling;
  if (is_rolling(tangential.problem)) {
    offset_x_ = tangential.step * std::cos(tangential.direction);
    offset_y_ = tangential.step * std::sin(tangential.direction);
  }
  now_.push_back({material_, sources_of(now)});
  if (!steady_ && !before.empty()) past_.push_back({material_, sources_of(before.back())});
  if (!creeps(problem)) return;
  if (!steady_) {
    for (const CreepOverStep& creep : creep_over(problem, step)) remember(creep, before, now);
    return;
  }
  InfluenceKind kind{Displacement::current, offset_x_, offset_y_};
  kind.memory = memory_of(problem.upper, problem.lower, tangential);
  for (auto& tables : tables_) {
    for (int c = 0; c < kComponents; ++c) {
      const auto component = static_cast<Component>(c);
      const bool needed = coupled_ || (component != Component::xn && component != Component::yn);
      tables.push_back(needed ? influence_table(component, grid_, material_, kind)
                              : InfluenceTable{});
    }
    kind.displacement = Displacement::previous;
  }
}

std::size_t DirectDisplacement::loaded() const {
  std::size_t count = 0;
  for (const Parts* parts : {&now_, &past_})
    for (const Part& part : *parts) count += part.sources.size();
  return steady_ ? 2 * count : count;
}

std::vector<DirectDisplacement::Source> DirectDisplacement::sources_of(
    const ContactSolution& fields) const {
  std::vector<Source> sources;
  for (int iy = 0; iy < grid_.my; ++iy)
    for (int ix = 0; ix < grid_.mx; ++ix) {
      const std::size_t i = grid_.index(ix, iy);
      const Source source{ix, iy, fields.traction_x[i], fields.traction_y[i], fields.pressure[i]};
      if (source.x != 0.0 || source.y != 0.0 || source.n != 0.0) sources.push_back(source);
    }
  return sources;
}

// Adds the faded tractions of the particles.
void DirectDisplacement::remember(const CreepOverStep& creep,
                                  const std::vector<ContactSolution>& before,
                                  const ContactSolution& now) {
  const int ahead = static_cast<int>(std::lround(offset_x_ / grid_.dx));
  const double kept = std::exp(-creep.times);
  using Field = std::map<std::pair<int, int>, Source>;
  Field faded;
  Field last;
  const auto add = [](Field& field, const Source& s, double share) {
    Source& sum = field.try_emplace({s.ix, s.iy}, Source{s.ix, s.iy, 0, 0, 0}).first->second;
    sum.x += share * s.x;
    sum.y += share * s.y;
    sum.n += share * s.n;
  };
  const auto listed = [](const Field& field) {
    std::vector<Source> sources;
    for (const auto& entry : field) sources.push_back(entry.second);
    return sources;
  };
  const auto advance = [&](const ContactSolution& fields) {
    Field next;
    const auto carry = [&](const Field& field, double share) {
      for (auto [place, source] : field) {
        source.ix -= ahead;
        add(next, source, share);
      }
    };
    carry(faded, kept);
    carry(last, 1.0 - kept - creep.now);
    last.clear();
    for (const Source& source : sources_of(fields)) {
      add(next, source, creep.now);
      add(last, source, 1.0);
    }
    faded = std::move(next);
  };
  for (const ContactSolution& fields : before) advance(fields);
  if (!before.empty()) past_.push_back({creep.added, listed(faded)});
  advance(now);
  now_.push_back({creep.added, listed(faded)});
}

double DirectDisplacement::coefficient(const Part& part, Component component, bool ago, int kx,
                                       int ky) const {
  if (!tables_[0].empty())
    return *tables_[ago ? 1 : 0][static_cast<std::size_t>(component)].at(kx, ky);
  const double x = kx * grid_.dx + (ago ? offset_x_ : 0.0);
  const double y = ky * grid_.dy + (ago ? offset_y_ : 0.0);
  return influence_coefficient(component, x, y, grid_, part.material, {});
}

DirectSum3 DirectDisplacement::sum(const Parts& parts, bool ago, int ix, int iy) const {
  DirectSum3 u;
  for (const Part& part : parts) {
    for (const Source& p : part.sources) {
      const int kx = ix - p.ix;
      const int ky = iy - p.iy;
      u.n += coefficient(part, Component::nn, ago, kx, ky) * p.n;
      if (p.x != 0.0 || p.y != 0.0) {
        const double xy = coefficient(part, Component::xy, ago, kx, ky);
        u.x += coefficient(part, Component::xx, ago, kx, ky) * p.x + xy * p.y;
        u.y += xy * p.x + coefficient(part, Component::yy, ago, kx, ky) * p.y;
      }
      if (!coupled_) continue;
      const double xn = coefficient(part, Component::xn, ago, kx, ky);
      const double yn = coefficient(part, Component::yn, ago, kx, ky);
      u.x += xn * p.n;
      u.y += yn * p.n;
      u.n -= xn * p.x + yn * p.y;
    }
  }
  return u;
}

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
    normal_stiffness_ = 1.0 / own(Component::nn, 0.0, 0.0);
    const auto [x, y] = displacement_.offset();
    tangential_stiffness_ = 1.0 / (own(Component::xx, 0.0, 0.0) -
                                   (displacement_.is_steady() ? own(Component::xx, x, y) : 0.0));
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
    return influence_coefficient(component, x, y, grid_, material_, {});
  }

  // Evenly spaced over the elements in contact, and a quarter as many over the others.
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

  // The bound by the law at the slip; with memory, the particle's value ahead is taken from the
  // solution.
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
    const double distance = is_rolling(step_.tangential.problem) ? step_.tangential.step : 1.0;
    const auto [ahead_x, ahead_y] = displacement_.offset();
    const double centre_x = grid_.x(ix) + ahead_x / 6.0;
    const double centre_y = grid_.y(iy) + ahead_y / 6.0;
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
