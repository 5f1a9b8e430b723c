// SPDX-License-Identifier: Apache-2.0
//
// The part of Suspension that suspends all threads for a moment. Suspend counts stay the same, so
// the debugger does not notice. For changes that are safe only at locations where no thread is
// (events::Breakpoints). This code must not wait: the lock is held, and no thread runs.
#include <algorithm>
#include <utility>

#include "agent/jvm/carried_threads.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {
namespace {

struct ThreadAtLocation {
  jvm::CodeLocation location;
  bool can_resume = false;  // only this scope has suspended it
};

}  // namespace

class Suspension::SuspendAllScope {
 public:
  SuspendAllScope(const Lock& held, Suspension& suspension)
      : lock_(held),
        suspension_(suspension),
        env_(suspension.env_),
        jni_(env_.jni()),
        carried_(env_) {
    if (suspension.is_closed_) {
      return;
    }
    holds_virtual_ =
        env_.has(jvm::Capability::kSupportVirtualThreads) && suspension.all_count_ == 0;
    complete_ = !holds_virtual_ || env_.suspend_all_virtual_threads({}).has_value();
    holds_virtual_ = holds_virtual_ && complete_;
    for (const Tracked& thread : suspension.registry_.begun(held)) {
      if (thread->suspend_count == 0 && !thread->virtual_thread && !thread->ended) {
        held_.push_back(thread);
      }
    }
    suspension.suspend_together(held_);
  }

  SuspendAllScope(const SuspendAllScope&) = delete;
  SuspendAllScope& operator=(const SuspendAllScope&) = delete;
  SuspendAllScope(SuspendAllScope&&) = delete;
  SuspendAllScope& operator=(SuspendAllScope&&) = delete;

  ~SuspendAllScope() {
    if (holds_virtual_) {
      (void)suspension_.resume_virtual_threads(lock_);
    }
    suspension_.resume_together(held_);
  }

  // Whether all threads are suspended.
  [[nodiscard]] bool is_complete() const { return complete_; }

  // Whether some thread is suspended by this scope alone.
  [[nodiscard]] bool holds_any() const { return holds_virtual_ || !held_.empty(); }

  // The threads whose topmost frame is at one of the locations.
  [[nodiscard]] std::vector<ThreadAtLocation> threads_at(
      const jvm::CodeLocations& locations) const {
    std::vector<ThreadAtLocation> found;
    for (const Tracked& thread : suspension_.registry_.begun(lock_)) {
      if (thread->virtual_thread) {
        continue;  // found by its carrier; an unmounted virtual thread is in a call
      }
      look(thread->thread, thread->suspend_count == 0, locations, found);
      if (auto carried = carried_.carried_by(jni_, thread->thread)) {
        look(carried, holds_virtual_ && !is_suspended(carried), locations, found);
      }
    }
    return found;
  }

 private:
  // Whether the debugger has suspended it.
  [[nodiscard]] bool is_suspended(jthread thread) const {
    const auto known = suspension_.registry_.find_begun(lock_, thread);
    return known && known->suspend_count > 0;
  }

  void look(jthread thread, bool can_resume, const jvm::CodeLocations& locations,
            std::vector<ThreadAtLocation>& found) const {
    // Fails for a thread that has no frames or has ended.
    const auto top = env_.get_frame_location(thread, 0);
    const jvm::CodeLocation location =
        top ? jvm::CodeLocation{top->method, top->index} : jvm::CodeLocation{};
    if (locations.contains(location)) {
      found.push_back({.location = location, .can_resume = can_resume});
    }
  }

  const Lock& lock_;
  Suspension& suspension_;
  const jvm::Env& env_;
  const jvm::Jni jni_;
  const jvm::CarriedThreads carried_;
  std::vector<Tracked> held_;
  bool holds_virtual_ = false;
  bool complete_ = false;
};

std::optional<std::vector<OccupiedLocation>> Suspension::while_all_suspended(
    const std::vector<jvm::CodeLocation>& locations,
    const std::function<std::size_t(const jvm::CodeLocation&)>& threads_in_event,
    const std::function<void(const jvm::CodeLocation&)>& body) {
  const Lock held = registry_.lock();
  const jvm::LocalFrame frame(env_.jni());
  const SuspendAllScope suspended(held, *this);
  if (!suspended.is_complete()) {
    return std::nullopt;
  }
  const auto present = suspended.threads_at(jvm::CodeLocations(locations.begin(), locations.end()));
  std::vector<OccupiedLocation> occupied;
  for (const jvm::CodeLocation& location : locations) {
    const auto number = static_cast<std::size_t>(
        std::ranges::count(present, location, &ThreadAtLocation::location));
    if (number <= threads_in_event(location)) {
      body(location);
    } else if (std::ranges::any_of(present, [&](const ThreadAtLocation& one) {
                 return one.location == location && one.can_resume;
               })) {
      occupied.push_back({.location = location, .threads = number});
    }
  }
  return occupied;
}

std::optional<std::chrono::nanoseconds> Suspension::while_all_suspended(
    const std::function<void()>& body) {
  const Lock held = registry_.lock();
  const auto begin = std::chrono::steady_clock::now();
  bool has_held = false;
  {
    const SuspendAllScope suspended(held, *this);
    if (!suspended.is_complete()) {
      return std::nullopt;
    }
    has_held = suspended.holds_any();
    body();
  }
  return has_held ? std::chrono::steady_clock::now() - begin : std::chrono::nanoseconds{0};
}

}  // namespace jvmdebug::agent::threads
