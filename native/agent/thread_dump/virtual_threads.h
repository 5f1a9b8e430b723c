// SPDX-License-Identifier: Apache-2.0
//
// Finds all virtual threads that have begun and not ended. JVM TI has no list of them, and events
// for them are expensive (includevirtualthreads=y). The JDK lists them in thread containers, for
// `jcmd Thread.dump_to_file`. These are read here field by field, without running code and without
// stopping threads; a map that grows meanwhile is read like its own iterators do. If this JDK keeps
// them in another way or not at all (-Djdk.trackAllThreads=false), the heap is searched, which
// takes time proportional to its size, while the VM is stopped.
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

  // Finds the threads, including those in the containers of a platform thread.
  [[nodiscard]] jvm::Result<void> find(const std::vector<jthread>& platform_threads);

  [[nodiscard]] std::vector<jvm::LocalRef<jthread>> take() { return std::move(threads_); }

  // The number of threads, including those that were left out because there are more than `most`.
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
