// SPDX-License-Identifier: Apache-2.0
#include "agent/events/sender.h"

#include <cstdio>
#include <exception>
#include <utility>

#include "agent/agent.h"
#include "agent/events/wire_events.h"
#include "agent/threads/parking.h"
#include "agent/threads/suspension.h"
#include "codec/generated/event.h"
#include "codec/packet.h"
#include "codec/writer.h"

namespace jvmdebug::agent::events {
namespace {

// Limit of queued sets when the debugger is slow; then event threads wait for room.
constexpr std::size_t kQueueLimit = 4096;

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};

}  // namespace

Result<void> Sender::start(const jvm::Jni& jni) {
  // The name that the JDK's own agent uses: tools that hide agent threads know it.
  return agent_.threads().own_threads().start(jni, "JDWP Event Helper Thread", [this] { run(); });
}

void Sender::connect(std::shared_ptr<Connection> connection) {
  const std::scoped_lock lock(mutex_);
  connection_ = std::move(connection);
  ++debugger_;
}

void Sender::disconnect() {
  std::deque<Item> dropped;
  std::unique_lock lock(mutex_);
  connection_.reset();
  blocked_ = false;
  held_ = false;
  dropped.swap(queue_);
  for (const Item& item : dropped) {
    if (item.ticket) {
      item.ticket->done = item.ticket->dropped = true;
    }
  }
  finished_.notify_all();
  finished_.wait(lock, [this] { return !busy_; });
  lock.unlock();
  dropped.clear();  // deletes references, which calls the VM: not under the lock
}

void Sender::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  for (const Item& item : urgent_) {
    if (item.ticket) {
      item.ticket->done = item.ticket->dropped = true;
    }
  }
  work_.notify_one();
  finished_.notify_all();
}

bool Sender::is_connected_to(const Connection* connection) {
  const std::scoped_lock lock(mutex_);
  return connection != nullptr && connection_.get() == connection;
}

std::shared_ptr<Connection> Sender::connection_to(DebuggerNumber debugger) {
  const std::scoped_lock lock(mutex_);
  return debugger == debugger_ ? connection_ : nullptr;
}

void Sender::send(EventSet set, const threads::Tracked& thread, bool wait) {
  std::shared_ptr<Ticket> ticket = wait ? std::make_shared<Ticket>() : nullptr;
  Item item{.what = Report{.set = std::move(set), .thread = thread}, .ticket = ticket};
  std::unique_lock lock(mutex_);
  // An agent thread must not wait here: it may be the sender's own, which makes room.
  finished_.wait(lock, [&] { return !connection_ || !thread || queue_.size() < kQueueLimit; });
  if (!connection_ || std::get<Report>(item.what).set.debugger != debugger_) {
    lock.unlock();
    return;  // `item` deletes its references without the lock
  }
  queue_.push_back(std::move(item));
  work_.notify_one();
  if (ticket) {
    (void)wait_for(lock, ticket);
  }
}

bool Sender::run_in_order(std::function<void()> work) {
  const auto ticket = std::make_shared<Ticket>();
  Item item{.what = std::move(work), .ticket = ticket};
  std::unique_lock lock(mutex_);
  if (!connection_) {
    return false;
  }
  queue_.push_back(std::move(item));
  work_.notify_one();
  return wait_for(lock, ticket);
}

void Sender::run_soon(std::function<void()> work, bool wait) {
  const auto ticket = wait ? std::make_shared<Ticket>() : nullptr;
  std::unique_lock lock(mutex_);
  if (stopped_) {
    return;
  }
  urgent_.push_back(Item{.what = std::move(work), .ticket = ticket});
  work_.notify_one();
  if (ticket) {
    (void)wait_for(lock, ticket);
  }
}

bool Sender::wait_for(std::unique_lock<Mutex>& lock, const std::shared_ptr<Ticket>& ticket) {
  finished_.wait(lock, [&] { return ticket->done; });
  return !ticket->dropped;
}

void Sender::unblock() {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(blocked_, false)) {
    work_.notify_one();
  }
}

void Sender::hold_events() {
  const std::scoped_lock lock(mutex_);
  held_ = true;
}

void Sender::release_events() {
  const std::scoped_lock lock(mutex_);
  held_ = false;
  work_.notify_one();
}

bool Sender::may_handle_next() const {
  return !urgent_.empty() || (!queue_.empty() && !blocked_ && !held_);
}

void Sender::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    work_.wait(lock, [this] { return stopped_ || may_handle_next(); });
    if (stopped_) {
      return;
    }
    auto& queue = urgent_.empty() ? queue_ : urgent_;
    {
      Item item = std::move(queue.front());
      queue.pop_front();
      const auto connection = connection_;
      const auto ticket = item.ticket;
      busy_ = true;
      lock.unlock();
      handle(item, connection);
      item.what = Report{};  // deletes references before the lock is taken again
      lock.lock();
      busy_ = false;
      if (ticket) {
        ticket->done = true;
      }
    }
    finished_.notify_all();
  }
}

void Sender::handle(Item& item, const std::shared_ptr<Connection>& connection) {
  const jvm::LocalFrame frame(agent_.jni());
  // The last place to catch exceptions: an event that cannot be sent must not end the VM.
  try {
    std::visit(Overloaded{[&](Report& wanted) {
                            if (connection) {
                              report(wanted, *connection);
                            }
                          },
                          [](const std::function<void()>& work) { work(); }},
               item.what);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "jvmdebug: an event could not be sent: %s\n", error.what());
  }
}

void Sender::suspend_for(const Report& report) {
  threads::Suspension& suspension = agent_.suspension();
  switch (report.set.policy) {
    case protocol::SuspendPolicy::kNone:
      return;
    case protocol::SuspendPolicy::kEventThread:
      suspension.suspend_for_event(report.thread);
      break;
    case protocol::SuspendPolicy::kAll: {
      // Single threads may fail to be suspended; the set is sent in any case.
      (void)suspension.suspend_all();
      const std::scoped_lock lock(mutex_);
      blocked_ = connection_ != nullptr;
      break;
    }
  }
  if (report.thread) {
    agent_.parking().was_reported(report.thread);
  }
}

void Sender::report(Report& report, Connection& connection) {
  if (!report.thread && report.set.policy == protocol::SuspendPolicy::kEventThread) {
    // An event in an agent thread, which is never suspended: the specification requires all others.
    report.set.policy = protocol::SuspendPolicy::kAll;
  }
  protocol::event::Composite composite;
  composite.suspend_policy = report.set.policy;
  for (const PendingEvent& pending : report.set.events) {
    if (auto event = wire_event(agent_, pending)) {
      composite.events.push_back(*std::move(event));
    }
  }
  if (composite.events.empty()) {
    return;
  }
  // Before the suspension: if memory runs out here, the event is lost and nothing stays suspended.
  codec::Writer writer = connection.writer();
  composite.write(writer);
  const auto packet = codec::pack_command(static_cast<std::uint32_t>(next_packet_id_++),
                                          protocol::event::Composite::kCommandSet,
                                          protocol::event::Composite::kCommand, writer.bytes());
  if (!packet) {
    return;  // too long for a packet
  }
  suspend_for(report);
  // A failed write shuts the connection down; the session then resumes what was suspended.
  (void)connection.write_packet(*packet);
}

}  // namespace jvmdebug::agent::events
