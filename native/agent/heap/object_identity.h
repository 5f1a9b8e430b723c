// SPDX-License-Identifier: Apache-2.0
//
// What an object is called within one walk of the heap. Objects that were tagged before are called
// by their tags. The others would need a tag as well, which takes ten times as long as the walk and
// memory in the program; HotSpot, though, calls back with a pointer to the tag inside a structure
// that has the object itself two words before. Whether it does is found out by a small walk over
// known objects (find_addresses), each time; where it does not, or the object is not what the
// address says, or the option vmreads=n forbids to look, objects are tagged. An address is a name
// until the VM goes on, not to be followed.
#pragma once

#include <cstdint>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::heap {

class ObjectIdentity {
 public:
  // Tags below `first_tag` were given before.
  ObjectIdentity(bool has_addresses, jlong first_tag)
      : has_addresses_(has_addresses), next_tag_(first_tag) {}

  // Whether callbacks of this VM lead to the object. Makes an array.
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

  // The name of the object that refers to the one whose tag is `tag`.
  [[nodiscard]] std::uint64_t of_referrer(jlong* referrer_tag, jlong* tag) {
    if (*referrer_tag == 0 && has_addresses_) {
      return static_cast<std::uint64_t>(referrer_tag == tag ? tag[kObject]
                                                            : referrer_tag[kReferrer]);
    }
    return of(referrer_tag);
  }

  // Below any address.
  [[nodiscard]] static std::uint64_t of_tag(jlong tag) {
    constexpr std::uint64_t kStep = 8;
    return static_cast<std::uint64_t>(tag) * kStep;
  }

  [[nodiscard]] bool has_addresses() const { return has_addresses_; }

 private:
  // Offsets in words from the tag. Before that of an object stand its size and the object, before
  // that of the referrer the referrer.
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
