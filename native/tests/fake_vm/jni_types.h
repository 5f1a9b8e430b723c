// SPDX-License-Identifier: Apache-2.0
//
// Shared by the parts of the fake VM's JNI table: types by their letter, and the check of stores.
#pragma once

#include <string_view>

#include "tests/fake_vm/vm.h"

namespace jvmdebug::fake {

template <class T>
inline constexpr char kLetter = 'L';
template <>
inline constexpr char kLetter<jboolean> = 'Z';
template <>
inline constexpr char kLetter<jbyte> = 'B';
template <>
inline constexpr char kLetter<jchar> = 'C';
template <>
inline constexpr char kLetter<jshort> = 'S';
template <>
inline constexpr char kLetter<jint> = 'I';
template <>
inline constexpr char kLetter<jlong> = 'J';
template <>
inline constexpr char kLetter<jfloat> = 'F';
template <>
inline constexpr char kLetter<jdouble> = 'D';

inline bool is_reference(std::string_view signature) {
  return signature.front() == 'L' || signature.front() == '[';
}

// Ends the program if an object is stored in a variable of another type, which would corrupt a
// heap.
inline void check_fits(const Entry& entry, const Object* object, const Class* type) {
  if (object != nullptr && type != nullptr && !Vm::is_subclass(object->type, type)) {
    refuse(entry.function, "an object of the wrong class for its place");
  }
}

}  // namespace jvmdebug::fake
