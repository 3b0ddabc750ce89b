// SPDX-License-Identifier: Apache-2.0
// Mirrors solver/ranks/slab_convolution.cpp. cuFFT does the transforms, of a batch of rows or of a
// panel of columns at a time.
//
// Traffic of a card for one product of one field, periodic grid, by element of its rows: rows 16
// and back 16 bytes; panels brought 16 and returned 16, transformed twice 32 or 64, multiplied 18:
// some 120 bytes, against 50 of the fused kernels, which keep a column in shared memory.
#include "gpu/cards/slab_product.h"

#include <algorithm>
#include <array>
#include <vector>

#include "gpu/cards/card_sharing.h"
#include "gpu/cards/slab_kernels.cuh"
#include "gpu/device/cuda_stream.h"
#include "gpu/fft/cufft_check.h"
#include "gpu/fft/spectrum_functions.cuh"

namespace slipfield {

namespace {

using namespace slab_detail;

std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

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

// Half-complex rows on every card, columns() numbers each.
struct SharedRows {
  int rows = 0;                  // of all cards
  DeviceArray<double2> own;
  std::vector<double2*> of_card;
};

// A panel of columns side by side, its stream and its transform.
struct Panel {
  CudaStream stream;
  DeviceArray<double2> values;
  CufftPlan columns;
  cudaEvent_t done = nullptr;

  Panel(int width, int ny) : values(as_size(width) * ny) {
    SLIPFIELD_CUDA_CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    if (ny == 1 || width == 0) return;
    int length = ny;
    SLIPFIELD_CUFFT_CHECK(cufftPlanMany(columns.slot(), 1, &length, &length, width, 1, &length,
                                        width, 1, CUFFT_Z2Z, width));
    columns.made();
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(columns.get(), stream.get()));
  }
  ~Panel() { SLIPFIELD_CUDA_REPORT(cudaEventDestroy(done)); }
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;

  void transform(int ny, int direction) {
    if (ny == 1) return;
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2Z(columns.get(), values.data(), values.data(), direction));
  }
};

// Transforms of so many rows at a time.
struct RowPlans {
  CufftPlan forward;
  CufftPlan backward;

  void make(int nx, int rows, cudaStream_t stream) {
    if (nx == 1 || rows == 0) return;
    SLIPFIELD_CUFFT_CHECK(cufftPlanMany(forward.slot(), 1, &nx, nullptr, 1, 0, nullptr, 1, 0,
                                        CUFFT_D2Z, rows));
    forward.made();
    SLIPFIELD_CUFFT_CHECK(cufftPlanMany(backward.slot(), 1, &nx, nullptr, 1, 0, nullptr, 1, 0,
                                        CUFFT_Z2D, rows));
    backward.made();
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(forward.get(), stream));
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(backward.get(), stream));
  }
};

}  // namespace

struct SlabProduct::Impl {
  CardSharing& team;
  int card;
  SlabShape shape;
  RowRange rows;     // of the grid
  RowRange columns;  // of the transform
  cudaStream_t stream;
  cudaEvent_t ready = nullptr;
  std::array<Panel, 2> panels;
  DeviceArray<double> batch;  // of rows, padded
  RowPlans full, rest;        // of rows_batch rows, and of those left
  SharedRows field;

  Impl(CardSharing& team, int card, const Grid& grid, cudaStream_t stream);
  ~Impl() { SLIPFIELD_CUDA_REPORT(cudaEventDestroy(ready)); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  [[nodiscard]] RowRange rows_of(int of_card, int all) const {
    return slab_rows(of_card, shape.cards, all);
  }
  [[nodiscard]] double scale() const {
    return 1.0 / (static_cast<double>(shape.nx) * static_cast<double>(shape.ny));
  }
  [[nodiscard]] int half_rows() const { return shape.ny / 2 + 1; }

  SharedRows shared_rows(int all);
  void forward(const double* padded, int count, double2* to, const RowPlans& plans);
  void forward_rows(const double* in);
  void backward_rows(double* out, bool add);
  enum class Way { bring, give_back };
  void move(Panel& panel, int first, int width, const SharedRows& all, Way way);
  template <class Work>
  void each_panel(const Work& work);
  void fill_table(SharedRows& table, const CoefficientRecipe& recipe);
  SlabSpectrum empty_spectrum(TableSymmetry symmetry) const;
};

SlabProduct::Impl::Impl(CardSharing& of_team, int of_card, const Grid& grid, cudaStream_t on)
    : team(of_team),
      card(of_card),
      shape(grid, of_team.count()),
      rows(slab_rows(of_card, of_team.count(), grid.my)),
      columns(slab_rows(of_card, of_team.count(), shape.columns())),
      stream(on),
      panels{Panel(shape.panel, shape.ny), Panel(shape.panel, shape.ny)},
      batch(as_size(shape.rows_batch) * shape.nx),
      field(shared_rows(grid.my)) {
  SLIPFIELD_CUDA_CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  full.make(shape.nx, shape.rows_batch, stream);
  rest.make(shape.nx, rows.count % shape.rows_batch, stream);
}

SharedRows SlabProduct::Impl::shared_rows(int all) {
  SharedRows result;
  result.rows = all;
  result.own =
      DeviceArray<double2>(as_size(rows_of(card, all).count) * as_size(shape.columns()));
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
  SLIPFIELD_CUFFT_CHECK(
      cufftExecD2Z(plans.forward.get(), const_cast<double*>(padded), to));
}

void SlabProduct::Impl::forward_rows(const double* in) {
  const bool padded = shape.grid.boundary == Boundary::free;
  for (int row = 0; row < rows.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, rows.count - row);
    const double* from = in + as_size(row) * shape.grid.mx;
    if (padded) {
      pad_rows_kernel<<<blocks_over(shape.nx, count), 128, 0, stream>>>(from, shape.grid.mx,
                                                                        shape.nx, count,
                                                                        batch.data());
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
  const std::size_t panel_pitch = as_size(shape.panel) * sizeof(double2);
  const std::size_t row_pitch = as_size(shape.columns()) * sizeof(double2);
  // Each card begins with the next one's rows, so that no two ask the same one at a time.
  for (int k = 1; k <= shape.cards; ++k) {
    const int other = (card + k) % shape.cards;
    const RowRange theirs = rows_of(other, all.rows);
    const RowsOfBytes here{panel.values.data() + as_size(theirs.first) * shape.panel, panel_pitch,
                           team.device(card)};
    const RowsOfBytes there{all.of_card[as_size(other)] + columns.first + first, row_pitch,
                            team.device(other)};
    const bool bring = way == Way::bring;
    copy_rows(bring ? here : there, bring ? there : here, as_size(width) * sizeof(double2),
              theirs.count, panel.stream.get());
  }
}

// work(panel, first column of this card's, columns), by turns on the two panels; before it all
// cards' streams have come here, and behind it they have done with it.
template <class Work>
void SlabProduct::Impl::each_panel(const Work& work) {
  team.join(card, stream);
  SLIPFIELD_CUDA_CHECK(cudaEventRecord(ready, stream));
  for (Panel& panel : panels)
    SLIPFIELD_CUDA_CHECK(cudaStreamWaitEvent(panel.stream.get(), ready, 0));
  std::size_t turn = 0;
  for (int first = 0; first < columns.count; first += shape.panel) {
    work(panels[turn], first, std::min(shape.panel, columns.count - first));
    turn = 1 - turn;
  }
  for (Panel& panel : panels) {
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(panel.done, panel.stream.get()));
    SLIPFIELD_CUDA_CHECK(cudaStreamWaitEvent(stream, panel.done, 0));
  }
  team.join(card, stream);
}

SlabSpectrum SlabProduct::Impl::empty_spectrum(TableSymmetry symmetry) const {
  SlabSpectrum spectrum;
  spectrum.values = DeviceArray<double>(as_size(columns.count) * as_size(half_rows()));
  const bool odd_x = symmetry.x < 0 && shape.nx > 1;
  const bool odd_y = symmetry.y < 0 && shape.ny > 1;
  spectrum.imaginary = odd_x != odd_y;
  spectrum.parity_y = odd_y ? -1.0 : 1.0;
  return spectrum;
}

// Rows 0 .. ny/2 of the padded table, transformed along x.
void SlabProduct::Impl::fill_table(SharedRows& table, const CoefficientRecipe& recipe) {
  const RowRange own = rows_of(card, table.rows);
  RowPlans last;
  last.make(shape.nx, own.count % shape.rows_batch, stream);
  for (int row = 0; row < own.count; row += shape.rows_batch) {
    const int count = std::min(shape.rows_batch, own.count - row);
    fill_table_rows_kernel<<<blocks_over(shape.nx, count), 128, 0, stream>>>(
        RecipeFunction{recipe}, shape.nx, shape.ny, own.first + row, count, recipe.symmetry(),
        batch.data());
    SLIPFIELD_LAUNCH_CHECK("fill_table_rows_kernel");
    forward(batch.data(), count, table.own.data() + as_size(row) * shape.columns(),
            count == shape.rows_batch ? full : last);
  }
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(stream));  // before the last plan goes
}

SlabProduct::SlabProduct(CardSharing& team, int card, const Grid& grid, cudaStream_t stream)
    : impl_(std::make_unique<Impl>(team, card, grid, stream)) {}
SlabProduct::~SlabProduct() = default;

SlabSpectrum SlabProduct::spectrum(Component component, const CombinedMaterial& material) {
  Impl& m = *impl_;
  const Grid& grid = m.shape.grid;
  CoefficientRecipe recipe;
  recipe.component = component;
  recipe.material = material;
  recipe.dx = grid.dx;
  recipe.dy = grid.dy;
  const TableSymmetry symmetry = recipe.symmetry();
  SlabSpectrum spectrum = m.empty_spectrum(symmetry);
  const int nx = m.shape.nx;
  const int ny = m.shape.ny;
  if (grid.boundary == Boundary::periodic) {
    if (m.columns.count == 0) return spectrum;
    constexpr double kTwoPi = 6.28318530717958647692;
    const PeriodicSymbol symbol{component, material, symmetry, grid.mx, grid.my,
                                kTwoPi / (grid.mx * grid.dx), kTwoPi / (grid.my * grid.dy)};
    fill_symbol_rows_kernel<<<blocks_over(m.columns.count, m.half_rows()), 128, 0, m.stream>>>(
        symbol, nx, ny, m.columns.first, m.columns.count, m.half_rows(), m.scale(),
        spectrum.values.data());
    SLIPFIELD_LAUNCH_CHECK("fill_symbol_rows_kernel");
    return spectrum;
  }
  SharedRows table = m.shared_rows(m.half_rows());
  m.fill_table(table, recipe);
  m.each_panel([&](Panel& panel, int first, int width) {
    m.move(panel, first, width, table, Impl::Way::bring);
    mirror_rows_kernel<<<blocks_over(m.shape.panel, ny / 2), 128, 0, panel.stream.get()>>>(
        panel.values.data(), m.shape.panel, ny, symmetry.y < 0 ? -1.0 : 1.0);
    SLIPFIELD_LAUNCH_CHECK("mirror_rows_kernel");
    panel.transform(ny, CUFFT_FORWARD);
    store_panel_kernel<<<blocks_over(width, m.half_rows()), 128, 0, panel.stream.get()>>>(
        panel.values.data(), m.shape.panel, m.half_rows(), first, width, m.columns.count,
        spectrum.imaginary, m.scale(), spectrum.values.data());
    SLIPFIELD_LAUNCH_CHECK("store_panel_kernel");
  });
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));  // all have read the table
  return spectrum;
}

SlabSpectrum SlabProduct::inverse(const SlabSpectrum& spectrum, double relative_cut) const {
  Impl& m = *impl_;
  SlabSpectrum result;
  result.values = DeviceArray<double>(spectrum.values.size());
  result.imaginary = spectrum.imaginary;
  result.parity_y = spectrum.parity_y;
  const std::size_t count = spectrum.values.size();
  DeviceArray<unsigned long long> bits(1);
  bits.zero(m.stream);
  constexpr int kBlocks = 1024;
  largest_value_kernel<<<kBlocks, 256, 0, m.stream>>>(spectrum.values.data(), count, bits.data());
  SLIPFIELD_LAUNCH_CHECK("largest_value_kernel");
  double own = 0.0;
  SLIPFIELD_CUDA_CHECK(
      cudaMemcpyAsync(&own, bits.data(), sizeof own, cudaMemcpyDeviceToHost, m.stream));
  SLIPFIELD_CUDA_CHECK(cudaStreamSynchronize(m.stream));
  const double largest = m.team.greatest(m.card, own) / m.scale();
  invert_values_kernel<<<kBlocks, 256, 0, m.stream>>>(spectrum.values.data(), count, m.scale(),
                                                      relative_cut * largest, spectrum.imaginary,
                                                      result.values.data());
  SLIPFIELD_LAUNCH_CHECK("invert_values_kernel");
  return result;
}

void SlabProduct::apply(const SlabSpectrum& spectrum, double sign, const double* in, double* out,
                        Accumulate accumulate) {
  Impl& m = *impl_;
  const int ny = m.shape.ny;
  const int my = m.shape.grid.my;
  const int pitch = m.shape.panel;
  m.forward_rows(in);
  m.each_panel([&](Panel& panel, int first, int width) {
    m.move(panel, first, width, m.field, Impl::Way::bring);
    SLIPFIELD_CUDA_CHECK(cudaMemsetAsync(panel.values.data() + as_size(my) * pitch, 0,
                                         as_size(ny - my) * pitch * sizeof(double2),
                                         panel.stream.get()));
    panel.transform(ny, CUFFT_FORWARD);
    const PanelSpectrum part{spectrum.values.data() + first, m.columns.count, spectrum.imaginary,
                             sign, spectrum.parity_y};
    multiply_panel_kernel<<<blocks_over(width, ny), 128, 0, panel.stream.get()>>>(
        panel.values.data(), pitch, width, ny, part);
    SLIPFIELD_LAUNCH_CHECK("multiply_panel_kernel");
    panel.transform(ny, CUFFT_INVERSE);
    m.move(panel, first, width, m.field, Impl::Way::give_back);
  });
  m.backward_rows(out, accumulate == Accumulate::yes);
}

}  // namespace slipfield
