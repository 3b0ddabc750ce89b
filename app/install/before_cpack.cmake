# SPDX-License-Identifier: Apache-2.0
# Run by cpack before it makes anything. A package must run on every machine of its architecture, and
# can depend on Debian's own packages only.
set(why "")
if(CPACK_SLIPFIELD_NATIVE)
  set(why "compiled for this machine's processor (SLIPFIELD_NATIVE=ON)")
elseif(CPACK_SLIPFIELD_CUDA)
  set(why "linked with CUDA's libraries (SLIPFIELD_CUDA)")
elseif(NOT CPACK_SLIPFIELD_FFT STREQUAL "fftw")
  set(why "linked with MKL (SLIPFIELD_FFT=mkl)")
endif()
if(why)
  message(FATAL_ERROR "A package must run on other machines, and this build is ${why}; accepted: "
    "cmake --preset package && cmake --build --preset package && cpack --preset package")
endif()
