// SPDX-License-Identifier: Apache-2.0
// The normal problem if few elements of a grid touch, scattered over it (THEORY.md 4.8). In host
// memory.
//
// Candidates are the elements that may touch. bound_cg solves for their pressures alone,
// preconditioned by blocks of connected candidates; then one product over the whole grid shows
// where gaps are negative. Those elements become candidates, with some of small gap, until none is
// left.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solver/influence/block.h"
#include "solver/influence/influence_table.h"
#include "solver/normal/conjugate_normal.h"
#include "solver/normal/dilute_coefficients.h"
#include "solver/normal/dilute_elements.h"
#include "solver/normal/grid_sums.h"

namespace slipfield {

template <class Backend>
class DiluteNormal {
 public:
  template <class T>
  using Array = typename Backend::template Array<T>;
  using Influence = typename Backend::Influence;

  // distance: undeformed.
  DiluteNormal(Backend& backend, const Grid& grid, const CombinedMaterial& material,
               Influence& influence, const std::vector<double>& distance)
      : backend_(backend), grid_(grid), material_(material), influence_(influence) {
    if (!is_of_size(grid)) return;
    // Persson: A = sqrt(8/pi) F/(E* g'), g' the root mean square slope.
    constexpr double kPersson = 1.6;
    const double slope = rms_slope(distance);
    if (slope > 0.0)
      elements_for_force_ = kPersson / (material.contact_modulus() * slope * grid.element_area());
  }

  // The kind of sums in the products of the last solution.
  [[nodiscard]] std::optional<DiluteElements::Sums> sums() const {
    return dilute_ ? std::optional(dilute_->sums()) : std::nullopt;
  }

  [[nodiscard]] bool possible() const {
    return elements_for_force_ > 0.0 && has_parity(influence_.kind()) &&
           has_symmetric_normal(influence_.kind()) && influence_.kind().patches == nullptr;
  }

  // Like NormalSolver::solve, but returns nothing if this method does not pay; the pressures are
  // then as good a start as those given. done: in, iterations so far; out, plus those taken here.
  std::optional<NormalResult> solve(const Array<double>& distance, const NormalLoad& load,
                                    NormalMethod method, double tolerance, Array<double>& pressure,
                                    Array<double>& displacement, const NormalReport& report,
                                    int& done) {
    constexpr int kMostRounds = 8;
    if (!possible()) return std::nullopt;
    const double* h = distance.data();
    bool rough = false;
    tolerance_ = tolerance;
    std::vector<int> candidates = first(h, load, pressure.data(), displacement.data(), rough);
    for (int round = 0; round < kMostRounds && !candidates.empty() && candidates.size() <= most();
         ++round) {
      const Part part = solve_on(candidates, h, load, method, tolerance, rough, pressure.data(),
                                 displacement.data(), report, done);
      if (!part.result.converged) return std::nullopt;
      bool complete = part.exact;
      std::vector<int> next = touching_or_near(h, displacement.data(), pressure.data(),
                                               part.result.approach, candidates, complete);
      if (complete && !rough) {
        NormalResult result = part.result;
        result.has_own_product = true;
        return result;
      }
      if (next.empty()) return std::nullopt;
      if (!rough) {  // candidates stay candidates, so that the rounds end
        std::vector<int> both;
        std::ranges::set_union(candidates, next, std::back_inserter(both));
        next.swap(both);
      }
      candidates = std::move(next);
      rough = false;
    }
    return std::nullopt;
  }

  // Memory used on a grid, for the memory estimate [bytes].
  [[nodiscard]] static std::size_t memory_bytes(const Grid& grid) {
    constexpr std::size_t kOfElement = 10 * sizeof(double);
    if (!is_of_size(grid)) return 0;
    // touching_or_near() wants three times the most elements, and at most five times as many before
    // the negative gaps are too many; least_of() has twice that. Else it has all values.
    constexpr std::size_t kOfSmall = sizeof(Small) + sizeof(double);
    const std::size_t small = (10 * most_of(grid) + kMoreThanTwice) * kOfSmall;
    return grid.count() * sizeof(double) + most_of(grid) * kOfElement +
           std::max(small, grid.count() * sizeof(double)) +
           DiluteElements::memory_bytes(grid, most_of(grid)) +
           GridSums::memory_bytes(grid, most_of(grid));
  }

 private:
  struct Part {
    NormalResult result;
    std::size_t loaded = 0;
    bool exact = true;  // the sums were, to the tolerance
  };
  // The operator for conjugate gradients. grid_p: 0 except at the elements.
  struct OnElements {
    DiluteElements& dilute;
    Influence& influence;
    double* grid_p;
    double* grid_u;

    void multiply(const double* p, double* u) const {
      if (dilute.sums() != DiluteElements::Sums::none) {
        dilute.multiply(p, u);
        return;
      }
      const std::vector<int>& elements = dilute.elements();
      for (std::size_t k = 0; k < elements.size(); ++k) grid_p[elements[k]] = p[k];
      influence.apply(Block::normal, {.n = grid_p}, {.n = grid_u});
      for (std::size_t k = 0; k < elements.size(); ++k) u[k] = grid_u[elements[k]];
    }
    void precondition(const NormalFields& f) const {
      dilute.precondition(f.active, f.residual, f.preconditioned);
    }
  };

  static bool is_of_size(const Grid& grid) {
    constexpr std::size_t kLeast = 65536;
    // A run of columns that ends outside the grid reads on in the next row, not beyond it.
    constexpr int kLeastColumns = ElementRuns::kTogether / 2;
    return grid.mx >= kLeastColumns && grid.count() >= kLeast &&
           grid.count() <= std::numeric_limits<int>::max();
  }
  static std::size_t most_of(const Grid& grid) { return grid.count() / 24; }
  [[nodiscard]] std::size_t most() const { return most_of(grid_); }

  [[nodiscard]] double rms_slope(const std::vector<double>& h) const {
    double sum = 0.0;
    double count = 0.0;
    const double per_dx = 1.0 / grid_.dx;
    const double per_dy = 1.0 / grid_.dy;
    for (int iy = 0; iy + 1 < grid_.my; ++iy) {
      for (int ix = 0; ix + 1 < grid_.mx; ++ix) {
        const std::size_t i = grid_.index(ix, iy);
        const double along_x = (h[i + 1] - h[i]) * per_dx;
        const double along_y = (h[i + static_cast<std::size_t>(grid_.mx)] - h[i]) * per_dy;
        const double squared = along_x * along_x + along_y * along_y;
        if (!std::isfinite(squared)) continue;
        sum += squared;
        count += 1.0;
      }
    }
    return count > 0.0 ? std::sqrt(sum / count) : 0.0;
  }

  // The first candidates; none if too many elements would touch. rough: whether they are only a
  // guess.
  std::vector<int> first(const double* h, const NormalLoad& load, const double* pressure,
                         double* displacement, bool& rough) {
    constexpr double kGuess = 2.0;  // candidates per element that may touch
    constexpr double kMostOfGrid = 1.0 / 64.0;
    const auto all = static_cast<double>(grid_.count());
    std::size_t loaded = 0;
    for (std::size_t i = 0; i < grid_.count(); ++i) loaded += pressure[i] > 0.0 ? 1 : 0;
    if (load.control == NormalControl::force &&
        elements_for_force_ * load.value > kMostOfGrid * all)
      return {};
    if (loaded > 0 && static_cast<double>(loaded) <= kMostOfGrid * all) {
      prepare();
      std::vector<int> elements;
      std::vector<double> p;
      for (std::size_t i = 0; i < grid_.count(); ++i) {
        if (!(pressure[i] > 0.0)) continue;
        elements.push_back(static_cast<int>(i));
        p.push_back(pressure[i]);
      }
      displace(elements, p, loaded, pressure, displacement);
      double sum = 0.0;
      for (const int i : elements) sum += h[i] + displacement[i];
      if (!std::isfinite(sum)) return {};
      bool complete = true;
      return touching_or_near(h, displacement, pressure, sum / static_cast<double>(loaded),
                              elements, complete);
    }
    rough = true;
    if (load.control == NormalControl::approach) return below(h, load.value);
    return lowest(h, static_cast<std::size_t>(kGuess * elements_for_force_ * load.value) + 16);
  }

  // The elements with a distance below `height`; none if there are too many.
  [[nodiscard]] std::vector<int> below(const double* h, double height) const {
    std::vector<int> found;
    for (std::size_t i = 0; i < grid_.count() && found.size() <= most(); ++i)
      if (h[i] < height) found.push_back(static_cast<int>(i));
    if (found.size() > most()) found.clear();
    return found;
  }
  // The `count` elements with the least distances, or a few less; none if those are too many.
  [[nodiscard]] std::vector<int> lowest(const double* h, std::size_t count) const {
    if (count >= most()) return {};
    const std::vector<Small> least = least_of(count + 1, [&](std::size_t i) { return h[i]; });
    std::vector<double> distances;
    for (const Small& each : least) distances.push_back(each.value);
    const double height = nth_of(distances, count);
    std::vector<int> found;
    for (const Small& each : least)
      if (each.value < height) found.push_back(each.element);
    return found;
  }

  // An element with its distance or gap.
  struct Small {
    int element = 0;
    double value = 0.0;
  };
  static constexpr std::size_t kMoreThanTwice = 4096;
  // All elements of a value below a limit, ascending, and some of that value: at least `count`, at
  // most twice as many and kMoreThanTwice. value(i): of element i; NaN counts as infinite. A sample
  // shows where the limit may be; where it misleads all values do.
  template <class Value>
  [[nodiscard]] std::vector<Small> least_of(std::size_t count, const Value& value) const {
    constexpr std::size_t kApart = 61;
    const auto at = [&](std::size_t i) {
      const double each = value(i);
      return each < HUGE_VAL ? each : HUGE_VAL;
    };
    const auto every = [&](std::size_t apart) {
      std::vector<double> values;
      values.reserve(grid_.count() / apart + 1);
      for (std::size_t i = 0; i < grid_.count(); i += apart) values.push_back(at(i));
      return values;
    };
    std::vector<double> values = every(kApart);
    const std::size_t likely = (count + count / 2) / kApart + 16;
    double limit = nth_of(values, std::min(likely, values.size() - 1));
    std::size_t below = 0;
    std::size_t of_limit = 0;
    const auto divide = [&] {
      below = of_limit = 0;
      for (std::size_t i = 0; i < grid_.count(); ++i) {
        const double each = at(i);
        below += each < limit ? 1 : 0;
        of_limit += each == limit ? 1 : 0;
      }
    };
    divide();
    if (below + of_limit < count || below + of_limit > 2 * count + kMoreThanTwice) {
      values = every(1);
      limit = nth_of(values, count - 1);
      divide();
      of_limit = count - below;
    }
    values = {};
    std::vector<Small> least;
    least.reserve(below + of_limit);
    for (std::size_t i = 0; i < grid_.count(); ++i) {
      const double each = at(i);
      if (each > limit || (each == limit && of_limit == 0)) continue;
      if (each == limit) --of_limit;
      least.push_back({static_cast<int>(i), each});
    }
    return least;
  }
  // The value that `nth` of the others do not exceed; infinite if there are no more.
  [[nodiscard]] static double nth_of(std::vector<double>& values, std::size_t nth) {
    if (nth >= values.size()) return HUGE_VAL;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(nth);
    std::ranges::nth_element(values, place);
    return *place;
  }

  // Solves for the pressures of the candidates and forms the displacement of the whole grid. rough:
  // to a first guess; otherwise `displacement` is that of the pressures given.
  Part solve_on(const std::vector<int>& candidates, const double* h, const NormalLoad& load,
                NormalMethod method, double tolerance, bool rough, double* pressure,
                double* displacement, const NormalReport& report, int& done) {
    constexpr double kRough = 0.1;
    prepare();
    const std::size_t count = candidates.size();
    std::vector<double> distance(count), p(count), u(count);
    std::size_t loaded = 0;
    for (std::size_t k = 0; k < count; ++k) {
      distance[k] = h[candidates[k]];
      p[k] = pressure[candidates[k]];
      loaded += p[k] > 0.0 ? 1 : 0;
    }
    dilute_->take(candidates, loaded > 0 ? loaded : count);
    const bool split = dilute_->sums() == DiluteElements::Sums::split;
    // Split sums leave out a little, which hardly changes with the pressures: it is taken from the
    // last ones.
    std::vector<double> left_out(count);
    if (split && !rough) {
      dilute_->multiply(p.data(), u.data());
      for (std::size_t k = 0; k < count; ++k) {
        left_out[k] = displacement[candidates[k]] - u[k];
        distance[k] += left_out[k];
      }
    }
    std::fill(pressure, pressure + grid_.count(), 0.0);
    ConjugateNormal<Backend, OnElements> cg(
        backend_, count, grid_.element_area(), false,
        OnElements{*dilute_, influence_, pressure, displacement});
    cg.take(distance.data(), p.data(), u.data());
    cg.start(load);
    Part part;
    part.result = cg.solve(method, rough ? std::max(kRough, tolerance) : tolerance,
                           [&](int iteration, double change) { report(done + iteration, change); });
    done += part.result.iterations;
    part.result.iterations = done;
    if (split) dilute_->multiply(p.data(), u.data());
    double greatest = 0.0;
    for (std::size_t k = 0; k < count; ++k) {
      pressure[candidates[k]] = p[k];
      part.loaded += p[k] > 0.0 ? 1 : 0;
      greatest = std::max(greatest, p[k]);
    }
    displace(candidates, p, part.loaded, pressure, displacement);
    // An error of the displacement changes a pressure by at most that over the least eigenvalue of
    // A_nn, that of a checkerboard: .52 of an element's own coefficient.
    constexpr double kLeast = 0.5;
    const double allowed = kLeast * tolerance * greatest * dilute_->own_coefficient();
    for (std::size_t k = 0; k < count; ++k) {
      const double exact = displacement[candidates[k]];
      if (split && std::fabs(exact - u[k] - left_out[k]) > allowed) part.exact = false;
      u[k] = exact - left_out[k];  // which the distance has
    }
    part.result.approach = cg.given_approach();
    return part;
  }

  // Elements with pressure or a negative gap and, for every two of those loaded, one more with the
  // smallest gaps; none if there are too many. candidates: among which are all that are loaded.
  // complete: set to false if a gap is negative outside the candidates.
  [[nodiscard]] std::vector<int> touching_or_near(const double* h, const double* u, const double* p,
                                                  double approach,
                                                  const std::vector<int>& candidates,
                                                  bool& complete) const {
    constexpr std::size_t kFewest = 32;
    std::vector<int> found;
    for (const int i : candidates)
      if (p[i] > 0.0) found.push_back(i);
    const std::size_t more = std::max(found.size() / 2, kFewest);
    std::vector<Small> open;  // without pressure and with small gaps, among them the negative ones
    std::vector<double> gaps;
    std::size_t near = 0;
    for (std::size_t wanted = 2 * (found.size() + more); near >= gaps.size(); wanted *= 2) {
      open = least_of(std::min(wanted, grid_.count()),
                      [&](std::size_t i) { return h[i] + u[i] - approach; });
      std::erase_if(open, [&](const Small& each) { return p[each.element] > 0.0; });
      gaps.clear();
      gaps.reserve(open.size());
      for (const Small& each : open) gaps.push_back(each.value);
      const auto negative = static_cast<std::size_t>(
          std::ranges::count_if(gaps, [](double gap) { return gap < 0.0; }));
      if (negative > most()) {
        complete = false;
        return {};
      }
      near = more + negative;
      if (wanted >= grid_.count()) break;
    }
    const double margin = std::max(nth_of(gaps, near), 0.0);
    const auto middle = static_cast<std::ptrdiff_t>(found.size());
    for (const Small& each : open) {
      if (each.value < margin) found.push_back(each.element);
      if (each.value < 0.0 && !std::ranges::binary_search(candidates, each.element))
        complete = false;
    }
    std::inplace_merge(found.begin(), found.begin() + middle, found.end());
    return found;
  }

  // u on the whole grid by the pressures p of these elements, `loaded` of them not 0; pressure:
  // the same, on the grid.
  void displace(const std::vector<int>& elements, const std::vector<double>& p, std::size_t loaded,
                const double* pressure, double* u) {
    const int stride = sums_to_grid_ ? GridSums::stride_for(grid_, loaded) : 0;
    if (stride == 0) return influence_.apply(Block::normal, {.n = pressure}, {.n = u});
    if (!grid_sums_ || grid_sums_->stride() != stride)
      grid_sums_.emplace(grid_, material_.contact_modulus(), near_coefficients(), stride);
    influence_.count_product();
    grid_sums_->multiply(elements, p, u);
  }

  // The table of all coefficients is that of exact products, which need it anyway.
  void prepare() {
    const InfluenceKind& kind = influence_.kind();
    if (!(kind == kind_)) {
      near_.reset();
      dilute_.reset();
      grid_sums_.reset();
    }
    kind_ = kind;
    const double modulus = material_.contact_modulus();
    sums_to_grid_ = tolerance_ >= GridSums::kLeastTolerance && grid_.boundary == Boundary::free &&
                    ScatteredSums::possible(grid_, modulus, near_coefficients());
    if (dilute_) return;
    if (grid_.boundary == Boundary::periodic)
      dilute_.emplace(grid_, periodic_table(), modulus);
    else if (sums_to_grid_)
      dilute_.emplace(grid_, near_coefficients(), modulus);
    else
      dilute_.emplace(grid_, influence_.shared_table(Component::nn), modulus);
  }
  [[nodiscard]] DiluteCoefficients near_coefficients() {
    constexpr int kNear = 128;  // elements
    constexpr Component kComponent = Component::nn;
    if (!near_)
      near_ = std::make_shared<const InfluenceTable>(influence_table(
          kComponent, grid_, material_, kind_, {.columns = kNear, .rows = kNear, .half = true}));
    return {near_,
            [this](int kx, int ky) {
              return influence_coefficient(kComponent, kx * grid_.dx, ky * grid_.dy, grid_,
                                           material_, kind_);
            },
            [this] { return influence_.shared_table(kComponent); }};
  }
  [[nodiscard]] std::shared_ptr<const InfluenceTable> periodic_table() {
    std::vector<double> unit(grid_.count());
    unit[0] = 1.0;
    influence_.apply(Block::normal, {.n = unit.data()}, {.n = unit.data()});
    return even_table(grid_, unit);
  }

  Backend& backend_;
  Grid grid_;
  CombinedMaterial material_;
  Influence& influence_;
  double elements_for_force_ = 0.0;  // elements in contact per unit of force; 0: never tried
  InfluenceKind kind_;               // of the coefficients in the three below
  std::shared_ptr<const InfluenceTable> near_;
  std::optional<DiluteElements> dilute_;
  std::optional<GridSums> grid_sums_;
  double tolerance_ = 0.0;
  bool sums_to_grid_ = false;  // products over the whole grid may be grid_sums_
};

}  // namespace slipfield
