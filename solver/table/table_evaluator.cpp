// SPDX-License-Identifier: Apache-2.0
#include "solver/table/table_evaluator.h"

#include "solver/error.h"

namespace slipfield {

TableEvaluator::TableEvaluator(const void* bytes, std::size_t size) {
  if (slipfield_table_open(&table_, bytes, size) != SLIPFIELD_TABLE_OK)
    throw Error("these bytes are not a creep-force table");
}

TableForces TableEvaluator::at(double ratio, const std::array<double, 3>& creepage) const {
  TableForces out;
  out.status = slipfield_table_force(&table_, ratio, creepage.data(), out.force.data(),
                                     out.derivative.data());
  return out;
}

TableForces TableEvaluator::at(const slipfield_table_rolling& contact) const {
  TableForces out;
  out.status = slipfield_table_contact(&table_, &contact, out.force.data(), out.derivative.data());
  return out;
}

}  // namespace slipfield
