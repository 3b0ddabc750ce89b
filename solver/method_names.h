// SPDX-License-Identifier: Apache-2.0
// The words for the methods of a solver, in cases and in messages.
#pragma once

#include <array>
#include <string_view>

#include "solver/problem.h"

namespace slipfield {

template <typename E>
struct Choice {
  std::string_view name;
  E value;
};

inline constexpr std::array<Choice<InfluenceMethod>, 3> kInfluenceMethods{{
    {"auto", InfluenceMethod::automatic},
    {"tiled", InfluenceMethod::summation},
    {"fft", InfluenceMethod::fft},
}};

inline constexpr std::array<Choice<NormalMethod>, 8> kNormalMethods{{
    {"auto", NormalMethod::automatic},
    {"active_set_cg", NormalMethod::active_set_cg},
    {"bound_cg", NormalMethod::bound_cg},
    {"direct", NormalMethod::dense},
    {"newton", NormalMethod::newton},
    {"kpec", NormalMethod::kpec},
    {"analyn", NormalMethod::analyn},
    {"sdec", NormalMethod::sdec},
}};

inline constexpr std::array<Choice<TangentialMethod>, 6> kTangentialMethods{{
    {"auto", TangentialMethod::automatic},
    {"gauss_seidel", TangentialMethod::gauss_seidel},
    {"newton", TangentialMethod::newton},
    {"direct", TangentialMethod::dense},
    {"fastsim", TangentialMethod::fastsim},
    {"fastrip", TangentialMethod::fastrip},
}};

}  // namespace slipfield
