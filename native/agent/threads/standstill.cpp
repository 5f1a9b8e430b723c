// SPDX-License-Identifier: Apache-2.0
//
// The part of Suspension that holds all threads for a moment, unseen by the debugger: counts stay
// as they are. For what may be done only where no thread stands (events::Breakpoints). Nothing
// waits here: the lock is held, and no thread runs.
#include <algorithm>
#include <unordered_set>
#include <utility>

#include "agent/agent.h"
#include "agent/jvm/carried_threads.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::threads {
namespace {

using Places = std::unordered_set<events::CodePlace, events::CodePlaceHash>;

struct Stander {
  events::CodePlace place;
  bool may_go_on = false;  // nobody but us holds it
};

}  // namespace

class Suspension::Standstill {
 public:
  Standstill(const Lock& held, Suspension& suspension)
      : lock_(held),
        suspension_(suspension),
        env_(suspension.env_),
        jni_(env_.jni()),
        frame_(jni_),
        carried_(env_) {
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

  Standstill(const Standstill&) = delete;
  Standstill& operator=(const Standstill&) = delete;
  Standstill(Standstill&&) = delete;
  Standstill& operator=(Standstill&&) = delete;

  ~Standstill() {
    if (holds_virtual_) {
      (void)suspension_.resume_virtual_threads(lock_);
    }
    suspension_.resume_together(held_);
  }

  // Whether all are held.
  [[nodiscard]] bool is_complete() const { return complete_; }

  // Those whose topmost frame is at one of the places.
  [[nodiscard]] std::vector<Stander> standing_at(const Places& places) const {
    std::vector<Stander> found;
    for (const Tracked& thread : suspension_.registry_.begun(lock_)) {
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

 private:
  // By the debugger.
  [[nodiscard]] bool is_suspended(jthread thread) const {
    const auto known = suspension_.registry_.find_begun(lock_, thread);
    return known && known->suspend_count > 0;
  }

  void look(jthread thread, bool may_go_on, const Places& places,
            std::vector<Stander>& found) const {
    // Fails for a thread without frames, or that has ended.
    const auto top = env_.get_frame_location(thread, 0);
    const events::CodePlace place =
        top ? events::CodePlace{top->method, top->index} : events::CodePlace{};
    if (places.contains(place)) {
      found.push_back({.place = place, .may_go_on = may_go_on});
    }
  }

  const Lock& lock_;
  Suspension& suspension_;
  const jvm::Env& env_;
  const jvm::Jni jni_;
  const jvm::LocalFrame frame_;
  const jvm::CarriedThreads carried_;
  std::vector<Tracked> held_;
  bool holds_virtual_ = false;
  bool complete_ = false;
};

std::optional<std::vector<OccupiedPlace>> Suspension::while_nobody_is_at(
    const std::vector<events::CodePlace>& places,
    const std::function<std::size_t(const events::CodePlace&)>& may_stay,
    const std::function<void(const events::CodePlace&)>& body) {
  const Lock held = registry_.lock();
  const Standstill standstill(held, *this);
  if (!standstill.is_complete()) {
    return std::nullopt;
  }
  const auto standing = standstill.standing_at(Places(places.begin(), places.end()));
  std::vector<OccupiedPlace> occupied;
  for (const events::CodePlace& place : places) {
    const auto number =
        static_cast<std::size_t>(std::ranges::count(standing, place, &Stander::place));
    if (number <= may_stay(place)) {
      body(place);
    } else if (std::ranges::any_of(standing, [&](const Stander& one) {
                 return one.place == place && one.may_go_on;
               })) {
      occupied.push_back({.place = place, .threads = number});
    }
  }
  return occupied;
}

}  // namespace jvmdebug::agent::threads
