// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/layered_bodies.h"

#include <Eigen/Dense>
#include <algorithm>

namespace slipfield {
namespace {

constexpr double kDeep = 40.0;  // q times thickness from which nothing of what lies below is seen

// exp(-A z) of the plane state (u_l, u_n, tau/(G q), sigma/(G q)), z = q times depth, positive into
// the body: u_l and tau a quarter of a wave from u_n and sigma. From the equations of equilibrium
// and Hooke's law,
//   u_l' = tau - u_n,  u_n' = a u_l + b sigma,  tau' = c u_l - a sigma,  sigma' = tau
// with a = nu/(1 - nu), b = (1 - 2 nu)/(2 (1 - nu)), c = 2/(1 - nu): also where nu = 1/2. A has the
// eigenvalues 1 and -1, each twice, so that the exponential is a polynomial of third degree in A.
Eigen::Matrix4d rise(double nu, double z) {
  const double a = nu / (1.0 - nu);
  Eigen::Matrix4d state;
  state << 0.0, -1.0, 1.0, 0.0,                            //
      a, 0.0, 0.0, (1.0 - 2.0 * nu) / (2.0 * (1.0 - nu)),  //
      2.0 / (1.0 - nu), 0.0, 0.0, -a,                      //
      0.0, 0.0, 1.0, 0.0;
  const double even = std::cosh(z);
  const double odd = -std::sinh(z);
  // The difference z cosh z - sinh z cancels where z is small: its series instead.
  constexpr double kSmall = 0.05;
  const double third = z < kSmall ? -z * z * z / 6.0 * (1.0 + z * z / 10.0 * (1.0 + z * z / 28.0))
                                  : 0.5 * (-z * even - odd);
  const double second = -0.5 * z * odd;
  const Eigen::Matrix4d square = state * state;
  return (even - second) * Eigen::Matrix4d::Identity() + (odd - third) * state + second * square +
         third * square * state;
}

// Displacements by tractions at the top of a material [1/modulus], in the signs of rise(): of the
// plane problem, and of the one across the waves.
struct Compliance {
  Eigen::Matrix2d plane = Eigen::Matrix2d::Zero();
  double across = 0.0;
};

Compliance half_space(double modulus, double nu) {
  const WaveCompliance of_waves = half_space_compliance(modulus, nu);
  Compliance deep;
  deep.plane << -of_waves.along, -of_waves.skew, -of_waves.skew, -of_waves.normal;
  deep.across = -of_waves.across;
  return deep;
}

// From the bottom of a layer to its top.
Compliance through(const Compliance& below, const BodyLayer& layer, double q) {
  const double depth = q * layer.thickness;
  if (layer.thickness == 0.0 || depth > kDeep)
    return half_space(layer.shear_modulus, layer.poisson_ratio);
  const int pieces = std::max(1, static_cast<int>(std::ceil(depth)));
  const double piece = depth / pieces;
  const Eigen::Matrix4d up = rise(layer.poisson_ratio, piece);
  const double even = std::cosh(piece);
  const double odd = std::sinh(piece);
  Eigen::Matrix2d plane = layer.shear_modulus * below.plane;
  double across = layer.shear_modulus * below.across;
  for (int i = 0; i < pieces; ++i) {
    const Eigen::Matrix2d displaced = up.topLeftCorner<2, 2>() * plane + up.topRightCorner<2, 2>();
    const Eigen::Matrix2d loaded =
        up.bottomLeftCorner<2, 2>() * plane + up.bottomRightCorner<2, 2>();
    plane = displaced * loaded.inverse();
    across = (even * across - odd) / (even - odd * across);
  }
  return {plane / layer.shear_modulus, across / layer.shear_modulus};
}

// What layers change in both bodies' compliances together.
WaveCompliance change(const ElasticBody& upper, const ElasticBody& lower, double q) {
  WaveCompliance sum;
  for (const ElasticBody* body : {&upper, &lower}) {
    if (!is_layered(*body)) continue;
    const WaveCompliance of_layers = wave_compliance(*body, q);
    const WaveCompliance deep = half_space_compliance(body->shear_modulus, body->poisson_ratio);
    sum.along += of_layers.along - deep.along;
    sum.across += of_layers.across - deep.across;
    sum.normal += of_layers.normal - deep.normal;
    sum.skew += (body == &upper ? 1.0 : -1.0) * (of_layers.skew - deep.skew);
  }
  return sum;
}

// The lengths between which the compliances change with the waves' length.
struct LayerScale {
  double thinnest = 0.0;  // of an outermost layer
  double deepest = 0.0;   // thickness of all layers
  double contrast = 1.0;  // of moduli
};
LayerScale scale_of(const ElasticBody& upper, const ElasticBody& lower) {
  LayerScale scale;
  for (const ElasticBody* body : {&upper, &lower}) {
    if (!is_layered(*body)) continue;
    scale.thinnest =
        scale.thinnest == 0.0 ? body->thickness : std::min(scale.thinnest, body->thickness);
    double depth = 0.0;
    double softest = body->shear_modulus;
    double stiffest = softest;
    for (const BodyLayer& layer : layers_of(*body)) {
      depth += layer.thickness;
      softest = std::min(softest, layer.shear_modulus);
      stiffest = std::max(stiffest, layer.shear_modulus);
    }
    scale.deepest = std::max(scale.deepest, depth);
    scale.contrast = std::max(scale.contrast, stiffest / softest);
  }
  return scale;
}

std::vector<double> geometric(double first, double last, double ratio) {
  const auto count = static_cast<std::size_t>(std::ceil(std::log(last / first) / std::log(ratio)));
  std::vector<double> values(count + 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = first * std::pow(ratio, static_cast<double>(i));
  return values;
}

}  // namespace

WaveCompliance wave_compliance(const ElasticBody& body, double q) {
  std::vector<BodyLayer> layers = layers_of(body);
  std::reverse(layers.begin(), layers.end());
  Compliance found;  // of a rigid base
  for (const BodyLayer& layer : layers) found = through(found, layer, q);
  return {-found.plane(0, 0), -found.across, -found.plane(1, 1), -found.plane(0, 1)};
}

std::vector<LayerImage> layer_images(const ElasticBody& upper, const ElasticBody& lower) {
  if (!is_layered(upper) && !is_layered(lower)) return {};
  // Depths from below twice the thinnest layer, where the first image lies, to where a stiff layer
  // bends no longer; ratio, ends and sampling as they gave 1e-8 for layers of 1e-3 to 1e4 times the
  // modulus below, of one and more layers, also on rigid bases.
  const LayerScale scale = scale_of(upper, lower);
  constexpr double kFirst = 1.2;
  constexpr double kLast = 200.0;
  constexpr double kRatio = 1.15;
  const std::vector<double> depths =
      geometric(kFirst * scale.thinnest, kLast * scale.contrast * scale.deepest, kRatio);
  constexpr double kLongest = 1.0e-3;
  constexpr double kShortest = 18.0;
  constexpr double kNext = 1.05;
  const std::vector<double> waves =
      geometric(kLongest / depths.back(), kShortest / scale.thinnest, kNext);
  const auto rows = static_cast<Eigen::Index>(waves.size());
  const auto columns = static_cast<Eigen::Index>(depths.size());
  Eigen::MatrixXd decays(rows, columns);
  Eigen::MatrixXd wanted(rows, 4);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double q = waves[static_cast<std::size_t>(i)];
    const WaveCompliance value = change(upper, lower, q);
    wanted.row(i) << value.along, value.across, value.normal, value.skew;
    for (Eigen::Index k = 0; k < columns; ++k)
      decays(i, k) = std::exp(-q * depths[static_cast<std::size_t>(k)]);
  }
  // Neighbouring decays are nearly equal, and several sets of weights fit: takes the smallest.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> fit;
  constexpr double kKept = 1.0e-14;
  fit.setThreshold(kKept);
  fit.compute(decays);
  const Eigen::MatrixXd weights = fit.solve(wanted);
  std::vector<LayerImage> images;
  for (Eigen::Index k = 0; k < columns; ++k)
    images.push_back({depths[static_cast<std::size_t>(k)],
                      {weights(k, 0), weights(k, 1), weights(k, 2), weights(k, 3)}});
  return images;
}

}  // namespace slipfield
