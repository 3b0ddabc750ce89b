// SPDX-License-Identifier: Apache-2.0
// The law that bounds the traction of an element in contact. Newton uses the value with its
// derivative (THEORY.md 6.11); sweeps need a given bound.
//
// A law is a plain struct of numbers and of fields over the grid. Inlined, for one element:
//   linearize(rows, i, sums)   puts the element's residual, matrix D and sums into newton's rows,
//                              as LinearizeFriction does for a given bound
//   after_step(f, i)           radius of the disc to which a Newton step is projected back
// For the host:
//   jumps()          elements may jump between states, so that newton shortens its steps
//   linearized()     called after the first linearization
//   greatest()       field of the most that elements may carry; null: their bound
//   visit_fields(v)  calls v(pointer) for each field, to copy it to another grid
// A new law needs such a struct in a file of its own, a line in ElementLaw, two in
// gpu/device/element_instances.cu, and the part of the step that sets it (step_part.h).
#pragma once

#include <cmath>
#include <cstddef>
#include <variant>

#include "solver/fields/newton_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"
#include "solver/sliding_law.h"
#include "solver/solution.h"

namespace slipfield {

// The law of an element whose bound falls with its own slip (THEORY.md 6.11).
//
// g(s) = (1 - share) g + share p_n mu(w), w = rate |s|: these rows follow a share of the law at
// once; the rest is the bound that they started with. Left-multiplied element by element by T = (I
// + c n m^T/rho)^-1, c = -share p_n mu'(w) rate, n = q/|q| and m = s/|s|, the Jacobian is that of a
// given bound with D' = T (D + c n m^T/rho) instead of D; nothing else changes.
struct FallingBound {
  SlidingLaw law;
  double rate = 0.0;   // converts the slip distance of the step to a velocity [1/time]
  double share = 0.0;  // 0: given bound
  // The rows follow the whole law (share 1): the bound is that of the slip which the element would
  // have by itself.
  bool whole = false;
  // Limit of the fall that the rows use: the fall of the bound relative to how fast the traction
  // gives way. At 1 an element jumps by itself.
  double most_at_once = 0.4;
  // The tractions are not yet those of this law. In later calls an element in slip stays there as
  // long as a slip of this law exists.
  bool first = false;
  const double* pressure = nullptr;

  [[nodiscard]] SLIPFIELD_HD bool follows() const { return share > 0.0; }

  // The slip of an element that slips by itself [length]: the greatest s >= 0 with
  //   left(s) = p_n mu(rate s) + rho s - |q| = 0,
  // or -1 if there is none. It is approached from above by steps that pass no root: Newton's method
  // where mu is convex; where mu may bend down by B, the root d of left(s) - left'(s) d - B d^2/2,
  // which is below left(s - d) (THEORY.md 6.11).
  [[nodiscard]] SLIPFIELD_HD double slip_alone(double bearing, double rho, double q) const {
    double slip = q / rho;
    const BentLaw bent = law.bent_part();
    const double until = bent.until / rate;
    const double bend = bearing * bent.bend * rate * rate;
    constexpr int kMost = 60;
    constexpr int kMostBent = 300;
    for (int k = 0; k < (bend > 0.0 ? kMostBent : kMost); ++k) {
      const double w = rate * slip;
      const double left = bearing * law.at(w) + rho * slip - q;
      if (!(left > 1.0e-14 * q)) break;
      const double slope = rho + bearing * law.slope(w) * rate;
      double next = slope > 0.0 ? slip - left / slope : slip - left / rho;
      if (bend > 0.0 && slip > until) {
        next = slope > 0.0 ? std::fmax(next, until) : until;  // there is no root in between
      } else if (bend > 0.0) {
        next = slip - 2.0 * left / (slope + std::sqrt(slope * slope + 2.0 * bend * left));
      }
      if (!(next < slip)) break;
      slip = next;
      if (!(slip > 0.0)) return -1.0;
    }
    return slip;
  }

  // Scales the rows with T; the error sums are those of the unscaled rows.
  SLIPFIELD_HD void linearize(const LinearizeFriction& rows, std::size_t i, double* sums) const {
    const NewtonFields& f = rows.f;
    const TangentialFields& t = f.tangential;
    const double p = pressure[i];
    if (whole) return follow_whole(rows, i, p, sums);
    const double slip = length_of(t.slip_x[i], t.slip_y[i]);
    const double w = rate * slip;
    const double g = (1.0 - share) * t.bound[i] + share * p * law.at(w);
    rows.linearize(i, g, g, sums);
    if (t.state[i] != static_cast<unsigned char>(ElementState::slip) || !(slip > 0.0)) return;
    const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
    const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
    const double q = length_of(qx, qy);
    double fall = -share * p * law.slope(w) * rate / f.rho;
    if (!(q > 0.0) || !(fall > 0.0)) return;
    const double nx = qx / q;
    const double ny = qy / q;
    const double mx = t.slip_x[i] / slip;
    const double my = t.slip_y[i] / slip;
    // Near 1 the element would jump by itself; a smaller fall keeps the row bounded.
    constexpr double kLeast = 0.05;
    const double along = nx * mx + ny * my;
    if (std::fabs(1.0 + fall * along) < kLeast) fall = (kLeast - 1.0) / along;
    const double scale = fall / (1.0 + fall * along);
    // T a = a - scale n (m . a), applied to the columns of D + fall n m^T and to -F
    const double dxx = f.dxx[i] + fall * nx * mx;
    const double dxy = f.dxy[i] + fall * nx * my;
    const double dyx = f.dyx[i] + fall * ny * mx;
    const double dyy = f.dyy[i] + fall * ny * my;
    const double along_x = scale * (mx * dxx + my * dyx);
    const double along_y = scale * (mx * dxy + my * dyy);
    const double right = scale * (mx * rows.out[i] + my * rows.out[f.count + i]);
    f.dxx[i] = dxx - nx * along_x;
    f.dyx[i] = dyx - ny * along_x;
    f.dxy[i] = dxy - nx * along_y;
    f.dyy[i] = dyy - ny * along_y;
    rows.out[i] -= nx * right;
    rows.out[f.count + i] -= ny * right;
  }

  // The disc of the static coefficient: the slip after the step, and so its bound, is not yet
  // known.
  [[nodiscard]] SLIPFIELD_HD double after_step(const NewtonFields& /*f*/, std::size_t i) const {
    return law.fixed * pressure[i];
  }

  [[nodiscard]] bool jumps() const { return whole; }
  void linearized() { first = false; }
  [[nodiscard]] const double* greatest() const { return nullptr; }
  template <class Visit>
  void visit_fields(const Visit& visit) {
    visit(pressure);
  }

 private:
  // Projects q onto the circle whose radius is the bound for the slip that q alone would leave.
  SLIPFIELD_HD void follow_whole(const LinearizeFriction& rows, std::size_t i, double p,
                                 double* sums) const {
    const NewtonFields& f = rows.f;
    const TangentialFields& t = f.tangential;
    const double hold = law.fixed * p;
    double g = hold;
    double least = hold;
    double slip = -1.0;
    if (in_contact(t.state[i])) {
      const double q =
          length_of(t.traction_x[i] - f.rho * t.slip_x[i], t.traction_y[i] - f.rho * t.slip_y[i]);
      const bool slipped = t.state[i] == static_cast<unsigned char>(ElementState::slip);
      if (q > hold || (slipped && !first)) slip = slip_alone(p, f.rho, q);
      if (q > hold && slip < 0.0) slip = 0.0;
      if (slip >= 0.0 && q > 0.0) {
        g = p * law.at(rate * slip);
        least = -1.0;
      } else if (slip < 0.0) {
        least = HUGE_VAL;
      }
    }
    rows.linearize(i, g, least, sums);
    if (t.state[i] != static_cast<unsigned char>(ElementState::slip)) return;
    const double kappa = -p * law.slope(rate * slip) * rate / f.rho;
    const double fall = std::fmin(kappa, most_at_once);
    const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
    const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
    const double q = length_of(qx, qy);
    const double nx = qx / q;
    const double ny = qy / q;
    const double along = -fall / (1.0 - fall);
    const double across = g / q;
    f.dxx[i] = across * ny * ny + along * nx * nx;
    f.dyy[i] = across * nx * nx + along * ny * ny;
    f.dxy[i] = f.dyx[i] = (along - across) * nx * ny;
  }
};

// The law of an element whose bound rises with its own shear: a layer that hardens (THEORY.md 5.11,
// 6.11). No load exceeds such a bound until it reaches that of friction.

// limit: the yield stress before the shear of this step; friction: the greatest bound, that of
// friction; both per element. hardening: increase of the yield stress per slip of the step, >= 0
// [force/length^3].
struct HardeningBound {
  const double* limit = nullptr;
  const double* friction = nullptr;
  double hardening = 0.0;

  // The slip sigma that q = p - rho s alone would leave satisfies
  //   limit + k sigma + rho sigma = |q|,
  // so that the bound limit + k sigma and its derivative k/(k + rho) along q depend on q alone.
  SLIPFIELD_HD void linearize(const LinearizeFriction& rows, std::size_t i, double* sums) const {
    const NewtonFields& f = rows.f;
    const TangentialFields& t = f.tangential;
    const double most = friction[i];
    const double least = limit[i];
    if (!in_contact(t.state[i]) || least >= most) return rows.linearize(i, most, most, sums);
    const double qx = t.traction_x[i] - f.rho * t.slip_x[i];
    const double qy = t.traction_y[i] - f.rho * t.slip_y[i];
    const double q = length_of(qx, qy);
    if (q <= least) return rows.linearize(i, least, least, sums);
    const double along = hardening / (hardening + f.rho);
    const double g = least + along * (q - least);
    if (g >= most) return rows.linearize(i, most, -1.0, sums);
    rows.linearize(i, g, -1.0, sums);
    const double nx = qx / q;
    const double ny = qy / q;
    const double across = g / q;
    f.dxx[i] = across * ny * ny + along * nx * nx;
    f.dyy[i] = across * nx * nx + along * ny * ny;
    f.dxy[i] = f.dyx[i] = (along - across) * nx * ny;
  }
  [[nodiscard]] SLIPFIELD_HD double after_step(const NewtonFields& /*f*/, std::size_t i) const {
    return friction[i];
  }

  [[nodiscard]] bool jumps() const { return true; }
  void linearized() {}
  [[nodiscard]] const double* greatest() const { return friction; }
  template <class Visit>
  void visit_fields(const Visit& visit) {
    visit(limit);
    visit(friction);
  }
};

// A given bound, that of the step's fields; LinearizeFriction and TakeNewtonStep handle it
// directly.
struct GivenBound {
  [[nodiscard]] bool jumps() const { return false; }
  void linearized() {}
  [[nodiscard]] const double* greatest() const { return nullptr; }
  template <class Visit>
  void visit_fields(const Visit& /*visit*/) {}
};

using ElementLaw = std::variant<GivenBound, FallingBound, HardeningBound>;

// Newton's operations on elements that follow a law.
template <class Law>
struct LinearizeLaw {
  using Sum = LinearizeFriction::Sum;
  LinearizeFriction rows;
  Law law;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const { law.linearize(rows, i, sums); }
  SLIPFIELD_HD void finish(const double* sums) const { rows.finish(sums); }
};
template <class Law>
struct TakeLawStep {
  using Sum = TakeNewtonStep::Sum;
  TakeNewtonStep rows;
  Law law;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    rows.take(i, law.after_step(rows.f, i), sums);
  }
  SLIPFIELD_HD void finish(const double* sums) const { rows.finish(sums); }
};

}  // namespace slipfield
