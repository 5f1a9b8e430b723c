// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/expected_throws.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <ranges>
#include <utility>

#include "agent/events/breakpoints.h"

namespace jvmdebug::agent::throws {

using events::Occurrence;
using threads::Tracked;

namespace {

// The number of exceptions that are expected for one thread at most.
constexpr std::size_t kMostExpected = 8;

}  // namespace

// Forgets what frames above this one held, because those are gone.
bool ExpectedThrows::expect(const Tracked& self, ExpectedThrow expected) {
  forget(self, [&](const ExpectedThrow& each) {
    return each.frames > expected.frames ||
           (each.frames == expected.frames && each.method != expected.method);
  });
  std::erase_if(expected.locations, [&](jlocation index) {
    const events::CodeLocation location{.method = expected.method, .index = index};
    return breakpoints_.may_harm(location) || !breakpoints_.add(location);
  });
  if (expected.locations.empty()) {
    return false;
  }
  std::optional<ExpectedThrow> oldest;
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

void ExpectedThrows::forget(const Tracked& self,
                            const std::function<bool(const ExpectedThrow&)>& which) {
  std::vector<ExpectedThrow> old;
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
  std::ranges::for_each(old, [this](const ExpectedThrow& each) { remove_breakpoints(each); });
}

void ExpectedThrows::remove_breakpoints(const ExpectedThrow& expected) {
  std::vector<events::CodeLocation> locations;
  locations.reserve(expected.locations.size());
  for (const jlocation index : expected.locations) {
    locations.push_back({.method = expected.method, .index = index});
  }
  breakpoints_.remove_later(std::move(locations));
}

std::optional<ExpectedThrows::Reached> ExpectedThrows::reached(const jvm::Jni& jni,
                                                               const Tracked& self,
                                                               const Occurrence& occurrence) {
  std::vector<ExpectedThrow> here;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = expected_.find(self);
    if (found != expected_.end()) {
      std::ranges::copy_if(found->second, std::back_inserter(here), [&](const ExpectedThrow& each) {
        return each.method == occurrence.method &&
               std::ranges::find(each.locations, occurrence.index) != each.locations.end();
      });
    }
  }
  const jint frames = here.empty() ? 0 : env_.get_frame_count(nullptr).value_or(0);
  for (ExpectedThrow& each : here | std::views::reverse) {
    if (each.frames != frames) {
      continue;
    }
    const Exit exit = each.throws_next ? Exit::kThrows
                                       : exit_at(env_, jni, each.exception->get(),
                                                 occurrence.method, occurrence.index);
    if (exit != Exit::kThrowsOther) {  // else a handler here may catch that, and still have this
      forget(self, [&](const ExpectedThrow& one) { return one.number == each.number; });
      return Reached{.expected = std::move(each), .exit = exit};
    }
  }
  return std::nullopt;
}

// Decides by the exceptions expected there. Others than this one are forgotten, because a
// breakpoint that cannot read the thrown value takes it for the newest exception expected at its
// location.
bool ExpectedThrows::is_next(const jvm::Jni& jni, const Tracked& self, const Occurrence& thrown,
                             jint frames) {
  bool throws_next = false;
  std::vector<int> others;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = expected_.find(self);
    if (found == expected_.end()) {
      return false;
    }
    for (const ExpectedThrow& each : found->second) {
      if (each.method != thrown.method || each.frames != frames ||
          std::ranges::find(each.locations, thrown.index) == each.locations.end()) {
        continue;
      }
      if (each.throws_next && jni.same(each.exception->get(), thrown.object)) {
        throws_next = true;
      } else {
        others.push_back(each.number);
      }
    }
  }
  if (!others.empty()) {
    forget(self, [&](const ExpectedThrow& each) {
      return std::ranges::find(others, each.number) != others.end();
    });
  }
  return throws_next;
}

void ExpectedThrows::forget_all(const Tracked& self) {
  if (is_any()) {
    forget(self, [](const ExpectedThrow&) { return true; });
  }
}

void ExpectedThrows::end() {
  std::unordered_map<Tracked, std::vector<ExpectedThrow>> left;
  {
    const std::scoped_lock lock(mutex_);
    left.swap(expected_);
    expecting_ = 0;
  }
  for (const auto& [thread, all] : left) {
    std::ranges::for_each(all, [this](const ExpectedThrow& each) { remove_breakpoints(each); });
  }
}

}  // namespace jvmdebug::agent::throws
