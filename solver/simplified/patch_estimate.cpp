// SPDX-License-Identifier: Apache-2.0
#include "solver/simplified/patch_estimate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "solver/error.h"
#include "solver/geometry/hertz_ellipse.h"
#include "solver/influence/influence_coefficients.h"
#include "solver/number_text.h"

namespace slipfield {

namespace {

// Whether the bodies come closer beyond the grid's edge, as for a saddle: principal curvatures k
// [1/length] of the undeformed distance, h = k s^2 along their directions s.
struct EdgeCurvature {
  double least = 0.0;
  double greatest = 0.0;
  double rounding = 0.0;  // error of both, due to rounding of the distances
};

// From the 3 x 3 elements around the deepest one, if that is on the grid's edge. Nothing if it is
// inside, if the grid is narrower, or if nothing can touch next to it.
std::optional<EdgeCurvature> edge_curvature(const std::vector<double>& distance, const Grid& grid) {
  if (grid.mx < 3 || grid.my < 3) return std::nullopt;
  const auto deepest =
      static_cast<int>(std::min_element(distance.begin(), distance.end()) - distance.begin());
  const int ix = deepest % grid.mx;
  const int iy = deepest / grid.mx;
  const int middle_x = std::clamp(ix, 1, grid.mx - 2);
  const int middle_y = std::clamp(iy, 1, grid.my - 2);
  if (middle_x == ix && middle_y == iy) return std::nullopt;
  const auto h = [&](int x, int y) { return distance[grid.index(middle_x + x, middle_y + y)]; };
  const double bend_x = h(-1, 0) - 2.0 * h(0, 0) + h(1, 0);
  const double bend_y = h(0, -1) - 2.0 * h(0, 0) + h(0, 1);
  const double twist = h(1, 1) - h(1, -1) - h(-1, 1) + h(-1, -1);
  const double a = bend_x / (2.0 * grid.dx * grid.dx);
  const double b = bend_y / (2.0 * grid.dy * grid.dy);
  const double c = twist / (4.0 * grid.dx * grid.dy);
  const double mean = 0.5 * (a + b);
  const double apart = std::hypot(0.5 * (a - b), 0.5 * c);
  if (!std::isfinite(mean) || !std::isfinite(apart)) return std::nullopt;
  double highest = 0.0;
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) highest = std::max(highest, std::abs(h(x, y)));
  constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();
  const double spacing = std::min(grid.dx, grid.dy);
  return EdgeCurvature{mean - apart, mean + apart, kRounding * highest / (spacing * spacing)};
}

// The least undeformed distance, which may lie between elements: from parabolas through the deepest
// element and its neighbours. If a neighbour is missing: that of the deepest element.
double least_distance(const std::vector<double>& distance, const Grid& grid) {
  const auto place = static_cast<std::size_t>(std::min_element(distance.begin(), distance.end()) -
                                              distance.begin());
  const auto length = static_cast<std::size_t>(grid.mx);
  const double here = distance[place];
  const auto below = [&](std::size_t before, std::size_t after) {
    const double bend = distance[after] - 2.0 * here + distance[before];
    const double rise = 0.5 * (distance[after] - distance[before]);
    return std::isfinite(bend) && bend > 0.0 ? 0.5 * rise * rise / bend : 0.0;
  };
  double least = here;
  if (place % length > 0 && place % length + 1 < length) least -= below(place - 1, place + 1);
  if (place >= length && place + length < distance.size())
    least -= below(place - length, place + length);
  return least;
}

// A row of the patch: from x1 to x2, semi-elliptic pressure along it.
struct PatchRow {
  double x1 = 0.0;
  double x2 = 0.0;
  double max_pressure = 0.0;  // in its middle

  [[nodiscard]] bool exists() const { return x2 > x1; }
  [[nodiscard]] double half_length() const { return 0.5 * (x2 - x1); }
  [[nodiscard]] double pressure(double x) const {
    const double a = half_length();
    const double u = exists() ? (x - 0.5 * (x1 + x2)) / a : 1.0;
    return u * u < 1.0 ? max_pressure * std::sqrt(1.0 - u * u) : 0.0;
  }
};

// The zero between a and b = a + step, where the values have opposite signs.
double zero_between(double a, double step, double value_a, double value_b) {
  return a + step * value_a / (value_a - value_b);
}

class EstimatedPatch {
 public:
  EstimatedPatch(const std::vector<double>& distance, const Grid& grid,
                 const CombinedMaterial& material)
      : distance_(distance), grid_(grid), material_(material), rows_(row_count()) {}

  // Both set the rows for an approach; they return false if nothing touches.
  bool set_kpec(double approach);
  bool set_analyn(double approach);
  void set_half_ellipses(const HalfEllipses& ellipses, double force);

  [[nodiscard]] PatchEstimate estimate() const;
  // The estimate for a contact that contains no element's centre: Hertz's, with the curvatures at
  // the deepest element. Its force is shared by the rows in contact, as each carries per length,
  // and lies on their deepest elements.
  [[nodiscard]] PatchEstimate smaller_than_element(double approach) const;

 private:
  [[nodiscard]] std::size_t row_count() const { return static_cast<std::size_t>(grid_.my); }
  [[nodiscard]] double h(int ix, int iy) const { return distance_[grid_.index(ix, iy)]; }
  [[nodiscard]] PatchRow& row(int iy) { return rows_[static_cast<std::size_t>(iy)]; }
  // Whether an element is as deep as the deepest one, whatever the rounding of their distances.
  [[nodiscard]] bool are_alike(double deepest, double other) const {
    constexpr double kAlike = 1.0e-9;  // of the approach
    return other <= deepest + kAlike * approach_;
  }
  // The element of the row with the least distance; the first of two that are alike.
  [[nodiscard]] int deepest_in(int iy) const {
    const auto begin = distance_.begin() + static_cast<std::ptrdiff_t>(grid_.index(0, iy));
    const auto ix = static_cast<int>(std::min_element(begin, begin + grid_.mx) - begin);
    return ix > 0 && are_alike(h(ix, iy), h(ix - 1, iy)) ? ix - 1 : ix;
  }
  [[nodiscard]] double least_in(int iy) const { return h(deepest_in(iy), iy); }
  // The middle of the rows next to row iy that are as deep: one row or two, lower and upper.
  [[nodiscard]] std::pair<int, int> deepest_rows(int iy) const {
    const double deep = least_in(iy);
    int first = iy;
    int last = iy;
    while (first > 0 && are_alike(deep, least_in(first - 1))) --first;
    while (last + 1 < grid_.my && are_alike(deep, least_in(last + 1))) ++last;
    return {(first + last) / 2, (first + last + 1) / 2};
  }

  // The elements of the row that are as deep: one, or two neighbours.
  [[nodiscard]] std::pair<int, int> deepest_elements(int iy) const {
    const int ix = deepest_in(iy);
    const bool twice = ix + 1 < grid_.mx && are_alike(h(ix, iy), h(ix + 1, iy));
    return {ix, twice ? ix + 1 : ix};
  }
  // What each row carries per length, relative to the others; without rows in contact the deepest
  // ones the same.
  [[nodiscard]] std::vector<double> loads_of_rows(int deepest) const {
    std::vector<double> loads;
    for (const PatchRow& one : rows_)
      loads.push_back(one.exists() ? one.half_length() * one.max_pressure : 0.0);
    if (std::accumulate(loads.begin(), loads.end(), 0.0) > 0.0) return loads;
    const auto [lower, upper] = deepest_rows(deepest);
    loads[static_cast<std::size_t>(lower)] = loads[static_cast<std::size_t>(upper)] = 1.0;
    return loads;
  }

  // Hertz's theory requires curvatures > 0. Lower limit: that of a parabola which rises by the
  // approach over the longer side of the grid; an ellipse within the grid has greater ones in both
  // directions.
  [[nodiscard]] double least_curvature() const {
    const double length = std::max(grid_.mx * grid_.dx, grid_.my * grid_.dy);
    return approach_ / (length * length);
  }
  [[nodiscard]] double usable_curvature(double curvature) const {
    return std::isfinite(curvature) ? std::max(least_curvature(), curvature) : least_curvature();
  }
  // Curvature of the row at an element, over the k elements on each side.
  [[nodiscard]] double curvature_x(int ix, int iy, int k) const {
    const double bend = h(ix - k, iy) - 2.0 * h(ix, iy) + h(ix + k, iy);
    return usable_curvature(bend / (2.0 * k * k * grid_.dx * grid_.dx));
  }
  [[nodiscard]] double local_curvature_x(int iy) const {
    const int ix = deepest_in(iy);
    return ix == 0 || ix == grid_.mx - 1 ? least_curvature() : curvature_x(ix, iy, 1);
  }
  // The vertex of the parabola through an element of the row and its neighbours: x relative to the
  // element, at most half an element, and the distance there.
  struct Vertex {
    double x = 0.0;
    double h = 0.0;
  };
  [[nodiscard]] Vertex vertex_at(int ix, int iy, double curvature) const {
    if (ix == 0 || ix == grid_.mx - 1) return {0.0, h(ix, iy)};
    const double slope = (h(ix + 1, iy) - h(ix - 1, iy)) / (2.0 * grid_.dx);
    if (!std::isfinite(slope)) return {0.0, h(ix, iy)};
    const double x = std::clamp(-slope / (2.0 * curvature), -0.5 * grid_.dx, 0.5 * grid_.dx);
    return {x, h(ix, iy) + (slope + curvature * x) * x};
  }
  [[nodiscard]] double local_curvature_y(int iy) const {
    const int at = std::clamp(iy, 1, std::max(1, grid_.my - 2));
    if (grid_.my < 3) return least_curvature();
    const double bend = least_in(at - 1) - 2.0 * least_in(at) + least_in(at + 1);
    return usable_curvature(bend / (2.0 * grid_.dy * grid_.dy));
  }
  // KPEC's A around the deepest element, over the range where the distance is below `level`.
  [[nodiscard]] double central_curvature_x(int ix, int iy, double level) const {
    int k = 0;
    while (ix - k - 1 >= 0 && ix + k + 1 < grid_.mx && h(ix - k - 1, iy) <= level &&
           h(ix + k + 1, iy) <= level)
      ++k;
    return k == 0 ? local_curvature_x(iy) : curvature_x(ix, iy, k);
  }
  // The range of y, including row iy, in which rows are below `level`.
  struct Extent {
    double from = 0.0;
    double to = 0.0;
  };
  [[nodiscard]] Extent extent_below(int iy, double level) const {
    Extent extent{grid_.y(0), grid_.y(grid_.my - 1)};
    for (int j = iy; j + 1 < grid_.my; ++j) {
      if (least_in(j + 1) <= level) continue;
      extent.to = crossing(grid_.y(j), grid_.dy, least_in(j) - level, least_in(j + 1) - level);
      break;
    }
    for (int j = iy; j > 0; --j) {
      if (least_in(j - 1) <= level) continue;
      extent.from = crossing(grid_.y(j), -grid_.dy, least_in(j) - level, least_in(j - 1) - level);
      break;
    }
    return extent;
  }
  // Like zero_between(); half a step if nothing can touch beyond.
  static double crossing(double a, double step, double value_a, double value_b) {
    return std::isfinite(value_b) ? zero_between(a, step, value_a, value_b) : a + 0.5 * step;
  }
  // The ends of the row where its distance reaches `level`, around its deepest element.
  [[nodiscard]] PatchRow row_below(int iy, double level) const {
    const int middle = deepest_in(iy);
    if (!(h(middle, iy) <= level)) return {};
    PatchRow found{grid_.x(0) - 0.5 * grid_.dx, grid_.x(grid_.mx - 1) + 0.5 * grid_.dx, 1.0};
    for (int ix = middle; ix + 1 < grid_.mx; ++ix) {
      if (h(ix + 1, iy) <= level) continue;
      found.x2 = crossing(grid_.x(ix), grid_.dx, h(ix, iy) - level, h(ix + 1, iy) - level);
      break;
    }
    for (int ix = middle; ix > 0; --ix) {
      if (h(ix - 1, iy) <= level) continue;
      found.x1 = crossing(grid_.x(ix), -grid_.dx, h(ix, iy) - level, h(ix - 1, iy) - level);
      break;
    }
    return found;
  }
  // u_n at an element due to the pressures.
  [[nodiscard]] double displacement_at(int ix, int iy) const {
    double sum = 0.0;
    for (int jy = 0; jy < grid_.my; ++jy) {
      const PatchRow& source = rows_[static_cast<std::size_t>(jy)];
      for (int jx = 0; source.exists() && jx < grid_.mx; ++jx)
        if (const double p = source.pressure(grid_.x(jx)); p > 0.0)
          sum +=
              p * influence_coefficient(Component::nn, grid_.x(ix) - grid_.x(jx),
                                        grid_.y(iy) - grid_.y(jy), grid_.dx, grid_.dy, material_);
    }
    return sum;
  }

  const std::vector<double>& distance_;
  Grid grid_;
  CombinedMaterial material_;
  std::vector<PatchRow> rows_;
  double approach_ = 0.0;
  std::optional<std::array<double, 2>> axes_;  // if known in advance
};

bool EstimatedPatch::set_kpec(double approach) {
  approach_ = approach;
  const auto lowest = std::min_element(distance_.begin(), distance_.end());
  if (!(*lowest < approach)) return false;
  const auto [deep_y, upper_y] =
      deepest_rows(static_cast<int>(lowest - distance_.begin()) / grid_.mx);
  const double a_curvature = central_curvature_x(deepest_in(deep_y), deep_y, 0.5 * approach);
  const Extent extent = extent_below(deep_y, 0.5 * approach);
  const double half_width = std::max(0.5 * (extent.to - extent.from), 0.5 * grid_.dy);
  const double middle = 0.5 * (extent.from + extent.to);
  const double b_curvature = usable_curvature(0.5 * approach / (half_width * half_width));
  const HertzEllipse ellipse = hertz_ellipse(
      a_curvature, b_curvature, {NormalControl::approach, approach}, material_.contact_modulus());
  const double along = a_curvature * ellipse.semi_axis_x * ellipse.semi_axis_x;
  const double across = b_curvature * ellipse.semi_axis_y * ellipse.semi_axis_y;
  double longest = 0.0;
  for (int iy = 0; iy < grid_.my; ++iy) {
    const double v = (grid_.y(iy) - middle) / ellipse.semi_axis_y;
    const double level = std::clamp(along - (along - across) * v * v, 0.0, approach);
    row(iy) = row_below(iy, level);
    longest = std::max(longest, row(iy).half_length());
  }
  if (!(longest > 0.0)) return false;
  for (PatchRow& one : rows_) one.max_pressure = one.half_length() / longest;
  double displaced = displacement_at(deepest_in(deep_y), deep_y);
  if (upper_y != deep_y)
    displaced = 0.5 * (displaced + displacement_at(deepest_in(upper_y), upper_y));
  if (!(displaced > 0.0)) return false;
  for (PatchRow& one : rows_) one.max_pressure *= approach / displaced;
  return true;
}

bool EstimatedPatch::set_analyn(double approach) {
  approach_ = approach;
  bool touches = false;
  for (int iy = 0; iy < grid_.my; ++iy) {
    row(iy) = {};
    const int middle = deepest_in(iy);
    if (!std::isfinite(h(middle, iy)) || !(approach > 0.0)) continue;
    const double a_curvature = local_curvature_x(iy);
    const double b_curvature = local_curvature_y(iy);
    const NormalLoad load{NormalControl::approach, approach};
    const HertzEllipse whole =
        hertz_ellipse(a_curvature, b_curvature, load, material_.contact_modulus());
    const double alpha = approach / (a_curvature * whole.semi_axis_x * whole.semi_axis_x);
    const double beta = approach / (b_curvature * whole.semi_axis_y * whole.semi_axis_y);
    const Vertex vertex = vertex_at(middle, iy, a_curvature);
    const double left = approach - beta * vertex.h;
    if (!(left > 0.0)) continue;
    const double half = std::sqrt(left / (alpha * a_curvature));
    const HertzEllipse here = hertz_ellipse(
        a_curvature, b_curvature, {NormalControl::approach, left}, material_.contact_modulus());
    const double x = grid_.x(middle) + vertex.x;
    row(iy) = {x - half, x + half, here.max_pressure};
    touches = true;
  }
  return touches;
}

void EstimatedPatch::set_half_ellipses(const HalfEllipses& ellipses, double force) {
  const double a = ellipses.semi_axis_x;
  const double b = 0.5 * (ellipses.below + ellipses.above);
  const double greatest = 1.5 * force / (std::numbers::pi * a * b);
  for (int iy = 0; iy < grid_.my; ++iy) {
    const double y = grid_.y(iy) - ellipses.border;
    const double v = y / (y > 0.0 ? ellipses.above : ellipses.below);
    const double part = v * v < 1.0 ? std::sqrt(1.0 - v * v) : 0.0;
    row(iy) = {-a * part, a * part, greatest * part};
  }
  approach_ = hertz_contact(a, b, force, material_.contact_modulus()).approach;
  axes_ = {a, b};
}

PatchEstimate EstimatedPatch::estimate() const {
  PatchEstimate out;
  out.pressure.resize(grid_.count());
  out.approach = approach_;
  double first = std::numeric_limits<double>::infinity();
  double last = -first;
  double area = 0.0;
  double width = 0.0;
  for (int iy = 0; iy < grid_.my; ++iy) {
    const PatchRow& one = rows_[static_cast<std::size_t>(iy)];
    if (!one.exists()) continue;
    first = std::min(first, one.x1);
    last = std::max(last, one.x2);
    area += 2.0 * one.half_length() * grid_.dy;
    width += grid_.dy;
    for (int ix = 0; ix < grid_.mx; ++ix) {
      if (!std::isfinite(h(ix, iy))) continue;  // nothing touches there
      double& p = out.pressure[grid_.index(ix, iy)];
      p = one.pressure(grid_.x(ix));
      out.force += p * grid_.element_area();
      out.max_pressure = std::max(out.max_pressure, p);
    }
  }
  const double ratio = axes_ ? (*axes_)[0] / (*axes_)[1] : (last - first) / width;
  const double product = axes_ ? (*axes_)[0] * (*axes_)[1] : area / std::numbers::pi;
  out.semi_axis_x = std::sqrt(product * ratio);
  out.semi_axis_y = std::sqrt(product / ratio);
  return out;
}

PatchEstimate EstimatedPatch::smaller_than_element(double approach) const {
  const auto lowest = std::min_element(distance_.begin(), distance_.end());
  const auto place = static_cast<int>(lowest - distance_.begin());
  const HertzEllipse ellipse =
      hertz_ellipse(local_curvature_x(place / grid_.mx), local_curvature_y(place / grid_.mx),
                    {NormalControl::approach, approach}, material_.contact_modulus());
  PatchEstimate out;
  out.pressure.resize(grid_.count());
  out.force = ellipse.force;
  out.approach = approach;
  const std::vector<double> loads = loads_of_rows(place / grid_.mx);
  const double unit =
      ellipse.force / (grid_.element_area() * std::accumulate(loads.begin(), loads.end(), 0.0));
  for (int iy = 0; iy < grid_.my; ++iy) {
    const double load = unit * loads[static_cast<std::size_t>(iy)];
    if (load == 0.0) continue;
    const auto [first, second] = deepest_elements(iy);
    for (const int ix : {first, second}) out.pressure[grid_.index(ix, iy)] += 0.5 * load;
  }
  out.max_pressure = *std::max_element(out.pressure.begin(), out.pressure.end());
  out.semi_axis_x = ellipse.semi_axis_x;
  out.semi_axis_y = ellipse.semi_axis_y;
  return out;
}

// The estimate for an approach; nothing without contact.
std::optional<PatchEstimate> at_approach(const SolverSettings& settings,
                                         const std::vector<double>& distance, const Grid& grid,
                                         const CombinedMaterial& material, double approach) {
  EstimatedPatch patch(distance, grid, material);
  const bool touches =
      settings.normal == NormalMethod::kpec ? patch.set_kpec(approach) : patch.set_analyn(approach);
  if (touches) {
    PatchEstimate found = patch.estimate();
    if (found.force > 0.0) return found;
  }
  if (!(approach > 0.0)) return std::nullopt;
  return patch.smaller_than_element(approach);
}

void scale_to(double force, PatchEstimate& estimate) {
  const double factor = force / estimate.force;
  for (double& p : estimate.pressure) p *= factor;
  estimate.max_pressure *= factor;
  estimate.force = force;
}

// Bisection: the force grows with the approach, in small jumps where elements enter a parabola. It
// ends above a jump, where rounding cannot let only one of two equal rows enter.
PatchEstimate for_force(const SolverSettings& settings, const std::vector<double>& distance,
                        const Grid& grid, const CombinedMaterial& material, double force) {
  const auto force_at = [&](double approach) {
    const auto found = at_approach(settings, distance, grid, material, approach);
    return found ? found->force : 0.0;
  };
  // A first guess: about the approach of a pressure spread over the grid.
  double high =
      force / (material.contact_modulus() * std::max(grid.mx * grid.dx, grid.my * grid.dy));
  double low = 0.0;
  for (int k = 0; k < 200 && force_at(high) < force; ++k) {
    low = high;
    high *= 2.0;
  }
  constexpr double kClose = 1.0e-12;
  while (high - low > kClose * high) {
    const double middle = 0.5 * (low + high);
    (force_at(middle) < force ? low : high) = middle;
  }
  auto found = at_approach(settings, distance, grid, material, high);
  if (!found || !(found->force > 0.0))
    throw InputError("no approach of the estimate has the force " + number_text(force) +
                     "; accepted: a force of a contact within the grid");
  scale_to(force, *found);
  return std::move(*found);
}

// Refuses saddles, whose contact is unbounded on the grid.
void refuse_saddle(const std::vector<double>& distance, const Grid& grid) {
  constexpr double kNone = 1.0e-6;  // of the greatest curvature there; a cylinder has 0
  const auto curvature = edge_curvature(distance, grid);
  if (curvature &&
      curvature->least < -kNone * std::max(curvature->greatest, 0.0) - curvature->rounding)
    throw InputError(
        "the bodies come closer beyond the edge of the grid: the undeformed distance "
        "is least there and has the curvature " +
        number_text(curvature->least) +
        "; kpec and analyn need a distance that rises in every direction; accepted: "
        "another grid or geometry, or normal = bound_cg");
}

}  // namespace

bool has_estimate(const SolverSettings& settings, const std::vector<double>& distance,
                  const Grid& grid, double approach) {
  const double least = settings.normal == NormalMethod::bound_cg
                           ? *std::min_element(distance.begin(), distance.end())
                           : least_distance(distance, grid);
  return approach > least;
}

PatchEstimate estimate_patch(const SolverSettings& settings, const std::vector<double>& distance,
                             const Grid& grid, const CombinedMaterial& material,
                             const NormalLoad& load) {
  if (settings.normal == NormalMethod::sdec) {
    EstimatedPatch patch(distance, grid, material);
    patch.set_half_ellipses(settings.half_ellipses, load.value);
    PatchEstimate found = patch.estimate();
    found.force = load.value;  // of the halves themselves, as an ellipse's
    return found;
  }
  refuse_saddle(distance, grid);
  // Both estimates count the approach from the first touch.
  const double least = least_distance(distance, grid);
  std::vector<double> above = distance;
  for (double& h : above) h -= least;
  if (load.control == NormalControl::force) {
    PatchEstimate found = for_force(settings, above, grid, material, load.value);
    found.approach += least;
    return found;
  }
  auto found = at_approach(settings, above, grid, material, load.value - least);
  if (!found || !(found->force > 0.0))
    throw InputError("no element touches at the approach " + number_text(load.value) +
                     "; accepted: an approach above the least undeformed distance, " +
                     number_text(least));
  found->approach = load.value;
  return std::move(*found);
}

PatchEstimate patch_of(std::vector<double> pressure, const Grid& grid, double approach) {
  PatchEstimate out;
  out.approach = approach;
  int first_x = grid.mx;
  int last_x = -1;
  int first_y = grid.my;
  int last_y = -1;
  std::size_t count = 0;
  for (int iy = 0; iy < grid.my; ++iy) {
    for (int ix = 0; ix < grid.mx; ++ix) {
      const double p = pressure[grid.index(ix, iy)];
      if (!(p > 0.0)) continue;
      out.force += p * grid.element_area();
      out.max_pressure = std::max(out.max_pressure, p);
      first_x = std::min(first_x, ix);
      last_x = std::max(last_x, ix);
      first_y = std::min(first_y, iy);
      last_y = std::max(last_y, iy);
      ++count;
    }
  }
  if (count == 0) throw InputError("no element touches; accepted: a load under which some do");
  const double length = (last_x - first_x + 1) * grid.dx;
  const double width = (last_y - first_y + 1) * grid.dy;
  const double product = static_cast<double>(count) * grid.element_area() / std::numbers::pi;
  out.semi_axis_x = std::sqrt(product * length / width);
  out.semi_axis_y = std::sqrt(product * width / length);
  out.pressure = std::move(pressure);
  return out;
}

}  // namespace slipfield
