// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/env.h"

#include <cstddef>
#include <cstring>
#include <utility>

#include "agent/jvm/local_capacity.h"

namespace jvmdebug::agent::jvm {
namespace {

// Positions in the function table (1-based, as the specification counts) of functions that jvmti.h
// of JDK 17 does not name, and the releases that have them.
constexpr std::size_t kSuspendAllVirtualThreadsPosition = 118;
constexpr std::size_t kResumeAllVirtualThreadsPosition = 119;
constexpr std::size_t kClearAllFramePopsPosition = 67;
constexpr jint kVirtualThreadsSince = 21;
constexpr jint kClearAllFramePopsSince = 25;

using OnAllVirtualThreads = jvmtiError (*)(jvmtiEnv*, jint, const jthread*);
using OnOneThread = jvmtiError (*)(jvmtiEnv*, jthread);

}  // namespace

Result<Env> Env::create(JavaVM* vm) {
  void* raw = nullptr;
  if (vm->GetEnv(&raw, JVMTI_VERSION_1_2) != JNI_OK) {
    return std::unexpected(Error{JVMTI_ERROR_INVALID_ENVIRONMENT});
  }
  auto* env = static_cast<jvmtiEnv*>(raw);
  jint version = 0;
  if (const jvmtiError code = env->GetVersionNumber(&version); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  const jint feature_version = (version & JVMTI_VERSION_MASK_MAJOR) >> JVMTI_VERSION_SHIFT_MAJOR;
  return Env(vm, env, feature_version);
}

Env::Env(Env&& other) noexcept
    : vm_(other.vm_),
      env_(std::exchange(other.env_, nullptr)),
      feature_version_(other.feature_version_),
      capabilities_(other.capabilities_),
      code_view_(other.code_view_) {}

Env::~Env() {
  if (env_ != nullptr) {
    // Refused only after the end of the VM, which has disposed of it by then.
    (void)env_->DisposeEnvironment();
  }
}

Jni Env::jni() const {
  void* env = nullptr;
  // Agent code runs on attached threads only.
  (void)vm_->GetEnv(&env, JNI_VERSION_1_6);
  return Jni(static_cast<JNIEnv*>(env));
}

template <class Function>
Function Env::slot(std::size_t position) const {
  const auto* table = reinterpret_cast<const std::byte*>(env_->functions);
  Function function = nullptr;
  std::memcpy(static_cast<void*>(&function), table + (position - 1) * sizeof(void*),
              sizeof function);
  return function;
}

// --- environment, events, properties
// --------------------------------------------------------------

Result<unsigned char*> Env::allocate(std::size_t size) const {
  return get<unsigned char*>(&jvmtiEnv::Allocate, static_cast<jlong>(size));
}

Result<jvmtiPhase> Env::get_phase() const {
  jvmtiPhase phase = JVMTI_PHASE_DEAD;
  if (const jvmtiError code = env_->GetPhase(&phase); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return phase;
}

Result<void> Env::add_capabilities(const Capabilities& wanted) const {
  return call(&jvmtiEnv::AddCapabilities, wanted.raw());
}

Result<void> Env::relinquish_capabilities(const Capabilities& unwanted) const {
  return call(&jvmtiEnv::RelinquishCapabilities, unwanted.raw());
}

Result<void> Env::set_environment_local_storage(const void* pointer) const {
  return call(&jvmtiEnv::SetEnvironmentLocalStorage, pointer);
}

Result<void> Env::set_event_callbacks(const jvmtiEventCallbacks& callbacks, jint size) const {
  return call(&jvmtiEnv::SetEventCallbacks, &callbacks, size);
}

Result<Capabilities> Env::get_potential_capabilities() const {
  jvmtiCapabilities potential{};
  if (const jvmtiError code = env_->GetPotentialCapabilities(&potential);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return Capabilities(potential);
}

Result<void> Env::set_event_notification_mode(jvmtiEventMode mode, jvmtiEvent event,
                                              jthread thread) const {
  return checked(env_->SetEventNotificationMode(mode, event, thread));
}

ModifiedUtf8 Env::get_system_property(const char* name) const {
  char* value = nullptr;
  if (env_->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE) {
    return {};
  }
  return {env_, value};
}

Result<jvmtiExtensionFunction> Env::get_extension_function(std::string_view id) const {
  JVMDEBUG_ASSIGN(const auto all,
                  list<jvmtiExtensionFunctionInfo>(&jvmtiEnv::GetExtensionFunctions));
  jvmtiExtensionFunction found = nullptr;
  for (const jvmtiExtensionFunctionInfo& one : all) {
    // JVM TI has allocated each piece separately; all have to be freed.
    const ModifiedUtf8 name(env_, one.id);
    const ModifiedUtf8 description(env_, one.short_description);
    const Buffer<jvmtiError> errors(env_, one.errors, static_cast<std::size_t>(one.error_count));
    const Buffer<jvmtiParamInfo> parameters(env_, one.params,
                                            static_cast<std::size_t>(one.param_count));
    for (const jvmtiParamInfo& parameter : parameters) {
      const ModifiedUtf8 owned(env_, parameter.name);
    }
    if (name.view() == id) {
      found = one.func;
    }
  }
  if (found == nullptr) {
    return std::unexpected(Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  return found;
}

Result<jthread> Env::ask_extension_function(jvmtiExtensionFunction function, jthread thread) const {
  jthread answer = nullptr;
  if (const jvmtiError code = function(env_, thread, &answer); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return answer;
}

// --- threads
// --------------------------------------------------------------------------------------

Result<jint> Env::get_thread_state(jthread thread) const {
  return get<jint>(&jvmtiEnv::GetThreadState, thread);
}

Result<jthread> Env::get_current_thread() const {
  return get<jthread>(&jvmtiEnv::GetCurrentThread);
}

Result<Buffer<jthread>> Env::get_all_threads() const {
  return announced(*this, list<jthread>(&jvmtiEnv::GetAllThreads));
}

Result<void> Env::suspend_thread(jthread thread) const {
  return call(&jvmtiEnv::SuspendThread, thread);
}

Result<void> Env::resume_thread(jthread thread) const {
  return call(&jvmtiEnv::ResumeThread, thread);
}

Result<void> Env::stop_thread(jthread thread, jobject exception) const {
  return call(&jvmtiEnv::StopThread, thread, exception);
}

Result<void> Env::interrupt_thread(jthread thread) const {
  return call(&jvmtiEnv::InterruptThread, thread);
}

Result<void> Env::run_agent_thread(jthread thread, jvmtiStartFunction procedure,
                                   const void* argument, jint priority) const {
  return call(&jvmtiEnv::RunAgentThread, thread, procedure, argument, priority);
}

Result<void> Env::set_thread_local_storage(jthread thread, const void* pointer) const {
  return call(&jvmtiEnv::SetThreadLocalStorage, thread, pointer);
}

Result<void*> Env::get_thread_local_storage(jthread thread) const {
  return get<void*>(&jvmtiEnv::GetThreadLocalStorage, thread);
}

Result<jlong> Env::get_thread_cpu_time(jthread thread) const {
  return get<jlong>(&jvmtiEnv::GetThreadCpuTime, thread);
}

Result<Buffer<jobject>> Env::get_owned_monitor_info(jthread thread) const {
  return list<jobject>(&jvmtiEnv::GetOwnedMonitorInfo, thread);
}

Result<Buffer<jvmtiMonitorStackDepthInfo>> Env::get_owned_monitor_stack_depth_info(
    jthread thread) const {
  return list<jvmtiMonitorStackDepthInfo>(&jvmtiEnv::GetOwnedMonitorStackDepthInfo, thread);
}

Result<jobject> Env::get_current_contended_monitor(jthread thread) const {
  return get<jobject>(&jvmtiEnv::GetCurrentContendedMonitor, thread);
}

Result<ThreadRecord> Env::get_thread_info(jthread thread) const {
  jvmtiThreadInfo raw{};
  if (const jvmtiError code = env_->GetThreadInfo(thread, &raw); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return ThreadRecord{ModifiedUtf8(env_, raw.name), raw.priority, raw.is_daemon != JNI_FALSE,
                      raw.thread_group, raw.context_class_loader};
}

Result<void> Env::suspend_thread_list(std::span<const jthread> threads,
                                      std::span<jvmtiError> outcomes) const {
  return checked(
      env_->SuspendThreadList(static_cast<jint>(threads.size()), threads.data(), outcomes.data()));
}

Result<void> Env::resume_thread_list(std::span<const jthread> threads,
                                     std::span<jvmtiError> outcomes) const {
  return checked(
      env_->ResumeThreadList(static_cast<jint>(threads.size()), threads.data(), outcomes.data()));
}

Result<void> Env::suspend_all_virtual_threads(std::span<const jthread> except) const {
  if (feature_version_ < kVirtualThreadsSince) {
    return std::unexpected(Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  return checked(slot<OnAllVirtualThreads>(kSuspendAllVirtualThreadsPosition)(
      env_, static_cast<jint>(except.size()), except.data()));
}

Result<void> Env::resume_all_virtual_threads(std::span<const jthread> except) const {
  if (feature_version_ < kVirtualThreadsSince) {
    return std::unexpected(Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  return checked(slot<OnAllVirtualThreads>(kResumeAllVirtualThreadsPosition)(
      env_, static_cast<jint>(except.size()), except.data()));
}

bool Env::can_clear_frame_pops() const {
  return feature_version_ >= kClearAllFramePopsSince;
}

Result<void> Env::clear_all_frame_pops(jthread thread) const {
  if (!can_clear_frame_pops()) {
    return std::unexpected(Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  return checked(slot<OnOneThread>(kClearAllFramePopsPosition)(env_, thread));
}

// --- thread groups
// --------------------------------------------------------------------------------

Result<Buffer<jthreadGroup>> Env::get_top_thread_groups() const {
  return list<jthreadGroup>(&jvmtiEnv::GetTopThreadGroups);
}

Result<ThreadGroupRecord> Env::get_thread_group_info(jthreadGroup group) const {
  jvmtiThreadGroupInfo raw{};
  if (const jvmtiError code = env_->GetThreadGroupInfo(group, &raw); code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return ThreadGroupRecord{raw.parent, ModifiedUtf8(env_, raw.name), raw.max_priority,
                           raw.is_daemon != JNI_FALSE};
}

Result<ThreadGroupChildren> Env::get_thread_group_children(jthreadGroup group) const {
  jint thread_count = 0;
  jthread* threads = nullptr;
  jint group_count = 0;
  jthreadGroup* groups = nullptr;
  if (const jvmtiError code =
          env_->GetThreadGroupChildren(group, &thread_count, &threads, &group_count, &groups);
      code != JVMTI_ERROR_NONE) {
    return std::unexpected(Error{code});
  }
  return ThreadGroupChildren{
      Buffer<jthread>(env_, threads, static_cast<std::size_t>(thread_count)),
      Buffer<jthreadGroup>(env_, groups, static_cast<std::size_t>(group_count))};
}

}  // namespace jvmdebug::agent::jvm
