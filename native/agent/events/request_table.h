// SPDX-License-Identifier: Apache-2.0
//
// The debugger's event requests, and what is armed in the VM for them: breakpoints and field
// watches, each shared by all requests for the same location, and event modes. Changed on agent
// threads under one mutex. Event threads read immutable lists, which they get under another mutex
// that is never held over a call into the VM.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "agent/events/breakpoints.h"
#include "agent/events/event_modes.h"
#include "agent/events/event_request.h"
#include "agent/events/filter.h"
#include "agent/jvm/vm_life.h"
#include "agent/locks/ranked_mutex.h"
#include "codec/generated/events.h"

namespace jvmdebug::agent::events {

using Request = std::shared_ptr<EventRequest>;
using RequestList = std::shared_ptr<const std::vector<Request>>;

class ClassUnloadWatch;
class MethodExits;
class Sender;
class ThrowSource;

class RequestTable {
 public:
  struct Uses {
    FilterUses filters;
    Breakpoints& breakpoints;
    MethodExits& method_exits;
    ClassUnloadWatch& class_unloads;
    Sender& sender;
    ThrowSource& throws;
    const jvm::VmLife& life;
    bool includes_virtual;  // the option includevirtualthreads
  };

  explicit RequestTable(const Uses& uses);

  // --- agent threads -------------------------------------------------------------------------
  [[nodiscard]] Result<std::int32_t> add(protocol::EventKind kind, protocol::SuspendPolicy policy,
                                         const std::vector<protocol::Modifier>& modifiers);
  // Clears a request. An unknown request is not an error; an unknown kind is.
  Result<void> clear(protocol::EventKind kind, std::int32_t id);
  // Clears breakpoint requests; an unknown one is not an error. Their probes are removed in one
  // change.
  void clear_breakpoints(std::span<const std::int32_t> ids);
  void clear_all(protocol::EventKind kind);
  void clear_all();
  // Finds a request; null if there is none.
  [[nodiscard]] Request find(std::int32_t id);
  // The requests in the order in which they were added.
  [[nodiscard]] std::vector<Request> all();
  // Called after a redefinition, which has removed the VM's breakpoints in the class: drops the
  // requests for them, as the JDK's own agent does.
  void drop_breakpoints_in(jclass type);
  // Enables breakpoint events on all threads, for Breakpoints. False: the VM refuses.
  [[nodiscard]] bool enable_breakpoint_events();
  void disable_breakpoint_events();

  // --- any thread ----------------------------------------------------------------------------
  [[nodiscard]] RequestList of(protocol::EventKind kind) const;
  [[nodiscard]] RequestList breakpoints_at(const CodeLocation& location) const;

  // Grows with each breakpoint request: a list that was read before may lack the new one.
  [[nodiscard]] std::uint32_t breakpoints_added() const { return breakpoints_added_; }

  // How often breakpoints_at() was called, for tests.
  [[nodiscard]] std::uint64_t location_lookups() const;

  // Removes a request whose count has run out. On an agent thread.
  void retire(const Request& request);

 private:
  [[nodiscard]] Result<Request> make(protocol::EventKind kind, protocol::SuspendPolicy policy,
                                     const std::vector<protocol::Modifier>& modifiers);
  [[nodiscard]] Result<void> arm(const Request& request);
  void disarm(const Request& request);
  [[nodiscard]] Result<void> arm_watch(const EventRequest& request);
  void disarm_watch(const EventRequest& request);
  [[nodiscard]] bool shares_watch(const EventRequest& request) const;
  [[nodiscard]] jvm::Result<void> set_watch(const EventRequest& request, bool on);
  // Whether ThrowWatch finds exceptions, because the VM reports none (the fast mode).
  [[nodiscard]] bool watches_throws() const;
  // The same for method exits and MethodExits.
  [[nodiscard]] bool watches_returns(protocol::EventKind kind) const;
  [[nodiscard]] jvm::Result<void> set_modes(const EventRequest& request, bool on);
  void publish(const Request& request);
  void remove(const Request& request);
  void take_down(const Request& request);
  template <class Predicate>
  void take_down_all(Predicate concerns);

  const Uses uses_;
  const jvm::Env& env_;
  RankedMutex<Rank::kRequests> mutex_;  // guards all below except the published lists
  std::map<std::int32_t, Request> requests_;
  EventModes modes_;
  std::int32_t next_id_ = 1;

  mutable RankedMutex<Rank::kPublished> published_mutex_;
  std::unordered_map<protocol::EventKind, RequestList> by_kind_;
  std::unordered_map<CodeLocation, RequestList, CodeLocationHash> by_location_;
  mutable std::uint64_t location_lookups_ = 0;
  std::atomic<std::uint32_t> breakpoints_added_ = 0;
};

}  // namespace jvmdebug::agent::events
