// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/signal_sampling.h"

#include <algorithm>
#include <span>
#include <utility>

#include "agent/jvm/strings.h"
#include "agent/jvm/vm_library.h"

namespace jvmdebug::agent::sampling {
namespace {

constexpr jint kMostFrames = 512;
constexpr std::size_t kSlots = 1024;
constexpr auto kDrainPeriod = std::chrono::microseconds{5000};
constexpr auto kTimersPeriod = std::chrono::milliseconds{20};
constexpr auto kHandlerTimeout = std::chrono::milliseconds{2000};
constexpr jint kVirtualThreadsSince = 21;
constexpr jint kNoJavaFrames = 0;

// The VM makes the method ids of a class when they are requested.
void JNICALL on_class_prepared(jvmtiEnv* env, JNIEnv* /*jni*/, jthread /*thread*/, jclass type) {
  jint count = 0;
  jmethodID* methods = nullptr;
  // Refused if the environment has been disposed of meanwhile.
  if (env->GetClassMethods(type, &count, &methods) == JVMTI_ERROR_NONE) {
    (void)env->Deallocate(reinterpret_cast<unsigned char*>(methods));
  }
}

// AsyncGetCallTrace works only while an agent has this event enabled.
void JNICALL on_class_loaded(jvmtiEnv* /*env*/, JNIEnv* /*jni*/, jthread /*thread*/,
                             jclass /*type*/) {}

std::string shown_name(platform::ThreadNumber task) {
  const std::string name = platform::name_of_thread(task);
  return name.empty() ? "a thread of the JVM" : jvm::utf8_from_modified(name);
}

}  // namespace

jvm::Result<std::unique_ptr<SignalSampling>> SignalSampling::create(
    const jvm::Env& env, const jvm::Env& own, const threads::OwnThreads& others,
    const Settings& settings) {
  const auto function =
      reinterpret_cast<AsyncGetCallTrace>(jvm::vm_function(env, "AsyncGetCallTrace"));
  if (function == nullptr) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  auto ring = std::make_unique<StackRing>(env.vm(), function, kSlots,
                                          std::min(settings.frames, kMostFrames));
  std::unique_ptr<SignalSampling> made(
      new SignalSampling(env, own, others, settings, std::move(ring)));
  JVMDEBUG_CHECK(made->find_fields(env.jni()));
  JVMDEBUG_CHECK(made->make_method_ids());
  if (!SignalHandler::begin(made->ring_.get())) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  made->has_handler_ = true;
  return made;
}

SignalSampling::SignalSampling(const jvm::Env& env, const jvm::Env& own,
                               const threads::OwnThreads& others, const Settings& settings,
                               std::unique_ptr<StackRing> ring)
    : env_(env), own_(own), settings_(settings), threads_(own, others), ring_(std::move(ring)) {}

// Deletes the timers first, then ends the handler; a ring that a handler still uses is not freed.
SignalSampling::~SignalSampling() {
  timers_.clear();
  if (has_handler_ && !SignalHandler::end(kHandlerTimeout)) {
    (void)ring_.release();
  }
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE}) {
    (void)own_.set_event_notification_mode(JVMTI_DISABLE, event);  // does not fail when live
  }
}

jvm::Result<void> SignalSampling::make_method_ids() {
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassLoad = on_class_loaded;
  callbacks.ClassPrepare = on_class_prepared;
  JVMDEBUG_CHECK(own_.set_event_callbacks(callbacks, sizeof callbacks));
  JVMDEBUG_CHECK(own_.set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_LOAD));
  JVMDEBUG_CHECK(own_.set_event_notification_mode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE));
  JVMDEBUG_ASSIGN(const auto types, own_.get_loaded_classes());
  const jvm::Jni jni = own_.jni();
  for (jclass type : types) {
    const auto owned = jni.adopt(type);
    (void)own_.get_class_methods(type);  // one that is not prepared has none yet
  }
  return {};
}

// Thread.eetop holds the address of HotSpot's thread (11 to 25), and the JNI environment is a part
// of that. So the thread of a JNI environment can be found.
jvm::Result<void> SignalSampling::find_fields(const jvm::Jni& jni) {
  const auto missing = std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  const auto type = jni.find_class("java/lang/Thread");
  thread_address_ = type ? jni->GetFieldID(type, "eetop", "J") : nullptr;
  if (jni.clear_exception() || thread_address_ == nullptr) {
    return missing;
  }
  JVMDEBUG_ASSIGN(const jthread current, env_.get_current_thread());
  const auto owned = jni.adopt(current);
  env_offset_ = reinterpret_cast<std::intptr_t>(jni.raw()) -
                static_cast<std::intptr_t>(jni->GetLongField(current, thread_address_));
  if (env_.feature_version() >= kVirtualThreadsSince) {
    const auto virtual_type = jni.find_class("java/lang/VirtualThread");
    if (virtual_type) {
      run_of_virtual_thread_ = jni->GetMethodID(virtual_type, "run", "(Ljava/lang/Runnable;)V");
    }
    (void)jni.clear_exception();
  }
  return {};
}

void SignalSampling::round(const jvm::Jni& jni, CallTree& tree) {
  const auto now = Clock::now();
  if (now >= timers_due_) {
    timers_due_ = now + kTimersPeriod;
    set_timers();
    list_threads(jni, now);
  }
  ring_->drain([&](const Interrupted& is, std::span<const AsyncFrame> frames) {
    add(jni, tree, is, frames);
  });
  for (std::uint32_t lost = ring_->lost(); lost > 0; --lost) {
    tree.failed();
  }
}

std::chrono::microseconds SignalSampling::pause() {
  return kDrainPeriod;
}

// Sets timers of new tasks, and deletes those of tasks that have ended.
void SignalSampling::set_timers() {
  ++lists_;
  const auto self = platform::this_thread();
  for (const platform::ThreadNumber task : platform::all_threads()) {
    const auto [entry, is_new] = timers_.try_emplace(task);
    entry->second.listed = lists_;
    if (is_new && task != self) {
      entry->second.timer = platform::ThreadTimer::start(task, settings_.interval);
    }
  }
  std::erase_if(timers_, [this](const auto& each) { return each.second.listed != lists_; });
}

void SignalSampling::list_threads(const jvm::Jni& jni, Clock::time_point now) {
  threads_.refresh(jni, now);
  by_env_.clear();
  for (const auto& each : threads_.all()) {
    const jlong address = jni->GetLongField(each->thread.get(), thread_address_);
    if (address != 0) {  // else it has ended
      // NOLINTNEXTLINE(performance-no-int-to-ptr): the VM keeps it as a number
      by_env_[reinterpret_cast<const void*>(address + env_offset_)] = each.get();
    }
  }
}

void SignalSampling::add(const jvm::Jni& jni, CallTree& tree, const Interrupted& is,
                         std::span<const AsyncFrame> frames) {
  const std::int64_t time =
      std::chrono::nanoseconds(settings_.interval).count() * (1 + std::max(0, is.overrun));
  if (is.env == nullptr) {
    tree.add(number_of_task(tree, is.task), CallTree::kRoot, State::kRuns, time);
    return;
  }
  frames_.clear();
  bool is_virtual = false;
  for (const AsyncFrame& frame : frames) {
    jvmtiFrameInfo next{.method = frame.method, .location = std::max<jint>(frame.bci, -1)};
    if (const auto view = next.method == nullptr ? nullptr : env_.code_view(next.method)) {
      next = {.method = view->shown, .location = view->shown_index(next.location)};
    }
    frames_.push_back(next);
    is_virtual = run_of_virtual_thread_ != nullptr && frame.method == run_of_virtual_thread_;
    if (is_virtual) {
      break;
    }
  }
  const std::int32_t number = is_virtual ? tree.virtual_threads() : number_of(jni, tree, is.env);
  if (number < 0) {
    return;  // a thread of the agent
  }
  if (frames_.empty() && is.frame_count < kNoJavaFrames) {
    tree.failed();  // its time is counted nevertheless
  }
  tree.add(number, frames_.empty() ? CallTree::kRoot : tree.node(frames_), State::kRuns, time);
}

std::int32_t SignalSampling::number_of(const jvm::Jni& jni, CallTree& tree, JNIEnv* env) {
  auto found = by_env_.find(env);
  if (found == by_env_.end()) {
    list_threads(jni, Clock::now());
    found = by_env_.find(env);
  }
  if (found == by_env_.end()) {
    return -1;
  }
  SampledThread& thread = *found->second;
  if (thread.number < 0) {
    thread.number = tree.platform_thread(thread.thread.get());
  }
  return thread.number;
}

std::int32_t SignalSampling::number_of_task(CallTree& tree, platform::ThreadNumber task) {
  const auto found = timers_.find(task);
  if (found == timers_.end()) {
    if (ended_thread_ < 0) {
      ended_thread_ = tree.thread("threads of the JVM that have ended", ThreadKind::kOfVm);
    }
    return ended_thread_;
  }
  if (found->second.number < 0) {
    found->second.number = tree.thread(shown_name(task), ThreadKind::kOfVm);
  }
  return found->second.number;
}

}  // namespace jvmdebug::agent::sampling
