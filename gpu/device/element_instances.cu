// SPDX-License-Identifier: Apache-2.0
// Every element operation of the solvers, instantiated for the device. Mirrors CpuBackend::run of
// solver/cpu/cpu_backend.h.
#include "gpu/device/element_launch.cuh"
#include "solver/fields/fixed_point_ops.h"
#include "solver/fields/krylov_ops.h"
#include "solver/fields/newton_ops.h"
#include "solver/fields/step_ops.h"
#include "solver/fields/tangential_ops.h"
#include "solver/normal/normal_ops.h"
#include "solver/step/adhesion_ops.h"
#include "solver/step/archard_ops.h"
#include "solver/step/friction_ops.h"
#include "solver/step/hardness_ops.h"
#include "solver/tangential/coarse_ops.h"
#include "solver/tangential/element_law.h"
#include "solver/tangential/moment_ops.h"
#include "solver/tangential/newton_preconditioner.h"
#include "solver/tangential/second_order/edge_ops.h"
#include "solver/window/window_ops.h"

namespace slipfield {

#define SLIPFIELD_INSTANTIATE(Op)                                                               \
  template void launch_element_op<Op>(const Op&, std::size_t, const ElementSums&, cudaStream_t, \
                                      bool);                                                    \
  template void launch_element_finish<Op>(const Op&, const double*, int, cudaStream_t, bool)
// Long operations that store their results. Four elements at a time would still run one after
// another, because a load cannot pass a store that may go to the same place.
#define SLIPFIELD_INSTANTIATE_LONG(Op)                          \
  template <>                                                   \
  inline constexpr int element_detail::kElementsAtOnce<Op> = 1; \
  SLIPFIELD_INSTANTIATE(Op)

SLIPFIELD_INSTANTIATE(UpdateApproach);
SLIPFIELD_INSTANTIATE(ActivateBound);
SLIPFIELD_INSTANTIATE(ExchangeActiveSet);
SLIPFIELD_INSTANTIATE(CentreResidual);
SLIPFIELD_INSTANTIATE(FormResidual);
SLIPFIELD_INSTANTIATE(MeasureDirection);
SLIPFIELD_INSTANTIATE(UpdateDirection);
SLIPFIELD_INSTANTIATE(MeasureStep);
SLIPFIELD_INSTANTIATE(TakeStep);
SLIPFIELD_INSTANTIATE(InvertPressure);
SLIPFIELD_INSTANTIATE(LowerPressure);
SLIPFIELD_INSTANTIATE(ScalePressure);
SLIPFIELD_INSTANTIATE(SumPressure);
SLIPFIELD_INSTANTIATE(StartEvenly);
SLIPFIELD_INSTANTIATE(TakePressures);
SLIPFIELD_INSTANTIATE(ClearDirection);

SLIPFIELD_INSTANTIATE(MarkLoaded);
SLIPFIELD_INSTANTIATE(LinearizeNormal);
SLIPFIELD_INSTANTIATE(MultiplyNormal);
SLIPFIELD_INSTANTIATE(TakeNormalStep);
SLIPFIELD_INSTANTIATE(MaskInactive);
SLIPFIELD_INSTANTIATE(JoinNormal);

SLIPFIELD_INSTANTIATE(YieldWhereOverlapping);
SLIPFIELD_INSTANTIATE(LeaveOutYielding);
SLIPFIELD_INSTANTIATE(FillYielding);
SLIPFIELD_INSTANTIATE(FollowYielding);
SLIPFIELD_INSTANTIATE(DeformYielding);

SLIPFIELD_INSTANTIATE(FormGap);
SLIPFIELD_INSTANTIATE(SubtractField);
SLIPFIELD_INSTANTIATE_LONG(FollowGap);
SLIPFIELD_INSTANTIATE(MixImages);
SLIPFIELD_INSTANTIATE(MultiplyFields);
SLIPFIELD_INSTANTIATE(CountAtEdge);

SLIPFIELD_INSTANTIATE(AddWornDepth);

SLIPFIELD_INSTANTIATE(EnterContact);
SLIPFIELD_INSTANTIATE(EnterFrictionless);
SLIPFIELD_INSTANTIATE(FollowSlip);
SLIPFIELD_INSTANTIATE(TakeFriction);
SLIPFIELD_INSTANTIATE(TakeFrictionShare);
SLIPFIELD_INSTANTIATE(FitTractions);
SLIPFIELD_INSTANTIATE(SlipEverywhere);
SLIPFIELD_INSTANTIATE(FormSlip);

SLIPFIELD_INSTANTIATE(AddRigidSlip);
SLIPFIELD_INSTANTIATE(AddRigidMotion);
SLIPFIELD_INSTANTIATE(SumTractions);

SLIPFIELD_INSTANTIATE(RestrictToCoarse);
SLIPFIELD_INSTANTIATE(InterpolateFromCoarse);

SLIPFIELD_INSTANTIATE(CutOut);
SLIPFIELD_INSTANTIATE(PutBack);
SLIPFIELD_INSTANTIATE(CutOutContact);
SLIPFIELD_INSTANTIATE(PutBackDivision);
SLIPFIELD_INSTANTIATE(MeasureOverlap);
SLIPFIELD_INSTANTIATE(MarkOverlap);

SLIPFIELD_INSTANTIATE_LONG(FindEdge);
SLIPFIELD_INSTANTIATE(SumEdges);
SLIPFIELD_INSTANTIATE(CountAtEnd);
SLIPFIELD_INSTANTIATE(SumMotionChange);
SLIPFIELD_INSTANTIATE(FindAnswer);
SLIPFIELD_INSTANTIATE_LONG(FindFactor);
SLIPFIELD_INSTANTIATE_LONG(FindMissing);
SLIPFIELD_INSTANTIATE_LONG(CorrectSlip);

SLIPFIELD_INSTANTIATE_LONG(LinearizeFriction);
SLIPFIELD_INSTANTIATE(FormNewtonSlip);
SLIPFIELD_INSTANTIATE(SumSlips);
SLIPFIELD_INSTANTIATE(MultiplyJacobian);
SLIPFIELD_INSTANTIATE(TakeNewtonStep);
SLIPFIELD_INSTANTIATE_LONG(LinearizeLaw<FallingBound>);
SLIPFIELD_INSTANTIATE(TakeLawStep<FallingBound>);
SLIPFIELD_INSTANTIATE_LONG(LinearizeLaw<HardeningBound>);
SLIPFIELD_INSTANTIATE(TakeLawStep<HardeningBound>);
SLIPFIELD_INSTANTIATE(SplitForPreconditioner);
SLIPFIELD_INSTANTIATE(JoinPreconditioned);
SLIPFIELD_INSTANTIATE(MeasureMoment);
SLIPFIELD_INSTANTIATE(MultiplyMoment);
SLIPFIELD_INSTANTIATE(TakeRotation);
SLIPFIELD_INSTANTIATE(MultiplyBasis);
SLIPFIELD_INSTANTIATE(SubtractBasis);
SLIPFIELD_INSTANTIATE(TakeCorrection);
SLIPFIELD_INSTANTIATE(CombineBasis);

SLIPFIELD_INSTANTIATE(CopyField);
SLIPFIELD_INSTANTIATE(FillField);
SLIPFIELD_INSTANTIATE(SumField);
SLIPFIELD_INSTANTIATE(AddFields);
SLIPFIELD_INSTANTIATE(OuterChange);
SLIPFIELD_INSTANTIATE(MultiplyRounds);
SLIPFIELD_INSTANTIATE(TakePart);
SLIPFIELD_INSTANTIATE(KeepRound);
SLIPFIELD_INSTANTIATE(SubtractResults);
SLIPFIELD_INSTANTIATE(SubtractPrevious);
SLIPFIELD_INSTANTIATE(SumRollingLoss);
SLIPFIELD_INSTANTIATE(SumStep);
SLIPFIELD_INSTANTIATE(MeasureResiduals);

#undef SLIPFIELD_INSTANTIATE_LONG
#undef SLIPFIELD_INSTANTIATE

}  // namespace slipfield
