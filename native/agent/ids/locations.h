// SPDX-License-Identifier: Apache-2.0
//
// Code locations between the VM and the wire: a type tag, a class, a method and a code index on one
// side, a jmethodID and a jlocation on the other.
#pragma once

#include <unordered_map>

#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "codec/values.h"

namespace jvmdebug::agent::ids {

// A location that is known to exist: the method belongs to the class and has code at the index.
struct CodeLocation {
  jvm::LocalRef<jclass> type;
  jmethodID method = nullptr;
  jlocation index = 0;
};

// Returns CLASS, INTERFACE or ARRAY.
[[nodiscard]] protocol::TypeTag type_tag(const jvm::Env& env, jclass type);

// Converts a location; a null method (no catch location) gives ids and an index of 0.
[[nodiscard]] Result<protocol::Location> location(const jvm::Env& env, ObjectTable& objects,
                                                  MethodIds& methods, jmethodID method,
                                                  jlocation index);

// Converts the locations of many frames; asks the VM only once for what the frames of one method
// share. Valid for one command, while the stack does not change.
class FrameLocations {
 public:
  FrameLocations(const jvm::Env& env, ObjectTable& objects, MethodIds& methods)
      : env_(env), objects_(objects), methods_(methods) {}

  [[nodiscard]] Result<protocol::Location> of(const jvmtiFrameInfo& frame);

 private:
  const jvm::Env& env_;
  ObjectTable& objects_;
  MethodIds& methods_;
  std::unordered_map<jmethodID, protocol::Location> known_;
};

// Finds the location that a client has sent. Errors: INVALID_CLASS, INVALID_METHODID or, for an
// index at which no instruction begins, INVALID_LOCATION.
[[nodiscard]] Result<CodeLocation> resolve(const jvm::Env& env, ObjectTable& objects,
                                           MethodIds& methods, const protocol::Location& location);

}  // namespace jvmdebug::agent::ids
