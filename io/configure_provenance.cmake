# SPDX-License-Identifier: Apache-2.0
# Run at every build: fills in what io/provenance.h declares. Without git, or outside a checkout, the commit is
# "unknown"; uncommitted changes to tracked files add "-dirty".
set(SLIPFIELD_GIT_COMMIT "unknown")
find_program(git_program git)
if(git_program)
  execute_process(COMMAND ${git_program} rev-parse --show-toplevel
    WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE toplevel RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  get_filename_component(source_path ${SOURCE_DIR} REALPATH)
  if(NOT failed AND toplevel STREQUAL source_path)  # not some checkout around an unpacked archive
    execute_process(COMMAND ${git_program} rev-parse HEAD
      WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE commit RESULT_VARIABLE failed
      OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${git_program} diff-index --quiet HEAD --
      WORKING_DIRECTORY ${SOURCE_DIR} RESULT_VARIABLE dirty OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(SLIPFIELD_GIT_COMMIT "${commit}")
      if(dirty)
        string(APPEND SLIPFIELD_GIT_COMMIT "-dirty")
      endif()
    endif()
  endif()
endif()
configure_file(${SOURCE_DIR}/io/provenance.cpp.in ${OUTPUT} @ONLY)
