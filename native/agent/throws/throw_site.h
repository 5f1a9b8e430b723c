// SPDX-License-Identifier: Apache-2.0
//
// From a new exception to where it is going to be thrown, as far as the stack and the code tell.
// Code that constructs it throws it at once, most often; or it keeps it, or returns it, and its
// caller throws it. What the VM or native code has made is thrown where it is. Looks at the
// current thread; sets nothing. Used by ThrowWatch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <jvmti.h>

#include "agent/jvm/env.h"
#include "agent/jvm/jni.h"

namespace jvmdebug::agent::throws {

// The frames of the current thread, read in parts, as most questions need few of them: the VM takes
// longer for a frame than for the call.
class Stack {
 public:
  explicit Stack(const jvm::Env& env) : env_(env) {}

  // Null behind the last one.
  [[nodiscard]] const jvmtiFrameInfo* at(std::size_t depth);

  // From one depth to another; none if the stack is not that deep.
  [[nodiscard]] std::span<const jvmtiFrameInfo> part(std::size_t first, std::size_t last);

  // The deepest frame that was looked at since it was last set.
  std::size_t deepest = 0;

 private:
  const jvm::Env& env_;
  std::vector<jvmtiFrameInfo> frames_;
  bool complete_ = false;
};

// What has made an exception.
struct Origin {
  enum class Maker : std::uint8_t {
    kNobody,      // nothing that a debugger is to be told of
    kCode,        // Java code constructs it, and goes on in the frame `depth`
    kReflection,  // the same by reflection, in a frame below
    kVm,          // the VM or native code: it is thrown in the frame `depth`, where that stands
  };

  Maker maker = Maker::kNobody;
  std::size_t depth = 0;
  std::size_t first = 0;  // the frame behind those of the exception's constructors
};

// While the constructor of Throwable reports it: the topmost frames are the agent's.
[[nodiscard]] Origin origin_of(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                               Stack& stack);

// Where a frame that holds a new exception may throw it or let it go.
struct Exits {
  jmethodID method = nullptr;
  std::size_t depth = 0;
  std::optional<jlocation> throws;   // it throws it next
  std::vector<jlocation> locations;  // else: where it may throw or return
  std::vector<jlocation> throwing;   // those of them that throw
  bool may_return = false;           // whether one of them returns an object
};

// Of the frame at the depth, whose call or constructor gives it the exception, or of the caller to
// which that returns it at once; `by_reflection`: not of native frames and reflection's. None when
// there is none, when the frame passes it to another method, or when there is too much to look at.
[[nodiscard]] std::optional<Exits> exits_of(const jvm::Env& env, const jvm::Jni& jni, Stack& stack,
                                            std::size_t depth, bool by_reflection);

// A method that a new exception is passed to at once, as the last argument, and that may throw it.
struct Passed {
  jlocation index = -1;  // of the call
  jmethodID method = nullptr;
  std::vector<jlocation> locations;  // where it throws it, or returns
};

// Of the frame at the depth, whose constructor has made it. None for methods that are called by
// their object, or of another class than the frame's: which one that is is not known before.
[[nodiscard]] std::optional<Passed> passed_to(const jvm::Env& env, const jvm::Jni& jni,
                                              Stack& stack, std::size_t depth);

// What the current thread does with the exception at an instruction that is one of those.
enum class Exit : std::uint8_t { kThrows, kReturnsIt, kReturnsOther, kThrowsOther };

[[nodiscard]] Exit exit_at(const jvm::Env& env, const jvm::Jni& jni, jobject exception,
                           jmethodID method, jlocation index);

}  // namespace jvmdebug::agent::throws
