// SPDX-License-Identifier: Apache-2.0
#include "agent/session.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "agent/commands/prefetched_keys.h"
#include "agent/coverage/coverage.h"
#include "agent/dispatcher.h"
#include "agent/events/breakpoints.h"
#include "agent/events/callback_guard.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/heap/heap_events.h"
#include "agent/ids/field_ids.h"
#include "agent/ids/method_ids.h"
#include "agent/ids/object_table.h"
#include "agent/jvm/agent_properties.h"
#include "agent/jvmti_access/access.h"
#include "agent/launch.h"
#include "agent/origins/origins.h"
#include "agent/probes/probe_table.h"
#include "agent/recording/recording.h"
#include "agent/sampling/sampler.h"
#include "agent/stop_watch.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"
#include "agent/transport/library_listener.h"
#include "codec/generated/agent.h"

namespace jvmdebug::agent {
namespace {

// The longest packet that is accepted. Until a JDWP command has been carried out, the peer may be
// anything that knows the handshake; afterwards there is room for an array of 33 million longs.
constexpr std::size_t kLongestFirstPacket = std::size_t{64} * 1024;
constexpr std::size_t kLongestPacket = std::size_t{256} * 1024 * 1024;

constexpr std::string_view kAddressProperty = "sun.jdwp.listenerAddress";

// How long the debugger may take to close its side after we have closed ours.
constexpr auto kCloseTimeout = std::chrono::seconds{2};
// The same when the VM ends.
constexpr auto kLastTimeout = std::chrono::milliseconds{400};
constexpr auto kPiece = std::chrono::milliseconds{10};
// The same for a debugger whose session another one takes over.
constexpr auto kTakeOverTimeout = std::chrono::milliseconds{300};

LibraryHost library_host(const Agent& agent) {
  const jvm::Env& env = agent.jvmti();
  const auto folders = env.get_system_property("sun.boot.library.path");
  return LibraryHost{.vm = env.vm(), .folders = std::string(folders.view())};
}

// The threads are needed when the agent's parts exist.
ThreadStarter thread_starter(Agent& agent) {
  return [&agent](const std::string& name, std::function<void()> body) {
    auto& own_threads = agent.threads().own_threads();
    return own_threads.start(agent.jni(), name.c_str(), std::move(body)).has_value();
  };
}

}  // namespace

std::expected<std::unique_ptr<Session>, TransportError> Session::open(Agent& agent) {
  const Options& options = agent.options();
  if (!options.server) {
    return connect(agent);
  }
  auto listener = options.address.is_library()
                      ? listen_through_library(options, library_host(agent), thread_starter(agent))
                      : Listener::open(options.address, options.tokens);
  if (!listener) {
    return std::unexpected(listener.error());
  }
  return std::unique_ptr<Session>(new Session(agent, *std::move(listener), std::nullopt, nullptr));
}

std::expected<std::unique_ptr<Session>, TransportError> Session::connect(Agent& agent) {
  const Options& options = agent.options();
  if (options.address.is_library()) {
    auto link = connect_through_library(options, library_host(agent));
    if (!link) {
      return std::unexpected(link.error());
    }
    auto peer = (*link)->take_peer();
    return std::unique_ptr<Session>(new Session(agent, nullptr, std::move(peer), *std::move(link)));
  }
  auto peer = connect_out(options);
  if (!peer) {
    return std::unexpected(peer.error());
  }
  return std::unique_ptr<Session>(new Session(agent, nullptr, *std::move(peer), nullptr));
}

Session::Session(Agent& agent, std::shared_ptr<Listener> listener, std::optional<Peer> connected,
                 std::shared_ptr<LibraryLink> link)
    : agent_(agent),
      listener_(std::move(listener)),
      link_(std::move(link)),
      jvmti_access_(std::make_unique<jvmti_access::Access>(agent)),
      next_(std::move(connected)) {}

Session::~Session() = default;

Result<void> Session::start(const jvm::Jni& jni) {
  const Options& options = agent_.options();
  const Address address = this->address();
  if (options.server) {
    publish_address(true);
  }
  std::optional<std::string> obstacle;
  if (options.server && !options.launch.empty()) {
    obstacle = launch_debugger(options.launch, address.transport_name(), address.announced());
    if (obstacle) {
      std::fprintf(stderr, "jvmdebug: %s; connect a debugger by hand\n", obstacle->c_str());
    }
  }
  if (options.launch.empty() || obstacle) {
    announce();
  }
  return start_threads(jni);
}

Result<void> Session::start_threads(const jvm::Jni& jni) {
  // The name that the JDK's own agent uses; tools know it and hide the thread.
  const std::string name = "JDWP Transport Listener: " + address().transport_name();
  auto& own_threads = agent_.threads().own_threads();
  if (listener_) {
    if (auto started = own_threads.start(jni, name.c_str(), [this] { accept_debuggers(); });
        !started) {
      return started;
    }
  }
  if (const auto link = std::exchange(link_, nullptr)) {
    if (!link->start(thread_starter(agent_))) {
      return fail(protocol::Error::kOutOfMemory);
    }
  }
  return own_threads.start(jni, "JDWP Debugger Session", [this] {
    run();
    if (agent_.options().is_late && !agent_.vm_is_dead()) {
      agent_.retire();  // and with it this session
    }
  });
}

// Publishes the address for tools that attach to a process by its id (JDI's ProcessAttach,
// editors).
void Session::publish_address(bool listening) const {
  const Address address = this->address();
  const std::string where = address.transport_name() + ":" + address.announced();
  // If this fails, such tools fail with an error message.
  (void)jvm::set_agent_property(agent_.jni(), kAddressProperty, listening ? where : "");
}

Address Session::address() const {
  return listener_ ? listener_->address() : agent_.options().address;
}

void Session::announce() const {
  if (agent_.options().server && !agent_.options().quiet) {
    const Address address = this->address();
    std::printf("Listening for transport %s at address: %s\n", address.transport_name().c_str(),
                address.announced().c_str());
    std::fflush(stdout);
  }
}

void Session::wait_for_debugger() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return has_connected_; });
}

void Session::allow_commands() {
  const std::scoped_lock lock(mutex_);
  commands_allowed_ = true;
  changed_.notify_all();
}

void Session::disconnect(ReplyTo reply) {
  {
    // A client that has read the answer may connect again at once.
    const std::scoped_lock lock(mutex_);
    is_disconnecting_ = true;
  }
  reply.send();
  (void)end_output();
}

std::shared_ptr<Connection> Session::end_output() {
  const std::scoped_lock lock(mutex_);
  if (connection_) {
    connection_->end_output();
    changed_.notify_all();
  }
  if (listener_ && agent_.vm_is_dead()) {
    listener_->remove_file();  // its thread may wait in accept() until the process ends
  }
  return connection_;
}

void Session::end_by(const Deadline& deadline) {
  const std::scoped_lock lock(mutex_);
  if (connection_) {
    connection_->give_up_at(deadline);
  }
}

// Whether the VM can stop waiting for the debugger, even if the debugger has not closed its side.
// That is a moment after everything is delivered, so that what the debugger sends meanwhile is
// read: a process that ends with unread input resets the connection.
bool Session::has_left(const Connection& connection, Clock::time_point ended) {
  constexpr auto kMoment = std::chrono::milliseconds{100};
  const auto waited = Clock::now() - ended;
  return waited > kLastTimeout || (waited > kMoment && connection.is_delivered());
}

void Session::finish() {
  constexpr auto kCommandTimeout = std::chrono::milliseconds{300};
  std::shared_ptr<Connection> connection;
  {
    const std::unique_lock answered(in_command_, kCommandTimeout);
    connection = end_output();
  }
  // The session's thread drops further commands of the debugger.
  const auto ended = Clock::now();
  std::unique_lock lock(mutex_);
  while (connection_ && !has_left(*connection_, ended)) {
    (void)changed_.wait_for(lock, kPiece, [this] { return !connection_; });
  }
  lock.unlock();
  if (connection) {
    connection->shut_down();
  }
  stop_listening();
}

void Session::finish_in_command() {
  const auto connection = end_output();
  const auto ended = Clock::now();
  while (connection && !connection->drain(Clock::now() + kPiece) && !has_left(*connection, ended)) {
  }
  stop_listening();
}

void Session::run() {
  while (const auto connection = next_debugger()) {
    serve(connection);
    if (!listener_ || agent_.vm_is_dead()) {
      return;
    }
    bool is_free = false;
    {
      const std::scoped_lock lock(mutex_);
      is_free = !next_;
      has_ended_ = is_free && agent_.options().is_late;
    }
    if (has_ended_) {
      return;
    }
    if (is_free) {
      if (const auto listens = listener_->listen_again(); !listens) {
        end_vm(listens.error());
        return;
      }
      publish_address(true);
      announce();
    }
  }
}

// Returns the next debugger, or null when none is to be served. next_ becomes connection_ under one
// lock, so a further debugger always finds one of the two set.
std::shared_ptr<Connection> Session::next_debugger() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (auto next = std::exchange(next_, std::nullopt)) {
      connection_ = std::make_shared<Connection>(*std::move(next), agent_.options().modified_utf8);
      is_disconnecting_ = false;
      knows_commands_ = false;
      return connection_;
    }
    if (has_ended_) {
      return nullptr;
    }
    changed_.wait(lock);
  }
}

void Session::stop_listening() {
  {
    const std::scoped_lock lock(mutex_);
    has_ended_ = true;
    changed_.notify_all();
  }
  if (!agent_.vm_is_dead()) {
    (void)jvm::remove_agent_property(agent_.jni(), kAddressProperty);
  }
  if (listener_) {
    listener_->close();
  }
}

void Session::accept_debuggers() {
  const Options& options = agent_.options();
  std::optional<std::chrono::milliseconds> timeout = options.timeout;  // for the first debugger
  while (true) {
    auto greeting = listener_->accept(options.allow, timeout);
    if (!greeting) {
      end_vm(greeting.error());
      return;
    }
    timeout.reset();
    receive(*std::move(greeting));
  }
}

void Session::receive(Greeting greeting) {
  std::unique_lock lock(mutex_);
  if (agent_.vm_is_dead() || has_ended_) {
    return;
  }
  if (greeting.rejoining) {
    if (!takes_back(greeting)) {
      (void)write_at_once(greeting.peer.socket.descriptor(), codec::kNotRejoined);
    }
    return;
  }
  const auto busy = busy_with();
  const auto descriptor = greeting.peer.socket.descriptor();
  if (busy && !greeting.takes_over) {
    (void)write_at_once(descriptor, std::string(codec::kBusy) + busy->name + " " +
                                        std::to_string(busy->time.count()) + "\n");
    return;
  }
  if (!greeting.is_answered && !write_at_once(descriptor, codec::kHandshake)) {
    return;  // has disconnected
  }
  const std::string name = greeting.peer.name;
  // A debugger that waits to be served is replaced, and its connection is closed.
  next_ = std::move(greeting.peer);
  // Read under the lock: afterwards connection_ may be the new debugger's.
  const auto replaced = busy ? connection_ : nullptr;
  is_disconnecting_ |= replaced != nullptr;
  const bool knows_commands = knows_commands_;
  changed_.notify_all();
  lock.unlock();
  if (busy) {
    std::fprintf(stderr, "jvmdebug: %s takes over from %s\n", name.c_str(), busy->name.c_str());
  }
  if (replaced) {
    end_session_of(replaced, knows_commands ? std::optional(name) : std::nullopt);
  }
}

// Returns the connected debugger, because of which others are refused. One that is about to
// disconnect does not count.
std::optional<Session::ConnectedDebugger> Session::busy_with() const {
  if (next_ && !platform::peer_has_closed(next_->socket.descriptor())) {
    return ConnectedDebugger{.name = next_->name, .time = {}};
  }
  if (!connection_ || is_disconnecting_ || (connection_->is_over() && !is_held_)) {
    return std::nullopt;
  }
  const auto time = Clock::now() - connection_->since();
  return ConnectedDebugger{.name = connection_->peer(),
                           .time = std::chrono::duration_cast<std::chrono::seconds>(time)};
}

// Ends a session that another debugger takes over; a debugger that understands our events is told
// which one. The old debugger may be a forgotten one, or one that does not read.
void Session::end_session_of(const std::shared_ptr<Connection>& connection,
                             const std::optional<std::string>& successor) {
  connection->shorten_timeouts();
  if (successor) {
    codec::Writer writer = connection->writer();
    protocol::agent::TakenOver{.by = *successor}.write(writer);
    const auto packet = codec::pack_command(0, protocol::agent::TakenOver::kCommandSet,
                                            protocol::agent::TakenOver::kCommand, writer.bytes());
    if (packet) {
      connection->write_last(*packet);
    }
  }
  connection->end_output();
  std::unique_lock lock(mutex_);
  if (!changed_.wait_for(lock, kTakeOverTimeout, [&] { return connection_ != connection; })) {
    connection->shut_down();
  }
}

// Ends the VM because no debugger has connected in time. The JDK's own agent does that too, with
// this code, whether the VM is suspended or not.
void Session::end_vm(const TransportError& error) {
  if (agent_.vm_is_dead()) {
    return;
  }
  if (agent_.options().is_late) {
    const std::scoped_lock lock(mutex_);
    has_ended_ = !connection_ && !next_;  // else it ends with the debugger that is served
    changed_.notify_all();
    return;
  }
  if (!error.jdk_message.empty()) {
    std::fprintf(stderr, "ERROR: %s\n", error.jdk_message.c_str());
  }
  std::fprintf(stderr, "jvmdebug: %s; the VM ends\n", error.message.c_str());
  std::fflush(stderr);
  listener_->remove_file();
  std::_Exit(EXIT_SUCCESS);
}

void Session::serve(const std::shared_ptr<Connection>& connection) {
  if (listener_) {
    publish_address(false);
  }
  agent_.sender().connect(connection);
  {
    std::unique_lock lock(mutex_);
    has_connected_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return commands_allowed_; });
  }
  const auto stop_watch = StopWatch::start(agent_, connection);
  std::size_t longest = kLongestFirstPacket;
  do {
    jvm::contain_exceptions("the connection to the debugger was lost",
                            [&] { serve_commands(connection, longest); });
  } while (comes_back(connection));
  forget_link();
  if (stop_watch) {
    stop_watch->end();
  }
  connection->end_output();
  restore();
  drain(*connection);
  connection->shut_down();
  const std::scoped_lock lock(mutex_);
  connection_.reset();
  changed_.notify_all();
}

void Session::serve_commands(const std::shared_ptr<Connection>& connection, std::size_t& longest) {
  while (!connection->output_has_ended()) {
    sweeps_.run_until(agent_.probes(),
                      [&](Clock::time_point next) { return connection->wait_to_read(next); });
    const auto packet = connection->read_packet(longest);
    if (!packet) {
      return;
    }
    const std::scoped_lock lock(in_command_);
    if (dispatch(agent_, connection, *packet)) {
      longest = kLongestPacket;
      note_own_command(packet->header);
    }
  }
}

// Gives the debugger time to close its side, unless another one waits.
void Session::drain(Connection& connection) {
  const auto until = Clock::now() + kCloseTimeout;
  bool others_wait = false;
  while (!others_wait && Clock::now() < until && !connection.drain(Clock::now() + kPiece)) {
    const std::scoped_lock lock(mutex_);
    others_wait = next_.has_value();
  }
}

// A debugger that uses our commands understands our events.
void Session::note_own_command(const codec::Header& header) {
  if (header.command_set == protocol::agent::TakenOver::kCommandSet) {
    const std::scoped_lock lock(mutex_);
    knows_commands_ = true;
  }
}

// A thread that still runs a method for the debugger may take long; it is tracked until it ends.
void Session::forget_virtual_threads() {
  constexpr int kAttempts = 20;
  constexpr auto kPause = std::chrono::milliseconds{5};
  for (int attempt = 1; !agent_.threads().forget_virtual() && attempt < kAttempts; ++attempt) {
    std::this_thread::sleep_for(kPause);
  }
}

// The order matters: no new events, none being sent, then all threads run.
void Session::restore() {
  const jvm::LocalFrame frame(agent_.jni());
  agent_.sampler().end();
  agent_.requests().clear_all();
  agent_.sender().disconnect();
  if (agent_.vm_is_dead()) {
    return;
  }
  agent_.heap_events().debugger_left();
  agent_.coverage().stop();
  agent_.origins().stop();
  agent_.recording().forget();
  agent_.probes().sweep(code::Sweep::kWholly);  // what threads have kept just now
  agent_.probes().log().close();
  jvmti_access_->end(agent_.jni());
  agent_.stepper().debugger_left();
  agent_.stepper().resuming();
  agent_.suspension().release_all();
  agent_.breakpoints().clear_removed();
  agent_.sender().run_soon([] {}, true);  // threads that wait in Java have been woken
  forget_virtual_threads();
  agent_.objects().clear();
  agent_.method_ids().clear();
  agent_.field_ids().clear();
  agent_.prefetched_keys().clear();
  agent_.tells_threads(0);
}

}  // namespace jvmdebug::agent
