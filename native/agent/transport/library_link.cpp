// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/library_link.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "agent/scope.h"
#include "codec/packet.h"
#include "codec/reader.h"
#include "codec/writer.h"

namespace jvmdebug::agent {
namespace {

using library_interface::Packet;

constexpr std::size_t kLengthBytes = 4;

std::vector<std::uint8_t> header_of(const Packet& packet) {
  codec::Writer writer;
  writer.write_unsigned(static_cast<std::uint32_t>(packet.length), kLengthBytes);
  writer.write_unsigned(static_cast<std::uint32_t>(packet.id), 4);
  writer.write_unsigned(packet.flags, 1);
  if ((packet.flags & codec::kReplyFlag) != 0) {
    writer.write_unsigned(static_cast<std::uint16_t>(packet.error), 2);
  } else {
    writer.write_unsigned(packet.command_set, 1);
    writer.write_unsigned(packet.command, 1);
  }
  const auto bytes = writer.bytes();
  return {bytes.begin(), bytes.end()};
}

// Makes what a library takes of a whole packet, which must outlive the result.
std::optional<Packet> packet_of(std::span<std::uint8_t> bytes) {
  const auto header =
      codec::read_header(std::span<const std::uint8_t>(bytes).first<codec::kHeaderSize>());
  if (!header) {
    return std::nullopt;
  }
  Packet packet;
  packet.length = static_cast<std::int32_t>(header->length);
  packet.id = static_cast<std::int32_t>(header->id);
  packet.flags = header->flags;
  if (header->is_reply()) {
    packet.error = static_cast<std::int16_t>(header->error);
  } else {
    packet.command_set = header->command_set;
    packet.command = header->command;
  }
  packet.data = bytes.subspan(codec::kHeaderSize).data();
  return packet;
}

}  // namespace

std::expected<std::shared_ptr<LibraryLink>, TransportError> LibraryLink::open(
    std::shared_ptr<TransportLibrary> library, std::string name) {
  const auto ends = platform::socket_pair();
  if (!ends) {
    const auto error = transport_error("cannot serve", "transport=" + library->name(),
                                       platform::error_text(ends.error()));
    library->close();
    return std::unexpected(error);
  }
  return std::shared_ptr<LibraryLink>(new LibraryLink(std::move(library), std::move(name),
                                                      Socket(ends->front()), Socket(ends->back())));
}

Peer LibraryLink::take_peer() {
  // The link is kept as long as the peer: it is ended with the connection.
  return Peer{.socket = std::move(agents_),
              .name = name_,
              .end_of_link = [link = shared_from_this()] { link->end(); }};
}

std::expected<void, TransportError> LibraryLink::start(const ThreadStarter& start_thread) {
  const auto run = [&](const std::string& what, void (LibraryLink::*body)()) {
    {
      const std::scoped_lock lock(mutex_);
      ++threads_;
    }
    const bool started = start_thread("JDWP Transport " + what + ": " + library_->name(),
                                      [link = shared_from_this(), body] {
                                        const AtExit leaves([&] { link->left(); });
                                        ((*link).*body)();
                                      });
    if (!started) {
      left();
    }
    return started;
  };
  if (run("Reader", &LibraryLink::read) && run("Writer", &LibraryLink::write)) {
    return {};
  }
  end();
  return std::unexpected(TransportError{.message = "the VM has no thread for " + name_});
}

void LibraryLink::left() {
  const std::scoped_lock lock(mutex_);
  --threads_;
  changed_.notify_all();
}

void LibraryLink::end() {
  if (!has_ended_.exchange(true)) {
    library_->close();
  }
}

void LibraryLink::wait_for_end() {
  constexpr auto kPatience = std::chrono::seconds{5};
  std::unique_lock lock(mutex_);
  const auto none_left = [this] { return threads_ == 0; };
  if (!changed_.wait_for(lock, kPatience, none_left)) {
    std::fprintf(stderr,
                 "jvmdebug: transport=%s: the library still reads or writes after its connection "
                 "was closed; no other debugger can connect until it has ended that\n",
                 library_->name().c_str());
    changed_.wait(lock, none_left);
  }
}

void LibraryLink::report(const TransportError& error) const {
  if (!has_ended_ && library_->is_open()) {
    std::fprintf(stderr, "jvmdebug: disconnected from the debugger: %s\n", error.message.c_str());
  }
}

// --- from the library ------------------------------------------------------------------------

void LibraryLink::read() {
  while (true) {
    Packet packet;
    const auto got = library_->read(packet);
    const AtExit freed([&] { TransportLibrary::free(packet.data); });
    if (!got) {
      report(got.error());
    }
    if (!got || packet.length == 0 || !pass_on(packet)) {
      break;
    }
  }
  peer_has_left_ = true;
  platform::end_output(socket_.descriptor());
}

bool LibraryLink::pass_on(const Packet& packet) const {
  constexpr auto kHeader = static_cast<std::int32_t>(codec::kHeaderSize);
  const auto size = static_cast<std::size_t>(std::max(packet.length, kHeader) - kHeader);
  if (size > 0 && packet.data == nullptr) {
    return false;
  }
  return write_fully(socket_.descriptor(), header_of(packet)) &&
         write_fully(socket_.descriptor(), std::span<const std::uint8_t>(packet.data, size));
}

// --- to the library --------------------------------------------------------------------------

void LibraryLink::write() {
  while (write_next()) {
  }
  end();
  platform::shut_down(socket_.descriptor());
}

// Writes the next packet of the agent; false after the last one, or when the connection is gone.
bool LibraryLink::write_next() {
  const auto descriptor = socket_.descriptor();
  std::vector<std::uint8_t> bytes(kLengthBytes);
  if (!read_fully(descriptor, bytes)) {
    return false;
  }
  const auto length = static_cast<std::size_t>(codec::Reader(bytes).read_int());
  bytes.resize(std::max(length, codec::kHeaderSize));
  const auto rest = std::span(bytes).subspan(kLengthBytes);
  if (!read_fully(descriptor, rest.first(rest.size() - 1)) ||
      !platform::peek_byte(descriptor, bytes.back())) {
    return false;
  }
  const auto packet = packet_of(bytes);
  if (!packet) {
    return false;
  }
  if (const auto written = library_->write(*packet); !written) {
    if (!peer_has_left_) {
      report(written.error());
    }
    return false;
  }
  return read_fully(descriptor, rest.last(1));
}

}  // namespace jvmdebug::agent
