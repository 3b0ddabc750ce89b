// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/cpu/cpu_fft_convolution.h. The kernels are in gpu/fft/kernels.cuh.
#include "gpu/fft/fft_product.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "gpu/cufft/cufft_product.h"
#include "gpu/device/current_device.h"
#include "gpu/fft/kernels.h"
#include "gpu/fft/length.h"

namespace slipfield {

namespace {

using fft_detail::ColumnArguments;
using fft_detail::FftKernels;
using fft_detail::RowArguments;

int log2_of(int power) {
  int log = 0;
  while ((1 << log) < power) ++log;
  return log;
}

FftKernels kernels_for(int per_thread) {
  using namespace fft_detail;
  return per_thread == 4 ? fft_kernels_4() : (per_thread == 8 ? fft_kernels_8() : fft_kernels_16());
}

constexpr int kPerThread[] = {4, 8, 16};

// Index into kPerThread: many threads for a transform where there are too few transforms to fill
// the device, few trips through shared memory where there are many. From a product's time [us] with
// (rows, columns) so many points per thread, NVIDIA H200, CUDA 13.0:
//                    (4,4)  (4,8)  (8,8) (8,16) (16,16)
//   128^2 normal       8.4    8.6   10.0   12.0    15.2
//   256^2 normal      11.7   10.6   10.8   16.5    20.0
//   256^2 tangential  17.3   14.3   14.0   18.1    22.8
//   512^2 normal      26.1   20.8   19.9   21.8    21.3
//   512^2 tangential  56.5   41.7   34.4   30.7    34.0
//  1024^2 normal       116     78   55.7   52.6    48.3
//  2048^2 normal         -      -    265    226     202
int choose_rows(int n, int pairs, int fields) {
  const double points = static_cast<double>(n) * pairs * fields;
  return points <= 1.2e5 ? 0 : (points <= 6.0e5 ? 1 : 2);
}
int choose_columns(int n, int columns, int fields) {
  const double points = static_cast<double>(n) * columns * fields;
  return points <= 1.0e5 ? 0 : (points <= 8.0e5 ? 1 : 2);
}
int choose_line(int n) { return n <= 1024 ? 0 : (n <= 4096 ? 1 : 2); }

int index_of(int per_thread) { return per_thread == 4 ? 0 : (per_thread == 8 ? 1 : 2); }

int round_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// One way to transform the rows or the columns.
struct Side {
  bool usable = false;  // fft_length_fits
  FftLength length;
  DeviceArray<double> twiddles;
  FftPass pass;
  FftKernels kernels{};
  int group = 1;    // pairs of rows, or columns, per block
  int threads = 0;  // of a block
  std::size_t shared_bytes = 0;
};

Side make_side(int n, int index, const DeviceLimits& card) {
  Side side;
  const int per_thread = kPerThread[index];
  side.usable = fft_length_fits(n, per_thread, card);
  if (!side.usable) return side;
  side.length = fft_length(n, per_thread);
  const std::vector<double> host = fft_twiddles(side.length);
  if (!host.empty()) side.twiddles = DeviceArray<double>(host);
  side.pass = make_fft_pass(side.length, reinterpret_cast<const double2*>(side.twiddles.data()));
  side.kernels = kernels_for(per_thread);
  return side;
}

int nearest_usable(const Side (&sides)[3], int index) {
  int found = index;
  while (found < 3 && !sides[found].usable) ++found;
  if (found == 3)
    for (found = index; !sides[found].usable;) --found;
  return found;
}

void set_group(Side& side, int group) {
  side.group = group;
  side.threads = round_up(side.pass.threads * group, 32);
  side.shared_bytes = fft_shared_bytes(side.length, group);
}

template <class Kernel>
void allow_shared_memory(Kernel* kernel, const DeviceLimits& card) {
  SLIPFIELD_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                            static_cast<int>(card.shared_per_block)));
}

template <class Arguments>
void launch(void (*kernel)(Arguments), dim3 blocks, int threads, std::size_t shared_bytes,
            int cluster, bool overlap, const Arguments& arguments, cudaStream_t stream) {
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  cudaLaunchAttribute attributes[2] = {};
  unsigned count = 0;
  if (cluster > 1) {
    attributes[count].id = cudaLaunchAttributeClusterDimension;
    attributes[count].val.clusterDim.x = cluster;
    attributes[count].val.clusterDim.y = 1;
    attributes[count++].val.clusterDim.z = 1;
  }
  if (overlap) {  // may start while the kernel before it ends; it waits by itself
    attributes[count].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attributes[count++].val.programmaticStreamSerializationAllowed = 1;
  }
  config.attrs = attributes;
  config.numAttrs = count;
  SLIPFIELD_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, arguments));
}

enum class RowPass { forward, inverse };

}  // namespace

struct FftProduct::Impl {
  DeviceLimits card = current_limits();
  FftShape shape;
  FftTuning tuning;
  int directions = 0;
  int pitch = 0;
  DeviceArray<double2> work;  // columns of `directions` fields
  Side row_sides[3];
  Side column_sides[3];
  std::optional<CufftProduct> cufft;  // in place of the kernels

  [[nodiscard]] std::size_t field_points() const {
    return shape.engine == FftEngine::fused ? static_cast<std::size_t>(shape.columns()) * pitch : 0;
  }
  void prepare_columns();
  void prepare_rows();
  const Side& row_side(int fields) const;
  const Side& column_side(int fields) const;
  int blocks_ahead(const Side& side, int fields) const;
  // overlap: with the kernel ahead of it in the stream.
  void launch_rows(RowPass pass, RowArguments& rows, int fields, bool overlap,
                   cudaStream_t stream) const;
  void launch_columns(ColumnArguments& column, int components, bool coupled, bool overlap,
                      cudaStream_t stream) const;
};

void FftProduct::Impl::prepare_columns() {
  for (int i = 0; i < 3; ++i) {
    Side& side = column_sides[i] = make_side(shape.ny, i, card);
    if (!side.usable) continue;
    // Enough columns for a warp or two; where there are few columns, rather more blocks.
    int columns = 1;
    const int wanted = shape.columns() >= 1024 ? 128 : 32;
    while (side.pass.threads * columns * 2 <= wanted && columns < shape.columns() &&
           fft_shared_bytes(side.length, 2 * columns) <= card.shared_per_block)
      columns *= 2;
    set_group(side, columns);
    for (const auto& coupled : side.kernels.columns)
      for (auto* kernel : coupled) allow_shared_memory(kernel, card);
    for (auto* kernel : side.kernels.line) allow_shared_memory(kernel, card);
  }
}

void FftProduct::Impl::prepare_rows() {
  pitch = round_up(shape.my, 8);
  for (int i = 0; i < 3; ++i) {
    Side& side = row_sides[i] = make_side(shape.nx, i, card);
    if (!side.usable) continue;
    // Four pairs write whole 128-byte lines; fewer where that would leave multiprocessors idle.
    int pairs = 4;
    const auto fits = [&](int count) {
      return side.pass.threads * count <= kFftMaxThreads &&
             fft_shared_bytes(side.length, count) <= card.shared_per_block;
    };
    const auto fills = [&](int count) {
      return (shape.my + 2 * count - 1) / (2 * count) >= 2 * card.multiprocessors;
    };
    while (pairs > 1 && !(fits(pairs) && fills(pairs))) pairs /= 2;
    while (side.pass.threads * pairs < 32 && pairs < 16 && 2 * pairs < shape.my && fits(2 * pairs))
      pairs *= 2;
    set_group(side, pairs);
    for (auto* kernel : side.kernels.rows_forward) allow_shared_memory(kernel, card);
    for (auto* kernel : side.kernels.rows_inverse) allow_shared_memory(kernel, card);
  }
}

const Side& FftProduct::Impl::row_side(int fields) const {
  int index = tuning.row_points_per_thread != 0 ? index_of(tuning.row_points_per_thread)
                                                : choose_rows(shape.nx, (shape.my + 1) / 2, fields);
  return row_sides[nearest_usable(row_sides, index)];
}

const Side& FftProduct::Impl::column_side(int fields) const {
  int index = tuning.column_points_per_thread != 0 ? index_of(tuning.column_points_per_thread)
              : shape.engine == FftEngine::line    ? choose_line(shape.ny)
                                                : choose_columns(shape.ny, shape.columns(), fields);
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

// As many blocks as run at a time, where the columns outgrow L2.
int FftProduct::Impl::blocks_ahead(const Side& side, int fields) const {
  const double cache = std::min(40e6, 0.8 * static_cast<double>(card.cache_bytes));
  const double bytes = 16.0 * static_cast<double>(field_points()) * fields;
  if (bytes < cache) return 0;
  return card.multiprocessors * std::max(1, kFftMaxThreads / side.threads) / fields;
}

void FftProduct::Impl::launch_rows(RowPass pass, RowArguments& rows, int fields, bool overlap,
                                   cudaStream_t stream) const {
  const bool inverse = pass == RowPass::inverse;
  const Side& side = row_side(fields);
  rows.mx = shape.mx;
  rows.my = shape.my;
  rows.pitch = pitch;
  rows.pass = side.pass;
  rows.pairs = side.group;
  rows.pair_shift = log2_of(2 * side.group);
  rows.blocks_ahead = inverse ? 0 : blocks_ahead(side, fields);
  const dim3 blocks((shape.my + 2 * side.group - 1) / (2 * side.group), fields);
  const int half = shape.boundary == Boundary::free ? 1 : 0;
  launch(inverse ? side.kernels.rows_inverse[half] : side.kernels.rows_forward[half], blocks,
         side.threads, side.shared_bytes, 1, overlap, rows, stream);
}

void FftProduct::Impl::launch_columns(ColumnArguments& column, int components, bool coupled,
                                      bool overlap, cudaStream_t stream) const {
  const Side& side = column_side(components);
  const bool line = shape.engine == FftEngine::line;
  column.my = shape.field_y();
  column.pitch = pitch;
  column.columns_per_block = side.group;
  column.pass = side.pass;
  column.blocks_ahead = line ? 0 : blocks_ahead(side, components);
  const int half = shape.boundary == Boundary::free ? 1 : 0;
  const int cluster = coupled ? components : 1;
  const unsigned blocks = (column.columns + side.group - 1) / side.group;
  launch(line ? side.kernels.line[cluster - 1] : side.kernels.columns[cluster - 1][half],
         dim3(blocks * cluster, cluster == 1 ? components : 1), side.threads, side.shared_bytes,
         cluster, overlap, column, stream);
}

void FftProduct::apply(const SpectrumMatrix& matrix, const ConstFields& in, const Fields& out,
                       cudaStream_t stream, Accumulate accumulate) {
  Impl& impl = *impl_;
  const bool add = accumulate == Accumulate::yes;
  int used[kDirections];  // the directions that take part, in order
  int components = 0;
  for (int d = 0; d < kDirections; ++d)
    if (in.field[d] != nullptr || out.field[d] != nullptr) used[components++] = d;
  if (components > impl.directions)
    throw Error("FftProduct was made for fewer directions than it is asked to multiply");
  if (impl.shape.engine == FftEngine::cufft) {
    impl.cufft->apply(matrix, in, out, stream, accumulate);
    return;
  }

  bool coupled = false;
  int taken = 0;
  int given = 0;
  ColumnArguments column{};
  RowArguments rows{};
  column.add = rows.add = add;
  column.columns = impl.shape.columns();
  for (int c = 0; c < components; ++c) {
    const int to = used[c];
    column.in[c] = in.field[to];
    column.out[c] = out.field[to];
    column.takes[c] = in.field[to] != nullptr;
    column.gives[c] = out.field[to] != nullptr;
    column.work[c] = impl.work.data() + impl.field_points() * c;
    for (int b = 0; b < components; ++b) {
      const int from = used[b];
      const DeviceSpectrum* block = matrix.block[to][from];
      const bool present =
          block != nullptr && out.field[to] != nullptr && in.field[from] != nullptr;
      if (present && !(block->shape() == impl.shape))
        throw Error("FftProduct: a spectrum was made for another grid");
      column.spectrum[c][b] = present ? block->view(matrix.sign[to][from]) : SpectrumView{};
      coupled = coupled || (present && b != c);
    }
  }
  if (impl.shape.engine == FftEngine::line) {
    impl.launch_columns(column, components, coupled, false, stream);
    return;
  }
  for (int c = 0; c < components; ++c) {
    if (!column.takes[c]) continue;
    rows.in[taken] = column.in[c];
    rows.work[taken++] = column.work[c];
  }
  impl.launch_rows(RowPass::forward, rows, taken, true, stream);
  impl.launch_columns(column, components, coupled, true, stream);
  for (int c = 0; c < components; ++c) {
    if (!column.gives[c]) continue;
    rows.out[given] = column.out[c];
    rows.work[given++] = column.work[c];
  }
  impl.launch_rows(RowPass::inverse, rows, given, true, stream);
}

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
