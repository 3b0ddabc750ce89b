// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/ranks/slab_convolution.cpp. The kernels of gpu/fft/kernels.cuh do the transforms
// where they have the lengths, else cuFFT, of a batch of rows or of a panel of columns at a time.
//
// Traffic of a card for one product of one field, periodic grid, by element of its rows: rows 16
// and back 16 bytes, panels brought 16 and returned 16; in between 16 and the spectrum by the fused
// kernels, which keep a column in shared memory, 50 to 82 by cuFFT.
#include "gpu/cards/slab_product.h"

#include <algorithm>

#include "gpu/cards/slab_transforms.cuh"
#include "gpu/device/current_device.h"

namespace slipfield {

using namespace slab_detail;

namespace {

// Rows of mx numbers to rows of nx, 0 behind them.
__global__ void pad_rows_kernel(const double* in, int mx, int nx, int rows, double* padded) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= nx) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y)
    padded[static_cast<std::size_t>(y) * nx + x] =
        x < mx ? in[static_cast<std::size_t>(y) * mx + x] : 0.0;
}

__global__ void cut_rows_kernel(const double* padded, int mx, int nx, int rows, bool add,
                                double* out) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= mx) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) {
    const double value = padded[static_cast<std::size_t>(y) * nx + x];
    double* to = out + static_cast<std::size_t>(y) * mx + x;
    *to = add ? *to + value : value;
  }
}

// Transforms of length 1, which cuFFT has none of.
__global__ void to_complex_kernel(const double* in, int count, double2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = make_double2(in[i], 0.0);
}
__global__ void to_real_kernel(const double2* in, int count, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i].x;
}

struct PanelSpectrum {
  const double* values;  // from the panel's first column on
  int own;               // columns from one ky to the next
  bool imaginary;
  double sign;
  double parity_y;
};

// Columns c < columns of a panel by their spectrum.
__global__ void multiply_panel_kernel(double2* panel, int width, int columns, int ny,
                                      const PanelSpectrum s) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  for (int ky = blockIdx.y; ky < ny; ky += gridDim.y) {
    const bool mirrored = 2 * ky > ny;
    const double factor = mirrored ? s.sign * s.parity_y : s.sign;
    const double value =
        factor * s.values[static_cast<std::size_t>(mirrored ? ny - ky : ky) * s.own + c];
    double2& z = panel[static_cast<std::size_t>(ky) * width + c];
    z = s.imaginary ? make_double2(-value * z.y, value * z.x)
                    : make_double2(value * z.x, value * z.y);
  }
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

FftShape with_rows(FftShape shape, int rows) {
  shape.my = rows;
  return shape;
}

FftShape shape_of_one(const Grid& grid) {
  return make_fft_shape(grid.mx, grid.my, grid.boundary, current_limits());
}

}  // namespace

SlabProduct::Impl::Impl(CardSharing& of_team, int of_card, const Grid& grid, cudaStream_t on)
    : team(of_team),
      card(of_card),
      shape(grid, of_team.count(), shape_of_one(grid)),
      rows(slab_rows(of_card, of_team.count(), grid.my)),
      columns(slab_rows(of_card, of_team.count(), shape.columns())),
      stream(on),
      panels{Panel(shape.panel_points()), Panel(shape.panel_points())},
      field(shared_rows(grid.my, shape.fused)) {
  if (!shape.fused) {
    plan_cufft();
    return;
  }
  const FftShape one = shape_of_one(grid);
  fused_columns.emplace(one, 0);
  if (rows.count != 0) fused_rows.emplace(with_rows(one, rows.count), 0);
}

// Also where the program's own kernels take over once a spectrum is there.
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
  const int own = rows_of(card, all).count;
  result.own =
      DeviceArray<double2>(as_size(by_column ? pitch_of(own) : own) * as_size(shape.columns()));
  for (void* address : team.tell(card, result.own.data()))
    result.of_card.push_back(static_cast<double2*>(address));
  return result;
}

void SlabProduct::Impl::forward(const double* padded, int count, double2* to,
                                const RowPlans& plans) {
  if (shape.nx == 1) {
    to_complex_kernel<<<blocks_over(count, 1), 128, 0, stream>>>(padded, count, to);
    SLIPFIELD_LAUNCH_CHECK("to_complex_kernel");
    return;
  }
  SLIPFIELD_CUFFT_CHECK(cufftExecD2Z(plans.forward.get(), const_cast<double*>(padded), to));
}

void SlabProduct::Impl::forward_rows(const double* in) {
  const bool padded = shape.grid.boundary == Boundary::free;
  for (int row = 0; row < rows.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, rows.count - row);
    const double* from = in + as_size(row) * shape.grid.mx;
    if (padded) {
      pad_rows_kernel<<<blocks_over(shape.nx, count), 128, 0, stream>>>(
          from, shape.grid.mx, shape.nx, count, batch.data());
      SLIPFIELD_LAUNCH_CHECK("pad_rows_kernel");
      from = batch.data();
    }
    forward(from, count, field.own.data() + as_size(row) * shape.columns(),
            count == shape.rows_batch ? full : rest);
  }
}

void SlabProduct::Impl::backward_rows(double* out, bool add) {
  const bool cut = add || shape.grid.boundary == Boundary::free;
  for (int row = 0; row < rows.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, rows.count - row);
    double2* const from = field.own.data() + as_size(row) * shape.columns();
    double* const to = out + as_size(row) * shape.grid.mx;
    double* const transformed = cut ? batch.data() : to;
    const RowPlans& plans = count == shape.rows_batch ? full : rest;
    if (shape.nx == 1) {
      to_real_kernel<<<blocks_over(count, 1), 128, 0, stream>>>(from, count, transformed);
      SLIPFIELD_LAUNCH_CHECK("to_real_kernel");
    } else {
      SLIPFIELD_CUFFT_CHECK(cufftExecZ2D(plans.backward.get(), from, transformed));
    }
    if (!cut) continue;
    cut_rows_kernel<<<blocks_over(shape.grid.mx, count), 128, 0, stream>>>(
        batch.data(), shape.grid.mx, shape.nx, count, add, to);
    SLIPFIELD_LAUNCH_CHECK("cut_rows_kernel");
  }
}

// Columns first .. first + width of this card's, between the panel and every card's rows.
void SlabProduct::Impl::move(Panel& panel, int first, int width, const SharedRows& all, Way way) {
  const bool bring = way == Way::bring;
  // Each card begins with the next one's rows, so that no two ask the same one at a time.
  for (int k = 1; k <= shape.cards; ++k) {
    const int other = (card + k) % shape.cards;
    const RowRange theirs = rows_of(other, all.rows);
    RowsOfBytes here{panel.values.data(), 0, team.device(card)};
    RowsOfBytes there{all.of_card[as_size(other)], 0, team.device(other)};
    const std::size_t column = as_size(columns.first) + as_size(first);
    std::size_t across = as_size(width);  // numbers of a copied row
    int count = theirs.count;             // of these rows
    if (all.by_column) {
      const auto from = as_size(theirs.first);
      across = as_size(theirs.count);
      count = width;
      here = {panel.values.data() + from, as_size(pitch_of(all.rows)), here.device};
      there = {all.of_card[as_size(other)] + column * as_size(pitch_of(theirs.count)),
               as_size(pitch_of(theirs.count)), there.device};
    } else {
      here = {panel.values.data() + as_size(theirs.first) * shape.panel, as_size(shape.panel),
              here.device};
      there = {all.of_card[as_size(other)] + column, as_size(shape.columns()), there.device};
    }
    here.pitch *= sizeof(double2);
    there.pitch *= sizeof(double2);
    copy_rows(bring ? here : there, bring ? there : here, across * sizeof(double2), count,
              panel.stream.get());
  }
}

SlabProduct::SlabProduct(CardSharing& team, int card, const Grid& grid, cudaStream_t stream)
    : impl_(std::make_unique<Impl>(team, card, grid, stream)) {}
SlabProduct::~SlabProduct() = default;

// The panel holds columns of my numbers, by the strides of the engine.
void SlabProduct::Impl::multiply(Panel& panel, int width, const SlabSpectrum& spectrum, int first,
                                 double sign) {
  const double* const values = spectrum.values.data() + as_size(first) * spectrum.stride_x;
  const int my = shape.grid.my;
  const int ny = shape.ny;
  if (shape.fused) {
    SpectrumView view;
    view.values = values;
    view.kind = SpectrumKind::real_quarter;
    view.imaginary = spectrum.imaginary ? 1 : 0;
    view.parity_y = spectrum.parity_y;
    view.sign = sign;
    view.stride_x = spectrum.stride_x;
    view.stride_y = spectrum.stride_y;
    fused_columns->multiply_columns(panel.values.data(), width, view, panel.stream.get());
    return;
  }
  SLIPFIELD_CUDA_CHECK(cudaMemsetAsync(panel.values.data() + as_size(my) * shape.panel, 0,
                                       as_size(ny - my) * shape.panel * sizeof(double2),
                                       panel.stream.get()));
  panel.transform(ny, CUFFT_FORWARD);
  const PanelSpectrum part{values, static_cast<int>(spectrum.stride_y), spectrum.imaginary, sign,
                           spectrum.parity_y};
  multiply_panel_kernel<<<blocks_over(width, ny), 128, 0, panel.stream.get()>>>(
      panel.values.data(), shape.panel, width, ny, part);
  SLIPFIELD_LAUNCH_CHECK("multiply_panel_kernel");
  panel.transform(ny, CUFFT_INVERSE);
}

void SlabProduct::apply(const SlabSpectrum& spectrum, double sign, const double* in, double* out,
                        Accumulate accumulate) {
  Impl& m = *impl_;
  const bool add = accumulate == Accumulate::yes;
  if (m.fused_rows) {
    m.fused_rows->forward_rows(in, m.field.own.data(), m.stream);
  } else if (!m.shape.fused) {
    m.forward_rows(in);
  }
  m.each_panel([&](Panel& panel, int first, int width) {
    m.move(panel, first, width, m.field, Impl::Way::bring);
    m.multiply(panel, width, spectrum, first, sign);
    m.move(panel, first, width, m.field, Impl::Way::give_back);
  });
  if (m.fused_rows) {
    m.fused_rows->backward_rows(m.field.own.data(), out, add, m.stream);
  } else if (!m.shape.fused) {
    m.backward_rows(out, add);
  }
}

}  // namespace slipfield
