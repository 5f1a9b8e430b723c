// SPDX-License-Identifier: Apache-2.0
//
// Our command Agent.Link: the link to this debugger is watched, see LinkWatch.
#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/session.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

Result<wire::LinkReply> link(Agent& agent, const wire::LinkRequest& request) {
  return agent.session().watch_link(request);
}

}  // namespace jvmdebug::agent::commands::agent
