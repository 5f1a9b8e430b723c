// SPDX-License-Identifier: Apache-2.0
//
// Our command Agent.ClassOutline: in one reply what a debugger reads of a new class to find its
// lines. A program may load a class file again and again, and then the program waits for the
// debugger each time. The replies come from the functions of the standard commands.
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "codec/writer.h"

namespace jvmdebug::agent::commands::agent {

namespace wire = protocol::agent;

Result<wire::ClassOutlineReply> class_outline(Agent& agent,
                                              const wire::ClassOutlineRequest& request) {
  JVMDEBUG_ASSIGN(auto declared,
                  reference_type::methods_with_generic(agent, {.type_id = request.type_id}));
  wire::ClassOutlineReply reply;
  if (auto file = reference_type::source_file(agent, {.type_id = request.type_id})) {
    reply.source_file = std::move(file->source_file);
  }
  if (auto map = reference_type::source_debug_extension(agent, {.type_id = request.type_id})) {
    reply.source_map = std::move(map->extension);
  }
  reply.methods.reserve(declared.methods.size());
  for (auto& method : declared.methods) {
    codec::Writer lines;
    if (const auto table = method::line_table(
            agent, {.type_id = request.type_id, .method_id = method.method_id})) {
      table->write(lines);
    }
    reply.methods.push_back(
        {.id = std::exchange(method.method_id, protocol::MethodId{}), .lines = lines.take()});
  }
  codec::Writer content;
  declared.write(content);
  reply.declared = content.take();
  return reply;
}

}  // namespace jvmdebug::agent::commands::agent
