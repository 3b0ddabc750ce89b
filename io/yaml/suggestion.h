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

// The nearest of `words` where at most a third of the letters differ (at least one may); else the
// only one that begins with four letters or more of a word, or the only one that has them as a
// part.
std::optional<std::string_view> nearest_word(std::string_view word,
                                             std::span<const std::string_view> words);

// "did you mean 'x'? accepted: x, y, z", the first sentence only for a near miss.
std::string accepted_words(std::string_view word, std::span<const std::string_view> words);

// The same for words that are too many to list: "did you mean 'x' or 'y'? " and `all`, a sentence
// on where all of them are. Near are those with few other letters, and those that contain the word.
std::string near_words(std::string_view word, std::span<const std::string> words,
                       std::string_view all);
inline constexpr std::string_view kAllNames = "`slipfield info --fields` lists all";

}  // namespace slipfield
