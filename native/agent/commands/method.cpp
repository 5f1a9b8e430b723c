// SPDX-License-Identifier: Apache-2.0
//
// Command set Method.
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/ids/method_ids.h"

namespace jvmdebug::agent::commands::method {

namespace wire = protocol::method;

namespace {

Result<jmethodID> find(Agent& agent, protocol::ReferenceTypeId type_id, protocol::MethodId id) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(type_id));
  return agent.method_ids().resolve(type, id);
}

struct Variables {
  jint argument_slots = 0;
  std::vector<jvm::LocalVariableEntry> entries;
};

Result<Variables> variables_of(Agent& agent, protocol::ReferenceTypeId type_id,
                               protocol::MethodId id) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(auto* const method, find(agent, type_id, id));
  JVMDEBUG_ASSIGN(const bool native, env.is_method_native(method));
  if (native) {
    return fail(protocol::Error::kNativeMethod);
  }
  JVMDEBUG_ASSIGN(const jint argument_slots, env.get_arguments_size(method));
  JVMDEBUG_ASSIGN(auto entries, env.get_local_variable_table(method));
  return Variables{argument_slots, std::move(entries)};
}

}  // namespace

Result<wire::LineTableReply> line_table(Agent& agent, const wire::LineTableRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(auto* const method, find(agent, request.type_id, request.method_id));
  JVMDEBUG_ASSIGN(const bool native, env.is_method_native(method));
  if (native) {
    return fail(protocol::Error::kNativeMethod);
  }
  JVMDEBUG_ASSIGN(const auto extent, env.get_method_location(method));
  wire::LineTableReply reply{.start = extent.first, .end = extent.last, .lines = {}};
  const auto table = env.get_line_number_table(method);
  if (!table) {
    if (table.error() == JVMTI_ERROR_ABSENT_INFORMATION) {
      return reply;  // the extent is useful by itself
    }
    return fail(table.error());
  }
  reply.lines.reserve(table->size());
  for (const jvmtiLineNumberEntry& entry : *table) {
    reply.lines.push_back({.index = entry.start_location, .line = entry.line_number});
  }
  return reply;
}

Result<wire::VariableTableReply> variable_table(Agent& agent,
                                                const wire::VariableTableRequest& request) {
  JVMDEBUG_ASSIGN(const auto found, variables_of(agent, request.type_id, request.method_id));
  wire::VariableTableReply reply{.argument_slots = found.argument_slots, .variables = {}};
  reply.variables.reserve(found.entries.size());
  for (const jvm::LocalVariableEntry& entry : found.entries) {
    reply.variables.push_back({.start = entry.start,
                               .name = entry.names.name.utf8(),
                               .signature = entry.names.signature.utf8(),
                               .length = entry.length,
                               .slot = entry.slot});
  }
  return reply;
}

Result<wire::VariableTableWithGenericReply> variable_table_with_generic(
    Agent& agent, const wire::VariableTableWithGenericRequest& request) {
  JVMDEBUG_ASSIGN(const auto found, variables_of(agent, request.type_id, request.method_id));
  wire::VariableTableWithGenericReply reply{.argument_slots = found.argument_slots,
                                            .variables = {}};
  reply.variables.reserve(found.entries.size());
  for (const jvm::LocalVariableEntry& entry : found.entries) {
    reply.variables.push_back({.start = entry.start,
                               .name = entry.names.name.utf8(),
                               .signature = entry.names.signature.utf8(),
                               .generic_signature = entry.names.generic.utf8(),
                               .length = entry.length,
                               .slot = entry.slot});
  }
  return reply;
}

Result<wire::BytecodesReply> bytecodes(Agent& agent, const wire::BytecodesRequest& request) {
  const jvm::Env& env = agent.jvmti();
  JVMDEBUG_ASSIGN(auto* const method, find(agent, request.type_id, request.method_id));
  JVMDEBUG_ASSIGN(const bool native, env.is_method_native(method));
  if (native) {
    return wire::BytecodesReply{};  // no code is not an error
  }
  JVMDEBUG_ASSIGN(const auto code, env.get_bytecodes(method));
  return wire::BytecodesReply{.bytecodes = {code.begin(), code.end()}};
}

Result<wire::IsObsoleteReply> is_obsolete(Agent& agent, const wire::IsObsoleteRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  if (request.method_id.is_null()) {
    return wire::IsObsoleteReply{.is_obsolete = true};  // the id that obsolete methods have
  }
  JVMDEBUG_ASSIGN(auto* const method, agent.method_ids().resolve(type, request.method_id));
  JVMDEBUG_ASSIGN(const bool obsolete, agent.jvmti().is_method_obsolete(method));
  return wire::IsObsoleteReply{.is_obsolete = obsolete};
}

}  // namespace jvmdebug::agent::commands::method
