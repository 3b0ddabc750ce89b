# SPDX-License-Identifier: Apache-2.0
# Run after each build of a doctest executable: writes one ctest entry per test case to OUTPUT,
# labelled with its test suite. With ON_GPU also `gpu`; a name that does not begin with it is made to.
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
  set(card "")
  if(ON_GPU)  # one card: one test at a time
    set(card " RESOURCE_LOCK card")
  endif()
  string(APPEND script
    "add_test([==[${name}]==] [==[${EXECUTABLE}]==] [==[--test-case=${filter}]==])\n"
    "set_tests_properties([==[${name}]==] PROPERTIES LABELS ${labels} SKIP_RETURN_CODE 77"
    " TIMEOUT ${TIMEOUT} ENVIRONMENT OMP_WAIT_POLICY=passive${card})\n")
endwhile()
file(WRITE "${OUTPUT}" "${script}")
