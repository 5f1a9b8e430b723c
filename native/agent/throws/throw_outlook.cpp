// SPDX-License-Identifier: Apache-2.0
#include "agent/throws/throw_outlook.h"

#include <algorithm>

#include "agent/events/match.h"
#include "agent/events/request_table.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::throws {

using events::Occurrence;
using protocol::EventKind;
using threads::Tracked;

void ThrowOutlook::begin(const code::LateEnvironment& late) {
  tables_ = std::make_unique<ExceptionTables>(env_, late);
}

void ThrowOutlook::forget() {
  if (tables_) {
    tables_->forget();
  }
}

// Makes the event of an exception that is thrown in a frame. The class of the method and the thread
// are local references of the native method or the callback that runs.
ThrowOutlook::Thrown ThrowOutlook::thrown_at(const jvm::Jni& jni, jobject exception, Stack& stack,
                                             std::size_t depth, jlocation index) {
  Occurrence occurrence{.kind = EventKind::kException,
                        .thread = env_.get_current_thread().value_or(nullptr),
                        .method = stack.at(depth)->method,
                        .index = index,
                        .object = exception};
  const auto names = tables_->names_of(jni, static_cast<jthrowable>(exception));
  const std::size_t decided_by = tables_->find_catch(jni, names, stack, depth, occurrence);
  return {.occurrence = occurrence, .decided_by = decided_by};
}

// Asks for each place on its own: a handler around the constructor may not be around a later throw,
// and the other way round.
ThrowOutlook::Ways ThrowOutlook::ways(const jvm::Jni& jni, jobject exception, Stack& stack,
                                      const Exits& exits) {
  const jlocation now = stack.at(exits.depth)->location;
  auto [thrown, decided_by] =
      thrown_at(jni, exception, stack, exits.depth, exits.throws.value_or(now));
  if (may_be_requested(jni, thrown, exits.throws.has_value())) {
    return {.requested = true, .decided_by = decided_by};
  }
  if (exits.throws) {
    return {.requested = false, .decided_by = decided_by};
  }
  const auto names = tables_->names_of(jni, static_cast<jthrowable>(exception));
  const auto is_requested_at = [&](std::size_t depth, jlocation index) {
    thrown.method = stack.at(depth)->method;
    thrown.index = index;
    decided_by = std::max(decided_by, tables_->find_catch(jni, names, stack, depth, thrown));
    return may_be_requested(jni, thrown, false);
  };
  bool requested = std::ranges::any_of(
      exits.throwing, [&](jlocation index) { return is_requested_at(exits.depth, index); });
  if (const auto* const caller = stack.at(exits.depth + 1); exits.may_return && caller != nullptr) {
    requested = requested || is_requested_at(exits.depth + 1, caller->location);
  }
  return {.requested = requested, .decided_by = decided_by};
}

// Whether a request may match, as far as that is known. Changes no counts.
bool ThrowOutlook::may_be_requested(const jvm::Jni& jni, const Occurrence& occurrence,
                                    bool is_location_known) {
  const auto requests = requests_.of(EventKind::kException);
  if (!requests) {
    return false;
  }
  const Tracked self = threads_.current();
  events::Match match(env_, jni, occurrence, self);
  return std::ranges::any_of(*requests, [&](const events::Request& request) {
    const events::ExceptionKinds& wanted = request->thrown;
    return request->active &&
           (occurrence.catch_method != nullptr ? wanted.caught : wanted.uncaught) &&
           (!wanted.type || jni.instance_of(occurrence.object, wanted.type->get())) &&
           (!is_location_known || request->matches_type(match));
  });
}

}  // namespace jvmdebug::agent::throws
