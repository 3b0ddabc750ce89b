# SPDX-License-Identifier: Apache-2.0
# Debian packages by `cpack -G DEB`: slipfield, libslipfield1 (where the C library is built),
# libslipfield-dev, python3-slipfield.
# Made ready by `cmake --preset package`.
get_cmake_property(components COMPONENTS)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME slipfield)
set(CPACK_PACKAGE_VENDOR "Slipfield developers")
set(CPACK_PACKAGE_CONTACT "Slipfield developers <developers@slipfield.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/before_cpack.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)
# For these two scripts:
set(CPACK_SLIPFIELD_NATIVE ${SLIPFIELD_NATIVE})
set(CPACK_SLIPFIELD_CUDA ${SLIPFIELD_WITH_CUDA})
set(CPACK_SLIPFIELD_FFT ${SLIPFIELD_FFT})
set(CPACK_SLIPFIELD_FOLDER ${CMAKE_CURRENT_LIST_DIR})

set(about "Slipfield computes where two elastic bodies touch, how hard they press,
where the contact sticks and where it slips, and which forces follow: a wheel
on a rail, gears, a ball in a bearing, a rough surface.")
# slipfield_package(COMPONENT NAME SECTION WHAT): dpkg-shlibdeps finds the libraries that it loads.
macro(slipfield_package component name section what)
  if("${component}" IN_LIST components)
    string(TOUPPER ${component} upper)
    list(APPEND CPACK_COMPONENTS_ALL ${component})
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
    set(CPACK_COMPONENT_${upper}_DESCRIPTION "${about}\n\n${what}")
    set(CPACK_DEBIAN_${upper}_PACKAGE_SHLIBDEPS ON)
  endif()
endmacro()

set(CPACK_COMPONENTS_ALL "")
slipfield_package(program slipfield science
  "This is the program: a case in YAML, a result in HDF5, figures by python3-slipfield.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS
    "python3-slipfield, python3-matplotlib, python3-h5py, python3-jinja2")
slipfield_package(runtime libslipfield${SLIPFIELD_SOVERSION} libs
  "This is the shared library with its C interface.")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)
slipfield_package(development libslipfield-dev libdevel
  "These are the headers and libraries to compile programs that call the solver.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS libfftw3-dev)  # of the static libraries
slipfield_package(python python3-slipfield python
  "This is the package for Python 3: figures of results, and the solver where it is built.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS
    "python3-matplotlib, python3-h5py, python3-jinja2")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3, python3-numpy")
if("runtime" IN_LIST components)
  set(library "libslipfield${SLIPFIELD_SOVERSION} (= ${PROJECT_VERSION})")
  string(PREPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library}, ")
endif()
include(CPack)
