// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/fading_memory.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <utility>

#include "solver/rolling.h"

namespace slipfield {
namespace {

constexpr double kFaded = 45.0;  // exp(-45) = 3e-20

// Nodes and weights of Gauss and Legendre on [0, 1].
struct GaussRule {
  std::vector<double> node;
  std::vector<double> weight;
  [[nodiscard]] std::size_t size() const { return node.size(); }
};

// P_0(t) to P_n(t) of Legendre on [-1, 1].
std::vector<double> legendre(std::size_t n, double t) {
  std::vector<double> p(n + 1, 1.0);
  if (n > 0) p[1] = t;
  for (std::size_t k = 1; k < n; ++k) {
    const auto order = static_cast<double>(k);
    p[k + 1] = ((2.0 * order + 1.0) * t * p[k] - order * p[k - 1]) / (order + 1.0);
  }
  return p;
}

GaussRule make_rule(std::size_t nodes) {
  const auto n = static_cast<double>(nodes);
  GaussRule rule;
  for (std::size_t k = 0; k < nodes; ++k) {
    double t = std::cos(std::numbers::pi * (static_cast<double>(k) + 0.75) / (n + 0.5));
    double slope = 0.0;
    for (int step = 0; step < 20; ++step) {  // Newton's method: five steps give all digits
      const std::vector<double> p = legendre(nodes, t);
      slope = n * (t * p[nodes] - p[nodes - 1]) / (t * t - 1.0);
      t -= p[nodes] / slope;
    }
    rule.node.push_back(0.5 * (1.0 + t));
    rule.weight.push_back(1.0 / ((1.0 - t * t) * slope * slope));
  }
  return rule;
}

const GaussRule& gauss_rule() {
  static const GaussRule rule = make_rule(10);
  return rule;
}

// A line of positions along the rolling direction, with particles coming from greater x: every
// other direction is converted to this one by exchanging x and y and by mirroring.
struct MemoryLine {
  Component component = Component::nn;
  CombinedMaterial material;
  double element = 0.0;   // along the line
  double width = 0.0;     // of the element across it
  double across = 0.0;    // distance of the line from the loaded element's centre
  double length = 0.0;    // V tau > 0
  PeriodicImages images;  // across the line; may be empty
  double reach = 0.0;     // extent of the positions along it
  double offset = 0.0;    // taken off the coefficient
  mutable std::optional<RowOfImages> row = {};  // with images; made on first use

  [[nodiscard]] double elastic(double x) const {
    if (!images.exist())
      return influence_coefficient(component, x, across, element, width, material);
    if (!row)
      row.emplace(ElementWithImages(component, element, width, material, images), across, reach);
    return row->at(x) - offset;
  }

  // The distance from x to the loaded element's edges, where the coefficient is not smooth.
  [[nodiscard]] double roughness_at(double x) const {
    const double away =
        images.exist() ? std::remainder(across, images.period) : across;  // of the nearest image
    const double beside = std::max(0.0, std::abs(away) - 0.5 * width);
    return std::hypot(std::abs(std::abs(x) - 0.5 * element), beside);
  }

  // Integral of exp(-s/l)/l A(x + s) ds from s = begin to end, in panels that shrink towards the
  // edges and stay below 2 l.
  [[nodiscard]] double panels(double x, double begin, double end) const {
    const double size = end - begin;
    const double smooth = roughness_at(x + 0.5 * (begin + end));
    const double smallest = 1.0e-10 * element;
    if (size > 2.0 * length || (size > smooth && size > smallest)) {
      const double middle = 0.5 * (begin + end);
      return panels(x, begin, middle) + panels(x, middle, end);
    }
    const GaussRule& rule = gauss_rule();
    double sum = 0.0;
    for (std::size_t k = 0; k < rule.size(); ++k) {
      const double s = begin + size * rule.node[k];
      sum += rule.weight[k] * std::exp(-s / length) * elastic(x + s);
    }
    return sum * size / length;
  }

  // The integral over [0, end], split at the edges.
  [[nodiscard]] double integral(double x, double end) const {
    end = std::min(end, kFaded * length);
    double sum = 0.0;
    double begin = 0.0;
    for (const double edge : {-0.5 * element - x, 0.5 * element - x}) {
      if (!(edge > begin) || !(edge < end)) continue;
      sum += panels(x, begin, edge);
      begin = edge;
    }
    return sum + beyond(x, begin, end);
  }

  // Panels that double in size from the element's size on, so that a long memory needs few.
  [[nodiscard]] double beyond(double x, double begin, double end) const {
    double sum = 0.0;
    double size = element;
    while (begin < end) {
      const double next = std::min(end, begin + size);
      sum += panels(x, begin, next);
      begin = next;
      size *= 2.0;
    }
    return sum;
  }

  [[nodiscard]] double whole(double x) const { return integral(x, HUGE_VAL); }
};

// Positions on the element ahead [of its length] and weights of A there, exact for polynomials: for
// the integral of exp(-s/l)/l ds over it.
struct ElementRule {
  std::vector<double> place;
  std::vector<double> weight;
};

ElementRule element_rule(std::size_t nodes, double element, double length) {
  const double reach = std::min(element, kFaded * length);
  const auto parts = static_cast<int>(std::ceil(reach / length));
  const GaussRule& fine = gauss_rule();
  std::vector<double> moment(nodes, 0.0);  // of the Legendre polynomials
  for (int part = 0; part < parts; ++part) {
    for (std::size_t k = 0; k < fine.size(); ++k) {
      const double s = reach * (part + fine.node[k]) / parts;
      const double weight = fine.weight[k] * reach / parts * std::exp(-s / length) / length;
      const std::vector<double> p = legendre(nodes, 2.0 * s / element - 1.0);
      for (std::size_t m = 0; m < nodes; ++m) moment[m] += weight * p[m];
    }
  }
  const GaussRule rule = make_rule(nodes);
  ElementRule weighted{rule.node, std::vector<double>(nodes, 0.0)};
  for (std::size_t k = 0; k < nodes; ++k) {
    const std::vector<double> p = legendre(nodes, 2.0 * rule.node[k] - 1.0);
    for (std::size_t m = 0; m < nodes; ++m)
      weighted.weight[k] +=
          rule.weight[k] * (2.0 * static_cast<double>(m) + 1.0) * p[m] * moment[m];
  }
  return weighted;
}

// Distances from the loaded element's edges, in elements, beyond which a rule is accurate to 1e-11.
constexpr double kNear = 4.0;
constexpr double kFar = 16.0;
struct ElementRules {
  ElementRule near;
  ElementRule far;
};

// values[i] = the memory at the position first + i element, filled from the end.
void fill_line(const MemoryLine& line, const ElementRules& rules, double first,
               std::vector<double>& values) {
  const double fading = std::exp(-line.element / line.length);
  double memory = 0.0;
  for (std::size_t i = values.size(); i-- > 0;) {
    const double x = first + static_cast<double>(i) * line.element;
    const double away = line.roughness_at(x + 0.5 * line.element) / line.element;
    if (i + 1 == values.size()) {
      memory = line.whole(x);
    } else if (away < kNear) {
      memory = fading * memory + line.integral(x, line.element);
    } else {
      const ElementRule& rule = away < kFar ? rules.near : rules.far;
      memory *= fading;
      for (std::size_t k = 0; k < rule.place.size(); ++k)
        memory += rule.weight[k] * line.elastic(x + line.element * rule.place[k]);
    }
    values[i] = memory;
  }
}

struct Orientation {
  bool along_y = false;
  bool mirrored = false;  // particles come from smaller x or y
  double sign = 1.0;      // of the mirrored coefficient
};

Orientation orientation_of(Component component, const MemoryTerm& term) {
  Orientation turned;
  turned.along_y = term.length_y != 0.0;
  turned.mirrored = (turned.along_y ? term.length_y : term.length_x) < 0.0;
  const Parity even_or_odd = parity(component);
  if (turned.mirrored) turned.sign = turned.along_y ? even_or_odd.y : even_or_odd.x;
  return turned;
}

// Particles should remember nothing of loads far away. With images a load along the period still
// displaces there, so that two constants are taken off, which are 0 for l = 0. The mean of exp(-q)
// ln(q l) over q is ln(l) less Euler's constant. The displacement across the load does not fade: as
// the elastic one, its mean at the places +-d becomes 0.
PeriodicImages images_of_memory(PeriodicImages images, double length) {
  if (!images.exist()) return images;
  return {images.period, images.distance + std::exp(-std::numbers::egamma) * length, true};
}
double offset_of_memory(Component component, double element, double width,
                        const CombinedMaterial& material, const PeriodicImages& images,
                        double length) {
  if (!images.exist() || component != Component::xn) return 0.0;
  const double far = 1.0e3 * (images.period + element);
  const ElementWithImages loaded(component, element, width, material,
                                 {images.period, images.distance, true});
  return std::exp(-images.distance / length) * loaded.at(far, 0.0);
}

// images: of an elastic coefficient.
MemoryLine line_of(Component component, const MemoryTerm& term, const Grid& grid,
                   const Orientation& turned, const PeriodicImages& images, double across) {
  MemoryLine line;
  line.component = turned.along_y ? with_axes_swapped(component) : component;
  line.material = term.material;
  line.element = turned.along_y ? grid.dy : grid.dx;
  line.width = turned.along_y ? grid.dx : grid.dy;
  line.across = across;
  line.length = std::abs(turned.along_y ? term.length_y : term.length_x);
  line.images = images_of_memory(images, line.length);
  line.reach = turned.along_y ? grid.my * grid.dy : grid.mx * grid.dx;
  line.offset = offset_of_memory(line.component, line.element, line.width, term.material, images,
                                 line.length);
  return line;
}

bool has_length(const MemoryTerm& term) { return term.length_x != 0.0 || term.length_y != 0.0; }

// Combines two materials; their compliances add up.
CombinedMaterial sum_of(const CombinedMaterial& a, const CombinedMaterial& b) {
  const double compliance = 1.0 / a.shear_modulus + 1.0 / b.shear_modulus;
  const auto mean = [&](double of_a, double of_b) {
    return (of_a / a.shear_modulus + of_b / b.shear_modulus) / compliance;
  };
  return {1.0 / compliance, mean(a.poisson_ratio, b.poisson_ratio), mean(a.coupling, b.coupling)};
}

void add_terms(const ElasticBody& body, double side, double length_x, double length_y,
               std::vector<MemoryTerm>& terms) {
  for (const CreepTerm& creep : body.creep) {
    if (!(creep.ratio > 0.0)) continue;
    const CombinedMaterial share{2.0 * body.shear_modulus / creep.ratio, body.poisson_ratio,
                                 0.5 * side * (1.0 - 2.0 * body.poisson_ratio)};
    const MemoryTerm term{share, length_x * creep.time, length_y * creep.time};
    const auto same = std::find_if(terms.begin(), terms.end(), [&](const MemoryTerm& other) {
      return other.length_x == term.length_x && other.length_y == term.length_y;
    });
    if (same == terms.end()) {
      terms.push_back(term);
    } else {
      same->material = sum_of(same->material, term.material);
    }
  }
}

}  // namespace

CombinedMaterial softened(const CombinedMaterial& material, const std::vector<MemoryTerm>& memory) {
  CombinedMaterial result = material;
  for (const MemoryTerm& term : memory) {
    const CombinedMaterial sum = sum_of(result, term.material);
    result.shear_modulus = sum.shear_modulus;
    result.poisson_ratio = sum.poisson_ratio;
    result.coupling = sum.coupling;
  }
  return result;
}

std::vector<MemoryTerm> memory_of(const ElasticBody& upper, const ElasticBody& lower,
                                  const Tangential& tangential) {
  std::vector<MemoryTerm> terms;
  if (tangential.problem != TangentialProblem::steady_rolling) return terms;
  const bool along_y = rolls_along_y(tangential.direction);
  const double x = along_y ? 0.0 : std::copysign(1.0, std::cos(tangential.direction));
  const double y = along_y ? std::copysign(1.0, std::sin(tangential.direction)) : 0.0;
  for (const auto& [body, side] : {std::pair(&upper, 1.0), std::pair(&lower, -1.0)})
    add_terms(*body, side, tangential.velocity * x, tangential.velocity * y, terms);
  return terms;
}

// At the velocity 1 along x the lengths are times.
std::vector<CreepOfBodies> creep_of(const ElasticBody& upper, const ElasticBody& lower) {
  Tangential rolling;
  rolling.problem = TangentialProblem::steady_rolling;
  rolling.velocity = 1.0;
  std::vector<CreepOfBodies> creep;
  for (const MemoryTerm& term : memory_of(upper, lower, rolling))
    creep.push_back({term.material, term.length_x});
  return creep;
}

bool couples(const ElasticBody& upper, const ElasticBody& lower) {
  if (combine(upper, lower).coupling != 0.0) return true;
  // With K = 0 half-spaces do not couple, but the layers on them do unless all are equal.
  const bool layered = is_layered(upper) || is_layered(lower);
  if (layered && layers_of(upper) != layers_of(lower)) return true;
  return std::ranges::any_of(creep_of(upper, lower), [](const CreepOfBodies& creep) {
    return creep.material.coupling != 0.0;
  });
}

double memory_coefficient(Component component, double x, double y, const Grid& grid,
                          const MemoryTerm& term) {
  const PeriodicImages images = images_of(grid);
  if (!has_length(term))
    return images.exist()
               ? ElementWithImages(component, grid.dx, grid.dy, term.material, images).at(x, y)
               : influence_coefficient(component, x, y, grid.dx, grid.dy, term.material);
  const Orientation turned = orientation_of(component, term);
  const double along = turned.along_y ? y : x;
  const MemoryLine line = line_of(component, term, grid, turned, images, turned.along_y ? x : y);
  return turned.sign * line.whole(turned.mirrored ? -along : along);
}

namespace {

// The weighted coefficients at `count` positions starting at `first`.
std::vector<double> shares_of(const MemoryLine& line, const ElementRules& rules,
                              const MemoryShares& shares, double first, std::size_t count) {
  const auto weighted = [&](const double* here, const double* ahead) {
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
      values[i] = shares.here * here[i] + shares.ahead * ahead[i];
    return values;
  };
  if (std::abs(shares.step) == line.element) {  // both are on one line
    std::vector<double> both(count + 1);
    const std::size_t forward = shares.step > 0.0 ? 1 : 0;
    fill_line(line, rules, forward == 1 ? first : first + shares.step, both);
    return weighted(both.data() + (1 - forward), both.data() + forward);
  }
  std::vector<double> here(count);
  std::vector<double> ahead(count);
  if (shares.here != 0.0) fill_line(line, rules, first, here);
  if (shares.ahead != 0.0) fill_line(line, rules, first + shares.step, ahead);
  return weighted(here.data(), ahead.data());
}

}  // namespace

void add_memory(Component component, const Grid& grid, const MemoryTerm& term,
                const MemoryShares& shares, std::span<double> sum) {
  const Orientation turned = orientation_of(component, term);
  const int along_count = turned.along_y ? grid.my : grid.mx;
  const int across_count = turned.along_y ? grid.mx : grid.my;
  const auto width = 2 * static_cast<std::ptrdiff_t>(grid.mx) - 1;
  const Parity even_or_odd = parity(component);
  const double sign_across = turned.along_y ? even_or_odd.x : even_or_odd.y;
  const MemoryLine middle = line_of(component, term, grid, turned, shares.images, 0.0);
  const ElementRules rules{element_rule(10, middle.element, middle.length),
                           element_rule(6, middle.element, middle.length)};
  const auto count = 2 * static_cast<std::size_t>(along_count) - 1;
  const double first = -(along_count - 1) * middle.element;
#pragma omp parallel for schedule(dynamic, 4) if (grid.count() >= kLeastForThreads)
  for (int row = 0; row < across_count; ++row) {
    MemoryLine line = middle;
    line.across = row * line.width;
    const std::vector<double> values = shares_of(line, rules, shares, first, count);
    for (int k = 1 - along_count; k < along_count; ++k) {
      const int place = (turned.mirrored ? -k : k) + along_count - 1;
      const double value = turned.sign * values[static_cast<std::size_t>(place)];
      const auto add = [&](int across, double more) {
        const int ix = turned.along_y ? across : k;
        const int iy = turned.along_y ? k : across;
        sum[static_cast<std::size_t>((iy + grid.my - 1) * width + ix + grid.mx - 1)] += more;
      };
      add(row, value);
      if (row > 0) add(-row, sign_across * value);
    }
  }
}

}  // namespace slipfield
