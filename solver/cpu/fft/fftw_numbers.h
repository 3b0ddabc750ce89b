// SPDX-License-Identifier: Apache-2.0
// FFTW has a set of names for each kind of number.
#pragma once

#include <fftw3.h>

namespace slipfield {

template <class Real>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto kLines = fftw_plan_many_dft;
  static constexpr auto kRowForward = fftw_plan_dft_r2c_1d;
  static constexpr auto kRowBackward = fftw_plan_dft_c2r_1d;
  static constexpr auto kExecute = fftw_execute;
  static constexpr auto kExecuteLines = fftw_execute_dft;
  static constexpr auto kExecuteForward = fftw_execute_dft_r2c;
  static constexpr auto kExecuteBackward = fftw_execute_dft_c2r;
  static constexpr auto kDestroy = fftw_destroy_plan;
  static constexpr auto kAllocate = fftw_malloc;
  static constexpr auto kFree = fftw_free;
};
template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto kLines = fftwf_plan_many_dft;
  static constexpr auto kRowForward = fftwf_plan_dft_r2c_1d;
  static constexpr auto kRowBackward = fftwf_plan_dft_c2r_1d;
  static constexpr auto kExecute = fftwf_execute;
  static constexpr auto kExecuteLines = fftwf_execute_dft;
  static constexpr auto kExecuteForward = fftwf_execute_dft_r2c;
  static constexpr auto kExecuteBackward = fftwf_execute_dft_c2r;
  static constexpr auto kDestroy = fftwf_destroy_plan;
  static constexpr auto kAllocate = fftwf_malloc;
  static constexpr auto kFree = fftwf_free;
};

}  // namespace slipfield
