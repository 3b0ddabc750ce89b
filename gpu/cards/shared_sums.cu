// SPDX-License-Identifier: Apache-2.0
// The operations with sums of the solvers that run on several cards, instantiated for them.
#include "gpu/cards/shared_sums.h"

#include "gpu/device/element_launch.cuh"
#include "solver/normal/normal_newton_ops.h"
#include "solver/normal/normal_ops.h"
#include "solver/step/friction_ops.h"
#include "solver/step/rolling_resistance.h"
#include "solver/step/step_ops.h"
#include "solver/tangential/coarse_ops.h"
#include "solver/tangential/falling_ops.h"
#include "solver/tangential/hardening_ops.h"
#include "solver/tangential/krylov_ops.h"
#include "solver/tangential/moment_ops.h"
#include "solver/tangential/newton_ops.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/tangential/tangential_ops.h"
#include "solver/window/window_ops.h"

namespace slipfield {

#define SLIPFIELD_INSTANTIATE(Op)                                                                  \
  template void launch_element_op<CardSums<Op>>(const CardSums<Op>&, std::size_t, double*,         \
                                                cudaStream_t, bool);                               \
  template void launch_element_op<AllCardsSums<Op>>(const AllCardsSums<Op>&, std::size_t, double*, \
                                                    cudaStream_t, bool)

SLIPFIELD_INSTANTIATE(UpdateApproach);
SLIPFIELD_INSTANTIATE(ActivateBound);
SLIPFIELD_INSTANTIATE(ExchangeActiveSet);
SLIPFIELD_INSTANTIATE(CentreResidual);
SLIPFIELD_INSTANTIATE(MeasureDirection);
SLIPFIELD_INSTANTIATE(MeasureStep);
SLIPFIELD_INSTANTIATE(TakeStep);
SLIPFIELD_INSTANTIATE(SumPressure);

SLIPFIELD_INSTANTIATE(LinearizeNormal);
SLIPFIELD_INSTANTIATE(MultiplyNormal);
SLIPFIELD_INSTANTIATE(TakeNormalStep);
SLIPFIELD_INSTANTIATE(MultiplyBasis);

SLIPFIELD_INSTANTIATE(RestrictToCoarse);
SLIPFIELD_INSTANTIATE(LinearizeFriction);
SLIPFIELD_INSTANTIATE(SumSlips);
SLIPFIELD_INSTANTIATE(MultiplyJacobian);
SLIPFIELD_INSTANTIATE(TakeNewtonStep);
SLIPFIELD_INSTANTIATE(LinearizeFallingFriction);
SLIPFIELD_INSTANTIATE(TakeFallingStep);
SLIPFIELD_INSTANTIATE(LinearizeHardeningFriction);
SLIPFIELD_INSTANTIATE(TakeHardeningStep);
SLIPFIELD_INSTANTIATE(MeasureMoment);
SLIPFIELD_INSTANTIATE(MultiplyMoment);

SLIPFIELD_INSTANTIATE(EnterContact);
SLIPFIELD_INSTANTIATE(EnterFrictionless);
SLIPFIELD_INSTANTIATE(FollowSlip);
SLIPFIELD_INSTANTIATE(SumTractions);
SLIPFIELD_INSTANTIATE(OuterChange);
SLIPFIELD_INSTANTIATE(SumEdges);
SLIPFIELD_INSTANTIATE(CountAtEnd);
SLIPFIELD_INSTANTIATE(SumRollingLoss);
SLIPFIELD_INSTANTIATE(SumStep);
SLIPFIELD_INSTANTIATE(MeasureResiduals);

SLIPFIELD_INSTANTIATE(MeasureOverlap);
SLIPFIELD_INSTANTIATE(MarkOverlap);

#undef SLIPFIELD_INSTANTIATE

}  // namespace slipfield
