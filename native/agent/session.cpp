// SPDX-License-Identifier: Apache-2.0
#include "agent/session.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "agent/commands/prefetched_keys.h"
#include "agent/dispatcher.h"
#include "agent/events/callback_guard.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/jvm/agent_properties.h"
#include "agent/launch.h"
#include "agent/threads/stepper.h"
#include "agent/threads/suspension.h"
#include "agent/threads/thread_registry.h"

namespace jvmdebug::agent {
namespace {

// What is held of one packet: before a command of JDWP has been carried out the peer may be
// anybody who knows the handshake; afterwards room for 33 million longs of an array.
constexpr std::size_t kLongestFirstPacket = std::size_t{64} * 1024;
constexpr std::size_t kLongestPacket = std::size_t{256} * 1024 * 1024;

// For the debugger to close its side after we have closed ours.
constexpr auto kGoodbye = std::chrono::seconds{2};

}  // namespace

std::expected<std::unique_ptr<Session>, TransportError> Session::open(Agent& agent) {
  const Options& options = agent.options();
  if (!options.server) {
    auto socket = connect_out(options);
    if (!socket) {
      return std::unexpected(socket.error());
    }
    return std::unique_ptr<Session>(new Session(agent, nullptr, *std::move(socket)));
  }
  auto listener = Listener::open(options.address);
  if (!listener) {
    return std::unexpected(listener.error());
  }
  return std::unique_ptr<Session>(new Session(agent, *std::move(listener), Socket()));
}

Session::Session(Agent& agent, std::shared_ptr<Listener> listener, Socket connected)
    : agent_(agent),
      connected_(std::move(connected)),
      address_(listener ? listener->address() : agent.options().address),
      listener_(std::move(listener)) {}

Result<void> Session::start(const jvm::Jni& jni) {
  const Options& options = agent_.options();
  if (options.server) {
    publish_address(true);
  }
  std::optional<std::string> obstacle;
  if (options.server && !options.launch.empty()) {
    obstacle = launch_debugger(options.launch, address_.transport_name(), address_.announced());
    if (obstacle) {
      std::fprintf(stderr, "jvmdebug: %s; connect a debugger by hand\n", obstacle->c_str());
    }
  }
  if (options.launch.empty() || obstacle) {
    announce();
  }
  // The name is that of the JDK's own agent, which tools know to leave out.
  const std::string name = "JDWP Transport Listener: " + std::string(address_.transport_name());
  return agent_.threads().own_threads().start(jni, name.c_str(), [this] { run(); });
}

// Where tools look that attach to a process by its number (JDI's ProcessAttach, editors).
void Session::publish_address(bool listening) const {
  const std::string where = std::string(address_.transport_name()) + ":" + address_.announced();
  // Without it such tools fail, and say so.
  (void)jvm::set_agent_property(agent_.jni(), "sun.jdwp.listenerAddress", listening ? where : "");
}

void Session::announce() const {
  if (agent_.options().server && !agent_.options().quiet) {
    const auto transport = address_.transport_name();
    std::printf("Listening for transport %.*s at address: %s\n", static_cast<int>(transport.size()),
                transport.data(), address_.announced().c_str());
    std::fflush(stdout);
  }
}

void Session::wait_for_debugger() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return came_; });
}

void Session::allow_commands() {
  const std::scoped_lock lock(mutex_);
  commands_allowed_ = true;
  changed_.notify_all();
}

void Session::disconnect() {
  (void)end_output();
}

std::shared_ptr<Connection> Session::end_output() {
  const std::scoped_lock lock(mutex_);
  if (connection_) {
    connection_->end_output();
  }
  if (listener_ && agent_.vm_is_dead()) {
    listener_->remove_file();  // its thread may wait in accept() until the process ends
  }
  return connection_;
}

void Session::hurry() {
  const std::scoped_lock lock(mutex_);
  if (connection_) {
    connection_->hurry();
  }
}

void Session::finish() {
  constexpr auto kPatience = std::chrono::seconds{2};
  {
    const std::unique_lock answered(in_command_, kPatience);
    if (!end_output()) {
      return;
    }
  }
  // Its thread drops what the debugger still asks.
  std::unique_lock lock(mutex_);
  (void)changed_.wait_for(lock, kGoodbye, [this] { return !connection_; });
}

void Session::finish_in_command() {
  if (const auto connection = end_output()) {
    connection->drain(Clock::now() + kGoodbye);
  }
}

void Session::run() {
  while (auto socket = next_debugger()) {
    serve(*std::move(socket));
    if (!agent_.options().server || agent_.vm_is_dead() || !listen_again()) {
      return;
    }
  }
}

std::optional<Socket> Session::next_debugger() {
  if (connected_.open()) {
    return std::move(connected_);
  }
  const Options& options = agent_.options();
  std::shared_ptr<Listener> listener;
  std::optional<std::chrono::milliseconds> timeout;
  {
    const std::scoped_lock lock(mutex_);
    listener = listener_;
    if (!came_) {
      timeout = options.timeout;  // it limits the wait for the first one
    }
  }
  if (!listener) {
    return std::nullopt;
  }
  auto socket = listener->accept(options.allow, timeout);
  if (!socket) {
    give_up(socket.error());
    return std::nullopt;
  }
  // As with the JDK's own agent nobody listens while a debugger is there: others are refused.
  stop_listening();
  publish_address(false);
  return *std::move(socket);
}

void Session::stop_listening() {
  const std::scoped_lock lock(mutex_);
  listener_.reset();
}

// The debugger that was to come does not come. The JDK's own agent ends the VM then, with this
// code, suspended or not.
void Session::give_up(const TransportError& error) {
  if (agent_.vm_is_dead()) {
    return;
  }
  if (!error.jdk_message.empty()) {
    std::fprintf(stderr, "ERROR: %s\n", error.jdk_message.c_str());
  }
  std::fprintf(stderr, "jvmdebug: %s; the VM ends\n", error.message.c_str());
  std::fflush(stderr);
  stop_listening();
  std::_Exit(EXIT_SUCCESS);
}

bool Session::listen_again() {
  // Somebody else has the port for a moment, or there are no descriptors left. The program may run
  // for long, so there is no end to it.
  constexpr int kQuickAttempts = 50;
  constexpr auto kPause = std::chrono::milliseconds{100};
  constexpr auto kLongPause = std::chrono::seconds{1};
  for (int attempt = 1; !agent_.vm_is_dead(); ++attempt) {
    auto listener = Listener::open(address_);
    if (listener) {
      {
        const std::scoped_lock lock(mutex_);
        if (agent_.vm_is_dead()) {
          return false;
        }
        listener_ = *std::move(listener);
      }
      publish_address(true);
      announce();
      return true;
    }
    if (attempt == kQuickAttempts) {
      std::fprintf(stderr, "jvmdebug: no debugger can connect, and it is tried again: %s\n",
                   listener.error().message.c_str());
    }
    std::this_thread::sleep_for(attempt < kQuickAttempts ? kPause : kLongPause);
  }
  return false;
}

void Session::serve(Socket socket) {
  const auto connection =
      std::make_shared<Connection>(std::move(socket), agent_.options().modified_utf8);
  agent_.sender().connect(connection);
  {
    std::unique_lock lock(mutex_);
    connection_ = connection;
    came_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return commands_allowed_; });
  }
  events::contain_exceptions("the connection to the debugger was lost", [&] {
    std::size_t longest = kLongestFirstPacket;
    while (!connection->output_has_ended()) {
      const auto packet = connection->read_packet(longest);
      if (!packet) {
        return;
      }
      const std::scoped_lock lock(in_command_);
      if (dispatch(agent_, connection, *packet)) {
        longest = kLongestPacket;
      }
    }
  });
  connection->end_output();
  restore();
  connection->drain(Clock::now() + kGoodbye);
  connection->shut_down();
  const std::scoped_lock lock(mutex_);
  connection_.reset();
  changed_.notify_all();
}

// Those that stood in an event are about to leave it. One that runs a method which the debugger has
// left behind may stay there for long: it is kept until it ends.
void Session::forget_virtual_threads() {
  constexpr int kAttempts = 20;
  constexpr auto kPause = std::chrono::milliseconds{5};
  for (int attempt = 1; !agent_.threads().forget_virtual() && attempt < kAttempts; ++attempt) {
    std::this_thread::sleep_for(kPause);
  }
}

// The order matters: no new events, none in the making, then everybody runs.
void Session::restore() {
  const jvm::LocalFrame frame(agent_.jni());
  agent_.requests().clear_all();
  agent_.sender().disconnect();
  if (agent_.vm_is_dead()) {
    return;
  }
  agent_.stepper().resuming();
  agent_.suspension().release_all();
  agent_.breakpoints().settle();
  forget_virtual_threads();
  agent_.objects().clear();
  agent_.method_ids().clear();
  agent_.field_ids().clear();
  agent_.prefetched_keys().clear();
}

}  // namespace jvmdebug::agent
