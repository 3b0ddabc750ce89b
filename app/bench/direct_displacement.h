// SPDX-License-Identifier: Apache-2.0
// Displacements of a step by direct summation, now and of the same particles one step ago: of elastic
// bodies, with a layer between them (THEORY.md 5.10), and of viscoelastic ones (2.8, 5.13).
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "solver/contact_solver.h"
#include "solver/influence/influence_table.h"

namespace slipfield {

struct DirectSum3 {
  double x = 0.0;
  double y = 0.0;
  double n = 0.0;
};

class DirectDisplacement {
 public:
  // before: the fields of the steps since the start, oldest first, each made by `step` as `now` is.
  DirectDisplacement(const ContactProblem& problem, const StepInput& step,
                     const std::vector<ContactSolution>& before, const ContactSolution& now);

  [[nodiscard]] DirectSum3 now(int ix, int iy) const { return sum(now_, false, ix, iy); }
  // At the place that the particle now in the element came from; in a shift it is the same.
  [[nodiscard]] DirectSum3 past(int ix, int iy) const {
    return steady_ ? sum(now_, true, ix, iy) : sum(past_, true, ix, iy);
  }
  // Pairs of elements that both take together.
  [[nodiscard]] std::size_t loaded() const;

 private:
  struct Source {
    int ix;  // also beyond the grid
    int iy;
    double x, y, n;
  };
  // Tractions, and the material that they displace.
  struct Part {
    CombinedMaterial material;
    std::vector<Source> sources;
  };
  using Parts = std::vector<Part>;

  [[nodiscard]] DirectSum3 sum(const Parts& parts, bool ago, int ix, int iy) const;
  [[nodiscard]] double coefficient(const Part& part, Component component, bool ago, int kx,
                                   int ky) const;
  [[nodiscard]] std::vector<Source> sources_of(const ContactSolution& fields) const;
  void remember(const ElasticBody& body, double side, const Tangential& tangential,
                const std::vector<ContactSolution>& before, const ContactSolution& now);

  Grid grid_;
  CombinedMaterial material_;
  bool steady_ = false;
  bool coupled_ = false;
  double offset_x_ = 0.0;  // to where particles came from
  double offset_y_ = 0.0;
  Parts now_, past_;
  // For viscoelastic bodies in steady rolling: tables now, and one step ago.
  std::array<std::vector<InfluenceTable>, 2> tables_;
};

}  // namespace slipfield
