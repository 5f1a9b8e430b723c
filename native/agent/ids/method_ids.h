// SPDX-License-Identifier: Apache-2.0
//
// Method ids. On the wire an id is the bits of a jmethodID, and JVM TI would dereference any bits,
// so each id that a client sends is first looked up among the methods of the class that the
// client names with it. Methods of a class are read once; those handed out otherwise (frames,
// events) are added. Obsolete methods travel as id 0, as from the JDK's own agent. Thread safe
// (the monitor of the object table).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"

namespace jvmdebug::agent::ids {

class MethodIds {
 public:
  MethodIds(jvm::Env& env, ObjectTable& objects) : env_(env), objects_(objects) {}

  // Converts a method to its id, 0 when the method is obsolete. `declaring` is the method's class.
  [[nodiscard]] protocol::MethodId id(jmethodID method, jclass declaring);
  // Finds the method with this id in exactly this class, else INVALID_METHODID.
  [[nodiscard]] Result<jmethodID> resolve(jclass type, protocol::MethodId id);
  // The same for a method of the class or of one of its superclasses. Interfaces are left out,
  // because a class does not inherit their static methods.
  [[nodiscard]] Result<jmethodID> resolve_static(jclass type, protocol::MethodId id);
  // The same for a method of the class or of one of its superclasses or interfaces.
  [[nodiscard]] Result<jmethodID> resolve_inherited(jclass type, protocol::MethodId id);
  // Called after a redefinition of the class.
  void forget(jclass type);
  void clear();

 private:
  struct Methods {
    bool complete = false;  // GetClassMethods was called
    std::unordered_set<jmethodID> ids;
  };

  [[nodiscard]] Result<bool> declares(jclass type, jmethodID method);
  void sweep_if_grown();

  jvm::Env& env_;
  ObjectTable& objects_;
  std::unordered_map<std::uint64_t, Methods> by_class_;
  std::size_t sweep_at_ = 256;
};

}  // namespace jvmdebug::agent::ids
