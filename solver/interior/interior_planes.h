// SPDX-License-Identifier: Apache-2.0
// Stresses and displacements on planes of constant depth, at all element centres of a grid that is
// free, or periodic in both directions, whichever backend computes them (THEORY.md 12.5, 12.7):
// solver/interior/cpu_interior_planes.h, interior_waves.h, gpu/interior/cuda_interior.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solver/grid.h"
#include "solver/interior/interior_request.h"
#include "solver/material.h"
#include "solver/solution.h"

namespace slipfield {

// Which components to compute; the cost is proportional to their number.
enum class InteriorNeed { stress, stress_and_displacement };

inline int components_of(InteriorNeed need) {
  return need == InteriorNeed::stress ? kStressComponents : kInteriorComponents;
}

// Principal stresses, von_mises, tresca, hydrostatic: computed element by element.
inline constexpr int kStressMeasures = kLocalQuantities - kInteriorComponents;

// The planes of one body.
struct InteriorTask {
  Grid grid;
  ElasticBody material;
  Body body = Body::upper;
  InteriorNeed need = InteriorNeed::stress;
  InteriorWindow window;  // elements for which the measures are wanted
};

class InteriorPlanes {
 public:
  virtual ~InteriorPlanes() = default;

  // Computes the plane at a depth >= 0; it replaces the last one.
  virtual void compute(double depth) = 0;
  // A component of the last plane, by InteriorComponent: mx my values, x fastest, in the axes and
  // signs of the contact (stress [force/length^2], tension positive; displacement [length]).
  [[nodiscard]] virtual const std::vector<double>& component(int component) = 0;
  // A measure of the last plane over the window, x fastest: principal_1 to hydrostatic.
  [[nodiscard]] virtual const std::vector<double>& measure(InteriorQuantity quantity) = 0;
};

// Planes in the memory of the host; a derived class forms the components.
class HostInteriorPlanes : public InteriorPlanes {
 public:
  [[nodiscard]] const std::vector<double>& component(int component) override {
    return planes_[static_cast<std::size_t>(component)];
  }
  [[nodiscard]] const std::vector<double>& measure(InteriorQuantity quantity) override {
    return measures_[static_cast<std::size_t>(quantity) - kInteriorComponents];
  }

 protected:
  // others: bytes that the derived class needs. Throws InputError where the machine has too little
  // memory.
  HostInteriorPlanes(const InteriorTask& task, std::size_t others);

  [[nodiscard]] const InteriorTask& task() const { return task_; }
  [[nodiscard]] std::vector<double>& plane(std::size_t component) { return planes_[component]; }
  void clear();            // a body without a load
  void update_measures();  // of the components

 private:
  InteriorTask task_;
  std::array<std::vector<double>, kInteriorComponents> planes_;
  std::array<std::vector<double>, kStressMeasures> measures_;
};

// The tractions are those of the solution, which must outlive the planes. Throws InputError if the
// machine has too little memory; on a GPU Error.
using MakeInteriorPlanes =
    std::function<std::unique_ptr<InteriorPlanes>(const InteriorTask&, const ContactSolution&)>;
std::unique_ptr<InteriorPlanes> make_cpu_interior_planes(const InteriorTask& task,
                                                         const ContactSolution& solution);

}  // namespace slipfield
