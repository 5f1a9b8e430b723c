# SPDX-License-Identifier: Apache-2.0
#
# Finds the headers of JNI and JVM TI, and nothing else: the agent links to no JVM library.
# CMake's own FindJNI insists on AWT and on libjvm, which a headless JDK may not offer.
#
# Looked at, in this order: the variable JVMTI_HOME, JAVA_HOME, the JDK of the javac on PATH, and
# the folders where Linux distributions and JDK installers put JVMs. Any JDK from 11 on will do:
# the agent asks the VM it is loaded into for its version, not the headers.
#
# Gives: JVMTI_FOUND, JVMTI_INCLUDE_DIR, JVMTI_PLATFORM_INCLUDE_DIR and the target JVMTI::JVMTI.

set(_jvmti_homes "")
if(JVMTI_HOME)
  list(APPEND _jvmti_homes "${JVMTI_HOME}")
endif()
if(NOT "$ENV{JAVA_HOME}" STREQUAL "")
  list(APPEND _jvmti_homes "$ENV{JAVA_HOME}")
endif()
find_program(JVMTI_JAVAC javac)
mark_as_advanced(JVMTI_JAVAC)
if(JVMTI_JAVAC)
  file(REAL_PATH "${JVMTI_JAVAC}" _jvmti_javac)
  cmake_path(GET _jvmti_javac PARENT_PATH _jvmti_bin)
  cmake_path(GET _jvmti_bin PARENT_PATH _jvmti_home)
  list(APPEND _jvmti_homes "${_jvmti_home}")
endif()
file(GLOB _jvmti_installed LIST_DIRECTORIES true
  /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* "$ENV{HOME}/.sdkman/candidates/java/*")
list(APPEND _jvmti_homes ${_jvmti_installed})

find_path(JVMTI_INCLUDE_DIR jvmti.h
  HINTS ${_jvmti_homes} PATH_SUFFIXES include NO_DEFAULT_PATH
  DOC "folder of jvmti.h and jni.h")
if(JVMTI_INCLUDE_DIR)
  find_path(JVMTI_PLATFORM_INCLUDE_DIR jni_md.h
    HINTS "${JVMTI_INCLUDE_DIR}" PATH_SUFFIXES linux darwin win32 NO_DEFAULT_PATH
    DOC "folder of jni_md.h")
endif()
mark_as_advanced(JVMTI_INCLUDE_DIR JVMTI_PLATFORM_INCLUDE_DIR)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(JVMTI
  REQUIRED_VARS JVMTI_INCLUDE_DIR JVMTI_PLATFORM_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "No JDK with jvmti.h: set JAVA_HOME to one, or run `make setup`.")

if(JVMTI_FOUND AND NOT TARGET JVMTI::JVMTI)
  add_library(JVMTI::JVMTI INTERFACE IMPORTED)
  set_target_properties(JVMTI::JVMTI PROPERTIES
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${JVMTI_INCLUDE_DIR};${JVMTI_PLATFORM_INCLUDE_DIR}"
    INTERFACE_INCLUDE_DIRECTORIES "${JVMTI_INCLUDE_DIR};${JVMTI_PLATFORM_INCLUDE_DIR}")
endif()
