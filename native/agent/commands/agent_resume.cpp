// SPDX-License-Identifier: Apache-2.0
//
// Our command Agent.ResumeWith: all that a step takes, in one command. The program resumes only if
// its requests were made, as if the debugger had waited for the reply to each.
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/request_table.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

Result<wire::ResumeWithReply> resume_with(Agent& agent, const wire::ResumeWithRequest& request) {
  for (const auto& each : request.cleared) {
    JVMDEBUG_CHECK(agent.requests().clear(each.event_kind, each.request_id));
  }
  wire::ResumeWithReply reply;
  reply.made.reserve(request.wanted.size());
  const auto give_up = [&](protocol::Error error) {
    for (std::size_t i = 0; i < reply.made.size(); ++i) {
      if (reply.made[i].error == 0) {
        (void)agent.requests().clear(request.wanted[i].event_kind, reply.made[i].request_id);
      }
    }
    return fail(error);
  };
  for (const auto& each : request.wanted) {
    const auto id = agent.requests().add(each.event_kind, each.suspend_policy, each.modifiers);
    if (!id && !each.is_optional) {
      return give_up(id.error());
    }
    reply.made.push_back(
        {.request_id = id.value_or(0), .error = id ? 0 : static_cast<std::int32_t>(id.error())});
  }
  const auto resumed =
      request.thread.is_null()
          ? virtual_machine::resume(agent, {})
          : thread_reference::resume(agent, {.thread = protocol::ThreadId{request.thread.raw}});
  if (!resumed) {
    return give_up(resumed.error());
  }
  return reply;
}

}  // namespace jvmdebug::agent::commands::agent
