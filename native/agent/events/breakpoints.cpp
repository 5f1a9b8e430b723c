// SPDX-License-Identifier: Apache-2.0
#include "agent/events/breakpoints.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <span>
#include <thread>
#include <utility>

#include "agent/events/checks.h"
#include "agent/events/method_codes.h"
#include "agent/events/request_table.h"
#include "agent/scope.h"
#include "agent/threads/reporter.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::events {
namespace {

// Rounds of clear_removed(), and the first and longest wait between two of them. The wait doubles,
// because on a busy machine the threads may not run at once. What cannot be removed by then stays
// until threads are resumed or another breakpoint is removed.
constexpr int kRounds = 12;
constexpr std::chrono::microseconds kFirstMoment{50};
constexpr std::chrono::microseconds kLongestMoment{6400};
constexpr std::chrono::seconds kLongestWait{2};  // before a redefinition

bool only_exceptions_lead_to(const jvm::Env& env, const CodeLocation& location) {
  return MethodCodes(env).only_exceptions_lead_to(location);
}

}  // namespace

jvm::Result<void> Breakpoints::add(const CodeLocation& location) {
  if (would_harm(location) || would_crash(location)) {
    return std::unexpected(jvm::Error{JVMTI_ERROR_NOT_AVAILABLE});
  }
  bool is_first = false;
  {
    const std::scoped_lock lock(mutex_);
    is_first = counts_.empty();
    ++counts_[location];
    to_remove_.erase(location);
    unset_.erase(location);
  }
  ++moment_;
  // Set even if it should be set already: another agent's redefinition may have removed it.
  const auto done = uses_.env.set_breakpoint(location.method, location.index);
  if (done || done.error() == JVMTI_ERROR_DUPLICATE) {
    uses_.checks.breakpoint_set();
    if (is_first) {
      uses_.when_first();
    }
    return {};
  }
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(location);
  if (found != counts_.end() && --found->second == 0) {
    counts_.erase(found);
  }
  return done;
}

void Breakpoints::add_for_probe(const CodeLocation& location) {
  bool is_first = false;
  {
    const std::scoped_lock lock(mutex_);
    is_first = counts_.empty();
    if (++counts_[location] == 1) {
      unset_.insert(location);
    }
  }
  ++moment_;
  uses_.checks.breakpoint_set();
  if (is_first) {
    uses_.when_first();
  }
}

Breakpoints::Breakpoints(const Uses& uses) : uses_(uses), left_records_(uses.env, uses.vm_reads) {}

bool Breakpoints::enable_events() {
  return uses_.requests.enable_breakpoint_events();
}

void Breakpoints::remove(const CodeLocation& location) {
  take_off(location);
  uses_.checks.breakpoint_removed();
}

void Breakpoints::take_off(const CodeLocation& location) {
  const bool risky = only_exceptions_lead_to(uses_.env, location);
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(location);
  if (found == counts_.end() || --found->second > 0) {
    const auto left = probed_.find(location);
    if (found != counts_.end() && left != probed_.end() && left->second >= found->second) {
      clear_or_note(location, risky);
    }
    return;
  }
  counts_.erase(found);
  unset_.erase(location);
  ++moment_;
  clear_or_note(location, risky);
}

void Breakpoints::clear_or_note(const CodeLocation& location, bool is_risky) {
  if (is_risky) {
    to_remove_.insert(location);
  } else {
    clear(location);
  }
}

void Breakpoints::clear(const CodeLocation& location) {
  if (!uses_.life.vm_is_dead()) {
    // Fails when a redefinition has removed it.
    (void)uses_.env.clear_breakpoint(location.method, location.index);
  }
}

// Clears what can be cleared. Breakpoint events are enabled meanwhile, even if no request needs
// them.
void Breakpoints::clear_removed() {
  if (uses_.life.vm_is_dead() || !begin_clearing()) {
    return;
  }
  const AtExit end([this] {
    const std::scoped_lock lock(mutex_);
    is_clearing_ = false;
    clearing_ended_.notify_all();
  });
  const bool enabled = uses_.requests.enable_breakpoint_events();
  clear_in_rounds();
  if (enabled) {
    uses_.requests.disable_breakpoint_events();
  }
}

// Begins to clear, on one thread at a time. False when there is nothing to do.
bool Breakpoints::begin_clearing() {
  std::unique_lock lock(mutex_);
  clearing_ended_.wait(lock, [this] { return !is_clearing_; });
  is_clearing_ = !to_remove_.empty();
  return is_clearing_;
}

// Clears in rounds. Between two rounds all threads run, and no lock is held. Threads that reach one
// of the locations meanwhile wait in the event of its breakpoint (enter_event()), so fewer are left
// each round.
void Breakpoints::clear_in_rounds() {
  auto moment = kFirstMoment;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<CodeLocation> to_remove;
    {
      const std::scoped_lock lock(mutex_);
      to_remove.assign(to_remove_.begin(), to_remove_.end());
    }
    if (to_remove.empty()) {
      return;
    }
    const auto occupied = uses_.suspension.while_all_suspended(
        to_remove, [this](const CodeLocation& location) { return threads_in_event(location); },
        [this](const CodeLocation& location) {
          const std::scoped_lock lock(mutex_);
          if (to_remove_.erase(location) > 0) {
            clear(location);
          }
        });
    if (occupied && occupied->empty()) {
      return;
    }
    if (occupied) {
      wait_for_events(*occupied, moment);
    } else {
      std::this_thread::yield();
    }
    moment = std::min(moment * 2, kLongestMoment);
  }
}

// Waits until the threads at the locations are in the event, but no longer than `moment`: they may
// continue elsewhere.
void Breakpoints::wait_for_events(const std::vector<threads::OccupiedLocation>& occupied,
                                  std::chrono::microseconds moment) {
  std::unique_lock lock(mutex_);
  (void)entered_.wait_for(lock, moment, [&] {
    return std::ranges::all_of(occupied, [&](const threads::OccupiedLocation& wanted) {
      const auto found = in_event_.find(wanted.location);
      return found != in_event_.end() && found->second.present >= wanted.threads;
    });
  });
}

void Breakpoints::remove_later(std::vector<CodeLocation> locations) {
  uses_.reporter.run_soon(
      [this, removed = std::move(locations)] {
        for (const CodeLocation& location : removed) {
          remove(location);
        }
        clear_removed();
      },
      false);
}

std::vector<std::pair<CodeLocation, int>> Breakpoints::remove_before_redefinition(
    std::span<const jvm::LocalRef<jclass>> types) {
  const jvm::Jni jni = uses_.env.jni();
  const auto is_in_types = [&](const CodeLocation& location) {
    const auto raw = uses_.env.get_method_declaring_class(location.method);
    const auto type = raw ? jni.adopt(*raw) : jvm::LocalRef<jclass>();
    return std::ranges::any_of(types, [&](const auto& one) { return jni.same(one, type.get()); });
  };
  std::vector<std::pair<CodeLocation, int>> removed;
  {
    const std::scoped_lock lock(mutex_);
    removed.assign(counts_.begin(), counts_.end());
  }
  MethodCodes codes(uses_.env);
  std::erase_if(removed, [&](const auto& one) {
    return !is_in_types(one.first) || is_left_to_probes(one.first) ||
           !codes.only_exceptions_lead_to(one.first);
  });
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [location, count] : removed) {
      counts_.erase(location);
      to_remove_.insert(location);
    }
  }
  // The redefinition removes the remaining breakpoints even if threads are on their way to them, so
  // try for longer than twelve rounds.
  const auto until = std::chrono::steady_clock::now() + kLongestWait;
  clear_removed();
  while (has_left(removed) && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(kLongestMoment);
    clear_removed();
  }
  return removed;
}

bool Breakpoints::has_left(std::span<const std::pair<CodeLocation, int>> removed) {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(removed,
                             [&](const auto& one) { return to_remove_.contains(one.first); });
}

void Breakpoints::restore(const std::vector<std::pair<CodeLocation, int>>& removed) {
  for (const auto& [location, count] : removed) {
    // The class is unchanged, so these breakpoints can be set again.
    if (add(location)) {
      const std::scoped_lock lock(mutex_);
      counts_[location] += count - 1;
    }
  }
}

std::vector<jlocation> Breakpoints::indices_in(jmethodID method) {
  std::vector<jlocation> indices;
  const std::scoped_lock lock(mutex_);
  for (const auto& [location, count] : counts_) {
    if (location.method == method) {
      indices.push_back(location.index);
    }
  }
  return indices;
}

std::optional<Breakpoints::Methods> Breakpoints::methods_since(std::uint64_t moment) {
  Methods found{.moment = moment_, .all = {}};
  if (found.moment == moment) {
    return std::nullopt;
  }
  std::set<jmethodID> methods;
  const std::scoped_lock lock(mutex_);
  for (const auto& [location, count] : counts_) {
    methods.insert(location.method);
  }
  found.all.assign(methods.begin(), methods.end());
  return found;
}

bool Breakpoints::is_left_to_probes(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  const auto wanted = counts_.find(location);
  const auto probed = probed_.find(location);
  return wanted != counts_.end() && probed != probed_.end() && probed->second >= wanted->second;
}

void Breakpoints::leave_to_probes(std::span<const CodeLocation> locations) {
  MethodCodes codes(uses_.env);
  for (const CodeLocation& location : locations) {
    {
      const std::scoped_lock lock(mutex_);
      ++probed_[location];
      unset_.erase(location);
    }
    if (is_left_to_probes(location)) {
      const bool risky = codes.only_exceptions_lead_to(location);
      const std::scoped_lock lock(mutex_);
      clear_or_note(location, risky);
    }
  }
  clear_removed();
}

void Breakpoints::lost_probe(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  const auto found = probed_.find(location);
  if (found != probed_.end() && --found->second == 0) {
    probed_.erase(found);
  }
}

void Breakpoints::take_from_probe(const CodeLocation& location) {
  lost_probe(location);
  {
    const std::scoped_lock lock(mutex_);
    if (!counts_.contains(location)) {
      return;
    }
  }
  if (is_left_to_probes(location)) {
    return;  // others need it
  }
  {
    const std::scoped_lock lock(mutex_);
    to_remove_.erase(location);
  }
  set_unless_harmful(location);
}

std::vector<std::pair<CodeLocation, int>> Breakpoints::all_in(jclass type) {
  const jvm::Jni jni = uses_.env.jni();
  std::vector<std::pair<CodeLocation, int>> all;
  {
    const std::scoped_lock lock(mutex_);
    all.assign(counts_.begin(), counts_.end());
  }
  std::erase_if(all, [&](const auto& one) {
    const auto declaring = uses_.env.get_method_declaring_class(one.first.method);
    const auto owned = jni.adopt(declaring.value_or(nullptr));
    return !jni.same(owned, type);
  });
  return all;
}

void Breakpoints::set_again(jclass type) {
  for (const auto& [location, count] : all_in(type)) {
    // Fails if the breakpoint is already set, which is fine, and if no instruction begins there any
    // more.
    if (!is_left_to_probes(location)) {
      set_unless_harmful(location);
    }
  }
}

// --- threads in the event of a breakpoint ------------------------------------------------------

bool Breakpoints::enter_event(const CodeLocation& location) {
  std::unique_lock lock(mutex_);
  ++in_event_[location].present;
  entered_.notify_all();
  if (counts_.contains(location)) {
    return true;
  }
  clearing_ended_.wait(lock, [this] { return !is_clearing_; });
  return false;
}

void Breakpoints::leave_event(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  const auto found = in_event_.find(location);
  if (found != in_event_.end() && --found->second.present == 0 && found->second.absent == 0) {
    in_event_.erase(found);
  }
}

void Breakpoints::begin_invocation(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = in_event_.find(location); found != in_event_.end()) {
    --found->second.present;
    ++found->second.absent;
  }
}

void Breakpoints::end_invocation(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  if (const auto found = in_event_.find(location); found != in_event_.end()) {
    ++found->second.present;
    --found->second.absent;
  }
}

std::size_t Breakpoints::threads_in_event(const CodeLocation& location) {
  const std::scoped_lock lock(mutex_);
  const auto found = in_event_.find(location);
  return found == in_event_.end() ? 0 : found->second.present;
}

void Breakpoints::resumed() {
  {
    const std::scoped_lock lock(mutex_);
    if (to_remove_.empty()) {
      return;
    }
  }
  uses_.reporter.run_soon([this] { clear_removed(); }, false);
}

}  // namespace jvmdebug::agent::events
