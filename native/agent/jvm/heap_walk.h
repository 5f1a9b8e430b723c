// SPDX-License-Identifier: Apache-2.0
//
// Searches the whole heap: instances of a class, their number, the referrers of an object. Finds
// only objects that the program can reach. Each walk has its own JVM TI environment, which ends
// with it, so its tags never mix with those of the object ids. The VM is stopped during a walk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

class HeapWalk {
 public:
  // Makes a walk; NOT_AVAILABLE or MUST_POSSESS_CAPABILITY when this VM cannot tag objects.
  static Result<HeapWalk> create(const Env& env);

  // Leaves these objects out of what the walk reports.
  [[nodiscard]] Result<void> leave_out(std::span<const LocalRef<jobject>> objects) const;

  // The virtual threads that a walk may follow; if `type` is null, all that there are.
  struct VirtualThreads {
    LocalRef<jclass> type = {};
    std::vector<LocalRef<jobject>> built = {};
  };

  // Walks in a separate environment, so the tags of `env` do not change.
  static Result<VirtualThreads> virtual_threads_to_visit(const Env& env);

  // Finds instances of exactly this class, at most `limit` (0: all). Local references.
  [[nodiscard]] Result<Buffer<jobject>> instances(jclass type, jint limit) const;

  // Instances of the classes, and with `subclasses` of all classes that are assignable to one of
  // them, in the order of the walk: their number, and those after the first `skip`. Local
  // references.
  struct Page {
    std::int64_t total = 0;
    Buffer<jobject> objects = {};  // in no order
  };

  struct PageRequest {
    std::span<const jclass> types;
    bool subclasses = false;
    jint skip = 0;
    jint count = 0;
  };

  [[nodiscard]] Result<Page> page(const PageRequest& request) const;

  // Counts the instances of exactly each class; 0 for a null class.
  [[nodiscard]] Result<std::vector<std::int64_t>> instance_counts(
      std::span<const jclass> types) const;

  // Finds the objects that refer to the object directly, itself included, at most `limit` (0: all).
  [[nodiscard]] Result<Buffer<jobject>> referrers(jobject object, jint limit) const;

 private:
  explicit HeapWalk(Env env) : env_(std::move(env)) {}

  [[nodiscard]] Result<void> report_assignable(std::span<const jclass> types) const;
  [[nodiscard]] Result<void> add_tag(jobject object, jlong tag) const;
  // Returns the objects that the callback tags; it is called for objects of tagged classes only.
  [[nodiscard]] Result<Buffer<jobject>> search(jvmtiHeapReferenceCallback callback,
                                               jint limit) const;
  [[nodiscard]] Result<LocalRef<jclass>> loaded_virtual_thread() const;
  [[nodiscard]] Result<VirtualThreads> find_virtual_threads() const;
  // Called first: finds the virtual threads that the walk may follow.
  [[nodiscard]] Result<void> know_virtual_threads() const;

  Env env_;
};

}  // namespace jvmdebug::agent::jvm
