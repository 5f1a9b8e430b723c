/* SPDX-License-Identifier: Apache-2.0
 *
 * What NativeWrites.java leaves to native code. tests/support/debuggees.py builds it into
 * libwritten.so beside the classes.
 */
#include <jni.h>

static void set(JNIEnv* env, jobject it, jint value) {
  jclass type = (*env)->GetObjectClass(env, it);
  (*env)->SetIntField(env, it, (*env)->GetFieldID(env, type, "value", "I"), value);
}

JNIEXPORT void JNICALL Java_NativeWrites_set(JNIEnv* env, jobject self, jint value) {
  set(env, self, value);
}

JNIEXPORT void JNICALL Java_NativeWrites_00024Later_set(JNIEnv* env, jclass type, jobject it,
                                                        jint value) {
  (void)type;
  set(env, it, value);
}
