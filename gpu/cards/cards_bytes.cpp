// SPDX-License-Identifier: Apache-2.0
// Counts the memory of the first of several cards, which has the most rows, in a dry run: a backend
// like gpu/cards/card_backend.h whose arrays have a size but no storage
// (solver/run/counting_backend.h), with products of the sizes in gpu/cards/slab_product.cu.
#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "gpu/cards/slab_shape.h"
#include "gpu/cuda_device.h"
#include "gpu/fft/shape.h"
#include "solver/memory_estimate.h"
#include "solver/problem.h"
#include "solver/ranks/counting_rows.h"
#include "solver/ranks/ranks.h"
#include "solver/step/contact_step.h"
#include "solver/tangential/coarse_ops.h"

namespace slipfield {
namespace {

constexpr std::size_t kComplex = 2 * sizeof(double);

// The memory of a SlabProduct, and the size of its spectra: the greater of that of the program's
// own kernels and of cuFFT, because the card decides which of them run.
class CountedProduct {
 public:
  CountedProduct(const Grid& grid, int cards)
      : grid_(grid),
        cards_(cards),
        shapes_{
            SlabShape(grid, cards, make_cufft_shape(grid.mx, grid.my, grid.boundary)),
            SlabShape(grid, cards, make_fft_shape(grid.mx, grid.my, grid.boundary, able_card()))} {
    need_fields(1);
    // The most for cuFFT's batch of rows, and its work space for those and for panels.
    constexpr std::size_t kWork = 2;
    plans_.grow(greater([](const SlabShape& shape) {
      return kComplex * ((1 + kWork) * as_count(shape.rows_batch) * as_count(shape.nx) +
                         kWork * as_count(shape.in_flight) * shape.panel_points());
    }));
  }

  [[nodiscard]] bool is_for(const Grid& grid) const {
    return grid_.mx == grid.mx && grid_.my == grid.my && grid_.dx == grid.dx &&
           grid_.dy == grid.dy && grid_.boundary == grid.boundary;
  }
  // Rows and panels for products of `count` fields.
  void need_fields(int count) {
    const int rows = own(grid_.my);
    fields_.grow(as_count(count) * greater([rows](const SlabShape& shape) {
                   return kComplex * (shape.row_points(rows, shape.fused) +
                                      as_count(shape.in_flight) * shape.panel_points());
                 }));
  }
  [[nodiscard]] std::size_t spectrum_bytes(const InfluenceKind& kind) const {
    const std::size_t numbers = has_parity(kind) ? 1 : 2;
    return greater([&](const SlabShape& shape) {
      return sizeof(double) * numbers * as_count(own(shape.columns())) *
             as_count(shape.spectrum_column(rows_kept(shape, kind)));
    });
  }
  // Rows of coefficients, until a spectrum is made; none for a symbol.
  [[nodiscard]] std::size_t table_bytes(const InfluenceKind& kind) const {
    if (grid_.boundary == Boundary::periodic) return 0;
    return greater([&](const SlabShape& shape) {
      return kComplex * shape.row_points(own(rows_kept(shape, kind)), false);
    });
  }

 private:
  static DeviceLimits able_card() {
    DeviceLimits limits;
    limits.capability = limits.code = 90;
    limits.multiprocessors = 132;
    limits.clusters = true;
    limits.shared_per_block = std::numeric_limits<std::size_t>::max();
    return limits;
  }
  [[nodiscard]] int own(int rows) const { return ranks::rows_of(0, cards_, rows).count; }
  // A spectrum with parity along y keeps only half of the rows.
  static int rows_kept(const SlabShape& shape, const InfluenceKind& kind) {
    const bool even_or_odd = kind.displacement == Displacement::current || kind.offset_y == 0.0;
    return even_or_odd ? shape.ny / 2 + 1 : shape.ny;
  }
  template <class Bytes>
  [[nodiscard]] std::size_t greater(const Bytes& bytes) const {
    return std::max(bytes(shapes_[0]), bytes(shapes_[1]));
  }

  Grid grid_;
  int cards_;
  std::array<SlabShape, 2> shapes_;
  CountedBytes fields_, plans_;
};

class CountingCard;

// The memory of CardInfluence.
class CountingCardInfluence final : public SpectralInfluence<CountedBytes> {
 public:
  CountingCardInfluence(const CountingCard& backend, const Grid& grid,
                        const CombinedMaterial& material, InfluenceMethod method,
                        const InfluenceKind& kind = {});

  static double self(Component /*component*/) { return 1.0; }
  void precondition_normal(const double* /*in*/, double* /*out*/) { inverse(Component::nn); }
  void set_across(const AcrossSymbol& /*symbol*/) {
    spectrum(Component::yy);
    across_.grow(spectrum(Component::xx).bytes());
  }
  void precondition_tangential(const double* /*in_x*/, const double* /*in_y*/,
                               const double* /*in_across*/, double* /*out_x*/, double* /*out_y*/,
                               double* /*out_across*/) {
    set_across({});
    inverse(Component::xx);
    inverse(Component::yy);
    product_->need_fields(kDirections);
  }

 private:
  void compute(Block block, const TractionField& /*traction*/,
               const DisplacementField& /*displacement*/) override {
    for (const ProductTerm& term : product_terms(block)) spectrum(term.component());
    product_->need_fields(fields_of(block));
  }
  CountedBytes make_spectrum(Component /*component*/) override {
    const CountedBytes table(product_->table_bytes(kind_));
    return CountedBytes(product_->spectrum_bytes(kind_));
  }
  CountedBytes invert(const CountedBytes& spectrum, double /*share*/) override {
    return CountedBytes(spectrum.bytes());
  }
  void drop(const InfluenceKind& /*last*/) override { across_ = {}; }

  std::shared_ptr<CountedProduct> product_;
  CountedBytes across_;
};

// The shared data of the cards' runs; see CardLocal.
struct CountingCardLocal : CountingBackend {
  using CountingBackend::CountingBackend;
  std::vector<std::weak_ptr<CountedProduct>> products;
};

class CountingCard : public CountingRows<CountingCardLocal> {
 public:
  using Influence = CountingCardInfluence;

  CountingCard(int cards, int most_krylov) : CountingRows(cards, most_krylov, false) {}

  [[nodiscard]] static std::size_t most_alone() { return kMostAlone; }
  [[nodiscard]] static std::size_t most_fetched() { return kMostFetched; }

  // See CardBackend.
  [[nodiscard]] std::shared_ptr<CountedProduct> product(const Grid& grid) const {
    for (const std::weak_ptr<CountedProduct>& made : local().products)
      if (auto product = made.lock(); product && product->is_for(grid)) return product;
    auto product = std::make_shared<CountedProduct>(grid, owners());
    local().products.push_back(product);
    return product;
  }
};

CountingCardInfluence::CountingCardInfluence(const CountingCard& backend, const Grid& grid,
                                             const CombinedMaterial& material,
                                             InfluenceMethod /*method*/, const InfluenceKind& kind)
    : SpectralInfluence(grid, material, kind), product_(backend.product(grid)) {}

}  // namespace

std::size_t cards_bytes(const ContactProblem& problem, int cards, int krylov_chunks) {
  constexpr std::size_t kOfTheRest = std::size_t{64} << 20;
  const CountingMemory counting;
  ContactRun<CountingCard> run(problem, {}, cards, krylov_products(krylov_chunks));
  const auto reserve = [&](std::optional<WindowForm> window) {
    // Twice: temporary memory of a step is added to everything that other steps have made.
    for (int pass = 0; pass < 2; ++pass)
      for (const StepInput& step : problem.steps) {
        run.reserve(step, window);
        if (!problem.sensitivities || !step.tangential.moment) continue;
        StepInput free = step;  // sensitivities take the vectors of GMRES without a moment
        free.tangential.moment.reset();
        run.reserve(free, window);
      }
  };
  reserve({});
  for (const WindowForm form : {WindowForm::wide, WindowForm::square, WindowForm::high})
    reserve(form);
  const std::size_t fields = counting.counts().fields.most;
  // A card also makes spectra of windows and coarse grids that it solves alone, and the pool loses
  // memory between its pieces.
  Grid alone = problem.grid;
  while (alone.count() > kMostAlone) alone = coarsen(alone);
  return kOfTheRest + counting.counts().all.most + spectrum_making_bytes(alone) + fields / 16;
}

}  // namespace slipfield
