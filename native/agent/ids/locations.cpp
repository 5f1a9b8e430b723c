// SPDX-License-Identifier: Apache-2.0
#include "agent/ids/locations.h"

#include <utility>

#include "classfile/bytecode.h"

namespace jvmdebug::agent::ids {

protocol::TypeTag type_tag(const jvm::Env& env, jclass type) {
  if (env.is_interface(type).value_or(false)) {
    return protocol::TypeTag::kInterface;
  }
  if (env.is_array_class(type).value_or(false)) {
    return protocol::TypeTag::kArray;
  }
  return protocol::TypeTag::kClass;
}

Result<protocol::Location> location(const jvm::Env& env, ObjectTable& objects, MethodIds& methods,
                                    jmethodID method, jlocation index) {
  if (method == nullptr) {
    return protocol::Location{};
  }
  JVMDEBUG_ASSIGN(auto* const raw, env.get_method_declaring_class(method));
  const auto type = env.jni().adopt(raw);
  return protocol::Location{type_tag(env, type), objects.type_id(type), methods.id(method, type),
                            index};
}

Result<protocol::Location> FrameLocations::of(const jvmtiFrameInfo& frame) {
  const auto found = known_.find(frame.method);
  if (found == known_.end()) {
    JVMDEBUG_ASSIGN(const auto first,
                    location(env_, objects_, methods_, frame.method, frame.location));
    known_.emplace(frame.method, first);
    return first;
  }
  protocol::Location again = found->second;
  again.index = frame.location;
  objects_.add_reference(again.type_id);
  return again;
}

Result<CodeLocation> resolve(const jvm::Env& env, ObjectTable& objects, MethodIds& methods,
                             const protocol::Location& location) {
  JVMDEBUG_ASSIGN(auto type, objects.type(location.type_id));
  JVMDEBUG_ASSIGN(auto* const method, methods.resolve(type, location.method_id));
  const auto extent = env.get_method_location(method);
  if (!extent || location.index < extent->first || location.index > extent->last) {
    return fail(protocol::Error::kInvalidLocation);
  }
  const auto code = env.get_bytecodes(method);
  if (!code || !classfile::begins_instruction(code->span(), location.index)) {
    return fail(protocol::Error::kInvalidLocation);
  }
  return CodeLocation{std::move(type), method, location.index};
}

}  // namespace jvmdebug::agent::ids
