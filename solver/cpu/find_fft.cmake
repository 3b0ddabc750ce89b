# SPDX-License-Identifier: Apache-2.0
# Finds the FFTs that SLIPFIELD_FFT names, for Slipfield's own build and for programs that link the
# installed library: makes the target Slipfield::fft, or says in SLIPFIELD_FFT_MISSING what to
# install.
#
# fftw: FFTW 3.
# mkl: FFTW's interface of Intel's MKL, in CMAKE_PREFIX_PATH or MKLROOT. Its sequential layer: each
#   of the solver's own threads transforms its rows and columns.

if(SLIPFIELD_FFT STREQUAL "mkl")
  set(SLIPFIELD_FFT_MISSING
      "mkl-devel and mkl-include from PyPI (MKL, in CMAKE_PREFIX_PATH or MKLROOT)")
  find_path(SLIPFIELD_MKL_HEADERS fftw/fftw3.h HINTS ENV MKLROOT
            PATH_SUFFIXES include include/mkl mkl)
  set(SLIPFIELD_FFT_HEADERS ${SLIPFIELD_MKL_HEADERS}/fftw)
  set(SLIPFIELD_FFT_NAMES mkl_intel_lp64 mkl_sequential mkl_core)
else()
  set(SLIPFIELD_FFT_MISSING "libfftw3-dev (FFTW)")
  find_path(FFTW3_INCLUDE_DIR fftw3.h)
  set(SLIPFIELD_FFT_HEADERS ${FFTW3_INCLUDE_DIR})
  set(SLIPFIELD_FFT_NAMES fftw3 fftw3f)  # of doubles, and of floats for batches
endif()

set(SLIPFIELD_FFT_LIBRARIES "")
foreach(name IN LISTS SLIPFIELD_FFT_NAMES)
  find_library(SLIPFIELD_${name}_LIBRARY NAMES ${name} lib${name}.so.3 lib${name}.so.2  # of PyPI
               HINTS ENV MKLROOT PATH_SUFFIXES lib lib/intel64)
  list(APPEND SLIPFIELD_FFT_LIBRARIES ${SLIPFIELD_${name}_LIBRARY})
endforeach()

if(NOT "${SLIPFIELD_FFT_HEADERS};${SLIPFIELD_FFT_LIBRARIES}" MATCHES "NOTFOUND")
  unset(SLIPFIELD_FFT_MISSING)
  if(SLIPFIELD_FFT STREQUAL "mkl")  # they need each other and do not name each other
    list(PREPEND SLIPFIELD_FFT_LIBRARIES -Wl,--push-state,--no-as-needed)
    list(APPEND SLIPFIELD_FFT_LIBRARIES -Wl,--pop-state)
  endif()
  if(NOT TARGET Slipfield::fft)
    add_library(Slipfield::fft INTERFACE IMPORTED GLOBAL)
    set_target_properties(Slipfield::fft PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES ${SLIPFIELD_FFT_HEADERS}
      INTERFACE_LINK_LIBRARIES "${SLIPFIELD_FFT_LIBRARIES}")
  endif()
endif()
