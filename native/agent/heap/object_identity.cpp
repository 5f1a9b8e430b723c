// SPDX-License-Identifier: Apache-2.0
#include "agent/heap/object_identity.h"

#include <cstring>

namespace jvmdebug::agent::heap {

// An array whose two elements are its element class and the array itself.
struct ObjectIdentity::Probe {
  jobject array = nullptr;
  jobject element = nullptr;
  int right = 0;
  int wrong = 0;

  static constexpr int kReferences = 2;
};

namespace {

// Returns the address of the object of a local reference, while the VM is stopped.
jlong address_of(jobject reference) {
  jlong address = 0;
  std::memcpy(&address, reinterpret_cast<const void*>(reference), sizeof address);
  return address;
}

}  // namespace

// JVM TI prescribes the parameters.
// NOLINTBEGIN(readability-non-const-parameter)
jint JNICALL ObjectIdentity::on_reference(jvmtiHeapReferenceKind kind,
                                          const jvmtiHeapReferenceInfo* detail, jlong /*class_tag*/,
                                          jlong /*referrer_class_tag*/, jlong size, jlong* tag,
                                          jlong* referrer_tag, jint /*length*/, void* context) {
  auto& probe = *static_cast<Probe*>(context);
  if (kind != JVMTI_HEAP_REFERENCE_ARRAY_ELEMENT || detail == nullptr || referrer_tag == nullptr) {
    return 0;
  }
  const bool is_itself = detail->array.index == 1;
  const jlong array = address_of(probe.array);
  const jlong object = is_itself ? array : address_of(probe.element);
  const bool is_object = tag[kObject] == object && tag[kSize] == size;
  const bool is_referrer =
      is_itself ? referrer_tag == tag : referrer_tag != tag && referrer_tag[kReferrer] == array;
  ++(is_object && is_referrer ? probe.right : probe.wrong);
  return 0;
}

// NOLINTEND(readability-non-const-parameter)

bool ObjectIdentity::find_addresses([[maybe_unused]] const jvm::Env& env) {
#if defined(__SANITIZE_ADDRESS__)
  return false;  // this function decides whether memory beside the tag can be read
#else
  const jvm::Jni jni = env.jni();
  const auto type = jni.find_class("java/lang/Object");
  if (!type) {
    return false;
  }
  const auto array = jni.adopt(jni->NewObjectArray(Probe::kReferences, type, nullptr));
  if (jni.clear_exception() || !array) {
    return false;
  }
  jni->SetObjectArrayElement(array, 0, type);
  jni->SetObjectArrayElement(array, 1, array);
  Probe probe{.array = array, .element = type};
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_reference_callback = on_reference;
  const auto walked = env.follow_references(0, nullptr, array, callbacks, &probe);
  return walked && probe.right == Probe::kReferences && probe.wrong == 0;
#endif
}

}  // namespace jvmdebug::agent::heap
