// SPDX-License-Identifier: Apache-2.0
//
// The topmost operand of the topmost frame of the current thread, which is at a breakpoint there:
// what a return instruction is about to return. JVM TI gives no operand stacks. HotSpot has
// java.lang.LiveStackFrame, which walks the stack of the current thread (JDK 9 and newer); where
// it is not, nothing is known.
#pragma once

#include <optional>

#include "agent/jvm/jni.h"

namespace jvmdebug::agent::events {

class OperandReader {
 public:
  // On an agent thread, before the first read: what a read needs is loaded and initialized here,
  // and not in the program's threads. False: this VM does not offer it.
  [[nodiscard]] bool prepare(const jvm::Jni& jni);

  // `type`: the first letter of its descriptor. A reference is a local one. Runs Java code on the
  // thread, whose events are not reported: see is_reading().
  [[nodiscard]] std::optional<jvalue> topmost(const jvm::Jni& jni, char type) const;

  // Whether the current thread is in topmost().
  [[nodiscard]] static bool is_reading();

 private:
  [[nodiscard]] bool define(const jvm::Jni& jni);
  [[nodiscard]] bool make_walker(const jvm::Jni& jni);
  [[nodiscard]] jvm::LocalRef<jobjectArray> read(const jvm::Jni& jni) const;

  bool is_ready_ = false;
  jvm::GlobalRef<jclass> type_;
  jvm::GlobalRef<jobject> first_;  // an instance of it
  jvm::GlobalRef<jobject> walker_;
  jvm::GlobalRef<jclass> slot_;  // of a value that is no reference
  jmethodID read_ = nullptr;
  jmethodID slot_value_ = nullptr;
};

}  // namespace jvmdebug::agent::events
