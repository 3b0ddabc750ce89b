// SPDX-License-Identifier: Apache-2.0
// Patches by themselves, and on the grid.
#include <algorithm>
#include <string>

#include "solver/check/fault_list.h"

namespace slipfield {
namespace {

bool overlap(const ContactPatches::Rectangle& a, const ContactPatches::Rectangle& b) {
  return a.x_from < b.x_to && b.x_from < a.x_to && a.y_from < b.y_to && b.y_from < a.y_to;
}

bool check_rectangles(const ContactPatches& patches, FaultList& faults) {
  const std::size_t before = faults.size();
  for (std::size_t i = 0; i < patches.rectangles.size(); ++i) {
    const ContactPatches::Rectangle& r = patches.rectangles[i];
    const auto number = std::to_string(i + 1);
    for (const double side : {r.x_from, r.x_to, r.y_from, r.y_to})
      if (!faults.number("patches.x_from", side, kAnyNumber)) return false;
    if (!(r.x_from < r.x_to))
      faults.add("patches.x_to", joined(r.x_to, " of patch ", number, " is not above its x_from"),
                 joined("a number > ", r.x_from));
    if (!(r.y_from < r.y_to))
      faults.add("patches.y_to", joined(r.y_to, " of patch ", number, " is not above its y_from"),
                 joined("a number > ", r.y_from));
    for (std::size_t j = 0; j < i && faults.size() == before; ++j)
      if (overlap(patches.rectangles[j], r))
        faults.add("patches.x_from", joined("patch ", number, " overlaps patch ", j + 1),
                   "rectangles that touch at most");
  }
  return faults.size() == before;
}

bool hold_an_element(const ContactPatches& patches, const Grid& grid) {
  return std::any_of(patches.rectangles.begin(), patches.rectangles.end(),
                     [&](const ContactPatches::Rectangle& r) {
                       bool in_x = false;
                       bool in_y = false;
                       for (int ix = 0; ix < grid.mx; ++ix)
                         in_x = in_x || (r.x_from <= grid.x(ix) && grid.x(ix) <= r.x_to);
                       for (int iy = 0; iy < grid.my; ++iy)
                         in_y = in_y || (r.y_from <= grid.y(iy) && grid.y(iy) <= r.y_to);
                       return in_x && in_y;
                     });
}

}  // namespace

void check_patches(const ContactProblem& problem, FaultList& faults) {
  const ContactPatches& patches = problem.patches;
  if (!patches.exist()) return;
  if (!check_rectangles(patches, faults)) return;
  if (!hold_an_element(patches, problem.grid))
    faults.add("patches", "no element of the grid has its centre in them",
               "rectangles over elements of the grid");
  const std::size_t pairs = pairs_of(patches.rectangles.size());
  faults.numbers("patches.weights", patches.weights, kShare);
  if (patches.weights.size() != pairs)
    faults.add("patches.weights",
               joined("has ", patches.weights.size(), " numbers for ", patches.rectangles.size(),
                      " patches"),
               joined(pairs, ", one for each pair"));
}

}  // namespace slipfield
