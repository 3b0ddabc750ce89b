// SPDX-License-Identifier: Apache-2.0
// Element operations of the semismooth Newton method for the tangential problem (THEORY.md 6).
//
// Unknowns: the tractions p of the elements in contact, and the rigid slip of each direction whose
// force is prescribed. F(p) = p - Proj_g(p - rho s(p)) with s = S p + W + base. A Krylov vector has
// x of all elements, y of all elements and two rigid slips; it is 0 outside the contact.
#pragma once

#include <cmath>
#include <cstddef>

#include "solver/fields/tangential_ops.h"
#include "solver/host_device.h"
#include "solver/solution.h"

namespace slipfield {

struct NewtonScalars {
  double residual2 = 0.0;  // |F|^2 over the elements
  double bound2 = 0.0;     // |g|^2
  double change2 = 0.0;    // |dp|^2 of the last step
  double traction2 = 0.0;  // |p|^2
  double residual1 = 0.0;  // sums of the magnitudes of the above
  double bound1 = 0.0;
  double change1 = 0.0;
  double traction1 = 0.0;
  double rows1 = 0.0;    // of the force rows, unscaled
  double rigid_x = 0.0;  // rigid slip if it is unknown
  double rigid_y = 0.0;
  double step_x = 0.0;  // its last change
  double step_y = 0.0;
  // Sums over the elements in slip, with w = 1 - adhesive_share(): of w, of w g/|q|, and of w x^2,
  // where x is the component along x of the direction across q.
  double slipping = 0.0;
  double shrink1 = 0.0;
  double across_x2 = 0.0;
  double slip1 = 0.0;        // sum of |s_x| + |s_y|, by SumSlips
  double force_error = 0.0;  // |sum p - prescribed| over max(|prescribed|, sum g/1000)
  double products = 0.0;     // of the last linear system, if it was solved on the device
};

// Forms the slip for the last rigid slip found, which then need not be read by the host.
struct FormNewtonSlip {
  FormSlip form;  // its rigid slip holds the rotation alone
  const NewtonScalars* found = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    FormSlip op = form;
    op.rigid.x = found->rigid_x;
    op.rigid.y = found->rigid_y;
    op.element(i, sums);
  }
};

// Newton's distance from a solution, relative to the bound; not finite if the fields are not.
SLIPFIELD_HD inline double newton_error(const NewtonScalars& now) {
  const double residual = relative_size(now.residual2, now.bound2, now.residual1, now.bound1);
  return std::isfinite(residual) ? std::fmax(residual, now.force_error) : residual;
}
// Whether that and the last change of the tractions are small enough, or F is exactly 0.
SLIPFIELD_HD inline bool newton_converged(const NewtonScalars& now, double error, double change,
                                          double tolerance) {
  const bool exact = now.residual1 == 0.0 && now.rows1 == 0.0;
  return error <= tolerance && (change <= tolerance || exact);
}

// Fields of a Newton step. rho = 1/S_xx(0). The force rows and the columns of the rigid slip are
// scaled by 1/sqrt(n) and 1/(rho sqrt(n)) for n elements, to match the size of the rest. Real: type
// of the linear system, whose solution need not have all digits.
template <class Real>
struct NewtonFieldsOf {
  std::size_t count = 0;
  TangentialFields tangential;
  double rho = 0.0;
  bool force_x_given = false;
  bool force_y_given = false;
  double force_x = 0.0;  // prescribed sums of tractions
  double force_y = 0.0;
  double scale = 1.0;  // 1/sqrt(n)
  // Tractions over those in the linear system: a power of 2 that keeps squares in range, mostly 1.
  double unit = 1.0;
  Real* dxx = nullptr;  // D of each element, 2 x 2
  Real* dxy = nullptr;
  Real* dyx = nullptr;
  Real* dyy = nullptr;
  // Whether slipping elements share the preconditioner of the adhering ones (THEORY.md 6.5).
  bool joins_adhesion = false;
  NewtonScalars* scalars = nullptr;

  [[nodiscard]] SLIPFIELD_HD int forces() const {
    return static_cast<int>(force_x_given) + static_cast<int>(force_y_given);
  }
};
using NewtonFields = NewtonFieldsOf<double>;

// The Jacobian block of the equations of element i with respect to the traction of another element,
// from the slip that this traction causes at i.
struct JacobianBlock {
  double xx = 0.0;
  double xy = 0.0;
  double yx = 0.0;
  double yy = 0.0;
};
SLIPFIELD_HD inline JacobianBlock jacobian_block(const NewtonFields& f, std::size_t i, bool itself,
                                                 double slip_xx, double slip_xy, double slip_yy) {
  const double one = itself ? 1.0 : 0.0;
  const double xx = one - f.rho * slip_xx;
  const double xy = -f.rho * slip_xy;
  const double yy = one - f.rho * slip_yy;
  return {one - (f.dxx[i] * xx + f.dxy[i] * xy), -(f.dxx[i] * xy + f.dxy[i] * yy),
          -(f.dyx[i] * xx + f.dyy[i] * xy), one - (f.dyx[i] * xy + f.dyy[i] * yy)};
}

// The Jacobian column of the equations of element i with respect to the rigid slip in x (or y).
struct RigidColumn {
  double x = 0.0;
  double y = 0.0;
};
SLIPFIELD_HD inline RigidColumn rigid_column(const NewtonFields& f, std::size_t i, bool along_x) {
  const double slip = rigid_fraction(f.tangential.fraction, i) * f.scale;
  return along_x ? RigidColumn{f.dxx[i] * slip, f.dyx[i] * slip}
                 : RigidColumn{f.dxy[i] * slip, f.dyy[i] * slip};
}

// The part of a slipping element's response across q that the preconditioner of the adhering
// elements takes (THEORY.md 6.5): the smaller the slip, the greater. g: its bound; q: |q|.
template <class Real>
SLIPFIELD_HD inline double adhesive_share(const NewtonFieldsOf<Real>& f, double g, double q) {
  if (!f.joins_adhesion || !(q > 0.0)) return 0.0;
  return g < q ? std::sqrt(g / q) : 1.0;
}

// Forms -F in `out`, the matrices D, and the division into adhesion and slip. In adhesion D is the
// identity; in slip, with q = p - rho s [HueeberStadlerWohlmuth2008],
//   D = (g/|q|)(I - p q^T/(max(g,|p|)|q|)).
template <class Real>
struct LinearizeFrictionOf {
  struct Sum {
    enum : int {
      residual2,
      bound2,
      traction_x,
      traction_y,
      bound1,
      residual1,
      traction1,
      slipping,
      shrink1,
      across_x2,
      count
    };
  };
  NewtonFieldsOf<Real> f;
  Real* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    linearize(i, f.tangential.bound[i], f.tangential.bound[i], sums);
  }
  // g: the bound in slip; hold: the greatest |q| in adhesion.
  SLIPFIELD_HD void linearize(std::size_t i, double g, double hold, double* sums) const {
    const TangentialFields& t = f.tangential;
    double residual_x = 0.0;
    double residual_y = 0.0;
    double dxx = 0.0;
    double dxy = 0.0;
    double dyx = 0.0;
    double dyy = 0.0;
    if (in_contact(t.state[i])) {
      const double px = t.traction_x[i];
      const double py = t.traction_y[i];
      const double qx = px - f.rho * t.slip_x[i];
      const double qy = py - f.rho * t.slip_y[i];
      const double q = length_of(qx, qy);
      const bool adheres = g > 0.0 && q <= hold;
      t.state[i] =
          static_cast<unsigned char>(adheres ? ElementState::adhesion : ElementState::slip);
      if (adheres) {
        residual_x = px - qx;
        residual_y = py - qy;
        dxx = dyy = 1.0;
      } else {
        const double shrink = q > 0.0 ? g / q : 0.0;
        residual_x = px - shrink * qx;
        residual_y = py - shrink * qy;
        const double p = length_of(px, py);
        const double size = (p > g ? p : g) * q;
        const double weight = size > 0.0 ? shrink / size : 0.0;
        dxx = shrink - weight * px * qx;
        dxy = -weight * px * qy;
        dyx = -weight * py * qx;
        dyy = shrink - weight * py * qy;
        const double rest = 1.0 - adhesive_share(f, g, q);
        sums[Sum::slipping] += rest;
        sums[Sum::shrink1] += rest * shrink;
        if (q > 0.0) sums[Sum::across_x2] += rest * (qy / q) * (qy / q);
      }
      sums[Sum::residual2] += residual_x * residual_x + residual_y * residual_y;
      sums[Sum::bound2] += g * g;
      sums[Sum::traction_x] += px;
      sums[Sum::traction_y] += py;
      sums[Sum::bound1] += g;
      sums[Sum::residual1] += std::fabs(residual_x) + std::fabs(residual_y);
      sums[Sum::traction1] += std::fabs(px) + std::fabs(py);
    }
    out[i] = static_cast<Real>(-residual_x / f.unit);
    out[f.count + i] = static_cast<Real>(-residual_y / f.unit);
    f.dxx[i] = static_cast<Real>(dxx);
    f.dxy[i] = static_cast<Real>(dxy);
    f.dyx[i] = static_cast<Real>(dyx);
    f.dyy[i] = static_cast<Real>(dyy);
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NewtonScalars& s = *f.scalars;
    s.residual2 = sums[Sum::residual2];
    s.bound2 = sums[Sum::bound2];
    s.residual1 = sums[Sum::residual1];
    s.bound1 = sums[Sum::bound1];
    s.traction1 = sums[Sum::traction1];
    s.slipping = sums[Sum::slipping];
    s.shrink1 = sums[Sum::shrink1];
    s.across_x2 = sums[Sum::across_x2];
    const double error_x = f.force_x_given ? f.force_x - sums[Sum::traction_x] : 0.0;
    const double error_y = f.force_y_given ? f.force_y - sums[Sum::traction_y] : 0.0;
    s.rows1 = f.scale * (std::fabs(error_x) + std::fabs(error_y));
    out[2 * f.count] = static_cast<Real>(f.scale * error_x / f.unit);
    out[2 * f.count + 1] = static_cast<Real>(f.scale * error_y / f.unit);
    const double target = length_of(f.force_x, f.force_y);
    const double size = target > 1.0e-3 * sums[Sum::bound1] ? target : 1.0e-3 * sums[Sum::bound1];
    s.force_error = size > 0.0 ? length_of(error_x, error_y) / size : 0.0;
  }
};
using LinearizeFriction = LinearizeFrictionOf<double>;

// Newton's matrix D of an element that slips, at a solution, where it is symmetric, and the
// derivative of its row with respect to the bound (THEORY.md 11.8).
struct SlippingRow {
  double dxx = 0.0;
  double dxy = 0.0;
  double dyy = 0.0;
  double bound_x = 0.0;
  double bound_y = 0.0;
};
// x, y: p_t - rho s. fall: how fast the bound falls with the slip over how fast the traction gives
// way, -p_n mu'(w) dw/d|s| / rho, not 1; 0 unless friction falls with slip.
SLIPFIELD_HD inline SlippingRow slipping_row(double x, double y, double bound, double fall) {
  const double size = length_of(x, y);
  const double across = size > 0.0 ? bound / size : 0.0;
  const double ex = size > 0.0 ? x / size : 0.0;
  const double ey = size > 0.0 ? y / size : 0.0;
  const double along = -fall / (1.0 - fall);
  return {across * ey * ey + along * ex * ex, (along - across) * ex * ey,
          across * ex * ex + along * ey * ey, ex / (1.0 - fall), ey / (1.0 - fall)};
}
// Above this distance of the fall from 1 an element does not jump by itself.
inline constexpr double kLeastToJump = 1.0e-9;

template <class Real>
struct VectorPartOf {  // of a Krylov vector, of one element
  Real x = 0;
  Real y = 0;
};
using VectorPart = VectorPartOf<double>;

// J v of element i, given v and S v there: (I - D) v + rho D (S v + rigid). rigid: the entries of
// the rigid slips in the Krylov vector. 0 outside the contact.
template <class Real>
SLIPFIELD_HD inline VectorPartOf<Real> jacobian_times(const NewtonFieldsOf<Real>& f, std::size_t i,
                                                      const VectorPartOf<Real>& v,
                                                      const VectorPartOf<Real>& image,
                                                      const Real* rigid) {
  const auto rho = static_cast<Real>(f.rho);
  const auto part = static_cast<Real>(rigid_fraction(f.tangential.fraction, i) * f.scale / f.rho);
  const Real none = 0;
  const Real x = v.x - rho * (image.x + (f.force_x_given ? part * rigid[0] : none));
  const Real y = v.y - rho * (image.y + (f.force_y_given ? part * rigid[1] : none));
  const bool contact = in_contact(f.tangential.state[i]);
  return {contact ? v.x - (f.dxx[i] * x + f.dxy[i] * y) : none,
          contact ? v.y - (f.dyx[i] * x + f.dyy[i] * y) : none};
}

// out = J v, given S v: (I - D) v + rho D (S v + rigid), and the force rows.
template <class Real>
struct MultiplyJacobianOf {
  struct Sum {
    enum : int { traction_x, traction_y, count };
  };
  NewtonFieldsOf<Real> f;
  const Real* v = nullptr;
  const Real* image_x = nullptr;  // S v
  const Real* image_y = nullptr;
  Real* out = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const VectorPartOf<Real> of{v[i], v[f.count + i]};
    const VectorPartOf<Real> product =
        jacobian_times(f, i, of, {image_x[i], image_y[i]}, v + 2 * f.count);
    out[i] = product.x;
    out[f.count + i] = product.y;
    if constexpr (sizeof(Real) < sizeof(double)) {  // a loop without sums is faster
      if (f.forces() == 0) return;
    }
    sums[Sum::traction_x] += of.x;
    sums[Sum::traction_y] += of.y;
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    out[2 * f.count] =
        f.force_x_given ? static_cast<Real>(f.scale * sums[Sum::traction_x]) : v[2 * f.count];
    out[2 * f.count + 1] =
        f.force_y_given ? static_cast<Real>(f.scale * sums[Sum::traction_y]) : v[2 * f.count + 1];
  }
};
using MultiplyJacobian = MultiplyJacobianOf<double>;

// p += dp, with each element projected back to its disc; updates the rigid slips too
template <class Real>
struct TakeNewtonStepOf {
  struct Sum {
    enum : int { change2, traction2, change1, traction1, count };
  };
  NewtonFieldsOf<Real> f;
  const Real* step = nullptr;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    take(i, f.tangential.bound[i], sums);
  }
  // bound: the radius of the disc.
  SLIPFIELD_HD void take(std::size_t i, double bound, double* sums) const {
    const TangentialFields& t = f.tangential;
    if (!in_contact(t.state[i])) return;
    double x = t.traction_x[i] + f.unit * step[i];
    double y = t.traction_y[i] + f.unit * step[f.count + i];
    const double size = length_of(x, y);
    if (size > bound) {
      x *= bound / size;
      y *= bound / size;
    }
    const double dx = x - t.traction_x[i];
    const double dy = y - t.traction_y[i];
    t.traction_x[i] = x;
    t.traction_y[i] = y;
    sums[Sum::change2] += dx * dx + dy * dy;
    sums[Sum::traction2] += x * x + y * y;
    sums[Sum::change1] += std::fabs(dx) + std::fabs(dy);
    sums[Sum::traction1] += std::fabs(x) + std::fabs(y);
  }
  SLIPFIELD_HD void finish(const double* sums) const {
    NewtonScalars& s = *f.scalars;
    s.change2 = sums[Sum::change2];
    s.traction2 = sums[Sum::traction2];
    s.change1 = sums[Sum::change1];
    s.traction1 = sums[Sum::traction1];
    const double rigid = f.scale * f.unit / f.rho;
    if (f.force_x_given) s.rigid_x += rigid * step[2 * f.count];
    if (f.force_y_given) s.rigid_y += rigid * step[2 * f.count + 1];
  }
};
using TakeNewtonStep = TakeNewtonStepOf<double>;

struct SumSlips {
  static constexpr int kSums = 1;
  NewtonFields f;
  SLIPFIELD_HD void element(std::size_t i, double* sums) const {
    const TangentialFields& t = f.tangential;
    if (in_contact(t.state[i])) sums[0] += std::fabs(t.slip_x[i]) + std::fabs(t.slip_y[i]);
  }
  SLIPFIELD_HD void finish(const double* sums) const { f.scalars->slip1 = sums[0]; }
};

// The greatest sensible change of the rigid slips for prescribed forces. If all elements slip in
// the same direction, the forces hardly determine these slips. The limit is many times the change
// that reverses all slips plus the one that moves the tractions across their range (THEORY.md 6.3).
inline double reach_of(const NewtonFields& f, const NewtonScalars& now) {
  constexpr double kMostTimes = 30.0;
  return kMostTimes * (f.scale * f.scale * now.slip1 + now.bound1 / f.rho);
}

}  // namespace slipfield
