// SPDX-License-Identifier: Apache-2.0
#include "agent/events/frame_calls.h"

#include <mutex>
#include <utility>

#include "agent/code/named_method.h"
#include "agent/events/composer.h"
#include "agent/events/method_exits.h"
#include "agent/threads/thread_registry.h"
#include "classfile/bytecode.h"
#include "classfile/code_flow.h"
#include "classfile/opcodes.h"

namespace jvmdebug::agent::events {

using protocol::EventKind;

// --- agent threads ---------------------------------------------------------------------------

void FrameCalls::arm(const Request& request, const StandingFrame& frame) {
  const auto calls =
      std::make_shared<Calls>(Calls{.request = request, .frame = frame, .called = nullptr});
  const std::scoped_lock lock(mutex_);
  armed_[request->id] = calls;
  count_ = static_cast<int>(armed_.size());
}

void FrameCalls::disarm(const EventRequest& request) {
  const std::scoped_lock lock(mutex_);
  armed_.erase(request.id);
  count_ = static_cast<int>(armed_.size());
}

// --- on the thread itself --------------------------------------------------------------------

// Returns the newest entry, if there are several.
std::shared_ptr<FrameCalls::Calls> FrameCalls::calls_of(const threads::Tracked& self) const {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Calls> found;
  std::int32_t newest = 0;
  for (const auto& [id, calls] : armed_) {
    if (calls->request->thread == self && id > newest) {
      newest = id;
      found = calls;
    }
  }
  return found;
}

Request FrameCalls::arrived(const jvm::Jni& jni, const Occurrence& here) {
  if (count_ == 0) {
    return nullptr;
  }
  const auto self = registry_.current();
  const auto calls = self ? calls_of(self) : nullptr;
  if (!calls) {
    return nullptr;
  }
  const jint above = env_.get_frame_count(nullptr).value_or(0) - calls->frame.count;
  if (above == 1) {
    calls->called = here.method;
    return here.kind == EventKind::kSingleStep && precedes_call(calls->frame) ? calls->request
                                                                              : nullptr;
  }
  if (above != 0 || here.method != calls->frame.method) {
    return nullptr;
  }
  const StandingFrame before = calls->frame;
  jmethodID const seen = std::exchange(calls->called, nullptr);
  calls->frame.index = here.index;
  const auto call = before.index == here.index ? std::nullopt : call_at(jni, before);
  if (call && before.index + static_cast<jlocation>(call->size) == here.index) {
    report(jni, here, method_of(jni, *call, seen));
  }
  return nullptr;
}

// Whether the operands cannot be read at this instruction: the VM does not show the arguments of a
// call instruction.
bool FrameCalls::hides_operands(jmethodID method, jlocation index) const {
  const auto code = env_.get_bytecodes(method);
  return !code || index < 0 || classfile::is_invoke(code->span(), static_cast<std::size_t>(index));
}

// Whether the result of the call is an argument of a call that follows directly.
bool FrameCalls::precedes_call(const StandingFrame& frame) const {
  const auto code = env_.get_bytecodes(frame.method);
  const auto at = static_cast<std::size_t>(frame.index);
  return code && frame.index >= 0 && classfile::is_invoke(code->span(), at) &&
         classfile::is_invoke(code->span(), at + classfile::instruction_size(code->span(), at));
}

std::optional<FrameCalls::Call> FrameCalls::call_at(const jvm::Jni& jni,
                                                    const StandingFrame& frame) const {
  const auto code = env_.get_bytecodes(frame.method);
  const auto at = static_cast<std::size_t>(frame.index);
  if (!code || frame.index < 0 || !classfile::is_invoke(code->span(), at)) {
    return std::nullopt;
  }
  const auto type = code::declaring_class(env_, jni, frame.method);
  auto method = type ? code::member_named(env_, type, &(*code)[at]) : std::nullopt;
  if (!method) {
    return std::nullopt;
  }
  return Call{.method = std::move(*method),
              .is_static = (*code)[at] == classfile::kInvokeStatic,
              .size = classfile::instruction_size(code->span(), at)};
}

// Returns the method that was seen, which may override the one that the instruction names. A method
// that the VM calls in between, for instance to load a class, has another name.
jmethodID FrameCalls::method_of(const jvm::Jni& jni, const Call& call, jmethodID seen) const {
  if (seen != nullptr && code::is_named(env_, seen, call.method)) {
    return seen;
  }
  // Looking up a method of an interface would initialize the interface; a method that all objects
  // have may be native, in Object.
  if (call.method.kind == classfile::Constant::kInterfaceMethod) {
    return code::declared_method(env_, jni.find_class("java/lang/Object"), call.method);
  }
  if (call.method.kind != classfile::Constant::kMethod) {
    return nullptr;  // the target of an invokedynamic has no name
  }
  const OperandReader::Unseen unseen;                           // hides the events of the lookup
  const auto type = jni.find_class(call.method.owner.c_str());  // it was called, so it is resolved
  if (!type) {
    return nullptr;
  }
  const char* const name = call.method.name.c_str();
  const char* const descriptor = call.method.descriptor.c_str();
  jmethodID const found = call.is_static ? jni->GetStaticMethodID(type, name, descriptor)
                                         : jni->GetMethodID(type, name, descriptor);
  return jni.clear_exception() ? nullptr : found;
}

void FrameCalls::report(const jvm::Jni& jni, const Occurrence& here, jmethodID method) {
  if (method == nullptr) {
    return;
  }
  const auto extent = env_.get_method_location(method);
  Occurrence exit{.kind = EventKind::kMethodExit,
                  .thread = here.thread,
                  .method = method,
                  .index = extent ? extent->first : -1};
  const char type = return_letter(env_, method);
  exit.value.type = type;
  if (type != 'V') {
    const auto value =
        hides_operands(here.method, here.index) ? std::nullopt : operands_.topmost(jni, type);
    if (!value) {
      return;
    }
    exit.value.value = *value;
  }
  composer_.take(jni, exit);
  if (exit.value.is_reference()) {
    jni->DeleteLocalRef(exit.value.value.l);
  }
}

}  // namespace jvmdebug::agent::events
