// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_follower.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "agent/threads/thread_registry.h"
#include "classfile/handler_flow.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::throws {

using threads::Tracked;

namespace {

// An exception that more methods than this have returned is not followed.
constexpr int kMostReturns = 8;

// An exception that more handlers than this throw again is not followed. In a handler with more
// ways out than this, only the throws are watched.
constexpr int kMostHandlers = 8;
constexpr std::size_t kMostExpectedExits = 24;

}  // namespace

std::optional<std::size_t> ThrowFollower::follow(const jvm::Jni& jni, jobject exception,
                                                 Stack& stack, std::size_t depth,
                                                 bool by_reflection, int returns) {
  const auto redefinitions = redefinitions_.load();
  const auto exits = exits_of(env_, jni, stack, depth, by_reflection);
  const std::size_t deepest = stack.deepest;
  if (!exits) {
    return by_reflection ? deepest : follow_argument(jni, exception, stack, depth);
  }
  const auto [requested, decided_by] = outlook_.ways(jni, exception, stack, *exits);
  if (!requested) {
    const jlocation now = stack.at(exits->depth)->location;
    const Again again =
        expect_again(jni, exception, stack, exits->depth, exits->throws.value_or(now));
    return again.is_expected ? std::nullopt
                             : std::optional(std::max({deepest, decided_by, again.decided_by}));
  }
  const auto thread = env_.get_current_thread();
  const Tracked self = thread ? threads_.enter(jni, *thread) : nullptr;
  const auto frames = env_.get_frame_count(nullptr);
  if (!self || !frames) {
    return std::nullopt;
  }
  ExpectedThrow expected{
      .exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
      .method = exits->method,
      .frames = *frames - static_cast<jint>(exits->depth),
      .locations = exits->throws ? std::vector<jlocation>{*exits->throws} : exits->locations,
      .throws_next = exits->throws.has_value(),
      .returns = returns};
  if (redefinitions == redefinitions_) {
    expected_.expect(self, std::move(expected));
  }
  return std::nullopt;
}

// Follows an exception into a method that gets it as its last argument and throws it, such as a
// generic method that hides a checked exception from the compiler.
std::optional<std::size_t> ThrowFollower::follow_argument(const jvm::Jni& jni, jobject exception,
                                                          Stack& stack, std::size_t depth) {
  const auto redefinitions = redefinitions_.load();
  const std::size_t deepest = stack.deepest;
  auto passed = passed_to(env_, jni, stack, depth);
  const auto thread = env_.get_current_thread();
  if (!passed || !thread) {
    return deepest;
  }
  const ThrowOutlook::Thrown thrown =
      outlook_.thrown_at(jni, exception, stack, depth, passed->index);
  const Tracked self = threads_.enter(jni, *thread);
  const auto frames = env_.get_frame_count(nullptr);
  if (!self || !frames || !outlook_.may_be_requested(jni, thrown.occurrence, false)) {
    return std::max(deepest, thrown.decided_by);
  }
  ExpectedThrow expected{
      .exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
      .method = passed->method,
      .frames = *frames - static_cast<jint>(depth) + 1,
      .locations = std::move(passed->locations)};
  if (redefinitions == redefinitions_) {
    expected_.expect(self, std::move(expected));
  }
  return std::nullopt;
}

ThrowFollower::Again ThrowFollower::expect_again(const jvm::Jni& jni, jobject exception,
                                                 Stack& stack, std::size_t depth, jlocation index) {
  std::size_t deepest = depth;
  if (!reports_breakpoints_) {
    return {.is_expected = false, .decided_by = deepest};  // there are no breakpoints to expect it
  }
  const auto names = outlook_.tables().names_of(jni, static_cast<jthrowable>(exception));
  for (int handlers = 0; handlers < kMostHandlers; ++handlers) {
    const auto again = outlook_.tables().find_rethrow(jni, names, stack, depth, index);
    if (!again) {
      break;
    }
    const ThrowOutlook::Thrown thrown =
        outlook_.thrown_at(jni, exception, stack, again->depth, again->sites.front());
    deepest = std::max({deepest, again->depth, thrown.decided_by});
    if (outlook_.may_be_requested(jni, thrown.occurrence, true)) {
      expect_at(jni, exception, stack, *again);
      return {.is_expected = true, .decided_by = deepest};
    }
    depth = again->depth;
    index = again->sites.front();
  }
  return {.is_expected = false, .decided_by = deepest};
}

// Expects the exception where the handler throws it again, and where the method returns, after
// which nothing is expected any more.
void ThrowFollower::expect_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                              const ExceptionTables::Rethrow& again) {
  jmethodID const method = stack.at(again.depth)->method;
  const auto thread = env_.get_current_thread();
  const Tracked self = thread ? threads_.enter(jni, *thread) : nullptr;
  const auto frames = env_.get_frame_count(nullptr);
  const auto code = env_.get_bytecodes(method);
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
  expected_.expect(self,
                   {.exception = std::make_shared<jvm::GlobalRef<jobject>>(jni.global(exception)),
                    .method = method,
                    .frames = *frames - static_cast<jint>(again.depth),
                    .locations = std::move(locations)});
}

void ThrowFollower::follow_returned(const jvm::Jni& jni, jobject exception, Stack& stack,
                                    int returns) {
  if (returns < kMostReturns) {
    (void)follow(jni, exception, stack, 1, true, returns + 1);
  }
}

}  // namespace jvmdebug::agent::throws
