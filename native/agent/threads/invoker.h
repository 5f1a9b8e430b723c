// SPDX-License-Identifier: Apache-2.0
//
// Runs methods of the debuggee for the debugger, on a thread that is parked in a reported event.
// The command thread checks and hands over (request()), the event thread runs (run()), the sender
// suspends again what the invocation had resumed, and replies. If the debugger disconnects
// meanwhile, the method runs to its end, no thread is suspended again and no reply is sent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <jvmti.h>

#include "agent/ids/object_table.h"
#include "agent/jvm/env.h"
#include "agent/jvm/java_value.h"
#include "agent/jvm/jni.h"
#include "agent/reply_to.h"
#include "agent/threads/invocation_scopes.h"
#include "agent/threads/reporter.h"
#include "agent/threads/thread_registry.h"
#include "codec/generated/constants.h"
#include "codec/values.h"

namespace jvmdebug::agent::threads {

// The method to call and its result. References are global because they cross threads.
class Invocation {
 public:
  enum class Kind : std::uint8_t { kStatic, kVirtual, kNonvirtual, kNew };

  // Sends the reply, on the sender's thread. The first argument is void when the method threw.
  using Answer = std::function<void(protocol::Value, protocol::TaggedObject, ReplyTo)>;

  Invocation(Kind what, ReplyTo to, Answer how)
      : kind(what), answer(std::move(how)), reply(std::move(to)) {}

  const Kind kind;
  bool single_threaded = false;
  jvm::GlobalRef<jclass> type;
  jvm::GlobalRef<jobject> instance;
  jmethodID method = nullptr;
  std::string name;
  std::string descriptor;
  std::vector<jvalue> arguments;
  std::vector<jvm::GlobalRef<jobject>> references;  // keep object arguments alive
  char return_type = 'V';
  jint frames_below = 0;  // when it begins

  // --- the outcome ---------------------------------------------------------------------------
  jvm::JavaValue result;
  jvm::GlobalRef<jobject> result_object;
  jvm::GlobalRef<jobject> exception;

  Answer answer;
  ReplyTo reply;

  void release_references() {
    type = {};
    instance = {};
    references.clear();
    result_object = {};
    exception = {};
  }
};

class FramePopper;
class Parking;
class Stepper;
class Suspension;

class Invoker {
 public:
  struct Uses {
    const jvm::Env& env;
    ThreadRegistry& registry;
    Suspension& suspension;
    Parking& parking;
    Stepper& stepper;
    FramePopper& frame_popper;
    ids::ObjectTable& objects;
    InvocationScopes& scopes;
    Reporter& reporter;
  };

  explicit Invoker(const Uses& uses) : uses_(uses) {}

  // Hands the invocation to the thread and resumes it (and, unless single threaded, all others).
  // Replies with an error if that fails.
  void request(jthread thread, const std::shared_ptr<Invocation>& invocation);

  // Runs the method on the thread itself, then lets the sender reply.
  void run(const jvm::Jni& jni, const Tracked& self, Invocation& invocation);
  void report_result(const Tracked& self, std::shared_ptr<Invocation> invocation);
  // Clears the interrupt status of the current thread, because it belongs to the program and not to
  // the invoked method. Returns whether the thread was interrupted. Any thread.
  [[nodiscard]] bool clear_interrupt() const;

 private:
  void complete(const Tracked& thread, Invocation& invocation);

  const Uses uses_;
};

}  // namespace jvmdebug::agent::threads
