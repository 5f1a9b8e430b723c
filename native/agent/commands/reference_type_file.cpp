// SPDX-License-Identifier: Apache-2.0
//
// Command set ReferenceType, second part: the contents of the class file, nested types and
// instances.
#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/own_objects.h"
#include "agent/ids/locations.h"
#include "agent/jvm/heap_walk.h"

namespace jvmdebug::agent::commands::reference_type {

namespace wire = protocol::reference_type;

namespace {

// Whether `candidate` is named as a direct member or local class of `outer`: Outer$Inner or
// Outer$1Local, but not the anonymous Outer$1 nor Outer$Inner$Deeper. Both are signatures; Scala's
// older `#` counts as `$`.
bool is_nested(std::string_view outer, std::string_view candidate) {
  const std::string_view prefix = outer.substr(0, outer.size() - 1);  // without ';'
  if (outer.front() != 'L' || !candidate.starts_with(prefix) ||
      candidate.size() <= prefix.size() + 1) {
    return false;
  }
  const char separator = candidate[prefix.size()];
  if (separator != '$' && separator != '#') {
    return false;
  }
  std::string_view inner = candidate.substr(prefix.size() + 1);
  const auto is_digit = [](unsigned char unit) { return std::isdigit(unit) != 0; };
  inner.remove_prefix(
      static_cast<std::size_t>(std::ranges::find_if_not(inner, is_digit) - inner.begin()));
  return inner != ";" && inner.find(separator) == std::string_view::npos;
}

}  // namespace

Result<wire::SourceFileReply> source_file(Agent& agent, const wire::SourceFileRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto name, agent.jvmti().get_source_file_name(type));
  return wire::SourceFileReply{.source_file = name.utf8()};
}

Result<wire::SourceDebugExtensionReply> source_debug_extension(
    Agent& agent, const wire::SourceDebugExtensionRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto text, agent.jvmti().get_source_debug_extension(type));
  return wire::SourceDebugExtensionReply{.extension = text.utf8()};
}

Result<wire::ClassFileVersionReply> class_file_version(
    Agent& agent, const wire::ClassFileVersionRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto version, agent.jvmti().get_class_version_numbers(type));
  return wire::ClassFileVersionReply{.major_version = version.major,
                                     .minor_version = version.minor};
}

Result<wire::ConstantPoolReply> constant_pool(Agent& agent,
                                              const wire::ConstantPoolRequest& request) {
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto pool, agent.jvmti().get_constant_pool(type));
  return wire::ConstantPoolReply{.count = pool.entry_count,
                                 .constants = {pool.bytes.begin(), pool.bytes.end()}};
}

Result<wire::NestedTypesReply> nested_types(Agent& agent, const wire::NestedTypesRequest& request) {
  const jvm::Env& env = agent.jvmti();
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto outer, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto outer_names, env.get_class_signature(outer));
  JVMDEBUG_ASSIGN(auto* const loader, env.get_class_loader(outer));
  JVMDEBUG_ASSIGN(const auto candidates, env.get_class_loader_classes(loader));
  wire::NestedTypesReply reply;
  for (auto* const raw : candidates) {
    const auto candidate = jni.adopt(raw);
    JVMDEBUG_ASSIGN(const auto names, env.get_class_signature(candidate));
    if (is_nested(outer_names.signature.view(), names.signature.view())) {
      reply.classes.push_back({.type_tag = ids::type_tag(env, candidate),
                               .type_id = agent.objects().type_id(candidate)});
    }
  }
  return reply;
}

Result<wire::InstancesReply> instances(Agent& agent, const wire::InstancesRequest& request) {
  if (request.max_instances < 0) {
    return fail(protocol::Error::kIllegalArgument);
  }
  if (request.type_id.is_null()) {
    return fail(protocol::Error::kInvalidObject);  // not INVALID_CLASS, as from the JDK's own
  }
  JVMDEBUG_ASSIGN(const auto type, agent.objects().type(request.type_id));
  JVMDEBUG_ASSIGN(const auto walk, walk_of_program(agent));
  JVMDEBUG_ASSIGN(const auto found, walk.instances(type, request.max_instances));
  wire::InstancesReply reply;
  reply.instances.reserve(found.size());
  for (auto* const instance : found) {
    reply.instances.push_back(agent.objects().tagged_id(instance));
  }
  return reply;
}

}  // namespace jvmdebug::agent::commands::reference_type
