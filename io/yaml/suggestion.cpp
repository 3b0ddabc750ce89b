// SPDX-License-Identifier: Apache-2.0
#include "io/yaml/suggestion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <vector>

namespace slipfield {
namespace {

constexpr std::size_t kLongestWord = 40;  // nothing longer is a misspelt key

char lower(char letter) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

// The most edits in a near miss.
std::size_t most_edits(std::string_view word) { return std::max<std::size_t>(1, word.size() / 3); }

// The only word that begins with a shortened one, or the only one that has it as a part: --out of
// --output, mises of von_mises.
std::optional<std::string_view> begun_word(std::string_view word,
                                           std::span<const std::string_view> words) {
  constexpr std::size_t kShortest = 4;
  if (word.size() < kShortest) return std::nullopt;
  const auto only = [&](const auto& fits) -> std::optional<std::string_view> {
    const auto found = std::ranges::find_if(words, fits);
    if (found == words.end()) return std::nullopt;
    if (std::find_if(std::next(found), words.end(), fits) != words.end()) return std::nullopt;
    return *found;
  };
  const auto begun = only([&](std::string_view each) { return each.starts_with(word); });
  if (begun) return begun;
  return only([&](std::string_view each) { return each.find(word) != std::string_view::npos; });
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the table of optimal string alignment.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t cost = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + cost});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::optional<std::string_view> nearest_word(std::string_view word,
                                             std::span<const std::string_view> words) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  std::size_t least = most_edits(word) + 1;
  bool turned = false;  // the nearest has the same letters
  std::optional<std::string_view> nearest;
  for (const std::string_view candidate : words) {
    const std::size_t distance = edit_distance(word, candidate);
    const bool same = std::ranges::is_permutation(word, candidate);
    if ((distance < least || (distance == least && nearest && same && !turned)) &&
        distance < candidate.size()) {
      least = distance;
      turned = same;
      nearest = candidate;
    }
  }
  return nearest ? nearest : begun_word(word, words);
}

std::string accepted_words(std::string_view word, std::span<const std::string_view> words) {
  std::string result;
  if (const auto nearest = nearest_word(word, words))
    result = fmt::format("did you mean '{}'? ", *nearest);
  return result + fmt::format("accepted: {}", fmt::join(words, ", "));
}

std::string near_words(std::string_view word, std::span<const std::string> words,
                       std::string_view all) {
  constexpr std::size_t kShown = 4;
  constexpr std::size_t kShortestPart = 3;
  struct Near {
    std::size_t distance;
    std::string_view word;
  };
  std::vector<Near> near;
  if (word.size() <= kLongestWord) {
    for (const std::string_view each : words) {
      const std::size_t distance = edit_distance(word, each);
      const bool contains =
          word.size() >= kShortestPart && each.find(word) != std::string_view::npos;
      if (contains || (distance <= most_edits(word) && distance < each.size()))
        near.push_back({distance, each});
    }
  }
  std::ranges::stable_sort(near,
                           [](const Near& a, const Near& b) { return a.distance < b.distance; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kShown, near.size()); ++i)
    text += fmt::format(
        "{}'{}'",
        i == 0 ? "did you mean " : (i + 1 == std::min(kShown, near.size()) ? " or " : ", "),
        near[i].word);
  return text + (text.empty() ? "" : "? ") + std::string(all);
}

}  // namespace slipfield
