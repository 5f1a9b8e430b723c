// SPDX-License-Identifier: Apache-2.0
//
// Watches the link to one debugger that has asked for it (Agent.Link), on a thread of its own that
// makes no call into the VM, so that it goes on while the VM is stopped. Sends a beat at each
// interval, and ends a connection whose debugger has sent nothing for too long.
//
// Silence alone is no lost link. A process that was stopped, or a machine that slept, has not
// listened itself: the debugger gets its time again. What was not read yet, because a command takes
// long, counts as sent. And if nothing but the network is between the two sides, and the debugger's
// system still acknowledges the beats, the debugger is stopped or busy.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <semaphore>
#include <string>

#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

class Connection;

struct LinkTerms {
  std::chrono::milliseconds interval{};
  std::chrono::milliseconds patience{};
  std::chrono::milliseconds keep{};  // how long the session is kept when the link is lost
  bool holds = false;                // whether threads stay suspended for that time
};

// What tells that the debugger has sent something: it changes then.
struct Heard {
  std::uint64_t packets = 0;
  int unread = 0;
  bool operator==(const Heard&) const = default;
};

class LinkWatch {
 public:
  LinkWatch(std::shared_ptr<Connection> connection, LinkTerms terms)
      : connection_(std::move(connection)), terms_(terms) {}

  // The body of the thread, until end().
  void run();

  // Any thread, once.
  void end() { ended_.release(); }

 private:
  [[nodiscard]] bool is_lost(Clock::time_point now);

  const std::shared_ptr<Connection> connection_;
  const LinkTerms terms_;
  std::binary_semaphore ended_{0};
  Heard heard_;
  Clock::time_point heard_at_ = Clock::now();
  Clock::time_point last_turn_ = Clock::now();
};

}  // namespace jvmdebug::agent
