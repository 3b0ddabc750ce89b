// SPDX-License-Identifier: Apache-2.0
// Fuzz target of the case reader: any bytes either are refused with one of the program's errors or
// give a case whose resolved text reads back to itself, and so does each end of its sweep. Beside
// the case lie heights.txt, 9 x 8 numbers, and points.txt, a table of two columns.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "io/case/reader.h"
#include "io/case/sweep.h"
#include "solver/error.h"
#include "tests/support/temporary_folder.h"

namespace {

std::filesystem::path write_file(const std::string& name, std::string_view text) {
  static const slipfield::test::TemporaryFolder temporary;
  static const std::filesystem::path folder = [] {
    const std::filesystem::path& path = temporary.path();
    std::ofstream heights(path / "heights.txt");
    for (int i = 0; i < 72; ++i) heights << 0.001 * (i * i % 13) << (i % 9 == 8 ? '\n' : ' ');
    std::ofstream points(path / "points.txt");
    for (int i = -20; i <= 20; ++i) points << 0.5 * i << ' ' << 0.01 * i * i << '\n';
    return path;
  }();
  const std::filesystem::path path = folder / name;
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  return path;
}

void read_again(const std::string& resolved) {
  const std::string again =
      slipfield::read_case(write_file("resolved.yaml", resolved)).resolved_yaml;
  if (again == resolved) return;
  std::fprintf(stderr, "--- resolved\n%s--- read again\n%s", resolved.c_str(), again.c_str());
  std::abort();
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer asks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> resolved;
  try {
    const slipfield::CaseFile file = slipfield::read_case(write_file("case.yaml", text));
    resolved.push_back(file.resolved_yaml);
    if (file.sweep)
      for (const int point : {1, file.sweep->count()})
        resolved.push_back(file.sweep->point(point).resolved_yaml);
  } catch (const slipfield::Error& error) {
    if (*error.what() == '\0') std::abort();  // a refusal says why
    return 0;
  }
  for (const std::string& yaml : resolved) read_again(yaml);
  return 0;
}
