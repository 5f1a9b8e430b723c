# SPDX-License-Identifier: Apache-2.0
#
# Code in front of every line (WHERE=lines: a call) or every instruction of the classes of java.base,
# or all that a recording needs (WHERE=recording), and a real VM that verifies all of them, boots with them and computes the same as before. Called by
# ctest with JDK, REWRITER, WHERE, FOLDER, SOURCES and EVERY: only each EVERYth class is rewritten.
cmake_minimum_required(VERSION 3.24)
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")

function(run out)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE text ERROR_VARIABLE errors
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(code)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${code}\n${text}\n${errors}")
  endif()
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

run(ignored "${JDK}/bin/javac" -d "${FOLDER}/classes" "${SOURCES}/Rewriting.java")
run(ignored "${JDK}/bin/javac" -d "${FOLDER}/patch" --patch-module "java.base=${SOURCES}"
  "${SOURCES}/JvmdebugProbe.java" "${SOURCES}/JvmdebugRecorder.java")
run(ignored "${JDK}/bin/java" -cp "${FOLDER}/classes" Rewriting extract "${FOLDER}/original")
# While it boots, HotSpot does not cope with another java.lang.Object than its own.
file(REMOVE "${FOLDER}/original/java/lang/Object.class")
if(EVERY GREATER 1)
  file(GLOB_RECURSE originals "${FOLDER}/original/*.class")
  list(SORT originals)
  set(number 0)
  foreach(original IN LISTS originals)
    math(EXPR number "(${number} + 1) % ${EVERY}")
    if(number)
      file(REMOVE "${original}")
    endif()
  endforeach()
endif()
run(plain "${JDK}/bin/java" -cp "${FOLDER}/classes" Rewriting work)
set(called)
if(WHERE STREQUAL "lines")
  set(called java/lang/JvmdebugProbe hit)
elseif(WHERE STREQUAL "recording")
  set(called recording)
endif()
run(count "${REWRITER}" "${FOLDER}/original" "${FOLDER}/patch" ${called})
message(STATUS "${count}")
set(patched "${JDK}/bin/java" -Xverify:all -Xshare:off --patch-module
  "java.base=${FOLDER}/patch" -cp "${FOLDER}/classes" Rewriting)
run(loaded ${patched} load)
message(STATUS "${loaded}")
if(NOT loaded MATCHES "^[0-9]+ loaded, 0 refused$")
  message(FATAL_ERROR "the verifier refuses classes: ${loaded}")
endif()
run(probed ${patched} work)
if(NOT probed STREQUAL plain)
  message(FATAL_ERROR "with probes: ${probed}\nwithout: ${plain}")
endif()
