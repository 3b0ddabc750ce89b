// SPDX-License-Identifier: Apache-2.0
// Plans and memory for FFTW. It can only plan in one thread at a time; executing needs no lock.
#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>

namespace slipfield {

// FFTW has separate names for each number type.
template <class Real>
struct Fftw;
template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Complex = fftw_complex;
  static constexpr auto kLines = fftw_plan_many_dft;
  static constexpr auto kExecute = fftw_execute;
  static constexpr auto kExecuteLines = fftw_execute_dft;
  static constexpr auto kDestroy = fftw_destroy_plan;
};
template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Complex = fftwf_complex;
  static constexpr auto kLines = fftwf_plan_many_dft;
  static constexpr auto kExecute = fftwf_execute;
  static constexpr auto kExecuteLines = fftwf_execute_dft;
  static constexpr auto kDestroy = fftwf_destroy_plan;
};

// Lock it while making a plan.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

// A plan that destroys itself.
template <class Real>
struct FftwDestroy {
  void operator()(typename Fftw<Real>::Plan plan) const {
    const std::lock_guard<std::mutex> planning(fftw_planner());
    Fftw<Real>::kDestroy(plan);
  }
};
template <class Real = double>
using FftwPlan =
    std::unique_ptr<std::remove_pointer_t<typename Fftw<Real>::Plan>, FftwDestroy<Real>>;

inline fftw_complex* as_fftw(std::complex<double>* values) {
  return reinterpret_cast<fftw_complex*>(values);
}
inline fftwf_complex* as_fftw(std::complex<float>* values) {
  return reinterpret_cast<fftwf_complex*>(values);
}

// Frees memory from fftw_malloc().
struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};

template <class T>
using FftwBuffer = std::unique_ptr<T[], FftwFree>;

// Uninitialised memory with FFTW's alignment. Throws std::bad_alloc.
template <class T>
FftwBuffer<T> fftw_buffer(std::size_t count) {
  void* const memory = fftw_malloc(count * sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return FftwBuffer<T>(static_cast<T*>(memory));
}

}  // namespace slipfield
