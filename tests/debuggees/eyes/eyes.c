/* SPDX-License-Identifier: Apache-2.0
 *
 * The code of a class's methods as the VM has it, past every debugger: see eyes/Eyes.java.
 */
#include <jni.h>
#include <jvmti.h>
#include <stddef.h>

static jvmtiEnv* tools;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM* vm, void* reserved) {
  (void)reserved;
  jvmtiCapabilities wanted = {0};
  wanted.can_get_bytecodes = 1;
  wanted.can_get_constant_pool = 1;
  if ((*vm)->GetEnv(vm, (void**)&tools, JVMTI_VERSION_1_2) != JNI_OK ||
      (*tools)->AddCapabilities(tools, &wanted) != JVMTI_ERROR_NONE) {
    return JNI_ERR;
  }
  return JNI_VERSION_10;
}

/* Those that are linked, arrays left out: others have no code yet. */
JNIEXPORT jobjectArray JNICALL Java_eyes_Eyes_loaded(JNIEnv* env, jclass self) {
  (void)self;
  jint count = 0;
  jclass* classes = NULL;
  if ((*tools)->GetLoadedClasses(tools, &count, &classes) != JVMTI_ERROR_NONE) {
    return NULL;
  }
  jclass class_of_classes = (*env)->FindClass(env, "java/lang/Class");
  jobjectArray linked = (*env)->NewObjectArray(env, count, class_of_classes, NULL);
  for (jint number = 0; number < count; ++number) {
    jint status = 0;
    if ((*tools)->GetClassStatus(tools, classes[number], &status) == JVMTI_ERROR_NONE &&
        (status & JVMTI_CLASS_STATUS_PREPARED) != 0) {
      (*env)->SetObjectArrayElement(env, linked, number, classes[number]);
    }
    (*env)->DeleteLocalRef(env, classes[number]);
  }
  (*tools)->Deallocate(tools, (unsigned char*)classes);
  return linked;
}

/* One array for each method, empty for those without code. */
JNIEXPORT jobjectArray JNICALL Java_eyes_Eyes_code(JNIEnv* env, jclass self, jclass type) {
  (void)self;
  jint count = 0;
  jmethodID* methods = NULL;
  if ((*tools)->GetClassMethods(tools, type, &count, &methods) != JVMTI_ERROR_NONE) {
    return NULL;
  }
  jobjectArray codes = (*env)->NewObjectArray(env, count, (*env)->FindClass(env, "[B"), NULL);
  for (jint number = 0; number < count; ++number) {
    jint size = 0;
    unsigned char* bytes = NULL;
    if ((*tools)->GetBytecodes(tools, methods[number], &size, &bytes) != JVMTI_ERROR_NONE) {
      size = 0;
    }
    jbyteArray code = (*env)->NewByteArray(env, size);
    (*env)->SetByteArrayRegion(env, code, 0, size, (const jbyte*)bytes);
    (*env)->SetObjectArrayElement(env, codes, number, code);
    (*env)->DeleteLocalRef(env, code);
    (*tools)->Deallocate(tools, bytes);
  }
  (*tools)->Deallocate(tools, (unsigned char*)methods);
  return codes;
}

/* The entries, as in a class file. */
JNIEXPORT jbyteArray JNICALL Java_eyes_Eyes_pool(JNIEnv* env, jclass self, jclass type) {
  (void)self;
  jint count = 0;
  jint size = 0;
  unsigned char* bytes = NULL;
  if ((*tools)->GetConstantPool(tools, type, &count, &size, &bytes) != JVMTI_ERROR_NONE) {
    return (*env)->NewByteArray(env, 0);
  }
  jbyteArray pool = (*env)->NewByteArray(env, size);
  (*env)->SetByteArrayRegion(env, pool, 0, size, (const jbyte*)bytes);
  (*tools)->Deallocate(tools, bytes);
  return pool;
}
