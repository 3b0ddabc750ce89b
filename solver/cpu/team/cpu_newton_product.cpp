// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/team/cpu_newton_product.h"

#include <algorithm>
#include <cmath>

#include "solver/fields/element_op.h"
#include "solver/tangential/newton_preconditioner.h"
#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr std::size_t kSplitFields = 3;  // x, y and across

bool row_touches(const NewtonFields& f, std::size_t first, std::size_t count) {
  const unsigned char* const state = f.tangential.state + first;
  return std::any_of(state, state + count, [](unsigned char s) { return in_contact(s); });
}

void round_to_floats(const UninitializedVector<double>& from, double unit,
                     UninitializedVector<float>& to) {
  constexpr double kOfNumber = 1.0e-9;  // seconds
  to.resize(from.size());
  const TeamWork work(from.size() >= 4 * kLeastForProducts,
                      kOfNumber * static_cast<double>(from.size()));
  work.run([&] {
#pragma omp for schedule(static)
    for (std::size_t k = 0; k < from.size(); ++k) to[k] = static_cast<float>(unit * from[k]);
  });
}

SpectrumOf<float> rounded(const Spectrum& from, double unit) {
  SpectrumOf<float> to;
  round_to_floats(from.real, unit, to.real);
  round_to_floats(from.imaginary, unit, to.imaginary);
  return to;
}

// A power of two near the greatest number; 1 if all are 0, or the greatest is not finite.
double power_of_two_near_greatest(const double* numbers, std::size_t count) {
  // parallel lanes: each depends only on its own last comparison
  constexpr std::size_t kLanes = 16;
  std::array<double, kLanes> most{};
  const auto take = [](double& lane, double number) {
    const double size = std::abs(number);
    lane = size <= lane ? lane : size;
  };
  std::size_t i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (std::size_t k = 0; k < kLanes; ++k) take(most[k], numbers[i + k]);
  for (; i < count; ++i) take(most[0], numbers[i]);
  double greatest = 0.0;
  for (const double lane : most) take(greatest, lane);
  return std::isnormal(greatest) ? std::exp2(std::ilogb(greatest)) : 1.0;
}

}  // namespace

// A thread's pair of rows of each field.
struct CpuNewtonProduct::Pair {
  explicit Pair(std::size_t mx) : values(2 * kSplitFields * mx), count(mx) {}
  double* field(std::size_t k, std::size_t row) { return values.data() + (2 * k + row) * count; }
  std::vector<double> values;
  std::size_t count;  // of a row
};

CpuNewtonProduct::CpuNewtonProduct(const Grid& grid, double stiffness)
    : mx_(static_cast<std::size_t>(grid.mx)),
      rows_(grid),
      unit_(std::isnormal(stiffness) ? std::exp2(std::ilogb(stiffness)) : 1.0) {}

void CpuNewtonProduct::set_slip(std::span<const ConvolutionTerm> terms) {
  std::vector<const Spectrum*> known;
  std::vector<std::size_t> places;
  slip_.clear();
  for (const ConvolutionTerm& term : terms) {
    const auto found = std::find(known.begin(), known.end(), term.spectrum);
    places.push_back(static_cast<std::size_t>(found - known.begin()));
    if (found != known.end()) continue;
    slip_.push_back(rounded(*term.spectrum, unit_));
    known.push_back(term.spectrum);
  }
  slip_terms_.clear();
  for (std::size_t k = 0; k < terms.size(); ++k)
    slip_terms_.push_back({terms[k].target, terms[k].source, &slip_[places[k]], terms[k].sign});
}

void CpuNewtonProduct::set_inverse(const Spectrum& x, const Spectrum& y) {
  inverse_[0] = rounded(x, 1.0 / unit_);
  inverse_[1] = rounded(y, 1.0 / unit_);
}

std::size_t CpuNewtonProduct::rows_of(const NewtonFields& f, std::size_t pair) const {
  return std::min<std::size_t>(2, f.count / mx_ - 2 * pair);
}

void CpuNewtonProduct::take_split(const NewtonFields& f, std::size_t pair, const double* in,
                                  double unit, Pair& rows) {
  for (std::size_t row = 0; row < rows_of(f, pair); ++row) {
    const std::size_t first = (2 * pair + row) * mx_;
    for (std::size_t k = 0; k < mx_; ++k) {
      const SplitVector split = split_vector(f, in, first + k);
      rows.field(0, row)[k] = split.x / unit;
      rows.field(1, row)[k] = split.y / unit;
      rows.field(2, row)[k] = split.across / unit;
    }
  }
  take(kSplitFields, pair, rows);
}

void CpuNewtonProduct::take(std::size_t fields, std::size_t pair, Pair& rows) {
  for (std::size_t field = 0; field < fields; ++field)
    rows_.take_pair(field, pair, rows.field(field, 0), rows.field(field, 1));
}

bool CpuNewtonProduct::give(const NewtonFields& f, std::size_t fields, std::size_t pair,
                            Pair& rows) {
  if (!row_touches(f, 2 * pair * mx_, rows_of(f, pair) * mx_)) return false;
  for (std::size_t field = 0; field < fields; ++field)
    rows_.give_pair(field, pair, rows.field(field, 0), rows.field(field, 1));
  return true;
}

// Stores the joined tractions over unit_ as the first two fields of `rows`.
void CpuNewtonProduct::give_joined(const NewtonFields& f, std::size_t pair, const double* in,
                                   double unit, double* joined, Pair& rows) {
  const bool touches = give(f, kSplitFields, pair, rows);
  const double along = unit * unit_;
  for (std::size_t row = 0; row < rows_of(f, pair); ++row) {
    const std::size_t first = (2 * pair + row) * mx_;
    double* const x = rows.field(0, row);
    double* const y = rows.field(1, row);
    const double* const across = rows.field(2, row);
    for (std::size_t k = 0; k < mx_; ++k) {
      const std::size_t i = first + k;
      const VectorPart part =
          touches ? join_vector(f, in, i, {along * x[k], along * y[k], unit * across[k]})
                  : VectorPart{in[i], in[f.count + i]};
      joined[i] = part.x;
      joined[f.count + i] = part.y;
      x[k] = part.x / unit_;
      y[k] = part.y / unit_;
    }
  }
}

// Returns the sums of the pair of v.
CpuNewtonProduct::PairSums CpuNewtonProduct::give_product(const NewtonFields& f, std::size_t pair,
                                                          const double* v, double* out,
                                                          Pair& rows) {
  PairSums sums;
  const std::size_t count = rows_of(f, pair) * mx_;
  const std::size_t begin = 2 * pair * mx_;
  if (!give(f, 2, pair, rows)) {
    std::fill_n(out + begin, count, 0.0);
    std::fill_n(out + f.count + begin, count, 0.0);
    return sums;
  }
  for (std::size_t row = 0; row < rows_of(f, pair); ++row) {
    const double* const x = rows.field(0, row);
    const double* const y = rows.field(1, row);
    for (std::size_t k = 0; k < mx_; ++k) {
      const std::size_t i = begin + row * mx_ + k;
      const VectorPart of{v[i], v[f.count + i]};
      const VectorPart product = jacobian_times(f, i, of, {x[k], y[k]}, v + 2 * f.count);
      out[i] = product.x;
      out[f.count + i] = product.y;
      sums.x += of.x;
      sums.y += of.y;
    }
  }
  return sums;
}

void CpuNewtonProduct::apply(const NewtonFields& f, const double* in, double* joined, double* out) {
  const std::size_t pairs = rows_.pairs_count();
  rows_.begin(kSplitFields);
  sums_.resize(pairs);
  const std::size_t rigid = 2 * f.count;
  joined[rigid] = in[rigid];
  joined[rigid + 1] = in[rigid + 1];
  // A basis vector is near 1; a sum of them is near the residual, and might underflow in floats.
  const double unit = out != nullptr ? 1.0 : power_of_two_near_greatest(in, 2 * f.count);
  std::array<ConvolutionTermOf<float>, kSplitFields> inverse;
  for (std::size_t k = 0; k < kSplitFields; ++k)
    inverse[k] = {static_cast<int>(k), static_cast<int>(k), &inverse_[k], 1.0};
  // Rows without contact cost almost nothing and are contiguous, so rows are dealt out in turn.
  const TeamWork work(rows_.worth_threads(),
                      rows_.seconds_alone(2 * kSplitFields + (out != nullptr ? 4 : 0)));
  work.run([&] {
    Pair rows(mx_);
#pragma omp for schedule(static, 1) nowait
    for (std::size_t pair = 0; pair < pairs; ++pair) take_split(f, pair, in, unit, rows);
    rows_.columns(inverse, kSplitFields, kSplitFields);
#pragma omp for schedule(static, 1) nowait
    for (std::size_t pair = 0; pair < pairs; ++pair) {
      give_joined(f, pair, in, unit, joined, rows);
      if (out != nullptr) take(2, pair, rows);
    }
    if (out != nullptr) {
      rows_.columns(slip_terms_, 2, 2);
#pragma omp for schedule(static, 1) nowait
      for (std::size_t pair = 0; pair < pairs; ++pair)
        sums_[pair] = give_product(f, pair, joined, out, rows);
    }
  });
  if (out == nullptr) return;
  double sums[kSumsOf<MultiplyJacobian>] = {};
  for (const PairSums& sum : sums_) {
    sums[MultiplyJacobian::Sum::traction_x] += sum.x;
    sums[MultiplyJacobian::Sum::traction_y] += sum.y;
  }
  MultiplyJacobian forces;
  forces.f = f;
  forces.v = joined;
  forces.out = out;
  forces.finish(sums);
}

}  // namespace slipfield
