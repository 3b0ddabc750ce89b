#include "io/heights_reader.h"

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

#include "io/heights_formats.h"
#include "solver/error.h"

namespace slipfield {
namespace {

constexpr const char* kDefaultDataset = "/heights";
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
                  const std::vector<double>& values) {
  bool any_finite = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) {
      any_finite = true;
      continue;
    }
    if (request.infinity == Infinity::allowed && values[i] > 0.0) continue;
    const auto mx = static_cast<std::size_t>(request.mx);
    refuse_heights(path, fmt::format("the value in row {}, column {} is {}; {}", i / mx + 1,
                                     i % mx + 1, values[i],
                                     request.infinity == Infinity::allowed
                                         ? "a finite number, or inf where no contact is possible"
                                         : "a finite number is needed"));
  }
  if (!any_finite) refuse_heights(path, "holds no finite value, so nothing could touch");
}

std::vector<double> read_values(const std::filesystem::path& path, const HeightsRequest& request,
                                std::string& dataset) {
  const std::string start = first_bytes(path);
  if (is_hdf5(path, start)) {
    dataset = request.dataset.value_or(kDefaultDataset);
    return read_hdf5_heights(path, dataset, request);
  }
  if (request.dataset) refuse_heights(path, "is no HDF5 file, which the key 'dataset' needs");
  if (std::string_view(start).substr(0, kNpyMagic.size()) == kNpyMagic)
    return read_npy_heights(path, request);
  return read_text_heights(path, request);
}

}  // namespace

void refuse_heights(const std::filesystem::path& path, const std::string& problem) {
  throw InputError(path.string() + ": " + problem);
}

void refuse_shape(const std::filesystem::path& path, const std::vector<std::size_t>& shape,
                  const HeightsRequest& request) {
  refuse_heights(path, fmt::format("has the shape ({}); the grid needs (my, mx) = ({}, {})",
                                   fmt::join(shape, ", "), request.my, request.mx));
}

Heights read_heights(const std::filesystem::path& path, const HeightsRequest& request) {
  Heights heights;
  try {
    heights.values = read_values(path, request, heights.dataset);
  } catch (const std::bad_alloc&) {
    refuse_heights(
        path, fmt::format("its {} x {} values do not fit into memory", request.my, request.mx));
  }
  check_values(path, request, heights.values);
  return heights;
}

}  // namespace slipfield
