// SPDX-License-Identifier: Apache-2.0
//
// The loaded classes as a heap dump needs them: names, superclasses, and the place of each field in
// the record of an instance, by the index that JVM TI gives the field in a walk. Tags the classes
// in the environment of the walk with the class number plus one. Made before a walk, used in its
// callbacks.
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
  std::uint32_t place = 0;  // static: its number; else the offset among those of its class
};

struct ClassLayout {
  std::string signature;  // in the form of JNI
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

// The size of a value of the type in a dump, in bytes.
[[nodiscard]] std::uint32_t size_in_dump(char type);

class ClassLayouts {
 public:
  [[nodiscard]] static jvm::Result<ClassLayouts> create(const jvm::Env& env);

  [[nodiscard]] const std::vector<ClassLayout>& all() const { return classes_; }

  // Finds a class by tag; null if it has none, because it was loaded later.
  [[nodiscard]] ClassLayout* with_tag(jlong tag) {
    return tag > 0 && static_cast<std::size_t>(tag) <= classes_.size()
               ? &classes_[static_cast<std::size_t>(tag) - 1]
               : nullptr;
  }

  struct FoundField {
    char type = 'L';
    std::uint32_t place = 0;  // static: its number; else the offset in the record
  };

  // Finds an instance field or a static field by the index of JVM TI. Its type is 0 if there is
  // none.
  [[nodiscard]] FoundField field(const ClassLayout& type, std::size_t index);

  // The first tag that is not used for a class.
  [[nodiscard]] jlong next_tag() const { return static_cast<jlong>(classes_.size()) + 1; }

 private:
  [[nodiscard]] jvm::Result<void> describe(const jvm::Env& env, jclass type, ClassLayout& layout);
  void inherit_interfaces(std::size_t number, std::vector<bool>& done);
  void lay_out(std::size_t number, std::vector<bool>& done);

  std::vector<ClassLayout> classes_;
};

}  // namespace jvmdebug::agent::heap
