// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_influence.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/cpu/cpu_summation.h"
#include "solver/cpu/recently_used.h"
#include "solver/cpu/spectrum_key.h"
#include "solver/influence/half_space_symbol.h"
#include "solver/influence/patch_modes.h"
#include "solver/influence/periodic_images.h"

namespace slipfield {
namespace {

// Caches spectra of influence coefficients for later solvers of this process with the same spacing,
// bodies and transform: steps and points of small contacts differ in shape and load, seldom in
// these. The contacts of a wheel and their windows have some hundred sizes of transforms.
constexpr std::size_t kMostBytes = std::size_t{1} << 26;  // of all that are kept: 64 MiB
constexpr std::size_t kMostOfOne = std::size_t{1} << 18;
using RecentSpectra = RecentlyUsed<SpectrumKey, Spectrum, SpectrumKey::Hash>;

RecentSpectra& recent_spectra() {
  static RecentSpectra kept(kMostBytes);
  return kept;
}

// Returns the cached spectrum with this key, or the result of `compute`, which is then cached: the
// most recent ones, of up to 256 KiB each. Larger ones are computed every time. Thread-safe.
template <class Compute>
Spectrum kept_spectrum(const SpectrumKey& key, const Compute& compute) {
  if (auto found = recent_spectra().find(key)) return std::move(*found);
  Spectrum spectrum = compute();
  const std::size_t bytes =
      (spectrum.real.size() + spectrum.imaginary.size()) * sizeof(spectrum.real[0]);
  if (bytes <= kMostOfOne)  // an entry and its place have the key
    recent_spectra().keep(key, spectrum, bytes + 2 * key.bytes() + RecentSpectra::kOwnBytes);
  return spectrum;
}

}  // namespace

CpuInfluence::CpuInfluence(const CpuBackend& /*backend*/, const Grid& grid,
                           const CombinedMaterial& material, InfluenceMethod method,
                           const InfluenceKind& kind)
    : SpectralInfluence(grid, material, kind), method_(method) {}

void CpuInfluence::drop(const InfluenceKind& /*last*/) {
  tables_ = {};
  newton_.reset();
  curved_.reset();
}

// The table extends as far as the transform, see CpuFftConvolution::transform.
InfluenceTable CpuInfluence::make_table(Component component) const {
  const TransformSizes size = transform_sizes(grid_);
  return influence_table(component, grid_, material_, kind_,
                         {.columns = std::max(size.x / 2, grid_.mx) + 1,
                          .rows = std::max(size.y / 2, grid_.my) + 1,
                          .half = true});
}

const std::shared_ptr<const InfluenceTable>& CpuInfluence::shared_table(Component component) {
  auto& slot = tables_[static_cast<std::size_t>(component)];
  if (!slot) slot = std::make_shared<const InfluenceTable>(make_table(component));
  return slot;
}

Spectrum CpuInfluence::make_spectrum(Component component) {
  if (grid_.boundary != Boundary::periodic) return table_spectrum(component);
  return convolution().from_symbol([&](int kx, int ky) {
    return half_space_symbol(component, kx, ky, grid_, material_, kind_);
  });
}

// From the table where there is one; otherwise from one that is not kept.
Spectrum CpuInfluence::table_spectrum(Component component) {
  SpectrumKey key{component,
                  convolution().transform_x(),
                  convolution().transform_y(),
                  grid_.dx,
                  grid_.dy,
                  images_of(grid_),
                  material_,
                  kind_};
  key.kind.curved.reset();  // neither affects the table
  key.kind.patches.reset();
  return kept_spectrum(key, [&] {
    const auto& there = tables_[static_cast<std::size_t>(component)];
    return there ? convolution().transform(*there) : convolution().transform(make_table(component));
  });
}

CpuFftConvolution& CpuInfluence::convolution() {
  if (!convolution_) convolution_ = std::make_unique<CpuFftConvolution>(grid_);
  return *convolution_;
}

Spectrum CpuInfluence::invert(const Spectrum& spectrum, double share) {
  return convolution().inverse(spectrum, share);
}

void CpuInfluence::precondition_normal(const double* in, double* out) {
  apply_each(convolution(), {{&inverse(Component::nn), in, out}});
}

CpuNewtonProduct& CpuInfluence::newton() {
  if (!newton_) {
    newton_.emplace(grid_, 1.0 / self(Component::xx));
    newton_->set_inverse(invert(spectrum(Component::xx), share()),
                         invert(spectrum(Component::yy), share()));
  }
  return *newton_;
}

template <class Real>
void CpuInfluence::invert_across(SpectrumOf<Real>& result) {
  const std::array<SpectrumShare, 2> sum{
      {{across_.xx, &spectrum(Component::xx)}, {across_.yy, &spectrum(Component::yy)}}};
  convolution().invert(across_.identity, sum, share(), result);
}

void CpuInfluence::set_across(const AcrossSymbol& symbol) {
  across_ = symbol;
  invert_across(newton().across());
}

void CpuInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                           const double* in_across, double* out_x, double* out_y,
                                           double* out_across) {
  Spectrum across;
  invert_across(across);
  const Spectrum x = invert(spectrum(Component::xx), share());
  const Spectrum y = invert(spectrum(Component::yy), share());
  apply_each(convolution(),
             {{&x, in_x, out_x}, {&y, in_y, out_y}, {&across, in_across, out_across}});
}

bool CpuInfluence::precondition_newton(const NewtonFields& f, const double* in, double* out) {
  newton().precondition(f, in, out);
  return true;
}

bool CpuInfluence::multiply_newton(const NewtonFields& f, const double* in, double* joined,
                                   double* out) {
  constexpr std::size_t kTerms = 4;
  if (kind_.curved || summation_is_faster(std::array{in, in + f.count}, kTerms)) return false;
  count_product();
  if (!newton().has_slip()) newton().set_slip(convolution_terms(Block::tangential));
  newton().multiply(f, in, joined, out);
  return true;
}

// Compares the flops of both methods divided by their rates, measured on two Zen 3 cores (bench
// matvec). On small grids plans and spectra, which sums do without, count more than the products.
bool CpuInfluence::summation_is_faster(std::span<const double* const> tractions,
                                       std::size_t terms) const {
  if (method_ != InfluenceMethod::automatic) return method_ == InfluenceMethod::summation;
  constexpr double kDirectFlopsPerSecond = 2.0e10;
  constexpr double kLarge = 65536.0;  // elements
  constexpr double kFftOverhead = 1.0e-5;
  const auto count = static_cast<double>(grid_.count());
  const double fft_flops_per_second = count < kLarge ? 2.0e9 : 1.0e10;
  const double fft_points = (grid_.boundary == Boundary::free ? 4.0 : 2.0) * count;
  const double fft_seconds =
      kFftOverhead + 5.0 * fft_points * std::log2(fft_points + 1.0) / fft_flops_per_second;
  const double displacements = static_cast<double>(terms) / static_cast<double>(tractions.size());
  const double most = fft_seconds * kDirectFlopsPerSecond / (2.0 * count * displacements);
  // Most products have more loaded elements, and find that out early in the middle of the grid.
  double loaded = 0.0;
  const auto middle = grid_.count() / 2;
  for (const double* traction : tractions) {
    const auto count_loaded = [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last && loaded < most; ++i)
        if (traction[i] != 0.0) loaded += 1.0;
    };
    count_loaded(middle, grid_.count());
    count_loaded(0, middle);
  }
  return loaded < most;
}

CpuCurved& CpuInfluence::curved() {
  if (!curved_) curved_ = std::make_unique<CpuCurved>(grid_, material_, kind_);
  return *curved_;
}

const InfluenceTable& CpuInfluence::table_of(const ProductTerm& term) {
  return kind_.curved ? curved().table(term.to, term.from) : table(term.component());
}

double CpuInfluence::sign(const ProductTerm& term) const {
  return kind_.curved ? 1.0 : term.sign();
}

void CpuInfluence::compute(Block block, const TractionField& traction,
                           const DisplacementField& displacement) {
  if (kind_.curved && curved().by_row())
    return curved().rows().apply(block, {traction.x, traction.y, traction.n},
                                 {displacement.x, displacement.y, displacement.n});
  if (block != Block::normal || !kind_.patches) return multiply(block, traction, displacement);
  multiply_by_modes(*kind_.patches, grid_.count(), traction.n, displacement.n, of_mode_, by_mode_,
                    [&](const double* in, double* out) { multiply(block, {.n = in}, {.n = out}); });
}

void CpuInfluence::multiply(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  const std::vector<const double*> in = taken_by(block, traction);
  const std::vector<double*> out = given_by(block, displacement);
  const std::vector<ProductTerm> terms = product_terms(block);
  if (grid_.boundary != Boundary::periodic && summation_is_faster(in, terms.size())) {
    std::vector<std::vector<LoadedElement>> loaded;
    for (const double* field : in) loaded.push_back(loaded_elements(grid_.mx, grid_.my, field));
    for (double* field : out) std::fill_n(field, grid_.count(), 0.0);
    for (const ProductTerm& term : terms) {
      const std::vector<LoadedElement>& elements = loaded[static_cast<std::size_t>(term.source)];
      if (elements.empty()) continue;  // without a table
      add_summed_product(grid_.mx, grid_.my, table_of(term), sign(term), elements,
                         out[static_cast<std::size_t>(term.target)]);
    }
    return;
  }
  convolution().apply(convolution_terms(block), in, out);
}

std::vector<ConvolutionTerm> CpuInfluence::convolution_terms(Block block) {
  std::vector<ConvolutionTerm> result;
  for (const ProductTerm& term : product_terms(block)) {
    const Spectrum& by = kind_.curved ? curved().spectrum(term.to, term.from, convolution())
                                      : spectrum(term.component());
    result.push_back({term.target, term.source, &by, sign(term)});
  }
  return result;
}

}  // namespace slipfield
