// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/heap_walk.h"

#include <cstddef>
#include <utility>

namespace jvmdebug::agent::jvm {
namespace {

// Tags of a walk. Classes that are counted have kFirstClass and up; an object that was counted has
// its tag turned negative, so that it is counted once although it is reached many times.
constexpr jlong kFound = 1;
constexpr jlong kTarget = 2;
constexpr jlong kTargetRefersToItself = 3;
constexpr jlong kFirstClass = 1;
constexpr jlong kCounted = -1'000'000'000'000;

struct Search {
  jint limit = 0;
  jint found = 0;

  [[nodiscard]] bool full() const { return limit != 0 && found >= limit; }
};

// JVM TI prescribes the parameters of the three callbacks.
// NOLINTBEGIN(readability-non-const-parameter)

jint JNICALL on_instance(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                         jlong /*class_tag*/, jlong /*referrer_class_tag*/, jlong /*size*/,
                         jlong* tag, jlong* /*referrer_tag*/, jint /*length*/, void* context) {
  auto* search = static_cast<Search*>(context);
  if (search->full()) {
    return JVMTI_VISIT_ABORT;
  }
  if (*tag == 0) {
    *tag = kFound;
    ++search->found;
  }
  return JVMTI_VISIT_OBJECTS;
}

jint JNICALL on_referrer(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                         jlong /*class_tag*/, jlong /*referrer_class_tag*/, jlong /*size*/,
                         jlong* tag, jlong* referrer_tag, jint /*length*/, void* context) {
  auto* search = static_cast<Search*>(context);
  if (search->full()) {
    return JVMTI_VISIT_ABORT;
  }
  if (referrer_tag == nullptr || (*tag != kTarget && *tag != kTargetRefersToItself)) {
    return JVMTI_VISIT_OBJECTS;  // from a root, or to something else
  }
  if (*referrer_tag == kTarget) {
    *referrer_tag = kTargetRefersToItself;
    ++search->found;
  } else if (*referrer_tag == 0) {
    *referrer_tag = kFound;
    ++search->found;
  }
  return JVMTI_VISIT_OBJECTS;
}

jint JNICALL on_counted(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                        jlong class_tag, jlong /*referrer_class_tag*/, jlong /*size*/, jlong* tag,
                        jlong* /*referrer_tag*/, jint /*length*/, void* context) {
  // Only objects of classes that are asked for come here, and they are tagged: a tag costs more
  // than the visit, and memory.
  if (*tag < 0) {
    return JVMTI_VISIT_OBJECTS;
  }
  *tag = *tag == 0 ? kCounted : -*tag;
  // A class that is asked for, or such a class already counted itself.
  const jlong class_number = (class_tag < 0 ? -class_tag : class_tag) - kFirstClass;
  auto& counts = *static_cast<std::vector<std::int64_t>*>(context);
  if (class_tag != 0 && static_cast<std::size_t>(class_number) < counts.size()) {
    ++counts[static_cast<std::size_t>(class_number)];
  }
  return JVMTI_VISIT_OBJECTS;
}

// NOLINTEND(readability-non-const-parameter)

jvmtiHeapCallbacks callbacks_for(jvmtiHeapReferenceCallback callback) {
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_reference_callback = callback;
  return callbacks;
}

}  // namespace

Result<HeapWalk> HeapWalk::create(const Env& env) {
  JVMDEBUG_ASSIGN(auto own, Env::create(env.vm()));
  JVMDEBUG_CHECK(own.add_capabilities({Capability::kTagObjects}));
  return HeapWalk(std::move(own));
}

Result<Buffer<jobject>> HeapWalk::instances(jclass type, jint limit) const {
  Search search{.limit = limit};
  JVMDEBUG_CHECK(env_.follow_references(0, type, nullptr, callbacks_for(on_instance), &search));
  return env_.get_objects_with_tag(kFound);
}

Result<std::vector<std::int64_t>> HeapWalk::instance_counts(std::span<const jclass> types) const {
  std::vector<std::int64_t> counts(types.size());
  std::vector<std::size_t> counted_at(types.size());  // a class given twice is counted once
  for (std::size_t index = 0; index < types.size(); ++index) {
    counted_at[index] = index;
    if (types[index] == nullptr) {
      continue;
    }
    JVMDEBUG_ASSIGN(const jlong tag, env_.get_tag(types[index]));
    if (tag != 0) {
      counted_at[index] = static_cast<std::size_t>(tag - kFirstClass);
    } else {
      JVMDEBUG_CHECK(env_.set_tag(types[index], kFirstClass + static_cast<jlong>(index)));
    }
  }
  JVMDEBUG_CHECK(env_.follow_references(JVMTI_HEAP_FILTER_CLASS_UNTAGGED, nullptr, nullptr,
                                        callbacks_for(on_counted), &counts));
  std::vector<std::int64_t> answer(types.size());
  for (std::size_t index = 0; index < types.size(); ++index) {
    answer[index] = counts[counted_at[index]];
  }
  return answer;
}

Result<Buffer<jobject>> HeapWalk::referrers(jobject object, jint limit) const {
  JVMDEBUG_CHECK(env_.set_tag(object, kTarget));
  Search search{.limit = limit};
  JVMDEBUG_CHECK(env_.follow_references(JVMTI_HEAP_FILTER_UNTAGGED, nullptr, nullptr,
                                        callbacks_for(on_referrer), &search));
  JVMDEBUG_ASSIGN(const jlong tag, env_.get_tag(object));
  if (tag == kTargetRefersToItself) {
    JVMDEBUG_CHECK(env_.set_tag(object, kFound));
  }
  return env_.get_objects_with_tag(kFound);
}

}  // namespace jvmdebug::agent::jvm
