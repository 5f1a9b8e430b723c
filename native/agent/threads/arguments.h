// SPDX-License-Identifier: Apache-2.0
//
// Arguments of an invocation: checked against the method's descriptor before the VM sees them,
// because JNI does not check them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <jvmti.h>

#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "codec/result.h"
#include "codec/values.h"

namespace jvmdebug::agent::threads {

struct Descriptor {
  std::vector<std::string> parameters;  // "I", "Ljava/lang/String;", "[I"
  std::string return_type;
};

[[nodiscard]] Descriptor parse_descriptor(std::string_view descriptor);

// Returns a value as JNI has it. `object` is the object that the value names, if it names one.
[[nodiscard]] jvalue java_value(const protocol::Value& value, jobject object);

struct Arguments {
  std::vector<jvalue> values;
  std::vector<jvm::GlobalRef<jobject>> references;
};

// Checks arguments. Errors: ILLEGAL_ARGUMENT for a wrong number, TYPE_MISMATCH for a wrong type,
// INVALID_OBJECT for an object that does not exist. `declaring` is the method's class, whose loader
// resolves the type names.
[[nodiscard]] Result<Arguments> check_arguments(const jvm::Env& env, ids::ObjectTable& objects,
                                                jclass declaring, const Descriptor& descriptor,
                                                std::span<const protocol::Value> given);

}  // namespace jvmdebug::agent::threads
