// SPDX-License-Identifier: Apache-2.0
//
// Command set EventRequest.
#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/request_table.h"

namespace jvmdebug::agent::commands::event_request {

namespace wire = protocol::event_request;

Result<wire::SetReply> set(Agent& agent, const wire::SetRequest& request) {
  JVMDEBUG_ASSIGN(const auto id, agent.requests().add(request.event_kind, request.suspend_policy,
                                                      request.modifiers));
  return wire::SetReply{.request_id = id};
}

Result<void> clear(Agent& agent, const wire::ClearRequest& request) {
  return agent.requests().clear(request.event_kind, request.request_id);
}

Result<void> clear_all_breakpoints(Agent& agent,
                                   const wire::ClearAllBreakpointsRequest& /*request*/) {
  agent.requests().clear_all(protocol::EventKind::kBreakpoint);
  return {};
}

}  // namespace jvmdebug::agent::commands::event_request
