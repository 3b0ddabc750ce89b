// SPDX-License-Identifier: Apache-2.0
// A card's data for transforming its share of a grid; for slab_product.cu and slab_spectrum.cu.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "gpu/cards/slab_product.h"
#include "gpu/cufft/batched_fft.h"
#include "gpu/device/device_array.h"
#include "gpu/fft/fft_product.h"

namespace slipfield {

namespace slab_detail {

inline std::size_t as_size(int value) { return static_cast<std::size_t>(value); }

// Half-complex rows on every card: columns() numbers each or, for the fused kernels, column by
// column with a pitch.
struct SharedRows {
  int rows = 0;  // of all cards
  bool by_column = false;
  DeviceArray<double2> own;
  std::vector<double2*> of_card;
};

// Adjacent columns, one panel for each field of a product, with their stream and transform.
struct Panel {
  std::optional<CudaStream> own;                         // where there are several
  cudaStream_t stream = nullptr;                         // its own, or that of the product
  std::array<DeviceArray<double2>, kDirections> values;  // made on first use
  CufftPlan columns;
  CudaEvent done;

  void run_on(cudaStream_t of_product, bool several) {
    if (several) own.emplace();
    stream = several ? own->get() : of_product;
  }
  void need(int fields, std::size_t points) {
    for (int k = 0; k < fields; ++k) {
      DeviceArray<double2>& panel = values[as_size(k)];
      if (panel.size() == 0) panel = DeviceArray<double2>(points);
    }
  }
  // Makes cuFFT's plan for its columns.
  void plan(int width, int ny) {
    if (ny == 1 || width == 0) return;
    int length = ny;
    SLIPFIELD_CUFFT_CHECK(cufftPlanMany(columns.slot(), 1, &length, &length, width, 1, &length,
                                        width, 1, CUFFT_Z2Z, width));
    columns.made();
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(columns.get(), stream));
  }

  void transform(int field, int ny, int direction) {
    if (ny == 1) return;
    double2* const panel = values[as_size(field)].data();
    SLIPFIELD_CUFFT_CHECK(cufftExecZ2Z(columns.get(), panel, panel, direction));
  }
};

// Plans for transforms of several rows at a time.
struct RowPlans {
  CufftPlan forward;
  CufftPlan backward;

  void make(int nx, int rows, cudaStream_t stream) {
    if (nx == 1 || rows == 0) return;
    SLIPFIELD_CUFFT_CHECK(
        cufftPlanMany(forward.slot(), 1, &nx, nullptr, 1, 0, nullptr, 1, 0, CUFFT_D2Z, rows));
    forward.made();
    SLIPFIELD_CUFFT_CHECK(
        cufftPlanMany(backward.slot(), 1, &nx, nullptr, 1, 0, nullptr, 1, 0, CUFFT_Z2D, rows));
    backward.made();
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(forward.get(), stream));
    SLIPFIELD_CUFFT_CHECK(cufftSetStream(backward.get(), stream));
  }
};

// The fields of a product in the order of their directions: the k-th input and the k-th output
// share rows and panels.
struct SlabTerms {
  int taken = 0;
  int given = 0;
  const double* in[kDirections] = {};
  double* out[kDirections] = {};
  const SlabSpectrum* block[kDirections][kDirections] = {};  // by output and input
  double sign[kDirections][kDirections] = {};
  [[nodiscard]] int fields() const { return std::max(taken, given); }
};

}  // namespace slab_detail

struct SlabProduct::Impl {
  using Panel = slab_detail::Panel;
  using RowPlans = slab_detail::RowPlans;
  using SharedRows = slab_detail::SharedRows;
  using SlabTerms = slab_detail::SlabTerms;

  CardSharing& team;
  int card;
  SlabShape shape;
  RowRange rows;     // of the grid
  RowRange columns;  // of the transform
  cudaStream_t stream;
  CudaEvent ready;
  std::vector<Panel> panels;  // used in turn
  DeviceArray<double> batch;  // of rows, padded
  RowPlans full, rest;        // for rows_batch rows, and for the rest
  std::vector<SharedRows> fields;
  // Instead of the plans: the program's own kernels for this card's rows and for columns.
  std::optional<FftProduct> fused_rows, fused_columns;

  Impl(CardSharing& team, int card, const Grid& grid, cudaStream_t stream);

  [[nodiscard]] RowRange rows_of(int of_card, int all) const {
    return slab_rows(of_card, shape.cards, all);
  }
  [[nodiscard]] double scale() const {
    return 1.0 / (static_cast<double>(shape.nx) * static_cast<double>(shape.ny));
  }
  [[nodiscard]] int half_rows() const { return shape.ny / 2 + 1; }
  [[nodiscard]] int spectrum_rows(SpectrumKind kind) const {
    return kind == SpectrumKind::complex_full ? shape.ny : half_rows();
  }

  SharedRows shared_rows(int all, bool by_column);
  void need_fields(int count);
  void plan_cufft();
  void forward(const double* padded, int count, double2* to, const RowPlans& plans);
  void forward_rows(const double* in, SharedRows& field);
  void backward_rows(SharedRows& field, double* out);
  enum class Way { bring, give_back };
  void move(Panel& panel, double2* columns_of, int first, int width, const SharedRows& all,
            Way way);
  template <class Work>
  void each_panel(const Work& work);
  void fill_table(SharedRows& table, const CoefficientRecipe& recipe);
  [[nodiscard]] SlabSpectrum empty_spectrum(TableSymmetry symmetry) const;
  void multiply(Panel& panel, int first, int width, const SlabTerms& terms);
};

// Calls work(panel, first column of this card's, columns) for the panels in turn. All cards'
// streams synchronise before the first call and after the last.
template <class Work>
void SlabProduct::Impl::each_panel(const Work& work) {
  team.join(card, stream);
  const bool several = panels.size() > 1;
  if (several) SLIPFIELD_CUDA_CHECK(cudaEventRecord(ready.get(), stream));
  for (Panel& panel : panels)
    if (several) SLIPFIELD_CUDA_CHECK(cudaStreamWaitEvent(panel.stream, ready.get(), 0));
  std::size_t turn = 0;
  for (int first = 0; first < columns.count; first += shape.panel) {
    work(panels[turn], first, std::min(shape.panel, columns.count - first));
    turn = (turn + 1) % panels.size();
  }
  for (Panel& panel : panels) {
    if (!several) break;
    SLIPFIELD_CUDA_CHECK(cudaEventRecord(panel.done.get(), panel.stream));
    SLIPFIELD_CUDA_CHECK(cudaStreamWaitEvent(stream, panel.done.get(), 0));
  }
  team.join(card, stream);
}

}  // namespace slipfield
