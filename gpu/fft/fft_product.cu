// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_fft_convolution.h. The kernels are in gpu/fft/kernels.cuh.
#include "gpu/fft/fft_product.h"

#include <algorithm>
#include <optional>

#include "gpu/cufft/cufft_product.h"
#include "gpu/device/current_device.h"
#include "gpu/fft/kernels.h"
#include "gpu/fft/transform.h"

namespace slipfield {

namespace {

using fft_detail::ColumnArguments;
using fft_detail::RowArguments;

int log2_of(int power) {
  int log = 0;
  while ((1 << log) < power) ++log;
  return log;
}

int choose_line(int n) { return n <= 1024 ? 0 : (n <= 4096 ? 1 : 2); }

int index_of(int per_thread) { return per_thread == 4 ? 0 : (per_thread == 8 ? 1 : 2); }

enum class RowPass { forward, inverse };

}  // namespace

struct FftProduct::Impl {
  DeviceLimits card = current_limits();
  FftShape shape;
  FftTuning tuning;
  int directions = 0;
  int pitch = 0;
  DeviceArray<double2> work;  // columns of `directions` fields
  FftSide row_sides[3];
  FftSide column_sides[3];
  std::optional<CufftProduct> cufft;  // instead of the kernels

  [[nodiscard]] std::size_t field_points() const {
    return shape.engine == FftEngine::fused ? static_cast<std::size_t>(shape.columns()) * pitch : 0;
  }
  // The columns' part of a product, and the directions that take part, in order.
  struct Columns {
    ColumnArguments arguments{};
    int used[kDirections] = {};
    int components = 0;
    bool coupled = false;
  };
  Columns columns_of(const SpectrumMatrix& matrix, const bool (&takes)[kDirections],
                     const bool (&gives)[kDirections]);
  void prepare_columns();
  void prepare_rows();
  const FftSide& row_side(int fields) const;
  const FftSide& column_side(int fields) const;
  int blocks_ahead(const FftSide& side, int fields) const;
  // overlap: with the previous kernel in the stream.
  void launch_rows(RowPass pass, RowArguments& rows, int fields, bool overlap,
                   cudaStream_t stream) const;
  void launch_columns(ColumnArguments& column, int components, bool coupled, bool overlap,
                      cudaStream_t stream) const;
};

void FftProduct::Impl::prepare_columns() {
  for (int i = 0; i < 3; ++i) column_sides[i] = fft_column_side(shape.ny, shape.columns(), i, card);
}

void FftProduct::Impl::prepare_rows() {
  pitch = fft_pitch(shape.my);
  for (int i = 0; i < 3; ++i) row_sides[i] = fft_row_side(shape.nx, shape.my, i, card);
}

const FftSide& FftProduct::Impl::row_side(int fields) const {
  int index = tuning.row_points_per_thread != 0
                  ? index_of(tuning.row_points_per_thread)
                  : choose_fft_rows(shape.nx, (shape.my + 1) / 2, fields);
  return row_sides[nearest_usable(row_sides, index)];
}

const FftSide& FftProduct::Impl::column_side(int fields) const {
  int index = tuning.column_points_per_thread != 0 ? index_of(tuning.column_points_per_thread)
              : shape.engine == FftEngine::line
                  ? choose_line(shape.ny)
                  : choose_fft_columns(shape.ny, shape.columns(), fields);
  return column_sides[nearest_usable(column_sides, index)];
}

FftProduct::FftProduct(const FftShape& shape, int directions, FftTuning tuning)
    : impl_(std::make_unique<Impl>()) {
  impl_->shape = shape;
  impl_->tuning = tuning;
  impl_->directions = directions;
  if (shape.engine == FftEngine::cufft) {
    impl_->cufft.emplace(shape, directions);
  } else {
    impl_->prepare_columns();
    if (shape.engine == FftEngine::fused) impl_->prepare_rows();
  }
  impl_->work = DeviceArray<double2>(directions * impl_->field_points());
}

FftProduct::FftProduct(FftProduct&&) noexcept = default;
FftProduct& FftProduct::operator=(FftProduct&&) noexcept = default;
FftProduct::~FftProduct() = default;

const FftShape& FftProduct::shape() const { return impl_->shape; }

// As many blocks as run at a time if the columns exceed L2.
int FftProduct::Impl::blocks_ahead(const FftSide& side, int fields) const {
  const double cache = std::min(40e6, 0.8 * static_cast<double>(card.cache_bytes));
  const double bytes = 16.0 * static_cast<double>(field_points()) * fields;
  if (bytes < cache) return 0;
  return card.multiprocessors * std::max(1, kFftMaxThreads / side.threads) / fields;
}

void FftProduct::Impl::launch_rows(RowPass pass, RowArguments& rows, int fields, bool overlap,
                                   cudaStream_t stream) const {
  const bool inverse = pass == RowPass::inverse;
  const FftSide& side = row_side(fields);
  rows.mx = shape.mx;
  rows.my = shape.my;
  rows.pitch = pitch;
  rows.pass = side.pass();
  rows.pairs = side.group;
  rows.pair_shift = log2_of(2 * side.group);
  rows.blocks_ahead = inverse ? 0 : blocks_ahead(side, fields);
  const dim3 blocks((shape.my + 2 * side.group - 1) / (2 * side.group), fields);
  const int half = shape.padded_x() ? 1 : 0;
  launch_fft(inverse ? side.kernels().rows_inverse[half] : side.kernels().rows_forward[half],
             blocks, side, 1, overlap, rows, stream);
}

void FftProduct::Impl::launch_columns(ColumnArguments& column, int components, bool coupled,
                                      bool overlap, cudaStream_t stream) const {
  const FftSide& side = column_side(components);
  const bool line = shape.engine == FftEngine::line;
  column.my = shape.field_y();
  column.pitch = pitch;
  column.columns_per_block = side.group;
  column.pass = side.pass();
  column.blocks_ahead = line ? 0 : blocks_ahead(side, components);
  const int half = shape.padded_y() ? 1 : 0;
  const int cluster = coupled ? components : 1;
  const unsigned blocks = (column.columns + side.group - 1) / side.group;
  launch_fft(line ? side.kernels().line[cluster - 1] : side.kernels().columns[cluster - 1][half],
             dim3(blocks * cluster, cluster == 1 ? components : 1), side, cluster, overlap, column,
             stream);
}

FftProduct::Impl::Columns FftProduct::Impl::columns_of(const SpectrumMatrix& matrix,
                                                       const bool (&takes)[kDirections],
                                                       const bool (&gives)[kDirections]) {
  Columns of;
  for (int d = 0; d < kDirections; ++d)
    if (takes[d] || gives[d]) of.used[of.components++] = d;
  if (of.components > directions)
    throw Error("FftProduct was made for fewer directions than it is asked to multiply");
  ColumnArguments& column = of.arguments;
  column.columns = shape.columns();
  for (int c = 0; c < of.components; ++c) {
    const int to = of.used[c];
    column.takes[c] = takes[to];
    column.gives[c] = gives[to];
    column.work[c] = work.data() + field_points() * c;
    for (int b = 0; b < of.components; ++b) {
      const int from = of.used[b];
      const DeviceSpectrum* block = matrix.block[to][from];
      const bool present = block != nullptr && gives[to] && takes[from];
      if (present && !(block->shape() == shape))
        throw Error("FftProduct: a spectrum was made for another grid");
      column.spectrum[c][b] = present ? block->view(matrix.sign[to][from]) : SpectrumView{};
      of.coupled = of.coupled || (present && b != c);
    }
  }
  return of;
}

void FftProduct::apply(const SpectrumMatrix& matrix, const ConstFields& in, const Fields& out,
                       cudaStream_t stream, Accumulate accumulate) {
  Impl& impl = *impl_;
  const bool add = accumulate == Accumulate::yes;
  bool takes[kDirections];
  bool gives[kDirections];
  for (int d = 0; d < kDirections; ++d) {
    takes[d] = in.field[d] != nullptr;
    gives[d] = out.field[d] != nullptr;
  }
  Impl::Columns of = impl.columns_of(matrix, takes, gives);
  if (impl.shape.engine == FftEngine::cufft) {
    impl.cufft->apply(matrix, in, out, stream, accumulate);
    return;
  }

  int taken = 0;
  int given = 0;
  ColumnArguments& column = of.arguments;
  RowArguments rows{};
  column.add = rows.add = add;
  for (int c = 0; c < of.components; ++c) {
    column.in[c] = in.field[of.used[c]];
    column.out[c] = out.field[of.used[c]];
  }
  if (impl.shape.engine == FftEngine::line) {
    impl.launch_columns(column, of.components, of.coupled, false, stream);
    return;
  }
  for (int c = 0; c < of.components; ++c) {
    if (!column.takes[c]) continue;
    rows.in[taken] = column.in[c];
    rows.work[taken++] = column.work[c];
  }
  impl.launch_rows(RowPass::forward, rows, taken, true, stream);
  impl.launch_columns(column, of.components, of.coupled, true, stream);
  for (int c = 0; c < of.components; ++c) {
    if (!column.gives[c]) continue;
    rows.out[given] = column.out[c];
    rows.work[given++] = column.work[c];
  }
  impl.launch_rows(RowPass::inverse, rows, given, true, stream);
}

double2* FftProduct::work(int field) { return impl_->work.data() + impl_->field_points() * field; }

int FftProduct::pitch() const { return impl_->pitch; }

void FftProduct::forward_rows(const double* in, double2* work, cudaStream_t stream) const {
  RowArguments rows{};
  rows.in[0] = in;
  rows.work[0] = work;
  impl_->launch_rows(RowPass::forward, rows, 1, false, stream);
}

void FftProduct::multiply_columns(const FftColumns& fields, int columns,
                                  cudaStream_t stream) const {
  ColumnArguments column{};
  bool coupled = false;
  column.columns = columns;
  std::copy_n(fields.work, kDirections, column.work);
  std::copy_n(fields.takes, kDirections, column.takes);
  std::copy_n(fields.gives, kDirections, column.gives);
  for (int to = 0; to < fields.components; ++to) {
    for (int from = 0; from < fields.components; ++from) {
      column.spectrum[to][from] = fields.spectrum[to][from];
      coupled = coupled || (to != from && fields.spectrum[to][from].kind != SpectrumKind::none);
    }
  }
  impl_->launch_columns(column, fields.components, coupled, false, stream);
}

void FftProduct::backward_rows(double2* work, double* out, cudaStream_t stream) const {
  RowArguments rows{};
  rows.work[0] = work;
  rows.out[0] = out;
  impl_->launch_rows(RowPass::inverse, rows, 1, false, stream);
}

double FftProduct::bytes_moved(const SpectrumMatrix& matrix, int in_fields, int out_fields) const {
  const FftShape& shape = impl_->shape;
  const double field = 8.0 * shape.mx * shape.my;
  double spectra = 0.0;
  const DeviceSpectrum* counted[kDirections * kDirections] = {};
  int count = 0;
  for (const auto& row : matrix.block) {
    for (const DeviceSpectrum* block : row) {
      bool seen = block == nullptr;
      for (int i = 0; i < count; ++i) seen = seen || counted[i] == block;
      if (seen) continue;
      counted[count++] = block;
      spectra += static_cast<double>(block->bytes());
    }
  }
  if (shape.engine == FftEngine::line) return (in_fields + out_fields) * field + spectra;
  return (in_fields + out_fields) * (field + 32.0 * shape.columns() * shape.my) + spectra;
}

SpectrumMatrix make_spectrum_matrix(Block shape,
                                    const DeviceSpectrum* const (&components)[kComponents]) {
  SpectrumMatrix matrix;
  for (int to = 0; to < kDirections; ++to) {
    for (int from = 0; from < kDirections; ++from) {
      if (!block_gives(shape, to) || !block_takes(shape, from)) continue;
      const BlockTerm term = block_term(to, from);
      matrix.block[to][from] = components[term.component];
      matrix.sign[to][from] = term.sign;
    }
  }
  return matrix;
}

}  // namespace slipfield
