// SPDX-License-Identifier: Apache-2.0
//
// Listens on a TCP or UNIX-domain socket (Listener::open).
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "agent/transport/handshakes.h"
#include "agent/transport/sockets.h"
#include "agent/transport/tcp.h"
#include "agent/transport/token_gate.h"
#include "agent/transport/transport.h"
#include "agent/transport/unix_socket.h"

namespace jvmdebug::agent {
namespace {

class SocketListener : public Listener {
 public:
  SocketListener(Socket socket, Address address, platform::SocketFile file,
                 const std::vector<TokenFile>& tokens)
      : socket_(std::move(socket)),
        gate_(tokens.empty() ? nullptr : std::make_unique<TokenGate>(tokens)),
        handshakes_(gate_.get()),
        address_(std::move(address)),
        file_(std::move(file)) {}

  [[nodiscard]] Address address() const override { return address_; }

  [[nodiscard]] std::expected<Greeting, TransportError> accept(
      const std::vector<Network>& allow, std::optional<std::chrono::milliseconds> timeout) override;

  void close() override {
    remove_file();
    is_closed_ = true;
    // From here on nothing is accepted, where the system does that for a listening socket.
    platform::shut_down(socket_.descriptor());
    handshakes_.wake();
  }

  void remove_file() const override { file_.remove(); }

 private:
  Socket socket_;
  const std::unique_ptr<TokenGate> gate_;
  Handshakes handshakes_;
  std::atomic<bool> is_closed_ = false;
  const Address address_;
  platform::SocketFile file_;
};

std::expected<Greeting, TransportError> SocketListener::accept(
    const std::vector<Network>& allow, std::optional<std::chrono::milliseconds> timeout) {
  const auto deadline = deadline_after(timeout);
  while (handshakes_.wait(socket_, deadline)) {
    if (is_closed_) {
      return std::unexpected(TransportError{.message = "the agent does not listen any more"});
    }
    if (auto debugger = handshakes_.finished()) {
      return *std::move(debugger);
    }
    if (!handshakes_.somebody_connects()) {
      continue;
    }
    auto peer =
        address_.is_unix() ? unix_socket::accept_from(socket_) : tcp::accept_from(socket_, allow);
    if (!peer) {
      return std::unexpected(std::move(peer.error()));
    }
    if (*peer) {
      handshakes_.add(*std::move(*peer));
    }
  }
  return std::unexpected(TransportError{
      .message = "no debugger connected to " + address_.announced() + " within timeout=" +
                 std::to_string(timeout.value_or(std::chrono::milliseconds{}).count()),
      .jdk_message = "transport error 203: timed out waiting for connection"});
}

}  // namespace

std::expected<std::shared_ptr<Listener>, TransportError> Listener::open(
    const Address& address, const std::vector<TokenFile>& tokens) {
  Address chosen = address;
  if (address.is_unix()) {
    auto listening = unix_socket::listen_on(address.socket_path);
    if (!listening) {
      return std::unexpected(listening.error());
    }
    return std::make_shared<SocketListener>(std::move(listening->socket), std::move(chosen),
                                            std::move(listening->file), tokens);
  }
  auto listening = tcp::listen_on(address);
  if (!listening) {
    return std::unexpected(listening.error());
  }
  // Keeps the same port when a program is debugged a second time.
  chosen.port = listening->port;
  return std::make_shared<SocketListener>(std::move(listening->socket), std::move(chosen),
                                          platform::SocketFile(), tokens);
}

}  // namespace jvmdebug::agent
