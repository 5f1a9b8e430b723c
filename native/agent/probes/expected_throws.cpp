// SPDX-License-Identifier: Apache-2.0
//
// ThrowWatch: exceptions that a thread holds, followed to where they are thrown or returned.
#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "agent/agent.h"
#include "agent/events/breakpoints.h"
#include "agent/events/composer.h"
#include "agent/probes/probe_table.h"
#include "agent/probes/throw_watch.h"
#include "agent/threads/thread_registry.h"
#include "classfile/handler_flow.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::probes {

using events::Occurrence;
using threads::Tracked;

namespace {

// An exception that is returned by more methods than this is not followed.
constexpr int kMostReturns = 8;

// One that is thrown again by more handlers than this is not, and handlers with more ways out are
// watched where they throw only.
constexpr int kMostHandlers = 8;
constexpr std::size_t kMostExpectedExits = 24;

// Exceptions that one thread holds and may throw.
constexpr std::size_t kMostExpected = 8;

}  // namespace

std::optional<std::size_t> ThrowWatch::follow(const jvm::Jni& jni, jobject exception, Stack& stack,
                                              std::size_t depth, bool by_reflection, int returns) {
  const auto redefinitions = redefinitions_.load();
  const auto exits = exits_of(agent_.jvmti(), jni, stack, depth, by_reflection);
  const std::size_t deepest = stack.deepest;
  if (!exits) {
    return by_reflection ? deepest : follow_argument(jni, exception, stack, depth);
  }
  const auto [requested, decided_by] = outlook(jni, exception, stack, *exits);
  if (!requested) {
    const jlocation now = stack.at(exits->depth)->location;
    const Again again =
        expect_again(jni, exception, stack, exits->depth, exits->throws.value_or(now));
    return again.is_expected ? std::nullopt
                             : std::optional(std::max({deepest, decided_by, again.decided_by}));
  }
  const auto thread = agent_.jvmti().get_current_thread();
  const Tracked self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  const auto frames = agent_.jvmti().get_frame_count(nullptr);
  if (!self || !frames) {
    return std::nullopt;
  }
  Expected expected{
      .exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
      .method = exits->method,
      .frames = *frames - static_cast<jint>(exits->depth),
      .locations = exits->throws ? std::vector<jlocation>{*exits->throws} : exits->locations,
      .throws_next = exits->throws.has_value(),
      .returns = returns};
  if (redefinitions == redefinitions_) {
    expect(self, std::move(expected));
  }
  return std::nullopt;
}

// Into a method that gets it as its last argument and throws it, a generic one that hides what it
// throws from the compiler for instance.
std::optional<std::size_t> ThrowWatch::follow_argument(const jvm::Jni& jni, jobject exception,
                                                       Stack& stack, std::size_t depth) {
  const auto redefinitions = redefinitions_.load();
  const std::size_t deepest = stack.deepest;
  auto passed = passed_to(agent_.jvmti(), jni, stack, depth);
  const auto thread = agent_.jvmti().get_current_thread();
  if (!passed || !thread) {
    return deepest;
  }
  const Thrown thrown = thrown_at(jni, exception, stack, depth, passed->index);
  const Tracked self = agent_.threads().enter(jni, *thread);
  const auto frames = agent_.jvmti().get_frame_count(nullptr);
  if (!self || !frames || !may_be_requested(jni, thrown.occurrence, false)) {
    return std::max(deepest, thrown.decided_by);
  }
  Expected expected{.exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
                    .method = passed->method,
                    .frames = *frames - static_cast<jint>(depth) + 1,
                    .locations = std::move(passed->locations)};
  if (redefinitions == redefinitions_) {
    expect(self, std::move(expected));
  }
  return std::nullopt;
}

ThrowWatch::Again ThrowWatch::expect_again(const jvm::Jni& jni, jobject exception, Stack& stack,
                                           std::size_t depth, jlocation index) {
  std::size_t deepest = depth;
  if (agent_.probes().stops_in_check()) {
    return {.is_expected = false, .decided_by = deepest};  // there are no breakpoints
  }
  const auto names = tables_->names_of(jni, static_cast<jthrowable>(exception));
  for (int handlers = 0; handlers < kMostHandlers; ++handlers) {
    const auto again = tables_->find_rethrow(jni, names, stack, depth, index);
    if (!again) {
      break;
    }
    const Thrown thrown = thrown_at(jni, exception, stack, again->depth, again->sites.front());
    deepest = std::max({deepest, again->depth, thrown.decided_by});
    if (may_be_requested(jni, thrown.occurrence, true)) {
      expect_at(jni, exception, stack, *again);
      return {.is_expected = true, .decided_by = deepest};
    }
    depth = again->depth;
    index = again->sites.front();
  }
  return {.is_expected = false, .decided_by = deepest};
}

// What the debugger runs in the thread during the stop may throw as well.
void ThrowWatch::after_report(const jvm::Jni& jni, jobject exception, std::size_t depth,
                              jlocation index) {
  if (watching_) {
    const code::LateEnvironment::Use use(*late_);
    Stack stack(agent_.jvmti());
    (void)expect_again(jni, exception, stack, depth, index);
  }
}

// Also where the method returns instead: then nothing is expected any more.
void ThrowWatch::expect_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                           const ExceptionTables::Rethrow& again) {
  jmethodID const method = stack.at(again.depth)->method;
  const auto thread = agent_.jvmti().get_current_thread();
  const Tracked self = thread ? agent_.threads().enter(jni, *thread) : nullptr;
  const auto frames = agent_.jvmti().get_frame_count(nullptr);
  const auto code = agent_.jvmti().get_bytecodes(method);
  if (!self || !frames || !code) {
    return;
  }
  std::vector<jlocation> locations = again.sites;
  for (const std::size_t at :
       classfile::reachable(code->span(), static_cast<std::size_t>(again.handler))) {
    if ((*code)[at] >= classfile::kIreturn && (*code)[at] <= classfile::kReturn) {
      locations.push_back(static_cast<jlocation>(at));
    }
  }
  if (locations.size() > kMostExpectedExits) {
    locations = again.sites;
  }
  expect(self, {.exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
                .method = method,
                .frames = *frames - static_cast<jint>(again.depth),
                .locations = std::move(locations)});
}

// What deeper frames held has gone with them.
bool ThrowWatch::expect(const Tracked& self, Expected expected) {
  forget(self, [&](const Expected& each) {
    return each.frames > expected.frames ||
           (each.frames == expected.frames && each.method != expected.method);
  });
  std::erase_if(expected.locations, [&](jlocation index) {
    const events::CodeLocation location{.method = expected.method, .index = index};
    return agent_.breakpoints().may_harm(location) || !agent_.breakpoints().add(location);
  });
  if (expected.locations.empty()) {
    return false;
  }
  std::optional<Expected> oldest;
  {
    const std::scoped_lock lock(mutex_);
    auto& all = expected_[self];
    if (all.size() >= kMostExpected) {
      oldest = std::move(all.front());
      all.erase(all.begin());
    }
    expected.number = ++last_number_;
    all.push_back(std::move(expected));
    expecting_ = expected_.size();
  }
  if (oldest) {
    remove_breakpoints(*oldest);
  }
  return true;
}

void ThrowWatch::forget(const Tracked& self, const std::function<bool(const Expected&)>& which) {
  std::vector<Expected> old;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = expected_.find(self);
    if (found == expected_.end()) {
      return;
    }
    auto& all = found->second;
    const auto gone = std::ranges::stable_partition(all, std::not_fn(which));
    old.assign(std::make_move_iterator(gone.begin()), std::make_move_iterator(gone.end()));
    all.erase(gone.begin(), gone.end());
    if (all.empty()) {
      expected_.erase(found);
    }
    expecting_ = expected_.size();
  }
  std::ranges::for_each(old, [this](const Expected& each) { remove_breakpoints(each); });
}

void ThrowWatch::remove_breakpoints(const Expected& expected) {
  std::vector<events::CodeLocation> locations;
  locations.reserve(expected.locations.size());
  for (const jlocation index : expected.locations) {
    locations.push_back({.method = expected.method, .index = index});
  }
  agent_.breakpoints().remove_later(std::move(locations));
}

std::optional<ThrowWatch::Reached> ThrowWatch::reached(const jvm::Jni& jni, const Tracked& self,
                                                       const Occurrence& occurrence) {
  std::vector<Expected> here;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = expected_.find(self);
    if (found != expected_.end()) {
      std::ranges::copy_if(found->second, std::back_inserter(here), [&](const Expected& each) {
        return each.method == occurrence.method &&
               std::ranges::find(each.locations, occurrence.index) != each.locations.end();
      });
    }
  }
  const jint frames = here.empty() ? 0 : agent_.jvmti().get_frame_count(nullptr).value_or(0);
  for (Expected& each : here | std::views::reverse) {
    if (each.frames != frames) {
      continue;
    }
    const Exit exit = each.throws_next ? Exit::kThrows
                                       : exit_at(agent_.jvmti(), jni, each.exception->get(),
                                                 occurrence.method, occurrence.index);
    if (exit != Exit::kThrowsOther) {  // that is caught perhaps, and this one still here
      forget(self, [&](const Expected& one) { return one.number == each.number; });
      return Reached{.expected = std::move(each), .exit = exit};
    }
  }
  return std::nullopt;
}

void ThrowWatch::at_breakpoint(const jvm::Jni& jni, const Occurrence& occurrence) {
  if (expecting_ == 0) {
    return;
  }
  const Tracked self = agent_.threads().current();
  const auto reached_one = self ? reached(jni, self, occurrence) : std::nullopt;
  if (!reached_one) {
    return;
  }
  const auto& [expected, exit] = *reached_one;
  const jobject exception = expected.exception->get();
  Stack stack(agent_.jvmti());
  if (exit == Exit::kThrows) {
    Occurrence thrown;
    {
      const code::LateEnvironment::Use use(*late_);
      thrown = thrown_at(jni, exception, stack, 0, occurrence.index).occurrence;
    }
    agent_.composer().take(jni, thrown);
    after_report(jni, exception, 0, occurrence.index);
  } else if (exit == Exit::kReturnsIt && expected.returns < kMostReturns) {
    const code::LateEnvironment::Use use(*late_);
    (void)follow(jni, exception, stack, 1, true, expected.returns + 1);
  }
}

void ThrowWatch::thread_ended(const Tracked& self) {
  if (expecting_ != 0) {
    forget(self, [](const Expected&) { return true; });
  }
}

}  // namespace jvmdebug::agent::probes
