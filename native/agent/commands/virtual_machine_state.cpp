// SPDX-License-Identifier: Apache-2.0
//
// Command set VirtualMachine, second part: capabilities, and commands that change the state of the
// VM without suspending or ending it.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/commands/generated/handlers.h"
#include "agent/events/breakpoints.h"
#include "agent/events/method_exits.h"
#include "agent/events/request_table.h"
#include "agent/jvm/strings.h"
#include "agent/probes/probe_table.h"
#include "agent/threads/stepper.h"
#include "agent/throws/throw_watch.h"

namespace jvmdebug::agent::commands::virtual_machine {

namespace wire = protocol::virtual_machine;

using jvm::Capability;

Result<wire::CapabilitiesReply> capabilities(Agent& agent,
                                             const wire::CapabilitiesRequest& /*request*/) {
  const jvm::Env& env = agent.jvmti();
  return wire::CapabilitiesReply{
      .can_watch_field_modification = env.has(Capability::kGenerateFieldModificationEvents),
      .can_watch_field_access = env.has(Capability::kGenerateFieldAccessEvents),
      .can_get_bytecodes = env.has(Capability::kGetBytecodes),
      .can_get_synthetic_attribute = env.has(Capability::kGetSyntheticAttribute),
      .can_get_owned_monitor_info = env.has(Capability::kGetOwnedMonitorInfo),
      .can_get_current_contended_monitor = env.has(Capability::kGetCurrentContendedMonitor),
      .can_get_monitor_info = env.has(Capability::kGetMonitorInfo)};
}

Result<wire::CapabilitiesNewReply> capabilities_new(
    Agent& agent, const wire::CapabilitiesNewRequest& /*request*/) {
  const jvm::Env& env = agent.jvmti();
  wire::CapabilitiesNewReply reply;
  reply.can_watch_field_modification = env.has(Capability::kGenerateFieldModificationEvents);
  reply.can_watch_field_access = env.has(Capability::kGenerateFieldAccessEvents);
  reply.can_get_bytecodes = env.has(Capability::kGetBytecodes);
  reply.can_get_synthetic_attribute = env.has(Capability::kGetSyntheticAttribute);
  reply.can_get_owned_monitor_info = env.has(Capability::kGetOwnedMonitorInfo);
  reply.can_get_current_contended_monitor = env.has(Capability::kGetCurrentContendedMonitor);
  reply.can_get_monitor_info = env.has(Capability::kGetMonitorInfo);
  reply.can_redefine_classes = env.has(Capability::kRedefineClasses);
  reply.can_add_method = false;
  reply.can_unrestrictedly_redefine_classes = false;
  reply.can_pop_frames = env.has(Capability::kPopFrame);
  reply.can_use_instance_filters = true;
  reply.can_get_source_debug_extension = env.has(Capability::kGetSourceDebugExtension);
  reply.can_request_vm_death_event = true;
  reply.can_set_default_stratum = true;
  reply.can_get_instance_info = env.has(Capability::kTagObjects);
  reply.can_request_monitor_events = env.has(Capability::kGenerateMonitorEvents);
  reply.can_get_monitor_frame_info = env.has(Capability::kGetOwnedMonitorStackDepthInfo);
  // The JDK's own agent does not claim this one, though it filters by source name.
  reply.can_use_source_name_filters = false;
  reply.can_get_constant_pool = env.has(Capability::kGetConstantPool);
  reply.can_force_early_return = env.has(Capability::kForceEarlyReturn);
  return reply;
}

Result<wire::CreateStringReply> create_string(Agent& agent,
                                              const wire::CreateStringRequest& request) {
  agent.objects().retain_known();
  const auto string = agent.jni().new_string(request.text);
  if (!string) {
    return fail(protocol::Error::kOutOfMemory);
  }
  return wire::CreateStringReply{.string = agent.objects().string_id(*string)};
}

Result<void> dispose_objects(Agent& agent, const wire::DisposeObjectsRequest& request) {
  for (const auto& released : request.requests) {
    agent.objects().dispose(released.object, released.count);
  }
  return {};
}

Result<void> redefine_classes(Agent& agent, const wire::RedefineClassesRequest& request) {
  if (request.classes.empty()) {
    return {};
  }
  std::vector<jvm::LocalRef<jclass>> types;
  std::vector<jvmtiClassDefinition> definitions;
  for (const auto& redefined : request.classes) {
    JVMDEBUG_ASSIGN(auto type, agent.objects().type(redefined.type_id));
    if (redefined.class_file.empty()) {
      return fail(protocol::Error::kInvalidClassFormat);
    }
    definitions.push_back({.klass = type,
                           .class_byte_count = static_cast<jint>(redefined.class_file.size()),
                           .class_bytes = redefined.class_file.data()});
    types.push_back(std::move(type));
  }
  const auto held = agent.stepper().before_redefinition();
  const auto removed = agent.breakpoints().remove_before_redefinition(types);
  agent.probes().redefinitions().begin(definitions);
  const auto redefined = [&] {
    const events::Breakpoints::Redefining redefining(agent.breakpoints());
    return agent.probes().redefinitions().redefine(definitions);
  }();
  agent.probes().redefinitions().end(definitions, redefined.has_value());
  if (redefined) {
    for (const auto& type : types) {
      agent.method_ids().forget(type);
      agent.requests().drop_breakpoints_in(type);
      agent.method_exits().redefined(type);
    }
    agent.throw_watch().classes_redefined();
  } else {
    agent.breakpoints().restore(removed);
  }
  agent.stepper().after_redefinition(held);
  JVMDEBUG_CHECK(redefined);
  return {};
}

Result<void> set_default_stratum(Agent& agent, const wire::SetDefaultStratumRequest& request) {
  agent.stepper().set_default_stratum(jvm::modified_from_utf8(request.stratum_id));
  return {};
}

}  // namespace jvmdebug::agent::commands::virtual_machine
