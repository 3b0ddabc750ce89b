// Fuzz target of the case reader: any bytes either are refused with one of the program's errors or
// give a case whose resolved text reads back to itself.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "io/case_reader.h"
#include "solver/error.h"

namespace {

std::filesystem::path write_file(const std::string& name, std::string_view text) {
  static const std::filesystem::path folder = [] {
    const auto path =
        std::filesystem::temp_directory_path() / ("slipfield-fuzz-" + std::to_string(getpid()));
    std::filesystem::create_directories(path);
    return path;
  }();
  const std::filesystem::path path = folder / name;
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  return path;
}

}  // namespace

// NOLINTNEXTLINE(readability-identifier-naming): the name that libFuzzer asks for
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::string resolved;
  try {
    resolved = slipfield::read_case(write_file("case.yaml", text)).resolved_yaml;
  } catch (const slipfield::Error& error) {
    if (*error.what() == '\0') std::abort();  // a refusal says why
    return 0;
  }
  const std::string again =
      slipfield::read_case(write_file("resolved.yaml", resolved)).resolved_yaml;
  if (again != resolved) {
    std::fprintf(stderr, "--- resolved\n%s--- read again\n%s", resolved.c_str(), again.c_str());
    std::abort();
  }
  return 0;
}
