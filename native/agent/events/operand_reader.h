// SPDX-License-Identifier: Apache-2.0
//
// Reads the topmost operand of the topmost frame of the current thread, which is at a breakpoint
// there: for instance the value that a return instruction is about to return. JVM TI does not
// expose operand stacks. HotSpot has java.lang.LiveStackFrame (JDK 9 and newer), which walks the
// stack of the current thread; in a VM without it operands cannot be read.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

#include "agent/events/event_set.h"
#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"
#include "agent/threads/awaited_work.h"

namespace jvmdebug::agent::events {

// Converts a slot of the VM to a value of a type, given by the first letter of its descriptor. For
// types smaller than an int the low bits count. Nothing for a reference.
[[nodiscard]] std::optional<jvalue> value_of_slot(std::int64_t slot, char type);

class OperandReader {
 public:
  using Starter = threads::AwaitedWork::Starter;

  // Suppresses the events of what the current thread does during its lifetime, because the agent
  // does it.
  class Unseen {
   public:
    Unseen();
    ~Unseen();
    Unseen(const Unseen&) = delete;
    Unseen& operator=(const Unseen&) = delete;
    Unseen(Unseen&&) = delete;
    Unseen& operator=(Unseen&&) = delete;

   private:
    bool was_;
  };

  // Called before the first read: loads and initializes the classes that a read needs, on a
  // separate thread instead of the program's threads. A program thread may be suspended while it
  // initializes one of these classes; then reading becomes possible when that thread goes on. False
  // if this VM does not offer it, or not now, because a thread is suspended there or in a static
  // synchronized method of java.lang.Thread.
  [[nodiscard]] bool prepare(const jvm::Env& env, const Starter& start);

  // Reads the topmost operand. `type` is the first letter of its descriptor. A reference is a local
  // one. Runs Java code on the thread, whose events are not reported: see is_reading().
  [[nodiscard]] std::optional<jvalue> topmost(const jvm::Jni& jni, char type) const;

  // The operands of an instruction that stores into an array with elements of that type; L for any
  // reference. References are local ones. As above.
  struct Store {
    jvm::LocalRef<jobject> array;
    jint index = 0;
    jvm::JavaValue value;
  };

  [[nodiscard]] std::optional<Store> store(const jvm::Jni& jni, char type) const;

  // The same for an instruction that writes a field of that type; no object if the field is static.
  struct FieldStore {
    jvm::LocalRef<jobject> object;
    jvm::JavaValue value;
  };

  [[nodiscard]] std::optional<FieldStore> field_store(const jvm::Jni& jni, char type,
                                                      bool is_static) const;

  // Whether the current thread is reading.
  [[nodiscard]] static bool is_reading();

 private:
  void prepare_here(const jvm::Jni& jni);
  [[nodiscard]] bool define(const jvm::Jni& jni);
  [[nodiscard]] bool make_walker(const jvm::Jni& jni);
  [[nodiscard]] jvm::LocalRef<jobjectArray> read(const jvm::Jni& jni) const;
  [[nodiscard]] std::optional<jvalue> at(const jvm::Jni& jni, jobjectArray operands, jsize index,
                                         char type) const;

  std::atomic<bool> is_ready_ = false;
  // A thread of the program may be suspended in an initializer that it needs.
  threads::AwaitedWork preparing_{std::chrono::milliseconds{1000}};
  jvm::GlobalRef<jclass> type_;
  jvm::GlobalRef<jobject> first_;  // an instance of it
  jvm::GlobalRef<jobject> walker_;
  jvm::GlobalRef<jclass> slot_;  // of a value that is not a reference
  jmethodID read_ = nullptr;
  jmethodID slot_value_ = nullptr;
};

}  // namespace jvmdebug::agent::events
