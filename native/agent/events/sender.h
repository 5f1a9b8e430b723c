// SPDX-License-Identifier: Apache-2.0
//
// Sends event sets to the debugger, in order, from one agent thread. That thread also suspends by
// the set's policy, so that no thread suspends itself: the event thread waits in wait_for() until
// that is done and then parks (threads::Parking). After a set that has suspended all threads no
// other is sent until the debugger resumes something, as in the JDK's own agent. None is sent while
// events are held back (VirtualMachine.HoldEvents). Without a debugger, sets are dropped and
// suspend nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>

#include "agent/events/event_set.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/thread_registry.h"
#include "agent/transport/transport.h"
#include "codec/packet.h"
#include "codec/writer.h"

namespace jvmdebug::agent {
class Agent;
}

namespace jvmdebug::agent::events {

class Sender {
  using Mutex = RankedMutex<Rank::kSender>;

 public:
  explicit Sender(Agent& agent) : agent_(agent) {}

  // Starts its thread. In the live phase.
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);

  void connect(std::shared_ptr<Connection> connection);
  // Drops what is queued and releases threads that wait; returns when no set is being handled.
  void disconnect();
  // Ends its thread, which begins nothing more. What comes later is dropped.
  void stop();

  // The number of the debugger that is connected, or was last.
  [[nodiscard]] DebuggerNumber debugger() const { return debugger_; }

  [[nodiscard]] bool is_connected_to(const Connection* connection);

  // Queues a set. `thread` is the thread of the events; null for none, or one of the agent's own.
  // With `wait`, returns after the set was sent or dropped.
  void send(EventSet set, const threads::Tracked& thread, bool wait);
  // Runs `work` on the sender's thread, in order with the sets, and waits for it. False: it was
  // dropped, as no debugger is connected.
  bool run_in_order(std::function<void()> work);
  // Runs `work` on the sender's thread before queued sets, also while events are held.
  void run_soon(std::function<void()> work, bool wait);
  // The same, and waits for it, but no longer than until then.
  void run_soon(std::function<void()> work, std::chrono::steady_clock::time_point until);

  // A thread that ends the VM is on its way to it, and no thread waits for room any more: what the
  // queue does not take is dropped and counted. Any thread.
  void stop_waiting();
  // The VM begins to end: sets that suspend are dropped from now on, and what waits is sent, events
  // that are held and the thread of a full queue included, but nothing after `until`. Any thread.
  void begin_last(std::chrono::steady_clock::time_point until);
  // The death of the VM, which is the last set; returns when it was sent or dropped.
  void send_last(EventSet set, const threads::Tracked& thread);
  // How many sets could not be sent before it.
  [[nodiscard]] std::size_t left_out();

  // Sends a command of the agent's own, unless that debugger has gone. An agent thread.
  template <class Command>
  void send_command(const Command& command, DebuggerNumber debugger) {
    if (const auto connection = connection_to(debugger)) {
      codec::Writer writer = connection->writer();
      command.write(writer);
      const auto packet =
          codec::pack_command(0, Command::kCommandSet, Command::kCommand, writer.bytes());
      if (packet) {
        (void)connection->write_packet(*packet);  // a failed write ends the session by itself
      }
    }
  }

  // The debugger has resumed something: sets are sent again after one that suspended all threads.
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
    bool is_last = false;
  };

  struct Item {
    std::variant<Report, std::function<void()>> what;
    std::shared_ptr<Ticket> ticket;
  };

  [[nodiscard]] std::shared_ptr<Connection> connection_to(DebuggerNumber debugger);
  void run();
  void handle(Item& item, const std::shared_ptr<Connection>& connection);
  void report(Report& report, Connection& connection);
  // VM_DEAD where the VM ends.
  [[nodiscard]] Result<void> suspend_for(const Report& report);
  [[nodiscard]] bool may_handle_next() const;
  [[nodiscard]] bool leave_out(const Item& item);
  [[nodiscard]] static bool is_left_out(const Item& item);
  // Marks it as dropped, for the thread that waits for it.
  static void drop(const Item& item);
  // Waits until the ticket is done; the lock is held.
  bool wait_for(std::unique_lock<Mutex>& lock, const std::shared_ptr<Ticket>& ticket);

  Agent& agent_;
  Mutex mutex_;
  Condition work_;  // for the sender's thread
  Condition
      finished_;  // for threads that wait for a ticket, for room in the queue, or for disconnect()
  std::deque<Item> urgent_;
  std::deque<Item> queue_;
  std::shared_ptr<Connection> connection_;
  std::atomic<DebuggerNumber> debugger_ = 0;
  bool blocked_ = false;
  bool held_ = false;
  bool busy_ = false;
  bool stopped_ = false;
  std::optional<std::chrono::steady_clock::time_point> last_until_;  // when the VM ends
  bool has_last_ = false;
  bool never_waits_ = false;
  std::size_t left_out_ = 0;
  std::int32_t next_packet_id_ = 1;
};

}  // namespace jvmdebug::agent::events
