// SPDX-License-Identifier: Apache-2.0
#include "io/contact/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>

#include "io/case/sections.h"
#include "io/contact/case.h"
#include "io/yaml/error.h"

namespace slipfield {
namespace {

constexpr auto kWholeNumber = InputKind::integer;
constexpr double kMostPlanes = static_cast<double>(kMostDepths);

class PointLines {
 public:
  PointLines(InputLines& lines, CaseDiagnostics& diagnostics)
      : lines_(lines), diagnostics_(diagnostics) {}

  InputBlock read(const InputNumber& kind) {
    InputBlock block{kind, {}, {}, {}};
    const int form = kind.integer();
    if (form == 9) {
      const auto counts = lines_.read_list("NX, NY, NZ", 3, kWholeNumber);
      block.x = read_counted("X", counts[0]);
      block.y = read_counted("Y", counts[1]);
      block.z = read_counted("Z", counts[2]);
      return block;
    }
    if (form % 4 == 2) {
      block.x = read_range("IXL, IXINC, IXH");
      block.y = read_range("IYL, IYINC, IYH");
    }
    if (form % 4 == 3) {
      const auto counts = lines_.read_list("NX, NY", 2, kWholeNumber);
      block.x = read_counted("IX", counts[0], kWholeNumber);
      block.y = read_counted("IY", counts[1], kWholeNumber);
    }
    block.z = form <= 3 ? read_even_depths()
                        : read_counted("Z", lines_.read_list("NZ", 1, kWholeNumber)[0]);
    return block;
  }

 private:
  std::size_t count_of(std::string_view label, const InputNumber& count) {
    if (count.value >= 1.0 && count.value <= kMostPlanes)
      return static_cast<std::size_t>(count.value);
    diagnostics_.add(count.place, label, fmt::format("{} is not a number of them", count.value),
                     fmt::format("1 to {}", kMostPlanes));
    throw CaseError(diagnostics_.text());  // how many follow is not known
  }

  std::vector<InputNumber> read_counted(const std::string& label, const InputNumber& count,
                                        InputKind kind = InputKind::number) {
    return lines_.read_list(label, count_of("N" + label, count), kind);
  }

  std::vector<InputNumber> read_range(std::string_view label) {
    auto range = lines_.read_list(label, 3, kWholeNumber);
    if (range[1].value < 1.0)
      diagnostics_.add(range[1].place, label, fmt::format("steps by {}", range[1].value),
                       "a step of 1 or more");
    return range;
  }

  // NZ, ZL, DZ.
  std::vector<InputNumber> read_even_depths() {
    const auto numbers = lines_.read_list("NZ, ZL, DZ", 3);
    const std::size_t count = count_of("NZ", numbers[0]);
    if (count > 1 && !(numbers[2].value > 0.0))
      diagnostics_.add(numbers[2].place, "DZ", fmt::format("{} is not positive", numbers[2].value),
                       "a number > 0");
    std::vector<InputNumber> depths;
    for (std::size_t k = 0; k < count; ++k)
      depths.push_back(
          {numbers[1].value + static_cast<double>(k) * numbers[2].value, numbers[1].place});
    return depths;
  }

  InputLines& lines_;
  CaseDiagnostics& diagnostics_;
};

// First and last element, from 0; none: last < first.
struct ElementRange {
  int first = 0;
  int last = -1;

  void include(int element) {
    first = last < 0 ? element : std::min(first, element);
    last = std::max(last, element);
  }
};

// Finds the elements named by the numbers of one axis; drops numbers outside the grid, like
// CONTACT. Returns false if a coordinate is not that of a centre.
bool find_elements(const InputBlock& block, const std::vector<InputNumber>& numbers, int elements,
                   double origin, double spacing, ElementRange& range) {
  const int form = block.kind.integer();
  const auto take = [&](double number) {
    if (number >= 1.0 && number <= elements) range.include(static_cast<int>(number) - 1);
  };
  if (form == 9) {
    constexpr double kOffCentre = 1.0e-3;  // of an element
    for (const InputNumber& number : numbers) {
      const double position = (number.value - origin) / spacing + 0.5;
      if (std::fabs(position - std::round(position)) > kOffCentre || position < 0.5 ||
          position > elements + 0.5)
        return false;
      take(std::round(position));
    }
  } else if (numbers.empty()) {
    range = {0, elements - 1};
  } else if (form % 4 == 2) {
    const auto first = static_cast<std::int64_t>(numbers[0].value);
    const auto step = std::max<std::int64_t>(static_cast<std::int64_t>(numbers[1].value), 1);
    const auto last = std::min<std::int64_t>(static_cast<std::int64_t>(numbers[2].value), elements);
    const std::int64_t outside = first < 1 ? (step - first) / step : 0;  // before the first element
    for (std::int64_t at = first + outside * step; at <= last; at += step)
      take(static_cast<double>(at));
  } else {
    for (const InputNumber& number : numbers) take(number.value);
  }
  return true;
}

struct BlockElements {
  ElementRange x;
  ElementRange y;
};

// Returns false if the block is not at element centres.
bool find_block(const InputBlock& block, const Grid& grid, BlockElements& found) {
  return find_elements(block, block.x, grid.mx, grid.x0, grid.dx, found.x) &&
         find_elements(block, block.y, grid.my, grid.y0, grid.dy, found.y);
}

// The union of all blocks.
class Inside {
 public:
  explicit Inside(const Grid& grid) : grid_(grid) {}

  void add(const InputPoints& points) {
    all_stresses_ = all_stresses_ || points.all_stresses;
    for (const InputBlock& block : points.blocks) add(block);
  }
  void add_depths(const InputBlock& block) {
    for (const InputNumber& z : block.z) {
      depths_.insert(std::fabs(z.value));
      upper_ = upper_ || z.value > 0.0;
      lower_ = lower_ || z.value < 0.0;
    }
  }
  void ask_for_all_stresses() { all_stresses_ = true; }

  // Nothing if there are no points.
  [[nodiscard]] std::optional<InteriorRequest> request(bool displacements) const {
    if (depths_.empty()) return std::nullopt;
    InteriorRequest request;
    request.bodies.clear();
    // A point at the surface belongs to the body of the others.
    if (upper_ || !lower_) request.bodies.push_back(Body::upper);
    if (lower_) request.bodies.push_back(Body::lower);
    request.depths.assign(depths_.begin(), depths_.end());
    const bool whole = elements_.x.first == 0 && elements_.x.last == grid_.mx - 1 &&
                       elements_.y.first == 0 && elements_.y.last == grid_.my - 1;
    request.region = whole ? InteriorRegion::grid : InteriorRegion::box;
    request.box_x = {grid_.x(elements_.x.first), grid_.x(elements_.x.last)};
    request.box_y = {grid_.y(elements_.y.first), grid_.y(elements_.y.last)};
    using enum InteriorQuantity;
    request.quantities = {hydrostatic, von_mises, tresca};
    if (displacements)
      request.quantities.insert(request.quantities.begin(),
                                {displacement_x, displacement_y, displacement_z});
    if (all_stresses_)
      request.quantities.insert(request.quantities.end(),
                                {stress_xx, stress_xy, stress_xz, stress_yy, stress_yz, stress_zz});
    return request;
  }

 private:
  void add(const InputBlock& block) {
    BlockElements found;
    if (!find_block(block, grid_, found) || found.x.last < 0 || found.y.last < 0) return;
    for (const int element : {found.x.first, found.x.last}) elements_.x.include(element);
    for (const int element : {found.y.first, found.y.last}) elements_.y.include(element);
    add_depths(block);
  }

  const Grid& grid_;
  BlockElements elements_;
  std::set<double> depths_;
  bool upper_ = false;
  bool lower_ = false;
  bool all_stresses_ = false;
};

}  // namespace

void read_points(InputLines& lines, int s_digit, InputPoints& points,
                 CaseDiagnostics& diagnostics) {
  points.all_stresses = lines.read_list("MATFIL, OUTPUT", 2, kWholeNumber)[0].value == 2.0;
  if (s_digit < 3) return;
  points.blocks.clear();
  for (;;) {
    const InputNumber kind = lines.read_list("ISUBS", 1, kWholeNumber)[0];
    const int form = kind.integer();
    if (form <= 0) return;
    if (form == 4 || form == 8 || form > 9) {
      diagnostics.add(kind.place, "ISUBS", fmt::format("there is no {}", form),
                      "accepted: 0 to 3, 5 to 7, or 9");
      throw CaseError(diagnostics.text());
    }
    points.blocks.push_back(PointLines(lines, diagnostics).read(kind));
  }
}

std::string points_text(const std::vector<const InputCase*>& cases, const Grid& grid) {
  Inside inside(grid);
  bool displacements = true;
  for (const InputCase* input : cases) {
    if (input->digit('S') == 0) continue;
    inside.add(input->state.points);
    displacements = displacements && !input->viscoelastic();
  }
  const auto request = inside.request(displacements);
  return request ? interior_text(*request) : std::string{};
}

namespace {

// For a contact whose grid is unknown: whether coordinates are whole multiples of the spacing from
// the origin, as its centres are. Other kinds give numbers of elements.
bool at_multiples(const InputBlock& block, double dx, double ds) {
  if (block.kind.integer() != 9) return true;
  constexpr double kOffMultiple = 1.0e-3;  // of an element
  const auto fits = [](const std::vector<InputNumber>& numbers, double spacing) {
    return std::all_of(numbers.begin(), numbers.end(), [&](const InputNumber& number) {
      const double position = number.value / spacing;
      return std::fabs(position - std::round(position)) <= kOffMultiple;
    });
  };
  return fits(block.x, dx) && fits(block.y, ds);
}

}  // namespace

std::string wheel_points_text(const std::vector<const InputCase*>& cases, double dx, double ds) {
  Grid any;
  any.mx = any.my = 1;
  any.dx = dx;
  any.dy = ds;
  Inside inside(any);
  for (const InputCase* input : cases) {
    if (input->digit('S') == 0) continue;
    const InputPoints& points = input->state.points;
    for (const InputBlock& block : points.blocks)
      if (at_multiples(block, dx, ds)) inside.add_depths(block);
    if (points.all_stresses) inside.ask_for_all_stresses();
  }
  auto request = inside.request(true);
  if (!request) return {};
  request->region = InteriorRegion::grid;
  return interior_text(*request);
}

void warn_of_wheel_points(const InputCase& input, double dx, double ds,
                          CaseDiagnostics& diagnostics) {
  if (input.digit('S') == 0) return;
  for (const InputBlock& block : input.state.points.blocks)
    if (!at_multiples(block, dx, ds))
      diagnostics.warn(block.kind.place, fmt::format("ISUBS = {}", block.kind.integer()),
                       "the points are left out, since they are not at element centres; "
                       "`slipfield interior --patch --points` has them");
}

void warn_of_points(const InputCase& input, const Grid& grid, CaseDiagnostics& diagnostics) {
  if (input.digit('S') == 0) return;
  for (const InputBlock& block : input.state.points.blocks) {
    BlockElements found;
    const bool at_centres = find_block(block, grid, found);
    if (at_centres && found.x.last >= 0 && found.y.last >= 0) continue;
    diagnostics.warn(block.kind.place, fmt::format("ISUBS = {}", block.kind.integer()),
                     at_centres ? "the points are left out: none of them is in the grid"
                                : "the points are left out, since they are not at element centres; "
                                  "`slipfield interior --points` has them");
  }
}

}  // namespace slipfield
