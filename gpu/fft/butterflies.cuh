// Short forward transforms of points in registers, and their twiddle factors: what a pass of
// gpu/fft/block.cuh does between two trips through shared memory.
#pragma once

#include <cuda_runtime.h>

namespace slipfield {
namespace fft_detail {

__device__ __forceinline__ double2 operator+(double2 a, double2 b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ double2 operator-(double2 a, double2 b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
__device__ __forceinline__ double2 times(double2 a, double2 b) {
  return make_double2(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x));
}
__device__ __forceinline__ double2 times_minus_i(double2 a) { return make_double2(a.y, -a.x); }

// x exp(-2 pi i k/N); k is a constant once the loops are unrolled.
template <int N>
__device__ __forceinline__ double2 rotate(double2 x, int k) {
  constexpr double kHalf = 0.70710678118654752440;
  if (k == 0) return x;
  if (4 * k == N) return times_minus_i(x);
  if (8 * k == N) return make_double2(kHalf * (x.x + x.y), kHalf * (x.y - x.x));
  if (8 * k == 3 * N) return make_double2(kHalf * (x.y - x.x), -kHalf * (x.x + x.y));
  if (N == 16) {
    constexpr double kCos1 = 0.92387953251128675613, kSin1 = 0.38268343236508977173;
    if (k == 1) return times(x, make_double2(kCos1, -kSin1));
    if (k == 3) return times(x, make_double2(kSin1, -kCos1));
    if (k == 9) return times(x, make_double2(-kCos1, kSin1));
  }
  if (N == 6) {
    constexpr double kSin60 = 0.86602540378443864676;
    if (k == 1) return times(x, make_double2(0.5, -kSin60));
    if (k == 2) return times(x, make_double2(-0.5, -kSin60));
  }
  if (N == 10) {
    constexpr double kCos36 = 0.80901699437494742410, kSin36 = 0.58778525229247312917;
    constexpr double kCos72 = 0.30901699437494742410, kSin72 = 0.95105651629515357212;
    if (k == 1) return times(x, make_double2(kCos36, -kSin36));
    if (k == 2) return times(x, make_double2(kCos72, -kSin72));
    if (k == 3) return times(x, make_double2(-kCos72, -kSin72));
    if (k == 4) return times(x, make_double2(-kCos36, -kSin36));
  }
  return x;
}

template <int R>
__device__ __forceinline__ void dft(double2 (&x)[R]);

template <>
__device__ __forceinline__ void dft<2>(double2 (&x)[2]) {
  const double2 sum = x[0] + x[1];
  x[1] = x[0] - x[1];
  x[0] = sum;
}

template <>
__device__ __forceinline__ void dft<3>(double2 (&x)[3]) {
  constexpr double kSin60 = 0.86602540378443864676;
  const double2 sum = x[1] + x[2];
  const double2 difference = x[1] - x[2];
  const double2 middle = make_double2(fma(-0.5, sum.x, x[0].x), fma(-0.5, sum.y, x[0].y));
  x[0] = x[0] + sum;
  x[1] = make_double2(fma(kSin60, difference.y, middle.x), fma(-kSin60, difference.x, middle.y));
  x[2] = make_double2(fma(-kSin60, difference.y, middle.x), fma(kSin60, difference.x, middle.y));
}

template <>
__device__ __forceinline__ void dft<4>(double2 (&x)[4]) {
  const double2 a = x[0] + x[2], b = x[0] - x[2];
  const double2 c = x[1] + x[3], d = times_minus_i(x[1] - x[3]);
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

template <>
__device__ __forceinline__ void dft<5>(double2 (&x)[5]) {
  constexpr double kCos72 = 0.30901699437494742410, kSin72 = 0.95105651629515357212;
  constexpr double kCos144 = -0.80901699437494742410, kSin144 = 0.58778525229247312917;
  const double2 s1 = x[1] + x[4], d1 = x[1] - x[4];
  const double2 s2 = x[2] + x[3], d2 = x[2] - x[3];
  const double2 m1 = make_double2(fma(kCos72, s1.x, fma(kCos144, s2.x, x[0].x)),
                                  fma(kCos72, s1.y, fma(kCos144, s2.y, x[0].y)));
  const double2 m2 = make_double2(fma(kCos144, s1.x, fma(kCos72, s2.x, x[0].x)),
                                  fma(kCos144, s1.y, fma(kCos72, s2.y, x[0].y)));
  // -i (sin72 d1 + sin144 d2) and -i (sin144 d1 - sin72 d2)
  const double2 n1 =
      make_double2(fma(kSin72, d1.y, kSin144 * d2.y), -fma(kSin72, d1.x, kSin144 * d2.x));
  const double2 n2 =
      make_double2(fma(kSin144, d1.y, -kSin72 * d2.y), -fma(kSin144, d1.x, -kSin72 * d2.x));
  x[0] = x[0] + s1 + s2;
  x[1] = m1 + n1;
  x[4] = m1 - n1;
  x[2] = m2 + n2;
  x[3] = m2 - n2;
}

// R = P Q: P transforms of length Q, rotations, Q transforms of length P.
template <int P, int Q>
__device__ __forceinline__ void composite(double2 (&x)[P * Q]) {
  double2 y[P][Q];
#pragma unroll
  for (int b = 0; b < P; ++b) {
#pragma unroll
    for (int a = 0; a < Q; ++a) y[b][a] = x[b + P * a];
    dft<Q>(y[b]);
  }
#pragma unroll
  for (int c = 0; c < Q; ++c) {
    double2 z[P];
#pragma unroll
    for (int b = 0; b < P; ++b) z[b] = rotate<P * Q>(y[b][c], b * c);
    dft<P>(z);
#pragma unroll
    for (int d = 0; d < P; ++d) x[c + Q * d] = z[d];
  }
}

template <>
__device__ __forceinline__ void dft<6>(double2 (&x)[6]) {
  composite<2, 3>(x);
}
template <>
__device__ __forceinline__ void dft<8>(double2 (&x)[8]) {
  composite<2, 4>(x);
}
template <>
__device__ __forceinline__ void dft<10>(double2 (&x)[10]) {
  composite<2, 5>(x);
}
template <>
__device__ __forceinline__ void dft<16>(double2 (&x)[16]) {
  composite<4, 4>(x);
}

// x[r] *= w^r. Few powers live at a time (64 registers hold x already), each a product of at most
// four steps: relative error a few eps.
template <int R>
__device__ __forceinline__ void twiddle(double2 (&x)[R], double2 w) {
  const double2 w2 = R > 2 ? times(w, w) : w;
  const double2 w3 = R > 3 ? times(w2, w) : w;
  const double2 w4 = R > 4 ? times(w2, w2) : w;
  double2 base = w4;
  x[1] = times(x[1], w);
  if (R > 2) x[R > 2 ? 2 : 0] = times(x[R > 2 ? 2 : 0], w2);
  if (R > 3) x[R > 3 ? 3 : 0] = times(x[R > 3 ? 3 : 0], w3);
#pragma unroll
  for (int r = 4; r < R; r += 4) {
    x[r] = times(x[r], base);
    if (r + 1 < R) x[r + 1] = times(x[r + 1], times(base, w));
    if (r + 2 < R) x[r + 2] = times(x[r + 2], times(base, w2));
    if (r + 3 < R) x[r + 3] = times(x[r + 3], times(base, w3));
    base = times(base, w4);
  }
}

// One butterfly of radix 16 whose upper eight inputs are zero, as in the first pass over a padded
// line: half of the first additions fall away. (The compiler may not drop x + 0.)
__device__ __forceinline__ void dft16_half(double2 (&x)[16]) {
  double2 y[4][4];
#pragma unroll
  for (int b = 0; b < 4; ++b) {
    const double2 p = x[b], q = times_minus_i(x[b + 4]);
    y[b][0] = p + x[b + 4];
    y[b][1] = p + q;
    y[b][2] = p - x[b + 4];
    y[b][3] = p - q;
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    double2 z[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) z[b] = rotate<16>(y[b][c], b * c);
    dft<4>(z);
#pragma unroll
    for (int d = 0; d < 4; ++d) x[c + 4 * d] = z[d];
  }
}

}  // namespace fft_detail
}  // namespace slipfield
