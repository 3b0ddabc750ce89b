// SPDX-License-Identifier: Apache-2.0
// gauss_seidel on the CPU: element after element, exactly (THEORY.md 7; [deReus2010], after
// Vollebregt's ConvexGS).
//
// The slip of every element is kept up to date. A panel of elements in sweep order is solved one
// after another with its mutual coefficients; then the change of its tractions is added to the slip
// everywhere, in parallel over the rows. Up to rounding the iterates are those of a plain
// sequential sweep.
#pragma once

#include <cstddef>
#include <vector>

#include "solver/cpu/cpu_influence.h"
#include "solver/fields/tangential_ops.h"
#include "solver/tangential/friction_element.h"

namespace slipfield {

class CpuGaussSeidel {
 public:
  // The backend is unused; the argument matches the GPU's class.
  CpuGaussSeidel(const CpuBackend& /*backend*/, const Grid& grid) : grid_(grid) {}

  // Sets the elements in contact (not exterior in `state`). influence: from tractions to slip; must
  // outlive the sweeps.
  void set_contact(CpuInfluence& influence, const unsigned char* state, SweepOrder order);

  // One sweep with over-relaxation 0 < relaxation < 2; updates tractions, slip and state.
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
  std::vector<RowSpan> rows_;  // rows with contact, and the columns that enclose it
  struct Change {
    int ix;
    int iy;
    double x;
    double y;
  };
  std::vector<Change> changes_;                      // of the block's tractions up to now
  std::vector<double> block_slip_x_, block_slip_y_;  // slip of the block including those changes
};

}  // namespace slipfield
