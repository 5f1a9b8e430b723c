// SPDX-License-Identifier: Apache-2.0
//
// Finds where a new exception is going to be thrown, as far as the stack and the code show it. Code
// that constructs an exception mostly throws it at once; or it keeps it, or returns it and its
// caller throws it. What the VM or native code has made is thrown where the thread is. Looks at the
// current thread and changes nothing. Used by ThrowWatch.
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

// The frames of the current thread, read in parts. Most questions need few frames, and the VM takes
// longer for each frame than for the call.
class Stack {
 public:
  explicit Stack(const jvm::Env& env) : env_(env) {}

  // Returns null behind the last frame.
  [[nodiscard]] const jvmtiFrameInfo* at(std::size_t depth);

  // Returns the frames from one depth to another; none if the stack is not that deep.
  [[nodiscard]] std::span<const jvmtiFrameInfo> part(std::size_t first, std::size_t last);

  // The deepest frame that was looked at since this was last set.
  std::size_t deepest = 0;

 private:
  const jvm::Env& env_;
  std::vector<jvmtiFrameInfo> frames_;
  bool complete_ = false;
};

// What has made an exception.
struct Origin {
  enum class Maker : std::uint8_t {
    kNobody,      // the debugger is not told of it
    kCode,        // Java code constructs it, and goes on in the frame at `depth`
    kReflection,  // Java code constructs it by reflection, in a frame below
    kVm,          // the VM or native code: it is thrown at the location of the frame at `depth`
  };

  Maker maker = Maker::kNobody;
  std::size_t depth = 0;
  std::size_t first = 0;  // the frame below those of the exception's constructors
};

// Finds what has made an exception whose constructor in Throwable reports it now, so that the
// topmost frames are the agent's.
[[nodiscard]] Origin origin_of(const jvm::Env& env, const jvm::Jni& jni, jthrowable exception,
                               Stack& stack);

// The places where a frame that holds a new exception may throw it or let it go.
struct Exits {
  jmethodID method = nullptr;
  std::size_t depth = 0;
  std::optional<jlocation> throws;   // the instruction that certainly throws it next
  std::vector<jlocation> locations;  // otherwise: the instructions that may throw or return
  std::vector<jlocation> throwing;   // those of `locations` that throw
  bool may_return = false;           // whether one of `locations` returns an object
};

// Returns the exits of the frame at the depth, whose call or constructor gives it the exception, or
// of a caller to which that frame returns it at once. `by_reflection`: native frames and those of
// reflection are skipped. None if there are no exits or too many, or if the frame passes the
// exception to another method.
[[nodiscard]] std::optional<Exits> exits_of(const jvm::Env& env, const jvm::Jni& jni, Stack& stack,
                                            std::size_t depth, bool by_reflection);

// A method to which a new exception is passed at once as the last argument, and that may throw it.
struct Passed {
  jlocation index = -1;  // of the call
  jmethodID method = nullptr;
  std::vector<jlocation> locations;  // the instructions that throw it, or return
};

// Returns the method to which the frame at the depth passes the exception that it has just
// constructed. Only a static method of the same class is found; the target of other calls is not
// known in advance.
[[nodiscard]] std::optional<Passed> passed_to(const jvm::Env& env, const jvm::Jni& jni,
                                              Stack& stack, std::size_t depth);

// What the current thread does with an expected exception at one of the exits.
enum class Exit : std::uint8_t { kThrows, kReturnsIt, kReturnsOther, kThrowsOther };

[[nodiscard]] Exit exit_at(const jvm::Env& env, const jvm::Jni& jni, jobject exception,
                           jmethodID method, jlocation index);

}  // namespace jvmdebug::agent::throws
