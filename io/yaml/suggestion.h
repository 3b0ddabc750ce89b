// SPDX-License-Identifier: Apache-2.0
// "did you mean": the accepted word nearest to a misspelt one.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slipfield {

// Number of insertions, deletions, substitutions and swaps of neighbours that turn a into b,
// upper and lower case taken as equal.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of `words` where at most a third of the letters differ (at least one may).
std::optional<std::string_view> nearest_word(std::string_view word,
                                             std::span<const std::string_view> words);

// "did you mean 'x'? accepted: x, y, z", the first sentence only for a near miss.
std::string accepted_words(std::string_view word, std::span<const std::string_view> words);

}  // namespace slipfield
