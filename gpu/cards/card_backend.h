// SPDX-License-Identifier: Apache-2.0
// One card's rows of the grid as a backend of the solvers (solver/fields/own_rows.h):
// gpu/backend/cuda_backend.h with sums over all cards.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gpu/backend/cuda_backend.h"
#include "gpu/cards/card_team.h"
#include "gpu/cards/slab_product.h"
#include "solver/fields/element_op.h"
#include "solver/fields/local_rows.h"
#include "solver/geometry.h"
#include "solver/influence/spectral_influence.h"
#include "solver/problem.h"
#include "solver/ranks/ranks.h"
#include "solver/ranks/shared_rows.h"

namespace slipfield {

// Products of the influence matrix with tractions whose rows are distributed over cards. Mirrors
// gpu/backend/cuda_influence.h.

class CardBackend;

// Fields are this card's rows in its memory. All cards make every call together, except self() and
// kind().
class CardInfluence final : public SpectralInfluence<SlabSpectrum> {
 public:
  // grid: the whole one. Products are by FFT and only for flat elastic bodies.
  CardInfluence(const CardBackend& backend, const Grid& grid, const CombinedMaterial& material,
                InfluenceMethod method, const InfluenceKind& kind = {});

  // See CudaInfluence.
  void precondition_normal(const double* in, double* out);
  void set_across(const AcrossSymbol& symbol);
  void precondition_tangential(const double* in_x, const double* in_y, const double* in_across,
                               double* out_x, double* out_y, double* out_across);

 private:
  void compute(Block block, const TractionField& traction,
               const DisplacementField& displacement) override;
  SlabSpectrum make_spectrum(Component component) override;
  SlabSpectrum invert(const SlabSpectrum& spectrum, double share) override;
  void drop(const InfluenceKind& last) override;

  std::shared_ptr<SlabProduct> product_;  // of all influences of the grid
  DeviceArray<LayerImage> layers_;        // of kind_
  SlabSpectrum inverse_across_;
};

// A card's stream and everything shared by its work.
struct CardLocal : CudaBackend {
  using CudaBackend::CudaBackend;
  std::vector<std::weak_ptr<SlabProduct>> products;  // one for each grid
};

// Copies share the card's stream.
class CardBackend : public LocalRows<CardLocal> {
 public:
  using Influence = CardInfluence;
  using GaussSeidel = NoSlabGaussSeidel;
  using Dense = NoSlabDense;
  static constexpr int kLeastForCoarseStart = CardLocal::kLeastForCoarseStart;

  // On the device of the calling thread. most_krylov: as CudaBackend's.
  CardBackend(CardTeam& team, int card, int most_krylov = kKrylovRestart)
      : LocalRows(std::make_shared<CardLocal>(most_krylov)), team_(&team), card_(card) {}

  [[nodiscard]] int most_krylov() const { return local().most_krylov(); }
  [[nodiscard]] cudaStream_t stream() const { return local().stream(); }

  [[nodiscard]] RowRange own_rows(int rows) const {
    return ranks::rows_of(card_, team_->count(), rows);
  }
  void add_up(std::span<double> values) const { team_->add_up(card_, values); }
  [[nodiscard]] double greatest_of(double value) const { return team_->greatest(card_, value); }
  template <class T>
  [[nodiscard]] std::vector<T> gather(const std::vector<T>& own) const {
    const std::vector<double> all = team_->gather(card_, {own.begin(), own.end()});
    return {all.begin(), all.end()};
  }
  void fetch_rows(const Grid& grid, const RowRange& wanted,
                  std::span<const RowsOfField> fields) const {
    team_->fetch_rows(card_, grid, wanted, fields, stream());
  }
  [[nodiscard]] CudaBackend& alone() { return local(); }
  [[nodiscard]] static std::size_t most_alone() { return kMostAlone; }
  [[nodiscard]] static std::size_t most_fetched() { return kMostFetched; }
  // Computed by the first card for all.
  [[nodiscard]] std::vector<double> own_distance(const std::vector<Shape>& geometry,
                                                 const Grid& grid,
                                                 const CombinedMaterial& material) const {
    std::vector<double> all;
    if (card_ == 0) all = undeformed_distance(geometry, grid, material);
    const auto own_part = [&](const std::vector<double>& whole) {
      return rows_of_field(grid, own_rows(grid.my), whole);
    };
    return team_->copy_of_first(card_, std::move(all), own_part);
  }

  // See CudaBackend. Together.
  bool form_distance(const std::vector<Shape>& shapes, const Grid& grid,
                     const CombinedMaterial& material, Array<double>& distance);

  // count: of this card's elements.
  template <class Op>
  void run(std::size_t count, const Op& op) {
    if constexpr (kSumsOf<Op> != 0) {
      double* const all = team_->sums(card_);
      local().run(count, op, all + card_ * kCardSums);
      team_->join(card_, stream());
      local().finish(op, all, team_->count());
    } else {
      local().run(count, op);
    }
  }

  // See CudaBackend; the cards synchronise once for a basis of any length.
  void orthogonalize(const KrylovBasis& basis, int count, double* w, float* /*stored*/,
                     KrylovColumn* column, std::size_t counted) {
    double* const all = team_->sums(card_);
    CudaKrylov& krylov = local().krylov();
    krylov.multiply(basis, count, w, counted, all + card_ * kCardSums);
    team_->join(card_, stream());
    krylov.add_up(all, team_->count(), kCardSums, count, column);
    krylov.subtract(basis, count, w, column);
  }

  [[nodiscard]] double greatest(const Array<double>& array) const {
    return greatest_of(array.size() == 0 ? 0.0 : local().greatest(array));
  }
  template <class T>
  void begin_read(const Array<T>& array) {
    local().begin_read(array);
  }
  template <class T>
  T end_read() {
    return local().template end_read<T>();
  }
  void drop_read() { local().drop_read(); }

  // The product of the whole grid `grid`, shared by all influences. Collective.
  [[nodiscard]] std::shared_ptr<SlabProduct> product(const Grid& grid) const {
    std::vector<std::weak_ptr<SlabProduct>>& products = local().products;
    for (const std::weak_ptr<SlabProduct>& made : products)
      if (auto product = made.lock(); product && product->is_for(grid)) return product;
    auto product = std::make_shared<SlabProduct>(*team_, card_, grid, stream());
    std::erase_if(products, [](const std::weak_ptr<SlabProduct>& made) { return made.expired(); });
    products.push_back(product);
    return product;
  }

 private:
  CardTeam* team_;
  int card_;
};

}  // namespace slipfield
