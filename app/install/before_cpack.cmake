# Run by cpack before it makes anything. A package is for any machine of its architecture.
if(CPACK_SLIPFIELD_NATIVE)
  message(FATAL_ERROR "This build is for this machine's processor (SLIPFIELD_NATIVE=ON), a package "
    "must run on others: cmake --preset package && cmake --build --preset package && cpack --preset package")
endif()
if(NOT CPACK_SLIPFIELD_FFT STREQUAL "fftw")
  message(FATAL_ERROR "This build links MKL (SLIPFIELD_FFT=mkl), on which no Debian package can depend; "
    "accepted: SLIPFIELD_FFT=fftw")
endif()
