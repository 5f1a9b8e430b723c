// SPDX-License-Identifier: Apache-2.0
#include "agent/permits.h"

#include <algorithm>

#include "codec/generated/agent.h"
#include "codec/generated/constants.h"
#include "codec/generated/event_request.h"

namespace jvmdebug::agent {
namespace {

using protocol::EventKind;

// What slows all code down needs kObserve; what is no kind needs kDebug.
Role role_for(EventKind kind) {
  switch (kind) {
    case EventKind::kSingleStep:
    case EventKind::kBreakpoint:
    case EventKind::kFramePop:
    case EventKind::kException:
    case EventKind::kUserDefined:
    case EventKind::kThreadStart:
    case EventKind::kThreadDeath:
    case EventKind::kClassPrepare:
    case EventKind::kClassUnload:
    case EventKind::kClassLoad:
    case EventKind::kExceptionCatch:
    case EventKind::kVmStart:
    case EventKind::kVmDeath:
    case EventKind::kVmDisconnected:
    case EventKind::kNearFrameExhausted:
      return Role::kReadOnly;
    case EventKind::kFieldAccess:
    case EventKind::kFieldModification:
    case EventKind::kMethodEntry:
    case EventKind::kMethodExit:
    case EventKind::kMethodExitWithReturnValue:
    case EventKind::kMonitorContendedEnter:
    case EventKind::kMonitorContendedEntered:
    case EventKind::kMonitorWait:
    case EventKind::kMonitorWaited:
      return Role::kObserve;
  }
  return Role::kDebug;
}

// The greater one of two needs.
Role both(Role one, Role other) {
  return std::min(one, other);
}

}  // namespace

Role role_needed(const commands::CommandEntry& entry, codec::Reader request) {
  using protocol::agent::ResumeWithRequest;
  using protocol::event_request::SetRequest;
  const auto is = [&entry](std::uint8_t command_set, std::uint8_t command) {
    return entry.command_set == command_set && entry.command == command;
  };
  Role needed = entry.role;
  if (is(SetRequest::kCommandSet, SetRequest::kCommand)) {
    const auto set = SetRequest::read(request);
    return set ? both(needed, role_for(set->event_kind)) : Role::kDebug;
  }
  if (is(ResumeWithRequest::kCommandSet, ResumeWithRequest::kCommand)) {
    const auto resume = ResumeWithRequest::read(request);
    if (!resume) {
      return Role::kDebug;
    }
    for (const auto& wanted : resume->wanted) {
      needed = both(needed, role_for(wanted.event_kind));
    }
  }
  return needed;
}

}  // namespace jvmdebug::agent
