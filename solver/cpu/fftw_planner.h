// SPDX-License-Identifier: Apache-2.0
// What plans and memory of FFTW need. It may plan in one thread at a time; executing needs no lock.
#pragma once

#include <fftw3.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <mutex>
#include <new>

namespace slipfield {

// Held by whoever makes or destroys a plan.
inline std::mutex& fftw_planner() {
  static std::mutex planner;
  return planner;
}

inline fftw_complex* as_fftw(std::complex<double>* values) {
  return reinterpret_cast<fftw_complex*>(values);
}
inline fftwf_complex* as_fftw(std::complex<float>* values) {
  return reinterpret_cast<fftwf_complex*>(values);
}

// Deletes what fftw_malloc() gave.
struct FftwFree {
  void operator()(void* memory) const { fftw_free(memory); }
};

template <class T>
using FftwBuffer = std::unique_ptr<T[], FftwFree>;

// Aligned as FFTW likes it, uninitialised. Throws std::bad_alloc.
template <class T>
FftwBuffer<T> fftw_buffer(std::size_t count) {
  void* const memory = fftw_malloc(count * sizeof(T));
  if (memory == nullptr) throw std::bad_alloc();
  return FftwBuffer<T>(static_cast<T*>(memory));
}

}  // namespace slipfield
