// SPDX-License-Identifier: Apache-2.0
#include "agent/events/sender.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <ranges>
#include <utility>

#include "agent/events/wire_events.h"
#include "agent/threads/parking.h"
#include "agent/threads/suspension.h"
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
  return uses_.registry.own_threads().start(jni, "JDWP Event Helper Thread", [this] { run(); });
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
  is_muted_ = false;
  blocked_ = false;
  held_ = false;
  dropped.swap(queue_);
  std::ranges::for_each(dropped, drop);
  if (last_until_) {  // the debugger was given up
    left_out_ += static_cast<std::size_t>(std::ranges::count_if(dropped, is_left_out));
  }
  finished_.notify_all();
  finished_.wait(lock, [this] { return !busy_; });
  lock.unlock();
  dropped.clear();  // deletes references, which calls the VM, so not under the lock
}

void Sender::mute() {
  std::unique_lock lock(mutex_);
  is_muted_ = true;
  blocked_ = held_ = false;
  work_.notify_one();
  finished_.wait(lock, [this] { return !busy_; });
}

void Sender::unmute() {
  is_muted_ = false;
}

bool Sender::is_muted(Report& report) const {
  if (!is_muted_ || !report.set.stops()) {
    return false;
  }
  const bool only_informs = std::ranges::all_of(report.set.events, [](const PendingEvent& event) {
    return event.kind == protocol::EventKind::kClassPrepare;
  });
  if (only_informs) {
    report.set.policy = protocol::SuspendPolicy::kNone;
  }
  return !only_informs;
}

void Sender::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  std::ranges::for_each(urgent_, drop);
  work_.notify_one();
  finished_.notify_all();
}

void Sender::drop(const Item& item) {
  if (item.ticket) {
    item.ticket->done = item.ticket->dropped = true;
  }
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
  // An agent thread must not wait here: it may be the sender's thread, which makes room.
  ++waiting_for_room_;
  finished_.wait(
      lock, [&] { return !connection_ || !thread || queue_.size() < kQueueLimit || never_waits_; });
  --waiting_for_room_;
  const EventSet& sent = std::get<Report>(item.what).set;
  if (!connection_ || sent.debugger != debugger_ || has_last_ || (last_until_ && sent.stops())) {
    lock.unlock();
    return;  // `item` deletes its references without the lock
  }
  if (never_waits_ && queue_.size() >= kQueueLimit) {
    ++left_out_;
    lock.unlock();
    return;
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

void Sender::run_soon(std::function<void()> work, std::chrono::steady_clock::time_point until) {
  const auto ticket = std::make_shared<Ticket>();
  std::unique_lock lock(mutex_);
  if (!stopped_) {
    urgent_.push_back(Item{.what = std::move(work), .ticket = ticket});
    work_.notify_one();
    (void)finished_.wait_until(lock, until, [&] { return ticket->done; });
  }
}

void Sender::stop_waiting() {
  const std::scoped_lock lock(mutex_);
  never_waits_ = true;
  finished_.notify_all();
}

void Sender::begin_last(std::chrono::steady_clock::time_point until) {
  const std::scoped_lock lock(mutex_);
  last_until_ = until;
  never_waits_ = true;
  blocked_ = held_ = false;
  const auto stops = [](const Item& item) {
    const auto* report = std::get_if<Report>(&item.what);
    return report != nullptr && !report->is_last && report->set.stops();
  };
  std::ranges::for_each(queue_ | std::views::filter(stops), drop);
  // The items stay in the queue: deleting their references calls the VM, which this thread must not
  // do because it may be suspended.
  work_.notify_one();
  finished_.notify_all();
}

void Sender::send_last(EventSet set, const threads::Tracked& thread) {
  const auto ticket = std::make_shared<Ticket>();
  Item item{.what = Report{.set = std::move(set), .thread = thread, .is_last = true},
            .ticket = ticket};
  std::unique_lock lock(mutex_);
  has_last_ = true;
  if (!connection_ || std::get<Report>(item.what).set.debugger != debugger_) {
    lock.unlock();
    return;
  }
  queue_.push_back(std::move(item));
  work_.notify_one();
  (void)wait_for(lock, ticket);
}

std::size_t Sender::left_out() {
  const std::scoped_lock lock(mutex_);
  return left_out_;
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

void Sender::look_again() {
  const std::scoped_lock lock(mutex_);
  next_look_ = std::chrono::steady_clock::now();
  work_.notify_one();
}

void Sender::look_if_due(std::unique_lock<Mutex>& lock) {
  if (stopped_ || !next_look_ || std::chrono::steady_clock::now() < *next_look_) {
    return;
  }
  next_look_.reset();
  lock.unlock();
  const auto pause = look_();
  lock.lock();
  if (pause && !next_look_) {
    next_look_ = std::chrono::steady_clock::now() + *pause;
  }
}

void Sender::wait_for_work(std::unique_lock<Mutex>& lock) {
  const auto has_work = [this] { return stopped_ || may_handle_next(); };
  look_if_due(lock);
  while (!has_work()) {
    if (next_look_) {
      (void)work_.wait_until(lock, *next_look_, has_work);
    } else {
      work_.wait(lock, [&] { return has_work() || next_look_; });
    }
    look_if_due(lock);
  }
}

void Sender::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wait_for_work(lock);
    if (stopped_) {
      return;
    }
    auto& queue = urgent_.empty() ? queue_ : urgent_;
    {
      Item item = std::move(queue.front());
      queue.pop_front();
      const auto connection = connection_;
      const auto ticket = item.ticket;
      const bool is_left_out = leave_out(item);
      busy_ = true;
      lock.unlock();
      if (!is_left_out) {
        handle(item, connection);
      }
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

// Whether the set is counted as not sent. A set that suspends is not counted, because it has become
// pointless.
bool Sender::is_left_out(const Item& item) {
  const auto* report = std::get_if<Report>(&item.what);
  return report != nullptr && !report->is_last && !report->set.stops();
}

// Whether the item is dropped because the VM ends.
bool Sender::leave_out(const Item& item) {
  const auto* report = std::get_if<Report>(&item.what);
  if (!last_until_ || report == nullptr || report->is_last) {
    return false;
  }
  if (report->set.stops()) {
    return true;  // no debugger could resume the thread
  }
  const bool is_late = std::chrono::steady_clock::now() > *last_until_;
  left_out_ += is_late ? 1 : 0;
  return is_late;
}

void Sender::handle(Item& item, const std::shared_ptr<Connection>& connection) {
  const jvm::LocalFrame frame(uses_.env.jni());
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

Result<void> Sender::suspend_for(const Report& report) {
  threads::Suspension& suspension = uses_.suspension;
  Result<void> suspended;
  switch (report.set.policy) {
    case protocol::SuspendPolicy::kNone:
      return {};
    case protocol::SuspendPolicy::kEventThread:
      suspended = suspension.suspend_for_event(report.thread);
      break;
    case protocol::SuspendPolicy::kAll: {
      suspended = suspension.suspend_all();
      const std::scoped_lock lock(mutex_);
      blocked_ = connection_ != nullptr;
      break;
    }
  }
  if (!suspended && suspended.error() == protocol::Error::kVmDead) {
    return suspended;
  }
  if (report.thread) {
    uses_.parking.was_reported(report.thread);
  }
  return {};  // single threads may fail to be suspended; the set is sent in any case
}

void Sender::report(Report& report, Connection& connection) {
  if (is_muted(report)) {
    return;
  }
  if (!report.thread && report.set.policy == protocol::SuspendPolicy::kEventThread) {
    // For an event in an agent thread, which is never suspended, the specification requires all
    // other threads to be suspended.
    report.set.policy = protocol::SuspendPolicy::kAll;
  }
  protocol::event::Composite composite;
  composite.suspend_policy = report.set.policy;
  for (const PendingEvent& pending : report.set.events) {
    if (auto event = wire_event(
            {.env = uses_.env, .objects = uses_.objects, .methods = uses_.method_ids}, pending)) {
      composite.events.push_back(*std::move(event));
    }
  }
  if (composite.events.empty()) {
    return;
  }
  // Allocated before the suspension: if memory runs out here, the event is lost and nothing stays
  // suspended.
  codec::Writer writer = connection.writer();
  composite.write(writer);
  const auto packet = codec::pack_command(static_cast<std::uint32_t>(next_packet_id_++),
                                          protocol::event::Composite::kCommandSet,
                                          protocol::event::Composite::kCommand, writer.bytes());
  if (!packet) {
    return;  // too long for a packet
  }
  if (!suspend_for(report)) {
    return;  // the VM has begun to end
  }
  // One write, so that the debugger reads both at once.
  std::vector<std::uint8_t> sent = before(report, composite, connection);
  sent.insert(sent.end(), packet->begin(), packet->end());
  // A failed write shuts the connection down; the session then resumes what was suspended.
  (void)connection.write_packet(sent);
}

std::vector<std::uint8_t> Sender::before(const Report& report,
                                         const protocol::event::Composite& set,
                                         Connection& connection) {
  const ShownStack wanted = report.set.shown();
  if (wanted.frames == 0 || !report.thread || !shower_) {
    return {};
  }
  try {
    return shower_(
        {.thread = report.thread, .wanted = wanted, .set = set, .connection = connection});
  } catch (const std::exception&) {
    return {};  // the debugger asks for it; the event must not be lost
  }
}

}  // namespace jvmdebug::agent::events
