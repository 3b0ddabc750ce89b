// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_influence.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "solver/cpu/cpu_summation.h"
#include "solver/cpu/recently_used.h"
#include "solver/influence/half_space_symbol.h"
#include "solver/influence/patch_modes.h"
#include "solver/influence/periodic_images.h"

namespace slipfield {
namespace {

// What the spectrum of a table of coefficients depends on.
struct SpectrumKey {
  Component component = Component::nn;
  int transform_x = 0;
  int transform_y = 0;
  double dx = 0.0;
  double dy = 0.0;
  PeriodicImages images;
  CombinedMaterial material;
  InfluenceKind kind;
  bool operator==(const SpectrumKey&) const = default;
};

// Spectra of influence coefficients that the last solvers of this process computed, for the next
// one of the same spacing, bodies and transform: steps and points of small contacts differ in their
// shape and load, seldom in these.
constexpr std::size_t kMostValues = std::size_t{1} << 20;  // of all that are kept: 8 MiB
constexpr std::size_t kMostOfOne = kMostValues / 32;

RecentlyUsed<SpectrumKey, Spectrum>& recent_spectra() {
  static RecentlyUsed<SpectrumKey, Spectrum> kept(kMostValues);
  return kept;
}

// The kept spectrum with this key, or what `compute` returns, which is then kept: the ones asked
// for last, of up to 256 KiB each. Larger ones are computed every time. From any thread.
template <class Compute>
Spectrum kept_spectrum(const SpectrumKey& key, const Compute& compute) {
  if (auto found = recent_spectra().find(key)) return std::move(*found);
  Spectrum spectrum = compute();
  const std::size_t values = spectrum.real.size() + spectrum.imaginary.size();
  if (values <= kMostOfOne) recent_spectra().keep(key, spectrum, values);
  return spectrum;
}

}  // namespace

CpuInfluence::CpuInfluence(const CpuBackend& /*backend*/, const Grid& grid,
                           const CombinedMaterial& material, InfluenceMethod method,
                           const InfluenceKind& kind)
    : grid_(grid), material_(material), method_(method), kind_(kind) {}

void CpuInfluence::take_up(const InfluenceKind& kind) {
  if (kind == kind_) return;
  kind_ = kind;
  tables_ = {};
  spectra_ = {};
  inverse_normal_.reset();
  newton_.reset();
  curved_.reset();
}

const InfluenceTable& CpuInfluence::table(Component component) {
  auto& slot = tables_[static_cast<std::size_t>(component)];
  if (!slot) slot = influence_table(component, grid_, material_, kind_);
  return *slot;
}

const Spectrum& CpuInfluence::spectrum(Component component) {
  auto& slot = spectra_[static_cast<std::size_t>(component)];
  if (!slot) {
    slot = grid_.boundary == Boundary::periodic ? periodic_spectrum(component)
                                                : table_spectrum(component);
  }
  return *slot;
}

double CpuInfluence::self(Component component) const {
  return influence_coefficient(component, 0.0, 0.0, grid_, material_, kind_);
}

// The table reaches as far as the transform, see CpuFftConvolution::transform.
Spectrum CpuInfluence::table_spectrum(Component component) {
  const TableReach reach{convolution().transform_x() / 2 + 1, convolution().transform_y() / 2 + 1};
  SpectrumKey key{component,
                  convolution().transform_x(),
                  convolution().transform_y(),
                  grid_.dx,
                  grid_.dy,
                  images_of(grid_),
                  material_,
                  kind_};
  key.kind.curved.reset();  // neither counts in the table
  key.kind.patches.reset();
  return kept_spectrum(key, [&] {
    return convolution().transform(influence_table(component, grid_, material_, kind_, reach));
  });
}

Spectrum CpuInfluence::periodic_spectrum(Component component) {
  return convolution().from_symbol([&](int kx, int ky) {
    return half_space_symbol(component, kx, ky, grid_, material_, kind_);
  });
}

CpuFftConvolution& CpuInfluence::convolution() {
  if (!convolution_) convolution_ = std::make_unique<CpuFftConvolution>(grid_);
  return *convolution_;
}

void CpuInfluence::precondition_normal(const double* in, double* out) {
  if (!inverse_normal_) {
    inverse_normal_ = convolution().inverse(spectrum(Component::nn), kNormalShare);
  }
  const ConvolutionTerm term{0, 0, &*inverse_normal_, 1.0};
  const std::array<const double*, 1> source{in};
  const std::array<double*, 1> target{out};
  convolution().apply(std::span(&term, 1), source, target);
}

CpuNewtonProduct& CpuInfluence::newton() {
  if (!newton_) {
    newton_.emplace(grid_, 1.0 / self(Component::xx));
    newton_->set_inverse(
        convolution().inverse(spectrum(Component::xx), tangential_share(kind_, grid_)),
        convolution().inverse(spectrum(Component::yy), tangential_share(kind_, grid_)));
  }
  return *newton_;
}

template <class Real>
void CpuInfluence::invert_across(SpectrumOf<Real>& result) {
  const std::array<SpectrumShare, 2> sum{
      {{across_.xx, &spectrum(Component::xx)}, {across_.yy, &spectrum(Component::yy)}}};
  convolution().invert(across_.identity, sum, tangential_share(kind_, grid_), result);
}

void CpuInfluence::set_across(const AcrossSymbol& symbol) {
  across_ = symbol;
  invert_across(newton().across());
}

void CpuInfluence::precondition_tangential(const double* in_x, const double* in_y,
                                           const double* in_across, double* out_x, double* out_y,
                                           double* out_across) {
  const Spectrum x = convolution().inverse(spectrum(Component::xx), tangential_share(kind_, grid_));
  const Spectrum y = convolution().inverse(spectrum(Component::yy), tangential_share(kind_, grid_));
  Spectrum across;
  invert_across(across);
  const std::array<ConvolutionTerm, 3> terms{
      {{0, 0, &x, 1.0}, {1, 1, &y, 1.0}, {2, 2, &across, 1.0}}};
  const std::array<const double*, 3> source{in_x, in_y, in_across};
  const std::array<double*, 3> target{out_x, out_y, out_across};
  convolution().apply(terms, source, target);
}

bool CpuInfluence::precondition_newton(const NewtonFields& f, const double* in, double* out) {
  newton().precondition(f, in, out);
  return true;
}

bool CpuInfluence::multiply_newton(const NewtonFields& f, const double* in, double* joined,
                                   double* out) {
  const std::vector<Term> terms = terms_of(Block::tangential);
  if (kind_.curved || summation_is_faster(std::array{in, in + f.count}, terms.size())) return false;
  count_product();
  if (!newton().has_slip()) newton().set_slip(convolution_terms(terms));
  newton().multiply(f, in, joined, out);
  return true;
}

// Compares the flops of both ways over the rates measured for them on two Zen 3 cores (bench
// matvec).
bool CpuInfluence::summation_is_faster(std::span<const double* const> tractions,
                                       std::size_t terms) const {
  if (method_ != InfluenceMethod::automatic) return method_ == InfluenceMethod::summation;
  constexpr double kDirectFlopsPerSecond = 2.0e10;
  constexpr double kFftFlopsPerSecond = 2.0e9;
  constexpr double kFftOverhead = 1.0e-5;
  const auto count = static_cast<double>(grid_.count());
  const double fft_points = (grid_.boundary == Boundary::free ? 4.0 : 2.0) * count;
  const double fft_seconds =
      kFftOverhead + 5.0 * fft_points * std::log2(fft_points + 1.0) / kFftFlopsPerSecond;
  const double displacements = static_cast<double>(terms) / static_cast<double>(tractions.size());
  const double most = fft_seconds * kDirectFlopsPerSecond / (2.0 * count * displacements);
  // Most products have more loaded elements, and find them soon: in the middle of the grid.
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

const InfluenceTable& CpuInfluence::table(const Term& term) {
  return kind_.curved ? curved().table(term.to, term.from) : table(term.component());
}

const Spectrum& CpuInfluence::spectrum(const Term& term) {
  return kind_.curved ? curved().spectrum(term.to, term.from, convolution())
                      : spectrum(term.component());
}

double CpuInfluence::sign(const Term& term) const {
  return kind_.curved ? 1.0 : block_term(term.to, term.from).sign;
}

void CpuInfluence::compute(Block block, const TractionField& traction,
                           const DisplacementField& displacement) {
  if (kind_.curved && curved().by_row())
    return curved().rows().apply(block, {traction.x, traction.y, traction.n},
                                 {displacement.x, displacement.y, displacement.n});
  if (block != Block::normal || !kind_.patches) return multiply(block, traction, displacement);
  multiply_by_modes(*kind_.patches, grid_.count(), traction.n, displacement.n, of_mode_, by_mode_,
                    [&](const double* in, double* out) {
                      multiply(block, {nullptr, nullptr, in}, {nullptr, nullptr, out});
                    });
}

void CpuInfluence::multiply(Block block, const TractionField& traction,
                            const DisplacementField& displacement) {
  const std::array<const double*, kDirections> tractions{traction.x, traction.y, traction.n};
  const std::array<double*, kDirections> displacements{displacement.x, displacement.y,
                                                       displacement.n};
  std::vector<const double*> in;
  for (int from = 0; from < kDirections; ++from)
    if (block_takes(block, from)) in.push_back(tractions[static_cast<std::size_t>(from)]);
  std::vector<double*> out;
  for (int to = 0; to < kDirections; ++to)
    if (block_gives(block, to)) out.push_back(displacements[static_cast<std::size_t>(to)]);
  const std::vector<Term> terms = terms_of(block);
  if (grid_.boundary != Boundary::periodic && summation_is_faster(in, terms.size())) {
    std::vector<std::vector<LoadedElement>> loaded;
    for (const double* field : in) loaded.push_back(loaded_elements(grid_.mx, grid_.my, field));
    for (double* field : out) std::fill_n(field, grid_.count(), 0.0);
    for (const Term& term : terms) {
      const std::vector<LoadedElement>& elements = loaded[static_cast<std::size_t>(term.source)];
      if (elements.empty()) continue;  // without a table
      add_summed_product(table(term), sign(term), elements,
                         out[static_cast<std::size_t>(term.target)]);
    }
    return;
  }
  convolution().apply(convolution_terms(terms), in, out);
}

std::vector<CpuInfluence::Term> CpuInfluence::terms_of(Block block) {
  std::vector<Term> terms;
  int target = 0;
  for (int to = 0; to < kDirections; ++to) {
    if (!block_gives(block, to)) continue;
    int source = 0;
    for (int from = 0; from < kDirections; ++from)
      if (block_takes(block, from)) terms.push_back({target, source++, to, from});
    ++target;
  }
  return terms;
}

std::vector<ConvolutionTerm> CpuInfluence::convolution_terms(const std::vector<Term>& terms) {
  std::vector<ConvolutionTerm> result;
  for (const Term& term : terms)
    result.push_back({term.target, term.source, &spectrum(term), sign(term)});
  return result;
}

}  // namespace slipfield
