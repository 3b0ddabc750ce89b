// SPDX-License-Identifier: Apache-2.0
#include "solver/plausibility.h"
#include "solver/check/adhesive_zone.h"
#include "solver/check/creep_doubt.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <variant>

#include "solver/geometry/hertz_ellipse.h"
#include "solver/problem_check.h"
#include "solver/rolling.h"
#include "solver/step/energy_balance.h"
#include "solver/surface/wear.h"

namespace slipfield {
namespace {

double metres(Units units) { return units == Units::si ? 1.0 : 1.0e-3; }

struct Findings {
  std::vector<Finding> list;  // one entry per doubt and body or direction
  std::size_t entry = 0;      // index of the current step

  void add(const Finding& finding) {
    if (std::ranges::none_of(list, [&](const Finding& other) {
          return other.doubt == finding.doubt && other.at == finding.at &&
                 other.layer == finding.layer;
        }))
      list.push_back(finding);
  }
  void add(Doubt doubt, char at, double value, double limit, bool is_estimate = false) {
    add({doubt, at, value, limit, entry, is_estimate});
  }
};

// Young's modulus of a body, or of a layer of its coating.
struct Modulus {
  char body = 'u';
  int layer = 0;
  double value = 0.0;
};

std::vector<Modulus> moduli_of(const ContactProblem& problem) {
  std::vector<Modulus> moduli;
  for (const char at : {'u', 'l'}) {
    const std::vector<BodyLayer> layers = layers_of(at == 'u' ? problem.upper : problem.lower);
    for (std::size_t k = 0; k < layers.size(); ++k)
      moduli.push_back({at, k + 1 < layers.size() ? static_cast<int>(k) + 1 : 0,
                        2.0 * layers[k].shear_modulus * (1.0 + layers[k].poisson_ratio)});
  }
  return moduli;
}

// A single body far too stiff is meant to be rigid; if all are, the unit is wrong.
void doubt_moduli(const ContactProblem& problem, Findings& findings) {
  const double unit = pascal(problem.units);
  const std::vector<Modulus> moduli = moduli_of(problem);
  const double least = std::ranges::min(moduli, {}, &Modulus::value).value;
  for (const Modulus& modulus : moduli) {
    const auto doubt = [&](Doubt kind, double limit) {
      findings.add({.doubt = kind,
                    .at = modulus.body,
                    .value = modulus.value,
                    .limit = limit,
                    .layer = modulus.layer});
    };
    if (modulus.value * unit < kLeastModulus) doubt(Doubt::low_modulus, kLeastModulus / unit);
    if (least * unit > kMostModulus) doubt(Doubt::high_modulus, kMostModulus / unit);
    double greatest = 0.0;  // of the other body; for a coating also of its own body
    for (const Modulus& other : moduli)
      if (modulus.layer > 0 || other.body != modulus.body)
        greatest = std::max(greatest, other.value);
    const double ratio = greatest / (1000.0 * modulus.value);
    // A polymer on what nothing is as stiff as: a body that is meant to be rigid.
    if (modulus.value * unit < kSoftestMetal && greatest * unit > kStiffestMaterial) continue;
    if (ratio < kLikeAThousand && ratio > 1.0 / kLikeAThousand)
      doubt(Doubt::mixed_moduli, greatest);
  }
}

void doubt_strengths(const ContactProblem& problem, Findings& findings) {
  const auto [softest, hardest] = std::ranges::minmax(moduli_of(problem), {}, &Modulus::value);
  const auto check = [&](char at, double strength, double least) {
    if (strength > kMostStrength * hardest.value)
      findings.add(Doubt::odd_strength, at, strength, hardest.value);
    else if (strength > 0.0 && strength < least * softest.value)
      findings.add(Doubt::odd_strength, at, strength, softest.value);
  };
  check('u', problem.upper.hardness, kLeastHardness);
  check('l', problem.lower.hardness, kLeastHardness);
  check('y', problem.layer.yield_stress, 0.0);
  if (problem.surface.wear && problem.surface.wear->law == WearLaw::archard)
    check('w', problem.surface.wear->hardness, kLeastHardness);
  if (problem.surface.fatigue) check('f', problem.surface.fatigue->shear_yield, kLeastYield);
  for (findings.entry = 0; findings.entry < problem.steps.size(); ++findings.entry)
    check('s', problem.steps[findings.entry].friction.shear_strength, 0.0);
  findings.entry = 0;  // the whole problem again
}

// In the simplified theory only bound_cg and the search for a force iterate.
void doubt_tolerance(const ContactProblem& problem, Findings& findings) {
  const SolverSettings& solver = problem.solver;
  const auto is_found = [](const StepInput& step) {
    return step.tangential.x.control != TangentialControl::rigid ||
           step.tangential.y.control != TangentialControl::rigid || step.tangential.moment;
  };
  if (is_simplified(solver.tangential) && solver.normal != NormalMethod::bound_cg &&
      solver.tolerance != SolverSettings().tolerance &&
      std::ranges::none_of(problem.steps, is_found))
    findings.add(Doubt::idle_tolerance, ' ', solver.tolerance, 0.0);
}

// Whether it is, to three digits, a multiple of pi/6 or pi/4 although degrees are expected.
bool looks_like_radians(double degrees) {
  for (const double part : {std::numbers::pi / 6.0, std::numbers::pi / 4.0}) {
    const double count = std::round(std::abs(degrees) / part);
    const double meant = count * part;
    if (count >= 1.0 && meant < 6.3 && std::abs(std::abs(degrees) - meant) < 1.0e-3 * meant)
      return true;
  }
  return false;
}

// Doubts a shift by an angle in degrees, or by a distance that leaves the contact behind.
void doubt_shift(const Tangential& tangential, const HertzEstimate* hertz, Findings& findings) {
  if (tangential.problem != TangentialProblem::shift) return;
  if (!tangential.moment && std::abs(tangential.rotation) > kMostRotation)
    findings.add(Doubt::large_rotation, ' ', tangential.rotation, kMostRotation);
  if (hertz == nullptr) return;
  const auto check = [&](char at, const TangentialLoad& load, double semi_axis) {
    if (load.control == TangentialControl::rigid && semi_axis > 0.0 &&
        std::abs(load.value) > 2.0 * semi_axis)
      findings.add(Doubt::far_shift, at, load.value, 2.0 * semi_axis, true);
  };
  check('x', tangential.x, hertz->semi_axis_x);
  check('y', tangential.y, hertz->semi_axis_y);
}

// Doubts a step of half a contact's length or more: what was in contact before has soon left it.
void doubt_long_step(const Tangential& tangential, const Grid& grid, double length,
                     bool is_estimate, Findings& findings) {
  if (tangential.problem != TangentialProblem::transient_rolling || !(length > 0.0) ||
      tangential.step < kLongStep * length ||
      tangential.step <= element_length(tangential.direction, grid))
    return;
  findings.add(Doubt::long_step, ' ', tangential.step, length, is_estimate);
}

// Length of the contact through its centre; 0 along the axis of a cylinder.
double length_along(const HertzEstimate& hertz, double direction) {
  const auto part = [](double cosine, double semi_axis) {
    return semi_axis > 0.0 ? std::pow(cosine / semi_axis, 2.0) : 0.0;
  };
  const double squares =
      part(std::cos(direction), hertz.semi_axis_x) + part(std::sin(direction), hertz.semi_axis_y);
  return squares > 0.0 ? 2.0 / std::sqrt(squares) : 0.0;
}

void doubt_motion(const Tangential& tangential, double contact_length, Findings& findings) {
  if (!is_rolling(tangential.problem)) return;
  const auto check_creepage = [&](char direction, const TangentialLoad& load) {
    if (load.control == TangentialControl::rigid && std::abs(load.value) > kMostCreepage)
      findings.add(Doubt::large_creepage, direction, load.value, kMostCreepage);
  };
  check_creepage('x', tangential.x);
  check_creepage('y', tangential.y);
  if (contact_length > 0.0 && std::abs(tangential.rotation) * contact_length > 1.0)
    findings.add(Doubt::large_spin, ' ', tangential.rotation, 1.0 / contact_length, true);
  const double degrees = tangential.direction * 180.0 / std::numbers::pi;
  if (looks_like_radians(degrees))
    findings.add(Doubt::direction_in_radians, ' ', degrees, degrees * 180.0 / std::numbers::pi);
}

// Judges the worse direction.
void doubt_size(const HertzEstimate& hertz, Findings& findings) {
  const auto share = [](double semi_axis, double radius) {
    return radius > 0.0 ? semi_axis / radius : 0.0;
  };
  const bool in_x =
      share(hertz.semi_axis_x, hertz.radius_x) >= share(hertz.semi_axis_y, hertz.radius_y);
  const double semi_axis = in_x ? hertz.semi_axis_x : hertz.semi_axis_y;
  const double radius = in_x ? hertz.radius_x : hertz.radius_y;
  if (semi_axis > kMostSemiAxis * radius)
    findings.add(Doubt::large_contact, in_x ? 'x' : 'y', semi_axis, radius, true);
}

// Judges the direction with fewer elements across the contact.
std::optional<Finding> doubt_elements(const HertzEstimate& hertz, const Grid& grid,
                                      std::size_t entry) {
  constexpr double kEnough = std::numeric_limits<double>::infinity();
  const auto across = [](double semi_axis, double spacing, int elements) {
    return semi_axis > 0.0 && elements > 1 ? 2.0 * semi_axis / spacing : kEnough;
  };
  const double in_x = across(hertz.semi_axis_x, grid.dx, grid.mx);
  const double in_y = across(hertz.semi_axis_y, grid.dy, grid.my);
  constexpr double kRounding = 0.05;  // so that what is shown as 8.0 counts as 8
  if (std::min(in_x, in_y) >= kLeastElementsAcross - kRounding) return std::nullopt;
  const bool x_is_worse = in_x <= in_y;
  const double semi_axis = x_is_worse ? hertz.semi_axis_x : hertz.semi_axis_y;
  return Finding{Doubt::few_elements,
                 x_is_worse ? 'x' : 'y',
                 std::min(in_x, in_y),
                 2.0 * semi_axis / kLeastElementsAcross,
                 entry,
                 true};
}

// Judges the direction in which more of the contact lies outside, if by half an element or more, so
// that elements are missing that would be in contact.
void doubt_grid(const HertzEstimate& hertz, const Grid& grid, Findings& findings) {
  struct Side {
    double length;
    double covered;
    double missing;  // at one end, in elements
  };
  const auto side = [](double centre, double semi_axis, double from, double spacing, int elements) {
    const double to = from + spacing * elements;
    const double ahead = std::max(0.0, centre + semi_axis - to);
    const double behind = std::max(0.0, from - (centre - semi_axis));
    return Side{2.0 * semi_axis, std::max(0.0, 2.0 * semi_axis - ahead - behind),
                std::max(ahead, behind) / spacing};
  };
  const Side x = side(hertz.centre_x, hertz.semi_axis_x, grid.x0, grid.dx, grid.mx);
  const Side y = side(hertz.centre_y, hertz.semi_axis_y, grid.y0, grid.dy, grid.my);
  constexpr double kHalf = 0.5;
  if (std::max(x.missing, y.missing) < kHalf) return;
  const bool in_x = x.length - x.covered >= y.length - y.covered;
  findings.add(Doubt::beyond_grid, in_x ? 'x' : 'y', in_x ? x.length : y.length,
               in_x ? x.covered : y.covered, true);
}

// The coefficient of friction and the slope of the simplified theory follow from the creepages
// (THEORY.md 10.7).
void doubt_extra_slip(const ContactProblem& problem, const StepInput& step, Findings& findings) {
  const Tangential& tangential = step.tangential;
  const SlopeReduction& slope = problem.solver.slope;
  const bool falls = slope.decay != 0.0 && slope.rest != 1.0;
  const bool follows = step.friction.depends_on_slip() || falls;
  if (!is_simplified(problem.solver.tangential) || !follows || !tangential.extra.given()) return;
  double greatest = 0.0;
  char at = 'x';
  for (const char direction : {'x', 'y'}) {
    const auto& extra = direction == 'x' ? tangential.extra.x : tangential.extra.y;
    if (!extra) continue;
    for (const double value : *extra) {
      if (std::abs(value) <= greatest) continue;
      greatest = std::abs(value);
      at = direction;
    }
  }
  if (greatest > 0.0)
    findings.add(Doubt::unseen_slip, at, greatest,
                 std::hypot(tangential.x.value, tangential.y.value));
}

// Doubts an approach that leaves the bodies apart; for a grid of values this is too costly to find
// before solving.
void doubt_approach(const ContactProblem& problem, const NormalLoad& load, Findings& findings) {
  if (load.control != NormalControl::approach) return;
  const auto paraboloid = paraboloid_of(problem.geometry, combine(problem.upper, problem.lower));
  if (!paraboloid || paraboloid->twisted || !(paraboloid->curvature_x > 0.0) ||
      !(paraboloid->curvature_y > 0.0) || load.value > paraboloid->lowest)
    return;
  findings.add(Doubt::no_contact, problem.grid.boundary == Boundary::periodic ? 'p' : ' ',
               load.value, paraboloid->lowest, true);
}

// How a shape continues across the edge of a periodic grid, along one direction.
struct EdgeJump {
  double step = 0.0;   // [length] of h
  double slope = 0.0;  // jump of its slope
  double usual = 0.0;  // [length] usual step between neighbours; 0: given by a formula
};

EdgeJump jump_of_paraboloid(double curvature, double slope, double length) {
  return {std::abs(slope) * length, std::abs(curvature) * length, 0.0};
}

// Means over the lines across, of values at nx by ny places, `along` x or y. The slope is 0 unless
// it jumps at the edge by far more than between any two lines inside, as for a sphere.
EdgeJump jump_of_values(const std::vector<double>& values, int mx, int my, bool along_x,
                        double spacing) {
  const auto count = static_cast<std::size_t>(along_x ? mx : my);
  std::vector<double> mean(count, 0.0);
  std::vector<std::size_t> finite(count, 0);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto columns = static_cast<std::size_t>(mx);
    const std::size_t k = along_x ? i % columns : i / columns;
    if (!std::isfinite(values[i])) continue;
    mean[k] += values[i];
    ++finite[k];
  }
  std::vector<double> lines;  // except those on which nothing can touch
  for (std::size_t k = 0; k < count; ++k)
    if (finite[k] > 0) lines.push_back(mean[k] / static_cast<double>(finite[k]));
  if (lines.size() < 2) return {};
  double squares = 0.0;
  for (std::size_t k = 1; k < lines.size(); ++k) squares += std::pow(lines[k] - lines[k - 1], 2.0);
  const auto turn = [&](std::size_t k) {  // of the slope, from before line k - 1 to behind line k
    const std::size_t n = lines.size();
    return std::abs(lines[(k + 1) % n] - lines[k % n] - lines[k - 1] + lines[k - 2]) / spacing;
  };
  constexpr double kFarAbove = 2.5;  // n/2 - 1 of a parabola on n lines
  double within = 0.0;
  for (std::size_t k = 2; k + 1 < lines.size(); ++k) within = std::max(within, turn(k));
  const double edge = turn(lines.size());
  return {std::abs(lines.back() - lines.front()), edge > kFarAbove * within ? edge : 0.0,
          std::sqrt(squares / static_cast<double>(lines.size() - 1))};
}

EdgeJump jump_of_shape(const Shape& shape, const Grid& grid, double modulus, bool along_x) {
  const double length = along_x ? grid.mx * grid.dx : grid.my * grid.dy;
  const double middle = along_x ? grid.x0 + 0.5 * length : grid.y0 + 0.5 * length;
  const auto curved = [&](double curvature) {  // about the origin: h = curvature x^2/2
    return jump_of_paraboloid(curvature, curvature * middle, length);
  };
  if (const auto* quadratic = std::get_if<QuadraticShape>(&shape)) {
    const double second = 2.0 * (along_x ? quadratic->xx : quadratic->yy);
    const double first = along_x ? quadratic->x : quadratic->y;
    const double across = along_x ? grid.my * grid.dy : grid.mx * grid.dx;
    EdgeJump jump = jump_of_paraboloid(second, first + second * middle, length);
    jump.step = std::max(jump.step, 0.5 * std::abs(quadratic->xy) * across * length);
    return jump;
  }
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return curved(1.0 / sphere->radius);
  if (const auto* ellipsoid = std::get_if<EllipsoidShape>(&shape))
    return curved(1.0 / (along_x ? ellipsoid->radius_x : ellipsoid->radius_y));
  if (const auto* cylinder = std::get_if<CylinderShape>(&shape))
    return (cylinder->axis == CylinderAxis::y) == along_x ? curved(1.0 / cylinder->radius)
                                                          : EdgeJump();
  if (const auto* hertz = std::get_if<HertzShape>(&shape)) {
    const HertzContact contact =
        hertz_contact(hertz->semi_axis_x, hertz->semi_axis_y, hertz->force, modulus);
    return curved(2.0 * (along_x ? contact.curvature_x : contact.curvature_y));
  }
  if (const auto* heights = std::get_if<HeightsShape>(&shape))
    return jump_of_values(heights->values, grid.mx, grid.my, along_x, along_x ? grid.dx : grid.dy);
  if (const auto* profile = std::get_if<ProfileShape>(&shape)) {
    if (along_x) return curved(profile->curvature_x);
    Grid row = grid;
    row.mx = 1;
    std::vector<double> h(static_cast<std::size_t>(row.my), 0.0);
    add_undeformed_distance(shape, row, {}, {0, row.my}, h);
    return jump_of_values(h, 1, row.my, false, row.dy);
  }
  return {};
}

// Finds shapes that are discontinuous where a grid repeats.
void doubt_period(const ContactProblem& problem, Findings& findings) {
  const Grid& grid = problem.grid;
  constexpr double kFarAbove = 10.0;  // times the usual step
  constexpr int kFewest = 8;          // least number of lines for a usual step
  const double modulus = combine(problem.upper, problem.lower).contact_modulus();
  for (const Shape& shape : problem.geometry) {
    for (const char at : {'x', 'y'}) {
      const int count = at == 'x' ? grid.mx : grid.my;
      const bool repeats = at == 'x' ? repeats_in_x(grid.boundary) : repeats_in_y(grid.boundary);
      if (!repeats || count < 2) continue;
      const double length = at == 'x' ? grid.mx * grid.dx : grid.my * grid.dy;
      const EdgeJump jump = jump_of_shape(shape, grid, modulus, at == 'x');
      const bool by_values = jump.usual > 0.0;
      constexpr double kRounding = 1.0e-9;
      if (by_values ? count >= kFewest && jump.step > kFarAbove * jump.usual
                    : jump.step > kRounding * length)
        findings.add(Doubt::stepped_period, at, jump.step, length);
      else if (jump.slope > kRounding && (!by_values || count >= kFewest))
        findings.add(Doubt::curved_period, at, jump.slope, length);
    }
  }
}

// Finds the greatest jump of a map of friction coefficients where a periodic grid repeats it, if it
// is far greater than the jumps between neighbours inside.
void doubt_friction_seam(const Friction& friction, const Grid& grid, Findings& findings) {
  const bool repeats = repeats_in_x(grid.boundary) || repeats_in_y(grid.boundary);
  if (!repeats || !(friction.varies() || !friction.along_y.empty())) return;
  const std::vector<double> coefficients = static_coefficients(friction, grid);
  if (coefficients.size() != grid.count()) return;
  const auto look = [&](char name, int count, int lines, const auto& value) {
    Finding seam{Doubt::friction_seam, name, 0.0, 0.0, findings.entry};
    double within = 0.0;
    for (int line = 0; line < lines; ++line) {
      for (int k = 1; k < count; ++k)
        within = std::max(within, std::abs(value(k, line) - value(k - 1, line)));
      const double first = value(0, line);
      const double last = value(count - 1, line);
      if (std::abs(first - last) > std::abs(seam.value - seam.limit)) {
        seam.value = last;
        seam.limit = first;
      }
    }
    constexpr double kFarAbove = 2.5;
    constexpr double kSeen = 0.05;  // of the greater coefficient
    const double jump = std::abs(seam.value - seam.limit);
    if (jump > kFarAbove * within && jump > kSeen * std::max(seam.value, seam.limit))
      findings.add(seam);
  };
  if (repeats_in_x(grid.boundary))
    look('x', grid.mx, grid.my, [&](int ix, int iy) { return coefficients[grid.index(ix, iy)]; });
  if (repeats_in_y(grid.boundary))
    look('y', grid.my, grid.mx, [&](int iy, int ix) { return coefficients[grid.index(ix, iy)]; });
}

struct HeightsRange {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();
};

HeightsRange finite_range(const std::vector<double>& values) {
  HeightsRange range;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.least = std::min(range.least, value);
    range.greatest = std::max(range.greatest, value);
  }
  return range;
}

// Median over neighbours in x and y; for large maps over a sample.
double median_slope(const std::vector<double>& values, const Grid& grid) {
  constexpr std::size_t kMost = 100000;
  const std::size_t stride = values.size() / kMost + 1;
  const auto mx = static_cast<std::size_t>(grid.mx);
  std::vector<double> slopes;
  for (std::size_t i = 0; i < values.size(); i += stride) {
    const double in_x = i % mx + 1 < mx ? (values[i + 1] - values[i]) / grid.dx : 0.0;
    const double in_y = i + mx < values.size() ? (values[i + mx] - values[i]) / grid.dy : 0.0;
    const double slope = std::hypot(in_x, in_y);
    if (std::isfinite(slope)) slopes.push_back(slope);
  }
  if (slopes.empty()) return 0.0;
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  return *middle;
}

// Among the directions with more than one element.
double least_extent(const Grid& grid) {
  const double in_x = grid.mx > 1 ? grid.mx * grid.dx : std::numeric_limits<double>::infinity();
  const double in_y = grid.my > 1 ? grid.my * grid.dy : std::numeric_limits<double>::infinity();
  return std::min(in_x, in_y);
}

// The mean plane of heights on a free grid: how far it rises across the grid, and the root mean
// square of the heights about it.
struct MeanPlane {
  double rise = 0.0;
  double rest = 0.0;
};

MeanPlane mean_plane(const std::vector<double>& values, const Grid& grid) {
  double count = 0.0;
  double mean = 0.0;
  std::array<double, 2> middle{};
  const auto each = [&](const auto& take) {
    for (int iy = 0; iy < grid.my; ++iy)
      for (int ix = 0; ix < grid.mx; ++ix)
        if (const double z = values[grid.index(ix, iy)]; std::isfinite(z))
          take(ix * grid.dx, iy * grid.dy, z);
  };
  each([&](double x, double y, double z) {
    count += 1.0;
    mean += z;
    middle[0] += x;
    middle[1] += y;
  });
  if (count < 3.0) return {};
  mean /= count;
  for (double& of : middle) of /= count;
  double xx = 0.0;
  double xy = 0.0;
  double yy = 0.0;
  double xz = 0.0;
  double yz = 0.0;
  double zz = 0.0;
  each([&](double x, double y, double z) {
    x -= middle[0];
    y -= middle[1];
    z -= mean;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xz += x * z;
    yz += y * z;
    zz += z * z;
  });
  const double determinant = xx * yy - xy * xy;
  const bool row = !(determinant > 1.0e-12 * xx * yy);
  const double in_x = row ? (xx > 0.0 ? xz / xx : 0.0) : (xz * yy - yz * xy) / determinant;
  const double in_y = row ? (yy > 0.0 ? yz / yy : 0.0) : (yz * xx - xz * xy) / determinant;
  return {std::fabs(in_x) * (grid.mx - 1) * grid.dx + std::fabs(in_y) * (grid.my - 1) * grid.dy,
          std::sqrt(std::max(0.0, zz - in_x * xz - in_y * yz) / count)};
}

// Whether these heights first touch at one of the outermost elements, or next to one.
bool touches_first_at_edge(const HeightsShape& heights, const Grid& grid) {
  const double sign = heights.of == HeightsOf::distance ? 1.0 : -1.0;
  std::size_t first = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < heights.values.size(); ++i)
    if (sign * heights.values[i] < least) {
      least = sign * heights.values[i];
      first = i;
    }
  const auto mx = static_cast<std::size_t>(grid.mx);
  const auto at_end = [](std::size_t k, int count) {
    return count > 1 && (k < 2 || k + 2 >= static_cast<std::size_t>(count));
  };
  return at_end(first % mx, grid.mx) || at_end(first / mx, grid.my);
}

// Doubts measured heights that were not levelled.
void doubt_tilt(const HeightsShape& heights, const ContactProblem& problem, Findings& findings) {
  constexpr double kMostTilt =
      10.0;  // over the root mean square: heights of a rough surface span 6 to 8 of these
  const Grid& grid = problem.grid;
  if (grid.boundary != Boundary::free || problem.geometry.size() > 1 ||
      heights.values.size() != grid.count() || grid.count() < 9)
    return;
  const MeanPlane plane = mean_plane(heights.values, grid);
  if (plane.rise > kMostTilt * plane.rest && plane.rise > 0.0 &&
      touches_first_at_edge(heights, grid))
    findings.add(Doubt::tilted_heights, ' ', plane.rise, plane.rest);
}

// Doubts heights in another unit than the case, or tilted ones.
void doubt_heights(const ContactProblem& problem, Findings& findings) {
  const Grid& grid = problem.grid;
  const double extent = least_extent(grid);
  for (const Shape& shape : problem.geometry) {
    const auto* heights = std::get_if<HeightsShape>(&shape);
    if (heights == nullptr || !std::isfinite(extent)) continue;
    const HeightsRange range = finite_range(heights->values);
    constexpr double kMostSlope = 1.0;
    const double slope = median_slope(heights->values, grid);
    if (range.greatest - range.least > extent)
      findings.add(Doubt::wide_heights, ' ', range.greatest - range.least, extent);
    else if (slope > kMostSlope)
      findings.add(Doubt::steep_heights, ' ', slope, kMostSlope);
    else
      doubt_tilt(*heights, problem, findings);
  }
}

// Where a profile's curve overshoots its two adjacent points most, although the points are monotone
// there, or by much of their steps.
struct Overshoot {
  double excess = 0.0;
  double step = 0.0;  // greatest step of the points next to it
  std::array<double, 2> between{};
};

Overshoot greatest_overshoot(const ProfileShape& profile, const Grid& grid) {
  constexpr int kSamples = 8;       // between two points
  constexpr double kOfSteps = 0.5;  // four times that of a parabola through evenly spaced points
  const std::vector<double>& y = profile.y;
  const std::vector<double>& z = profile.z;
  const auto step = [&](std::size_t i) { return z[i + 1] - z[i]; };
  std::vector<std::size_t> sections;  // within the grid
  std::vector<double> samples;
  for (std::size_t i = 0; i + 1 < y.size(); ++i) {
    if (y[i + 1] < grid.y(0) || y[i] > grid.y(grid.my - 1)) continue;
    sections.push_back(i);
    for (int k = 1; k <= kSamples; ++k)
      samples.push_back(y[i] + (y[i + 1] - y[i]) * k / (kSamples + 1.0));
  }
  const std::vector<double> curve = profile_heights(profile, samples);
  Overshoot greatest;
  for (std::size_t n = 0; n < sections.size(); ++n) {
    const std::size_t i = sections[n];
    const auto first = curve.begin() + static_cast<std::ptrdiff_t>(n * kSamples);
    const auto [least, most] = std::minmax_element(first, first + kSamples);
    const auto [low, high] = std::minmax(z[i], z[i + 1]);
    const double excess = std::max(low - *least, *most - high);
    const std::size_t before = i > 0 ? i - 1 : i;
    const std::size_t after = i + 2 < y.size() ? i + 1 : i;
    const double steps =
        std::max({std::abs(step(before)), std::abs(step(i)), std::abs(step(after))});
    const auto [fall, rise] = std::minmax({step(before), step(i), step(after)});
    const bool turns = fall < 0.0 && rise > 0.0;
    if (excess > greatest.excess && (!turns || excess > kOfSteps * steps))
      greatest = {excess, steps, {y[i], y[i + 1]}};
  }
  return greatest;
}

// The decimal place that the heights are rounded to, if it is small against the profile's width.
// Else 0, as for a few points: round heights are their design.
double rounding_of(const ProfileShape& profile) {
  constexpr std::size_t kFewPoints = 20;
  constexpr double kCoarsest = 1.0e-3;  // of the profile's width
  constexpr double kFinest = 1.0e-9;
  constexpr double kDigits = 1.0e-6;
  if (profile.z.size() < kFewPoints) return 0.0;
  const double width = std::abs(profile.y.back() - profile.y.front());
  if (!(width > 0.0) || !std::isfinite(width)) return 0.0;
  const auto power_of = [width](double part) {
    return static_cast<int>(std::floor(std::log10(part * width)));
  };
  for (int power = power_of(kCoarsest); power > power_of(kFinest); --power) {
    const double place = std::pow(10.0, power);
    if (std::ranges::all_of(profile.z, [&](double z) {
          return std::abs(z / place - std::round(z / place)) <= kDigits;
        }))
      return place;
  }
  return 0.0;
}

// approach: that of a solved step; 0: before solving.
void doubt_profiles(const ContactProblem& problem, double approach, Findings& findings) {
  constexpr double kOfRange = 0.005;
  constexpr double kOfApproach = 0.05;
  constexpr double kOfRounding = 0.25;  // a smooth curve that is rounded has .15
  for (const Shape& shape : problem.geometry) {
    const auto* profile = std::get_if<ProfileShape>(&shape);
    if (profile == nullptr || profile->curve != ProfileCurve::cubic) continue;
    const Overshoot found = greatest_overshoot(*profile, problem.grid);
    const HeightsRange range = finite_range(profile->z);
    const bool seen_before = found.excess > kOfRange * (range.greatest - range.least);
    if (approach > 0.0 ? seen_before || !(found.excess > kOfApproach * approach) : !seen_before)
      continue;
    if (found.excess <= kOfRounding * rounding_of(*profile)) continue;
    findings.add({.doubt = Doubt::loose_profile,
                  .value = found.excess,
                  .limit = found.step,
                  .between = found.between});
  }
}

// Rough surfaces that are meant to be those of two bodies, but whose waves have the same phases, so
// that their heights add up where independent ones would add up in squares.
void doubt_seeds(const ContactProblem& problem, Findings& findings) {
  std::vector<const RoughSurface*> before;
  for (const Shape& shape : problem.geometry) {
    const auto* rough = std::get_if<RoughShape>(&shape);
    if (rough == nullptr) continue;
    const RoughSurface& surface = rough->surface;
    for (const RoughSurface* other : before)
      if (other->seed == surface.seed && other->shortest < surface.longest &&
          surface.shortest < other->longest)
        findings.add({.doubt = Doubt::shared_seed, .value = static_cast<double>(surface.seed)});
    before.push_back(&surface);
  }
}

// Compares the range of heights with the contact's diameter or, if there are only heights, with the
// approach after the first touch.
void doubt_summits(const ContactProblem& problem, const StepReport& report, Findings& findings) {
  constexpr double kWide = 5.0;
  constexpr double kDeep = 1000.0;
  const Grid& grid = problem.grid;
  const double area = static_cast<double>(report.elements_contact) * grid.element_area();
  const double diameter = grid.mx == 1   ? area / grid.dx
                          : grid.my == 1 ? area / grid.dy
                                         : std::sqrt(area * 4.0 / std::numbers::pi);
  for (const Shape& shape : problem.geometry) {
    const auto* heights = std::get_if<HeightsShape>(&shape);
    if (heights == nullptr) continue;
    const HeightsRange range = finite_range(heights->values);
    const double height = range.greatest - range.least;
    const double first = heights->of == HeightsOf::distance ? range.least : 0.0;
    const bool alone = problem.geometry.size() == 1 && grid.boundary == Boundary::free;
    const double approach = alone ? report.approach - first : 0.0;
    if (height > least_extent(grid)) continue;  // reported before solving
    if (height > kWide * diameter)
      findings.add(Doubt::scattered_summits, 'c', height, diameter);
    else if (approach > 0.0 && height > kDeep * approach)
      findings.add(Doubt::scattered_summits, 'a', height, approach);
  }
}

// pressure: Hertz's, before solving (is_estimate), or the solution's. That of rough surfaces
// depends on their slopes, hardly on the load.
void doubt_pressure(const ContactProblem& problem, double pressure, bool is_estimate,
                    Findings& findings) {
  const double modulus = combine(problem.upper, problem.lower).contact_modulus();
  const double high = kHighPressure / pascal(problem.units);
  const bool rough = std::ranges::any_of(problem.geometry, [](const Shape& shape) {
    return std::holds_alternative<RoughShape>(shape) || std::holds_alternative<HeightsShape>(shape);
  });
  const bool may_yield = !creeps(problem) && !problem.influence.exists() &&
                         std::ranges::none_of(problem.steps, [](const StepInput& step) {
                           return is_rolling(step.tangential.problem);
                         });
  const char at = rough && may_yield && !(contact_hardness(problem) > 0.0) ? 'r' : ' ';
  if (pressure > kMostPressure * modulus)
    findings.add(Doubt::high_pressure, at, pressure, modulus, is_estimate);
  else if (pressure > high)
    findings.add(Doubt::extreme_pressure, at, pressure, high, is_estimate);
}

void doubt_adhesion(const ContactProblem& problem, Findings& findings) {
  if (!problem.adhesion.exists()) return;
  const double metre = metres(problem.units);
  const double joules = pascal(problem.units) * metre;  // per m^2, of a force over a length
  if (problem.adhesion.work * joules > kMostAdhesion)
    findings.add(Doubt::strong_adhesion, ' ', problem.adhesion.work,
                 problem.adhesion.work * joules);
  if (problem.adhesion.length * metre < kLeastAdhesion)
    findings.add(Doubt::short_adhesion, ' ', problem.adhesion.length, kLeastAdhesion / metre);
  const double zone = adhesive_zone(problem);
  const double element = longest_side(problem.grid);
  if (kLeastElementsInZone * element > zone)
    findings.add(Doubt::coarse_adhesion, ' ', element, zone);
}

// An incompressible layer on a stiff base moves sideways out of the contact: its surface follows
// the pressure's second derivative, which elements much longer than the layer's thickness cannot
// represent.
void doubt_layer(const ElasticBody& body, char at, const Grid& grid, Findings& findings) {
  if (!is_layered(body)) return;
  const double element = longest_side(grid);
  const std::vector<BodyLayer> layers = layers_of(body);
  double depth = 0.0;
  for (std::size_t k = 0; k < layers.size() && layers[k].thickness > 0.0; ++k) {
    depth += layers[k].thickness;
    const bool on_stiff_base = k + 1 == layers.size() ||
                               layers[k + 1].shear_modulus >= kStiffBase * layers[k].shear_modulus;
    constexpr double kRounding = 1.0e-9;
    if (layers[k].poisson_ratio >= kKeepsVolume && on_stiff_base &&
        element > (1.0 + kRounding) * depth)
      findings.add(Doubt::coarse_layer, at, element, depth);
  }
}

// Needs the whole sequence, since the error of a step depends on all steps before it.
void doubt_creep(const ContactProblem& problem, Findings& findings) {
  constexpr double kPercent = 100.0;
  if (const auto worst = worst_creep(problem, problem.steps))
    findings.add({.doubt = Doubt::long_creep,
                  .value = kPercent * worst->error,
                  .limit = worst->duration,
                  .entry = worst->entry});
  if (const auto worst = worst_growth(problem, problem.steps))
    findings.add({.doubt = Doubt::long_growth,
                  .value = kPercent * worst->error,
                  .limit = worst->duration,
                  .entry = worst->entry});
}

void doubt_steps(const ContactProblem& problem, std::span<const StepInput> steps,
                 Findings& findings) {
  // Some pressure is left in half as many elements as it takes.
  constexpr double kUnresolved = 0.5 * kLeastElementsAcross;
  std::optional<Finding> coarse;  // for the step that is resolved best
  std::optional<Finding> worst;   // of those behind one that is resolved, if hardly any is left
  bool resolved = false;
  for (std::size_t entry = 0; entry < steps.size(); ++entry) {
    findings.entry = entry;
    const StepInput& step = steps[entry];
    if (step.friction.coefficient > kMostFriction)
      findings.add(Doubt::high_friction, ' ', step.friction.coefficient, kMostFriction);
    const auto hertz = hertz_estimate(problem, step.normal);
    doubt_motion(step.tangential, hertz ? hertz->length() : 0.0, findings);
    const bool slides_on = problem.surface.heat || problem.surface.wear;  // any distance is allowed
    doubt_shift(step.tangential, hertz && !slides_on ? &*hertz : nullptr, findings);
    if (auto slow = doubt_of_half_velocity(
            step.friction, is_rolling(step.tangential.problem) ? step.tangential.velocity : 0.0,
            problem.units)) {
      slow->entry = entry;
      findings.add(*slow);
    }
    if (step.tangential.problem == TangentialProblem::steady_rolling &&
        is_short_steady_step(step.tangential.step, step.tangential.direction, problem.grid))
      findings.add(Doubt::short_step, ' ', step.tangential.step,
                   element_length(step.tangential.direction, problem.grid));
    if (hertz)
      doubt_long_step(step.tangential, problem.grid,
                      length_along(*hertz, step.tangential.direction), true, findings);
    doubt_friction_seam(step.friction, problem.grid, findings);
    if (problem.grid.boundary == Boundary::periodic && step.tangential.rotation != 0.0 &&
        step.tangential.problem != TangentialProblem::none)
      findings.add(Doubt::periodic_rotation, ' ', step.tangential.rotation, 0.0);
    if (!problem.adhesion.exists()) doubt_approach(problem, step.normal, findings);
    doubt_extra_slip(problem, step, findings);
    if (!hertz) continue;
    doubt_size(*hertz, findings);
    doubt_grid(*hertz, problem.grid, findings);
    doubt_pressure(problem, hertz->max_pressure, true, findings);
    const auto found = doubt_elements(*hertz, problem.grid, entry);
    if (found && (!coarse || found->value > coarse->value)) coarse = found;
    if (found && resolved && found->value < kUnresolved && (!worst || found->value < worst->value))
      worst = found;
    resolved = resolved || !found;
  }
  if (coarse && !resolved)
    findings.add(*coarse);
  else if (worst)
    findings.add(*worst);
}

// The approach at which the undeformed surfaces met, where only dents can keep them apart at a
// greater one; else this approach.
double dented_from(const ContactProblem& problem, double approach) {
  if (!(contact_hardness(problem) > 0.0) && !creeps(problem)) return approach;
  const std::vector<double> distance =
      undeformed_distance(problem.geometry, problem.grid, combine(problem.upper, problem.lower));
  return std::min(approach, *std::ranges::min_element(distance));
}

}  // namespace

double pascal(Units units) { return units == Units::si ? 1.0 : 1.0e+6; }

std::vector<Finding> doubts_of_bodies(const ContactProblem& problem) {
  Findings findings;
  // [m^3] per cube of the case's length
  const double cube = problem.units == Units::si ? 1.0 : 1.0e-9;
  const auto check = [&](char at, double density) {
    if (density < kLeastDensity * cube || density > kMostDensity * cube)
      findings.add(Doubt::wrong_density, at, density, cube);
  };
  const SurfaceRequest& request = problem.surface;
  const auto check_heat = [&](char at, const ThermalBody& body) {
    check(at, body.density);
    const double conductivity = body.conductivity / metres(problem.units);
    if (conductivity < kLeastConductivity || conductivity > kMostConductivity)
      findings.add(Doubt::wrong_conductivity, at, body.conductivity, conductivity);
    if (body.capacity < kLeastCapacity || body.capacity > kMostCapacity)
      findings.add(Doubt::wrong_capacity, at, body.capacity, 1.0);
    const ElasticBody& elastic = at == 'u' ? problem.upper : problem.lower;
    double layers = 0.0;
    for (const BodyLayer& layer : layers_of(elastic)) layers += layer.thickness;
    if (layers > 0.0) findings.add(Doubt::layered_heat, at, layers, 0.0);
  };
  if (request.heat) {
    check_heat('u', request.heat->bodies[0]);
    check_heat('l', request.heat->bodies[1]);
  }
  if (request.wear && request.wear->law == WearLaw::t_gamma)
    check('w', request.wear->t_gamma.density);
  doubt_moduli(problem, findings);
  doubt_strengths(problem, findings);
  doubt_tolerance(problem, findings);
  return findings.list;
}

std::vector<Finding> doubts_of_rail_bodies(const ContactProblem& problem) {
  Findings findings;
  findings.list = doubts_of_bodies(problem);
  double harder = 0.0;
  for (const Modulus& modulus : moduli_of(problem))
    if (modulus.layer == 0) harder = std::max(harder, modulus.value);
  const double unit = pascal(problem.units);
  if (harder > 0.0 && harder * unit < kSoftestMetal)
    findings.add(Doubt::soft_rail, ' ', harder, kSteelModulus / unit);
  return findings.list;
}

std::vector<Finding> doubts_before(const ContactProblem& problem) {
  Findings findings;
  findings.list = doubts_of_bodies(problem);
  doubt_period(problem, findings);
  doubt_heights(problem, findings);
  doubt_profiles(problem, 0.0, findings);
  doubt_seeds(problem, findings);
  doubt_adhesion(problem, findings);
  doubt_layer(problem.upper, 'u', problem.grid, findings);
  doubt_layer(problem.lower, 'l', problem.grid, findings);
  doubt_creep(problem, findings);
  doubt_steps(problem, problem.steps, findings);
  findings.entry = 0;  // the whole problem again
  const double coupling = combine(problem.upper, problem.lower).coupling;
  if (problem.solver.rolling == RollingScheme::second_order && std::abs(coupling) > kMostCoupling)
    findings.add(Doubt::unlike_bodies, ' ', coupling, kMostCoupling);
  return findings.list;
}

std::optional<Finding> doubt_of_half_velocity(const Friction& friction, double rolling_velocity,
                                              Units units) {
  constexpr double kFarBelow = 1.0e-3;
  if (friction.law == FrictionLaw::constant || !(friction.half_velocity > 0.0)) return std::nullopt;
  const double half = friction.half_velocity * metres(units);
  if (half > kFastFriction)
    return Finding{
        .doubt = Doubt::slow_friction, .at = 'f', .value = friction.half_velocity, .limit = half};
  if (half > kSlowFriction || friction.half_velocity > kFarBelow * std::abs(rolling_velocity))
    return std::nullopt;
  return Finding{.doubt = Doubt::slow_friction,
                 .value = friction.half_velocity,
                 .limit = std::abs(rolling_velocity)};
}

std::vector<Finding> doubts_of_steps(const ContactProblem& problem,
                                     std::span<const StepInput> steps) {
  Findings findings;
  doubt_steps(problem, steps, findings);
  return findings.list;
}

std::vector<Finding> doubts_after(const ContactProblem& problem, const StepInput& step,
                                  const StepReport& report) {
  Findings findings;
  const Grid& grid = problem.grid;
  const auto touching = static_cast<double>(report.elements_contact);
  if (report.elements_contact == 0) {
    // A step that did not converge explains itself, and adhering surfaces are loaded without
    // contact, too.
    if (problem.adhesion.exists() || report.outcome != Outcome::converged ||
        !std::isfinite(report.approach))
      return {};
    findings.add(Doubt::no_contact, grid.boundary == Boundary::periodic ? 'p' : ' ',
                 report.approach, dented_from(problem, report.approach));
    return findings.list;
  }
  const bool row = grid.mx == 1 || grid.my == 1;
  const double across = row ? touching : std::sqrt(touching * 4.0 / std::numbers::pi);
  const bool known = hertz_estimate(problem, step.normal).has_value();
  if (report.elements_contact == 1 && grid.count() > 1)
    findings.add(Doubt::one_element, ' ', 1.0, kLeastElementsAcross);
  else if (!known && across < kLeastElementsAcross && grid.count() > 1)
    findings.add(Doubt::few_elements, ' ', touching, kLeastElementsAcross);
  if (!known) doubt_pressure(problem, report.max_pressure, false, findings);
  doubt_summits(problem, report, findings);
  if (report.approach > 0.0) doubt_profiles(problem, report.approach, findings);
  const double length = std::sqrt(touching * grid.element_area() * 4.0 / std::numbers::pi);
  if (!known)
    doubt_long_step(step.tangential, grid,
                    row ? touching * (grid.mx == 1 ? grid.dy : grid.dx) : length, false, findings);
  if (!known && is_rolling(step.tangential.problem) && std::abs(report.rotation) * length > 1.0)
    findings.add(Doubt::large_spin, ' ', report.rotation, 1.0 / length);
  if (const auto heat = doubt_of_dissipation(problem, step, report)) findings.list.push_back(*heat);
  const double worn = report.surface.max_wear_depth.value_or(0.0);
  if (report.approach > 0.0 && worn > kMostWear * report.approach)
    findings.add(Doubt::deep_wear, ' ', worn, report.approach);
  return findings.list;
}

std::optional<Finding> doubt_of_dissipation(const ContactProblem& problem, const StepInput& step,
                                            const StepReport& report) {
  const auto motion = t_gamma_of_motion(step.tangential, report);
  if (!problem.surface.heat || !motion) return std::nullopt;
  const auto dissipated = dissipated_by_slip(problem, report, motion->total, step.tangential.step);
  if (!dissipated) return std::nullopt;
  const double by_forces = *dissipated * step.tangential.velocity;
  const double by_slip = 0.0 - report.friction_work * slip_rate(step.tangential);  // no -0
  if (!(by_forces > 0.0) || std::abs(by_slip - by_forces) < kMostHeatApart * by_forces)
    return std::nullopt;
  ContactProblem other = without_geometry(problem);
  other.steps = {step};
  const bool only_finer = std::exchange(other.solver.rolling, RollingScheme::second_order) ==
                              RollingScheme::second_order ||
                          !check_combinations(other).empty();
  return Finding{.doubt = Doubt::coarse_heat,
                 .at = only_finer ? 's' : ' ',
                 .value = by_slip,
                 .limit = by_forces};
}

}  // namespace slipfield
