// SPDX-License-Identifier: Apache-2.0
#include "agent/session.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "agent/dispatcher.h"
#include "agent/events/request_table.h"
#include "agent/events/sender.h"
#include "agent/threads/thread_table.h"

namespace jvmdebug::agent {

std::expected<std::unique_ptr<Session>, TransportError> Session::open(Agent& agent) {
  const Options& options = agent.options();
  if (!options.server) {
    auto socket = connect_out(options);
    if (!socket) {
      return std::unexpected(socket.error());
    }
    return std::unique_ptr<Session>(new Session(agent, std::nullopt, *std::move(socket)));
  }
  auto listener = Listener::open(options.address);
  if (!listener) {
    return std::unexpected(listener.error());
  }
  return std::unique_ptr<Session>(new Session(agent, *std::move(listener), Socket()));
}

Session::Session(Agent& agent, std::optional<Listener> listener, Socket connected)
    : agent_(agent),
      listener_(std::move(listener)),
      connected_(std::move(connected)),
      address_(agent.options().address) {
  if (listener_) {
    // A program that is debugged twice is found at the same port the second time.
    address_.port = listener_->port();
  }
}

Result<void> Session::start(const jvm::Jni& jni) {
  announce();
  // The name is that of the JDK's own agent, which tools know to leave out.
  return agent_.threads().start_agent_thread(jni, "JDWP Transport Listener: dt_socket",
                                             [this] { run(); });
}

void Session::announce() const {
  if (listener_ && !agent_.options().quiet) {
    std::printf("Listening for transport dt_socket at address: %u\n",
                static_cast<unsigned>(address_.port));
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
  const std::scoped_lock lock(mutex_);
  if (connection_) {
    connection_->shut_down();
  }
}

void Session::finish() {
  constexpr auto kPatience = std::chrono::seconds{2};
  const std::unique_lock answered(in_command_, kPatience);
  disconnect();
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
  Options options = agent_.options();
  if (came_) {
    options.timeout.reset();  // it limits the wait for the first one
  }
  if (!listener_) {
    return std::nullopt;
  }
  auto socket = listener_->accept(options);
  // As with the JDK's own agent nobody listens while a debugger is there: others are refused.
  listener_.reset();
  if (!socket) {
    give_up(socket.error());
    return std::nullopt;
  }
  return *std::move(socket);
}

void Session::give_up(const TransportError& error) const {
  std::fprintf(stderr, "jvmdebug: %s\n", error.message.c_str());
  if (agent_.options().suspend && !came_) {
    // The program waits for a debugger that will not come.
    std::fputs("jvmdebug: the VM was to be suspended until a debugger comes; it ends now\n",
               stderr);
    std::fflush(stderr);
    std::_Exit(EXIT_FAILURE);
  }
}

bool Session::listen_again() {
  constexpr int kAttempts = 50;
  constexpr auto kPause = std::chrono::milliseconds{100};
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto listener = Listener::open(address_);
    if (listener) {
      listener_ = *std::move(listener);
      announce();
      return true;
    }
    if (attempt + 1 == kAttempts) {
      std::fprintf(stderr, "jvmdebug: no debugger can connect any more: %s\n",
                   listener.error().message.c_str());
    }
    std::this_thread::sleep_for(kPause);  // somebody else took the port for a moment
  }
  return false;
}

void Session::serve(Socket socket) {
  const auto connection = std::make_shared<Connection>(std::move(socket));
  agent_.sender().connect(connection);
  {
    std::unique_lock lock(mutex_);
    connection_ = connection;
    came_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return commands_allowed_; });
  }
  while (const auto packet = connection->read_packet()) {
    const std::scoped_lock lock(in_command_);
    dispatch(agent_, connection, *packet);
  }
  connection->shut_down();
  {
    const std::scoped_lock lock(mutex_);
    connection_.reset();
  }
  restore();
}

// The order matters: no new events, none in the making, then everybody runs.
void Session::restore() {
  const jvm::LocalFrame frame(agent_.jni());
  agent_.requests().clear_all();
  agent_.sender().disconnect();
  if (agent_.vm_is_dead()) {
    return;
  }
  agent_.threads().release_all();
  agent_.objects().clear();
  agent_.method_ids().clear();
  agent_.field_ids().clear();
}

}  // namespace jvmdebug::agent
