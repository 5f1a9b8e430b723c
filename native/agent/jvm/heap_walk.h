// SPDX-License-Identifier: Apache-2.0
//
// Questions to the whole heap: instances of a class, their number, who refers to an object. Only
// objects that the program can reach are seen. Each walk has a JVM TI environment of its own, so
// its tags never meet those of the object ids, and goes with it. The VM stands still during a walk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"

namespace jvmdebug::agent::jvm {

class HeapWalk {
 public:
  // NOT_AVAILABLE or MUST_POSSESS_CAPABILITY when this VM cannot tag objects.
  static Result<HeapWalk> create(const Env& env);

  // Which virtual threads a walk may go on to; without the type all, as far as there are any.
  struct VirtualThreads {
    LocalRef<jclass> type = {};
    std::vector<LocalRef<jobject>> built = {};
  };

  // Walks in an environment of its own: the tags of `env` stay as they are.
  static Result<VirtualThreads> virtual_threads_to_visit(const Env& env);

  // Instances of exactly this class, at most `limit` (0: all). Local references.
  [[nodiscard]] Result<Buffer<jobject>> instances(jclass type, jint limit) const;

  // Instances of the classes, and with `subclasses` of what can be assigned to one of them, in the
  // order of the walk: how many there are, and those behind the first `skip`. Local references.
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

  // How many instances of exactly each class there are; 0 for a null class.
  [[nodiscard]] Result<std::vector<std::int64_t>> instance_counts(
      std::span<const jclass> types) const;

  // Objects that refer to the object directly, itself included, at most `limit` (0: all).
  [[nodiscard]] Result<Buffer<jobject>> referrers(jobject object, jint limit) const;

 private:
  explicit HeapWalk(Env env) : env_(std::move(env)) {}

  [[nodiscard]] Result<void> report_assignable(std::span<const jclass> types) const;
  [[nodiscard]] Result<void> add_tag(jobject object, jlong tag) const;
  // The objects that the callback finds; it is told of objects of tagged classes only.
  [[nodiscard]] Result<Buffer<jobject>> search(jvmtiHeapReferenceCallback callback,
                                               jint limit) const;
  [[nodiscard]] Result<LocalRef<jclass>> loaded_virtual_thread() const;
  [[nodiscard]] Result<VirtualThreads> find_virtual_threads() const;
  // First of all: which virtual threads the walk may go on to.
  [[nodiscard]] Result<void> know_virtual_threads() const;

  Env env_;
};

}  // namespace jvmdebug::agent::jvm
