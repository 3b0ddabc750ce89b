// SPDX-License-Identifier: Apache-2.0
#include "io/contact/surface.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>

#include "solver/geometry.h"
#include "solver/geometry/hertz_ellipse.h"

namespace slipfield {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A paraboloid h = A x^2 + B y^2 and the semi-axes of its contact.
struct Hertzian {
  double curvature_x = 0.0;
  double curvature_y = 0.0;
  double a = 0.0;
  double b = 0.0;
};

// Plane contact of half-length a under the force per length: a^2 = 4 R F'/(pi E*), A = 1/(2 R)
// [Johnson1985, ch. 4] (THEORY.md 3.9).
Hertzian line_contact(const InputNumbers& potential, double force, double modulus) {
  const double half_width = potential[4].value;
  const double load = 2.0 * force / (2.0 * half_width * std::numbers::pi * modulus);  // A a^2
  if (potential[0].value == -5.0) {
    const double a = potential[3].value;
    return {load / (a * a), 0.0, a, half_width};
  }
  return {potential[3].value, 0.0, std::sqrt(load / potential[3].value), half_width};
}

Hertzian point_contact(const InputNumbers& potential, const NormalLoad& load, double modulus) {
  const double first = potential[3].value;
  const double second = potential[4].value;
  if (potential[0].value == -3.0) {
    double force = load.value;
    if (load.control == NormalControl::approach)  // of one ellipse it grows with the force
      force /= hertz_contact(first, second, 1.0, modulus).approach;
    const HertzContact contact = hertz_contact(first, second, force, modulus);
    return {contact.curvature_x, contact.curvature_y, first, second};
  }
  double other = second;
  if (potential[0].value == -2.0) {  // the ratio a/b determines that of the curvatures
    const HertzContact unit = hertz_contact(second, 1.0, 1.0, 1.0);
    other = first * unit.curvature_y / unit.curvature_x;
  }
  const HertzEllipse ellipse = hertz_ellipse(first, other, load, modulus);
  return {first, other, ellipse.semi_axis_x, ellipse.semi_axis_y};
}

Hertzian hertzian_of(const InputCase& input) {
  const InputNumbers& potential = input.state.potential;
  const double modulus = combine(upper_body(input), lower_body(input)).contact_modulus();
  const double value = input.kinematic[0].value;
  if (potential[0].value == -6.0) {
    const HalfEllipses halves = input_half_ellipses(potential);
    const double b = 0.5 * (halves.below + halves.above);
    const HertzContact contact = hertz_contact(halves.semi_axis_x, b, value, modulus);
    return {contact.curvature_x, contact.curvature_y, halves.semi_axis_x, b};
  }
  if (potential[0].value <= -4.0) return line_contact(potential, value, modulus);
  const auto control = input.digit('N') == 1 ? NormalControl::force : NormalControl::approach;
  return point_contact(potential, {control, value}, modulus);
}

// Elements across a line contact, including those beyond its ends on both sides, as far as `my` and
// the scale allow.
int elements_across(int my, double scale) {
  if (scale <= 1.0) return my;
  const int inner = std::max(1, static_cast<int>(std::lround(my / scale)));
  return inner + (my - inner) % 2;
}

Grid hertzian_grid(const InputNumbers& potential, const Hertzian& contact) {
  const double scale = potential.back().value;
  const bool line = potential[0].value == -5.0 || potential[0].value == -4.0;
  Grid grid;
  grid.mx = potential[1].integer();
  grid.my = potential[2].integer();
  grid.dx = 2.0 * scale * contact.a / grid.mx;
  grid.dy =
      line ? 2.0 * contact.b / elements_across(grid.my, scale) : 2.0 * scale * contact.b / grid.my;
  grid.x0 = -0.5 * grid.mx * grid.dx;
  grid.y0 = -0.5 * grid.my * grid.dy;
  return grid;
}

// IPOTCN 1 to 4: corner and spacing, two corners, first centre and spacing, first and last centre.
Grid stated_grid(const InputNumbers& potential) {
  const int form = potential[0].integer();
  Grid grid;
  grid.mx = potential[1].integer();
  grid.my = potential[2].integer();
  const double x = potential[3].value;
  const double y = potential[4].value;
  grid.dx = potential[5].value;
  grid.dy = potential[6].value;
  if (form == 2) {
    grid.dx = (grid.dx - x) / grid.mx;
    grid.dy = (grid.dy - y) / grid.my;
  } else if (form == 4) {
    grid.dx = (grid.dx - x) / std::max(1, grid.mx - 1);
    grid.dy = (grid.dy - y) / std::max(1, grid.my - 1);
  }
  grid.x0 = form >= 3 ? x - 0.5 * grid.dx : x;
  grid.y0 = form >= 3 ? y - 0.5 * grid.dy : y;
  return grid;
}

std::string quadratic(const std::array<double, 6>& coefficients) {
  constexpr std::array<std::string_view, 6> kKeys{"xx", "xy", "yy", "x", "y", "constant"};
  std::string text = "{type: quadratic";
  for (std::size_t i = 0; i < kKeys.size(); ++i)
    if (coefficients[i] != 0.0) text += fmt::format(", {}: {}", kKeys[i], coefficients[i]);
  return text + "}";
}

template <typename Function>
std::shared_ptr<const std::vector<double>> at_elements(const Grid& grid, const Function& function) {
  auto values = std::make_shared<std::vector<double>>();
  values->reserve(grid.count());
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix) values->push_back(function(ix, iy));
  return values;
}

// IBASE = 2: circular along x about XM, straight lines between heights at steps of DY1 from Y1.
class CircularProfile {
 public:
  explicit CircularProfile(const InputNumbers& numbers) : numbers_(numbers) {}

  [[nodiscard]] double operator()(double x, double y) const {
    const double from_middle = x - numbers_[1].value;
    const double position = (y - numbers_[3].value) / numbers_[4].value;
    const double last = static_cast<double>(numbers_.size() - 5) - 2.0;  // left point of the last
    const auto left = static_cast<std::size_t>(std::clamp(std::floor(position), 0.0, last));
    const double rest = position - static_cast<double>(left);
    return (1.0 - rest) * height(left) + rest * height(left + 1) +
           from_middle * from_middle / (2.0 * numbers_[2].value);
  }
  // Nothing unless the profile is one straight line, so that the whole is a paraboloid.
  [[nodiscard]] std::optional<std::array<double, 6>> as_quadratic() const {
    const double slope = (height(1) - height(0)) / numbers_[4].value;
    for (std::size_t i = 2; i + 5 < numbers_.size(); ++i)
      if ((height(i) - height(i - 1)) / numbers_[4].value != slope) return std::nullopt;
    const double middle = numbers_[1].value;
    const double radius = numbers_[2].value;
    return std::array{
        0.5 / radius, 0.0,
        0.0,          -middle / radius,
        slope,        height(0) - slope * numbers_[3].value + 0.5 * middle * middle / radius};
  }

 private:
  [[nodiscard]] double height(std::size_t i) const { return numbers_[5 + i].value; }
  const InputNumbers& numbers_;
};

// IBASE = 3: two sines along x on a paraboloid.
double two_sines(const InputNumbers& numbers, double x, double y) {
  const auto b = [&](std::size_t i) { return numbers[i - 1].value; };
  return b(1) * std::sin(b(2) * (x - b(3))) - b(4) * std::sin(b(5) * (x - b(6))) + x * x / b(7) +
         y * y / b(8);
}

void set_base(const InputCase& input, InputSurface& surface) {
  const InputNumbers& base = *input.state.base;
  const Grid& grid = surface.grid;
  const int form = input.state.surface[0].integer();
  surface.geometry_remark = fmt::format("{}: IBASE = {}", lines_of(input.state.surface), form);
  if (form == 1) {
    std::array<double, 6> coefficients{};
    for (std::size_t i = 0; i < 6; ++i) coefficients[i] = base[i].value;
    surface.members = {quadratic(coefficients)};
  } else if (form == 2) {
    const CircularProfile profile(base);
    if (const auto coefficients = profile.as_quadratic())
      surface.members = {quadratic(*coefficients)};
    else
      surface.heights =
          at_elements(grid, [&](int ix, int iy) { return profile(grid.x(ix), grid.y(iy)); });
  } else if (form == 3) {
    surface.heights =
        at_elements(grid, [&](int ix, int iy) { return two_sines(base, grid.x(ix), grid.y(iy)); });
  } else {
    surface.heights =
        at_elements(grid, [&](int ix, int iy) { return base[grid.index(ix, iy)].value; });
  }
}

// IPLAN = 2: inside where the quadratic form is negative. Nothing if that is not an ellipse along
// the axes.
std::optional<std::string> ellipse_of(const InputNumbers& p) {
  const double a = p[0].value;
  const double b = p[2].value;
  if (!(a > 0.0) || !(b > 0.0) || p[1].value != 0.0) return std::nullopt;
  const double x = -0.5 * p[3].value / a;
  const double y = -0.5 * p[4].value / b;
  const double level = a * x * x + b * y * y - p[5].value;
  if (!(level > 0.0)) return std::nullopt;
  return fmt::format("{{type: planform, shape: ellipse, semi_axes: [{}, {}], centre: [{}, {}]}}",
                     std::sqrt(level / a), std::sqrt(level / b), x, y);
}

bool inside(const InputNumbers& p, double x, double y) {
  if (p.size() == 6)
    return p[0].value * x * x + p[1].value * x * y + p[2].value * y * y + p[3].value * x +
               p[4].value * y + p[5].value <
           0.0;
  const auto within = [&](std::size_t i) {
    return p[i].value <= x && x <= p[i + 1].value && p[i + 2].value <= y && y <= p[i + 3].value;
  };
  for (std::size_t i = 0; i + 3 < p.size(); i += 4)
    if (within(i)) return true;
  return false;
}

// IPLAN = 4.
bool act_in_part(const InputNumbers& weights) {
  return std::any_of(weights.begin(), weights.end(),
                     [](const InputNumber& weight) { return weight.value != 1.0; });
}

ContactPatches patches_of(const InputNumbers& p, const InputNumbers& weights) {
  ContactPatches patches;
  for (std::size_t i = 0; i + 3 < p.size(); i += 4)
    patches.rectangles.push_back({p[i].value, p[i + 1].value, p[i + 2].value, p[i + 3].value});
  for (const InputNumber& weight : weights) patches.weights.push_back(weight.value);
  return patches;
}

void set_planform(const InputCase& input, InputSurface& surface) {
  const InputNumbers& planform = input.state.planform;
  if (planform.empty()) return;
  surface.geometry_remark +=
      fmt::format("; {}: IPLAN = {}", lines_of(planform), input.state.surface[1].integer());
  if (act_in_part(input.state.weights)) {
    surface.patches = patches_of(planform, input.state.weights);
    return;
  }
  const auto ellipse = planform.size() == 6 ? ellipse_of(planform) : std::nullopt;
  if (ellipse) {
    surface.members.push_back(*ellipse);
    return;
  }
  const Grid& grid = surface.grid;
  const auto base = surface.heights;
  surface.heights = at_elements(grid, [&](int ix, int iy) {
    const double height = base ? (*base)[grid.index(ix, iy)] : 0.0;
    return inside(planform, grid.x(ix), grid.y(iy)) ? height : kInfinity;
  });
}

std::string grid_remark(const InputNumbers& potential) {
  const int form = potential[0].integer();
  return fmt::format("{}: IPOTCN = {}, MX, MY, {}", lines_of(potential), form,
                     fmt::join(potential_labels(form), ", "));
}

// 0: body 1.
ElasticBody body_of(const InputCase& input, std::size_t body) {
  const InputNumbers& material = input.state.material;
  const InputNumbers& creep = input.state.creep;
  ElasticBody elastic{material[body + 2].value, material[body].value, {}};
  if (input.viscoelastic() && !creep.empty())
    elastic.creep = {{creep[body].value, creep[body + 2].value}};
  return elastic;
}

}  // namespace

ElasticBody upper_body(const InputCase& input) { return body_of(input, 0); }
ElasticBody lower_body(const InputCase& input) { return body_of(input, 1); }

ContactLayer input_layer(const InputCase& input) {
  ContactLayer layer;
  const InputNumbers& third = input.state.layer;
  if (input.digit('M') == 4 && third.size() == 4) {
    layer.compliance = third[1].value / third[0].value;
    constexpr double kNeverYields = 1.0e10;
    if (third[2].value > 0.0 && third[2].value < kNeverYields) {
      layer.yield_stress = third[2].value;
      layer.hardening = third[3].value;
    }
  }
  if (input.digit('B') == 1 && !input.state.sheet.empty())
    layer.normal_compliance = input.state.sheet[0].value;
  return layer;
}

HalfEllipses input_half_ellipses(const InputNumbers& potential) {
  const double below = potential[4].value;
  const double above = potential[5].value;
  return {potential[3].value, below, above, 0.5 * (below - above)};
}

std::string lines_of(const InputNumbers& numbers) {
  std::string text;
  int last = -1;
  std::size_t count = 0;
  for (const InputNumber& number : numbers) {
    if (number.place.line == last) continue;
    last = number.place.line;
    if (++count <= 2) text += fmt::format("{}{}", count == 1 ? "" : ", ", last + 1);
  }
  if (count > 2) text = fmt::format("{} to {}", numbers.front().place.line + 1, last + 1);
  return (count == 1 ? "line " : "lines ") + text;
}

InputSurface input_surface(const InputCase& input, const InputSurface* before) {
  const bool new_grid = before == nullptr || input.digit('D') != 0;
  const InputNumbers& potential = input.state.potential;
  const bool hertzian = potential[0].value < 0.0;
  // Pressures of Hertz (B = 2, 3) are those of the present force in the stated ellipse.
  const bool of_hertz =
      hertzian && input.simplified() && (input.digit('B') == 2 || input.digit('B') == 3);
  const bool new_geometry = before == nullptr || input.digit('Z') != 0 || of_hertz;
  if (!new_grid && !new_geometry) return *before;
  InputSurface surface;
  const Hertzian contact = hertzian ? hertzian_of(input) : Hertzian{};
  if (new_grid) {
    surface.grid = hertzian ? hertzian_grid(potential, contact) : stated_grid(potential);
    surface.grid_remark = grid_remark(potential);
  } else {
    surface.grid = before->grid;
    surface.grid_remark = before->grid_remark;
  }
  if (!new_geometry) {
    surface.members = before->members;
    surface.heights = before->heights;
    surface.patches = before->patches;
    surface.geometry_remark = before->geometry_remark;
  } else if (hertzian) {
    surface.members = {quadratic({contact.curvature_x, 0.0, contact.curvature_y, 0.0, 0.0, 0.0})};
    surface.geometry_remark =
        contact.curvature_y > 0.0
            ? fmt::format("touches in the ellipse {:.6g}, {:.6g}", contact.a, contact.b)
            : fmt::format("touches in the strip of half-length {:.6g}", contact.a);
  } else {
    set_base(input, surface);
    set_planform(input, surface);
  }
  return surface;
}

bool same_surface(const InputSurface& a, const InputSurface& b) {
  const Grid& g = a.grid;
  const Grid& h = b.grid;
  const bool same_heights =
      a.heights == b.heights || (a.heights && b.heights && *a.heights == *b.heights);
  return g.mx == h.mx && g.my == h.my && g.dx == h.dx && g.dy == h.dy && g.x0 == h.x0 &&
         g.y0 == h.y0 && a.members == b.members && a.patches == b.patches && same_heights;
}

}  // namespace slipfield
