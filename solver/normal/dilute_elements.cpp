// SPDX-License-Identifier: Apache-2.0
#include "solver/normal/dilute_elements.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <span>
#include <utility>

#include "solver/threads/team_work.h"

namespace slipfield {

namespace {

// Groups of more connected elements are cut into squares; if all blocks together exceed the memory
// promised by memory_bytes(), into smaller ones: factors of larger blocks take longer than the
// iterations that they save.
constexpr int kEdge = 24;
constexpr int kLeastEdge = 12;

constexpr int kTogether = ElementRuns::kTogether;
constexpr int kBand = ElementRuns::kBand;
using Columns = Eigen::Array<double, kTogether, 1>;
constexpr double kOfRun = ScatteredSums::kOfRun;
constexpr double kOfPoint = ScatteredSums::kOfPoint;

}  // namespace

std::shared_ptr<const InfluenceTable> even_table(const Grid& grid,
                                                 const std::vector<double>& coefficients) {
  InfluenceTable table{grid.mx, grid.my + 1, {}, true};
  table.values.resize(table.size(), 0.0);
  for (int iy = 0; iy < grid.my; ++iy)
    for (int ix = 0; ix < grid.mx; ++ix)
      table.values[table.place(ix, iy)] = table.values[table.place(-ix, iy)] =
          coefficients[grid.index(ix, iy)];
  return std::make_shared<const InfluenceTable>(std::move(table));
}

DiluteElements::DiluteElements(const Grid& grid, DiluteCoefficients coefficients,
                               double half_space_modulus)
    : grid_(grid), coefficients_(std::move(coefficients)), half_space_modulus_(half_space_modulus) {
  if (!ScatteredSums::possible(grid, half_space_modulus, coefficients_)) half_space_modulus_ = 0.0;
}

std::size_t DiluteElements::memory_bytes(const Grid& grid, std::size_t elements) {
  return ScatteredSums::memory_bytes(grid, elements) +
         2 * (grid.count() + static_cast<std::size_t>(grid.mx)) * sizeof(double) +
         elements *
             (kLeastEdge * kLeastEdge * sizeof(double) + 16 * sizeof(int) + 2 * sizeof(double));
}

double DiluteElements::coefficient(int a, int b) const {
  const auto ka = static_cast<std::size_t>(a);
  const auto kb = static_cast<std::size_t>(b);
  return coefficients_.at(x_[ka] - x_[kb], std::abs(y_[ka] - y_[kb]));
}

void DiluteElements::take(std::vector<int> elements, std::size_t loaded) {
  elements_ = std::move(elements);
  x_.resize(elements_.size());
  y_.resize(elements_.size());
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    x_[k] = elements_[k] % grid_.mx;
    y_[k] = elements_[k] / grid_.mx;
  }
  active_.clear();
  blocks_ = {};
  runs_.form(x_, y_);
  choose(loaded);
}

void DiluteElements::choose(std::size_t loaded) {
  const double points =
      static_cast<double>(grid_.count()) * (grid_.boundary == Boundary::free ? 4.0 : 1.0);
  // Direct sums may need a table first; it serves the products of a solution.
  constexpr double kOfCoefficient = 5.0e-8;  // seconds
  constexpr double kProducts = 40.0;
  const double table = coefficients_.has_all()
                           ? 0.0
                           : kOfCoefficient / kProducts * static_cast<double>(grid_.count());
  const double direct =
      kOfRun * static_cast<double>(runs_.runs.size()) * static_cast<double>(loaded) + table;
  const double transforms = kOfPoint * points * std::log2(points);
  sums_ = direct < transforms ? Sums::direct : Sums::none;
  // Sums that cost little anyway are exact, and need no coarse grid.
  constexpr double kFast = 2.0e-3;  // seconds
  double fastest = std::min(direct, transforms);
  if (half_space_modulus_ == 0.0 || fastest < kFast) return;
  int stride = 0;
  for (const int each : ScatteredSums::kStrides) {
    const double seconds = ScatteredSums::seconds(grid_, each, x_, y_, runs_, loaded);
    if (!(seconds < fastest)) continue;
    fastest = seconds;
    stride = each;
  }
  if (stride == 0) return;
  if (!split_ || split_->stride() != stride)
    split_.emplace(grid_, half_space_modulus_, coefficients_, stride);
  split_->take(x_, y_, runs_);
  sums_ = Sums::split;
}

std::vector<std::vector<int>> DiluteElements::connected(const unsigned char* active) const {
  const std::size_t count = elements_.size();
  std::vector<int> root(count);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::size_t k) {
    while (static_cast<std::size_t>(root[k]) != k) {
      root[k] = root[static_cast<std::size_t>(root[k])];
      k = static_cast<std::size_t>(root[k]);
    }
    return static_cast<int>(k);
  };
  const auto join = [&](std::size_t a, std::size_t b) {
    if (active[a] == 0 || active[b] == 0) return;
    const int one = find(a);
    const int other = find(b);
    root[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
  };
  // Elements are sorted by row: `above` follows k in the row above.
  std::size_t above = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (k > 0 && y_[k - 1] == y_[k] && x_[k - 1] == x_[k] - 1) join(k - 1, k);
    const auto behind = [&](std::size_t i) {
      return y_[i] < y_[k] - 1 || (y_[i] == y_[k] - 1 && x_[i] < x_[k] - 1);
    };
    while (above < k && behind(above)) ++above;
    for (std::size_t i = above; i < k && y_[i] == y_[k] - 1 && x_[i] <= x_[k] + 1; ++i) join(i, k);
  }
  std::vector<std::vector<int>> groups;
  std::vector<int> group_of(count, -1);
  for (std::size_t k = 0; k < count; ++k) {
    if (active[k] == 0) continue;
    // a root is the first element of its group
    int& group = group_of[static_cast<std::size_t>(find(k))];
    if (group < 0) {
      group = static_cast<int>(groups.size());
      groups.emplace_back();
    }
    groups[static_cast<std::size_t>(group)].push_back(static_cast<int>(k));
  }
  return groups;
}

std::vector<std::vector<int>> DiluteElements::in_squares(std::vector<int> members, int edge,
                                                         int offset) const {
  const auto square = [&](int k) {
    return std::pair((y_[static_cast<std::size_t>(k)] + offset) / edge,
                     (x_[static_cast<std::size_t>(k)] + offset) / edge);
  };
  std::ranges::stable_sort(members, {}, square);
  std::vector<std::vector<int>> parts;
  for (auto begin = members.begin(); begin != members.end();) {
    const auto end =
        std::find_if(begin, members.end(), [&](int k) { return square(k) != square(*begin); });
    parts.emplace_back(begin, end);
    begin = end;
  }
  return parts;
}

// Forms the blocks of these active elements; unchanged blocks keep their factors.
void DiluteElements::connect(const unsigned char* active) {
  const std::vector<std::vector<int>> groups = connected(active);
  std::size_t numbers = 0;
  for (const std::vector<int>& group : groups) {
    const std::size_t rows = std::min(group.size(), static_cast<std::size_t>(kEdge * kEdge));
    numbers += group.size() * rows;
  }
  const int edge = numbers <= elements_.size() * kLeastEdge * kLeastEdge ? kEdge : kLeastEdge;
  for (std::size_t way = 0; way < blocks_.size(); ++way) {
    std::vector<Block>& old = blocks_[way];
    std::vector<int> old_of(elements_.size(), -1);  // old block, by its first member
    for (std::size_t b = 0; b < old.size(); ++b)
      old_of[static_cast<std::size_t>(old[b].members.front())] = static_cast<int>(b);
    std::vector<Block> blocks;
    const auto add = [&](std::vector<int> members, double weight) {
      const int same = old_of[static_cast<std::size_t>(members.front())];
      if (same >= 0 && old[static_cast<std::size_t>(same)].members == members)
        blocks.push_back(std::move(old[static_cast<std::size_t>(same)]));
      else
        blocks.push_back({.members = std::move(members), .factor = {}});
      blocks.back().weight = weight;
    };
    const int offset = way == 0 ? 0 : edge / 2;
    for (const std::vector<int>& group : groups) {
      if (group.size() > static_cast<std::size_t>(edge) * static_cast<std::size_t>(edge)) {
        for (std::vector<int>& members : in_squares(group, edge, offset))
          add(std::move(members), 0.5);
      } else if (way == 0) {
        add(group, 1.0);
      }
    }
    old = std::move(blocks);
  }
}

void DiluteElements::multiply(const double* p, double* u) {
  if (sums_ == Sums::split)
    split_->multiply({p, elements_.size()}, {u, elements_.size()});
  else
    multiply_directly(p, u);
}

// The coefficients between a source and the columns of a run are contiguous; where those end
// outside the grid, they are of the next row. Those between two bands of rows are few enough to
// stay in a core's cache.
void DiluteElements::multiply_directly(const double* p, double* u) {
  sources_.clear();
  source_bands_.clear();
  for (std::size_t k = 0; k < elements_.size(); ++k) {
    if (p[k] == 0.0) continue;
    if (sources_.empty() || y_[k] / kBand != sources_.back().y / kBand)
      source_bands_.push_back(sources_.size());
    sources_.push_back({x_[k], y_[k], p[k]});
  }
  source_bands_.push_back(sources_.size());
  const std::size_t bands = runs_.bands.size() - 1;
  const InfluenceTable& all = coefficients_.all();
  const auto width = static_cast<std::ptrdiff_t>(all.width());
  const TeamWork work(bands > 1, kOfRun * static_cast<double>(runs_.runs.size()) *
                                     static_cast<double>(sources_.size()));
#pragma omp parallel for schedule(dynamic) if (work.by_all())
  for (std::size_t band = 0; band < bands; ++band) {
    const std::span<const ElementRuns::Run> runs(runs_.runs.data() + runs_.bands[band],
                                                 runs_.runs.data() + runs_.bands[band + 1]);
    std::vector<Columns> sums(runs.size(), Columns::Zero());
    for (std::size_t other = 0; other + 1 < source_bands_.size(); ++other) {
      const std::span<const PressedElement> sources(sources_.data() + source_bands_[other],
                                                    sources_.data() + source_bands_[other + 1]);
      for (std::size_t r = 0; r < runs.size(); ++r) {
        const std::size_t first = runs[r].first;
        const double* const at_x = all.at(x_[first], 0);
        const int y = y_[first];
        sums[r] += displaced_by(sources, [&](const PressedElement& source) {
          return at_x - source.x + width * std::abs(y - source.y);
        });
      }
    }
    for (std::size_t r = 0; r < runs.size(); ++r) {
      const std::size_t first = runs[r].first;
      for (std::size_t k = first; k < first + runs[r].count; ++k) u[k] = sums[r][x_[k] - x_[first]];
    }
  }
}

void DiluteElements::factor(Block& block) const {
  const auto rows = static_cast<Eigen::Index>(block.members.size());
  const double scale = 1.0 / own_coefficient();
  block.factor.resize(rows, rows);
  for (Eigen::Index column = 0; column < rows; ++column)
    for (Eigen::Index row = column; row < rows; ++row)
      block.factor(row, column) =
          static_cast<float>(scale * coefficient(block.members[static_cast<std::size_t>(row)],
                                                 block.members[static_cast<std::size_t>(column)]));
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXf>> cholesky(block.factor);  // factors in place
  if (cholesky.info() != Eigen::Success) block.factor.setIdentity();
}

void DiluteElements::precondition(const unsigned char* active, const double* r, double* z) {
  constexpr double kOfElement = 0.1e-6;  // seconds, mostly for blocks that change
  const std::size_t count = elements_.size();
  if (active_.size() != count || !std::equal(active_.begin(), active_.end(), active)) {
    active_.assign(active, active + count);
    connect(active);
  }
  const std::vector<double> from(r, r + count);
  std::fill_n(z, count, 0.0);
  for (std::vector<Block>& blocks : blocks_) {
    const TeamWork work(blocks.size() > 1, kOfElement * static_cast<double>(count));
#pragma omp parallel for schedule(dynamic, 16) if (work.by_all())
    for (Block& block : blocks) {
      if (block.factor.size() == 0) factor(block);
      add_solution(block, from.data(), z);
    }
  }
}

// Adds to z what the block's factor makes of r, whatever the size of r in single precision.
void DiluteElements::add_solution(const Block& block, const double* r, double* z) const {
  double size = 0.0;
  for (const int k : block.members) size = std::max(size, std::fabs(r[k]));
  if (!(size > 0.0)) return;
  Eigen::VectorXf values(block.factor.rows());
  for (Eigen::Index i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(r[block.members[static_cast<std::size_t>(i)]] / size);
  block.factor.triangularView<Eigen::Lower>().solveInPlace(values);
  block.factor.transpose().triangularView<Eigen::Upper>().solveInPlace(values);
  const double scale = block.weight * size / own_coefficient();
  for (Eigen::Index i = 0; i < values.size(); ++i)
    z[block.members[static_cast<std::size_t>(i)]] += scale * static_cast<double>(values[i]);
}

}  // namespace slipfield
