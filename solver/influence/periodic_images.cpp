// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/periodic_images.h"

#include <cmath>
#include <numbers>

namespace slipfield {
namespace {

// Images up to kNearImages periods away are too near for a series. Images up to kLastImage are
// summed one by one, the others by an integral with differences of terms around its end.
constexpr int kNearImages = 1;
constexpr int kLastImage = 16;
constexpr int kImageDifferences = 6;

// Farther across the period than this from the element [periods], all but the mean along the period
// has faded, as exp(-2 pi y/period): to 4e-17.
constexpr double kMeanAlone = 6.0;

// The sum of g(j) over j > J, less the integral of g from J + 1/2 on, is the series of
// 1/(2 arsinh(d/2)) - 1/d in the central difference d at J + 1/2, with these coefficients of d,
// d^3, ... With J = 16 the rest is below 1e-13 of 1/period.
constexpr std::array<double, kImageDifferences> kOfImageDifference{
    1.0 / 24.0,
    -17.0 / 5760.0,
    367.0 / 967680.0,
    -27859.0 / 464486400.0,
    1295803.0 / 122624409600.0,
    -5329242827.0 / 2678117105664000.0};

// Weight of an image by its number of periods: 1 up to kLastImage, then its weight in the
// differences.
using ImageWeights = std::array<double, kLastImage + kImageDifferences + 1>;
constexpr ImageWeights make_image_weights() {
  ImageWeights weights{};
  for (int j = 0; j <= kLastImage; ++j) weights[static_cast<std::size_t>(j)] = 1.0;
  for (int m = 1; m <= kImageDifferences; ++m) {
    double binomial = 1.0;  // with its sign
    for (int k = 0; k < 2 * m; ++k) {
      weights[static_cast<std::size_t>(kLastImage + m - k)] +=
          kOfImageDifference[static_cast<std::size_t>(m - 1)] * binomial;
      binomial *= -static_cast<double>(2 * m - 1 - k) / (k + 1);
    }
  }
  return weights;
}
constexpr ImageWeights kImageWeights = make_image_weights();

// An edge across the period, from y1 to y2, at the distance x > 0. A coefficient is the difference
// of its element's two edges in the terms below (THEORY.md 2.2), so that its integral over images,
// from some place to infinity, needs these terms at infinity less those at x, times pi G. At
// infinity the open terms are replaced by the width times `logarithm` = 1 + ln d.
struct FarEdge {
  double x = 0.0;
  double y1 = 0.0;
  double y2 = 0.0;

  [[nodiscard]] double width() const { return y2 - y1; }
  [[nodiscard]] double middle() const { return 0.5 * (y1 + y2); }
  [[nodiscard]] double r1() const { return std::hypot(x, y1); }
  [[nodiscard]] double r2() const { return std::hypot(x, y2); }
  [[nodiscard]] double r2_less_r1() const { return 2.0 * middle() * width() / (r1() + r2()); }
  // X ln(Y + R), Y ln(X + R), ln(R2/R1)
  [[nodiscard]] double along_log() const { return x * coefficient_detail::log_edge(x, y1, y2); }
  [[nodiscard]] double across_log() const {
    return width() * 0.5 * std::log((x + r1()) * (x + r2())) +
           middle() * std::log1p(r2_less_r1() / (x + r1()));
  }
  [[nodiscard]] double log_ratio() const { return std::log1p(r2_less_r1() / r1()); }
  // X atan(Y/X) + Y ln R
  [[nodiscard]] double skew_along() const {
    return x * coefficient_detail::atan_edge(x, y1, y2) + width() * 0.5 * std::log(r1() * r2()) +
           middle() * log_ratio();
  }
  // Y atan(Y/X) - X ln R: Y atan(X/Y) + X ln R at infinity less that here
  [[nodiscard]] double skew_across() const {
    return width() * 0.5 * (std::atan(y1 / x) + std::atan(y2 / x)) +
           middle() * coefficient_detail::atan_edge(x, y1, y2) - x * log_ratio();
  }

  [[nodiscard]] double integral(Component component, double logarithm,
                                const CombinedMaterial& material) const {
    const double nu = material.poisson_ratio;
    const double open = width() * logarithm;
    switch (component) {
      case Component::nn:
        return (1.0 - nu) * (open - along_log() - across_log());
      case Component::xx:
        return open - across_log() - (1.0 - nu) * along_log();
      case Component::yy:
        return (1.0 - nu) * (open - across_log()) - along_log();
      case Component::xy:
        return nu * r2_less_r1();
      case Component::xn:
        return -material.coupling * (open - skew_along());
      case Component::yn:
        return -material.coupling * skew_across();
    }
    return 0.0;
  }
};

// The Chebyshev series of a function on [-1, 1].
template <std::size_t terms, class Function>
std::array<double, terms> chebyshev_series(const Function& function) {
  const auto angle = [](std::size_t i) {
    return std::numbers::pi * (static_cast<double>(i) + 0.5) / terms;
  };
  std::array<double, terms> values{};
  for (std::size_t i = 0; i < terms; ++i) values[i] = function(std::cos(angle(i)));
  std::array<double, terms> series{};
  for (std::size_t k = 0; k < terms; ++k) {
    double sum = 0.0;
    for (std::size_t i = 0; i < terms; ++i)
      sum += values[i] * std::cos(static_cast<double>(k) * angle(i));
    series[k] = sum * (k == 0 ? 1.0 : 2.0) / terms;
  }
  return series;
}

// The sum of the series at z, by Clenshaw's recurrence.
template <std::size_t terms>
double sum_of_series(const std::array<double, terms>& series, double z) {
  double last = 0.0;
  double next = 0.0;
  for (std::size_t k = terms - 1; k > 0; --k) {
    const double sum = series[k] + 2.0 * z * last - next;
    next = last;
    last = sum;
  }
  return series[0] + z * last - next;
}

// Gauss's rule on an element of that length.
struct ImageGaussPoint {
  double place = 0.0;
  double weight = 0.0;
};
constexpr std::array<ImageGaussPoint, 4> kImageGauss{{{-0.43056815579702629, 0.17392742256872693},
                                                      {-0.16999052179242813, 0.32607257743127307},
                                                      {0.16999052179242813, 0.32607257743127307},
                                                      {0.43056815579702629, 0.17392742256872693}}};

}  // namespace

PeriodicImages images_of(const Grid& grid) {
  const double width = grid.mx * grid.dx;
  const double height = grid.my * grid.dy;
  if (grid.boundary == Boundary::periodic_x) return {width, height, false};
  if (grid.boundary == Boundary::periodic_y) return {height, width, true};
  return {};
}

ElementWithImages::ElementWithImages(Component component, double dx, double dy,
                                     const CombinedMaterial& material, const PeriodicImages& images)
    : component_(images.along_y ? with_axes_swapped(component) : component),
      length_(images.along_y ? dy : dx),
      width_(images.along_y ? dx : dy),
      material_(material),
      images_(images) {}

double ElementWithImages::folded(double along) const {
  return along - images_.period * std::round(along / images_.period);
}

double ElementWithImages::one(double along, double across) const {
  return influence_coefficient(component_, along, across, length_, width_, material_);
}

// along: at most half a period from the element.
double ElementWithImages::near(double along, double across) const {
  double sum = 0.0;
  for (int j = -kNearImages; j <= kNearImages; ++j) {
    const double place = along + j * images_.period;
    sum += one(place, across);
    if (has_layer(material_))
      sum += layer_coefficient(component_, place, across, length_, width_, material_);
  }
  return sum;
}

double ElementWithImages::far(double along, double across) const {
  const double mirrored = parity(component_).x;
  double sum = 0.0;
  for (int j = kNearImages + 1; j < static_cast<int>(kImageWeights.size()); ++j) {
    const double place = j * images_.period;
    sum += kImageWeights[static_cast<std::size_t>(j)] *
           (one(place + along, across) + mirrored * one(place - along, across));
  }
  return sum + beyond(along, across);
}

// The integrals over images beyond kLastImage + 1/2 periods on both sides.
double ElementWithImages::beyond(double along, double across) const {
  const double mirrored = parity(component_).x;
  const double end = (kLastImage + 0.5) * images_.period;
  const double logarithm = 1.0 + std::log(images_.distance);
  const auto integral = [&](double x) {
    const FarEdge edge{x, across - 0.5 * width_, across + 0.5 * width_};
    return edge.integral(component_, logarithm, material_);
  };
  double mean = 0.0;
  for (const ImageGaussPoint& point : kImageGauss) {
    const double place = point.place * length_;
    mean +=
        point.weight * (integral(end + along + place) + mirrored * integral(end - along + place));
  }
  return mean * length_ / (images_.period * std::numbers::pi * material_.shear_modulus);
}

bool ElementWithImages::is_far(double across) const {
  return std::abs(across) - 0.5 * width_ > kMeanAlone * images_.period;
}

// The mean along the period: the displacement by a strip as wide as the element (THEORY.md 2.5).
// The images one by one would cancel: at 1e14 elements no digit would be left.
double ElementWithImages::of_strip(double across) const {
  const double nu = material_.poisson_ratio;
  const double distance = std::abs(across);
  const double part = 0.5 * width_ / distance;
  const double mean_logarithm = std::log(distance / images_.distance) +
                                (std::atanh(part) / part - 1.0) + 0.5 * std::log1p(-part * part);
  const double load =
      length_ * width_ / (images_.period * std::numbers::pi * material_.shear_modulus);
  switch (component_) {
    case Component::nn:
    case Component::yy:
      return -2.0 * (1.0 - nu) * load * mean_logarithm;
    case Component::xx:
      return -2.0 * load * mean_logarithm;
    case Component::yn:
      return (across < 0.0 ? 1.0 : -1.0) * std::numbers::pi * material_.coupling * load;
    case Component::xy:
    case Component::xn:
      break;  // odd along the period
  }
  return 0.0;
}

double ElementWithImages::at(double x, double y) const {
  const double along = folded(images_.along_y ? y : x);
  const double across = images_.along_y ? x : y;
  if (is_far(across)) return of_strip(across);
  return near(along, across) + far(along, across);
}

LineOfImages::LineOfImages(const ElementWithImages& element, double across)
    : element_(element), across_(across), odd_(parity(element.component_).x < 0) {
  far_ = chebyshev_series<kTerms>([&](double z) {
    const double part = std::sqrt(0.5 * (1.0 + z));  // of half a period
    const double value = element.far(0.5 * element.images_.period * part, across);
    return odd_ ? value / part : value;
  });
}

double LineOfImages::at(double along) const {
  const double place = element_.folded(along);
  const double part = 2.0 * place / element_.images_.period;
  const double far = sum_of_series(far_, 2.0 * part * part - 1.0);
  return element_.near(place, across_) + (odd_ ? part * far : far);
}

RowOfImages::RowOfImages(const ElementWithImages& element, double along, double reach)
    : element_(element), along_(element.folded(along)), reach_(reach) {}

double RowOfImages::at(double across) {
  if (element_.is_far(across)) return element_.of_strip(across);
  const double near = element_.near(along_, across);
  if (std::abs(across) > reach_) return near + element_.far(along_, across);
  const double period = element_.images_.period;
  const double stretch = std::round(across / period);
  const auto [found, missing] = far_.try_emplace(static_cast<std::int64_t>(stretch));
  if (missing)
    found->second = chebyshev_series<kTerms>(
        [&](double z) { return element_.far(along_, stretch * period + 0.5 * period * z); });
  return near + sum_of_series(found->second, 2.0 * (across / period - stretch));
}

}  // namespace slipfield
