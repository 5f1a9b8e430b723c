// SPDX-License-Identifier: Apache-2.0
#include "agent/jvm/heap_walk.h"

#include <array>
#include <cstddef>
#include <utility>

namespace jvmdebug::agent::jvm {
namespace {

// The tags of a walk are sets of these bits. The bits above them hold the number of a counted
// class, plus one.
constexpr jlong kFound = 1;  // or counted; once, although it is reached many times
constexpr jlong kTarget = 2;
constexpr jlong kReported = 4;        // a class whose objects the walk reports
constexpr jlong kVirtualThreads = 8;  // the class of virtual threads
constexpr jlong kBuilt = 16;          // a virtual thread that may be followed
constexpr jlong kLeftOut = 32;        // an object that is not reported
constexpr jlong kLowest = 64;         // of the numbers

constexpr jlong kCandidate = -1;  // before the walk: a virtual thread

// HotSpot 21 and later reads the continuation of each virtual thread that a walk reaches, and
// crashes when the thread has none yet, because its constructor has not made it. The only
// workaround is not to follow such a thread. Threads that are made after the check are not followed
// either, because they have no tag.
jint go_on_to(jlong class_tag, jlong tag) {
  const bool half_built = (class_tag & kVirtualThreads) != 0 && (tag & kBuilt) == 0;
  return half_built ? 0 : JVMTI_VISIT_OBJECTS;
}

struct Search {
  jint limit = 0;
  jint found = 0;

  [[nodiscard]] bool full() const { return limit != 0 && found >= limit; }

  void find(jlong& tag) {
    if ((tag & kFound) == 0) {
      tag |= kFound;
      ++found;
    }
  }
};

// JVM TI prescribes the parameters of the callbacks.
// NOLINTBEGIN(readability-non-const-parameter)

jint JNICALL on_instance(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                         jlong class_tag, jlong /*referrer_class_tag*/, jlong /*size*/, jlong* tag,
                         jlong* /*referrer_tag*/, jint /*length*/, void* context) {
  auto* search = static_cast<Search*>(context);
  if (search->full()) {
    return JVMTI_VISIT_ABORT;
  }
  if ((class_tag & kReported) != 0 && (*tag & kLeftOut) == 0) {
    search->find(*tag);
  }
  return go_on_to(class_tag, *tag);
}

struct PageSearch {
  jint skip = 0;
  jint count = 0;
  std::int64_t found = 0;
};

jint JNICALL on_page(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                     jlong class_tag, jlong /*referrer_class_tag*/, jlong /*size*/, jlong* tag,
                     jlong* /*referrer_tag*/, jint /*length*/, void* context) {
  auto& search = *static_cast<PageSearch*>(context);
  if ((class_tag & kReported) != 0 && (*tag & (kFound | kLeftOut)) == 0) {
    const bool is_on_page =
        search.found >= search.skip && search.found - search.skip < search.count;
    *tag |= kFound | (is_on_page ? kLowest : 0);
    ++search.found;
  }
  return go_on_to(class_tag, *tag);
}

jint JNICALL on_referrer(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                         jlong class_tag, jlong /*referrer_class_tag*/, jlong /*size*/, jlong* tag,
                         jlong* referrer_tag, jint /*length*/, void* context) {
  auto* search = static_cast<Search*>(context);
  if (search->full()) {
    return JVMTI_VISIT_ABORT;
  }
  // Otherwise the reference comes from a root or leads to another object.
  if (referrer_tag != nullptr && (*tag & kTarget) != 0 && (*referrer_tag & kLeftOut) == 0) {
    search->find(*referrer_tag);
  }
  return go_on_to(class_tag, *tag);
}

jint JNICALL on_counted(jvmtiHeapReferenceKind /*kind*/, const jvmtiHeapReferenceInfo* /*detail*/,
                        jlong class_tag, jlong /*referrer_class_tag*/, jlong /*size*/, jlong* tag,
                        jlong* /*referrer_tag*/, jint /*length*/, void* context) {
  // Only objects of the wanted classes come here, and only they are tagged: a tag costs more time
  // than the visit, and memory.
  if ((*tag & (kFound | kLeftOut)) == 0) {
    *tag |= kFound;
    if (class_tag >= kLowest) {
      auto& counts = *static_cast<std::vector<std::int64_t>*>(context);
      ++counts[static_cast<std::size_t>(class_tag / kLowest) - 1];
    }
  }
  return go_on_to(class_tag, *tag);
}

jint JNICALL on_virtual_thread(jlong /*class_tag*/, jlong /*size*/, jlong* tag, jint /*length*/,
                               void* /*context*/) {
  *tag = kCandidate;
  return 0;
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

Result<void> HeapWalk::leave_out(std::span<const LocalRef<jobject>> objects) const {
  for (const auto& each : objects) {
    JVMDEBUG_CHECK(add_tag(each, kLeftOut));
  }
  return {};
}

Result<Buffer<jobject>> HeapWalk::instances(jclass type, jint limit) const {
  JVMDEBUG_CHECK(know_virtual_threads());
  JVMDEBUG_CHECK(add_tag(type, kReported));
  return search(on_instance, limit);
}

Result<HeapWalk::Page> HeapWalk::page(const PageRequest& request) const {
  JVMDEBUG_CHECK(know_virtual_threads());
  if (request.subclasses) {
    JVMDEBUG_CHECK(report_assignable(request.types));
  } else {
    for (jclass type : request.types) {
      JVMDEBUG_CHECK(add_tag(type, kReported));
    }
  }
  PageSearch search{.skip = request.skip, .count = request.count};
  JVMDEBUG_CHECK(env_.follow_references(JVMTI_HEAP_FILTER_CLASS_UNTAGGED, nullptr, nullptr,
                                        callbacks_for(on_page), &search));
  Page page{.total = search.found};
  if (request.count > 0 && search.found > request.skip) {
    std::vector<jlong> tags;
    for (jlong rest = 0; rest < kLowest; ++rest) {
      if ((rest & kFound) != 0) {
        tags.push_back(kLowest | rest);
      }
    }
    JVMDEBUG_ASSIGN(page.objects, env_.get_objects_with_tags(tags));
  }
  return page;
}

Result<void> HeapWalk::report_assignable(std::span<const jclass> types) const {
  const Jni jni = env_.jni();
  JVMDEBUG_ASSIGN(const auto loaded, env_.get_loaded_classes());
  Result<void> outcome;
  for (jclass each : loaded) {
    const auto owned = jni.adopt(each);
    for (jclass type : types) {
      if (outcome && jni.assignable(each, type)) {
        outcome = add_tag(each, kReported);
        break;
      }
    }
  }
  return outcome;
}

Result<std::vector<std::int64_t>> HeapWalk::instance_counts(std::span<const jclass> types) const {
  JVMDEBUG_CHECK(know_virtual_threads());
  std::vector<std::int64_t> counts(types.size());
  std::vector<std::size_t> counted_at(types.size());  // a class given twice is counted once
  for (std::size_t index = 0; index < types.size(); ++index) {
    counted_at[index] = index;
    if (types[index] == nullptr) {
      continue;
    }
    JVMDEBUG_ASSIGN(const jlong tag, env_.get_tag(types[index]));
    if (tag >= kLowest) {
      counted_at[index] = static_cast<std::size_t>(tag / kLowest) - 1;
    } else {
      JVMDEBUG_CHECK(add_tag(types[index], (static_cast<jlong>(index) + 1) * kLowest));
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
  JVMDEBUG_CHECK(know_virtual_threads());
  JVMDEBUG_CHECK(add_tag(object, kTarget));
  const auto type = env_.jni().object_class(object);
  JVMDEBUG_CHECK(add_tag(type, kReported));
  return search(on_referrer, limit);
}

Result<void> HeapWalk::add_tag(jobject object, jlong tag) const {
  JVMDEBUG_ASSIGN(const jlong before, env_.get_tag(object));
  return env_.set_tag(object, before | tag);
}

Result<Buffer<jobject>> HeapWalk::search(jvmtiHeapReferenceCallback callback, jint limit) const {
  Search search{.limit = limit};
  JVMDEBUG_CHECK(env_.follow_references(JVMTI_HEAP_FILTER_CLASS_UNTAGGED, nullptr, nullptr,
                                        callbacks_for(callback), &search));
  std::vector<jlong> tags;
  for (jlong rest = 0; rest < kLowest; ++rest) {
    if ((rest & kFound) != 0) {
      tags.push_back(rest);
    }
  }
  return env_.get_objects_with_tags(tags);
}

// Finds the class without loading it, so that the program does not notice.
Result<LocalRef<jclass>> HeapWalk::loaded_virtual_thread() const {
  const Jni jni = env_.jni();
  LocalRef<jclass> found;
  JVMDEBUG_ASSIGN(const auto classes, env_.get_class_loader_classes(nullptr));
  for (jclass loaded : classes) {
    auto type = jni.adopt(loaded);
    if (found) {
      continue;  // only releases the others
    }
    const auto signature = env_.get_class_signature_only(type);
    if (signature && signature->view() == "Ljava/lang/VirtualThread;") {
      found = std::move(type);
    }
  }
  return found;
}

Result<HeapWalk::VirtualThreads> HeapWalk::virtual_threads_to_visit(const Env& env) {
  JVMDEBUG_ASSIGN(const auto walk, create(env));
  return walk.find_virtual_threads();
}

Result<HeapWalk::VirtualThreads> HeapWalk::find_virtual_threads() const {
  const Jni jni = env_.jni();
  if (!jni.has_virtual_threads()) {
    return VirtualThreads{};
  }
  JVMDEBUG_ASSIGN(auto type, loaded_virtual_thread());
  if (!type) {
    return VirtualThreads{};  // there are none, or this VM implements them in another way
  }
  JVMDEBUG_ASSIGN(const jint status, env_.get_class_status(type));
  if ((status & JVMTI_CLASS_STATUS_INITIALIZED) == 0) {
    // No virtual thread exists yet, and the class must not be initialized by this check.
    return VirtualThreads{.type = std::move(type)};
  }
  const jfieldID continuation = jni->GetFieldID(type, "cont", "Ljdk/internal/vm/Continuation;");
  if (jni.clear_exception() || continuation == nullptr) {
    return VirtualThreads{};
  }
  jvmtiHeapCallbacks callbacks{};
  callbacks.heap_iteration_callback = on_virtual_thread;
  JVMDEBUG_CHECK(env_.iterate_through_heap(0, type, callbacks, nullptr));
  constexpr std::array kCandidates{kCandidate};
  JVMDEBUG_ASSIGN(const auto threads, env_.get_objects_with_tags(kCandidates));
  VirtualThreads found{.type = std::move(type)};
  for (jobject candidate : threads) {
    auto thread = jni.adopt(candidate);
    JVMDEBUG_CHECK(env_.set_tag(thread, 0));
    if (jni.adopt(jni->GetObjectField(thread, continuation))) {
      found.built.push_back(std::move(thread));
    }
  }
  return found;
}

Result<void> HeapWalk::know_virtual_threads() const {
  JVMDEBUG_ASSIGN(const auto found, find_virtual_threads());
  if (!found.type) {
    return {};
  }
  for (const auto& thread : found.built) {
    JVMDEBUG_CHECK(env_.set_tag(thread, kBuilt));
  }
  return add_tag(found.type, kVirtualThreads);
}

}  // namespace jvmdebug::agent::jvm
