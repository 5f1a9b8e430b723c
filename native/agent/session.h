// SPDX-License-Identifier: Apache-2.0
//
// The life of connections, one debugger at a time: listen or connect out, serve commands, and when
// the debugger has gone (disposed, closed, lost) put the program back as it was: requests cleared,
// everything resumed, ids released; then listen again (server=y). Runs on one agent thread. Made
// in Agent_OnLoad, so that an address that cannot be had keeps the VM from starting.
#pragma once

#include <condition_variable>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>

#include "agent/agent.h"
#include "agent/transport.h"

namespace jvmdebug::agent {

class Session {
 public:
  static std::expected<std::unique_ptr<Session>, TransportError> open(Agent& agent);

  // VMInit: says where it listens and starts its thread.
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);
  // Blocks until the first debugger has come. The VM's main thread, with suspend=y.
  void wait_for_debugger();
  // Commands are served from now on; before, VM_START must have been sent.
  void allow_commands();
  // Ends the connection, after a reply has been sent. Any thread.
  void disconnect();
  // The same when the VM dies: a command in progress is answered first, if it does not take long.
  void finish();

 private:
  Session(Agent& agent, std::optional<Listener> listener, Socket connected);

  void run();
  [[nodiscard]] std::optional<Socket> next_debugger();
  [[nodiscard]] bool listen_again();
  void serve(Socket socket);
  void restore();
  void announce() const;
  void give_up(const TransportError& error) const;

  Agent& agent_;
  std::optional<Listener> listener_;
  Socket connected_;  // server=n: shaken hands, not yet served
  Address address_;   // with the port that was chosen

  std::timed_mutex in_command_;  // held while a command is carried out
  std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<Connection> connection_;
  bool came_ = false;  // a debugger has been there
  bool commands_allowed_ = false;
};

}  // namespace jvmdebug::agent
