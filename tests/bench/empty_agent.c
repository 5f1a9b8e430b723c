/* SPDX-License-Identifier: Apache-2.0
 *
 * An agent that asks for a JVM TI environment and for nothing else: what having any agent at all
 * costs a program. Built by tests/bench/idle.py.
 */
#include <jvmti.h>

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  jvmtiEnv* env = NULL;
  (void)options;
  (void)reserved;
  return (*vm)->GetEnv(vm, (void**)&env, JVMTI_VERSION_11) == JNI_OK ? JNI_OK : JNI_ERR;
}
