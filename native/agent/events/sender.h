// SPDX-License-Identifier: Apache-2.0
//
// Sends event sets to the debugger, in order, from one agent thread. It is this thread that
// suspends what the set's policy says, so a thread never suspends itself: the event thread waits
// in wait_for() until that is done and then parks (threads::Parking). After a set that suspended
// all threads nothing more is sent until the debugger resumes something, as from the JDK's own
// agent; and nothing while events are held. Without a debugger sets are dropped and suspend
// nothing.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <variant>

#include "agent/events/event_set.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/thread_registry.h"
#include "agent/transport/transport.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::events {

class Sender {
  using Mutex = RankedMutex<Rank::kSender>;

 public:
  explicit Sender(Agent& agent) : agent_(agent) {}

  // Starts its thread. The live phase.
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);

  void connect(std::shared_ptr<Connection> connection);
  // What is queued is dropped, whoever waits goes on; returns when nothing is in the making.
  void disconnect();

  // The number of the one that is or was connected last.
  [[nodiscard]] DebuggerNumber debugger() const { return debugger_; }

  [[nodiscard]] bool is_connected_to(const Connection* connection);

  // Queues a set. `thread` is where it happened, null for none or one of the agent's own. With
  // `wait` returns when it was sent or dropped.
  void send(EventSet set, const threads::Tracked& thread, bool wait);
  // Runs `work` on the sender's thread, in order with the sets; returns when done (also when
  // dropped for want of a debugger: then false).
  bool run_in_order(std::function<void()> work);
  // Runs `work` on the sender's thread as soon as possible, held or not.
  void run_soon(std::function<void()> work, bool wait);

  // The debugger resumes: sets may be sent again after one that suspended everything.
  void unblock();
  void hold_events();
  void release_events();

 private:
  // Tells a waiting thread that its item was handled or dropped.
  struct Ticket {
    bool done = false;
    bool dropped = false;
  };

  struct Report {
    EventSet set;
    threads::Tracked thread;
  };

  struct Item {
    std::variant<Report, std::function<void()>> what;
    std::shared_ptr<Ticket> ticket;
  };

  void run();
  void handle(Item& item, const std::shared_ptr<Connection>& connection);
  void report(Report& report, Connection& connection);
  void suspend_for(const Report& report);
  [[nodiscard]] bool may_handle_next() const;
  // Waits until the ticket is done; the lock is held.
  bool wait_for(std::unique_lock<Mutex>& lock, const std::shared_ptr<Ticket>& ticket);

  Agent& agent_;
  Mutex mutex_;
  Condition work_;      // for the sender's thread
  Condition finished_;  // for who waits for a ticket, for room, or for quiet
  std::deque<Item> urgent_;
  std::deque<Item> queue_;
  std::shared_ptr<Connection> connection_;
  std::atomic<DebuggerNumber> debugger_ = 0;
  bool blocked_ = false;
  bool held_ = false;
  bool busy_ = false;
  std::int32_t next_packet_id_ = 1;
};

}  // namespace jvmdebug::agent::events
