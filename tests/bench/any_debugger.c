/* SPDX-License-Identifier: Apache-2.0
 *
 * An agent that asks for what no debugger can do without, and for nothing else: what being
 * debuggable costs a program at all. The VM gives these only when it starts, and compiles code that
 * keeps what a debugger may ask for. With the option `nothing` it takes an environment of JVM TI and
 * not even these: what any agent costs. Built by tests/bench/idle.py.
 */
#include <jvmti.h>
#include <string.h>

JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* options, void* reserved) {
  jvmtiEnv* env = NULL;
  jvmtiCapabilities wanted = {
      .can_generate_breakpoint_events = 1, .can_access_local_variables = 1, .can_pop_frame = 1};
  (void)reserved;
  if ((*vm)->GetEnv(vm, (void**)&env, JVMTI_VERSION_11) != JNI_OK) {
    return JNI_ERR;
  }
  if (options != NULL && strcmp(options, "nothing") == 0) {
    return JNI_OK;
  }
  return (*env)->AddCapabilities(env, &wanted) == JVMTI_ERROR_NONE ? JNI_OK : JNI_ERR;
}
