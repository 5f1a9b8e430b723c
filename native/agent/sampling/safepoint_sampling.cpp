// SPDX-License-Identifier: Apache-2.0
#include "agent/sampling/safepoint_sampling.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace jvmdebug::agent::sampling {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr auto kLongestRound = std::chrono::milliseconds{5};
// The pause after a round is at least this many times as long as the round.
constexpr int kPauseFactor = 4;

State state_of(jint bits) {
  if ((bits & JVMTI_THREAD_STATE_SUSPENDED) != 0) {
    return State::kSuspended;
  }
  if ((bits & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) {
    return State::kBlocked;
  }
  if ((bits & JVMTI_THREAD_STATE_SLEEPING) != 0) {
    return State::kSleeps;
  }
  return (bits & JVMTI_THREAD_STATE_WAITING) != 0 ? State::kWaits : State::kRuns;
}

}  // namespace

SafepointSampling::SafepointSampling(const jvm::Env& env, const jvm::Env& own,
                                     const threads::OwnThreads& others, const Settings& settings)
    : env_(env),
      own_(own),
      settings_(settings),
      carried_(env),
      threads_(own, others),
      frames_(static_cast<std::size_t>(settings.frames)),
      random_(static_cast<unsigned>(Clock::now().time_since_epoch().count())) {}

void SafepointSampling::round(const jvm::Jni& jni, CallTree& tree) {
  const auto start = Clock::now();
  threads_.refresh(jni, start);
  auto& all = threads_.all();
  for (std::size_t left = all.size(); left > 0; --left) {
    next_ = next_ >= all.size() ? 0 : next_;
    look_at(jni, tree, *all[next_]);
    ++next_;
    if (Clock::now() - start > kLongestRound) {
      break;  // the next one goes on here
    }
  }
  took_ = Clock::now() - start;
}

// Varies the pause, so that periodic work of the program is sampled like everything else.
microseconds SafepointSampling::pause() {
  const auto half = settings_.interval.count() / 2;
  std::uniform_int_distribution<microseconds::rep> about(half, 3 * half);
  const auto wanted = microseconds(about(random_)) - duration_cast<microseconds>(took_);
  return std::max(wanted, duration_cast<microseconds>(kPauseFactor * took_));
}

std::int64_t SafepointSampling::unseen() const {
  return threads_.unseen();
}

void SafepointSampling::look_at(const jvm::Jni& jni, CallTree& tree, SampledThread& thread) {
  const auto cpu_time = own_.get_thread_cpu_time(thread.thread.get());
  if (!cpu_time) {
    return;  // it has ended, which the next list will show
  }
  const auto now = Clock::now();
  const std::int64_t used = *cpu_time - std::exchange(thread.cpu_time, *cpu_time);
  const std::int64_t elapsed =
      duration_cast<nanoseconds>(now - std::exchange(thread.looked_at, now)).count();
  if (used == 0 && thread.node >= 0) {
    if (!settings_.by_cpu) {
      const State state = thread.state == State::kRuns ? State::kIdleInNative : thread.state;
      tree.add(thread.node_thread, thread.node, state, elapsed);
    }
    return;
  }
  thread.owed += used;
  if (settings_.by_cpu && thread.owed == 0) {
    return;
  }
  // For JVM TI the carrier of a virtual thread waits, and the virtual thread runs.
  const auto carried = carried_.carried_by(jni, thread.thread.get());
  const auto bits = env_.get_thread_state(carried ? carried.get() : thread.thread.get());
  if (!bits || (*bits & JVMTI_THREAD_STATE_ALIVE) == 0) {
    return;
  }
  thread.state = state_of(*bits);
  // The CPU time was spent elsewhere; it is accounted for when the thread is found running.
  if (settings_.by_cpu && thread.state != State::kRuns) {
    return;
  }
  if (!read_stack(tree, thread, carried)) {
    tree.failed();
    return;
  }
  if (settings_.by_cpu) {
    tree.add(thread.node_thread, thread.node, State::kRuns, std::exchange(thread.owed, 0));
  } else {
    tree.add(thread.node_thread, thread.node, thread.state, elapsed);
    thread.owed = 0;
  }
}

// Reads the stack of the virtual thread that the thread carries, if any.
bool SafepointSampling::read_stack(CallTree& tree, SampledThread& thread, jthread carried) {
  const auto count =
      env_.get_stack_trace(carried != nullptr ? carried : thread.thread.get(), 0, frames_);
  if (!count) {
    thread.node = -1;
    return false;
  }
  thread.node = tree.node(std::span(frames_).first(static_cast<std::size_t>(*count)));
  if (carried == nullptr && thread.number < 0) {
    thread.number = tree.platform_thread(thread.thread.get());
  }
  thread.node_thread = carried != nullptr ? tree.virtual_threads() : thread.number;
  return true;
}

}  // namespace jvmdebug::agent::sampling
