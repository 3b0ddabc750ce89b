// SPDX-License-Identifier: Apache-2.0
// The same problem in another system of units.
#pragma once

#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "io/result/field_table.h"
#include "solver/problem.h"

namespace slipfield::test {

// Factors from numbers in old units to numbers in new ones: from N-mm-s to SI {1e-3, 1, 1}.
struct UnitSystem {
  double length = 1.0;
  double force = 1.0;
  double time = 1.0;

  [[nodiscard]] double traction() const { return force / (length * length); }
  [[nodiscard]] double compliance() const { return length / traction(); }
  [[nodiscard]] double velocity() const { return length / time; }
  // The factor of a quantity with that dimension; angles and temperatures stay.
  [[nodiscard]] double of(Dimension dimension) const {
    switch (dimension) {
      case Dimension::length:
        return length;
      case Dimension::angle_per_length:
        return 1.0 / length;
      case Dimension::traction:
        return traction();
      case Dimension::force:
        return force;
      case Dimension::moment:
      case Dimension::energy:
        return force * length;
      case Dimension::power:
        return force * velocity();
      case Dimension::velocity:
        return velocity();
      case Dimension::time:
        return time;
      case Dimension::area:
        return length * length;
      case Dimension::volume:
        return length * length * length;
      case Dimension::power_density:
        return traction() * velocity();
      case Dimension::stiffness:
        return force / length;
      case Dimension::none:
      case Dimension::angle:
      case Dimension::temperature:
        break;
    }
    return 1.0;
  }
};

class UnitConversion {
 public:
  explicit UnitConversion(const UnitSystem& to) : to_(to) {}

  // `units` stays: heat and the wear law t_gamma, whose constants follow it, only know two systems.
  [[nodiscard]] ContactProblem operator()(ContactProblem problem) const {
    for (ElasticBody* body : {&problem.upper, &problem.lower}) {
      body->shear_modulus *= to_.traction();
      body->hardness *= to_.traction();
      for (CreepTerm& term : body->creep) term.time *= to_.time;
    }
    problem.adhesion.work *= to_.traction() * to_.length;
    problem.adhesion.length *= to_.length;
    problem.layer.compliance *= to_.compliance();
    problem.layer.normal_compliance *= to_.compliance();
    problem.layer.yield_stress *= to_.traction();
    problem.layer.hardening *= to_.traction() / to_.length;
    for (auto& part : problem.patches.rectangles)
      lengths({&part.x_from, &part.x_to, &part.y_from, &part.y_to});
    convert(problem.influence);
    Grid& grid = problem.grid;
    lengths({&grid.dx, &grid.dy, &grid.x0, &grid.y0});
    for (Shape& shape : problem.geometry) std::visit([this](auto& one) { convert(one); }, shape);
    for (StepInput& step : problem.steps) convert(step);
    HalfEllipses& halves = problem.solver.half_ellipses;
    lengths({&halves.semi_axis_x, &halves.below, &halves.above, &halves.border});
    problem.solver.flexibility *= to_.compliance();
    convert(problem.surface);
    return problem;
  }

 private:
  void lengths(std::initializer_list<double*> values) const {
    for (double* value : values) *value *= to_.length;
  }
  void lengths(std::vector<double>& values) const {
    for (double& value : values) value *= to_.length;
  }

  void convert(CurvedInfluence& influence) const {
    if (influence.tables) {
      auto tables = std::make_shared<TabulatedCoefficients>(*influence.tables);
      for (CoefficientMatrix& matrix : tables->values)
        for (double& value : matrix) value *= to_.length;
      influence.tables = std::move(tables);
    }
    if (influence.conformal) {
      auto turned = std::make_shared<ConformalCorrection>(*influence.conformal);
      lengths(turned->y);
      influence.conformal = std::move(turned);
    }
  }

  void convert(QuadraticShape& shape) const {
    for (double* value : {&shape.xx, &shape.xy, &shape.yy}) *value /= to_.length;
    shape.constant *= to_.length;
  }
  void convert(SphereShape& shape) const { shape.radius *= to_.length; }
  void convert(EllipsoidShape& shape) const { lengths({&shape.radius_x, &shape.radius_y}); }
  void convert(CylinderShape& shape) const { shape.radius *= to_.length; }
  void convert(HertzShape& shape) const {
    lengths({&shape.semi_axis_x, &shape.semi_axis_y});
    shape.force *= to_.force;
  }
  void convert(PlanformShape& shape) const {
    lengths({&shape.centre_x, &shape.centre_y});
    if (auto* ellipse = std::get_if<EllipseOutline>(&shape.outline))
      lengths({&ellipse->semi_axis_x, &ellipse->semi_axis_y});
    if (auto* rectangle = std::get_if<RectangleOutline>(&shape.outline))
      lengths({&rectangle->half_width_x, &rectangle->half_width_y});
    if (auto* polygon = std::get_if<PolygonOutline>(&shape.outline))
      for (auto& vertex : polygon->vertices) lengths({&vertex[0], &vertex[1]});
  }
  void convert(ProfileShape& shape) const {
    lengths(shape.y);
    lengths(shape.z);
    shape.curvature_x /= to_.length;
  }
  void convert(HeightsShape& shape) const { lengths(shape.values); }
  void convert(RoughShape& shape) const {
    RoughSurface& surface = shape.surface;
    if (!surface.slope_given) surface.rms *= to_.length;
    lengths({&surface.shortest, &surface.longest, &surface.rolloff});
  }

  void convert(Friction& friction) const {
    for (double* value :
         {&friction.half_velocity, &friction.second_half_velocity, &friction.memory_velocity})
      *value *= to_.velocity();
    friction.memory_distance *= to_.length;
    for (LawAlongY& place : friction.along_y) {
      place.y *= to_.length;
      place.law.half_velocity *= to_.velocity();
      place.law.second_half_velocity *= to_.velocity();
    }
    if (auto* along = std::get_if<FrictionAlongY>(&friction.place)) lengths(along->y);
    if (auto* warm = std::get_if<FrictionByTemperature>(&friction.place)) {
      lengths(warm->y);
      warm->memory_distance *= to_.length;
      warm->memory_velocity *= to_.velocity();
    }
  }
  void convert(StepInput& step) const {
    convert(step.friction);
    step.normal.value *= step.normal.control == NormalControl::force ? to_.force : to_.length;
    Tangential& tangential = step.tangential;
    const bool rolls = tangential.problem == TangentialProblem::transient_rolling ||
                       tangential.problem == TangentialProblem::steady_rolling;
    for (TangentialLoad* load : {&tangential.x, &tangential.y}) {
      if (load->control == TangentialControl::force) load->value *= to_.force;
      if (load->control == TangentialControl::rigid && !rolls) load->value *= to_.length;
    }
    if (rolls) tangential.rotation /= to_.length;
    if (tangential.moment) *tangential.moment *= to_.force * to_.length;
    tangential.step *= to_.length;
    tangential.velocity *= to_.velocity();
    tangential.duration *= to_.time;
    if (rolls) return;
    for (auto* extra : {&tangential.extra.x, &tangential.extra.y}) {
      if (!*extra) continue;
      auto values = std::make_shared<std::vector<double>>(**extra);
      lengths(*values);
      *extra = std::move(values);
    }
  }
  void convert(SurfaceRequest& request) const {
    if (request.wear) {
      for (double& value : request.wear->coefficient.slip_velocity) value *= to_.velocity();
      for (double& value : request.wear->coefficient.pressure) value *= to_.traction();
      request.wear->hardness *= to_.traction();
      request.wear->t_gamma.density /= to_.length * to_.length * to_.length;
    }
    if (request.heat)
      for (ThermalBody& body : request.heat->bodies) {
        body.conductivity /= to_.length;
        body.density /= to_.length * to_.length * to_.length;
      }
    if (request.fatigue) request.fatigue->shear_yield *= to_.traction();
  }

  UnitSystem to_;
};

}  // namespace slipfield::test
