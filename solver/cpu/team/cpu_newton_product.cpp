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

// A thread's row of each field.
struct CpuNewtonProduct::Row {
  explicit Row(std::size_t mx) : values(kSplitFields * mx), count(mx) {}
  double* field(std::size_t k) { return values.data() + k * count; }
  std::vector<double> values;
  std::size_t count;
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

void CpuNewtonProduct::take_split(const NewtonFields& f, std::size_t iy, const double* in,
                                  double unit, Row& row) {
  const std::size_t first = iy * row.count;
  for (std::size_t k = 0; k < row.count; ++k) {
    const SplitVector split = split_vector(f, in, first + k);
    row.field(0)[k] = split.x / unit;
    row.field(1)[k] = split.y / unit;
    row.field(2)[k] = split.across / unit;
  }
  for (std::size_t field = 0; field < kSplitFields; ++field)
    rows_.take_row(field, iy, row.field(field));
}

// Stores the row's joined tractions over unit_ as the first two fields of `row`.
void CpuNewtonProduct::give_joined(const NewtonFields& f, std::size_t iy, const double* in,
                                   double unit, double* joined, Row& row) {
  const std::size_t first = iy * row.count;
  const bool touches = row_touches(f, first, row.count);
  if (touches)
    for (std::size_t field = 0; field < kSplitFields; ++field)
      rows_.give_row(field, iy, row.field(field));
  const double along = unit * unit_;
  for (std::size_t k = 0; k < row.count; ++k) {
    const std::size_t i = first + k;
    const VectorPart part = touches ? join_vector(f, in, i,
                                                  {along * row.field(0)[k], along * row.field(1)[k],
                                                   unit * row.field(2)[k]})
                                    : VectorPart{in[i], in[f.count + i]};
    joined[i] = part.x;
    joined[f.count + i] = part.y;
    row.field(0)[k] = part.x / unit_;
    row.field(1)[k] = part.y / unit_;
  }
}

// Returns the sums of the row of v.
CpuNewtonProduct::RowSums CpuNewtonProduct::give_product(const NewtonFields& f, std::size_t iy,
                                                         const double* v, double* out, Row& row) {
  const std::size_t first = iy * row.count;
  RowSums sums;
  if (!row_touches(f, first, row.count)) {
    std::fill_n(out + first, row.count, 0.0);
    std::fill_n(out + f.count + first, row.count, 0.0);
    return sums;
  }
  rows_.give_row(0, iy, row.field(0));
  rows_.give_row(1, iy, row.field(1));
  for (std::size_t k = 0; k < row.count; ++k) {
    const std::size_t i = first + k;
    const VectorPart of{v[i], v[f.count + i]};
    const VectorPart product =
        jacobian_times(f, i, of, {row.field(0)[k], row.field(1)[k]}, v + 2 * f.count);
    out[i] = product.x;
    out[f.count + i] = product.y;
    sums.x += of.x;
    sums.y += of.y;
  }
  return sums;
}

void CpuNewtonProduct::apply(const NewtonFields& f, const double* in, double* joined, double* out) {
  const std::size_t rows = f.count / mx_;
  rows_.begin(kSplitFields);
  sums_.resize(rows);
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
    Row row(mx_);
#pragma omp for schedule(static, 1) nowait
    for (std::size_t iy = 0; iy < rows; ++iy) take_split(f, iy, in, unit, row);
    rows_.columns(inverse, kSplitFields, kSplitFields);
#pragma omp for schedule(static, 1) nowait
    for (std::size_t iy = 0; iy < rows; ++iy) {
      give_joined(f, iy, in, unit, joined, row);
      if (out == nullptr) continue;
      rows_.take_row(0, iy, row.field(0));
      rows_.take_row(1, iy, row.field(1));
    }
    if (out != nullptr) {
      rows_.columns(slip_terms_, 2, 2);
#pragma omp for schedule(static, 1) nowait
      for (std::size_t iy = 0; iy < rows; ++iy) sums_[iy] = give_product(f, iy, joined, out, row);
    }
  });
  if (out == nullptr) return;
  double sums[kSumsOf<MultiplyJacobian>] = {};
  for (const RowSums& sum : sums_) {
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
