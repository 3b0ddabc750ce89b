// SPDX-License-Identifier: Apache-2.0
// Johnson's curves transform normal numbers into numbers of a given skewness and kurtosis.
#pragma once

namespace slipfield {

// For a normal n, J(n) = (f(n/delta + place) - mean)/deviation has mean 0, variance 1 and the given
// skewness and kurtosis. f is exp for the moments of a lognormal distribution, sinh for a greater
// kurtosis, and 1/(1 + exp(-y)), which is bounded, for a smaller one. J increases; for negative
// skewness it is -J(-n) of the positive one.
class JohnsonCurve {
 public:
  // |skewness| <= kMostSkewness; least_kurtosis(skewness) <= kurtosis <= kMostKurtosis.
  JohnsonCurve(double skewness, double kurtosis);

  static constexpr double kMostSkewness = 5.0;
  static constexpr double kMostKurtosis = 1000.0;
  // Slightly above 1 + skewness^2, the lower limit for any distribution.
  static double least_kurtosis(double skewness);

  double operator()(double normal) const;

 private:
  enum class Family { normal, lognormal, unbounded, bounded };
  Family family_ = Family::normal;
  bool mirrored_ = false;
  double width_ = 0.0;  // 1/delta
  double place_ = 0.0;
  double mean_ = 0.0;
  double deviation_ = 1.0;
};

}  // namespace slipfield
