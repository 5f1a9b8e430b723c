// SPDX-License-Identifier: Apache-2.0
//
// Finds the results of the calls made in one frame, in a VM that has no method exit events (the
// fast mode), while the thread steps. After a call the thread continues at the instruction behind
// it, where the returned value is the topmost operand (operand_reader.h). So the called methods
// need no breakpoints and run at full speed. The exception is a method whose result is an argument
// of the next call: it gets breakpoints at its return instructions. Used by MethodExits, for
// requests with the modifier NearFrame and one frame above.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

#include "agent/events/event_request.h"
#include "agent/events/event_set.h"
#include "agent/events/operand_reader.h"
#include "agent/events/request_table.h"
#include "agent/locks/ranked_mutex.h"
#include "classfile/constant_pool.h"

namespace jvmdebug::agent::events {

class Composer;

class FrameCalls {
 public:
  FrameCalls(const jvm::Env& env, threads::ThreadRegistry& registry, Composer& composer,
             const OperandReader& operands)
      : env_(env), registry_(registry), composer_(composer), operands_(operands) {}

  // --- agent threads -------------------------------------------------------------------------
  // Begins to watch the calls of a frame. Its thread is suspended, and it is the topmost frame.
  void arm(const Request& request, const StandingFrame& frame);
  void disarm(const EventRequest& request);

  // --- on the thread itself ------------------------------------------------------------------
  // Called before a step of the thread to an instruction is reported. Returns the request if the
  // method that was called needs breakpoints at its returns, else null.
  [[nodiscard]] Request arrived(const jvm::Jni& jni, const Occurrence& here);

 private:
  // Once the frame's thread runs, only that thread changes it.
  struct Calls {
    Request request;
    StandingFrame frame;         // its last location
    jmethodID called = nullptr;  // the method that was seen directly above it since then
  };

  // An instruction that calls a method.
  struct Call {
    classfile::MemberReference method;
    bool is_static = false;
    std::size_t size = 0;
  };

  [[nodiscard]] std::shared_ptr<Calls> calls_of(const threads::Tracked& self) const;
  [[nodiscard]] bool hides_operands(jmethodID method, jlocation index) const;
  [[nodiscard]] bool precedes_call(const StandingFrame& frame) const;
  [[nodiscard]] std::optional<Call> call_at(const jvm::Jni& jni, const StandingFrame& frame) const;
  [[nodiscard]] jmethodID method_of(const jvm::Jni& jni, const Call& call, jmethodID seen) const;
  void report(const jvm::Jni& jni, const Occurrence& here, jmethodID method);

  const jvm::Env& env_;
  threads::ThreadRegistry& registry_;
  Composer& composer_;
  const OperandReader& operands_;
  std::atomic<int> count_ = 0;
  mutable RankedMutex<Rank::kFrameCalls> mutex_;  // no call into the VM under it
  std::unordered_map<std::int32_t, std::shared_ptr<Calls>> armed_;
};

}  // namespace jvmdebug::agent::events
