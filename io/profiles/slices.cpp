// SPDX-License-Identifier: Apache-2.0
#include "io/profiles/reader.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "io/plain_text.h"
#include "io/profiles/formats.h"

namespace slipfield {
namespace {

constexpr double kMostSlices = 100000.0;

// Iterates over the nonempty lines, without comments (%).
class SliceLines {
 public:
  explicit SliceLines(const ProfileText& text) : text_(text) {}

  // The leading numbers of the next line, at least `least`.
  std::vector<double> numbers(std::size_t least, const char* what) {
    std::vector<double> found;
    const std::string_view line = next(what);
    for (const std::string_view word : words_of(line, " \t,")) {
      const auto number = number_of(word);
      if (!number) break;
      found.push_back(*number);
    }
    if (found.size() < least)
      refuse(fmt::format("has {} of {} numbers; accepted: {}", found.size(), least, what));
    return found;
  }
  SliceOfFile slice(double offset, double scale) {
    constexpr const char* kWhat = "a position and the name of a profile in quotes";
    const std::string_view line = next(kWhat);
    const std::size_t open = line.find_first_of("'\"");
    const std::size_t close =
        open == std::string_view::npos ? open : line.find(line[open], open + 1);
    if (close == std::string_view::npos)
      refuse(fmt::format("names no profile; accepted: {}", kWhat));
    const auto words = words_of(line.substr(0, open), " \t,");
    const auto position = words.empty() ? std::nullopt : number_of(words.front());
    if (!position) refuse(fmt::format("has no position; accepted: {}", kWhat));
    std::string name(line.substr(open + 1, close - open - 1));
    for (char& letter : name)
      if (letter == '\\') letter = '/';
    return {scale * (offset + *position), text_.path.parent_path() / name, {}};
  }
  [[noreturn]] void refuse(const std::string& problem) const {
    refuse_profile(text_.path, at_, problem);
  }

 private:
  std::string_view next(const char* what) {
    while (at_ < text_.lines.size()) {
      const std::string_view line = text_.lines[at_++];
      const std::string_view kept = line.substr(0, line.find_first_of("%!"));
      if (kept.find_first_not_of(" \t\r") != std::string_view::npos) return kept;
    }
    refuse_profile(text_.path, 0, fmt::format("ends too early; accepted: {}", what));
  }

  const ProfileText& text_;
  std::size_t at_ = 0;
};

}  // namespace

bool is_slices_file(const std::filesystem::path& path) {
  const std::string ending = file_ending(path);
  return ending == ".slcs" || ending == ".slcw";
}

std::vector<SliceOfFile> read_slices(const std::filesystem::path& path) {
  if (file_ending(path) == ".slcw")
    refuse_profile(path, 0, "holds slices of a wheel; accepted: those of a rail (.slcs)");
  const ProfileText text = read_profile_lines(path);
  SliceLines lines(text);
  const std::vector<double> scale = lines.numbers(2, "U_OFFSET and U_SCALE");
  const double count = lines.numbers(1, "the number of slices").front();
  if (!(count >= 1.0 && count <= kMostSlices))
    lines.refuse(fmt::format("has {} slices; accepted: 1 to {}", count, kMostSlices));
  const std::vector<double> features = lines.numbers(1, "NFEAT, NKINK and NACCEL");
  for (std::size_t i = 1; i < std::min<std::size_t>(features.size(), 3); ++i)
    if (features[i] != 0.0)
      lines.refuse("has kinks or accelerations of parts, which are not supported; accepted: 0");
  const std::vector<double> blend = lines.numbers(1, "U_INTPOL");
  if (blend.front() != 1.0)
    lines.refuse(
        fmt::format("has U_INTPOL {}; accepted: 1, which goes through the slices", blend.front()));
  if (blend.size() > 1 && blend[1] != 0.0)
    lines.refuse("has perturbations, which are not supported; accepted: 0");
  std::vector<SliceOfFile> slices;
  for (int i = 0; i < static_cast<int>(count); ++i)
    slices.push_back(lines.slice(scale[0], scale[1]));
  constexpr double kMostFeatures = 1000.0;
  if (features.front() != std::floor(features.front()) || features.front() > kMostFeatures)
    lines.refuse(fmt::format("has {} features; accepted: a whole number up to {}", features.front(),
                             kMostFeatures));
  if (features.front() <= 1.0) return slices;
  const auto each = static_cast<std::size_t>(features.front());
  for (SliceOfFile& slice : slices) {
    const std::vector<double> row =
        lines.numbers(1 + each, "a position and its features, in one line");
    const double position = scale[1] * (scale[0] + row.front());
    if (!(std::fabs(position - slice.position) <= 1.0e-6 * (1.0 + std::fabs(slice.position))))
      lines.refuse(fmt::format(
          "has features at {} mm where the slice is at {} mm; accepted: a line for each slice, in "
          "their order",
          position, slice.position));
    slice.features.assign(row.begin() + 1, row.begin() + 1 + static_cast<std::ptrdiff_t>(each));
  }
  return slices;
}

}  // namespace slipfield
