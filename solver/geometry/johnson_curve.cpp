// SPDX-License-Identifier: Apache-2.0
#include "solver/geometry/johnson_curve.h"

#include <array>
#include <cmath>

namespace slipfield {
namespace {

struct Moments {
  double mean = 0.0;
  double deviation = 1.0;
  double skewness = 0.0;
  double kurtosis = 3.0;
};

Moments from_central(double mean, double second, double third, double fourth) {
  const double deviation = std::sqrt(second);
  return {mean, deviation, third / (second * deviation), fourth / (second * second)};
}

// exp(n width)
Moments lognormal_moments(double width) {
  const double omega = std::exp(width * width);
  const double square = omega * omega;
  return {std::sqrt(omega), std::sqrt(omega * std::expm1(width * width)),
          (omega + 2.0) * std::sqrt(std::expm1(width * width)),
          square * square + 2.0 * square * omega + 3.0 * square - 3.0};
}

// sinh(n width + place)
Moments unbounded_moments(double width, double place) {
  const double omega = std::exp(width * width);
  const double less = std::expm1(width * width);
  const double square = omega * omega;
  const double second = 0.5 * less * (omega * std::cosh(2.0 * place) + 1.0);
  const double third = 0.25 * std::sqrt(omega) * less * less *
                       (omega * (omega + 2.0) * std::sinh(3.0 * place) + 3.0 * std::sinh(place));
  const double fourth =
      0.125 * less * less *
      (square * (square * square + 2.0 * square * omega + 3.0 * square - 3.0) *
           std::cosh(4.0 * place) +
       4.0 * square * (omega + 2.0) * std::cosh(2.0 * place) + 3.0 * (2.0 * omega + 1.0));
  return from_central(std::sqrt(omega) * std::sinh(place), second, third, fourth);
}

// 1/(1 + exp(-y)), y = n width + place: analytic within a strip of the width pi/width about the
// real axis, so that the trapezoidal rule is exact to rounding for width <= kMostWidth.
Moments bounded_moments(double width, double place) {
  constexpr double kStep = 0.02;
  constexpr int kLast = 450;
  const auto each = [&](const auto& add) {
    for (int i = -kLast; i <= kLast; ++i) {
      const double n = i * kStep;
      add(std::exp(-0.5 * n * n), 1.0 / (1.0 + std::exp(-(n * width + place))));
    }
  };
  double weights = 0.0;
  double mean = 0.0;
  each([&](double weight, double value) {
    weights += weight;
    mean += weight * value;
  });
  mean /= weights;
  std::array<double, 3> central{};
  each([&](double weight, double value) {
    const double square = (value - mean) * (value - mean);
    central[0] += weight * square;
    central[1] += weight * square * (value - mean);
    central[2] += weight * square * square;
  });
  return from_central(mean, central[0] / weights, central[1] / weights, central[2] / weights);
}

// Finds where an increasing function with values on both sides of `target` equals it.
template <typename Function>
double where(double low, double high, double target, const Function& function) {
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (function(middle) < target ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

constexpr double kMostWidth = 20.0;
constexpr double kFarOut = 25.0;  // exp(-2 kFarOut) is nothing next to 1

// The place with this skewness >= 0, for a width that allows it.
double unbounded_place(double width, double skewness) {
  if (skewness == 0.0) return 0.0;
  return where(0.0, kFarOut, skewness,
               [&](double place) { return unbounded_moments(width, place).skewness; });
}
double bounded_place(double width, double skewness) {
  if (skewness == 0.0) return 0.0;
  // As `width` grows the values are 0 and 1, for n below and above -place/width.
  return -where(0.0, kFarOut + 10.0 * width, skewness,
                [&](double place) { return bounded_moments(width, -place).skewness; });
}
double lognormal_width(double skewness) {
  return where(0.0, 2.0, skewness, [](double width) { return lognormal_moments(width).skewness; });
}

}  // namespace

double JohnsonCurve::least_kurtosis(double skewness) {
  const double size = std::abs(skewness);
  return bounded_moments(kMostWidth, bounded_place(kMostWidth, size)).kurtosis;
}

// At a given skewness the kurtosis grows with the width of the unbounded curves, starting from that
// of the lognormal one, and falls with the width of the bounded ones.
JohnsonCurve::JohnsonCurve(double skewness, double kurtosis) : mirrored_(skewness < 0.0) {
  const double size = std::abs(skewness);
  const double between = size > 0.0 ? lognormal_width(size) : 0.0;
  const double lognormal = lognormal_moments(between).kurtosis;
  constexpr double kSame = 1.0e-6;
  Moments moments;
  if (std::abs(kurtosis - lognormal) <= kSame * lognormal) {
    if (size == 0.0) return;
    family_ = Family::lognormal;
    width_ = between;
    moments = lognormal_moments(width_);
  } else if (kurtosis > lognormal) {
    family_ = Family::unbounded;
    constexpr double kWidest = 3.0;  // kurtosis exp(4 * 9)
    width_ = where(between, kWidest, kurtosis, [&](double width) {
      return unbounded_moments(width, unbounded_place(width, size)).kurtosis;
    });
    place_ = unbounded_place(width_, size);
    moments = unbounded_moments(width_, place_);
  } else {
    family_ = Family::bounded;
    width_ = where(between, kMostWidth, -kurtosis, [&](double width) {
      return -bounded_moments(width, bounded_place(width, size)).kurtosis;
    });
    place_ = bounded_place(width_, size);
    moments = bounded_moments(width_, place_);
  }
  mean_ = moments.mean;
  deviation_ = moments.deviation;
}

double JohnsonCurve::operator()(double normal) const {
  const double sign = mirrored_ ? -1.0 : 1.0;
  const double y = sign * normal * width_ + place_;
  double value = sign * normal;
  switch (family_) {
    case Family::normal:
      break;
    case Family::lognormal:
      value = std::exp(y);
      break;
    case Family::unbounded:
      value = std::sinh(y);
      break;
    case Family::bounded:
      value = 1.0 / (1.0 + std::exp(-y));
  }
  return sign * (value - mean_) / deviation_;
}

}  // namespace slipfield
