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
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "agent/events/event_set.h"
#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/threads/reporter.h"
#include "agent/threads/thread_registry.h"
#include "agent/transport/transport.h"
#include "codec/generated/event.h"
#include "codec/packet.h"
#include "codec/writer.h"

namespace jvmdebug::agent::threads {
class Parking;
class Suspension;
}  // namespace jvmdebug::agent::threads

namespace jvmdebug::agent::events {

class Sender final : public threads::Reporter {
  using Mutex = RankedMutex<Rank::kSender>;

 public:
  struct Uses {
    const jvm::Env& env;
    threads::ThreadRegistry& registry;
    threads::Suspension& suspension;
    threads::Parking& parking;
    ids::ObjectTable& objects;
    ids::MethodIds& method_ids;
  };

  explicit Sender(const Uses& uses) : uses_(uses) {}

  // Starts the sender's thread, in the live phase.
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);

  void connect(std::shared_ptr<Connection> connection);
  // Drops queued items and releases waiting threads; returns when no set is being handled.
  void disconnect();
  // Ends the sender's thread, which handles no further item. Later items are dropped.
  void stop();

  // The link to the debugger is lost, and the program goes on: sets that stop threads are dropped,
  // except that the debugger is told later which classes were prepared. Returns when no set is
  // being handled.
  void mute();
  // The debugger has come back.
  void unmute();

  // The number of the debugger that is connected, or was last.
  [[nodiscard]] DebuggerNumber debugger() const { return debugger_; }

  [[nodiscard]] bool is_connected_to(const Connection* connection) override;

  // Queues a set. `thread` is the thread of the events; null for no thread or one of the agent's.
  // With `wait`, returns after the set was sent or dropped.
  void send(EventSet set, const threads::Tracked& thread, bool wait);
  // Runs `work` on the sender's thread, in order with the sets, and waits for it. False if it was
  // dropped because no debugger is connected.
  bool run_in_order(std::function<void()> work) override;
  // Runs `work` on the sender's thread before queued sets, also while events are held.
  void run_soon(std::function<void()> work, bool wait) override;
  // The same; waits for it, but only until `until`.
  void run_soon(std::function<void()> work, std::chrono::steady_clock::time_point until);

  // Calls `look` on the sender's thread from look_again() on, until it returns nothing: it returns
  // the time to the next call.
  using Look = std::function<std::optional<std::chrono::microseconds>()>;

  void set_look(Look look) { look_ = std::move(look); }  // before start()

  void look_again();  // any thread

  // Makes the packet that is sent before a set whose events a debugger shows; empty if there is
  // none. Called on the sender's thread, when the set's threads are suspended.
  struct SetToShow {
    const threads::Tracked& thread;
    ShownStack wanted;
    const protocol::event::Composite& set;
    Connection& connection;
  };

  using Shower = std::function<std::vector<std::uint8_t>(const SetToShow&)>;

  void set_shower(Shower shower) { shower_ = std::move(shower); }  // before start()

  // Called when a thread is about to end the VM: no thread waits for room any more, and what does
  // not fit into the queue is dropped and counted. Any thread.
  void stop_waiting();
  // Called when the VM begins to end: sets that suspend are dropped from now on. Waiting sets are
  // sent until `until`, including held events and those of threads that wait for room. Any thread.
  void begin_last(std::chrono::steady_clock::time_point until);
  // Sends the last set, VM death; returns when it was sent or dropped.
  void send_last(EventSet set, const threads::Tracked& thread);

  // Whether a thread of the program waits for room in the queue, because the debugger does not
  // read. Any thread.
  [[nodiscard]] bool holds_threads() const { return waiting_for_room_ > 0; }

  // The number of sets that could not be sent before it.
  [[nodiscard]] std::size_t left_out();

  // Sends a command of the agent, unless that debugger has disconnected. On an agent thread.
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

  // Called when the debugger has resumed something: sets are sent again after one that suspended
  // all threads.
  void unblock() override;
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
  void wait_for_work(std::unique_lock<Mutex>& lock);
  void look_if_due(std::unique_lock<Mutex>& lock);
  void handle(Item& item, const std::shared_ptr<Connection>& connection);
  void report(Report& report, Connection& connection);
  // Returns what precedes the event set on the wire; empty if that is nothing.
  [[nodiscard]] std::vector<std::uint8_t> before(const Report& report,
                                                 const protocol::event::Composite& set,
                                                 Connection& connection);
  // Whether the report is dropped, or made one that stops nothing, as no debugger could resume.
  [[nodiscard]] bool is_muted(Report& report) const;
  // Suspends what the report requires. VM_DEAD if the VM ends.
  [[nodiscard]] Result<void> suspend_for(const Report& report);
  [[nodiscard]] bool may_handle_next() const;
  [[nodiscard]] bool leave_out(const Item& item);
  [[nodiscard]] static bool is_left_out(const Item& item);
  // Marks an item as dropped, for the thread that waits for it.
  static void drop(const Item& item);
  // Waits until the ticket is done; the lock is held.
  bool wait_for(std::unique_lock<Mutex>& lock, const std::shared_ptr<Ticket>& ticket);

  const Uses uses_;
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
  std::atomic<bool> is_muted_ = false;
  bool busy_ = false;
  bool stopped_ = false;
  std::optional<std::chrono::steady_clock::time_point> last_until_;  // when the VM ends
  bool has_last_ = false;
  Shower shower_;
  Look look_;
  std::optional<std::chrono::steady_clock::time_point> next_look_;
  bool never_waits_ = false;
  std::size_t left_out_ = 0;
  std::atomic<int> waiting_for_room_ = 0;  // threads of the program
  std::int32_t next_packet_id_ = 1;
};

}  // namespace jvmdebug::agent::events
