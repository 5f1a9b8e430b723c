// SPDX-License-Identifier: Apache-2.0
#include "agent/events/breakpoints.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <thread>
#include <utility>

#include "agent/agent.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/jvm/code_flow.h"
#include "agent/scope.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {
namespace {

// How often it is waited for those that stand there to go on, and for how long at first: twice as
// long each time, as on a busy machine they may not get to run at once. Afterwards the rest waits
// until something is resumed, or given up.
constexpr int kRounds = 12;
constexpr std::chrono::microseconds kFirstMoment{50};
constexpr std::chrono::microseconds kLongestMoment{6400};

bool only_exceptions_lead_to(const jvm::Env& env, const CodePlace& place) {
  const auto code = env.get_bytecodes(place.method);
  return code && jvm::only_exceptions_lead_to(code->span(), static_cast<std::size_t>(place.index));
}

}  // namespace

jvm::Result<void> Breakpoints::want(const CodePlace& place) {
  {
    const std::scoped_lock lock(mutex_);
    ++counts_[place];
    leaving_.erase(place);
  }
  // Asked for in any case: another agent's redefinition may have removed it.
  const auto set = agent_.jvmti().set_breakpoint(place.method, place.index);
  if (set || set.error() == JVMTI_ERROR_DUPLICATE) {
    return {};
  }
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(place);
  if (found != counts_.end() && --found->second == 0) {
    counts_.erase(found);
  }
  return set;
}

void Breakpoints::unwant(const CodePlace& place) {
  const bool risky = only_exceptions_lead_to(agent_.jvmti(), place);
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(place);
  if (found == counts_.end() || --found->second > 0) {
    return;
  }
  counts_.erase(found);
  if (risky) {
    leaving_.insert(place);
  } else {
    clear(place);
  }
}

void Breakpoints::clear(const CodePlace& place) {
  if (!agent_.vm_is_dead()) {
    // Fails when a redefinition has removed it.
    (void)agent_.jvmti().clear_breakpoint(place.method, place.index);
  }
}

// The events are needed of all threads, whatever the debugger still asks for.
void Breakpoints::settle() {
  if (agent_.vm_is_dead() || !begin_to_settle()) {
    return;
  }
  const AtExit end([this] {
    const std::scoped_lock lock(mutex_);
    settling_ = false;
    settled_.notify_all();
  });
  const bool heard = agent_.requests().hear_all_breakpoints();
  settle_in_rounds();
  if (heard) {
    agent_.requests().stop_hearing_all_breakpoints();
  }
}

// One thread at a time. False when there is nothing to do.
bool Breakpoints::begin_to_settle() {
  std::unique_lock lock(mutex_);
  settled_.wait(lock, [this] { return !settling_; });
  settling_ = !leaving_.empty();
  return settling_;
}

// Between two rounds all threads run, and no lock is held. Who comes to one of the places meanwhile
// is kept in the event of its breakpoint (arrive()), so there are ever fewer on their way.
void Breakpoints::settle_in_rounds() {
  auto moment = kFirstMoment;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<CodePlace> leaving;
    {
      const std::scoped_lock lock(mutex_);
      leaving.assign(leaving_.begin(), leaving_.end());
    }
    if (leaving.empty()) {
      return;
    }
    const auto occupied = agent_.suspension().while_nobody_is_at(
        leaving, [this](const CodePlace& place) { return present_at(place); },
        [this](const CodePlace& place) {
          const std::scoped_lock lock(mutex_);
          if (leaving_.erase(place) > 0) {
            clear(place);
          }
        });
    if (occupied && occupied->empty()) {
      return;
    }
    if (occupied) {
      wait_for_arrivals(*occupied, moment);
    } else {
      std::this_thread::yield();
    }
    moment = std::min(moment * 2, kLongestMoment);
  }
}

// Until those that stand there are in the event, but not for longer than a moment: they may take
// another way.
void Breakpoints::wait_for_arrivals(const std::vector<threads::OccupiedPlace>& occupied,
                                    std::chrono::microseconds moment) {
  std::unique_lock lock(mutex_);
  (void)arrived_.wait_for(lock, moment, [&] {
    return std::ranges::all_of(occupied, [&](const threads::OccupiedPlace& wanted) {
      const auto found = visitors_.find(wanted.place);
      return found != visitors_.end() && found->second.present >= wanted.threads;
    });
  });
}

void Breakpoints::unwant_soon(std::vector<CodePlace> places) {
  agent_.sender().run_soon(
      [this, given_up = std::move(places)] {
        for (const CodePlace& place : given_up) {
          unwant(place);
        }
        settle();
      },
      false);
}

std::vector<std::pair<CodePlace, int>> Breakpoints::lift(
    std::span<const jvm::LocalRef<jclass>> types) {
  const jvm::Jni jni = agent_.jni();
  const auto is_in_types = [&](const CodePlace& place) {
    const auto raw = agent_.jvmti().get_method_declaring_class(place.method);
    const auto type = raw ? jni.adopt(*raw) : jvm::LocalRef<jclass>();
    return std::ranges::any_of(types, [&](const auto& one) { return jni.same(one, type.get()); });
  };
  std::vector<std::pair<CodePlace, int>> lifted;
  {
    const std::scoped_lock lock(mutex_);
    lifted.assign(counts_.begin(), counts_.end());
  }
  std::erase_if(lifted, [&](const auto& one) {
    return !is_in_types(one.first) || !only_exceptions_lead_to(agent_.jvmti(), one.first);
  });
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [place, count] : lifted) {
      counts_.erase(place);
      leaving_.insert(place);
    }
  }
  settle();
  return lifted;
}

void Breakpoints::put_back(const std::vector<std::pair<CodePlace, int>>& lifted) {
  for (const auto& [place, count] : lifted) {
    // The class is as it was, and so is what could be set before.
    if (want(place)) {
      const std::scoped_lock lock(mutex_);
      counts_[place] += count - 1;
    }
  }
}

// --- threads in the event of a breakpoint ------------------------------------------------------

bool Breakpoints::arrive(const CodePlace& place) {
  std::unique_lock lock(mutex_);
  ++visitors_[place].present;
  arrived_.notify_all();
  if (counts_.contains(place)) {
    return true;
  }
  settled_.wait(lock, [this] { return !settling_; });
  return false;
}

void Breakpoints::leave(const CodePlace& place) {
  const std::scoped_lock lock(mutex_);
  const auto found = visitors_.find(place);
  if (found != visitors_.end() && --found->second.present == 0 && found->second.absent == 0) {
    visitors_.erase(found);
  }
}

void Breakpoints::go_away(const CodePlace& place) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = visitors_.find(place); found != visitors_.end()) {
    --found->second.present;
    ++found->second.absent;
  }
}

void Breakpoints::come_back(const CodePlace& place) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = visitors_.find(place); found != visitors_.end()) {
    ++found->second.present;
    --found->second.absent;
  }
}

std::size_t Breakpoints::present_at(const CodePlace& place) {
  const std::scoped_lock lock(mutex_);
  const auto found = visitors_.find(place);
  return found == visitors_.end() ? 0 : found->second.present;
}

void Breakpoints::resumed() {
  {
    const std::scoped_lock lock(mutex_);
    if (leaving_.empty()) {
      return;
    }
  }
  agent_.sender().run_soon([this] { settle(); }, false);
}

}  // namespace jvmdebug::agent::events
