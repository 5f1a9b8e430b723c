// SPDX-License-Identifier: Apache-2.0
//
// The life of connections, one debugger at a time: listen or connect out, serve commands, and when
// the debugger has disconnected (disposed, closed, lost), undo all that it did: clear its requests,
// resume all threads, release its ids; then wait for the next one (server=y). All of that runs on
// one agent thread. Another one accepts debuggers for as long as the VM lives: a second debugger is
// told who is connected, or takes over if its greeting says so. A transport library listens for one
// debugger at a time instead.
// A debugger that has asked for it (Agent.Link) may lose its link and come back: until then the
// connection, the requests and the ids stay, and the program goes on or is held, as it has asked.
// Another debugger may come meanwhile, which ends that.
// An agent that was loaded into a running VM serves one debugger, and those that take over from it;
// then it ends (Agent::retire).
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "agent/agent.h"
#include "agent/idle_sweeps.h"
#include "agent/locks/ranked_mutex.h"
#include "agent/reply_to.h"
#include "agent/transport/library_link.h"
#include "agent/transport/link_watch.h"
#include "agent/transport/transport.h"
#include "codec/generated/agent.h"

namespace jvmdebug::agent {

namespace jvmti_access {
class Access;
}  // namespace jvmti_access

class Session {
 public:
  // Listens, or connects out and shakes hands.
  static std::expected<std::unique_ptr<Session>, TransportError> open(Agent& agent);

  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  Session(Session&&) = delete;
  Session& operator=(Session&&) = delete;
  ~Session();

  // Starts its thread, then says where it listens or starts the debugger (launch=).
  [[nodiscard]] Result<void> start(const jvm::Jni& jni);
  // Blocks until the first debugger has connected. Called on the VM's main thread, with suspend=y.
  void wait_for_debugger();
  // Lets commands be served from now on. VM_START must have been sent before.
  void allow_commands();

  // Returns the address where it listens now, or to which it has connected.
  [[nodiscard]] Address address() const;

  // The state of the Jvmti commands, which ends with the debugger. On the thread that runs
  // commands.
  [[nodiscard]] jvmti_access::Access& jvmti_access() { return *jvmti_access_; }

  // Watches the link to the debugger from now on, or changes the terms. On the thread that runs
  // commands.
  [[nodiscard]] Result<protocol::agent::LinkReply> watch_link(
      const protocol::agent::LinkRequest& request);

  // Answers the command with which the debugger disconnects, and ends the connection. The session's
  // thread does the rest when the command is done.
  void disconnect(ReplyTo reply);
  // Sets when to give up a debugger that does not read, because the VM ends. No deadline: the
  // debugger holds the end of the VM. Any thread.
  void end_by(const Deadline& deadline);
  // Ends the connection and the session's threads when the VM dies: a command in progress is
  // answered first, if it does not take long, and the debugger has a moment to read the last event
  // and to close.
  void finish();
  // The same on the thread of the command that ends the VM, which has been answered.
  void finish_in_command();
  // Stops accepting connections. Called on the session's thread, when a late-attached agent ends,
  // and when the VM is dead.
  void stop_listening();
  // The debugger has disconnected: undoes all that it requested and resumes all threads. The
  // session's thread, and tests.
  void restore();

 private:
  // A debugger, and for how long it has been connected.
  struct ConnectedDebugger {
    std::string name;
    std::chrono::seconds time;
  };

  // A debugger that has come back after its link was lost.
  struct Returned {
    Peer peer;
    std::int64_t received = 0;  // packets
  };

  Session(Agent& agent, std::shared_ptr<Listener> listener, std::optional<Peer> connected,
          std::shared_ptr<LibraryLink> link);

  [[nodiscard]] static std::expected<std::unique_ptr<Session>, TransportError> connect(
      Agent& agent);
  [[nodiscard]] Result<void> start_threads(const jvm::Jni& jni);
  void run();
  [[nodiscard]] std::shared_ptr<Connection> next_debugger();
  void serve(const std::shared_ptr<Connection>& connection);
  void serve_commands(const std::shared_ptr<Connection>& connection, std::size_t& longest);

  // Waits until the debugger comes back whose link is lost; false if it does not.
  [[nodiscard]] bool comes_back(const std::shared_ptr<Connection>& connection);
  [[nodiscard]] bool may_come_back(const Connection& connection) const;
  [[nodiscard]] std::optional<Returned> wait_for_rejoining(const Connection& connection,
                                                           Clock::time_point until);
  void hold(bool is_held);
  // The program runs without the debugger, which keeps its requests.
  void go_on();
  void end_link_watch();
  void forget_link();
  // Whether the greeting is that of the debugger whose link is lost, or of one that does not know
  // yet; takes it. The lock is held.
  [[nodiscard]] bool takes_back(Greeting& greeting);
  void drain(Connection& connection);
  static bool has_left(const Connection& connection, Clock::time_point ended);
  void note_own_command(const codec::Header& header);
  void announce() const;
  void publish_address(bool listening) const;
  void forget_virtual_threads();
  std::shared_ptr<Connection> end_output();

  // The body of the thread that accepts debuggers.
  void accept_debuggers();
  void receive(Greeting greeting);
  [[nodiscard]] std::optional<ConnectedDebugger> busy_with() const;
  void end_session_of(const std::shared_ptr<Connection>& connection,
                      const std::optional<std::string>& successor);
  void end_vm(const TransportError& error);

  Agent& agent_;
  const std::shared_ptr<Listener> listener_;  // null with server=n
  // The connection of a transport library with server=n, until its threads are started.
  std::shared_ptr<LibraryLink> link_;
  const std::unique_ptr<jvmti_access::Access> jvmti_access_;

  CommandLock in_command_;          // held while a command is carried out
  IdleSweeps sweeps_{in_command_};  // of the thread that runs commands
  RankedMutex<Rank::kSession> mutex_;
  Condition changed_;
  std::optional<Peer> next_;  // has shaken hands, is not served yet
  std::shared_ptr<Connection> connection_;
  bool is_disconnecting_ = false;  // the output to the debugger has ended
  bool knows_commands_ = false;    // the debugger has used our commands
  bool has_connected_ = false;     // a debugger has connected at least once
  bool commands_allowed_ = false;
  // What the debugger has asked for the link, null if it has not; the thread that reads sets it.
  std::shared_ptr<LinkWatch> link_watch_;
  LinkTerms link_terms_;
  std::string link_session_;          // its secret; empty if it cannot come back
  std::optional<Returned> returned_;  // the debugger that has come back
  bool is_held_ = false;              // the link is lost, and threads stay suspended
  bool has_ended_ = false;  // of an agent that was loaded late: no other debugger is served
};

}  // namespace jvmdebug::agent
