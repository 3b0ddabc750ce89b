// SPDX-License-Identifier: Apache-2.0
#include "solver/normal/scattered_sums.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "solver/threads/team_work.h"

namespace slipfield {

bool ScatteredSums::possible(const Grid& grid, double contact_modulus,
                             const DiluteCoefficients& coefficients) {
  constexpr double kMostOblong = 2.0;
  constexpr double kEqual = 1.0e-8;  // transforms round what they form the coefficients of
  if (grid.boundary != Boundary::free || !(contact_modulus > 0.0)) return false;
  if (std::max(grid.dx, grid.dy) > kMostOblong * std::min(grid.dx, grid.dy)) return false;
  if (std::min(grid.mx, grid.my) < 4 * kReach * kStrides.back()) return false;
  const SmoothPart kernel = smooth_part(grid, contact_modulus, kStrides.back());
  const auto is_equal = [&](int kx, int ky) {
    const double expected = kernel.half_space(kx * grid.dx, ky * grid.dy);
    return std::fabs(coefficients.at(kx, ky) - expected) <= kEqual * expected;
  };
  return is_equal(1, 2) && is_equal(grid.mx / 8, grid.my / 8) && is_equal(grid.mx - 1, 0) &&
         is_equal(0, grid.my - 1) && is_equal(grid.mx - 1, grid.my - 1);
}

std::size_t ScatteredSums::memory_bytes(const Grid& grid, std::size_t elements) {
  constexpr std::size_t kOfPlace = 8;  // table, transform and fields
  constexpr std::size_t kMostReach = to_count(kReach * kStrides.back());
  constexpr std::size_t kNear = 4 * kMostReach * 3 * kMostReach;
  if (grid.boundary != Boundary::free) return 0;
  const Grid coarse = coarse_grid(grid, kStrides.front());
  return CpuFftConvolution::memory_bytes(coarse, 1, 1) +
         (kOfPlace * coarse.count() + kNear) * sizeof(double) +
         elements * (2 * sizeof(std::size_t) + 2 * sizeof(PressedElement));
}

ScatteredSums::ScatteredSums(const Grid& grid, double contact_modulus,
                             const DiluteCoefficients& coefficients, int stride)
    : grid_(grid), stride_(stride), coarse_(coarse_grid(grid, stride)), convolution_(coarse_) {
  const SmoothPart kernel = smooth_part(grid, contact_modulus, stride);
  reach_x_ = static_cast<int>(std::ceil(kernel.reach() / grid.dx)) + 1;
  reach_y_ = static_cast<int>(std::ceil(kernel.reach() / grid.dy)) + 1;
  const int beside = reach_x_ + kTogether;
  near_width_ = to_count(2 * beside + kTogether);
  near_.resize(near_width_ * to_count(reach_y_ + kBand));
  for (int ky = 0; ky < reach_y_; ++ky) {
    double* const middle = near_.data() + to_count(ky) * near_width_ + beside;
    for (int kx = 0; kx < reach_x_; ++kx) {
      const double x = kx * grid.dx;
      const double y = ky * grid.dy;
      if (!kernel.is_beyond(x, y))
        middle[kx] = middle[-kx] = coefficients.at(kx, ky) - kernel.smooth(x, y);
    }
  }
  spectrum_ = convolution_.transform(kernel.table(coarse_));
  weights_ = weights_of_places<kOrder>(stride);
  field_.resize(coarse_.count());
}

void ElementRuns::form(std::span<const int> x, std::span<const int> y) {
  runs.clear();
  bands.clear();
  for (std::size_t k = 0; k < x.size(); ++k) {
    const std::size_t first = runs.empty() ? k : runs.back().first;
    if (!runs.empty() && y[k] == y[first] && x[k] < x[first] + kTogether) {
      ++runs.back().count;
      continue;
    }
    if (runs.empty() || y[k] / kBand != y[first] / kBand) bands.push_back(runs.size());
    runs.push_back({k, 1});
  }
  bands.push_back(runs.size());
}

void ScatteredSums::take(std::span<const int> x, std::span<const int> y, const ElementRuns& runs) {
  x_ = x;
  y_ = y;
  runs_ = &runs;
  by_columns_.resize(x.size());
  std::iota(by_columns_.begin(), by_columns_.end(), std::size_t{0});
  std::ranges::sort(by_columns_, {},
                    [&](std::size_t k) { return std::tuple(y[k] / kBand, x[k], y[k]); });
  runs_by_columns_.resize(runs.runs.size());
  std::iota(runs_by_columns_.begin(), runs_by_columns_.end(), std::size_t{0});
  for (std::size_t band = 0; band + 1 < runs.bands.size(); ++band)
    std::sort(runs_by_columns_.begin() + static_cast<std::ptrdiff_t>(runs.bands[band]),
              runs_by_columns_.begin() + static_cast<std::ptrdiff_t>(runs.bands[band + 1]),
              [&](std::size_t a, std::size_t b) {
                return std::pair(x[runs.runs[a].first], a) < std::pair(x[runs.runs[b].first], b);
              });
  band_rows_.clear();
  for (std::size_t band = 0; band + 1 < runs.bands.size(); ++band)
    band_rows_.push_back(y[runs.runs[runs.bands[band]].first] / kBand * kBand);
  seconds_of_source_ =
      x.empty() ? 0.0
                : seconds(grid_, stride_, x, y, runs, x.size()) / static_cast<double>(x.size());
}

double ScatteredSums::seconds(const Grid& grid, int stride, std::span<const int> x,
                              std::span<const int> y, const ElementRuns& runs, std::size_t loaded) {
  // Elements within reach, from counts in squares of the reach: a window has 4 of the 9 around.
  const double reach = kReach * stride * std::max(grid.dx, grid.dy);
  const int reach_x = static_cast<int>(reach / grid.dx);
  const int reach_y = static_cast<int>(reach / grid.dy);
  const int columns = grid.mx / reach_x + 3;
  const int rows = grid.my / reach_y + 3;
  std::vector<double> counts(to_count(columns) * to_count(rows));
  const auto square = [&](int column, int row) -> double& {
    return counts[to_count(row) * to_count(columns) + to_count(column)];
  };
  for (std::size_t k = 0; k < x.size(); ++k) ++square(x[k] / reach_x + 1, y[k] / reach_y + 1);
  double pairs = 0.0;
  for (int row = 1; row + 1 < rows; ++row)
    for (int column = 1; column + 1 < columns; ++column)
      for (int other = row - 1; other <= row + 1; ++other)
        pairs += square(column, row) *
                 (square(column - 1, other) + square(column, other) + square(column + 1, other));
  constexpr double kOfElement = 25.0e-9;  // to the coarse grid and back
  const double points = 4.0 * static_cast<double>(coarse_grid(grid, stride).count());
  const double count = std::max(static_cast<double>(x.size()), 1.0);
  const double in_run = static_cast<double>(runs.runs.size()) / count;
  const double part = static_cast<double>(loaded) / count;
  return kOfRun * 4.0 / 9.0 * pairs * in_run * part + kOfPoint * points * std::log2(points) +
         kOfElement * count;
}

void ScatteredSums::multiply(std::span<const double> p, std::span<double> u) {
  form_smooth(p, u);
  add_near(p, u);
}

// The first place of the coarse grid that interpolates an element.
std::size_t ScatteredSums::first_place(std::size_t element) const {
  return coarse_.index(x_[element] / stride_, y_[element] / stride_);
}

void ScatteredSums::form_smooth(std::span<const double> p, std::span<double> u) {
  using Places = Eigen::Array<double, kOrder, 1>;
  std::ranges::fill(field_, 0.0);
  const auto stride = to_count(coarse_.mx);
  for (std::size_t k = 0; k < p.size(); ++k) {
    if (p[k] == 0.0) continue;
    const Eigen::Map<const Places> along_x(weights_[to_count(x_[k] % stride_)].data());
    const Weights& along_y = weights_[to_count(y_[k] % stride_)];
    double* row = field_.data() + first_place(k);
    for (int j = 0; j < kOrder; ++j, row += stride)
      Eigen::Map<Places>(row) += p[k] * along_y[to_count(j)] * along_x;
  }
  apply_each(convolution_, {{&spectrum_, field_.data(), field_.data()}});
  for (std::size_t k = 0; k < u.size(); ++k) {
    const Eigen::Map<const Places> along_x(weights_[to_count(x_[k] % stride_)].data());
    const Weights& along_y = weights_[to_count(y_[k] % stride_)];
    const double* row = field_.data() + first_place(k);
    Places sum = Places::Zero();
    for (int j = 0; j < kOrder; ++j, row += stride)
      sum += along_y[to_count(j)] * Eigen::Map<const Places>(row);
    u[k] = (sum * along_x).sum();
  }
}

void ScatteredSums::add_near(std::span<const double> p, std::span<double> u) {
  std::vector<PressedElement> sources;
  std::vector<std::size_t> begins(band_rows_.size() + 1);  // first source of each band
  for (const std::size_t k : by_columns_) {
    if (p[k] == 0.0) continue;
    const auto band = std::ranges::lower_bound(band_rows_, y_[k] / kBand * kBand);
    sources.push_back({x_[k], y_[k], p[k]});
    begins[static_cast<std::size_t>(band - band_rows_.begin()) + 1] = sources.size();
  }
  for (std::size_t band = 1; band < begins.size(); ++band)  // bands without a source
    begins[band] = std::max(begins[band], begins[band - 1]);
  const TeamWork work(band_rows_.size() > 1,
                      seconds_of_source_ * static_cast<double>(sources.size()));
#pragma omp parallel if (work.by_all())
  {
    std::vector<Columns> sums;  // of the runs of a band
#pragma omp for schedule(dynamic)
    for (std::size_t band = 0; band < band_rows_.size(); ++band) {
      const std::span<const std::size_t> runs(runs_by_columns_.data() + runs_->bands[band],
                                              runs_by_columns_.data() + runs_->bands[band + 1]);
      sums.assign(runs.size(), Columns::Zero());
      const int top = band_rows_[band];
      const auto nearest = std::ranges::upper_bound(band_rows_, top - reach_y_ - kBand);
      for (auto other = static_cast<std::size_t>(nearest - band_rows_.begin());
           other < band_rows_.size() && band_rows_[other] < top + kBand + reach_y_; ++other)
        add_band(runs, {sources.data() + begins[other], sources.data() + begins[other + 1]},
                 band_rows_[other], sums);
      for (std::size_t r = 0; r < runs.size(); ++r) {
        const ElementRuns::Run& run = runs_->runs[runs[r]];
        for (std::size_t k = run.first; k < run.first + run.count; ++k)
          u[k] += sums[r][x_[k] - x_[run.first]];
      }
    }
  }
}

// Adds to the sums of runs what the sources of the band from row `top` on displace within reach;
// both are by columns, and so the sources within reach move on with the runs.
void ScatteredSums::add_band(std::span<const std::size_t> runs,
                             std::span<const PressedElement> sources, int top,
                             std::span<Columns> sums) const {
  const int beside = reach_x_ + kTogether;
  std::size_t from = 0;
  std::size_t to = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const std::size_t first = runs_->runs[runs[r]].first;
    const int x = x_[first];
    const int y = y_[first];
    while (from < sources.size() && sources[from].x < x - reach_x_) ++from;
    while (to < sources.size() && sources[to].x < x + kTogether + reach_x_) ++to;
    if (top <= y - reach_y_ - kBand || top >= y + reach_y_) continue;
    // The coefficients of each row of the band, from column 0 of the grid on: finding those of a
    // source takes longer than the sums.
    std::array<const double*, kBand> of_row{};
    for (int row = 0; row < kBand; ++row)
      of_row[to_count(row)] =
          near_.data() + to_count(std::abs(y - top - row)) * near_width_ + beside + x;
    sums[r] += displaced_by(sources.subspan(from, to - from), [&](const PressedElement& source) {
      return of_row[to_count(source.y) % kBand] - source.x;
    });
  }
}

}  // namespace slipfield
