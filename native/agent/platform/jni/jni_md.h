// SPDX-License-Identifier: Apache-2.0
//
// What jni.h takes from a file of the JDK for one system: how functions are exported and called,
// and the types of numbers. Used where the agent is built for a system whose JDK is not at hand
// (tools/agents.py); other builds use the file of their JDK. The numbers have the types of
// <cstdint>: of the sizes that JNI has, and no others than those of the wire.
#pragma once

#include <cstdint>

#ifdef _WIN32
#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall
#else
#define JNIEXPORT __attribute__((visibility("default")))
#define JNIIMPORT __attribute__((visibility("default")))
#define JNICALL
#endif

using jlong = std::int64_t;
using jint = std::int32_t;
using jbyte = signed char;
