// SPDX-License-Identifier: Apache-2.0
//
// The loaded classes as a heap dump needs them: names, superclasses, and where each field of an
// instance stands in its record, by the index that JVM TI gives a field in a walk. Tags the classes
// in the environment of the walk: class number plus one. Made before a walk, used in its callbacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::heap {

struct FieldLayout {
  std::string name;
  char type = 'L';  // the first letter of its signature
  bool is_static = false;
  std::uint32_t place = 0;  // of a static one its number; of others the offset among its class'
};

struct ClassLayout {
  std::string signature;  // as JNI has it
  jlong super_tag = 0;
  std::vector<FieldLayout> fields;    // declared here
  std::size_t first_index = 0;        // of the first of them in a walk
  std::vector<jlong> interface_tags;  // all of them, inherited ones too
  std::uint32_t record_size = 0;      // of an instance: fields of superclasses too
  std::uint32_t static_count = 0;
  bool is_object_array = false;
  bool is_array = false;
  // Filled during the walk.
  std::vector<std::uint64_t> static_values;  // ids, or bits of a primitive value
  std::uint64_t loader = 0;
};

// Bytes that a value of the type takes in a dump.
[[nodiscard]] std::uint32_t size_in_dump(char type);

class ClassLayouts {
 public:
  [[nodiscard]] static jvm::Result<ClassLayouts> create(const jvm::Env& env);

  [[nodiscard]] const std::vector<ClassLayout>& all() const { return classes_; }

  // Null when the tag is that of no class: one that was loaded since.
  [[nodiscard]] ClassLayout* with_tag(jlong tag) {
    return tag > 0 && static_cast<std::size_t>(tag) <= classes_.size()
               ? &classes_[static_cast<std::size_t>(tag) - 1]
               : nullptr;
  }

  struct FoundField {
    char type = 'L';
    std::uint32_t place = 0;  // of a static one its number; of others the offset in the record
  };

  // The field of an instance, or a static one, by the index of JVM TI. Type 0 for none.
  [[nodiscard]] FoundField field(const ClassLayout& type, std::size_t index);

  // The first tag that is no class'.
  [[nodiscard]] jlong next_tag() const { return static_cast<jlong>(classes_.size()) + 1; }

 private:
  [[nodiscard]] jvm::Result<void> describe(const jvm::Env& env, jclass type, ClassLayout& layout);
  void inherit_interfaces(std::size_t number, std::vector<bool>& done);
  void lay_out(std::size_t number, std::vector<bool>& done);

  std::vector<ClassLayout> classes_;
};

}  // namespace jvmdebug::agent::heap
