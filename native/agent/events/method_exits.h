// SPDX-License-Identifier: Apache-2.0
//
// Serves requests for method exits in a VM that has no method exit events (the fast mode), by
// breakpoints at the return instructions of the methods that a request names by its filters. There
// the value to be returned is on the operand stack (operand_reader.h). A request names classes or,
// by NearFrame, one frame and, while its thread steps, the calls made in it (frame_calls.h). For a
// request that names neither, the VM reports method entries, and a method gets its breakpoints when
// it is first entered. Native methods have no return instructions. Methods run interpreted while
// they have breakpoints, and all methods do while entries are reported; everything else keeps its
// speed.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/events/breakpoints.h"
#include "agent/events/event_set.h"
#include "agent/events/forced_exits.h"
#include "agent/events/frame_calls.h"
#include "agent/events/operand_reader.h"
#include "agent/events/request_table.h"
#include "agent/locks/ranked_mutex.h"
#include "codec/result.h"

namespace jvmdebug::agent::code {
class CodeVersions;
}

namespace jvmdebug::agent::events {

// The first letter of the descriptor of a method's return type.
[[nodiscard]] char return_letter(const jvm::Env& env, jmethodID method);

// Whether the methods of the request are only known when they are entered.
[[nodiscard]] bool follows_entries(const EventRequest& request);

class MethodExits {
 public:
  struct Uses {
    const jvm::Env& env;
    threads::ThreadRegistry& registry;
    Breakpoints& breakpoints;
    RequestTable& requests;
    Composer& composer;
    code::CodeVersions& code_versions;
  };

  explicit MethodExits(const Uses& uses)
      : uses_(uses),
        forced_(uses.env, uses.registry, uses.composer),
        calls_(uses.env, uses.registry, uses.composer, operands_) {}

  // --- agent threads -------------------------------------------------------------------------
  // Arms a request. Breakpoint events are enabled already, and so are class prepare events or, if
  // the request follows_entries(), method entry events. NOT_IMPLEMENTED for a frame without return
  // instructions.
  [[nodiscard]] Result<void> arm(const Request& request);
  void disarm(const EventRequest& request);
  // Called after a redefinition of the type, which has removed the VM's breakpoints in it.
  void redefined(jclass type);

  // Prepares the operand reader; whether operands can be read. On an agent thread.
  [[nodiscard]] bool prepare_operands();

  [[nodiscard]] const OperandReader& operands() const { return operands_; }

  // The exits of frames whose return is forced.
  [[nodiscard]] ForcedExits& forced() { return forced_; }

  // --- any thread ----------------------------------------------------------------------------
  void class_prepared(const jvm::Jni& jni, jclass type);

  // --- on the thread itself ------------------------------------------------------------------
  // Called when the VM has reported a breakpoint, before the thread goes on.
  void at_breakpoint(const jvm::Jni& jni, const Occurrence& breakpoint);

  // Whether a request is armed whose methods are only known when they are entered.
  [[nodiscard]] bool follows_any() const { return following_ != 0; }

  // Called when a method was entered, before the entry is reported.
  void entered(const jvm::Jni& jni, jthread thread, jmethodID method);

  // Called when the thread has stepped to an instruction or reached a breakpoint, before that is
  // reported.
  void arrived(const jvm::Jni& jni, const Occurrence& here);

 private:
  struct Armed {
    Request request;
    CodeLocations locations;
    std::unordered_set<jmethodID> entered;  // methods whose wanted breakpoints are set
    bool is_refused = false;                // in some method a breakpoint would do harm
  };

  [[nodiscard]] Result<void> add_frame(const Request& request);
  [[nodiscard]] bool is_refused(const EventRequest& request) const;
  void add_class(const jvm::Jni& jni, const Request& request, jclass type);
  void add_frames(const jvm::Jni& jni, const Request& request);
  void add_entered(const jvm::Jni& jni, const Request& request, jmethodID method);
  [[nodiscard]] bool add_return(const Request& request, const CodeLocation& location);
  [[nodiscard]] bool add_returns(const Request& request, jmethodID method);
  [[nodiscard]] bool names(const jvm::Jni& jni, const EventRequest& request, jclass type) const;
  [[nodiscard]] std::vector<Request> requests() const;
  [[nodiscard]] bool is_wanted(const CodeLocation& location) const;
  [[nodiscard]] bool is_wanted_by(protocol::EventKind kind, const threads::Tracked& self) const;

  const Uses uses_;
  OperandReader operands_;
  ForcedExits forced_;
  FrameCalls calls_;
  std::atomic<int> count_ = 0;
  std::atomic<int> following_ = 0;  // those whose methods are only known when they are entered
  mutable RankedMutex<Rank::kMethodExits> mutex_;  // no call into the VM under it
  std::unordered_map<std::int32_t, Armed> armed_;
};

}  // namespace jvmdebug::agent::events
