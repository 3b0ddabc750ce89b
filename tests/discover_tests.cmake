# SPDX-License-Identifier: Apache-2.0
# Run after each build of a doctest executable: writes one ctest entry per test case to OUTPUT,
# labelled with its test suite. With ON_GPU also `gpu`; a name that does not begin with it is made to.
# TOGETHER above 1: an entry for so many of one suite that follow each other, but for those that match
# ALONE. Where a process takes long to start, that is most of a short test's time.
#
# doctest's own doctest_discover_tests loses the labels of names with commas. A suite that is not a label
# of SUITES, a name that occurs twice and a name with ';' stop the build here, since ctest would skip or
# confuse those tests.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${EXECUTABLE} --list-test-cases --reporters=xml
  OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${EXECUTABLE} does not list its tests (${failed}):\n${listing}")
endif()
string(REPLACE "," ";" suites "${SUITES}")

set(script "")
set(seen "")

# The entry of the tests gathered so far.
set(gathered "")
set(gathered_count 0)
macro(slipfield_emit)
  if(gathered_count GREATER 0)
    set(entry "${gathered_name}")
    if(gathered_count GREATER 1)
      math(EXPR others "${gathered_count} - 1")
      string(APPEND entry " (and ${others} more)")
    endif()
    set(card "")
    if(ON_GPU)  # one card: one test at a time
      set(card " RESOURCE_LOCK card")
    endif()
    math(EXPR timeout "${TIMEOUT} * ${gathered_count}")
    string(APPEND script
      "add_test([==[${entry}]==] [==[${EXECUTABLE}]==] [==[--test-case=${gathered}]==])\n"
      "set_tests_properties([==[${entry}]==] PROPERTIES LABELS ${gathered_labels}"
      " SKIP_RETURN_CODE 77 TIMEOUT ${timeout} ENVIRONMENT OMP_WAIT_POLICY=passive${card})\n")
  endif()
  set(gathered "")
  set(gathered_count 0)
endmacro()

while(listing MATCHES "<TestCase name=\"([^\"]*)\"( testsuite=\"([^\"]*)\")?[^\n]*\n")
  set(name "${CMAKE_MATCH_1}")
  set(suite "${CMAKE_MATCH_3}")
  string(FIND "${listing}" "${CMAKE_MATCH_0}" start)
  string(LENGTH "${CMAKE_MATCH_0}" length)
  math(EXPR rest "${start} + ${length}")
  string(SUBSTRING "${listing}" ${rest} -1 listing)

  string(REPLACE "&lt;" "<" name "${name}")
  string(REPLACE "&gt;" ">" name "${name}")
  string(REPLACE "&quot;" "\"" name "${name}")
  string(REPLACE "&amp;" "&" name "${name}")
  if(NOT suite IN_LIST suites)
    message(FATAL_ERROR "test \"${name}\" is in the suite '${suite}'; use one of ${SUITES}")
  endif()
  if(name MATCHES ";")
    message(FATAL_ERROR "test \"${name}\": ctest cannot handle ';' in a name")
  endif()
  string(FIND "${seen}" "\n${name}\n" twice)
  if(NOT twice EQUAL -1)
    message(FATAL_ERROR "two tests are named \"${name}\"")
  endif()
  string(APPEND seen "\n${name}\n")

  string(REPLACE "\\" "\\\\" filter "${name}")  # doctest splits its filters at commas
  string(REPLACE "," "\\," filter "${filter}")
  set(labels ${suite})
  if(ON_GPU AND NOT suite STREQUAL "gpu")
    set(labels "[==[${suite};gpu]==]")
    set(name "gpu ${name}")
  endif()
  set(alone FALSE)
  if(ALONE AND name MATCHES "${ALONE}")
    set(alone TRUE)
  endif()
  if(alone OR NOT "${labels}" STREQUAL "${gathered_labels}")
    slipfield_emit()
  endif()
  if(gathered_count EQUAL 0)
    set(gathered_name "${name}")
    set(gathered_labels "${labels}")
    set(gathered "${filter}")
  else()
    string(APPEND gathered ",${filter}")
  endif()
  math(EXPR gathered_count "${gathered_count} + 1")
  if(alone OR NOT gathered_count LESS TOGETHER)
    slipfield_emit()
  endif()
endwhile()
slipfield_emit()
file(WRITE "${OUTPUT}" "${script}")
