// SPDX-License-Identifier: Apache-2.0
//
// Our command Agent.Jump: a thread goes on at another instruction, see Jumper.
#include <cstdint>
#include <limits>
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/jumps/jumper.h"
#include "agent/probes/probe_table.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

Result<wire::JumpReply> jump(Agent& agent, const wire::JumpRequest& request) {
  constexpr std::int64_t kLast = std::numeric_limits<std::uint16_t>::max();
  if (!agent.jvmti().has(jvm::Capability::kPopFrame) || agent.probes().stops_in_check()) {
    return fail(protocol::Error::kNotImplemented);
  }
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.suspension().check_suspended(thread));
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(auto* const method, agent.method_ids().resolve(type, request.method_id));
  JVMDEBUG_ASSIGN(const auto here, agent.jvmti().get_frame_location(thread, 0));
  if (here.method != method || request.index < 0 || request.index > kLast) {
    return fail(protocol::Error::kIllegalArgument);
  }
  jumps::JumpSpec jump{.number = 0, .target = static_cast<std::uint16_t>(request.index)};
  jumps::JumpValues values;
  for (const auto& local : request.locals) {
    if (local.slot < 0 || local.slot > kLast) {
      return fail(protocol::Error::kInvalidSlot);
    }
    JVMDEBUG_ASSIGN(auto object, agent.objects().object_or_null(local.object));
    jump.locals.push_back({.slot = static_cast<std::uint16_t>(local.slot),
                           .type = local.type,
                           .is_parameter = local.is_parameter});
    values.objects.push_back(std::move(object));
    values.bits.push_back(local.bits);
  }
  const auto done = agent.jumper().jump(jni, thread, type, method, std::move(jump), values);
  return wire::JumpReply{.reason = done ? std::string() : done.error()};
}

}  // namespace jvmdebug::agent::commands::agent
