// SPDX-License-Identifier: Apache-2.0
#include "io/heights/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <limits>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/hdf5/one_thread.h"
#include "io/heights/formats.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";
constexpr std::string_view kOldMatlab = "MATLAB 5";  // its version 7.3 is HDF5
constexpr double kMostDouble = std::numeric_limits<double>::max();

std::string first_bytes(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (status.type() == std::filesystem::file_type::not_found)
    refuse_heights(path, "there is no such file; the path is relative to the case file");
  if (!std::filesystem::is_regular_file(status)) refuse_heights(path, "is not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::array<char, 8> bytes{};
  if (file) file.read(bytes.data(), bytes.size());
  if (!file.is_open() || file.bad()) {
    refuse_heights(path,
                   fmt::format("cannot be read ({})", std::generic_category().message(errno)));
  }
  if (file.gcount() == 0) refuse_heights(path, "is empty");
  return {bytes.data(), static_cast<std::size_t>(file.gcount())};
}

// HDF5 may follow a user block of any text, so the library looks for its signature.
bool is_hdf5(const std::filesystem::path& path, std::string_view start) {
  if (start == kHdf5Magic) return true;
  const hdf5::OneThread alone;
  htri_t found = 0;
  H5E_BEGIN_TRY { found = H5Fis_hdf5(path.c_str()); }
  H5E_END_TRY
  return found > 0;
}

// Values for missing measurements in NetCDF and Surfer, and the greatest float and double.
constexpr std::array<double, 4> kFillValues{9.969209968386869e+36, 1.70141e+38, 3.402823e+38,
                                            1.797693e+308};
constexpr double kFillTolerance = 1.0e-5;  // of the digits that are written
constexpr double kBeyondAll = 1.0e+10;     // of any length in m or mm, and of any coefficient

// A number that cannot be a length or a coefficient. Infinity may have been written as a great
// number.
bool is_fill_value(double value, const HeightsRequest& request) {
  if (request.of == TableOf::numbers || std::fabs(value) < kBeyondAll) return false;
  if (request.infinity == Infinity::refused || value < 0.0) return true;
  return std::any_of(kFillValues.begin(), kFillValues.end(),
                     [&](double fill) { return std::fabs(value / fill - 1.0) < kFillTolerance; });
}

// Whether the columns (or rows) a and b are x and y of points on a lattice: at least half of its
// places exist, nearly all of them once. Heights would hardly repeat in that way.
bool lists_points(const Heights& heights, bool in_rows, std::size_t a, std::size_t b) {
  const auto mx = static_cast<std::size_t>(heights.mx);
  const auto count = static_cast<std::size_t>(in_rows ? heights.my : heights.mx);
  const bool plain = a == 0 && b == 1 && (in_rows ? heights.mx : heights.my) == 3;
  const std::size_t fewest = plain ? 6 : 12;
  constexpr std::size_t kOneOf = 20;  // places may be there twice
  if (count < fewest) return false;
  std::set<double> xs;
  std::set<double> ys;
  std::set<std::pair<double, double>> places;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = heights.values[in_rows ? i * mx + a : a * mx + i];
    const double y = heights.values[in_rows ? i * mx + b : b * mx + i];
    xs.insert(x);
    ys.insert(y);
    places.insert({x, y});
    if (kOneOf * (i + 1 - places.size()) > count) return false;
    if (2 * count < xs.size() * ys.size()) return false;
  }
  return xs.size() > 1 && ys.size() > 1;
}

// Points line by line, as from a scanner: again and again one coordinate runs from one end to the
// other while the other one stays constant, except for noise, and advances in between. There may be
// few digits.
bool scans_lines(const Heights& heights, bool in_rows, std::size_t a, std::size_t b) {
  const auto mx = static_cast<std::size_t>(heights.mx);
  const auto count = static_cast<std::size_t>(in_rows ? heights.my : heights.mx);
  const auto at = [&](std::size_t column, std::size_t i) {
    return heights.values[in_rows ? i * mx + column : column * mx + i];
  };
  constexpr std::size_t kFewestPoints = 12;
  constexpr std::size_t kFewestLines = 3;
  constexpr std::size_t kAhead = 2;  // the first points may be one
  if (count < kFewestPoints) return false;
  double least = at(a, 0);
  double greatest = least;
  for (std::size_t i = 1; i < count; ++i) {
    least = std::min(least, at(a, i));
    greatest = std::max(greatest, at(a, i));
  }
  const double range = greatest - least;
  std::vector<std::size_t> starts{0};
  const double way = at(a, kAhead) - at(a, 0) < 0.0 ? -1.0 : 1.0;
  for (std::size_t i = 1; i < count; ++i) {
    const double step = way * (at(a, i) - at(a, i - 1));
    if (step < -0.5 * range)
      starts.push_back(i);
    else if (!(step > -0.1 * range))
      return false;
  }
  if (starts.size() < kFewestLines) return false;
  starts.push_back(count);
  std::vector<double> places;  // of the lines
  double scatter = 0.0;
  for (std::size_t k = 1; k < starts.size(); ++k) {
    if (starts[k] - starts[k - 1] < 3) return false;
    double sum = 0.0;
    for (std::size_t i = starts[k - 1]; i < starts[k]; ++i) sum += at(b, i);
    places.push_back(sum / static_cast<double>(starts[k] - starts[k - 1]));
    for (std::size_t i = starts[k - 1]; i < starts[k]; ++i)
      scatter = std::max(scatter, std::fabs(at(b, i) - places.back()));
  }
  const double forwards = places[1] > places[0] ? 1.0 : -1.0;
  for (std::size_t k = 1; k < places.size(); ++k)
    if (!(forwards * (places[k] - places[k - 1]) > 4.0 * scatter)) return false;
  return true;
}

// A row or a column: a part of the values.
struct PartOfHeights {
  const std::vector<double>& values;
  std::size_t start = 0;
  std::size_t stride = 1;
  std::size_t count = 0;

  [[nodiscard]] double at(std::size_t i) const { return values[start + i * stride]; }
};

// The last digit of the numbers, as a step; 0 if they have six or more digits.
double last_digit(const PartOfHeights& part) {
  double unit = 1.0;
  for (int digits = 0; digits < 6; ++digits, unit *= 0.1) {
    bool fits = true;
    for (std::size_t i = 1; i < part.count && fits; ++i) {
      const double units = part.at(i) / unit;
      fits = std::fabs(units - std::round(units)) < 1.0e-6;
    }
    if (fits) return unit;
  }
  return 0.0;
}

constexpr double kDigitsOfStep = 4.0;
constexpr double kManyDigitsOfStep = 100.0;

// The rounding error of a step whose numbers have this last digit.
double digit_slack(const PartOfHeights& part, double step, double digits = kDigitsOfStep) {
  const double digit = last_digit(part);
  return step >= digits * digit ? 1.001 * digit : 0.0;
}

// Whether all numbers of a row or column except the first have even steps, as far as their rounding
// allows.
bool has_even_steps(const PartOfHeights& part, double digits = kDigitsOfStep) {
  const double step = (part.at(part.count - 1) - part.at(1)) / static_cast<double>(part.count - 2);
  double greatest = 0.0;
  for (std::size_t i = 1; i < part.count; ++i) greatest = std::max(greatest, std::fabs(part.at(i)));
  const double rounding = 1.0e-5 * greatest;  // of six digits
  if (!(std::fabs(step) > 4.0 * rounding)) return false;
  const double slack =
      std::max({1.0e-3 * std::fabs(step), rounding, digit_slack(part, std::fabs(step), digits)});
  for (std::size_t i = 2; i < part.count; ++i)
    if (!(std::fabs(part.at(i) - part.at(i - 1) - step) <= slack)) return false;
  return true;
}

// A row of places x above the heights and a column of y before them. All rows of a plane are even.
// With few rows (or columns) no other row may be even, and the corner continues neither.
bool has_places(const Heights& heights) {
  constexpr std::size_t kFewest = 5;
  constexpr std::size_t kLeast = 3;      // of the shorter side ...
  constexpr std::size_t kLeastLong = 6;  // ... with as many of the longer one
  const auto mx = static_cast<std::size_t>(heights.mx);
  const auto my = static_cast<std::size_t>(heights.my);
  const auto [shorter, longer] = std::minmax(mx, my);
  if (shorter < kFewest && (shorter < kLeast || longer < kLeastLong)) return false;
  const auto row = [&](std::size_t i) { return PartOfHeights{heights.values, i * mx, 1, mx}; };
  const auto column = [&](std::size_t i) { return PartOfHeights{heights.values, i, mx, my}; };
  // The corner of a tilted map continues its row and column; that of places is blank or 0.
  const auto continues = [](const PartOfHeights& part) {
    const double step = std::fabs(part.at(2) - part.at(1));
    const double rounding =
        1.0e-5 * std::max({std::fabs(part.at(0)), std::fabs(part.at(1)), std::fabs(part.at(2))});
    return std::fabs(2.0 * part.at(1) - part.at(0) - part.at(2)) <=
           std::max({1.0e-3 * step, 4.0 * rounding, digit_slack(part, step)});
  };
  const bool few = shorter < kFewest;
  const bool along = continues(row(0));
  const bool across = continues(column(0));
  if (few ? along || across : along && across) return false;
  const double digits = few ? kManyDigitsOfStep : kDigitsOfStep;
  if (!has_even_steps(row(0), digits) || !has_even_steps(column(0), digits)) return false;
  if (!few) return !(has_even_steps(row(1)) && has_even_steps(row(2)));
  for (std::size_t i = 1; i < shorter; ++i)
    if (has_even_steps(mx < my ? column(i) : row(i))) return false;
  return true;
}

void check_form(const std::filesystem::path& path, const HeightsRequest& request,
                const Heights& heights) {
  if (request.form == TableForm::list) return;
  if (has_places(heights))
    refuse_heights(path,
                   fmt::format("has places in its first row and its first column; accepted: a "
                               "table of heights alone, a row for each y, the lowest first{}",
                               surface_hint(request)));
  constexpr int kMost = 6;  // x, y, z and what else was measured
  for (const bool in_rows : {true, false}) {
    const int width = in_rows ? heights.mx : heights.my;
    if (width < 3 || width > kMost) continue;
    const auto lists = [&, in_rows = in_rows](std::size_t a, std::size_t b) {
      return lists_points(heights, in_rows, a, b) || scans_lines(heights, in_rows, a, b) ||
             scans_lines(heights, in_rows, b, a);
    };
    if (lists(0, 1) || (width == 3 && (lists(0, 2) || lists(1, 2))))
      refuse_heights(path,
                     fmt::format("lists x, y and z of {} points; accepted: a table with a row "
                                 "of heights for each y, the lowest first{}",
                                 in_rows ? heights.my : heights.mx, surface_hint(request)));
  }
}

std::string remedy(double value, const HeightsRequest& request) {
  constexpr std::string_view kFill = ": fill in the points that were not measured";
  if (std::isfinite(value))
    return fmt::format("it looks like a fill value{}{}", kFill, surface_hint(request));
  if (request.infinity == Infinity::allowed)
    return "a finite number, or inf where no contact is possible";
  if (!std::isnan(value)) return "a finite number is needed";
  return fmt::format("a finite number is needed{}{}", kFill, surface_hint(request));
}

void check_values(const std::filesystem::path& path, const HeightsRequest& request,
                  const Heights& heights) {
  const std::vector<double>& values = heights.values;
  bool any_finite = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i]) && !is_fill_value(values[i], request)) {
      any_finite = true;
      continue;
    }
    if (request.infinity == Infinity::allowed && values[i] > kMostDouble) continue;
    const auto mx = static_cast<std::size_t>(heights.mx);
    refuse_heights(path, fmt::format("the value in row {}, column {} is {}; {}", i / mx + 1,
                                     i % mx + 1, values[i], remedy(values[i], request)));
  }
  if (!any_finite) refuse_heights(path, "holds no finite value, so nothing could touch");
  check_form(path, request, heights);
}

Heights read_values(const std::filesystem::path& path, const HeightsRequest& request) {
  const std::string start = first_bytes(path);
  if (is_hdf5(path, start)) {
    return read_hdf5_heights(path, request.dataset.value_or(request.default_dataset), request);
  }
  if (request.dataset) refuse_heights(path, "is not an HDF5 file, which the key 'dataset' needs");
  if (std::string_view(start).substr(0, kNpyMagic.size()) == kNpyMagic)
    return read_npy_heights(path, request);
  if (start == kOldMatlab)
    refuse_heights(path, fmt::format("is MATLAB's format of version 5 to 7, which is not read; "
                                     "accepted: save(file, 'Z', '-v7.3'){}",
                                     surface_hint(request)));
  return read_text_heights(path, request);
}

}  // namespace

void refuse_heights(const std::filesystem::path& path, const std::string& problem) {
  throw InputError(path.string() + ": " + problem);
}

std::string_view surface_hint(const HeightsRequest& request) {
  const bool measured = request.of == TableOf::lengths && request.form == TableForm::map;
  return measured ? "; `slipfield surface` makes heights of such files" : "";
}

void check_shape(const std::filesystem::path& path, const std::vector<std::size_t>& shape,
                 const HeightsRequest& request) {
  const auto fits = [](std::size_t extent, int needed) {
    return needed > 0 ? extent == static_cast<std::size_t>(needed)
                      : extent > 0 && extent <= static_cast<std::size_t>(kMostSamples);
  };
  if (shape.size() == 2 && fits(shape[0], request.my) && fits(shape[1], request.mx)) return;
  std::string needed = fmt::format("a table of at most {0} rows and {0} columns", kMostSamples);
  if (request.mx > 0) needed = fmt::format("a table of {} columns", request.mx);
  if (request.my > 0)
    needed = fmt::format("the grid needs (my, mx) = ({}, {})", request.my, request.mx);
  constexpr std::size_t kMostOfPoint = 6;  // x, y, z and what else was measured
  const bool may_list_points =
      shape.size() == 2 && shape[0] > kMostOfPoint && shape[1] >= 3 && shape[1] <= kMostOfPoint;
  refuse_heights(path, fmt::format("has the shape ({}); {}{}", fmt::join(shape, ", "), needed,
                                   may_list_points ? surface_hint(request) : ""));
}

void check_heights(const std::filesystem::path& path, const HeightsRequest& request,
                   const Heights& heights) {
  if (request.dataset) refuse_heights(path, "is an array, which has no dataset");
  check_shape(path, {static_cast<std::size_t>(heights.my), static_cast<std::size_t>(heights.mx)},
              request);
  check_values(path, request, heights);
}

std::optional<std::string> fill_value_warning(const Heights& heights) {
  constexpr std::array<double, 15> kUsual{999.25,  999.9,    9999.9,       999.0,        9999.0,
                                          99999.0, 999999.0, 127.0,        255.0,        32767.0,
                                          32768.0, 65535.0,  2147483647.0, 2147483648.0, 99.0};
  constexpr double kFar = 10.0;  // times the range of all others
  for (const bool from_below : {true, false}) {
    double extreme = std::numeric_limits<double>::quiet_NaN();
    double nearest = extreme;  // of the others
    double farthest = extreme;
    std::size_t first = 0;
    std::size_t count = 0;
    const auto beyond = [&](double a, double b) { return from_below ? a < b : a > b; };
    for (std::size_t i = 0; i < heights.values.size(); ++i) {
      const double value = heights.values[i];
      if (!std::isfinite(value)) continue;
      if (value == extreme) {
        ++count;
        continue;
      }
      if (std::isnan(farthest) || beyond(farthest, value)) farthest = value;
      if (std::isnan(extreme) || beyond(value, extreme)) {
        nearest = extreme;
        extreme = value;
        first = i;
        count = 1;
      } else if (std::isnan(nearest) || beyond(value, nearest)) {
        nearest = value;
      }
    }
    const bool usual = std::find(kUsual.begin(), kUsual.end(), std::fabs(extreme)) != kUsual.end();
    if (!usual || std::isnan(nearest) ||
        std::fabs(extreme - nearest) <= kFar * std::fabs(farthest - nearest))
      continue;
    const auto mx = static_cast<std::size_t>(heights.mx);
    return fmt::format(
        "the value {} in {} place{}, first in row {}, column {}, lies far from all "
        "others ({:.4g} to {:.4g}), as a fill value does where nothing was measured",
        extreme, count, count == 1 ? "" : "s", first / mx + 1, first % mx + 1,
        std::min(nearest, farthest), std::max(nearest, farthest));
  }
  return std::nullopt;
}

Heights read_heights(const std::filesystem::path& path, const HeightsRequest& request) {
  try {
    Heights heights = read_values(path, request);
    check_values(path, request, heights);
    return heights;
  } catch (const std::bad_alloc&) {
    refuse_heights(path, "its values do not fit into memory");
  }
}

}  // namespace slipfield
