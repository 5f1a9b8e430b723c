// SPDX-License-Identifier: Apache-2.0
//
// Identifies an object within one walk of the heap. Objects that were tagged before are identified
// by their tags. Tagging the others as well would take ten times as long as the walk, and memory in
// the program. HotSpot, however, calls back with a pointer to the tag inside a structure that holds
// the object itself two words before the tag. Each time, a small walk over known objects finds out
// whether it does (find_addresses). If it does not, if the object is not the one at the address, or
// if the option vmreads=n forbids reading, objects are tagged. An address identifies the object
// until the VM goes on, and must not be dereferenced.
#pragma once

#include <cstdint>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::heap {

class ObjectIdentity {
 public:
  // Tags below `first_tag` are already used.
  ObjectIdentity(bool has_addresses, jlong first_tag)
      : has_addresses_(has_addresses), next_tag_(first_tag) {}

  // Whether the callbacks of this VM give access to the object. Allocates an array.
  [[nodiscard]] static bool find_addresses(const jvm::Env& env);

  [[nodiscard]] std::uint64_t of(jlong* tag) {
    if (*tag == 0) {
      if (has_addresses_) {
        return static_cast<std::uint64_t>(tag[kObject]);
      }
      *tag = next_tag_++;
    }
    return of_tag(*tag);
  }

  // Identifies the object that refers to the one with the tag `tag`.
  [[nodiscard]] std::uint64_t of_referrer(jlong* referrer_tag, jlong* tag) {
    if (*referrer_tag == 0 && has_addresses_) {
      return static_cast<std::uint64_t>(referrer_tag == tag ? tag[kObject]
                                                            : referrer_tag[kReferrer]);
    }
    return of(referrer_tag);
  }

  // Identifies an object by its tag; the result is below any address.
  [[nodiscard]] static std::uint64_t of_tag(jlong tag) {
    constexpr std::uint64_t kStep = 8;
    return static_cast<std::uint64_t>(tag) * kStep;
  }

  [[nodiscard]] bool has_addresses() const { return has_addresses_; }

 private:
  // Offsets in words from the tag. Before the tag of an object are its size and the object; before
  // the tag of the referrer is the referrer.
  static constexpr int kObject = -2;
  static constexpr int kSize = -1;
  static constexpr int kReferrer = -1;

  struct Probe;
  static jint JNICALL on_reference(jvmtiHeapReferenceKind kind,
                                   const jvmtiHeapReferenceInfo* detail, jlong class_tag,
                                   jlong referrer_class_tag, jlong size, jlong* tag,
                                   jlong* referrer_tag, jint length, void* context);

  bool has_addresses_;
  jlong next_tag_;
};

}  // namespace jvmdebug::agent::heap
