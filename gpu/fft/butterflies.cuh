// SPDX-License-Identifier: Apache-2.0
// Short forward transforms of points in registers, and their twiddle factors: what a pass of
// gpu/fft/block.cuh does between two trips through shared memory.
#pragma once

#include <cuda_runtime.h>

namespace slipfield {
namespace fft_detail {

// For a pair of numbers: their type, and a pair of two given numbers.
template <class C>
struct PairOf;
template <>
struct PairOf<double2> {
  using Real = double;
  static __device__ __forceinline__ double2 make(double x, double y) { return make_double2(x, y); }
};
template <>
struct PairOf<float2> {
  using Real = float;
  static __device__ __forceinline__ float2 make(float x, float y) { return make_float2(x, y); }
};

__device__ __forceinline__ double2 operator+(double2 a, double2 b) {
  return make_double2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ float2 operator+(float2 a, float2 b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ double2 operator-(double2 a, double2 b) {
  return make_double2(a.x - b.x, a.y - b.y);
}
__device__ __forceinline__ float2 operator-(float2 a, float2 b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
template <class C>
__device__ __forceinline__ C times(C a, C b) {
  return PairOf<C>::make(fma(a.x, b.x, -a.y * b.y), fma(a.x, b.y, a.y * b.x));
}
template <class C>
__device__ __forceinline__ C times_minus_i(C a) {
  return PairOf<C>::make(a.y, -a.x);
}

// x exp(-2 pi i k/N); k is a constant once the loops are unrolled.
template <int N, class C>
__device__ __forceinline__ C rotate(C x, int k) {
  using Real = typename PairOf<C>::Real;
  constexpr Real kHalf = 0.70710678118654752440;
  if (k == 0) return x;
  if (4 * k == N) return times_minus_i(x);
  if (8 * k == N) return PairOf<C>::make(kHalf * (x.x + x.y), kHalf * (x.y - x.x));
  if (8 * k == 3 * N) return PairOf<C>::make(kHalf * (x.y - x.x), -kHalf * (x.x + x.y));
  if (N == 16) {
    constexpr Real kCos1 = 0.92387953251128675613, kSin1 = 0.38268343236508977173;
    if (k == 1) return times(x, PairOf<C>::make(kCos1, -kSin1));
    if (k == 3) return times(x, PairOf<C>::make(kSin1, -kCos1));
    if (k == 9) return times(x, PairOf<C>::make(-kCos1, kSin1));
  }
  if (N == 6) {
    constexpr Real kSin60 = 0.86602540378443864676;
    if (k == 1) return times(x, PairOf<C>::make(0.5, -kSin60));
    if (k == 2) return times(x, PairOf<C>::make(-0.5, -kSin60));
  }
  if (N == 12) {
    constexpr Real kCos30 = 0.86602540378443864676, kSin30 = 0.5;
    if (k == 1) return times(x, PairOf<C>::make(kCos30, -kSin30));
    if (k == 2) return times(x, PairOf<C>::make(kSin30, -kCos30));
    if (k == 4) return times(x, PairOf<C>::make(-kSin30, -kCos30));
    if (k == 6) return PairOf<C>::make(-x.x, -x.y);
  }
  if (N == 10) {
    constexpr Real kCos36 = 0.80901699437494742410, kSin36 = 0.58778525229247312917;
    constexpr Real kCos72 = 0.30901699437494742410, kSin72 = 0.95105651629515357212;
    if (k == 1) return times(x, PairOf<C>::make(kCos36, -kSin36));
    if (k == 2) return times(x, PairOf<C>::make(kCos72, -kSin72));
    if (k == 3) return times(x, PairOf<C>::make(-kCos72, -kSin72));
    if (k == 4) return times(x, PairOf<C>::make(-kCos36, -kSin36));
  }
  return x;
}

template <int R>
struct Dft;  // run(x): transform of R points in place
template <int R, class C>
__device__ __forceinline__ void dft(C (&x)[R]) {
  Dft<R>::run(x);
}

template <>
struct Dft<2> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[2]) {
    const C sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  }
};

template <>
struct Dft<3> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[3]) {
    using Real = typename PairOf<C>::Real;
    constexpr Real kSin60 = 0.86602540378443864676;
    const C sum = x[1] + x[2];
    const C difference = x[1] - x[2];
    const C middle =
        PairOf<C>::make(fma(Real(-0.5), sum.x, x[0].x), fma(Real(-0.5), sum.y, x[0].y));
    x[0] = x[0] + sum;
    x[1] =
        PairOf<C>::make(fma(kSin60, difference.y, middle.x), fma(-kSin60, difference.x, middle.y));
    x[2] =
        PairOf<C>::make(fma(-kSin60, difference.y, middle.x), fma(kSin60, difference.x, middle.y));
  }
};

template <>
struct Dft<4> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[4]) {
    const C a = x[0] + x[2], b = x[0] - x[2];
    const C c = x[1] + x[3], d = times_minus_i(x[1] - x[3]);
    x[0] = a + c;
    x[1] = b + d;
    x[2] = a - c;
    x[3] = b - d;
  }
};

template <>
struct Dft<5> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[5]) {
    using Real = typename PairOf<C>::Real;
    constexpr Real kCos72 = 0.30901699437494742410, kSin72 = 0.95105651629515357212;
    constexpr Real kCos144 = -0.80901699437494742410, kSin144 = 0.58778525229247312917;
    const C s1 = x[1] + x[4], d1 = x[1] - x[4];
    const C s2 = x[2] + x[3], d2 = x[2] - x[3];
    const C m1 = PairOf<C>::make(fma(kCos72, s1.x, fma(kCos144, s2.x, x[0].x)),
                                 fma(kCos72, s1.y, fma(kCos144, s2.y, x[0].y)));
    const C m2 = PairOf<C>::make(fma(kCos144, s1.x, fma(kCos72, s2.x, x[0].x)),
                                 fma(kCos144, s1.y, fma(kCos72, s2.y, x[0].y)));
    // -i (sin72 d1 + sin144 d2) and -i (sin144 d1 - sin72 d2)
    const C n1 =
        PairOf<C>::make(fma(kSin72, d1.y, kSin144 * d2.y), -fma(kSin72, d1.x, kSin144 * d2.x));
    const C n2 =
        PairOf<C>::make(fma(kSin144, d1.y, -kSin72 * d2.y), -fma(kSin144, d1.x, -kSin72 * d2.x));
    x[0] = x[0] + s1 + s2;
    x[1] = m1 + n1;
    x[4] = m1 - n1;
    x[2] = m2 + n2;
    x[3] = m2 - n2;
  }
};

// R = P Q: P transforms of length Q, rotations, Q transforms of length P.
template <int P, int Q, class C>
__device__ __forceinline__ void composite(C (&x)[P * Q]) {
  C y[P][Q];
#pragma unroll
  for (int b = 0; b < P; ++b) {
#pragma unroll
    for (int a = 0; a < Q; ++a) y[b][a] = x[b + P * a];
    dft<Q>(y[b]);
  }
#pragma unroll
  for (int c = 0; c < Q; ++c) {
    C z[P];
#pragma unroll
    for (int b = 0; b < P; ++b) z[b] = rotate<P * Q>(y[b][c], b * c);
    dft<P>(z);
#pragma unroll
    for (int d = 0; d < P; ++d) x[c + Q * d] = z[d];
  }
}

template <>
struct Dft<6> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[6]) {
    composite<2, 3>(x);
  }
};
template <>
struct Dft<8> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[8]) {
    composite<2, 4>(x);
  }
};
template <>
struct Dft<10> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[10]) {
    composite<2, 5>(x);
  }
};
template <>
struct Dft<12> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[12]) {
    composite<3, 4>(x);
  }
};
template <>
struct Dft<16> {
  template <class C>
  static __device__ __forceinline__ void run(C (&x)[16]) {
    composite<4, 4>(x);
  }
};

// x[r] *= w^r. Few powers live at a time (64 registers hold x already), each a product of at most
// four steps: relative error a few eps.
template <int R, class C>
__device__ __forceinline__ void twiddle(C (&x)[R], C w) {
  const C w2 = R > 2 ? times(w, w) : w;
  const C w3 = R > 3 ? times(w2, w) : w;
  const C w4 = R > 4 ? times(w2, w2) : w;
  C base = w4;
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
template <class C>
__device__ __forceinline__ void dft16_half(C (&x)[16]) {
  C y[4][4];
#pragma unroll
  for (int b = 0; b < 4; ++b) {
    const C p = x[b], q = times_minus_i(x[b + 4]);
    y[b][0] = p + x[b + 4];
    y[b][1] = p + q;
    y[b][2] = p - x[b + 4];
    y[b][3] = p - q;
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    C z[4];
#pragma unroll
    for (int b = 0; b < 4; ++b) z[b] = rotate<16>(y[b][c], b * c);
    dft<4>(z);
#pragma unroll
    for (int d = 0; d < 4; ++d) x[c + 4 * d] = z[d];
  }
}

}  // namespace fft_detail
}  // namespace slipfield
