// SPDX-License-Identifier: Apache-2.0
//
// The agent thread that talks to the debugger, as this room uses it. A thread of the program must
// not suspend itself or another one, so it hands such work over. Implemented by events::Sender.
#pragma once

#include <functional>

namespace jvmdebug::agent {
class Connection;
}

namespace jvmdebug::agent::threads {

class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  // Runs `work` on the reporter's thread before events that wait to be sent, also while they are
  // held back. With `wait`, returns after it has run or was dropped.
  virtual void run_soon(std::function<void()> work, bool wait) = 0;
  // Runs `work` on the reporter's thread, in order with the events, and waits for it. False if it
  // was dropped because no debugger is connected.
  virtual bool run_in_order(std::function<void()> work) = 0;
  [[nodiscard]] virtual bool is_connected_to(const Connection* connection) = 0;
  // Called when the debugger has resumed something: events are sent again after one that suspended
  // all threads.
  virtual void unblock() = 0;
};

}  // namespace jvmdebug::agent::threads
