// SPDX-License-Identifier: Apache-2.0
// The main of a fuzz target without libFuzzer: replays files, or all files of folders, and then
// mutated copies.
//
//   TARGET FOLDER... [-mutations=N] [-seed=S]
//
// With clang and -fsanitize=fuzzer libFuzzer has its own main and this file is left out.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

Bytes read_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> files_of(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(path))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }

  // One to eight changes: a byte, a piece repeated, moved, cut out, or taken from another file.
  Bytes changed(Bytes bytes, const Bytes& other) {
    for (std::size_t count = 1 + below(8); count > 0; --count) {
      const std::size_t at = below(bytes.size() + 1);
      const std::size_t length = std::min(1 + below(64), bytes.size() - at);
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at);
      const Bytes piece(begin, begin + static_cast<std::ptrdiff_t>(length));
      switch (below(5)) {
        case 0:
          if (length > 0) bytes[at] = static_cast<std::uint8_t>(random_());
          break;
        case 1:
          bytes.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
          break;
        case 2:
          bytes.insert(begin, piece.begin(), piece.end());
          break;
        case 3: {
          constexpr std::string_view kHostile = "0123456789eE+-.:[]{}&*!<>|%@`'\"#,\n\t ~\\";
          bytes.insert(begin, static_cast<std::uint8_t>(kHostile[below(kHostile.size())]));
          break;
        }
        default: {
          const std::size_t from = below(other.size() + 1);
          const std::size_t taken = std::min(1 + below(64), other.size() - from);
          bytes.insert(begin, other.begin() + static_cast<std::ptrdiff_t>(from),
                       other.begin() + static_cast<std::ptrdiff_t>(from + taken));
        }
      }
    }
    return bytes;
  }

 private:
  std::mt19937_64 random_;
};

void run(const Bytes& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

}  // namespace

int main(int argc, char** argv) {
  std::vector<Bytes> corpus;
  long mutations = 0;
  std::uint64_t seed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("-mutations=", 0) == 0) {
      mutations = std::stol(argument.substr(11));
    } else if (argument.rfind("-seed=", 0) == 0) {
      seed = std::stoull(argument.substr(6));
    } else {
      for (const fs::path& file : files_of(argument)) corpus.push_back(read_bytes(file));
    }
  }
  if (corpus.empty()) {
    std::fprintf(stderr, "usage: %s FOLDER... [-mutations=N] [-seed=S]\n", argv[0]);
    return 2;
  }
  for (const Bytes& bytes : corpus) run(bytes);
  Mutator mutator(seed);
  for (long i = 0; i < mutations; ++i)
    run(mutator.changed(corpus[mutator.below(corpus.size())],
                        corpus[mutator.below(corpus.size())]));
  std::printf("%zu files and %ld changed copies: each read or refused\n", corpus.size(), mutations);
  return 0;
}
