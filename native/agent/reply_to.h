// SPDX-License-Identifier: Apache-2.0
//
// The right to answer one command, once, from any thread, now or later. If it is destroyed without
// an answer, it answers INTERNAL, so no command stays unanswered. If the debugger has disconnected
// meanwhile, the answer is dropped.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <utility>
#include <vector>

#include "agent/transport/transport.h"
#include "codec/generated/constants.h"
#include "codec/writer.h"

namespace jvmdebug::agent {

class ReplyTo {
 public:
  ReplyTo(std::shared_ptr<Connection> connection, std::uint32_t packet_id)
      : connection_(std::move(connection)), packet_id_(packet_id) {}

  ReplyTo(ReplyTo&&) noexcept = default;
  ReplyTo& operator=(ReplyTo&&) = delete;
  ReplyTo(const ReplyTo&) = delete;
  ReplyTo& operator=(const ReplyTo&) = delete;

  ~ReplyTo() {
    if (connection_) {
      fail(protocol::Error::kInternal);
    }
  }

  // Answers a command that has no results.
  void send() { write(codec::pack_reply(packet_id_, protocol::Error::kNone, {})); }

  template <class Reply>
  void send(const Reply& reply) {
    if (!connection_) {
      return;
    }
    codec::Writer packet =
        codec::start_reply(connection_->writer(), packet_id_, protocol::Error::kNone);
    reply.write(packet);
    write(codec::finish_packet(std::move(packet)));
  }

  void fail(protocol::Error error) { write(codec::pack_reply(packet_id_, error, {})); }

  // Sends a command of the agent before the answer, while the VM is stopped, so the peer has to
  // read it soon. False when the debugger has disconnected.
  template <class Command>
  [[nodiscard]] bool send_before(const Command& command) {
    codec::Writer writer = connection_->writer();
    command.write(writer);
    const auto packet =
        codec::pack_command(0, Command::kCommandSet, Command::kCommand, writer.bytes());
    return packet && connection_->write_promptly(*packet);
  }

  // Whether the debugger has sent this command meanwhile.
  [[nodiscard]] bool is_asked(std::uint8_t command_set, std::uint8_t command) const {
    return connection_->is_asked(command_set, command);
  }

  // The connection that sent the command; null once the command is answered.
  [[nodiscard]] const Connection* connection() const { return connection_.get(); }

 private:
  void write(std::expected<std::vector<std::uint8_t>, codec::FramingError> packet) {
    const auto connection = std::exchange(connection_, nullptr);
    if (!connection) {
      return;
    }
    if (!packet) {  // longer than a packet may be
      packet = codec::pack_reply(packet_id_, protocol::Error::kOutOfMemory, {});
    }
    if (packet) {
      // A failed write has already shut the connection down; nothing else is to be done.
      (void)connection->write_packet(*packet);
    }
  }

  std::shared_ptr<Connection> connection_;
  std::uint32_t packet_id_;
};

}  // namespace jvmdebug::agent
