// SPDX-License-Identifier: Apache-2.0
// The lists of the solvers' element operations. One card runs them as they are
// (gpu/device/element_instances.cu), cards that share the rows those with sums in two halves
// (gpu/cards/shared_sums.cu).
#pragma once

#include "solver/normal/normal_newton_ops.h"
#include "solver/normal/normal_ops.h"
#include "solver/step/fixed_point_ops.h"
#include "solver/step/friction_ops.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/coarse_ops.h"
#include "solver/tangential/falling_ops.h"
#include "solver/tangential/hardening_ops.h"
#include "solver/tangential/krylov_ops.h"
#include "solver/tangential/moment_ops.h"
#include "solver/tangential/newton_ops.h"
#include "solver/tangential/newton_preconditioner.h"
#include "solver/tangential/second_order/correct_slip.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/tangential/tangential_ops.h"
#include "solver/window/window_ops.h"

// clang-format off
#define SLIPFIELD_OPS_WITH_SUMS(X)                                                                \
  X(UpdateApproach) X(ActivateBound) X(ExchangeActiveSet) X(CentreResidual) X(MeasureDirection)   \
  X(MeasureStep) X(TakeStep) X(SumPressure) X(LinearizeNormal) X(MultiplyNormal)                  \
  X(TakeNormalStep) X(EnterContact) X(EnterFrictionless) X(FollowSlip) X(SumTractions)            \
  X(RestrictToCoarse) X(MeasureOverlap) X(MarkOverlap) X(SumEdges) X(CountAtEnd)                  \
  X(LinearizeFriction) X(SumSlips) X(MultiplyJacobian) X(TakeNewtonStep)                          \
  X(LinearizeFallingFriction) X(TakeFallingStep) X(LinearizeHardeningFriction)                    \
  X(TakeHardeningStep) X(MeasureMoment) X(MultiplyMoment) X(MultiplyBasis) X(OuterChange)         \
  X(MultiplyRounds) X(SumRollingLoss) X(SumStep) X(MeasureResiduals)
#define SLIPFIELD_OPS_WITHOUT_SUMS(X)                                                             \
  X(FormResidual) X(UpdateDirection) X(ScalePressure) X(StartEvenly) X(ClearDirection)            \
  X(MarkLoaded) X(MaskInactive) X(JoinNormal) X(TakeFriction) X(TakeFrictionShare)                \
  X(FitTractions) X(SlipEverywhere) X(FormSlip) X(AddRigidSlip) X(InterpolateFromCoarse)          \
  X(CutOut) X(PutBack) X(CutOutContact) X(PutBackDivision) X(FindEdge) X(FindAnswer)              \
  X(FindFactor) X(FindMissing) X(CorrectSlip) X(SplitForPreconditioner) X(JoinPreconditioned)     \
  X(TakeRotation) X(SubtractBasis) X(CombineBasis) X(CopyField) X(FillField) X(AddFields)         \
  X(TakePart) X(KeepRound) X(SubtractResults) X(SubtractPrevious)
// clang-format on
