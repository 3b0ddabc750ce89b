// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/yaml/suggestion.h"

namespace slipfield {
namespace {

constexpr std::array<std::string_view, 4> kWords{"coefficient", "force", "approach", "y"};

}  // namespace

TEST_SUITE("unit") {
  TEST_CASE("edit distance: counts letters put in, left out, replaced and swapped") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("force", "forse") == 1);
    CHECK(edit_distance("force", "froce") == 1);
    CHECK(edit_distance("force", "forces") == 1);
    CHECK(edit_distance("force", "orce") == 1);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("N-mm-s", "n-MM-S") == 0);
  }

  TEST_CASE("did you mean: a near miss names the nearest word, a stranger none") {
    CHECK(nearest_word("coeficient", kWords) == "coefficient");
    CHECK(nearest_word("Froce", kWords) == "force");
    CHECK(nearest_word("banana", kWords) == std::nullopt);
    CHECK(nearest_word("x", kWords) == std::nullopt);  // every letter of `y` would differ
    CHECK(nearest_word("", kWords) == std::nullopt);
    constexpr std::array<std::string_view, 6> kOthers{"--output",  "--overwrite", "--fields",
                                                      "stress_xx", "stress_xz",   "von_mises"};
    for (const auto& [given, meant] :
         {std::pair{"--out", "--output"}, std::pair{"--over", "--overwrite"},
          std::pair{"--field", "--fields"}, std::pair{"mises", "von_mises"},
          std::pair{"stress_zx", "stress_xz"}})
      CHECK(nearest_word(given, kOthers) == meant);
    CHECK(nearest_word("--o", kOthers) == std::nullopt);     // two of them
    CHECK(nearest_word("stress", kOthers) == std::nullopt);  // likewise
    CHECK(accepted_words("aproach", kWords) ==
          "did you mean 'approach'? accepted: coefficient, force, approach, y");
    CHECK(accepted_words("banana", kWords) == "accepted: coefficient, force, approach, y");
  }

  TEST_CASE("did you mean: of many words those with few other letters, and those that contain it") {
    const std::vector<std::string> names{"force_x",  "track_force_x",      "force_y",
                                         "moment_z", "left_track_force_x", "contact_track_force_x"};
    CHECK(near_words("forcex", names, "all") == "did you mean 'force_x' or 'force_y'? all");
    CHECK(near_words("track_force", names, "all") ==
          "did you mean 'track_force_x', 'left_track_force_x' or 'contact_track_force_x'? all");
    CHECK(near_words("e", names, "all") == "all");
    CHECK(near_words(std::string(1000, 'x'), names, "all") == "all");
  }
}

}  // namespace slipfield
