// SPDX-License-Identifier: Apache-2.0
//
// The commands of VirtualMachine that make it run or stop.
#include <chrono>
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/sender.h"
#include "agent/reply_to.h"
#include "agent/session.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::commands::virtual_machine {

namespace wire = protocol::virtual_machine;

Result<void> suspend(Agent& agent, const wire::SuspendRequest& /*request*/) {
  return agent.suspension().suspend_all();
}

Result<void> resume(Agent& agent, const wire::ResumeRequest& /*request*/) {
  return agent.suspension().resume_all();
}

void dispose(Agent& agent, const wire::DisposeRequest& /*request*/, ReplyTo reply) {
  agent.session().disconnect(std::move(reply));
}

void exit(Agent& agent, const wire::ExitRequest& request, ReplyTo reply) {
  constexpr auto kPatience = std::chrono::seconds{2};
  agent.session().end_by(std::chrono::steady_clock::now() + kPatience);
  reply.send();
  agent.exit(request.exit_code);
}

Result<void> hold_events(Agent& agent, const wire::HoldEventsRequest& /*request*/) {
  agent.sender().hold_events();
  return {};
}

Result<void> release_events(Agent& agent, const wire::ReleaseEventsRequest& /*request*/) {
  agent.sender().release_events();
  return {};
}

}  // namespace jvmdebug::agent::commands::virtual_machine
