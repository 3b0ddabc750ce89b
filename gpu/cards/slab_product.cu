// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/ranks/slab_convolution.cpp. The kernels of gpu/fft/kernels.cuh do the transforms
// if they support the lengths, else cuFFT, for a batch of rows or a panel of columns at a time.
//
// Traffic of a card for each field of a product on a periodic grid, per element of its rows: 16
// bytes for rows and 16 for their inverse, 16 for panels arriving and 16 for returning; in between
// 16 and the spectra with the fused kernels, which keep a column in shared memory, 50 to 82 with
// cuFFT.
#include "gpu/cards/slab_product.h"

#include <algorithm>
#include <cstdint>

#include "gpu/cards/slab_transforms.cuh"
#include "gpu/cufft/field_passes.cuh"
#include "gpu/device/current_device.h"

namespace slipfield {

using namespace cufft_detail;
using namespace slab_detail;

namespace {

// Transforms of length 1, which cuFFT does not have.
__global__ void to_complex_kernel(const double* in, int count, double2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = make_double2(in[i], 0.0);
}
__global__ void to_real_kernel(const double2* in, int count, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i].x;
}

// Rows of bytes between two devices' memory.
struct RowsOfBytes {
  void* data;
  std::size_t pitch;
  int device;
};

void copy_rows(const RowsOfBytes& to, const RowsOfBytes& from, std::size_t width, int rows,
               cudaStream_t stream) {
  if (rows == 0 || width == 0) return;
  if (to.device == from.device) {
    SLIPFIELD_CUDA_CHECK(cudaMemcpy2DAsync(to.data, to.pitch, from.data, from.pitch, width, rows,
                                           cudaMemcpyDeviceToDevice, stream));
    return;
  }
  cudaMemcpy3DPeerParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from.data, from.pitch, width, rows);
  copy.dstPtr = make_cudaPitchedPtr(to.data, to.pitch, width, rows);
  copy.srcDevice = from.device;
  copy.dstDevice = to.device;
  copy.extent = make_cudaExtent(width, rows, 1);
  SLIPFIELD_CUDA_CHECK(cudaMemcpy3DPeerAsync(&copy, stream));
}

// cuFFT's alignment of real numbers: the second half of a Krylov vector may not have it.
bool is_aligned(const double* values) {
  return reinterpret_cast<std::uintptr_t>(values) % sizeof(double2) == 0;
}

FftShape with_rows(FftShape shape, int rows) {
  shape.my = rows;
  return shape;
}

FftShape shape_of_one(const Grid& grid) {
  return make_fft_shape(grid.mx, grid.my, grid.boundary, current_limits());
}

// By the matrix alone: the fields of a card without rows have no memory.
SlabTerms terms_of(const SlabMatrix& matrix, const ConstFields& in, const Fields& out) {
  bool takes[kDirections] = {};
  bool gives[kDirections] = {};
  for (int to = 0; to < kDirections; ++to) {
    for (int from = 0; from < kDirections; ++from) {
      if (matrix.block[to][from] == nullptr) continue;
      takes[from] = gives[to] = true;
    }
  }
  SlabTerms terms;
  for (int from = 0; from < kDirections; ++from)
    if (takes[from]) terms.in[terms.taken++] = in.field[from];
  for (int to = 0; to < kDirections; ++to) {
    if (!gives[to]) continue;
    int k = 0;
    for (int from = 0; from < kDirections; ++from) {
      if (!takes[from]) continue;
      terms.block[terms.given][k] = matrix.block[to][from];
      terms.sign[terms.given][k++] = matrix.sign[to][from];
    }
    terms.out[terms.given++] = out.field[to];
  }
  return terms;
}

}  // namespace

SpectrumView SlabSpectrum::view(int first, double sign) const {
  const std::size_t reals = kind == SpectrumKind::real_quarter ? 1 : 2;
  SpectrumView view;
  view.values = values.data() + reals * as_size(first) * stride_x;
  view.kind = kind;
  view.imaginary = imaginary ? 1 : 0;
  view.parity_y = parity_y;
  view.sign = sign;
  view.stride_x = stride_x;
  view.stride_y = stride_y;
  return view;
}

SlabProduct::Impl::Impl(CardSharing& of_team, int of_card, const Grid& grid, cudaStream_t on)
    : team(of_team),
      card(of_card),
      shape(grid, of_team.count(), shape_of_one(grid)),
      rows(slab_rows(of_card, of_team.count(), grid.my)),
      columns(slab_rows(of_card, of_team.count(), shape.columns())),
      stream(on),
      panels(as_size(shape.in_flight)) {
  for (Panel& panel : panels) panel.run_on(stream, panels.size() > 1);
  need_fields(1);
  if (!shape.fused) {
    plan_cufft();
    return;
  }
  const FftShape one = shape_of_one(grid);
  fused_columns.emplace(one, 0);
  if (rows.count != 0) fused_rows.emplace(with_rows(one, rows.count), 0);
}

// Also needed if the program's own kernels take over once a spectrum exists.
void SlabProduct::Impl::plan_cufft() {
  if (batch.size() != 0) return;
  batch = DeviceArray<double>(as_size(shape.rows_batch) * shape.nx);
  full.make(shape.nx, shape.rows_batch, stream);
  rest.make(shape.nx, rows.count % shape.rows_batch, stream);
  for (Panel& panel : panels) panel.plan(shape.panel, shape.ny);
}

SharedRows SlabProduct::Impl::shared_rows(int all, bool by_column) {
  SharedRows result;
  result.rows = all;
  result.by_column = by_column;
  result.own = DeviceArray<double2>(shape.row_points(rows_of(card, all).count, by_column));
  for (void* address : team.tell(card, result.own.data()))
    result.of_card.push_back(static_cast<double2*>(address));
  return result;
}

// Makes rows and panels for products of `count` fields.
void SlabProduct::Impl::need_fields(int count) {
  while (static_cast<int>(fields.size()) < count)
    fields.push_back(shared_rows(shape.grid.my, shape.fused));
  for (Panel& panel : panels) panel.need(count, shape.panel_points());
}

void SlabProduct::Impl::forward(const double* padded, int count, double2* to,
                                const RowPlans& plans) {
  if (shape.nx == 1) {
    to_complex_kernel<<<blocks_over(count, 1), kColumnThreads, 0, stream>>>(padded, count, to);
    SLIPFIELD_LAUNCH_CHECK("to_complex_kernel");
    return;
  }
  SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(plans.forward.get(), const_cast<double*>(padded), to));
}

void SlabProduct::Impl::forward_rows(const double* in, SharedRows& field) {
  if (shape.fused) {
    if (fused_rows) fused_rows->forward_rows(in, field.own.data(), stream);
    return;
  }
  const bool padded = shape.grid.boundary == Boundary::free;
  for (int row = 0; row < rows.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, rows.count - row);
    const double* from = in + as_size(row) * shape.grid.mx;
    if (padded || !is_aligned(from)) {
      pad_kernel<<<blocks_over(shape.nx, count), kColumnThreads, 0, stream>>>(
          from, shape.grid.mx, count, shape.nx, count, batch.data());
      SLIPFIELD_LAUNCH_CHECK("pad_kernel");
      from = batch.data();
    }
    forward(from, count, field.own.data() + as_size(row) * shape.columns(),
            count == shape.rows_batch ? full : rest);
  }
}

void SlabProduct::Impl::backward_rows(SharedRows& field, double* out) {
  if (field.by_column) {
    if (fused_rows) fused_rows->backward_rows(field.own.data(), out, stream);
    return;
  }
  const bool cut = shape.grid.boundary == Boundary::free || !is_aligned(out);
  for (int row = 0; row < rows.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, rows.count - row);
    double2* const from = field.own.data() + as_size(row) * shape.columns();
    double* const to = out + as_size(row) * shape.grid.mx;
    double* const transformed = cut ? batch.data() : to;
    const RowPlans& plans = count == shape.rows_batch ? full : rest;
    if (shape.nx == 1) {
      to_real_kernel<<<blocks_over(count, 1), kColumnThreads, 0, stream>>>(from, count,
                                                                           transformed);
      SLIPFIELD_LAUNCH_CHECK("to_real_kernel");
    } else {
      SLIPFIELD_CUFFT_CHECK(cufftExecZ2D(plans.backward.get(), from, transformed));
    }
    if (!cut) continue;
    cut_kernel<<<blocks_over(shape.grid.mx, count), kColumnThreads, 0, stream>>>(
        batch.data(), shape.grid.mx, count, shape.nx, false, to);
    SLIPFIELD_LAUNCH_CHECK("cut_kernel");
  }
}

// Columns first .. first + width of this card's, between the panel and every card's rows.
void SlabProduct::Impl::move(Panel& panel, double2* columns_of, int first, int width,
                             const SharedRows& all, Way way) {
  const bool bring = way == Way::bring;
  // Each card begins with the next card's rows, so that no two read from the same card at a time.
  for (int k = 1; k <= shape.cards; ++k) {
    const int other = (card + k) % shape.cards;
    const RowRange theirs = rows_of(other, all.rows);
    RowsOfBytes here{columns_of, 0, team.device(card)};
    RowsOfBytes there{all.of_card[as_size(other)], 0, team.device(other)};
    const std::size_t column = as_size(columns.first) + as_size(first);
    std::size_t across = as_size(width);  // numbers of a copied row
    int count = theirs.count;             // of these rows
    if (all.by_column) {
      const auto from = as_size(theirs.first);
      across = as_size(theirs.count);
      count = width;
      here = {columns_of + from, as_size(fft_pitch(all.rows)), here.device};
      there = {all.of_card[as_size(other)] + column * as_size(fft_pitch(theirs.count)),
               as_size(fft_pitch(theirs.count)), there.device};
    } else {
      here = {columns_of + as_size(theirs.first) * shape.panel, as_size(shape.panel), here.device};
      there = {all.of_card[as_size(other)] + column, as_size(shape.columns()), there.device};
    }
    here.pitch *= sizeof(double2);
    there.pitch *= sizeof(double2);
    copy_rows(bring ? here : there, bring ? there : here, across * sizeof(double2), count,
              panel.stream);
  }
}

SlabProduct::SlabProduct(CardSharing& team, int card, const Grid& grid, cudaStream_t stream)
    : impl_(std::make_unique<Impl>(team, card, grid, stream)) {}
SlabProduct::~SlabProduct() = default;

// The panel holds columns of my numbers with the strides of the engine.
void SlabProduct::Impl::multiply(Panel& panel, int first, int width, const SlabTerms& terms) {
  FftColumns columns_of;
  columns_of.components = terms.fields();
  for (int to = 0; to < columns_of.components; ++to) {
    columns_of.work[to] = panel.values[as_size(to)].data();
    columns_of.takes[to] = to < terms.taken;
    columns_of.gives[to] = to < terms.given;
    for (int from = 0; from < terms.taken; ++from) {
      const SlabSpectrum* const block = terms.block[to][from];
      if (block != nullptr)
        columns_of.spectrum[to][from] = block->view(first, terms.sign[to][from]);
    }
  }
  if (shape.fused) return fused_columns->multiply_columns(columns_of, width, panel.stream);
  const int my = shape.grid.my;
  const int ny = shape.ny;
  MultiplyArguments arguments{};
  arguments.columns = width;
  arguments.width = shape.panel;
  arguments.ny = ny;
  for (int k = 0; k < columns_of.components; ++k) {
    arguments.block[k] = columns_of.work[k];
    arguments.takes[k] = columns_of.takes[k];
    arguments.gives[k] = columns_of.gives[k];
    std::copy_n(columns_of.spectrum[k], kDirections, arguments.spectrum[k]);
    if (!columns_of.takes[k]) continue;
    SLIPFIELD_CUDA_CHECK(cudaMemsetAsync(columns_of.work[k] + as_size(my) * shape.panel, 0,
                                         as_size(ny - my) * shape.panel * sizeof(double2),
                                         panel.stream));
    panel.transform(k, ny, CUFFT_FORWARD);
  }
  multiply_kernel<<<blocks_over(width, ny), kColumnThreads, 0, panel.stream>>>(arguments);
  SLIPFIELD_LAUNCH_CHECK("multiply_kernel");
  for (int k = 0; k < terms.given; ++k) panel.transform(k, ny, CUFFT_INVERSE);
}

void SlabProduct::apply(const SlabMatrix& matrix, const ConstFields& in, const Fields& out) {
  Impl& m = *impl_;
  const SlabTerms terms = terms_of(matrix, in, out);
  m.need_fields(terms.fields());
  for (int k = 0; k < terms.taken; ++k) m.forward_rows(terms.in[k], m.fields[as_size(k)]);
  m.each_panel([&](Panel& panel, int first, int width) {
    for (int k = 0; k < terms.taken; ++k)
      m.move(panel, panel.values[as_size(k)].data(), first, width, m.fields[as_size(k)],
             Impl::Way::bring);
    m.multiply(panel, first, width, terms);
    for (int k = 0; k < terms.given; ++k)
      m.move(panel, panel.values[as_size(k)].data(), first, width, m.fields[as_size(k)],
             Impl::Way::give_back);
  });
  for (int k = 0; k < terms.given; ++k) m.backward_rows(m.fields[as_size(k)], terms.out[k]);
}

bool SlabProduct::is_for(const Grid& grid) const {
  const Grid& own = impl_->shape.grid;
  return own.mx == grid.mx && own.my == grid.my && own.dx == grid.dx && own.dy == grid.dy &&
         own.boundary == grid.boundary;
}

}  // namespace slipfield
