// SPDX-License-Identifier: Apache-2.0
//
// The part of ThreadTable that holds all threads for a moment, unseen by the debugger: counts stay
// as they are. For what may be done only where no thread stands (events::Breakpoints).
#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/jvm/carried_threads.h"
#include "agent/threads/thread_table.h"

namespace jvmdebug::agent::threads {
namespace {

using Places = std::unordered_set<events::CodePlace, events::CodePlaceHash>;

// How often those that stand there are let go on, and for how long at first: twice as long each
// time, as on a busy machine they may not get to run at once.
constexpr int kRounds = 8;
constexpr std::chrono::microseconds kFirstMoment{50};

struct Stander {
  jvm::LocalRef<jthread> thread;
  events::CodePlace place;
  bool may_go_on;  // nobody but us holds it
};

}  // namespace

class ThreadTable::Standstill {
 public:
  // The table's mutex is held as long as this lives.
  explicit Standstill(ThreadTable& table)
      : table_(table), env_(table.env_), jni_(env_.jni()), frame_(jni_), carried_(env_) {
    holds_virtual_ =
        env_.has(jvm::Capability::kSupportVirtualThreads) && table.suspend_all_count_ == 0;
    complete_ = !holds_virtual_ || env_.suspend_all_virtual_threads({}).has_value();
    holds_virtual_ = holds_virtual_ && complete_;
    for (const auto& [key, thread] : table.by_key_) {
      if (thread->suspend_count == 0 && !thread->virtual_thread && !thread->ended) {
        held_.push_back(thread);
      }
    }
    table.suspend_together(held_);
  }

  Standstill(const Standstill&) = delete;
  Standstill& operator=(const Standstill&) = delete;
  Standstill(Standstill&&) = delete;
  Standstill& operator=(Standstill&&) = delete;

  ~Standstill() {
    if (holds_virtual_) {
      (void)table_.resume_virtual_threads();
    }
    table_.resume_together(held_);
  }

  // Whether all are held.
  [[nodiscard]] bool is_complete() const { return complete_; }

  // Those whose topmost frame is at one of the places.
  [[nodiscard]] std::vector<Stander> standing_at(const Places& places) const {
    std::vector<Stander> found;
    for (const auto& [key, thread] : table_.by_key_) {
      if (thread->virtual_thread) {
        continue;  // found by its carrier; one without a carrier stands in a call
      }
      look(thread->thread, thread->suspend_count == 0, places, found);
      if (auto carried = carried_.carried_by(jni_, thread->thread)) {
        look(carried, holds_virtual_ && !is_suspended(carried), places, found);
      }
    }
    return found;
  }

  // Those that may, alone. False when none may.
  [[nodiscard]] bool let_go_on(const std::vector<Stander>& standing,
                               std::chrono::microseconds moment) const {
    bool any = false;
    for (const Stander& one : standing) {
      any |= one.may_go_on && env_.resume_thread(one.thread).has_value();
    }
    if (any) {
      std::this_thread::sleep_for(moment);
    }
    for (const Stander& one : standing) {
      if (one.may_go_on) {
        (void)env_.suspend_thread(one.thread);  // fails when it has ended
      }
    }
    return any;
  }

 private:
  // By the debugger.
  [[nodiscard]] bool is_suspended(jthread thread) const {
    const auto known = table_.by_key_.find(table_.key_of(thread));
    return known != table_.by_key_.end() && known->second->suspend_count > 0;
  }

  void look(jthread thread, bool may_go_on, const Places& places,
            std::vector<Stander>& found) const {
    // Fails for a thread without frames, or that has ended.
    const auto top = env_.get_frame_location(thread, 0);
    const events::CodePlace place =
        top ? events::CodePlace{top->method, top->index} : events::CodePlace{};
    if (places.contains(place)) {
      found.push_back({jni_.local(thread), place, may_go_on});
    }
  }

  ThreadTable& table_;
  const jvm::Env& env_;
  const jvm::Jni jni_;
  const jvm::LocalFrame frame_;
  const jvm::CarriedThreads carried_;
  std::vector<Tracked> held_;
  bool holds_virtual_ = false;
  bool complete_ = false;
};

bool ThreadTable::while_nobody_is_at(
    const std::vector<events::CodePlace>& places,
    const std::function<std::size_t(const events::CodePlace&)>& may_stay,
    const std::function<void(const events::CodePlace&)>& body) {
  const std::scoped_lock lock(mutex_);
  const Standstill standstill(*this);
  if (!standstill.is_complete()) {
    return false;
  }
  Places blocked(places.begin(), places.end());
  std::vector<Stander> standing;
  auto moment = kFirstMoment;
  for (int round = 0; round < kRounds; ++round) {
    standing = standstill.standing_at(blocked);
    std::erase_if(blocked, [&](const events::CodePlace& place) {
      const auto number = std::ranges::count(standing, place, &Stander::place);
      const bool is_free = static_cast<std::size_t>(number) <= may_stay(place);
      if (is_free) {
        body(place);
      }
      return is_free;
    });
    std::erase_if(standing, [&](const Stander& one) { return !blocked.contains(one.place); });
    if (!standstill.let_go_on(standing, moment)) {
      break;
    }
    moment *= 2;
  }
  return std::ranges::none_of(standing, &Stander::may_go_on);
}

}  // namespace jvmdebug::agent::threads
