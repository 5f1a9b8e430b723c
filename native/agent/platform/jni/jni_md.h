// SPDX-License-Identifier: Apache-2.0
//
// What jni.h takes from a file of the JDK for one system: how functions are exported and called,
// and the types of numbers. Used where the agent is built for a system whose JDK is not at hand
// (tools/agents.py); other builds use the file of their JDK.
#pragma once

#ifdef _WIN32
#define JNIEXPORT __declspec(dllexport)
#define JNIIMPORT __declspec(dllimport)
#define JNICALL __stdcall
using jlong = long long;
using jint = long;
#else
#define JNIEXPORT __attribute__((visibility("default")))
#define JNIIMPORT __attribute__((visibility("default")))
#define JNICALL
using jlong = long;
using jint = int;
#endif

using jbyte = signed char;
