// SPDX-License-Identifier: Apache-2.0
// HDF5, with the dataset attributes of the conventions of NetCDF (CF) and MATLAB.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "io/hdf5/one_thread.h"
#include "io/hdf5/scales.h"
#include "io/heights/formats.h"
#include "io/plain_text.h"

namespace slipfield {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};
constexpr UnitName kLengths[] = {{"m", 1.0},
                                 {"meter", 1.0},
                                 {"metre", 1.0},
                                 {"meters", 1.0},
                                 {"metres", 1.0},
                                 {"cm", 1e-2},
                                 {"centimeter", 1e-2},
                                 {"centimetre", 1e-2},
                                 {"mm", 1e-3},
                                 {"millimeter", 1e-3},
                                 {"millimetre", 1e-3},
                                 {"millimeters", 1e-3},
                                 {"millimetres", 1e-3},
                                 {"um", 1e-6},
                                 {"\u00b5m", 1e-6},
                                 {"\u03bcm", 1e-6},
                                 {"micron", 1e-6},
                                 {"microns", 1e-6},
                                 {"micrometer", 1e-6},
                                 {"micrometre", 1e-6},
                                 {"micrometers", 1e-6},
                                 {"micrometres", 1e-6},
                                 {"nm", 1e-9},
                                 {"nanometer", 1e-9},
                                 {"nanometre", 1e-9},
                                 {"nanometers", 1e-9},
                                 {"nanometres", 1e-9},
                                 {"angstrom", 1e-10},
                                 {"in", 0.0254},
                                 {"inch", 0.0254},
                                 {"inches", 0.0254},
                                 {"mil", 2.54e-5},
                                 {"mils", 2.54e-5},
                                 {"thou", 2.54e-5},
                                 {"ft", 0.3048},
                                 {"foot", 0.3048},
                                 {"feet", 0.3048}};
constexpr UnitName kCoefficients[] = {{"", 1.0},     {"1", 1.0},  {"-", 1.0},
                                      {"none", 1.0}, {"%", 0.01}, {"percent", 0.01}};

template <std::size_t count>
std::optional<double> factor_of(const UnitName (&names)[count], std::string_view unit) {
  const auto found = std::find_if(std::begin(names), std::end(names),
                                  [&](const UnitName& known) { return known.name == unit; });
  return found == std::end(names) ? std::nullopt : std::optional(found->factor);
}

std::string text_attribute(hid_t object, const std::string& name) {
  if (!hdf5::has_attribute(object, name)) return {};
  std::string text = hdf5::read_string_attribute(object, name);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.pop_back();
  return text;
}

// The attributes of a dataset with one of the names, ignoring case, the first name first.
std::vector<std::string> attributes_named(hid_t object, std::initializer_list<const char*> names) {
  std::vector<std::string> all;
  const auto append = [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  hdf5::check(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, append, &all), "H5Aiterate2",
              hdf5::describe(object));
  std::vector<std::string> found;
  for (const char* name : names) {
    if (std::find(all.begin(), all.end(), name) != all.end()) found.emplace_back(name);
    for (const std::string& other : all)
      if (other != name && plain_name(other) == plain_name(name)) found.push_back(other);
  }
  return found;
}

std::optional<double> number_attribute(hid_t object, const char* name) {
  const auto found = attributes_named(object, {name});
  if (found.empty()) return std::nullopt;
  return hdf5::read_double_attribute(object, found.front());
}

// As numbers, or as the text of a number; any other text, such as "none", is not a value.
std::vector<double> fills_of(hid_t object, const std::string& name) {
  try {
    return hdf5::read_doubles_attribute(object, name);
  } catch (const Hdf5Error&) {
    const std::string text = text_attribute(object, name);
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return {value};
  }
}

// The fill value that a program declared for unwritten places, unless it is 0.
std::optional<double> default_value(const hdf5::Handle& dataset, const std::string& path) {
  const hdf5::Handle list(H5Dget_create_plist(dataset.id()), H5Pclose, "H5Dget_create_plist", path);
  H5D_fill_value_t is = H5D_FILL_VALUE_UNDEFINED;
  double value = 0.0;
  hdf5::check(H5Pfill_value_defined(list.id(), &is), "H5Pfill_value_defined", path);
  if (is != H5D_FILL_VALUE_USER_DEFINED) return std::nullopt;
  hdf5::check(H5Pget_fill_value(list.id(), H5T_NATIVE_DOUBLE, &value), "H5Pget_fill_value", path);
  return value == 0.0 ? std::nullopt : std::optional(value);
}

// "y", "Y [mm]", "/lat" and "northing" name a coordinate across, "x", "lon", "easting" one along.
enum class Axis { unknown, x, y };
const std::vector<std::string> kNamesOfX{"x", "lon", "longitude", "easting"};
const std::vector<std::string> kNamesOfY{"y", "lat", "latitude", "northing"};

Axis axis_of(const hdf5::DimensionScale& scale) {
  const std::string name = lower_case(hdf5::base_name(scale.name));
  const auto end = std::find_if_not(name.begin(), name.end(), is_ascii_letter);
  const std::string word(name.begin(), end);
  const auto among = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), word) != names.end();
  };
  return among(kNamesOfX) ? Axis::x : among(kNamesOfY) ? Axis::y : Axis::unknown;
}

class MapReader {
 public:
  MapReader(const std::filesystem::path& path, const HeightsRequest& request, hid_t file,
            std::string name)
      : path_(path),
        request_(request),
        file_(file),
        name_(std::move(name)),
        dataset_(hdf5::open_dataset(file, name_)) {}

  Heights read() {
    std::vector<std::size_t> shape = hdf5::dataset_shape(file_, name_);
    const bool transposed = is_transposed();
    if (transposed) std::reverse(shape.begin(), shape.end());
    check_shape(path_, shape, request_);
    Heights heights{hdf5::read_doubles(file_, name_), static_cast<int>(shape[1]),
                    static_cast<int>(shape[0]), name_};
    std::vector<double>& values = heights.values;
    mask(values, transposed ? shape[0] : shape[1]);
    scale(values);
    if (transposed) transpose(heights);
    if (request_.form == TableForm::map) place(heights, transposed);
    return heights;
  }

 private:
  // MATLAB and Octave store columns one after the other, with the extents reversed.
  bool is_transposed() {
    const std::string type = text_attribute(dataset_.id(), "MATLAB_class");
    if (hdf5::has_attribute(dataset_.id(), "MATLAB_empty"))
      refuse_heights(path_, fmt::format("'{}' is an empty array", name_));
    if (type == "char" || type == "cell" || type == "struct" || type == "function_handle")
      refuse_heights(
          path_,
          fmt::format("'{}' is of MATLAB's class {}; accepted: an array of numbers", name_, type));
    if (!type.empty()) return true;
    const std::size_t slash = name_.find_last_of('/');
    const std::string parent =
        slash == std::string::npos || slash == 0 ? "/" : name_.substr(0, slash);
    const hdf5::Handle group = hdf5::open_group(file_, parent);
    return hdf5::has_attribute(group.id(), "OCTAVE_NEW_FORMAT");
  }

  // Masks values that mark missing measurements, and those outside the file's valid range.
  void mask(const std::vector<double>& values, std::size_t columns) {
    constexpr double kSingle = 6.0e-8;  // of the digits that a fill value in float32 has
    std::vector<std::pair<std::string, double>> fills;
    for (const std::string& name :
         attributes_named(dataset_.id(), {"_FillValue", "missing_value", "nodata", "NODATA_value"}))
      for (const double fill : fills_of(dataset_.id(), name)) fills.emplace_back(name, fill);
    if (const auto fill = default_value(dataset_, name_)) fills.emplace_back("fill value", *fill);
    double least = number_attribute(dataset_.id(), "valid_min").value_or(-kInfinity);
    double greatest = number_attribute(dataset_.id(), "valid_max").value_or(kInfinity);
    for (const std::string& name : attributes_named(dataset_.id(), {"valid_range"})) {
      const auto range = hdf5::read_doubles_attribute(dataset_.id(), name);
      if (range.size() == 2) std::tie(least, greatest) = std::pair(range[0], range[1]);
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (const auto& [name, fill] : fills)
        if (std::isfinite(fill) ? std::fabs(values[i] - fill) <= kSingle * std::fabs(fill)
                                : values[i] == fill)
          refuse_value(i, columns, values[i], fmt::format("the file's {}", name));
      if (values[i] < least || (std::isfinite(values[i]) && values[i] > greatest))
        refuse_value(i, columns, values[i],
                     fmt::format("outside the file's valid range of {} to {}", least, greatest));
    }
  }

  [[noreturn]] void refuse_value(std::size_t i, std::size_t columns, double value,
                                 const std::string& what) {
    refuse_heights(
        path_, fmt::format("the stored value in row {}, column {} is {}, {}: fill in the "
                           "points that were not measured{}",
                           i / columns + 1, i % columns + 1, value, what, surface_hint(request_)));
  }

  void scale(std::vector<double>& values) {
    const double factor = number_attribute(dataset_.id(), "scale_factor").value_or(1.0);
    const double offset = number_attribute(dataset_.id(), "add_offset").value_or(0.0);
    const double unit = unit_factor();
    if (factor == 1.0 && offset == 0.0 && unit == 1.0) return;
    for (double& value : values) value = (value * factor + offset) * unit;
  }

  double unit_factor() {
    if (request_.of == TableOf::numbers) return 1.0;
    const auto names = attributes_named(dataset_.id(), {"units", "unit"});
    const std::string name = names.empty() ? "units" : names.front();
    const std::string unit = text_attribute(dataset_.id(), name);
    if (request_.of == TableOf::coefficients) {
      const auto factor = factor_of(kCoefficients, unit);
      if (!factor)
        refuse_heights(path_, fmt::format("'{}' has the {} '{}'; accepted: of coefficients 1 or %",
                                          name_, name, unit));
      return *factor;
    }
    if (unit.empty()) return 1.0;
    const auto metres = factor_of(kLengths, unit);
    if (!metres)
      refuse_heights(path_,
                     fmt::format("'{}' has the {} '{}', which is not a length; accepted: m, cm, "
                                 "mm, um, nm, inch",
                                 name_, name, unit));
    return *metres / request_.metres;
  }

  static void transpose(Heights& heights) {
    std::vector<double> rows(heights.values.size());
    const auto mx = static_cast<std::size_t>(heights.mx);
    const auto my = static_cast<std::size_t>(heights.my);
    for (std::size_t iy = 0; iy < my; ++iy)
      for (std::size_t ix = 0; ix < mx; ++ix) rows[iy * mx + ix] = heights.values[ix * my + iy];
    heights.values = std::move(rows);
  }

  // Orders rows and columns by the file's coordinates.
  void place(Heights& heights, bool transposed) {
    auto scales = transposed ? hdf5::dimension_scales(file_, name_, {kNamesOfX, kNamesOfY})
                             : hdf5::dimension_scales(file_, name_, {kNamesOfY, kNamesOfX});
    if (scales.size() != 2) return;
    if (transposed) std::swap(scales[0], scales[1]);
    if (axis_of(scales[0]) == Axis::x && axis_of(scales[1]) == Axis::y)
      refuse_heights(
          path_,
          fmt::format("'{}' has the dimensions ({}, {}); accepted: (y, x), a row of "
                      "values along x for each y",
                      name_, hdf5::base_name(scales[0].name), hdf5::base_name(scales[1].name)));
    const Spacing y = spacing_of(scales[0], static_cast<std::size_t>(heights.my));
    const Spacing x = spacing_of(scales[1], static_cast<std::size_t>(heights.mx));
    heights.dy = y.distance;
    heights.dx = x.distance;
    const auto mx = static_cast<std::ptrdiff_t>(heights.mx);
    auto begin = heights.values.begin();
    if (x.falls)
      for (std::ptrdiff_t row = 0; row < heights.my; ++row)
        std::reverse(begin + row * mx, begin + (row + 1) * mx);
    if (y.falls)
      for (std::ptrdiff_t row = 0; row < heights.my / 2; ++row)
        std::swap_ranges(begin + row * mx, begin + (row + 1) * mx,
                         begin + (heights.my - 1 - row) * mx);
  }

  struct Spacing {
    double distance = 0.0;  // in the case's unit; 0: not known
    bool falls = false;
  };
  // Coordinates that count 1, 2, 3 without a unit are not distances.
  Spacing spacing_of(const hdf5::DimensionScale& scale, std::size_t count) {
    const std::vector<double>& at = scale.values;
    if (count < 2 || at.size() != count) return {};
    const double step = (at.back() - at.front()) / static_cast<double>(count - 1);
    constexpr double kUneven = 0.01;  // of a step
    for (std::size_t i = 0; i < count; ++i)
      if (!(std::fabs(at[i] - at.front() - step * static_cast<double>(i)) <=
            kUneven * std::fabs(step)) ||
          step == 0.0)
        refuse_heights(path_, fmt::format("its coordinates '{}' are not evenly spaced; accepted: "
                                          "values at even steps",
                                          scale.name));
    Spacing spacing{std::fabs(step), step < 0.0};
    const auto metres = factor_of(kLengths, scale.unit);
    if (metres)
      spacing.distance *= *metres / request_.metres;
    else if (!scale.unit.empty() || spacing.distance == 1.0)
      spacing.distance = 0.0;
    return spacing;
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::filesystem::path& path_;
  const HeightsRequest& request_;
  hid_t file_;
  std::string name_;
  hdf5::Handle dataset_;
};

}  // namespace

std::optional<double> metres_of(std::string_view unit) { return factor_of(kLengths, unit); }

Heights read_hdf5_heights(const std::filesystem::path& path, const std::string& dataset,
                          const HeightsRequest& request) {
  const hdf5::OneThread alone;
  try {
    const hdf5::Handle file = hdf5::open_file(path);
    if (!hdf5::has_link(file.id(), dataset))
      refuse_heights(path, fmt::format("has no dataset '{}'", dataset));
    return MapReader(path, request, file.id(), dataset).read();
  } catch (const Hdf5Error& error) {
    refuse_heights(path, fmt::format("cannot be read at '{}' ({})", dataset, error.reason()));
  }
}

}  // namespace slipfield
