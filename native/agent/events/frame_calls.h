// SPDX-License-Identifier: Apache-2.0
//
// What the calls made in one frame return, in a VM that has no method exit events (the fast mode),
// while the thread steps: after a call the thread goes on at the instruction behind it, where what
// was returned is the topmost operand (operand_reader.h). So nothing is put into the methods that
// are called, and they run at full speed, but for one whose result is an argument of the next call:
// that is seen by breakpoints where it returns. Used by MethodExits, for requests with the modifier
// NearFrame and one frame above.
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

class FrameCalls {
 public:
  FrameCalls(Agent& agent, const OperandReader& operands) : agent_(agent), operands_(operands) {}

  // --- agent threads -------------------------------------------------------------------------
  // The frame's thread is suspended, and the frame topmost.
  void arm(const Request& request, const StandingFrame& frame);
  void disarm(const EventRequest& request);

  // --- on the thread itself ------------------------------------------------------------------
  // It steps to an instruction, or has come back to it; before that is reported. A request if the
  // returns of the method, which has been called, are to be seen by breakpoints; else null.
  [[nodiscard]] Request arrived(const jvm::Jni& jni, const Occurrence& here);

 private:
  // Changed by the thread of the frame alone, once it runs.
  struct Calls {
    Request request;
    StandingFrame frame;         // where it has been last
    jmethodID called = nullptr;  // what was seen right above it since then
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

  Agent& agent_;
  const OperandReader& operands_;
  std::atomic<int> count_ = 0;
  mutable RankedMutex<Rank::kFrameCalls> mutex_;  // no call into the VM under it
  std::unordered_map<std::int32_t, std::shared_ptr<Calls>> armed_;
};

}  // namespace jvmdebug::agent::events
