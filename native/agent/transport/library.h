// SPDX-License-Identifier: Apache-2.0
//
// A transport library (transport=NAME, libNAME.so): how it is found and loaded, and its functions
// with their errors as texts. It has one connection at a time, and shakes hands itself. Knows no
// sockets and no packets. Used by library_link only.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "agent/transport/library_interface.h"
#include "agent/transport/sockets.h"

namespace jvmdebug::agent {

// What a transport library needs of the VM that loads it.
struct LibraryHost {
  void* vm = nullptr;  // the JavaVM
  std::string
      folders;  // sun.boot.library.path: where the JDK's own libraries are, separated by `:`
};

class TransportLibrary {
 public:
  // Looks in the JDK's folders, then where the system looks. The library is never unloaded: threads
  // may be in it until the process ends.
  [[nodiscard]] static std::expected<std::shared_ptr<TransportLibrary>, TransportError> load(
      const std::string& name, const LibraryHost& host);

  [[nodiscard]] const std::string& name() const { return name_; }

  // Says who may connect; empty: everybody. Called before start_listening().
  [[nodiscard]] std::expected<void, TransportError> allow(const std::string& peers);

  // Returns the address at which the library listens.
  [[nodiscard]] std::expected<std::string, TransportError> start_listening(
      const std::optional<std::string>& address);
  // Makes accept() end, now or later. Any thread.
  void stop_listening();
  // Returns when a debugger has connected and shaken hands. No timeout: no limit.
  [[nodiscard]] std::expected<void, TransportError> accept(
      std::optional<std::chrono::milliseconds> timeout);
  [[nodiscard]] std::expected<void, TransportError> attach(
      const std::string& address, std::optional<std::chrono::milliseconds> timeout);

  // Reads a packet, whose data is to be given to free(). One without a length: the peer has
  // disconnected. Blocks until close().
  [[nodiscard]] std::expected<void, TransportError> read(library_interface::Packet& packet);
  [[nodiscard]] std::expected<void, TransportError> write(const library_interface::Packet& packet);
  // Whether there is a connection. Any thread.
  [[nodiscard]] bool is_open() const;
  static void free(void* data);
  // Ends the connection, and read() and write() with it. Any thread.
  void close();

 private:
  TransportLibrary(std::string name, library_interface::Environment* environment,
                   std::int32_t version)
      : name_(std::move(name)), environment_(environment), version_(version) {}

  [[nodiscard]] const library_interface::Functions& functions() const {
    return *environment_->functions;
  }

  [[nodiscard]] std::string last_error() const;
  [[nodiscard]] std::unexpected<TransportError> failed(std::string_view what,
                                                       std::int32_t error) const;

  const std::string name_;
  library_interface::Environment* const environment_;
  const std::int32_t version_;
};

}  // namespace jvmdebug::agent
