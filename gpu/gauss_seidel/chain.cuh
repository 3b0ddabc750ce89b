// SPDX-License-Identifier: Apache-2.0
// Solves the friction problem of an element in one lane of a warp, for the chain of the sweep.
//
// Mirrors solve_friction_element (solver/tangential/friction_element.h), which still decides the
// hard cases. With f the slip without the element's own traction, D its compliance, g its bound:
//   adhesion  p = -D^-1 f where |p| <= g
//   slip      p = g n, n on the unit circle, with F(n) = n_perp . (g D n + f) = 0, F' > 0 and
//             -n . (g D n + f) >= 0: the minimum of p.D p/2 + f.p on the circle.
// F needs no root and no division: a turn of n by delta solves F(delta) = 0. While the panel's
// earlier elements are solved, every lane's point follows its own root whenever one of them is too
// far from it (settle), so that delta is small when the lane's turn comes. Then, with u = -F/F' and
// t = -F'' u/F',
//   sin delta = u (1 + t (1 + t)/2 + Q1 u^2/(2 F')) + O(u^4),   1 - cos delta = sin^2 delta/2,
// with Q0 = g n_perp . D n, Q1 = dQ0/d(turn), F' = -n . f + Q1 and F'' = -(F + 3 Q0), and
// 1/F' = r (1 + e)(1 + e^2) + O(e^4) from the r at which the point was set, e = 1 - F' r. For |u|
// <= 2^-11 and |e| <= 2^-9 the errors are below 2e-13 g; otherwise n is turned by whole Newton
// steps first, and where that fails solve_friction_element is called.
//
// Everything is scaled by the relaxation w: point = w g n, so that change = point - w p_old.
//
// Floor of the chain, one element after another: the broadcast of the change (two doubles by
// shuffle) and 12 dependent multiply-adds: 2 for f, 2 for F, 8 for the turn and the change; with
// nothing else 0.056 us on an H200 (measure_chain_floor). The 43 double operations of a turn take
// two issue cycles each and the rest some 60: 0.12 us in all. Where an element's point has to
// follow (the first sweeps of a solve) 0.3 us more.
#pragma once

#include <cuda_runtime.h>

#include "solver/tangential/friction_element.h"

namespace slipfield::gauss_seidel {

inline constexpr unsigned kAllLanes = 0xffffffffu;

// What all elements share.
struct SweepConstants {
  ElementCompliance compliance;
  double relaxation;
  double adhesion_xx, adhesion_xy, adhesion_yy;  // -relaxation D^-1
  double stretch, shear;                         // (D_yy - D_xx)/relaxation, D_xy/relaxation
  double mean, least;                            // eigenvalues of D

  __device__ SweepConstants(const ElementCompliance& d, double w) : compliance(d), relaxation(w) {
    const double determinant = d.xx * d.yy - d.xy * d.xy;
    adhesion_xx = -w * d.yy / determinant;
    adhesion_xy = w * d.xy / determinant;
    adhesion_yy = -w * d.xx / determinant;
    stretch = (d.yy - d.xx) / w;
    shear = d.xy / w;
    mean = 0.5 * (d.xx + d.yy);
    least = mean - sqrt(0.25 * (d.xx - d.yy) * (d.xx - d.yy) + d.xy * d.xy);
  }
};

// 1/x to 2^-23.
__device__ __forceinline__ double rough_reciprocal(double x) {
  double y;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}

// 1/sqrt(1 + t^2) for |t| <= 1, to rounding.
__device__ __forceinline__ double inverse_secant(double t) {
  const double a = fma(t, t, 1.0);
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(a));
  const double e = fma(-a * y, y, 1.0);
  return fma(y * e, fma(0.375, e, 0.5), y);
}

// |x| < 2^exponent, without the double unit.
template <int exponent>
__device__ __forceinline__ bool below_power(double x) {
  return (__double2hiint(x) & 0x7fffffff) < ((1023 + exponent) << 20);
}

// An element's problem at the current f.
struct Trial {
  double value, slope;        // F and F', scaled
  double turn, error;         // u and e
  double sine;                // of the turn that solves F = 0, if close
  double change_x, change_y;  // of the traction, before the projection
  bool slides;
  bool close;  // the turn is exact

  // The point should follow its root.
  [[nodiscard]] __device__ __forceinline__ bool drifts() const {
    return slides & !(close & below_power<-13>(turn) & below_power<-10>(error));
  }
};

struct Lane {
  double free_x, free_y;          // f
  double point_x, point_y;        // relaxation g n
  double half_x, half_y;          // of the point
  double change_x, change_y;      // point - relaxation p_old
  double old_x, old_y;            // relaxation p_old
  double radius, radius2;         // relaxation g
  double least, limit;            // F' is greater: apart from the circle's other minimum
  double q0, q1;                  // parts of F and F' made by D
  double half_q1, inverse_slope;  // Q1 r/2 and r

  __device__ __forceinline__ void start(const SweepConstants& c, double f_x, double f_y, double p_x,
                                        double p_y, double bound) {
    constexpr double kTiny = 1e-150;  // no bound, but a circle: no division by zero
    free_x = f_x;
    free_y = f_y;
    old_x = c.relaxation * p_x;
    old_y = c.relaxation * p_y;
    radius = fmax(c.relaxation * bound, kTiny);
    radius2 = radius * radius;
    least = radius * bound * (c.mean - 0.5 * c.least);
  }

  __device__ __forceinline__ void set_point(const SweepConstants& c, double x, double y) {
    point_x = x;
    point_y = y;
    half_x = 0.5 * x;
    half_y = 0.5 * y;
    change_x = x - old_x;
    change_y = y - old_y;
    const double product = x * y;
    const double squares = fma(x, x, -y * y);
    q0 = fma(c.stretch, product, c.shear * squares);
    q1 = fma(c.stretch, squares, -4.0 * c.shear * product);
    limit = fma(0.5, q1, least);
    set_inverse_slope(rough_reciprocal(slope_here()));
  }

  __device__ __forceinline__ void set_inverse_slope(double inverse) {
    inverse_slope = inverse;
    half_q1 = 0.5 * q1 * inverse;
  }

  [[nodiscard]] __device__ __forceinline__ double slope_here() const {
    return fma(-point_y, free_y, fma(-point_x, free_x, q1));
  }

  [[nodiscard]] __device__ __forceinline__ Trial trial(const SweepConstants& c) const {
    Trial t;
    t.value = fma(point_x, free_y, fma(-point_y, free_x, q0));
    t.slope = slope_here();
    const double adhesion_x = fma(c.adhesion_xx, free_x, c.adhesion_xy * free_y);
    const double adhesion_y = fma(c.adhesion_xy, free_x, c.adhesion_yy * free_y);
    const double room = fma(-adhesion_x, adhesion_x, fma(-adhesion_y, adhesion_y, radius2));
    t.slides = __double2hiint(room) < 0;
    const double u0 = -t.value * inverse_slope;
    const double e = fma(-t.slope, inverse_slope, 1.0);
    const double v = fma(u0, e, u0);
    const double b2_rough = fma(3.0, q0, t.value) * inverse_slope;  // -F''/F'
    const double b2 = fma(b2_rough, e, b2_rough);
    const double u = fma(v, e * e, v);
    const double w = b2 * v;
    const double rough_sine = u * fma(0.5, w, 1.0);
    t.sine = u * fma(w, fma(0.5, w, 0.5), fma(half_q1, v * v, 1.0));
    t.turn = u;
    t.error = e;
    t.close = below_power<-11>(u) & below_power<-9>(e) & (t.slope > limit);
    const double slip_x = fma(-t.sine, fma(half_x, rough_sine, point_y), change_x);
    const double slip_y = fma(t.sine, fma(-half_y, rough_sine, point_x), change_y);
    t.change_x = t.slides ? slip_x : adhesion_x - old_x;
    t.change_y = t.slides ? slip_y : adhesion_y - old_y;
    return t;
  }

  // One Newton step, at most 45 degrees.
  __device__ __forceinline__ void follow(const SweepConstants& c, const Trial& t, bool moves) {
    const double inverse = rough_reciprocal(t.slope);
    double tangent = -t.value * inverse;
    const bool far = !below_power<0>(tangent) | (__double2hiint(t.slope) < 0);
    tangent = far ? copysign(1.0, -t.value) : tangent;
    tangent = moves ? tangent : 0.0;
    const double scale = inverse_secant(tangent);
    set_point(c, fma(-tangent, point_y, point_x) * scale, fma(tangent, point_x, point_y) * scale);
    set_inverse_slope(fma(inverse, fma(-slope_here(), inverse, 1.0), inverse));
  }

  // A point from nothing: the answer for a compliance that is the same in all directions, turned
  // towards the right one.
  __device__ void guess_point(const SweepConstants& c) {
    const ElementCompliance& d = c.compliance;
    double shift = sqrt(free_x * free_x + free_y * free_y) * c.relaxation / radius - c.mean;
    shift = fmin(fmax(shift, 0.0), 1e20 * c.mean);
    const double x = -((d.yy + shift) * free_x - d.xy * free_y);
    const double y = -((d.xx + shift) * free_y - d.xy * free_x);
    const double size2 = x * x + y * y;
    const double scale = size2 > 0.0 ? radius * rsqrt(size2) : 0.0;
    set_point(c, size2 > 0.0 ? x * scale : radius, y * scale);
    for (int k = 0; k < 3; ++k) {
      const Trial t = trial(c);
      follow(c, t, t.drifts());
    }
  }
};

// Solves the hard cases. Called by value, so that a lane stays in its registers.
__device__ __noinline__ double2 solve_slowly(double xx, double xy, double yy, double free_x,
                                             double free_y, double bound) {
  const ElementTraction p = solve_friction_element({xx, xy, yy}, free_x, free_y, bound, 0.0);
  return {p.x, p.y};
}

// Makes the element of the lane with `own` set exact. Meanwhile lanes whose turn is no longer small
// take Newton steps towards their roots.
__device__ __forceinline__ Trial settle(Lane& self, const SweepConstants& c, Trial t, bool own) {
  constexpr int kPasses = 6;
  for (int pass = 0; pass < kPasses; ++pass) {
    self.follow(c, t, t.drifts());
    t = self.trial(c);
    if (!__any_sync(kAllLanes, own & t.slides & !t.close)) return t;
  }
  if (own) {
    const ElementCompliance& d = c.compliance;
    const double2 p =
        solve_slowly(d.xx, d.xy, d.yy, self.free_x, self.free_y, self.radius / c.relaxation);
    self.set_point(c, c.relaxation * p.x, c.relaxation * p.y);
    t.change_x = self.change_x;
    t.change_y = self.change_y;
  }
  __syncwarp();
  return t;
}

}  // namespace slipfield::gauss_seidel
