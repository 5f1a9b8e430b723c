// SPDX-License-Identifier: Apache-2.0
//
// Command set Origins, ours: see native/protocol/origins.toml.
#include "agent/origins/origins.h"

#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/ids/object_table.h"
#include "agent/origins/origin_stacks.h"
#include "agent/threads/suspension.h"

namespace jvmdebug::agent::commands::origins {

namespace wire = protocol::origins;

Result<void> start(Agent& agent, const wire::StartRequest& request) {
  constexpr std::int32_t kMost = 1000;
  if (request.budget < 1 || request.budget > kMost) {
    return fail(protocol::Error::kIllegalArgument);
  }
  if (!agent.options().probes) {
    return fail(protocol::Error::kNotImplemented);
  }
  const auto done = agent.origins().start(request.budget);
  return done ? Result<void>{} : fail(protocol::Error::kNotImplemented);
}

Result<wire::OfReply> of(Agent& agent, const wire::OfRequest& request) {
  JVMDEBUG_ASSIGN(const auto thread, agent.objects().thread(request.thread));
  JVMDEBUG_CHECK(agent.suspension().check_suspended(thread));
  auto& origins = agent.origins();
  origins.look_again();
  const jvm::Jni jni = agent.jni();
  const auto found =
      jvmdebug::agent::origins::origin_of(agent.jvmti(), jni, origins.table_class(), thread);
  wire::OfReply reply{.is_thinned = found.is_thinned, .links = {}};
  for (const auto& link : found.links) {
    wire::OfReply::Link made{.done = link.done, .thread = link.thread, .frames = {}};
    for (const auto& frame : link.frames) {
      made.frames.push_back({.type_id = frame.type ? agent.objects().type_id(frame.type)
                                                   : protocol::ReferenceTypeId{},
                             .class_name = frame.class_name,
                             .method = frame.method,
                             .file = frame.file,
                             .line = frame.line});
    }
    reply.links.push_back(std::move(made));
  }
  return reply;
}

Result<wire::StatusReply> status(Agent& agent, const wire::StatusRequest& /*request*/) {
  const auto& origins = agent.origins();
  const auto counts = origins.counts();
  wire::StatusReply reply{.is_running = origins.is_running(),
                          .taken = counts.taken,
                          .thinned = counts.thinned,
                          .left_out = {}};
  for (const auto& [name, why] : origins.left_out()) {
    reply.left_out.push_back({.name = name, .why = why});
  }
  return reply;
}

Result<void> stop(Agent& agent, const wire::StopRequest& /*request*/) {
  agent.origins().stop();
  return {};
}

}  // namespace jvmdebug::agent::commands::origins
