// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/signal_sampling.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <span>
#include <string_view>
#include <sys/syscall.h>
#include <unistd.h>
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

// Returns the number of the kernel's CPU-time clock of a thread: include/linux/posix-timers.h.
constexpr clockid_t cpu_clock_of(pid_t task) {
  constexpr unsigned kShift = 3;
  constexpr unsigned kPerThread = 4;
  constexpr unsigned kScheduled = 2;
  return static_cast<clockid_t>((~static_cast<unsigned>(task) << kShift) | kPerThread | kScheduled);
}

std::vector<pid_t> all_tasks() {
  std::vector<pid_t> tasks;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) {
    return tasks;
  }
  while (const dirent* const entry = readdir(folder)) {
    const std::string_view name(entry->d_name);
    pid_t task = 0;
    if (std::from_chars(name.data(), name.data() + name.size(), task).ec == std::errc{}) {
      tasks.push_back(task);
    }
  }
  (void)closedir(folder);
  return tasks;
}

std::string name_of_task(pid_t task) {
  constexpr std::size_t kLongest = 64;
  std::array<char, kLongest> name{};
  const std::string path = "/proc/self/task/" + std::to_string(task) + "/comm";
  if (std::FILE* const file = std::fopen(path.c_str(), "re"); file != nullptr) {
    const char* const line = std::fgets(name.data(), static_cast<int>(name.size()), file);
    (void)std::fclose(file);
    if (line != nullptr) {
      name.at(std::strcspn(name.data(), "\n")) = '\0';
    }
  }
  return name[0] == '\0' ? "a thread of the JVM" : jvm::utf8_from_modified(name.data());
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
  for (const auto& [task, timer] : timers_) {
    if (timer.is_set) {
      (void)timer_delete(timer.id);
    }
  }
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
  const auto self = static_cast<pid_t>(syscall(SYS_gettid));
  for (const pid_t task : all_tasks()) {
    const auto [entry, is_new] = timers_.try_emplace(task);
    entry->second.listed = lists_;
    if (is_new && task != self) {
      set_timer(task, entry->second);
    }
  }
  std::erase_if(timers_, [this](const auto& each) {
    const bool has_ended = each.second.listed != lists_;
    if (has_ended && each.second.is_set) {
      (void)timer_delete(each.second.id);
    }
    return has_ended;
  });
}

void SignalSampling::set_timer(pid_t task, Timer& timer) const {
  constexpr std::int64_t kNanosecondsOfMicrosecond = 1000;
  constexpr std::int64_t kSecond = 1'000'000;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event.sigev_value.sival_ptr = SignalHandler::mark();
  event._sigev_un._tid = task;  // glibc gives it no other name before 2.36
  if (timer_create(cpu_clock_of(task), &event, &timer.id) != 0) {
    return;  // it has ended, or there are too many
  }
  timer.is_set = true;
  const auto interval = settings_.interval.count();
  itimerspec times{};
  times.it_interval = {.tv_sec = interval / kSecond,
                       .tv_nsec = interval % kSecond * kNanosecondsOfMicrosecond};
  times.it_value = times.it_interval;
  (void)timer_settime(timer.id, 0, &times, nullptr);
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
    jvmtiFrameInfo next{.method = frame.method, .location = std::max(frame.bci, -1)};
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

std::int32_t SignalSampling::number_of_task(CallTree& tree, pid_t task) {
  const auto found = timers_.find(task);
  if (found == timers_.end()) {
    if (ended_thread_ < 0) {
      ended_thread_ = tree.thread("threads of the JVM that have ended", ThreadKind::kOfVm);
    }
    return ended_thread_;
  }
  if (found->second.number < 0) {
    found->second.number = tree.thread(name_of_task(task), ThreadKind::kOfVm);
  }
  return found->second.number;
}

}  // namespace jvmdebug::agent::sampling
