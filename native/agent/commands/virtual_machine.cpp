// SPDX-License-Identifier: Apache-2.0
//
// Command set VirtualMachine, first part: version, classes, threads and paths.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/agent.h"
#include "agent/code/code_versions.h"
#include "agent/commands/class_status.h"
#include "agent/commands/generated/handlers.h"
#include "agent/commands/own_objects.h"
#include "agent/jvm/heap_walk.h"
#include "agent/jvm/strings.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent::commands::virtual_machine {

namespace wire = protocol::virtual_machine;

namespace {

std::string property(const jvm::Jni& jni, std::string_view name) {
  return jni.system_property(name).value_or("<unknown>");
}

// Splits paths; returns at least one, as the JDK's own agent does.
std::vector<std::string> split_paths(std::string_view paths) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = paths.find(':');
    parts.emplace_back(paths.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    paths.remove_prefix(end + 1);
  }
}

// Calls `use` with each class that the VM has loaded, including those of the agent. They are not
// left out here, because only the name of a class tells that it is the agent's, and reading names
// takes most of the time.
template <class Use>
Result<void> for_each_class(Agent& agent, const Use& use) {
  const jvm::Jni jni = agent.jni();
  JVMDEBUG_ASSIGN(const auto classes, agent.jvmti().get_loaded_classes());
  for (auto* const raw : classes) {
    const auto type = jni.adopt(raw);
    use(type.get());
  }
  return {};
}

// The tag of a class; its status shows arrays without another call.
protocol::TypeTag type_tag(const jvm::Env& env, jclass type, jint status) {
  if ((status & JVMTI_CLASS_STATUS_ARRAY) != 0) {
    return protocol::TypeTag::kArray;
  }
  return env.is_interface(type).value_or(false) ? protocol::TypeTag::kInterface
                                                : protocol::TypeTag::kClass;
}

}  // namespace

Result<wire::VersionReply> version(Agent& agent, const wire::VersionRequest& /*request*/) {
  const jvm::Env& env = agent.jvmti();
  const jvm::Jni jni = agent.jni();
  const std::string feature = std::to_string(env.feature_version());
  const std::string vm_version = property(jni, "java.version");
  const std::string vm_name = property(jni, "java.vm.name");
  return wire::VersionReply{.description = "Java Debug Wire Protocol (jvmdebug) version " +
                                           feature + ".0\nJVM Debug Interface version " + feature +
                                           ".0\nJVM version " + vm_version + " (" + vm_name + ", " +
                                           property(jni, "java.vm.info") + ")",
                            .jdwp_major = env.feature_version(),
                            .jdwp_minor = 0,
                            .vm_version = vm_version,
                            .vm_name = vm_name};
}

Result<wire::ClassesBySignatureReply> classes_by_signature(
    Agent& agent, const wire::ClassesBySignatureRequest& request) {
  const jvm::Env& env = agent.jvmti();
  const std::string wanted = jvm::modified_from_utf8(request.signature);
  wire::ClassesBySignatureReply reply;
  JVMDEBUG_CHECK(for_each_class(agent, [&](jclass type) {
    const auto signature = env.get_class_signature_only(type);
    if (!signature || signature->view() != wanted ||
        agent.code_versions().hides(signature->view())) {
      return;
    }
    const jint status = env.get_class_status(type).value_or(0);
    if (is_ready(status)) {
      reply.classes.push_back({.type_tag = type_tag(env, type, status),
                               .type_id = agent.objects().type_id(type),
                               .status = class_status(status)});
    }
  }));
  return reply;
}

Result<wire::AllClassesReply> all_classes(Agent& agent,
                                          const wire::AllClassesRequest& /*request*/) {
  const jvm::Env& env = agent.jvmti();
  wire::AllClassesReply reply;
  JVMDEBUG_CHECK(for_each_class(agent, [&](jclass type) {
    const auto signature = env.get_class_signature_only(type);
    if (!signature || agent.code_versions().hides(signature->view())) {
      return;
    }
    const jint status = env.get_class_status(type).value_or(0);
    if (is_ready(status)) {
      reply.classes.push_back({.type_tag = type_tag(env, type, status),
                               .type_id = agent.objects().type_id(type),
                               .signature = signature->utf8(),
                               .status = class_status(status)});
    }
  }));
  return reply;
}

Result<wire::AllClassesWithGenericReply> all_classes_with_generic(
    Agent& agent, const wire::AllClassesWithGenericRequest& /*request*/) {
  const jvm::Env& env = agent.jvmti();
  wire::AllClassesWithGenericReply reply;
  JVMDEBUG_CHECK(for_each_class(agent, [&](jclass type) {
    const auto names = env.get_class_signature(type);
    if (!names || agent.code_versions().hides(names->signature.view())) {
      return;
    }
    const jint status = env.get_class_status(type).value_or(0);
    if (is_ready(status)) {
      reply.classes.push_back({.type_tag = type_tag(env, type, status),
                               .type_id = agent.objects().type_id(type),
                               .signature = names->signature.utf8(),
                               .generic_signature = names->generic.utf8(),
                               .status = class_status(status)});
    }
  }));
  return reply;
}

Result<wire::AllThreadsReply> all_threads(Agent& agent,
                                          const wire::AllThreadsRequest& /*request*/) {
  JVMDEBUG_ASSIGN(const auto threads, agent.threads().visible_threads(agent.jni()));
  wire::AllThreadsReply reply;
  reply.threads.reserve(threads.size());
  for (const auto& thread : threads) {
    reply.threads.push_back(agent.objects().thread_id(thread));
  }
  return reply;
}

Result<wire::TopLevelThreadGroupsReply> top_level_thread_groups(
    Agent& agent, const wire::TopLevelThreadGroupsRequest& /*request*/) {
  JVMDEBUG_ASSIGN(const auto groups, agent.jvmti().get_top_thread_groups());
  wire::TopLevelThreadGroupsReply reply;
  for (auto* const group : groups) {
    reply.groups.push_back(agent.objects().thread_group_id(group));
  }
  return reply;
}

Result<wire::AllModulesReply> all_modules(Agent& agent,
                                          const wire::AllModulesRequest& /*request*/) {
  JVMDEBUG_ASSIGN(const auto modules, agent.jvmti().get_all_modules());
  wire::AllModulesReply reply;
  reply.modules.reserve(modules.size());
  for (auto* const module : modules) {
    reply.modules.push_back(agent.objects().module_id(module));
  }
  return reply;
}

Result<wire::IDSizesReply> id_sizes(Agent& /*agent*/, const wire::IDSizesRequest& /*request*/) {
  constexpr std::int32_t kSize = sizeof(std::uint64_t);
  return wire::IDSizesReply{.field_id_size = kSize,
                            .method_id_size = kSize,
                            .object_id_size = kSize,
                            .reference_type_id_size = kSize,
                            .frame_id_size = kSize};
}

Result<wire::ClassPathsReply> class_paths(Agent& agent,
                                          const wire::ClassPathsRequest& /*request*/) {
  const jvm::Jni jni = agent.jni();
  return wire::ClassPathsReply{
      .base_directory = jni.system_property("user.dir").value_or(""),
      .class_paths = split_paths(jni.system_property("java.class.path").value_or("")),
      .boot_class_paths = {}};  // replaced by modules in JDK 9
}

Result<wire::InstanceCountsReply> instance_counts(Agent& agent,
                                                  const wire::InstanceCountsRequest& request) {
  std::vector<jvm::LocalRef<jclass>> owners;
  std::vector<jclass> types;
  for (const protocol::ReferenceTypeId id : request.types) {
    // A class that has been unloaded has no instances; that is not an error.
    owners.push_back(agent.objects().type(id).value_or(jvm::LocalRef<jclass>()));
    types.push_back(owners.back());
  }
  if (types.empty()) {
    return wire::InstanceCountsReply{};
  }
  JVMDEBUG_ASSIGN(const auto walk, walk_of_program(agent));
  JVMDEBUG_ASSIGN(auto counts, walk.instance_counts(types));
  return wire::InstanceCountsReply{.counts = std::move(counts)};
}

}  // namespace jvmdebug::agent::commands::virtual_machine
