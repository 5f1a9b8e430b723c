/* SPDX-License-Identifier: Apache-2.0
 *
 * What scenarios/Natives.java leaves to native code: each function calls back into Java through JNI.
 * tests/support/debuggees.py builds it into libnatives.so beside the classes.
 */
#include <jni.h>
#include <pthread.h>
#include <stddef.h>

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_scenarios_Natives_##name

static jint call(JNIEnv* env, jclass type, const char* name, jint number) {
  jmethodID method = (*env)->GetStaticMethodID(env, type, name, "(I)I");
  return (*env)->CallStaticIntMethod(env, type, method, number);
}

NATIVE(jint, calls)(JNIEnv* env, jclass type, jint number) {
  return call(env, type, "twice", number) + 1;
}

NATIVE(jint, callsOwn)(JNIEnv* env, jobject self, jint number) {
  jclass type = (*env)->GetObjectClass(env, self);
  jmethodID method = (*env)->GetMethodID(env, type, "own", "(I)I");
  return (*env)->CallIntMethod(env, self, method, number) + 1;
}

NATIVE(jint, descends)(JNIEnv* env, jclass type, jint number) {
  return call(env, type, "down", number - 1) + 1;
}

NATIVE(jint, swallows)(JNIEnv* env, jclass type, jint number) {
  (void)call(env, type, "fails", number);
  (*env)->ExceptionClear(env);
  return call(env, type, "twice", number);
}

NATIVE(jint, passes)(JNIEnv* env, jclass type, jint number) {
  return call(env, type, "fails", number);
}

NATIVE(jint, replaces)(JNIEnv* env, jclass type, jint number) {
  (void)call(env, type, "fails", number);
  (*env)->ExceptionClear(env);
  jclass other = (*env)->FindClass(env, "java/lang/UnsupportedOperationException");
  (*env)->ThrowNew(env, other, "replaced");
  return 0;
}

NATIVE(jint, throwsItself)(JNIEnv* env, jclass type, jint number) {
  (void)type;
  jclass thrown = (*env)->FindClass(env, "java/lang/ArithmeticException");
  (*env)->ThrowNew(env, thrown, "thrown by native code");
  return number;
}

NATIVE(jobject, makes)(JNIEnv* env, jclass type, jint number) {
  (void)type;
  jclass made = (*env)->FindClass(env, "scenarios/Natives$Made");
  jmethodID constructor = (*env)->GetMethodID(env, made, "<init>", "(I)V");
  return (*env)->NewObject(env, made, constructor, number);
}

NATIVE(jint, touches)(JNIEnv* env, jobject self, jint number) {
  jclass type = (*env)->GetObjectClass(env, self);
  jfieldID watched = (*env)->GetFieldID(env, type, "watched", "I");
  (*env)->SetIntField(env, self, watched, number);
  return (*env)->GetIntField(env, self, watched);
}

NATIVE(jint, locks)(JNIEnv* env, jclass type, jobject object, jint number) {
  if ((*env)->MonitorEnter(env, object) != JNI_OK) {
    return -1;
  }
  jint result = call(env, type, "twice", number);
  (void)(*env)->MonitorExit(env, object);
  return result;
}

/* --- a thread that native code makes --------------------------------------------------------- */

struct visit {
  JavaVM* vm;
  jclass type;
  const char* method;
  jint number;
};

static void* visit(void* given) {
  struct visit* one = given;
  JNIEnv* env = NULL;
  JavaVMAttachArgs name = {.version = JNI_VERSION_1_8, .name = (char*)"visitor", .group = NULL};
  if ((*one->vm)->AttachCurrentThread(one->vm, (void**)&env, &name) != JNI_OK) {
    return NULL;
  }
  one->number = call(env, one->type, one->method, one->number);
  (*env)->ExceptionClear(env);
  (void)(*one->vm)->DetachCurrentThread(one->vm);
  return NULL;
}

static jint visited(JNIEnv* env, jclass type, const char* method, jint number) {
  struct visit one = {.type = (*env)->NewGlobalRef(env, type), .method = method, .number = number};
  pthread_t thread;
  (void)(*env)->GetJavaVM(env, &one.vm);
  if (pthread_create(&thread, NULL, visit, &one) == 0) {
    (void)pthread_join(thread, NULL);
  }
  (*env)->DeleteGlobalRef(env, one.type);
  return one.number;
}

NATIVE(jint, attaches)(JNIEnv* env, jclass type, jint number) {
  return visited(env, type, "twice", number);
}

NATIVE(jint, attachesAndFails)(JNIEnv* env, jclass type, jint number) {
  return visited(env, type, "fails", number);
}
