// SPDX-License-Identifier: Apache-2.0
// The shapes of a case's geometry, each read in a source file of its own but for the plainest,
// which are in io/case/geometry/geometry.cpp.
#pragma once

#include <initializer_list>
#include <utility>

#include "io/case/check/faults.h"
#include "io/case/sections.h"

namespace slipfield {

// One member of the geometry, read by its type's reader. The reader keeps its shape where all of
// its keys are right and the solver takes it; the errors are in the diagnostics otherwise. `keys`:
// where fields of the shape are not keys of their own.
struct ShapeReading {
  CaseSection& section;
  const GeometryContext& context;
  Geometry& geometry;

  bool keep(Shape shape, std::initializer_list<FieldKey> keys = {}) const {
    const Grid* grid = context.grid ? &*context.grid : nullptr;
    if (!report_faults(section, check_shape(shape, grid), keys)) return false;
    geometry.shapes.push_back(std::move(shape));
    return true;
  }
};

void read_planform(const ShapeReading& reading);       // io/case/geometry/planform.cpp
void read_profile(const ShapeReading& reading);        // io/case/geometry/profile.cpp
void read_heights_shape(const ShapeReading& reading);  // io/case/geometry/heights.cpp
void read_rough(const ShapeReading& reading);          // io/case/geometry/rough.cpp

}  // namespace slipfield
