// SPDX-License-Identifier: Apache-2.0
//
// All virtual threads that have begun and not ended. JVM TI has no list of them, and events tell of
// them only at a price (includevirtualthreads=y). The JDK lists them itself, for `jcmd
// Thread.dump_to_file`: in thread containers, which are read here field by field, without running
// code and without stopping anything; a map that grows meanwhile is read as its own iterators do.
// Where this JDK keeps them in another way, or does not (-Djdk.trackAllThreads=false), the heap is
// searched, which costs time in proportion to it, and during which the VM stands still.
#pragma once

#include <cstddef>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/thread_dump/jdk_fields.h"

namespace jvmdebug::agent::thread_dump {

class VirtualThreads {
 public:
  VirtualThreads(const jvm::Env& env, const JdkFields& fields, std::size_t most)
      : env_(env), jni_(env.jni()), fields_(fields), most_(most) {}

  // Finds also those of containers that a platform thread is inside of.
  [[nodiscard]] jvm::Result<void> find(const std::vector<jthread>& platform_threads);

  [[nodiscard]] std::vector<jvm::LocalRef<jthread>> take() { return std::move(threads_); }

  // Counts also those that were not taken up because there are more than `most`.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  [[nodiscard]] jvm::Result<void> search_heap();
  void read_root();
  void read_registry();
  void read_scopes(jthread owner);
  void read_container(jobject container);
  template <class Use>
  void read_set(jobject set, const Use& use);
  template <class Use>
  void read_bin(jobjectArray table, jsize index, const Use& use);
  void add(jobject thread);

  [[nodiscard]] jvm::LocalRef<jobject> field(jobject of, jfieldID field) const {
    return jni_.adopt(jni_->GetObjectField(of, field));
  }

  const jvm::Env& env_;
  const jvm::Jni jni_;
  const JdkFields& fields_;
  std::size_t most_;
  std::size_t count_ = 0;
  std::vector<jvm::LocalRef<jthread>> threads_;
};

}  // namespace jvmdebug::agent::thread_dump
