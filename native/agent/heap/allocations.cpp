// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/allocations.h"

#include <array>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "agent/agent.h"
#include "agent/events/callback_guard.h"
#include "agent/jvm/capabilities.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::heap {
namespace {

// Only one agent of a VM can have it at a time, so it is given back at the end.
constexpr jvm::Capability kSampling = jvm::Capability::kGenerateSampledObjectAllocEvents;

// Returns how many bytes a sample stands for: an object of this size is sampled with a probability
// of 1 - exp(-size / interval).
std::int64_t weight(jlong size, std::int32_t interval) {
  if (interval == 0 || size <= 0) {
    return size;
  }
  const auto bytes = static_cast<double>(size);
  return std::llround(bytes / -std::expm1(-bytes / interval));
}

void append_bytes(std::string& key, const auto& value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string key_of(std::string_view signature, std::span<const jvmtiFrameInfo> stack) {
  std::string key(signature);
  key.push_back('\0');
  for (const jvmtiFrameInfo& frame : stack) {
    append_bytes(key, reinterpret_cast<std::uintptr_t>(frame.method));
    append_bytes(key, frame.location);
  }
  return key;
}

}  // namespace

jvm::Result<void> Allocations::make_environment() {
  if (env_) {
    return {};
  }
  JVMDEBUG_ASSIGN(auto env, jvm::Env::create(agent_.jvmti().vm()));
  JVMDEBUG_ASSIGN(
      const auto taken,
      jvm::take(env, {jvm::Capability::kTagObjects, jvm::Capability::kGenerateObjectFreeEvents,
                      jvm::Capability::kGetSourceFileName, jvm::Capability::kGetLineNumbers,
                      jvm::Capability::kSupportVirtualThreads}));
  if (!taken.has(jvm::Capability::kTagObjects)) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  JVMDEBUG_CHECK(env.set_environment_local_storage(this));
  jvmtiEventCallbacks callbacks{};
  callbacks.SampledObjectAlloc = object_sampled;
  callbacks.ObjectFree = object_freed;
  JVMDEBUG_CHECK(env.set_event_callbacks(callbacks, sizeof callbacks));
  // Enabled once, for as long as the environment lives: setting this event while the VM reports
  // dead objects waits for the reports without allowing a safepoint, which can block the VM for
  // ever.
  JVMDEBUG_CHECK(env.set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_OBJECT_FREE));
  env_ = std::make_unique<jvm::Env>(std::move(env));
  return {};
}

Result<void> Allocations::start(const Settings& settings) {
  if (settings.interval < 0 || settings.depth < 0 || settings.depth > kDeepest ||
      settings.sites < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  JVMDEBUG_CHECK(make_environment());
  end();
  JVMDEBUG_ASSIGN(const auto taken, jvm::take(*env_, {kSampling}));
  if (!taken.has(kSampling)) {
    return fail(protocol::Error::kNotImplemented);
  }
  forget();
  {
    const std::scoped_lock lock(mutex_);
    settings_ = settings;
  }
  is_on_ = true;
  JVMDEBUG_CHECK(jvm::checked(env_->raw()->SetHeapSamplingInterval(settings.interval)));
  return env_->set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
}

void Allocations::end() {
  if (std::exchange(is_on_, false)) {
    // None of these fails in the live phase.
    (void)env_->set_event_notification_mode(JVMTI_DISABLE, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC);
    (void)env_->relinquish_capabilities({kSampling});
  }
}

void Allocations::forget() {
  const std::scoped_lock lock(mutex_);
  counts_ = {};
  by_key_.clear();
  live_.clear();
}

void Allocations::stop() {
  if (env_) {
    end();
    (void)env_->set_environment_local_storage(nullptr);
  }
}

AllocationCounts Allocations::counts() {
  const std::scoped_lock lock(mutex_);
  return counts_;
}

std::size_t Allocations::site_of(std::string_view signature,
                                 std::span<const jvmtiFrameInfo> stack) {
  std::string key = key_of(signature, stack);
  if (const auto known = by_key_.find(key); known != by_key_.end()) {
    return known->second;
  }
  const std::size_t index = counts_.sites.size();
  if (std::cmp_less(index, settings_.sites)) {
    counts_.sites.push_back(
        {.signature = std::string(signature), .stack = {stack.begin(), stack.end()}});
    by_key_.emplace(std::move(key), index);
  }
  return index;
}

void Allocations::sampled(jobject object, jclass type, jlong size) {
  jlong tag = 0;
  std::size_t depth = 0;
  std::int32_t interval = 0;
  {
    const std::scoped_lock lock(mutex_);
    tag = next_tag_++;
    depth = static_cast<std::size_t>(settings_.depth);
    interval = settings_.interval;
  }
  std::array<jvmtiFrameInfo, kDeepest> frames{};
  const auto count = depth == 0 ? jvm::Result<jint>(0)
                                : env_->get_stack_trace(nullptr, 0, std::span(frames).first(depth));
  const auto signature = env_->get_class_signature_only(type);
  if (!signature) {
    return;
  }
  const std::int64_t bytes = weight(size, interval);
  const auto stack = std::span(frames).first(static_cast<std::size_t>(count.value_or(0)));
  // The caller has a reference to the object, so it does not die before it is counted.
  const bool is_tagged = env_->set_tag(object, tag).has_value();
  const std::scoped_lock lock(mutex_);
  ++counts_.samples;
  counts_.bytes += bytes;
  const std::size_t index = site_of(signature->view(), stack);
  if (index == counts_.sites.size()) {
    counts_.left_out += bytes;
    return;
  }
  AllocationSite& site = counts_.sites[index];
  ++site.samples;
  site.bytes += bytes;
  if (is_tagged) {
    ++site.live_samples;
    site.live_bytes += bytes;
    live_.emplace(tag, Sample{.site = index, .bytes = bytes});
  }
}

void Allocations::freed(jlong tag) {
  const std::scoped_lock lock(mutex_);
  const auto found = live_.find(tag);
  if (found != live_.end()) {
    AllocationSite& site = counts_.sites[found->second.site];
    --site.live_samples;
    site.live_bytes -= found->second.bytes;
    live_.erase(found);
  }
}

Allocations* Allocations::of(jvmtiEnv* raw) {
  void* stored = nullptr;
  (void)raw->GetEnvironmentLocalStorage(&stored);
  return static_cast<Allocations*>(stored);
}

// Ignores what the agent's own threads allocate. Before HotSpot 21 and later walks the heap for us,
// it allocates the objects that another thread's compiled code had optimized away, and reports them
// here. All threads are stopped then, and reading the stack would wait for one of them for ever.
void JNICALL Allocations::object_sampled(jvmtiEnv* raw, JNIEnv* env, jthread thread, jobject object,
                                         jclass type, jlong size) {
  const events::CallbackPresence present;
  if (Allocations* const self = of(raw); self != nullptr) {
    events::guard_callback(self->agent_, env, [&](const jvm::Jni& jni) {
      if (!self->agent_.threads().own_threads().contains(jni, thread)) {
        self->sampled(object, type, size);
      }
    });
  }
}

void JNICALL Allocations::object_freed(jvmtiEnv* raw, jlong tag) {
  const events::CallbackPresence present;
  if (Allocations* const self = of(raw); self != nullptr) {
    events::guard_callback(self->agent_, [&] { self->freed(tag); });
  }
}

}  // namespace jvmdebug::agent::heap
