// SPDX-License-Identifier: Apache-2.0
#include "solver/cpu/cpu_gauss_seidel.h"

#include <algorithm>
#include <array>

#include "solver/cpu/cpu_summation.h"

namespace slipfield {
namespace {

constexpr std::size_t kPanel = 16;
constexpr std::size_t kBlock = 256;  // large enough that threads rarely synchronise

}  // namespace

void CpuGaussSeidel::set_contact(CpuInfluence& influence, const unsigned char* state,
                                 SweepOrder order) {
  xx_ = &influence.table(Component::xx);
  xy_ = &influence.table(Component::xy);
  yy_ = &influence.table(Component::yy);
  block_slip_x_.resize(grid_.count());
  block_slip_y_.resize(grid_.count());
  compliance_ = {*xx_->at(0, 0), *xy_->at(0, 0), *yy_->at(0, 0)};
  elements_.clear();
  rows_.clear();
  for (int k = 0; k < grid_.my; ++k) {
    const int iy = order.y_backwards ? grid_.my - 1 - k : k;
    RowSpan row{iy, grid_.mx, 0};
    for (int l = 0; l < grid_.mx; ++l) {
      const int ix = order.x_backwards ? grid_.mx - 1 - l : l;
      const std::size_t index = grid_.index(ix, iy);
      if (state[index] == static_cast<unsigned char>(ElementState::exterior)) continue;
      elements_.push_back({ix, iy, index, 0.0});
      row.begin = std::min(row.begin, ix);
      row.end = std::max(row.end, ix + 1);
    }
    if (row.end > row.begin) rows_.push_back(row);
  }
}

SweepChange CpuGaussSeidel::sweep(const TangentialFields& fields, double relaxation) {
  SweepChange change;
  const auto rows = static_cast<std::ptrdiff_t>(rows_.size());
#pragma omp parallel if (elements_.size() > 2 * kBlock)
  for (std::size_t first = 0; first < elements_.size(); first += kBlock) {
    const std::size_t last = std::min(first + kBlock, elements_.size());
#pragma omp single
    solve_block(first, last, fields, relaxation, change);
#pragma omp for schedule(static)
    for (std::ptrdiff_t r = 0; r < rows; ++r) {
      const RowSpan& row = rows_[static_cast<std::size_t>(r)];
      add_changes(0, changes_.size(), row, fields.slip_x, fields.slip_y);
    }
  }
  return change;
}

// Solves panel after panel; each panel's changes reach the rest of the block before the next panel
// is solved. The slip of the block is a copy: the caller adds the whole block's changes to the slip
// everywhere.
void CpuGaussSeidel::solve_block(std::size_t first, std::size_t last,
                                 const TangentialFields& fields, double relaxation,
                                 SweepChange& change) {
  changes_.clear();
  const int top = std::max(elements_[first].iy, elements_[last - 1].iy);
  const int bottom = std::min(elements_[first].iy, elements_[last - 1].iy);
  const auto in_block = [bottom, top](const RowSpan& row) {
    return row.iy >= bottom && row.iy <= top;
  };
  for (const RowSpan& row : rows_) {
    if (!in_block(row)) continue;
    const std::size_t start = grid_.index(row.begin, row.iy);
    const auto width = static_cast<std::size_t>(row.end - row.begin);
    std::copy_n(fields.slip_x + start, width, block_slip_x_.begin() + start);
    std::copy_n(fields.slip_y + start, width, block_slip_y_.begin() + start);
  }
  for (std::size_t panel = first; panel < last; panel += kPanel) {
    const std::size_t from = changes_.size();
    solve_panel(panel, std::min(panel + kPanel, last), fields, relaxation, change);
    for (const RowSpan& row : rows_) {
      if (in_block(row)) {
        add_changes(from, changes_.size(), row, block_slip_x_.data(), block_slip_y_.data());
      }
    }
  }
}

void CpuGaussSeidel::solve_panel(std::size_t first, std::size_t last,
                                 const TangentialFields& fields, double relaxation,
                                 SweepChange& change) {
  const std::size_t own = changes_.size();
  for (std::size_t k = first; k < last; ++k) {
    Element& element = elements_[k];
    const std::size_t i = element.index;
    double slip_x = block_slip_x_[i];
    double slip_y = block_slip_y_[i];
    for (std::size_t c = own; c < changes_.size(); ++c) {
      const Change& other = changes_[c];
      const int kx = element.ix - other.ix;
      const int ky = element.iy - other.iy;
      const double xy = *xy_->at(kx, ky);
      slip_x += *xx_->at(kx, ky) * other.x + xy * other.y;
      slip_y += xy * other.x + *yy_->at(kx, ky) * other.y;
    }
    const double old_x = fields.traction_x[i];
    const double old_y = fields.traction_y[i];
    const double bound = fields.bound[i];
    const ElementTraction solved = solve_friction_element(
        compliance_, slip_x - compliance_.xx * old_x - compliance_.xy * old_y,
        slip_y - compliance_.xy * old_x - compliance_.yy * old_y, bound, element.lambda);
    element.lambda = solved.lambda;
    double x = old_x + relaxation * (solved.x - old_x);
    double y = old_y + relaxation * (solved.y - old_y);
    const double size2 = x * x + y * y;
    if (size2 > bound * bound) {
      const double scale = bound / std::sqrt(size2);
      x *= scale;
      y *= scale;
    }
    fields.traction_x[i] = x;
    fields.traction_y[i] = y;
    fields.state[i] = static_cast<unsigned char>(solved.state);
    changes_.push_back({element.ix, element.iy, x - old_x, y - old_y});
    change.change2 += (x - old_x) * (x - old_x) + (y - old_y) * (y - old_y);
    change.traction2 += x * x + y * y;
  }
}

void CpuGaussSeidel::add_changes(std::size_t begin, std::size_t end, const RowSpan& row,
                                 double* slip_x, double* slip_y) const {
  constexpr std::size_t kPair =
      kFused / 2;  // elements in one fused addition: two coefficients each
  const std::size_t start = grid_.index(row.begin, row.iy);
  for (std::size_t first = begin; first < end; first += kPair) {
    std::array<const double*, kFused> rows_x{};
    std::array<const double*, kFused> rows_y{};
    std::array<double, kFused> factor{};
    for (std::size_t k = 0; k < kPair; ++k) {
      const bool present = first + k < end;
      const Change& change = changes_[present ? first + k : first];
      const int kx = row.begin - change.ix;
      const int ky = row.iy - change.iy;
      rows_x[2 * k] = xx_->at(kx, ky);
      rows_x[2 * k + 1] = rows_y[2 * k] = xy_->at(kx, ky);
      rows_y[2 * k + 1] = yy_->at(kx, ky);
      factor[2 * k] = present ? change.x : 0.0;
      factor[2 * k + 1] = present ? change.y : 0.0;
    }
    add_scaled_rows(slip_x + start, row.end - row.begin, rows_x, factor);
    add_scaled_rows(slip_y + start, row.end - row.begin, rows_y, factor);
  }
}

}  // namespace slipfield
