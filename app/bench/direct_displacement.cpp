// SPDX-License-Identifier: Apache-2.0
#include "app/bench/direct_displacement.h"

#include <cmath>
#include <map>
#include <utility>

#include "solver/influence/fading_memory.h"
#include "solver/rolling.h"

namespace slipfield {

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
  if (!is_viscoelastic(problem.upper) && !is_viscoelastic(problem.lower)) return;
  if (!steady_) {
    remember(problem.upper, 1.0, tangential, before, now);
    remember(problem.lower, -1.0, tangential, before, now);
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

// The faded tractions of the particles, P = integral of exp(-s/tau)/tau p(t - s) ds, p linear within
// each step from 0 on; they displace by the compliance that the term adds to the body.
void DirectDisplacement::remember(const ElasticBody& body, double side,
                                  const Tangential& tangential,
                                  const std::vector<ContactSolution>& before,
                                  const ContactSolution& now) {
  const bool rolls = is_rolling(tangential.problem);
  const double duration = rolls ? tangential.step / tangential.velocity : tangential.duration;
  const int ahead = rolls ? static_cast<int>(std::lround(offset_x_ / grid_.dx)) : 0;
  for (const CreepTerm& term : body.creep) {
    const double r = duration / term.time;
    const double kept = std::exp(-r);
    const double mean = -std::expm1(-r) / r;
    const CombinedMaterial added{2.0 * body.shear_modulus / term.ratio, body.poisson_ratio,
                                 0.5 * side * (1.0 - 2.0 * body.poisson_ratio)};
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
      carry(last, mean - kept);
      last.clear();
      for (const Source& source : sources_of(fields)) {
        add(next, source, 1.0 - mean);
        add(last, source, 1.0);
      }
      faded = std::move(next);
    };
    for (const ContactSolution& fields : before) advance(fields);
    if (!before.empty()) past_.push_back({added, listed(faded)});
    advance(now);
    now_.push_back({added, listed(faded)});
  }
}

double DirectDisplacement::coefficient(const Part& part, Component component, bool ago, int kx,
                                       int ky) const {
  if (!tables_[0].empty())
    return *tables_[ago ? 1 : 0][static_cast<std::size_t>(component)].at(kx, ky);
  const double x = kx * grid_.dx + (ago ? offset_x_ : 0.0);
  const double y = ky * grid_.dy + (ago ? offset_y_ : 0.0);
  const double bodies = influence_coefficient(component, x, y, grid_.dx, grid_.dy, part.material);
  return has_layer(part.material)
             ? bodies + layer_coefficient(component, x, y, grid_.dx, grid_.dy, part.material)
             : bodies;
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

}  // namespace slipfield
