# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs, by component: program; runtime, the C library where it is built;
# development, what programs that link the libraries need. Others, such as python, come from the
# folders that make them.
include(CMakePackageConfigHelpers)
set(here ${CMAKE_CURRENT_LIST_DIR})
set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/Slipfield)

install(TARGETS slipfield RUNTIME COMPONENT program)
install(DIRECTORY cases/ DESTINATION ${CMAKE_INSTALL_DATADIR}/slipfield/cases COMPONENT program)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT program)
install(FILES io/CASE.md io/RESULT.md io/CONTACT.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/io
        COMPONENT program)
install(FILES app/RUNNING.md app/INSTALLING.md app/LIBRARY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/app
        COMPONENT program)
install(FILES solver/THEORY.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/solver COMPONENT program)

# What the program says of itself: its completion for the shells, and its manual pages.
set(completion ${PROJECT_BINARY_DIR}/slipfield)
foreach(shell bash zsh fish)
  list(APPEND own_files ${completion}.${shell})
  add_custom_command(OUTPUT ${completion}.${shell} DEPENDS slipfield VERBATIM
    COMMAND slipfield completion ${shell} > ${completion}.${shell})
endforeach()
set(manuals ${PROJECT_BINARY_DIR}/man1)
list(APPEND own_files ${manuals}/slipfield.1)
add_custom_command(OUTPUT ${manuals}/slipfield.1 DEPENDS slipfield VERBATIM
  COMMAND slipfield manual --folder ${manuals})
add_custom_target(slipfield_own_files ALL DEPENDS ${own_files})
install(FILES ${completion}.bash RENAME slipfield COMPONENT program OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${completion}.zsh RENAME _slipfield COMPONENT program OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${completion}.fish RENAME slipfield.fish COMPONENT program OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${manuals} COMPONENT program OPTIONAL DESTINATION ${CMAKE_INSTALL_MANDIR})

# --- Headers: include "solver/..." and "gpu/..." as in the sources. Those in folders of the solver
# are included by one on top of it.
file(GLOB headers RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS solver/*.h)
list(APPEND headers solver/geometry/hertz_ellipse.h solver/geometry/planform.h
     solver/geometry/rough_surface.h solver/influence/curved_influence.h solver/batch/batch.h
     solver/surface/surface_request.h solver/fields/krylov_length.h gpu/cuda_device.h)
list(APPEND headers solver/table/slipfield_table.h)  # C, of no library
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipfield/${folder}
          COMPONENT development)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/slipfield/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/slipfield COMPONENT development)

# --- Libraries, and a header listed by one of them (PUBLIC_HEADER). Each has its own export: a program
# that uses one needs nothing of the others.
function(slipfield_install_library target name)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  get_target_property(header ${target} PUBLIC_HEADER)
  if(header)  # relative to the folder that makes the library
    get_target_property(folder ${target} SOURCE_DIR)
    cmake_path(ABSOLUTE_PATH header BASE_DIRECTORY ${folder})
    set_target_properties(${target} PROPERTIES PUBLIC_HEADER ${header})
  endif()
  install(TARGETS ${target} EXPORT Slipfield_${name}
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${CMAKE_INSTALL_INCLUDEDIR}/slipfield)
  install(EXPORT Slipfield_${name} NAMESPACE Slipfield:: DESTINATION ${config_folder}
          COMPONENT development)
endfunction()

# The .pc file finds its folders from its own place, so that the whole tree can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE prefix_from_pkgconfig)
function(slipfield_install_pkgconfig name)
  configure_file(${here}/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
          COMPONENT development)
endfunction()

target_compile_features(slipfield_solver INTERFACE cxx_std_20)
slipfield_install_library(slipfield_solver solver)
slipfield_install_library(slipfield_gpu cuda)
if(SLIPFIELD_FFT STREQUAL "mkl")
  list(JOIN SLIPFIELD_FFT_LIBRARIES " " pkgconfig_fft_libraries)
  set(pkgconfig_fft_package "")
else()
  set(pkgconfig_fft_libraries "")
  set(pkgconfig_fft_package "fftw3, fftw3f")
endif()
slipfield_install_pkgconfig(slipfield-solver)
set(pkgconfig_cuda_libraries "")
if(SLIPFIELD_WITH_CUDA)
  set(pkgconfig_cuda_libraries
      "-L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lcufft -ldl -lrt -lpthread")
endif()
slipfield_install_pkgconfig(slipfield-cuda)
set(SLIPFIELD_WITH_C OFF)
if(TARGET slipfield_c)
  set(SLIPFIELD_WITH_C ON)
  slipfield_install_library(slipfield_c c)
  slipfield_install_pkgconfig(slipfield)
endif()

configure_package_config_file(${here}/SlipfieldConfig.cmake.in SlipfieldConfig.cmake
  INSTALL_DESTINATION ${config_folder} NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(SlipfieldConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SlipfieldConfig.cmake
  ${PROJECT_BINARY_DIR}/SlipfieldConfigVersion.cmake solver/cpu/find_fft.cmake
  DESTINATION ${config_folder} COMPONENT development)
