// SPDX-License-Identifier: Apache-2.0
#include "io/heights/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <new>
#include <string_view>
#include <system_error>

#include "io/heights/formats.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr std::string_view kHdf5Magic = "\x89HDF\r\n\x1a\n";

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
  htri_t found = 0;
  H5E_BEGIN_TRY { found = H5Fis_hdf5(path.c_str()); }
  H5E_END_TRY
  return found > 0;
}

void check_values(const std::filesystem::path& path, const HeightsRequest& request,
                  const Heights& heights) {
  const std::vector<double>& values = heights.values;
  bool any_finite = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) {
      any_finite = true;
      continue;
    }
    if (request.infinity == Infinity::allowed && values[i] > 0.0) continue;
    const auto mx = static_cast<std::size_t>(heights.mx);
    refuse_heights(
        path,
        fmt::format("the value in row {}, column {} is {}; {}", i / mx + 1, i % mx + 1, values[i],
                    request.infinity == Infinity::allowed
                        ? "a finite number, or inf where no contact is possible"
                    : std::isnan(values[i]) ? "a finite number is needed: fill in the points that "
                                              "were not measured"
                                            : "a finite number is needed"));
  }
  if (!any_finite) refuse_heights(path, "holds no finite value, so nothing could touch");
}

Heights read_values(const std::filesystem::path& path, const HeightsRequest& request) {
  const std::string start = first_bytes(path);
  if (is_hdf5(path, start)) {
    return read_hdf5_heights(path, request.dataset.value_or(request.default_dataset), request);
  }
  if (request.dataset) refuse_heights(path, "is not an HDF5 file, which the key 'dataset' needs");
  if (std::string_view(start).substr(0, kNpyMagic.size()) == kNpyMagic)
    return read_npy_heights(path, request);
  return read_text_heights(path, request);
}

}  // namespace

void refuse_heights(const std::filesystem::path& path, const std::string& problem) {
  throw InputError(path.string() + ": " + problem);
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
  refuse_heights(path, fmt::format("has the shape ({}); {}", fmt::join(shape, ", "), needed));
}

void check_heights(const std::filesystem::path& path, const HeightsRequest& request,
                   const Heights& heights) {
  if (request.dataset) refuse_heights(path, "is an array, which has no dataset");
  check_shape(path, {static_cast<std::size_t>(heights.my), static_cast<std::size_t>(heights.mx)},
              request);
  check_values(path, request, heights);
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
