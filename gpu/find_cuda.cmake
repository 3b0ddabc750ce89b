# SPDX-License-Identifier: Apache-2.0
# Enables CUDA if nvcc, cuFFT and cuSOLVER are found and work; else reports why. AUTO also requires an
# NVIDIA driver: a machine without one cannot run the kernels, which take half the time of a build.
#
# Sets SLIPFIELD_WITH_CUDA, SLIPFIELD_CUDA_VERSION and SLIPFIELD_CUDA_REASON. The code is compiled
# for CMAKE_CUDA_ARCHITECTURES or the environment's CUDAARCHS if given, else for this machine's
# GPUs, else for every card from compute capability 8.0 on: as code for 9.0 (H100, H200), and as PTX
# that the driver of any other card compiles when the program first runs there, 8.0 for cards
# without clusters, 9.0 for later ones.

set(SLIPFIELD_CUDA_REASON "")
if(NOT CMAKE_CUDA_COMPILER)
  find_program(SLIPFIELD_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH PATHS /usr/local/cuda/bin
               PATH_SUFFIXES bin)
  if(SLIPFIELD_NVCC)
    set(CMAKE_CUDA_COMPILER ${SLIPFIELD_NVCC})
  else()
    set(SLIPFIELD_CUDA_REASON "no nvcc on the PATH or in /usr/local/cuda/bin")
  endif()
endif()

# The cards of this machine. WSL keeps nvidia-smi in a folder of its own and has no /proc/driver/nvidia.
find_program(SLIPFIELD_NVIDIA_SMI nvidia-smi PATHS /usr/lib/wsl/lib)
mark_as_advanced(SLIPFIELD_NVIDIA_SMI)
set(capabilities "")
if(SLIPFIELD_NVIDIA_SMI)
  execute_process(COMMAND ${SLIPFIELD_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                  OUTPUT_VARIABLE capabilities ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${capabilities}")
  string(REPLACE "." "" capabilities "${capabilities}")
  list(REMOVE_DUPLICATES capabilities)
endif()
if(SLIPFIELD_CUDA STREQUAL "AUTO" AND NOT SLIPFIELD_CUDA_REASON AND NOT capabilities
   AND NOT EXISTS /proc/driver/nvidia/version)
  set(SLIPFIELD_CUDA_REASON "no NVIDIA driver; -DSLIPFIELD_CUDA=ON compiles it anyway")
endif()

if(NOT SLIPFIELD_CUDA_REASON AND NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(architectures 80-virtual 90)
  if(NOT "$ENV{CUDAARCHS}" STREQUAL "")
    set(architectures $ENV{CUDAARCHS})
  elseif(capabilities)
    set(architectures ${capabilities})
  endif()
  set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING
      "GPU architectures to compile for, e.g. 90 or 80;90; all-major for distribution")
endif()

if(NOT SLIPFIELD_CUDA_REASON)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit QUIET)
    if(TARGET CUDA::cufft AND TARGET CUDA::cudart_static AND TARGET CUDA::cusolver)
      set(SLIPFIELD_WITH_CUDA ON)
      set(SLIPFIELD_CUDA_VERSION
          "${CUDAToolkit_VERSION_MAJOR}.${CUDAToolkit_VERSION_MINOR}")
    else()
      set(SLIPFIELD_CUDA_REASON "nvcc is there, but not the libraries cudart, cufft and cusolver")
    endif()
  else()
    set(SLIPFIELD_CUDA_REASON "${SLIPFIELD_NVCC} does not compile a test program")
  endif()
endif()

if(NOT SLIPFIELD_WITH_CUDA)
  if(SLIPFIELD_CUDA STREQUAL "ON")
    message(FATAL_ERROR "SLIPFIELD_CUDA=ON, but ${SLIPFIELD_CUDA_REASON}. Put nvcc on the PATH, "
      "name it with -DCMAKE_CUDA_COMPILER=..., or build without it: -DSLIPFIELD_CUDA=OFF")
  endif()
  message(STATUS "CUDA backend left out: ${SLIPFIELD_CUDA_REASON}")
endif()
