// SPDX-License-Identifier: Apache-2.0
//
// The helper class that records in the program (native/agent/java/java/lang/JvmdebugRecorder.java),
// as the agent sees it. Agent threads, one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::recording {

// What a thread has recorded one after the other. References are numbers of `objects`, from 1 on;
// 0 is null. Times are nanoseconds since the recording began.
struct Taken {
  std::int32_t thread = 0;
  std::string thread_name;  // of a thread that is told for the first time
  bool is_new = false;
  bool is_virtual = false;
  std::int64_t start = 0;
  std::int64_t end = 0;
  std::vector<std::uint32_t> sites;
  std::vector<std::int64_t> values;
  jvm::LocalRef<jobjectArray> objects;
  std::size_t object_count = 0;
};

struct Described {
  std::string class_name;  // as Class.getName has it
  std::uint8_t kind = 0;
  std::string text;
  std::string stack;  // of a throwable, in lines
  std::int32_t length = 0;
  jvm::LocalRef<jobjectArray> elements;
  std::vector<std::int64_t> bits;  // of primitive elements
};

class RecorderLink {
 public:
  explicit RecorderLink(const jvm::Env& env) : env_(env) {}

  // Defines the class. False if the VM refuses it.
  [[nodiscard]] bool open();
  // `waits`: whether threads wait for room before they drop what they have recorded.
  void start(std::int64_t most, std::int32_t roots, bool waits) const;
  void stop() const;
  // Lets go what nothing has taken: no more is read of this run.
  void forget() const;
  // Notes how far all threads have come. After it the VM has to come to a safepoint.
  void look() const;
  // Returns what a thread has recorded, or nothing if there is no more. `all`: also of chunks that
  // are not full.
  [[nodiscard]] std::optional<Taken> take(bool all) const;
  // Gives back what take() has returned last, after its objects are no longer needed.
  void done() const;
  [[nodiscard]] Described describe(jobject object) const;
  // Whether the root method was recorded as often as wanted, and no thread is in it.
  [[nodiscard]] bool is_over() const;

 private:
  void describe_throwable(const jvm::Jni& jni, jobject object, Described& described) const;

  const jvm::Env& env_;
  jvm::GlobalRef<jclass> objects_;
  jvm::GlobalRef<jclass> chunks_;
  jmethodID prepare_ = nullptr;
  jmethodID start_ = nullptr;
  jmethodID stop_ = nullptr;
  jmethodID look_ = nullptr;
  jmethodID take_ = nullptr;
  jmethodID done_ = nullptr;
  jmethodID is_over_ = nullptr;
  jmethodID describe_ = nullptr;
  jmethodID forget_ = nullptr;
  jfieldID message_ = nullptr;
};

}  // namespace jvmdebug::agent::recording
