// SPDX-License-Identifier: Apache-2.0
#include "solver/normal/grid_sums.h"

#include <Eigen/Core>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "solver/threads/team_work.h"

namespace slipfield {
namespace {

// Measured on a core of an EPYC [s]: a product with a coefficient in the near part; what an element
// of the grid takes to interpolate.
constexpr double kOfNear = 0.25e-9;
constexpr double kOfGridElement = 6.0e-9;

}  // namespace

std::size_t GridSums::memory_bytes(const Grid& grid, std::size_t elements) {
  constexpr std::size_t kOfPlace = 8;  // table, transform and fields
  constexpr std::size_t kMostReach = to_count(kReach * kStrides.back());
  constexpr std::size_t kNear = 4 * kMostReach * 2 * kMostReach;
  if (grid.boundary != Boundary::free) return 0;
  const Grid coarse = grid_of_places(grid, kStrides.front(), kOrder);
  return CpuFftConvolution::memory_bytes(coarse, 1, 1) +
         (kOfPlace * coarse.count() + kNear) * sizeof(double) +
         2 * elements * sizeof(PressedElement);
}

int GridSums::stride_for(const Grid& grid, std::size_t loaded) {
  const auto seconds_of = [](double points) {
    return ScatteredSums::kOfPoint * points * std::log2(points);
  };
  const double of_elements = kOfGridElement * static_cast<double>(grid.count());
  double fastest = seconds_of(4.0 * static_cast<double>(grid.count()));
  int best = 0;
  for (const int each : kStrides) {
    const double reach = kReach * each * std::max(grid.dx, grid.dy);
    const double near = std::numbers::pi * reach * reach / grid.element_area();
    const Grid coarse = grid_of_places(grid, each, kOrder);
    const double seconds = of_elements + kOfNear * near * static_cast<double>(loaded) +
                           seconds_of(4.0 * static_cast<double>(coarse.count()));
    if (!(seconds < fastest)) continue;
    fastest = seconds;
    best = each;
  }
  return best;
}

GridSums::GridSums(const Grid& grid, double contact_modulus, const DiluteCoefficients& coefficients,
                   int stride)
    : grid_(grid),
      stride_(stride),
      coarse_(grid_of_places(grid, stride, kOrder)),
      convolution_(coarse_),
      weights_(weights_of_places<kOrder>(stride)) {
  const SmoothPart part(grid, contact_modulus, kReach * stride * std::max(grid.dx, grid.dy),
                        kSmoothness);
  // No farther than two elements of the grid are apart.
  reach_x_ = std::min(static_cast<int>(std::ceil(part.reach() / grid.dx)) + 1, grid.mx);
  reach_y_ = std::min(static_cast<int>(std::ceil(part.reach() / grid.dy)) + 1, grid.my);
  const std::size_t width = to_count(2 * reach_x_ - 1);
  near_.resize(width * to_count(reach_y_));
  wide_.assign(to_count(reach_y_), -1);
  for (int ky = 0; ky < reach_y_; ++ky) {
    double* const middle = near_.data() + to_count(ky) * width + reach_x_ - 1;
    for (int kx = 0; kx < reach_x_; ++kx) {
      const double x = kx * grid.dx;
      const double y = ky * grid.dy;
      if (part.is_beyond(x, y)) break;
      middle[kx] = middle[-kx] = coefficients.at(kx, ky) - part.smooth(x, y);
      wide_[to_count(ky)] = kx;
    }
  }
  spectrum_ = convolution_.transform(part.table(coarse_));
  field_.resize(coarse_.count());
}

void GridSums::multiply(std::span<const int> elements, std::span<const double> p, double* u) {
  sources_.clear();
  for (std::size_t k = 0; k < elements.size(); ++k)
    if (p[k] != 0.0) sources_.push_back({elements[k] % grid_.mx, elements[k] / grid_.mx, p[k]});
  form_smooth();
  const TeamWork work(true, kOfGridElement * static_cast<double>(grid_.count()));
#pragma omp parallel if (work.by_all())
  {
    std::vector<double> places(to_count(coarse_.mx));
    std::vector<double> between(to_count(coarse_.mx));
#pragma omp for schedule(dynamic, 8)
    for (int row = 0; row < grid_.my; ++row)
      form_row(row, places, between, u + to_count(row) * to_count(grid_.mx));
  }
}

void GridSums::form_smooth() {
  using Places = Eigen::Array<double, kOrder, 1>;
  std::ranges::fill(field_, 0.0);
  for (const PressedElement& source : sources_) {
    const Eigen::Map<const Places> along_x(weights_[to_count(source.x % stride_)].data());
    const Weights& along_y = weights_[to_count(source.y % stride_)];
    double* row = field_.data() + coarse_.index(source.x / stride_, source.y / stride_);
    for (int j = 0; j < kOrder; ++j, row += coarse_.mx)
      Eigen::Map<Places>(row) += source.p * along_y[to_count(j)] * along_x;
  }
  apply_each(convolution_, {{&spectrum_, field_.data(), field_.data()}});
}

// places, between: memory for a row of the coarse grid each.
void GridSums::form_row(int row, std::vector<double>& places, std::vector<double>& between,
                        double* u) const {
  using Row = Eigen::Map<Eigen::ArrayXd>;
  using ConstRow = Eigen::Map<const Eigen::ArrayXd>;
  const Weights& along_y = weights_[to_count(row % stride_)];
  const double* from = field_.data() + coarse_.index(0, row / stride_);
  Row of_row(places.data(), coarse_.mx);
  of_row.setZero();
  for (int j = 0; j < kOrder; ++j, from += coarse_.mx)
    of_row += along_y[to_count(j)] * ConstRow(from, coarse_.mx);
  for (int place = 0; place < stride_; ++place) {
    const Weights& along_x = weights_[to_count(place)];
    const int count = (grid_.mx - place + stride_ - 1) / stride_;
    Row sums(between.data(), count);
    sums.setZero();
    for (int i = 0; i < kOrder; ++i)
      sums += along_x[to_count(i)] * ConstRow(&places[to_count(i)], count);
    for (int k = 0; k < count; ++k) u[k * stride_ + place] = between[to_count(k)];
  }
  const auto first = std::ranges::lower_bound(sources_, row - reach_y_ + 1, {}, &PressedElement::y);
  for (auto source = first; source != sources_.end() && source->y < row + reach_y_; ++source) {
    const int ky = std::abs(row - source->y);
    const int left = std::max(source->x - wide_[to_count(ky)], 0);
    const int right = std::min(source->x + wide_[to_count(ky)], grid_.mx - 1);
    if (left > right) continue;
    const double* const near = near_.data() + to_count(ky) * to_count(2 * reach_x_ - 1) +
                               (reach_x_ - 1 + left - source->x);
    Row(u + left, right - left + 1) += source->p * ConstRow(near, right - left + 1);
  }
}

}  // namespace slipfield
