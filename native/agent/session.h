// SPDX-License-Identifier: Apache-2.0
//
// The life of connections, one debugger at a time: listen or connect out, serve commands, and when
// the debugger has gone (disposed, closed, lost) put the program back as it was: requests cleared,
// everything resumed, ids released; then listen again (server=y). Runs on one agent thread.
#pragma once

#include <expected>
#include <memory>
#include <mutex>
#include <optional>

#include "agent/agent.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/transport/transport.h"

namespace jvmdebug::agent {

class Session {
 public:
  // Listens, or connects out and shakes hands.
  static std::expected<std::unique_ptr<Session>, TransportError> open(Agent& agent);

  // Starts its thread, then says where it listens or starts the debugger (launch=).
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);
  // Blocks until the first debugger has come. The VM's main thread, with suspend=y.
  void wait_for_debugger();
  // Commands are served from now on; before, VM_START must have been sent.
  void allow_commands();

  [[nodiscard]] const Address& address() const { return address_; }

  // Ends the connection, after the reply to a command has been sent. The session's thread sees to
  // the rest when the command is done.
  void disconnect();
  // The VM is about to end and must not wait for a debugger that does not read. Any thread.
  void hurry();
  // Ends the connection when the VM dies: a command in progress is answered first, if it does not
  // take long, and the debugger has a moment to read the last event and to close.
  void finish();
  // The same on the thread of the command that ends the VM, which has been answered.
  void finish_in_command();
  // The debugger has gone: all that it asked for is taken back, everybody runs. The session's
  // thread, and tests.
  void restore();

 private:
  Session(Agent& agent, std::shared_ptr<Listener> listener, Socket connected);

  void run();
  [[nodiscard]] std::optional<Socket> next_debugger();
  [[nodiscard]] bool listen_again();
  void serve(Socket socket);
  void announce() const;
  void publish_address(bool listening) const;
  void stop_listening();
  void give_up(const TransportError& error);
  void forget_virtual_threads();
  std::shared_ptr<Connection> end_output();

  Agent& agent_;
  Socket connected_;       // server=n: shaken hands, not yet served
  const Address address_;  // with the port that was chosen

  RankedMutex<Rank::kCommand, std::timed_mutex> in_command_;  // held while a command is carried out
  RankedMutex<Rank::kSession> mutex_;
  Condition changed_;
  std::shared_ptr<Listener> listener_;
  std::shared_ptr<Connection> connection_;
  bool came_ = false;  // a debugger has been there
  bool commands_allowed_ = false;
};

}  // namespace jvmdebug::agent
