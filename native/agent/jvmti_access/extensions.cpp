// SPDX-License-Identifier: Apache-2.0
#include "agent/jvmti_access/extensions.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "agent/jvm/buffer.h"

namespace jvmdebug::agent::jvmti_access {
namespace {

using jvm::Buffer;
using jvm::ModifiedUtf8;

// The VM has allocated each piece separately; all have to be freed.
std::vector<ExtensionParameter> take_parameters(jvmtiEnv* env, jint count,
                                                jvmtiParamInfo* parameters) {
  std::vector<ExtensionParameter> taken;
  for (const jvmtiParamInfo& one :
       Buffer<jvmtiParamInfo>(env, parameters, static_cast<std::size_t>(count))) {
    taken.push_back({.name = ModifiedUtf8(env, one.name).utf8(),
                     .kind = one.kind,
                     .type = one.base_type,
                     .may_be_null = one.null_ok != JNI_FALSE});
  }
  return taken;
}

void add_functions(jvmtiEnv* env, std::vector<Extension>& all) {
  jint count = 0;
  jvmtiExtensionFunctionInfo* found = nullptr;
  if (env->GetExtensionFunctions(&count, &found) != JVMTI_ERROR_NONE) {
    return;
  }
  for (const auto& one :
       Buffer<jvmtiExtensionFunctionInfo>(env, found, static_cast<std::size_t>(count))) {
    const Buffer<jvmtiError> errors(env, one.errors, static_cast<std::size_t>(one.error_count));
    all.push_back({.id = ModifiedUtf8(env, one.id).utf8(),
                   .description = ModifiedUtf8(env, one.short_description).utf8(),
                   .parameters = take_parameters(env, one.param_count, one.params),
                   .function = one.func});
  }
}

void add_events(jvmtiEnv* env, std::vector<Extension>& all) {
  jint count = 0;
  jvmtiExtensionEventInfo* found = nullptr;
  if (env->GetExtensionEvents(&count, &found) != JVMTI_ERROR_NONE) {
    return;
  }
  for (const auto& one :
       Buffer<jvmtiExtensionEventInfo>(env, found, static_cast<std::size_t>(count))) {
    all.push_back({.id = ModifiedUtf8(env, one.id).utf8(),
                   .description = ModifiedUtf8(env, one.short_description).utf8(),
                   .parameters = take_parameters(env, one.param_count, one.params),
                   .function = nullptr,
                   .event = one.extension_event_index});
  }
}

bool is(const ExtensionParameter& parameter, jvmtiParamKind kind, jvmtiParamTypes type) {
  return parameter.kind == kind && parameter.type == type;
}

}  // namespace

std::vector<Extension> extensions(jvmtiEnv* env) {
  std::vector<Extension> all;
  add_functions(env, all);
  add_events(env, all);
  return all;
}

jvmtiError call_extension_function(jvmtiEnv* env, std::string_view id, jobject object,
                                   Answer& answer) {
  const auto all = extensions(env);
  const auto found = std::ranges::find(all, id, &Extension::id);
  if (found == all.end() || found->function == nullptr) {
    return JVMTI_ERROR_NOT_AVAILABLE;
  }
  const auto& parameters = found->parameters;
  if (parameters.size() == 1 && is(parameters.front(), JVMTI_KIND_OUT, JVMTI_TYPE_JBOOLEAN)) {
    jboolean truth = JNI_FALSE;
    const jvmtiError code = found->function(env, &truth);
    answer.numbers.push_back(truth);
    return code;
  }
  if (parameters.size() == 2 && is(parameters.front(), JVMTI_KIND_IN, JVMTI_TYPE_JTHREAD) &&
      is(parameters.back(), JVMTI_KIND_OUT, JVMTI_TYPE_JTHREAD)) {
    jthread thread = nullptr;
    const jvmtiError code = found->function(env, object, &thread);
    answer.objects.push_back(thread);
    return code;
  }
  return JVMTI_ERROR_NOT_AVAILABLE;
}

}  // namespace jvmdebug::agent::jvmti_access
