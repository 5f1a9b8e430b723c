// SPDX-License-Identifier: Apache-2.0
#include "agent/events/method_exits.h"

#include <algorithm>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/code/code_versions.h"
#include "agent/code/named_method.h"
#include "agent/events/composer.h"
#include "agent/events/near_frame.h"
#include "agent/threads/thread_registry.h"
#include "classfile/instructions.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::events {

using protocol::EventKind;

char return_letter(const jvm::Env& env, jmethodID method) {
  const auto names = env.get_method_name(method);
  const std::string_view descriptor = names ? names->signature.view() : std::string_view();
  const auto close = descriptor.find(')');
  return close == std::string_view::npos ? 'V' : descriptor[close + 1];
}

bool follows_entries(const EventRequest& request) {
  return !request.names_classes && !request.exits_of;
}

// --- agent threads ---------------------------------------------------------------------------

bool MethodExits::prepare_operands() {
  uses_.code_versions.hide();
  return operands_.prepare(uses_.env, [this](std::function<void()> work) {
    constexpr const char* kName = "JDWP Operand Reader";
    return uses_.registry.own_threads().start(uses_.env.jni(), kName, std::move(work)).has_value();
  });
}

Result<void> MethodExits::arm(const Request& request) {
  const jvm::Jni jni = uses_.env.jni();
  if (!prepare_operands()) {
    return fail(protocol::Error::kNotImplemented);
  }
  {
    const std::scoped_lock lock(mutex_);
    armed_[request->id] = {.request = request, .locations = {}, .entered = {}};
  }
  ++count_;
  following_ += follows_entries(*request) ? 1 : 0;
  if (request->exits_of) {
    const auto added = add_frame(request);
    if (request->calls_of) {
      calls_.arm(request, *request->calls_of);
      return {};
    }
    if (!added) {
      disarm(*request);
    }
    return added;
  }
  if (follows_entries(*request)) {
    add_frames(jni, request);
    return {};
  }
  const auto classes = uses_.env.get_loaded_classes();
  if (!classes) {
    disarm(*request);
    return std::unexpected(classes.error());
  }
  for (auto* const raw : *classes) {
    const auto type = jni.adopt(raw);
    add_class(jni, request, type);
  }
  if (is_refused(*request)) {
    disarm(*request);
    return fail(protocol::Error::kNotImplemented);
  }
  return {};
}

bool MethodExits::is_refused(const EventRequest& request) const {
  const std::scoped_lock lock(mutex_);
  const auto armed = armed_.find(request.id);
  return armed != armed_.end() && armed->second.is_refused;
}

// Adds the code that the frame runs: a breakpoint in a version older than that would crash the VM.
Result<void> MethodExits::add_frame(const Request& request) {
  jmethodID const method = request->exits_of;
  const auto is_old = uses_.env.is_method_obsolete(method);
  if (!is_old || *is_old || !add_returns(request, method)) {
    return fail(protocol::Error::kNotImplemented);
  }
  return {};
}

// Adds the methods that were entered before. A thread that has ended has none.
void MethodExits::add_frames(const jvm::Jni& jni, const Request& request) {
  const std::vector<threads::Tracked> all =
      request->thread ? std::vector<threads::Tracked>{request->thread} : uses_.registry.tracked();
  for (const threads::Tracked& thread : all) {
    const auto count = uses_.env.get_frame_count(thread->thread);
    std::vector<jvmtiFrameInfo> frames(static_cast<std::size_t>(count.value_or(0)));
    const auto filled = uses_.env.get_stack_trace(thread->thread, 0, frames);
    frames.resize(static_cast<std::size_t>(filled.value_or(0)));
    for (const jvmtiFrameInfo& frame : frames) {
      add_entered(jni, request, frame.method);
    }
  }
}

void MethodExits::disarm(const EventRequest& request) {
  CodeLocations locations;
  calls_.disarm(request);
  {
    const std::scoped_lock lock(mutex_);
    const auto found = armed_.find(request.id);
    if (found == armed_.end()) {
      return;
    }
    locations = std::move(found->second.locations);
    armed_.erase(found);
  }
  --count_;
  following_ -= follows_entries(request) ? 1 : 0;
  for (const CodeLocation& location : locations) {
    uses_.breakpoints.remove(location);
  }
}

void MethodExits::redefined(jclass type) {
  const jvm::Jni jni = uses_.env.jni();
  const auto methods = uses_.env.get_class_methods(type);
  if (count_ == 0 || !methods) {
    return;
  }
  for (const Request& request : requests()) {
    CodeLocations gone;
    {
      const std::scoped_lock lock(mutex_);
      const auto found = armed_.find(request->id);
      if (found != armed_.end()) {
        std::erase_if(found->second.locations, [&](const CodeLocation& location) {
          return std::ranges::find(*methods, location.method) != methods->end() &&
                 gone.insert(location).second;
        });
      }
    }
    for (const CodeLocation& location : gone) {
      uses_.breakpoints.remove(location);
    }
    if (!request->exits_of) {
      add_class(jni, request, type);  // there may be frames of any of its methods
    }
  }
}

// --- any thread ------------------------------------------------------------------------------

std::vector<Request> MethodExits::requests() const {
  std::vector<Request> all;
  const std::scoped_lock lock(mutex_);
  all.reserve(armed_.size());
  for (const auto& [id, armed] : armed_) {
    all.push_back(armed.request);
  }
  return all;
}

void MethodExits::class_prepared(const jvm::Jni& jni, jclass type) {
  if (count_ == 0) {
    return;
  }
  for (const Request& request : requests()) {
    if (!request->exits_of && !follows_entries(*request)) {
      add_class(jni, request, type);
    }
  }
}

bool MethodExits::names(const jvm::Jni& jni, const EventRequest& request, jclass type) const {
  const Occurrence anywhere{.kind = request.kind, .type = type};
  const threads::Tracked nobody;
  Match match(uses_.env, jni, anywhere, nobody);
  return std::ranges::all_of(request.filters, [&](const auto& filter) {
    return !filter->is_on_class() || filter->passes(match);
  });
}

// Adds the methods of a class. A class that is not prepared yet has none, and is added again later.
void MethodExits::add_class(const jvm::Jni& jni, const Request& request, jclass type) {
  if (!names(jni, *request, type)) {
    return;
  }
  const auto methods = uses_.env.get_class_methods(type);
  if (!methods) {
    return;
  }
  for (auto* const method : *methods) {
    (void)add_returns(request, method);
  }
}

// Adds a method's return instructions; false if it has none.
bool MethodExits::add_returns(const Request& request, jmethodID method) {
  const auto code = uses_.env.get_bytecodes(method);
  if (!code) {
    return false;  // native or abstract
  }
  const auto bytes = code->span();
  bool found = false;
  for (const std::size_t at : classfile::instructions(bytes)) {
    if (bytes[at] < classfile::kIreturn || bytes[at] > classfile::kReturn) {
      continue;
    }
    found |= add_return(request, {.method = method, .index = static_cast<jlocation>(at)});
  }
  return found;
}

// Lists the breakpoint only after it is set, so a thread that finds it listed need not wait for
// another thread to set it.
bool MethodExits::add_return(const Request& request, const CodeLocation& location) {
  const auto is_listed = [&](const auto& armed) {
    return armed == armed_.end() || armed->second.locations.contains(location);
  };
  {
    const std::scoped_lock lock(mutex_);
    if (is_listed(armed_.find(request->id))) {
      return false;
    }
  }
  if (const auto added = uses_.breakpoints.add(location); !added) {
    const std::scoped_lock lock(mutex_);
    const auto armed = armed_.find(request->id);
    if (armed != armed_.end() && added.error() == JVMTI_ERROR_NOT_AVAILABLE) {
      armed->second.is_refused = true;
    }
    return false;
  }
  {
    const std::scoped_lock lock(mutex_);
    const auto armed = armed_.find(request->id);
    if (!is_listed(armed)) {
      armed->second.locations.insert(location);
      return true;
    }
  }
  uses_.breakpoints.remove_later({location});  // already added, or the request was disarmed
  return false;
}

void MethodExits::add_entered(const jvm::Jni& jni, const Request& request, jmethodID method) {
  const auto found = [&] { return armed_.find(request->id); };
  {
    const std::scoped_lock lock(mutex_);
    if (found() == armed_.end() || found()->second.entered.contains(method)) {
      return;
    }
  }
  const auto type = code::declaring_class(uses_.env, jni, method);
  if (type && names(jni, *request, type)) {
    (void)add_returns(request, method);
  }
  const std::scoped_lock lock(mutex_);
  if (found() != armed_.end()) {
    found()->second.entered.insert(method);
  }
}

// --- on the thread itself --------------------------------------------------------------------

bool MethodExits::is_wanted(const CodeLocation& location) const {
  const std::scoped_lock lock(mutex_);
  return std::ranges::any_of(
      armed_, [&](const auto& each) { return each.second.locations.contains(location); });
}

// Checked before the value is read, which takes some microseconds.
bool MethodExits::is_wanted_by(EventKind kind, const threads::Tracked& self) const {
  const RequestList all = uses_.requests.of(kind);
  return all && std::ranges::any_of(*all, [&](const Request& request) {
           return request->active && (!request->thread || request->thread == self);
         });
}

void MethodExits::arrived(const jvm::Jni& jni, const Occurrence& here) {
  if (const Request request = calls_.arrived(jni, here)) {
    (void)add_returns(request, here.method);
  }
}

// Does nothing on threads of the agent: one may be in the middle of a change of classes, for which
// setting a breakpoint would wait.
void MethodExits::entered(const jvm::Jni& jni, jthread thread, jmethodID method) {
  if (!follows_any()) {
    return;
  }
  const auto self = uses_.registry.enter(jni, thread);
  if (!self) {
    return;
  }
  for (const Request& request : requests()) {
    if (follows_entries(*request) && (!request->thread || request->thread == self)) {
      add_entered(jni, request, method);
    }
  }
}

void MethodExits::at_breakpoint(const jvm::Jni& jni, const Occurrence& breakpoint) {
  if (count_ == 0 || !is_wanted({.method = breakpoint.method, .index = breakpoint.index})) {
    return;
  }
  const auto self = uses_.registry.current();
  if (forced_.contains(self)) {
    return;  // it returns another value, which is reported when the event is left
  }
  const bool with_value = is_wanted_by(EventKind::kMethodExitWithReturnValue, self);
  if ((!with_value && !is_wanted_by(EventKind::kMethodExit, self)) ||
      uses_.composer.may_skip_exit(jni, breakpoint.thread, breakpoint.method)) {
    return;
  }
  Occurrence exit{.kind = EventKind::kMethodExit,
                  .thread = breakpoint.thread,
                  .method = breakpoint.method,
                  .index = breakpoint.index};
  const char type = return_letter(uses_.env, breakpoint.method);
  exit.value.type = 'V';
  if (with_value && type != 'V') {
    const auto value = operands_.topmost(jni, type);
    if (!value) {
      return;
    }
    exit.value = {.type = type, .value = *value};
  }
  uses_.composer.take(jni, exit);
  if (exit.value.is_reference()) {
    jni->DeleteLocalRef(exit.value.value.l);
  }
}

}  // namespace jvmdebug::agent::events
