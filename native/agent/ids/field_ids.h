// SPDX-License-Identifier: Apache-2.0
//
// Field ids. On the wire an id is the bits of a jfieldID, which mean nothing without the class: on
// HotSpot they are an offset or a pointer. So each id that a client sends is looked up among the
// fields of the class (or object's class) that comes with it, its superclasses and interfaces,
// which gives the declared type. Thread safe (the monitor of the object table).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"

namespace jvmdebug::agent::ids {

// A field that is known to exist. The caller owns the local reference `declaring`.
struct Field {
  jvm::LocalRef<jclass> declaring;
  jfieldID id = nullptr;
  std::string signature;  // "I", "Ljava/lang/String;", modified UTF-8
  bool is_static = false;
  bool is_final = false;
};

class FieldIds {
 public:
  FieldIds(jvm::Env& env, ObjectTable& objects) : env_(env), objects_(objects) {}

  [[nodiscard]] static protocol::FieldId id(jfieldID field) {
    return protocol::FieldId{reinterpret_cast<std::uintptr_t>(field)};
  }

  // Finds a field declared by exactly this class (watchpoints), else INVALID_FIELDID.
  [[nodiscard]] Result<Field> declared(jclass type, protocol::FieldId id);
  // Finds a field that the class declares or inherits, else INVALID_FIELDID.
  [[nodiscard]] Result<Field> member(jclass type, protocol::FieldId id);
  void clear();

 private:
  struct Entry {
    jfieldID id = nullptr;
    std::string signature;
    jint modifiers = 0;
  };

  using Fields = std::unordered_map<std::uint64_t, Entry>;

  // The fields of one class; empty for one that is not prepared.
  [[nodiscard]] const Fields& fields_of(jclass type);
  void sweep_if_grown();

  jvm::Env& env_;
  ObjectTable& objects_;
  std::unordered_map<std::uint64_t, Fields> by_class_;
  std::size_t sweep_at_ = 256;
};

}  // namespace jvmdebug::agent::ids
