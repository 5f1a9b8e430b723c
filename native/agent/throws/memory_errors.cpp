// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/memory_errors.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/jvm/capabilities.h"

namespace jvmdebug::agent::throws {
namespace {

constexpr const char* kType = "java/lang/OutOfMemoryError";
constexpr std::size_t kSpares = 32;
constexpr const char* kHeapMessage = "Java heap space";
// The VM constructs the error for a thread that cannot be started, so ThrowWatch sees that one.
constexpr jint kThreads = JVMTI_RESOURCE_EXHAUSTED_THREADS;

}  // namespace

void MemoryErrors::watch(const jvm::Jni& jni, const code::LateEnvironment& late) {
  late_ = &late;
  if (!make_environment()) {
    return;
  }
  make_spares(jni);
  (void)env_->set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_RESOURCE_EXHAUSTED);
}

void MemoryErrors::end() {
  if (env_) {
    (void)env_->set_event_notification_mode(JVMTI_DISABLE, JVMTI_EVENT_RESOURCE_EXHAUSTED);
  }
}

jvm::Result<void> MemoryErrors::make_environment() {
  if (env_) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(agent_.jvmti().vm()));
  JVMDEBUG_ASSIGN(const auto taken,
                  jvm::take(env, {jvm::Capability::kGenerateResourceExhaustionHeapEvents}));
  if (!taken.has(jvm::Capability::kGenerateResourceExhaustionHeapEvents)) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  JVMDEBUG_CHECK(env.set_environment_local_storage(this));
  jvmtiEventCallbacks callbacks{};
  callbacks.ResourceExhausted = exhausted;
  JVMDEBUG_CHECK(env.set_event_callbacks(callbacks, sizeof callbacks));
  env_ = std::make_unique<jvm::Env>(std::move(env));
  return {};
}

MemoryErrors::Error MemoryErrors::make(const jvm::Jni& jni, const char* message) const {
  const code::LateEnvironment::Use use(
      *late_);  // hides the construction of this error, and of any other one, from ThrowWatch
  const auto type = jni.find_class(kType);
  const jmethodID constructor =
      type ? jni->GetMethodID(type, "<init>", "(Ljava/lang/String;)V") : nullptr;
  const auto text =
      constructor == nullptr ? jvm::LocalRef<jstring>() : jni.adopt(jni->NewStringUTF(message));
  const auto error =
      text ? jni.adopt(jni->NewObject(type, constructor, text.get())) : jvm::LocalRef<jobject>();
  if (jni.clear_exception() || !error) {
    return {};
  }
  return jni.global(error.get());
}

void MemoryErrors::make_spares(const jvm::Jni& jni) {
  if (const auto old = spares_.load(); old && old->used < kSpares / 2) {
    return;
  }
  auto spares = std::make_shared<Spares>();
  for (std::size_t count = 0; count < kSpares; ++count) {
    if (Error error = make(jni, kHeapMessage)) {
      spares->errors.push_back(std::move(error));
    }
  }
  spares_.store(std::move(spares));
}

void MemoryErrors::ran_out(const jvm::Jni& jni, const char* description) {
  if (late_->use() != nullptr) {
    return;  // the agent's own work ran out of memory
  }
  if (std::string_view(description) != kHeapMessage) {
    if (const Error error = make(jni, description)) {
      on_error_(jni, static_cast<jthrowable>(error.get()));
      return;
    }
  }
  const auto spares = spares_.load();
  if (spares && !spares->errors.empty()) {
    const std::size_t next = std::min(spares->used++, spares->errors.size() - 1);
    on_error_(jni, static_cast<jthrowable>(spares->errors[next].get()));
  }
}

void JNICALL MemoryErrors::exhausted(jvmtiEnv* raw, JNIEnv* env, jint flags,
                                     const void* /*reserved*/, const char* description) {
  const events::CallbackPresence present;
  void* stored = nullptr;
  (void)raw->GetEnvironmentLocalStorage(&stored);
  auto* const self = static_cast<MemoryErrors*>(stored);
  if (self != nullptr && (flags & kThreads) == 0 && description != nullptr) {
    events::guard_callback(self->agent_, env,
                           [&](const jvm::Jni& jni) { self->ran_out(jni, description); });
  }
}

}  // namespace jvmdebug::agent::throws
