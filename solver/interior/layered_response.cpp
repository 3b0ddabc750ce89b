// SPDX-License-Identifier: Apache-2.0
#include "solver/interior/layered_response.h"

#include <cmath>

namespace slipfield {
namespace {

double of(const InsideImage& image, InsideWave which) {
  return image.share[static_cast<std::size_t>(which)];
}

// The potentials of a point load at the origin, multiplied by an area, at (x, y, z).
RectanglePotentials point_potentials(double x, double y, double z, double area) {
  const double r = std::sqrt(x * x + y * y + z * z);
  const double lifted = r + z;
  const double one = area / r;
  const double cube = one / (r * r);
  const double psi = one / lifted;  // of 1/(R (R + z))
  const double chi = psi / lifted;  // of 1/(R (R + z)^2)
  const double psi_bent = cube * (r + lifted) / (lifted * lifted);
  const double chi_bent = cube * (2.0 * r + lifted) / (lifted * lifted * lifted);
  RectanglePotentials p{};
  p.v = one;
  p.v1 = -x * cube;
  p.v2 = -y * cube;
  p.v3 = -z * cube;
  p.psi1 = x * psi;
  p.psi2 = y * psi;
  p.psi11 = psi - x * x * psi_bent;
  p.psi22 = psi - y * y * psi_bent;
  p.psi12 = -x * y * psi_bent;
  p.chi11 = x * x * chi - area / lifted;
  p.chi22 = y * y * chi - area / lifted;
  p.chi12 = x * y * chi;
  p.chi112 = y * (chi - x * x * chi_bent);
  p.chi122 = x * (chi - y * y * chi_bent);
  return p;
}

void add(const RectanglePotentials& of, double weight, RectanglePotentials& sum) {
  for (const auto member :
       {&RectanglePotentials::v, &RectanglePotentials::v1, &RectanglePotentials::v2,
        &RectanglePotentials::v3, &RectanglePotentials::psi1, &RectanglePotentials::psi2,
        &RectanglePotentials::psi11, &RectanglePotentials::psi22, &RectanglePotentials::psi12,
        &RectanglePotentials::chi11, &RectanglePotentials::chi22, &RectanglePotentials::chi12,
        &RectanglePotentials::chi112, &RectanglePotentials::chi122})
    sum.*member += weight * of.*member;
}

// The potentials of a rectangle; by Gauss's rule far away.
RectanglePotentials image_potentials(double x, double y, double z, double dx, double dy) {
  const double near = 8.0 * std::fmax(dx, dy);
  if (x * x + y * y + z * z <= near * near) return rectangle_potentials(x, y, z, dx, dy);
  constexpr FarRule rule;
  RectanglePotentials sum{};
  for (int j = 0; j < kFarPoints; ++j)
    for (int i = 0; i < kFarPoints; ++i)
      add(point_potentials(x + rule.place[i] * dx, y + rule.place[j] * dy, z, dx * dy),
          rule.weight[i] * rule.weight[j], sum);
  return sum;
}

// By a load along x; with exchanged potentials, also by one along y. The potentials are the inverse
// transforms of exp(-q d) times the wave's direction (c, s): -v3 of 1, v1 of i c, psi11 of c^2,
// psi12 of c s, chi122 + v1 of i c^3, -chi122 of i c s^2; and over q, v of 1, -psi1 of i c, -chi11
// of c^2, -chi12 of c s.
void add_tangential(const RectanglePotentials& p, const InsideImage& image,
                    double (&to)[kInteriorComponents]) {
  const double ll = of(image, InsideWave::along_ll);
  const double tt = of(image, InsideWave::along_tt);
  const double lt = of(image, InsideWave::across_lt);
  const double ccc = p.chi122 + p.v1;
  const double css = -p.chi122;
  const double ccs = -p.chi112;
  const double sss = p.chi112 + p.v2;
  to[0] += ll * ccc + (tt + 2.0 * lt) * css;
  to[1] += (ll - 2.0 * lt) * css + tt * ccc;
  to[2] += of(image, InsideWave::along_zz) * p.v1;
  to[3] += (ll - tt) * ccs - lt * (ccs - sss);
  const double along = of(image, InsideWave::along_lz);
  const double across = of(image, InsideWave::across_tz);
  to[4] += along * p.psi11 + across * p.psi22;
  to[5] += (along - across) * p.psi12;
  const double moved = of(image, InsideWave::along_l);
  const double moved_across = of(image, InsideWave::across_t);
  to[6] -= moved * p.chi11 + moved_across * p.chi22;
  to[7] -= (moved - moved_across) * p.chi12;
  to[8] -= of(image, InsideWave::along_z) * p.psi1;
}

void add_normal(const RectanglePotentials& p, const InsideImage& image,
                double (&to)[kInteriorComponents]) {
  const double ll = of(image, InsideWave::pressure_ll);
  const double tt = of(image, InsideWave::pressure_tt);
  to[0] += ll * p.psi11 + tt * p.psi22;
  to[1] += ll * p.psi22 + tt * p.psi11;
  to[2] -= of(image, InsideWave::pressure_zz) * p.v3;
  to[3] += (ll - tt) * p.psi12;
  to[4] += of(image, InsideWave::pressure_lz) * p.v1;
  to[5] += of(image, InsideWave::pressure_lz) * p.v2;
  to[6] -= of(image, InsideWave::pressure_l) * p.psi1;
  to[7] -= of(image, InsideWave::pressure_l) * p.psi2;
  to[8] += of(image, InsideWave::pressure_z) * p.v;
}

}  // namespace

LayeredResponse::LayeredResponse(const ElasticBody& body, double depth)
    : depth_(depth), nu_(body.poisson_ratio), images_(inside_images(body, depth)) {}

InteriorResponse LayeredResponse::at(double x, double y, double dx, double dy) const {
  InteriorResponse response = interior_response(x, y, depth_, dx, dy, nu_);
  if (images_.empty()) return response;
  InteriorResponse change{};
  double along_y[kInteriorComponents] = {};
  for (const InsideImage& image : images_) {
    const RectanglePotentials p = image_potentials(x, y, image.depth, dx, dy);
    add_tangential(p, image, change.of[0]);
    add_tangential(p.exchanged(), image, along_y);
    add_normal(p, image, change.of[2]);
  }
  for (int component = 0; component < kInteriorComponents; ++component)
    change.of[1][component] = along_y[exchanged_component(component)];
  for (int load = 0; load < kLoads; ++load)
    for (int component = 0; component < kInteriorComponents; ++component)
      response.of[load][component] += change.of[load][component] / interior_detail::kTwoPi;
  return response;
}

}  // namespace slipfield
