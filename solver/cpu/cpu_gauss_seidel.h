// SPDX-License-Identifier: Apache-2.0
// gauss_seidel on the CPU: element after element, exactly (THEORY.md 7; [deReus2010], after
// Vollebregt's ConvexGS).
//
// The slip of every element is kept up to date. A panel of elements in sweep order is solved one
// after another with its mutual coefficients; then the change of its tractions is added to the slip
// everywhere, in parallel over the rows. The iterates are those of the plain sequential sweep, to
// rounding.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/cpu/cpu_influence.h"
#include "solver/fields/tangential_ops.h"
#include "solver/tangential/friction_element.h"

namespace slipfield {

class CpuGaussSeidel {
 public:
  // Takes the backend as the GPU's class does; the CPU does not use it.
  CpuGaussSeidel(const CpuBackend& /*backend*/, const Grid& grid) : grid_(grid) {}

  // The elements in contact, as state says (not exterior).
  // influence: from tractions to slip; must outlive the sweeps.
  void set_contact(CpuInfluence& influence, const unsigned char* state, SweepOrder order);

  // One sweep with over-relaxation 0 < relaxation < 2; tractions, slip and state are updated.
  SweepChange sweep(const TangentialFields& fields, double relaxation);

 private:
  struct Element {
    int ix;
    int iy;
    std::size_t index;
    double lambda;
  };
  struct RowSpan {
    int iy;
    int begin;
    int end;
  };
  void solve_block(std::size_t first, std::size_t last, const TangentialFields& fields,
                   double relaxation, SweepChange& change);
  void solve_panel(std::size_t first, std::size_t last, const TangentialFields& fields,
                   double relaxation, SweepChange& change);
  // Adds changes_[begin .. end) to the slip of a row.
  void add_changes(std::size_t begin, std::size_t end, const RowSpan& row, double* slip_x,
                   double* slip_y) const;

  Grid grid_;
  const InfluenceTable* xx_ = nullptr;  // tabulated for the first contact
  const InfluenceTable* xy_ = nullptr;
  const InfluenceTable* yy_ = nullptr;
  ElementCompliance compliance_;
  std::vector<Element> elements_;
  std::vector<RowSpan> rows_;  // the rows that hold contact and the columns between which it lies
  struct Change {
    int ix;
    int iy;
    double x;
    double y;
  };
  std::vector<Change> changes_;                      // of the block's tractions so far
  std::vector<double> block_slip_x_, block_slip_y_;  // slip of the block with those changes
};

}  // namespace slipfield
