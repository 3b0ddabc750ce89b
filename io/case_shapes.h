// The shapes of a case's geometry, each read in a source file of its own but for the plainest,
// which are in case_geometry.cpp.
#pragma once

#include <utility>

#include "io/case_sections.h"

namespace slipfield {

// One member of the geometry, read by its type's reader. The reader keeps its shape where all of
// its keys are right; the errors are in the diagnostics otherwise.
struct ShapeReading {
  CaseSection& section;
  const GeometryContext& context;
  Geometry& geometry;

  void keep(Shape shape) const { geometry.shapes.push_back(std::move(shape)); }
};

void read_planform(const ShapeReading& reading);       // case_planform.cpp
void read_profile(const ShapeReading& reading);        // case_profile.cpp
void read_heights_shape(const ShapeReading& reading);  // case_heights.cpp
void read_rough(const ShapeReading& reading);          // case_rough.cpp

}  // namespace slipfield
