// SPDX-License-Identifier: Apache-2.0
//
// Values between the wire and the VM's fields: reading a field, and checking and writing one. Used
// by the commands that get and set values.
#pragma once

#include <string_view>

#include "agent/agent.h"
#include "agent/ids/field_ids.h"
#include "agent/jvm/jni.h"
#include "codec/reader.h"
#include "codec/result.h"
#include "codec/values.h"

namespace jvmdebug::agent::commands {

// The tag of a declared type: the first character of its signature.
[[nodiscard]] protocol::Tag tag_of_signature(std::string_view signature);

// Reads a field; `object` is null for a static one. Null objects are tagged 'L', as from the JDK's
// own agent.
[[nodiscard]] protocol::Value read_field(Agent& agent, jobject object, const ids::Field& field);

// A value that was checked and is ready to be stored in a field.
struct FieldStore {
  ids::Field field;
  protocol::Value value;
  jvm::LocalRef<jobject> object;  // of an object value; empty for null
};

// Reads one untagged value of the field's type and checks that the field may hold it:
// INVALID_OBJECT for an unknown object, TYPE_MISMATCH for one of a wrong class.
[[nodiscard]] Result<FieldStore> read_store(Agent& agent, codec::Reader& reader, ids::Field field);

// Writes a field; `object` is null for a static one.
void write_field(const jvm::Jni& jni, jobject object, const FieldStore& store);

}  // namespace jvmdebug::agent::commands
