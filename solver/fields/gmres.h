// SPDX-License-Identifier: Apache-2.0
// GMRES on either backend, preconditioned from the right [SaadSchultz1986] (THEORY.md 6.4): vectors
// stay on the device; the host reads one column of the Hessenberg matrix per iteration.
//
// The newest vector is kept in double precision, the basis in single: half the memory, and half of
// the traffic of an iteration. On an asynchronous backend (solver/fields/solver_backend.h) the next
// iteration already runs while the column is read, if one more is expected.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "solver/fields/krylov_ops.h"
#include "solver/fields/own_rows.h"
#include "solver/fields/small_systems.h"
#include "solver/fields/solver_backend.h"
#include "solver/fields/step_ops.h"

namespace slipfield {

template <class Backend>
class Gmres {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;

  // common: number of entries at the end that belong to no element and are replicated on all
  // owners.
  Gmres(Backend& backend, std::size_t size, std::size_t common = 0)
      : backend_(backend),
        size_(size),
        counted_(size - common +
                 static_cast<std::size_t>(counted_once(backend, static_cast<double>(common)))),
        newest_{Array<double>(size), Array<double>(size)},
        column_(1) {
    basis_.size = size;
    if constexpr (requires { backend.most_krylov(); }) most_ = backend.most_krylov();
  }

  [[nodiscard]] int most() const { return most_; }  // products of a solve
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t counted() const { return counted_; }  // entries, in this owner's sums

  // Allocates the whole basis.
  void reserve() { make_chunks(most_ / kKrylovFused + 1); }

  // Solves J x = b to |b - J x| <= tolerance |b| from x = 0, in at most GridLimits::kKrylov
  // products, or as many as the backend has memory for. multiply(in, out) = J M in;
  // precondition(in, out) = M in. launches_alone: as for hold_launches(); on return the launches
  // that form x may still be held. Returns the number of iterations.
  template <class Multiply, class Precondition>
  int solve(const Array<double>& b, Array<double>& x, double tolerance, const Multiply& multiply,
            const Precondition& precondition, bool launches_alone = false) {
    int reads = 1;  // begun and not ended; that of b is the first
    const auto iterate = [&](int n) {
      vector(n + 1);  // allocates before launches are held
      hold_launches(backend_, launches_alone);
      try {
        multiply(newest(n), newest(n + 1));
      } catch (...) {  // the caller gives up; the next solve begins without old reads
        for (; reads > 0; --reads) drop_read(backend_, column_);
        throw;
      }
      orthogonalize(n + 1);
      begin_read(backend_, column_);
      ++reads;
    };
    const auto column_read = [&] {
      --reads;
      return end_read<KrylovColumn>(backend_, column_);
    };
    hold_launches(backend_, launches_alone);
    backend_.run(size_, CopyField{b.data(), newest(0)});
    orthogonalize(0);
    begin_read(backend_, column_);
    bool ahead = kAhead;  // the next iteration is already running
    if (ahead) iterate(0);
    const double norm = std::sqrt(column_read().norm2);
    if (!(norm > 0.0)) {
      if (ahead) drop_read(backend_, column_);
      combine({}, x.data());
      return 0;
    }
    KrylovTriangle triangle(most_, norm);
    while (triangle.columns() < most_ && triangle.residual() > tolerance * norm) {
      const int n = triangle.columns();
      if (!ahead) iterate(n);
      ahead = kAhead && n + 1 < most_ && triangle.expected() > tolerance * norm;
      if (ahead) iterate(n + 1);
      const KrylovColumn column = column_read();
      triangle.add(column);
      if (!(column.norm2 > 0.0) || !std::isfinite(column.norm2)) break;
    }
    if (ahead) drop_read(backend_, column_);
    hold_launches(backend_, launches_alone);
    const std::vector<double> y = triangle.solve();
    const auto n = static_cast<int>(y.size());
    combine(y, newest(n));
    precondition(newest(n), x.data());
    return n;
  }

 private:
  static constexpr bool kAhead = kReadsAhead<Backend, Array<KrylovColumn>>;

  // The newest basis vector and the product with it alternate between two arrays.
  double* newest(int n) { return newest_[static_cast<std::size_t>(n) % 2].data(); }

  // Chunks are allocated on first use: few allocations, and no more memory than the iterations
  // need.
  float* vector(int k) {
    make_chunks(k / kKrylovFused + 1);
    return basis_.vector(k);
  }
  void make_chunks(int chunks) {
    while (static_cast<int>(chunks_.size()) < chunks) {
      chunks_.emplace_back(kKrylovFused * size_);
      basis_.chunk[chunks_.size() - 1] = chunks_.back().data();
    }
  }

  // Removes the first `count` basis vectors from the newest vector, normalizes it and appends it to
  // the basis.
  void orthogonalize(int count) {
    double* w = newest(count);
    float* stored = vector(count);
    if constexpr (requires {
                    backend_.orthogonalize(basis_, count, w, stored, column_.data(), counted_);
                  }) {
      backend_.orthogonalize(basis_, count, w, stored, column_.data(), counted_);
    } else {
      for (int first = 0; first == 0 || first < count; first += kKrylovFused) {
        backend_.run(
            size_, MultiplyBasis{chunk(first), size_, std::min(kKrylovFused, count - first), first,
                                 w, column_.data(), counted_});
      }
      for (int first = 0; first == 0 || first < count; first += kKrylovFused) {
        const bool last = first + kKrylovFused >= count;
        backend_.run(
            size_, SubtractBasis{chunk(first), size_, std::min(kKrylovFused, count - first), first,
                                 w, last ? stored : nullptr, column_.data()});
      }
    }
  }
  const float* chunk(int first) { return basis_.chunk[first / kKrylovFused]; }

  void combine(const std::vector<double>& factor, double* out) {
    CombineBasis op{basis_, {}, static_cast<int>(factor.size()), out};
    std::copy(factor.begin(), factor.end(), op.factor);
    backend_.run(size_, op);
  }

  Backend& backend_;
  std::size_t size_;
  std::size_t counted_;  // entries that this owner adds to sums
  std::array<Array<double>, 2> newest_;
  std::vector<Array<float>> chunks_;
  KrylovBasis basis_;
  Array<KrylovColumn> column_;
  int most_ = GridLimits::kKrylov;  // products of a solve
};

}  // namespace slipfield
