// SPDX-License-Identifier: Apache-2.0
//
// The common beginning of all functions in the fake VM's tables, and JavaVM's own table.
#include <cstring>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {
namespace {

// Whether a function is callback safe: those of the specification's list that the agent uses.
bool is_callback_safe(std::string_view function) {
  return function == "Allocate" || function == "Deallocate" ||
         function == "GetEnvironmentLocalStorage" || function.starts_with("RawMonitor");
}

}  // namespace

Entry::Entry(jvmtiEnv* env, const char* name)
    : vm(*static_cast<Environment*>(env)->vm), function(name), lock_(vm.mutex()) {
  if (Vm::current() == nullptr) {
    refuse(name, "called on a thread that is not attached");
  }
  if (vm.is_collecting() && !is_callback_safe(name)) {
    refuse(name, "called while objects are freed");
  }
  count_call();
  vm.pass_safepoint(lock_);
}

Entry::Entry(JNIEnv* env, const char* name, bool with_exception)
    : vm(*static_cast<JniEnv*>(env)->vm), function(name), lock_(vm.mutex()) {
  Thread* const self = Vm::current();
  if (self == nullptr || static_cast<JniEnv*>(env)->thread != self) {
    refuse(name, "JNI of another thread");
  }
  if (vm.is_collecting()) {
    refuse(name, "called while objects are freed");
  }
  count_call();
  vm.pass_safepoint(lock_);
  if (!with_exception && self->exception != nullptr) {
    refuse(name, "called with an exception pending");
  }
}

void Entry::count_call() const {
  ++Vm::current()->calls;
}

Object& Entry::instance(jobject reference) const {
  Object* const found = object(reference);
  if (found == nullptr) {
    refuse(function, "null where an object is wanted");
  }
  return *found;
}

Class& Entry::type(jclass reference) const {
  Class* const found = class_or_null(reference);
  if (found == nullptr) {
    refuse(function, "an object that is no class");
  }
  return *found;
}

Class* Entry::class_or_null(jclass reference) const {
  const Object* const found = object(reference);
  return found == nullptr ? nullptr : found->mirrored;
}

namespace {

jint JNICALL get_env(JavaVM* java_vm, void** env, jint version) {
  Vm& vm = *static_cast<JavaVm*>(java_vm)->vm;
  constexpr jint kJvmti = 0x30000000;
  if ((version & kJvmti) != 0) {
    *env = static_cast<jvmtiEnv*>(&vm.add_environment());
    return JNI_OK;
  }
  Thread* const self = Vm::current();
  if (self == nullptr) {
    *env = nullptr;
    return JNI_EDETACHED;
  }
  *env = static_cast<JNIEnv*>(&self->jni);
  return JNI_OK;
}

}  // namespace

const JNIInvokeInterface_* invoke_table() {
  static const JNIInvokeInterface_ table = [] {
    JNIInvokeInterface_ made{};
    made.GetEnv = get_env;
    return made;
  }();
  return &table;
}

}  // namespace jvmdebug::fake
