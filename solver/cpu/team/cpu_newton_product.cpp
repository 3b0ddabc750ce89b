// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/team/cpu_newton_product.h"

#include <algorithm>
#include <cstddef>

#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

constexpr std::size_t kSplitFields = 3;  // x, y and across

// A thread's row of each field.
struct CpuNewtonRow {
  explicit CpuNewtonRow(std::size_t mx) : values(kSplitFields * mx), count(mx) {}
  double* field(std::size_t k) { return values.data() + k * count; }
  std::vector<double> values;
  std::size_t count;
};

bool row_touches(const NewtonFields& f, std::size_t first, std::size_t count) {
  const unsigned char* const state = f.tangential.state + first;
  return std::any_of(state, state + count, [](unsigned char s) { return in_contact(s); });
}

void take_split(CpuFftConvolution& convolution, const NewtonFields& f, std::size_t iy,
                const double* in, CpuNewtonRow& row) {
  const std::size_t first = iy * row.count;
  for (std::size_t k = 0; k < row.count; ++k) {
    const SplitVector split = split_vector(f, in, first + k);
    row.field(0)[k] = split.x;
    row.field(1)[k] = split.y;
    row.field(2)[k] = split.across;
  }
  for (std::size_t field = 0; field < kSplitFields; ++field)
    convolution.take_row(field, iy, row.field(field));
}

void give_joined(CpuFftConvolution& convolution, const NewtonFields& f, std::size_t iy,
                 const double* in, double* joined, CpuNewtonRow& row) {
  const std::size_t first = iy * row.count;
  if (!row_touches(f, first, row.count)) {
    std::copy_n(in + first, row.count, joined + first);
    std::copy_n(in + f.count + first, row.count, joined + f.count + first);
    return;
  }
  for (std::size_t field = 0; field < kSplitFields; ++field)
    convolution.give_row(field, iy, row.field(field));
  for (std::size_t k = 0; k < row.count; ++k) {
    const VectorPart part =
        join_vector(f, in, first + k, {row.field(0)[k], row.field(1)[k], row.field(2)[k]});
    joined[first + k] = part.x;
    joined[f.count + first + k] = part.y;
  }
}

// Returns the sums of the row of v.
VectorPart give_product(CpuFftConvolution& convolution, const NewtonFields& f, std::size_t iy,
                        const double* v, double* out, CpuNewtonRow& row) {
  const std::size_t first = iy * row.count;
  VectorPart sums;
  if (!row_touches(f, first, row.count)) {
    std::fill_n(out + first, row.count, 0.0);
    std::fill_n(out + f.count + first, row.count, 0.0);
    return sums;
  }
  convolution.give_row(0, iy, row.field(0));
  convolution.give_row(1, iy, row.field(1));
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

}  // namespace

void CpuNewtonProduct::apply(CpuFftConvolution& convolution,
                             std::span<const ConvolutionTerm> inverse,
                             std::span<const ConvolutionTerm> slip, const NewtonFields& f, int mx,
                             const double* in, double* joined, double* out) {
  const auto length = static_cast<std::size_t>(mx);
  const std::size_t rows = f.count / length;
  convolution.begin(kSplitFields);
  sums_.assign(rows, {});
  const std::size_t rigid = 2 * f.count;
  joined[rigid] = in[rigid];
  joined[rigid + 1] = in[rigid + 1];
  // Rows without contact are nearly free, and lie side by side: the threads take turns.
  const TeamWork work(convolution.worth_threads(),
                      convolution.seconds_alone(2 * kSplitFields + (out != nullptr ? 4 : 0)));
#pragma omp parallel if (work.by_all())
  {
    CpuNewtonRow row(length);
#pragma omp for schedule(static, 1) nowait
    for (std::size_t iy = 0; iy < rows; ++iy) take_split(convolution, f, iy, in, row);
    convolution.columns(inverse, kSplitFields, kSplitFields);
#pragma omp for schedule(static, 1) nowait
    for (std::size_t iy = 0; iy < rows; ++iy) {
      give_joined(convolution, f, iy, in, joined, row);
      if (out == nullptr) continue;
      convolution.take_row(0, iy, joined + iy * length);
      convolution.take_row(1, iy, joined + f.count + iy * length);
    }
    if (out != nullptr) {
      convolution.columns(slip, 2, 2);
#pragma omp for schedule(static, 1) nowait
      for (std::size_t iy = 0; iy < rows; ++iy) {
        const VectorPart sums = give_product(convolution, f, iy, joined, out, row);
        sums_[iy] = {sums.x, sums.y};
      }
    }
  }
  if (out == nullptr) return;
  double sums[MultiplyJacobian::kSums] = {};
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
