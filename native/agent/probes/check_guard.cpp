// SPDX-License-Identifier: Apache-2.0
#include "agent/probes/check_guard.h"

#include <utility>

#include "agent/probes/probe_classes.h"

namespace jvmdebug::agent::probes {
namespace {

constexpr jsize kNumbers = 3;

}  // namespace

bool CheckGuard::make(const jvm::Jni& jni, jclass type) {
  const jfieldID running = jni->GetStaticFieldID(type, "running", kThreadLocalType);
  if (jni.clear_exception() || running == nullptr) {
    return false;
  }
  const auto local = jni.adopt(jni->GetStaticObjectField(type, running));
  const auto thread_local_type = local ? jni.object_class(local) : jvm::LocalRef<jclass>();
  if (!thread_local_type) {
    return false;
  }
  calling_field_ = jni->GetStaticFieldID(type, "calling", "I");
  get_ = jni->GetMethodID(thread_local_type, "get", "()Ljava/lang/Object;");
  set_ = jni->GetMethodID(thread_local_type, "set", "(Ljava/lang/Object;)V");
  if (jni.clear_exception() || !thread_locals_.make(jni)) {
    return false;
  }
  type_ = jni.global(type);
  running_ = jni.global(local.get());
  // An agent that was in the VM before may have left another number.
  jni->SetStaticIntField(type_, calling_field_, calling_);
  is_made_ = true;
  return true;
}

void CheckGuard::set_has_calls(const jvm::Jni& jni, bool has_calls) {
  if (is_made_ && std::exchange(has_calls_, has_calls) != has_calls) {
    add_calling(jni, has_calls ? 1 : -1);
  }
}

// Adds to `calling`. Takes no lock, because a thread may be suspended in the call of the VM.
void CheckGuard::add_calling(const jvm::Jni& jni, int more) {
  int calling = calling_ += more;
  for (;;) {
    jni->SetStaticIntField(type_, calling_field_, calling);
    const int now = calling_;
    if (now == calling) {
      return;
    }
    calling = now;  // another thread has changed the number meanwhile
  }
}

jvm::LocalRef<jintArray> CheckGuard::numbers(const jvm::Jni& jni) const {
  auto known = jni.adopt(static_cast<jintArray>(jni->CallObjectMethod(running_, get_)));
  if (jni.clear_exception() || known) {
    return known;
  }
  auto made = jni.adopt(jni->NewIntArray(kNumbers));
  if (jni.clear_exception() || !made) {
    return {};
  }
  jni->CallVoidMethod(running_, set_, made.get());
  if (jni.clear_exception()) {
    return {};
  }
  return made;
}

jvm::LocalRef<jintArray> CheckGuard::numbers_of(const jvm::Jni& jni, jobject thread) const {
  if (!is_made_) {
    return {};
  }
  return thread_locals_.value(jni, thread, running_).as<jintArray>();
}

CheckGuard::Run::Run(CheckGuard& guard, const jvm::Jni& jni) : guard_(guard), jni_(jni) {
  if (!guard_.is_made_) {
    return;
  }
  numbers_ = guard_.numbers(jni_);
  if (!numbers_) {
    return;  // there is no memory, or the stack is full
  }
  guard_.add_calling(jni_, 1);
  const jint runs = 1;
  jni_->GetIntArrayRegion(numbers_, 0, 1, &before_);
  jni_->SetIntArrayRegion(numbers_, 0, 1, &runs);
}

CheckGuard::Run::~Run() {
  if (!numbers_) {
    return;
  }
  jni_->SetIntArrayRegion(numbers_, 0, 1, &before_);
  guard_.add_calling(jni_, -1);
}

}  // namespace jvmdebug::agent::probes
