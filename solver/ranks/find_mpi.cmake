# SPDX-License-Identifier: Apache-2.0
# Finds MPI and FFTW's distributed transforms, and asks for the HDF5 that is built with MPI: makes the
# target Slipfield::mpi, or names in SLIPFIELD_MISSING what to install.
if(NOT SLIPFIELD_FFT STREQUAL "fftw")
  message(FATAL_ERROR "SLIPFIELD_MPI needs SLIPFIELD_FFT=fftw: distributed transforms are FFTW's")
endif()
find_package(MPI QUIET COMPONENTS C)
slipfield_require(MPI_C_FOUND "libopenmpi-dev" "MPI, for SLIPFIELD_MPI")
find_path(SLIPFIELD_FFTW_MPI_HEADERS fftw3-mpi.h)
find_library(SLIPFIELD_FFTW_MPI_LIBRARY fftw3_mpi)
slipfield_require(SLIPFIELD_FFTW_MPI_LIBRARY "libfftw3-mpi-dev" "FFTW with MPI, for SLIPFIELD_MPI")
set(HDF5_PREFER_PARALLEL ON)
# mpi.h, which the headers of HDF5 include: without its old interface for C++.
add_compile_definitions(OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
if(MPI_C_FOUND AND SLIPFIELD_FFTW_MPI_LIBRARY)
  add_library(Slipfield::mpi INTERFACE IMPORTED GLOBAL)
  set_target_properties(Slipfield::mpi PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${SLIPFIELD_FFTW_MPI_HEADERS}"
    INTERFACE_LINK_LIBRARIES "${SLIPFIELD_FFTW_MPI_LIBRARY};MPI::MPI_C")
endif()
