// SPDX-License-Identifier: Apache-2.0
//
// Command sets ThreadReference (the commands that change nothing) and ThreadGroupReference.
#include <cstdint>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/ids/locations.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::commands {

namespace thread_reference {

namespace wire = protocol::thread_reference;

namespace {

// Finds a thread that is not one of the agent's own.
Result<jvm::LocalRef<jthread>> visible(Agent& agent, protocol::ThreadId id) {
  JVMDEBUG_ASSIGN(auto thread, agent.objects().thread(id));
  JVMDEBUG_CHECK(agent.threads().check_visible(thread));
  return thread;
}

Result<jvm::LocalRef<jthread>> suspended(Agent& agent, protocol::ThreadId id) {
  JVMDEBUG_ASSIGN(auto thread, agent.objects().thread(id));
  JVMDEBUG_CHECK(agent.suspension().check_suspended(thread));
  return thread;
}

protocol::ThreadStatus thread_status(jint state) {
  // JDWP has no status for a thread that was not started; the JDK's own agent sends -1.
  constexpr auto kUnknown = static_cast<protocol::ThreadStatus>(-1);
  if ((state & JVMTI_THREAD_STATE_ALIVE) == 0) {
    return (state & JVMTI_THREAD_STATE_TERMINATED) != 0 ? protocol::ThreadStatus::kZombie
                                                        : kUnknown;
  }
  if ((state & JVMTI_THREAD_STATE_SLEEPING) != 0) {
    return protocol::ThreadStatus::kSleeping;
  }
  if ((state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER) != 0) {
    return protocol::ThreadStatus::kMonitor;
  }
  if ((state & JVMTI_THREAD_STATE_WAITING) != 0) {
    return protocol::ThreadStatus::kWait;
  }
  return (state & JVMTI_THREAD_STATE_RUNNABLE) != 0 ? protocol::ThreadStatus::kRunning : kUnknown;
}

}  // namespace

Result<wire::NameReply> name(Agent& agent, const wire::NameRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, visible(agent, request.thread));
  JVMDEBUG_ASSIGN(const auto record, agent.jvmti().get_thread_info(thread));
  return wire::NameReply{.name = record.name.utf8()};
}

Result<wire::StatusReply> status(Agent& agent, const wire::StatusRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, visible(agent, request.thread));
  JVMDEBUG_ASSIGN(const jint state, agent.jvmti().get_thread_state(thread));
  const auto tracked = agent.threads().find(thread);
  const bool waits_in_java = tracked && tracked->waits_in_java;
  const bool is_suspended = (state & JVMTI_THREAD_STATE_SUSPENDED) != 0 || waits_in_java;
  // To run a method it needs a carrier, which other threads may occupy.
  const bool is_parked = waits_in_java && !tracked->is_in_native_wait;
  return wire::StatusReply{
      .thread_status = is_parked ? protocol::ThreadStatus::kWait : thread_status(state),
      .suspend_status =
          is_suspended ? protocol::SuspendStatus::kSuspended : protocol::SuspendStatus::kNone};
}

Result<wire::ThreadGroupReply> thread_group(Agent& agent, const wire::ThreadGroupRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, visible(agent, request.thread));
  JVMDEBUG_ASSIGN(const auto record, agent.jvmti().get_thread_info(thread));
  return wire::ThreadGroupReply{.group = agent.objects().thread_group_id(record.group)};
}

Result<wire::FramesReply> frames(Agent& agent, const wire::FramesRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, suspended(agent, request.thread));
  JVMDEBUG_ASSIGN(const auto found,
                  agent.frame_ids().frames(thread, request.start_frame, request.length));
  wire::FramesReply reply;
  reply.frames.reserve(found.size());
  ids::FrameLocations locations(agent.jvmti(), agent.objects(), agent.method_ids());
  if (found.empty()) {
    return reply;
  }
  const jint deepest = request.start_frame + static_cast<jint>(found.size()) - 1;
  protocol::FrameId id{agent.frame_ids().first(thread, deepest).raw +
                       static_cast<std::uint64_t>(request.start_frame)};
  for (const jvmtiFrameInfo& frame : found) {
    JVMDEBUG_ASSIGN(const auto where, locations.of(frame));
    reply.frames.push_back({.frame_id = id, .location = where});
    ++id.raw;
  }
  return reply;
}

Result<wire::FrameCountReply> frame_count(Agent& agent, const wire::FrameCountRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, suspended(agent, request.thread));
  JVMDEBUG_ASSIGN(const jint count, agent.frame_ids().count(thread));
  return wire::FrameCountReply{.frame_count = count};
}

Result<wire::OwnedMonitorsReply> owned_monitors(Agent& agent,
                                                const wire::OwnedMonitorsRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, suspended(agent, request.thread));
  JVMDEBUG_ASSIGN(const auto monitors, agent.jvmti().get_owned_monitor_info(thread));
  wire::OwnedMonitorsReply reply;
  reply.owned.reserve(monitors.size());
  for (auto* const monitor : monitors) {
    reply.owned.push_back(agent.objects().tagged_id(monitor));
  }
  return reply;
}

Result<wire::CurrentContendedMonitorReply> current_contended_monitor(
    Agent& agent, const wire::CurrentContendedMonitorRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, suspended(agent, request.thread));
  JVMDEBUG_ASSIGN(auto* const monitor, agent.jvmti().get_current_contended_monitor(thread));
  return wire::CurrentContendedMonitorReply{.monitor = agent.objects().tagged_id(monitor)};
}

Result<wire::OwnedMonitorsStackDepthInfoReply> owned_monitors_stack_depth_info(
    Agent& agent, const wire::OwnedMonitorsStackDepthInfoRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, suspended(agent, request.thread));
  JVMDEBUG_ASSIGN(const auto monitors, agent.jvmti().get_owned_monitor_stack_depth_info(thread));
  wire::OwnedMonitorsStackDepthInfoReply reply;
  reply.owned.reserve(monitors.size());
  for (const jvmtiMonitorStackDepthInfo& entry : monitors) {
    reply.owned.push_back(
        {.monitor = agent.objects().tagged_id(entry.monitor), .stack_depth = entry.stack_depth});
  }
  return reply;
}

Result<wire::IsVirtualReply> is_virtual(Agent& agent, const wire::IsVirtualRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  return wire::IsVirtualReply{.is_virtual = agent.jni().is_virtual_thread(thread)};
}

}  // namespace thread_reference

namespace thread_group_reference {

namespace wire = protocol::thread_group_reference;

Result<wire::NameReply> name(Agent& agent, const wire::NameRequest& request) {
  JVMDEBUG_ASSIGN(const auto group, agent.objects().thread_group(request.group));
  JVMDEBUG_ASSIGN(const auto record, agent.jvmti().get_thread_group_info(group));
  return wire::NameReply{.name = record.name.utf8()};
}

Result<wire::ParentReply> parent(Agent& agent, const wire::ParentRequest& request) {
  JVMDEBUG_ASSIGN(const auto group, agent.objects().thread_group(request.group));
  JVMDEBUG_ASSIGN(const auto record, agent.jvmti().get_thread_group_info(group));
  return wire::ParentReply{.parent = agent.objects().thread_group_id(record.parent)};
}

Result<wire::ChildrenReply> children(Agent& agent, const wire::ChildrenRequest& request) {
  JVMDEBUG_ASSIGN(const auto group, agent.objects().thread_group(request.group));
  JVMDEBUG_ASSIGN(const auto found, agent.jvmti().get_thread_group_children(group));
  wire::ChildrenReply reply;
  for (auto* const thread : found.threads) {
    if (!agent.threads().own_threads().contains(agent.jni(), thread)) {
      reply.threads.push_back(agent.objects().thread_id(thread));
    }
  }
  for (auto* const child : found.groups) {
    reply.groups.push_back(agent.objects().thread_group_id(child));
  }
  return reply;
}

}  // namespace thread_group_reference

}  // namespace jvmdebug::agent::commands
