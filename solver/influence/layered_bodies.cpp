// SPDX-License-Identifier: Apache-2.0
#include "solver/influence/layered_bodies.h"

#include <Eigen/Dense>
#include <algorithm>
#include <functional>
#include <ranges>

namespace slipfield {
namespace {

constexpr double kDeep = 40.0;  // q times thickness beyond which deeper material has no effect

// exp(-A z) for the plane state (u_l, u_n, tau/(G q), sigma/(G q)), z = q times depth, positive
// into the body; u_l and tau are a quarter of a wave out of phase with u_n and sigma. From the
// equations of equilibrium and Hooke's law,
//   u_l' = tau - u_n,  u_n' = a u_l + b sigma,  tau' = c u_l - a sigma,  sigma' = tau
// with a = nu/(1 - nu), b = (1 - 2 nu)/(2 (1 - nu)), c = 2/(1 - nu): valid also for nu = 1/2. A has
// the eigenvalues 1 and -1, each twice, so that the exponential is a cubic polynomial in A.
Eigen::Matrix4d rise(double nu, double z) {
  const double a = nu / (1.0 - nu);
  Eigen::Matrix4d state;
  state << 0.0, -1.0, 1.0, 0.0,                            //
      a, 0.0, 0.0, (1.0 - 2.0 * nu) / (2.0 * (1.0 - nu)),  //
      2.0 / (1.0 - nu), 0.0, 0.0, -a,                      //
      0.0, 0.0, 1.0, 0.0;
  const double even = std::cosh(z);
  const double odd = -std::sinh(z);
  // z cosh z - sinh z cancels for small z; its series is used instead.
  constexpr double kSmall = 0.05;
  const double third = z < kSmall ? -z * z * z / 6.0 * (1.0 + z * z / 10.0 * (1.0 + z * z / 28.0))
                                  : 0.5 * (-z * even - odd);
  const double second = -0.5 * z * odd;
  const Eigen::Matrix4d square = state * state;
  return (even - second) * Eigen::Matrix4d::Identity() + (odd - third) * state + second * square +
         third * square * state;
}

// Displacements due to tractions at the top of a material [1/modulus], with the signs of rise():
// for the plane problem, and for the one across the waves.
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

// Tractions at a depth due to those at the surface.
struct Passed {
  Eigen::Matrix2d plane = Eigen::Matrix2d::Identity();
  double across = 1.0;
};

// From the bottom of a layer to its top; passed: if not null, also from its top to its bottom.
Compliance through(const Compliance& below, const BodyLayer& layer, double q,
                   Passed* passed = nullptr) {
  const double depth = q * layer.thickness;
  if (layer.thickness == 0.0 || depth > kDeep) {
    if (passed != nullptr) *passed = {Eigen::Matrix2d::Zero(), 0.0};
    return half_space(layer.shear_modulus, layer.poisson_ratio);
  }
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
    const Eigen::Matrix2d unloaded = loaded.inverse();
    const double unloaded_across = 1.0 / (even - odd * across);
    plane = displaced * unloaded;
    across = (even * across - odd) * unloaded_across;
    if (passed == nullptr) continue;
    passed->plane *= unloaded;
    passed->across *= unloaded_across;
  }
  return {plane / layer.shear_modulus, across / layer.shear_modulus};
}

// The change of both bodies' combined compliances due to their layers.
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

// The lengths between which the compliances change with the wavelength.
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

// Weights of exp(-q depth), one row per depth and one column per function of q; `wanted` gives the
// functions' values, from waves much longer than the deepest image to where exp(-q decay) vanishes.
Eigen::MatrixXd fit_images(const std::vector<double>& depths, double decay, Eigen::Index functions,
                           const std::function<Eigen::RowVectorXd(double)>& wanted) {
  constexpr double kLongest = 1.0e-3;
  constexpr double kShortest = 36.0;
  constexpr double kNext = 1.05;
  const std::vector<double> waves = geometric(kLongest / depths.back(), kShortest / decay, kNext);
  const auto rows = static_cast<Eigen::Index>(waves.size());
  const auto columns = static_cast<Eigen::Index>(depths.size());
  Eigen::MatrixXd decays(rows, columns);
  Eigen::MatrixXd values(rows, functions);
  for (Eigen::Index i = 0; i < rows; ++i) {
    const double q = waves[static_cast<std::size_t>(i)];
    values.row(i) = wanted(q);
    for (Eigen::Index k = 0; k < columns; ++k)
      decays(i, k) = std::exp(-q * depths[static_cast<std::size_t>(k)]);
  }
  // Neighbouring decays are nearly equal, so several sets of weights fit: takes the smallest.
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> fit;
  constexpr double kKept = 1.0e-14;
  fit.setThreshold(kKept);
  fit.compute(decays);
  return fit.solve(values);
}

// The depths of the images form a geometric series. The first is this multiple of the depth over
// which the fitted function decays, the last this multiple of the depth at which even a stiff layer
// no longer bends. These values gave 1e-8 for a layer of 1e-3 to 1e4 times the modulus below, on
// half-spaces and on rigid bases.
constexpr double kFirst = 0.6;
constexpr double kLast = 200.0;
constexpr double kRatio = 1.15;

// The layers of a body above and below a depth, from the outside in, and the material there.
struct CutBody {
  std::vector<BodyLayer> above;
  std::vector<BodyLayer> below;
  BodyLayer here{};
};

CutBody cut_at(const ElasticBody& body, double depth) {
  CutBody cut;
  double top = 0.0;
  bool above = true;
  for (const BodyLayer& layer : layers_of(body)) {
    const double bottom = top + layer.thickness;
    const bool ends = layer.thickness > 0.0;
    if (!above) {
      cut.below.push_back(layer);
    } else if (ends && depth > bottom * kOnBorder) {
      cut.above.push_back(layer);
    } else {
      above = false;
      cut.here = layer;
      if (depth > top) cut.above.push_back({layer.shear_modulus, layer.poisson_ratio, depth - top});
      if (!ends || depth * kOnBorder < bottom)
        cut.below.push_back(
            {layer.shear_modulus, layer.poisson_ratio, ends ? bottom - depth : 0.0});
    }
    top = bottom;
  }
  return cut;
}

// Compliance of the layers below, built up from the deepest.
Compliance compliance_of(const std::vector<BodyLayer>& layers, double q) {
  Compliance found;  // of a rigid base
  for (const BodyLayer& layer : std::views::reverse(layers)) found = through(found, layer, q);
  return found;
}

}  // namespace

WaveCompliance wave_compliance(const ElasticBody& body, double q) {
  const Compliance found = compliance_of(layers_of(body), q);
  return {-found.plane(0, 0), -found.across, -found.plane(1, 1), -found.plane(0, 1)};
}

std::vector<LayerImage> layer_images(const ElasticBody& upper, const ElasticBody& lower) {
  if (!is_layered(upper) && !is_layered(lower)) return {};
  const LayerScale scale = scale_of(upper, lower);
  const double decay = 2.0 * scale.thinnest;
  const std::vector<double> depths =
      geometric(kFirst * decay, kLast * scale.contrast * scale.deepest, kRatio);
  const Eigen::MatrixXd weights = fit_images(depths, decay, 4, [&](double q) {
    const WaveCompliance value = change(upper, lower, q);
    return Eigen::RowVectorXd{{value.along, value.across, value.normal, value.skew}};
  });
  std::vector<LayerImage> images;
  for (std::size_t k = 0; k < depths.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    images.push_back(
        {depths[k], {weights(row, 0), weights(row, 1), weights(row, 2), weights(row, 3)}});
  }
  return images;
}

InsideShares inside_waves(const ElasticBody& body, double depth, double q) {
  const CutBody cut = cut_at(body, depth);
  const Compliance below = compliance_of(cut.below, q);
  Compliance at_top = below;
  Passed passed;
  for (const BodyLayer& layer : std::views::reverse(cut.above)) {
    Passed here;
    at_top = through(at_top, layer, q, &here);
    passed.plane *= here.plane;
    passed.across *= here.across;
  }
  // In the signs of rise(), by tractions (tau/i, sigma) at the surface: a pressure is (0, -1), and
  // one along the wave, tau = -1, is i times (1, 0).
  const double nu = cut.here.poisson_ratio;
  const double modulus = cut.here.shear_modulus;
  InsideShares shares{};
  const auto share = [&](InsideWave which) -> double& {
    return shares[static_cast<std::size_t>(which)];
  };
  struct Plane {
    double ll, tt, tau, sigma, l, n;
  };
  const auto plane_of = [&](const Eigen::Vector2d& at_surface) {
    const Eigen::Vector2d traction = passed.plane * at_surface;
    const Eigen::Vector2d moved = below.plane * traction;
    const double ll = (nu * traction(1) - 2.0 * modulus * moved(0)) / (1.0 - nu);
    return Plane{ll,          nu * (ll + traction(1)),       traction(0),
                 traction(1), body.shear_modulus * moved(0), body.shear_modulus * moved(1)};
  };
  const Plane pressed = plane_of({0.0, -1.0});
  share(InsideWave::pressure_ll) = pressed.ll;
  share(InsideWave::pressure_tt) = pressed.tt;
  share(InsideWave::pressure_zz) = pressed.sigma;
  share(InsideWave::pressure_lz) = pressed.tau;
  share(InsideWave::pressure_l) = pressed.l;
  share(InsideWave::pressure_z) = pressed.n;
  const Plane pulled = plane_of({1.0, 0.0});
  share(InsideWave::along_ll) = pulled.ll;
  share(InsideWave::along_tt) = pulled.tt;
  share(InsideWave::along_zz) = pulled.sigma;
  share(InsideWave::along_lz) = -pulled.tau;
  share(InsideWave::along_l) = -pulled.l;
  share(InsideWave::along_z) = pulled.n;
  share(InsideWave::across_tz) = -passed.across;
  share(InsideWave::across_lt) = -modulus * below.across * passed.across;
  share(InsideWave::across_t) = -body.shear_modulus * below.across * passed.across;
  return shares;
}

std::vector<InsideImage> inside_images(const ElasticBody& body, double depth) {
  if (!is_layered(body)) return {};
  const LayerScale scale = scale_of(body, body);
  const ElasticBody outer{body.shear_modulus, body.poisson_ratio};
  // Inside the outermost layer the change is reflected from its bottom.
  const double decay =
      depth < scale.thinnest ? 2.0 * scale.thinnest - depth : std::max(depth, scale.thinnest);
  const std::vector<double> depths =
      geometric(kFirst * decay, kLast * scale.contrast * scale.deepest + kLast * depth, kRatio);
  const Eigen::MatrixXd weights = fit_images(depths, decay, kInsideWaves, [&](double q) {
    const InsideShares layered = inside_waves(body, depth, q);
    const InsideShares deep = inside_waves(outer, depth, q);
    Eigen::RowVectorXd change(kInsideWaves);
    for (Eigen::Index c = 0; c < kInsideWaves; ++c)
      change(c) = layered[static_cast<std::size_t>(c)] - deep[static_cast<std::size_t>(c)];
    return change;
  });
  std::vector<InsideImage> images(depths.size());
  for (std::size_t k = 0; k < images.size(); ++k) {
    images[k].depth = depths[k];
    for (std::size_t c = 0; c < kInsideWaves; ++c)
      images[k].share[c] = weights(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(c));
  }
  return images;
}

}  // namespace slipfield
