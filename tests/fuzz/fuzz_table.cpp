// SPDX-License-Identifier: Apache-2.0
// Fuzz target of the readers of measured data and of CONTACT's input: any bytes as a table of
// heights or points, and as an input file, are read or refused with one of the program's errors.
//
// HDF5 files are left out: plain damage to one tests that library (see fuzz_result.cpp).

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "io/contact/contact_input.h"
#include "io/heights/reader.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace slipfield;

std::filesystem::path write_file(std::string_view bytes) {
  static const test::TemporaryFolder temporary;
  const std::filesystem::path path = temporary / "table";
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

void read_table(const std::filesystem::path& path, const HeightsRequest& request) {
  read_or_refuse([&] {
    const Heights heights = read_heights(path, request);
    const auto count = static_cast<std::size_t>(heights.mx) * static_cast<std::size_t>(heights.my);
    if (heights.values.size() != count) std::abort();
    for (const double value : heights.values)
      if (std::isnan(value) || value == -HUGE_VAL) std::abort();
  });
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer asks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (bytes.substr(0, 4) == "\x89HDF") return 0;
  const std::filesystem::path path = write_file(bytes);
  read_table(path, {});
  HeightsRequest points;
  points.mx = 2;
  points.infinity = Infinity::allowed;
  read_table(path, points);
  read_or_refuse([&] { static_cast<void>(convert_contact_input(path, {})); });
  return 0;
}
