// SPDX-License-Identifier: Apache-2.0
#include "agent/events/breakpoints.h"

#include <algorithm>
#include <cstddef>
#include <thread>
#include <utility>

#include "agent/agent.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/jvm/code_flow.h"
#include "agent/threads/thread_table.h"

namespace jvmdebug::agent::events {
namespace {

// After that the rest waits until something is resumed, or given up.
constexpr int kTries = 3;

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
  const std::scoped_lock alone(settle_mutex_);
  if (agent_.vm_is_dead() || !begin_to_settle()) {
    return;
  }
  const bool heard = agent_.requests().hear_all_breakpoints();
  for (int tries = 0; tries < kTries && !try_to_settle(); ++tries) {
    std::this_thread::yield();
  }
  if (heard) {
    agent_.requests().stop_hearing_all_breakpoints();
  }
  const std::scoped_lock lock(mutex_);
  settling_ = false;
  settled_.notify_all();
}

// False when there is nothing to do.
bool Breakpoints::begin_to_settle() {
  const std::scoped_lock lock(mutex_);
  if (leaving_.empty()) {
    return false;
  }
  settling_ = true;
  return true;
}

bool Breakpoints::try_to_settle() {
  std::vector<CodePlace> leaving;
  {
    const std::scoped_lock lock(mutex_);
    leaving.assign(leaving_.begin(), leaving_.end());
  }
  if (leaving.empty()) {
    return true;
  }
  return agent_.threads().while_nobody_is_at(
      leaving, [this](const CodePlace& place) { return present_at(place); },
      [this](const CodePlace& place) {
        const std::scoped_lock lock(mutex_);
        if (leaving_.erase(place) > 0) {
          clear(place);
        }
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
