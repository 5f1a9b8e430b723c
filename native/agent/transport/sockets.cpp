// SPDX-License-Identifier: Apache-2.0
#include "agent/transport/sockets.h"

#include <algorithm>
#include <thread>

namespace jvmdebug::agent {

Socket& Socket::operator=(Socket&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Socket::~Socket() {
  if (open()) {
    platform::close_socket(descriptor_);
  }
}

TransportError transport_error(std::string_view what, std::string_view where, std::string_view why,
                               std::string_view jdk_message) {
  std::string message(what);
  message.append(" ").append(where).append(": ").append(why);
  return {.message = std::move(message), .jdk_message = std::string(jdk_message)};
}

Deadline deadline_after(std::optional<std::chrono::milliseconds> timeout) {
  if (!timeout) {
    return std::nullopt;
  }
  return Clock::now() + *timeout;
}

std::optional<std::chrono::milliseconds> time_until(const Deadline& deadline) {
  if (!deadline) {
    return std::nullopt;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - Clock::now());
  return std::max(left, std::chrono::milliseconds{0});
}

bool wait_ready(Socket::Descriptor descriptor, platform::Ready wanted, const Deadline& deadline) {
  while (true) {
    const auto left = time_until(deadline);
    if (left && left->count() == 0) {
      return false;
    }
    if (platform::wait_for(descriptor, wanted, left) == platform::Waited::kReady) {
      return true;
    }
  }
}

bool write_at_once(Socket::Descriptor descriptor, std::string_view bytes) {
  const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  return platform::send_now(descriptor, data) == platform::Count(bytes.size());
}

bool write_fully(Socket::Descriptor descriptor, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto written = platform::send_some(descriptor, bytes);
    if (!written || *written == 0) {
      return false;
    }
    bytes = bytes.subspan(*written);
  }
  return true;
}

bool read_fully(Socket::Descriptor descriptor, std::span<std::uint8_t> into) {
  while (!into.empty()) {
    const auto got = platform::receive_some(descriptor, into);
    if (!got || *got == 0) {
      return false;
    }
    into = into.subspan(*got);
  }
  return true;
}

std::expected<std::optional<Peer>, TransportError> failed_accept(int error_number) {
  constexpr auto kPause = std::chrono::milliseconds{100};
  switch (platform::kind_of_accept_failure(error_number)) {
    case platform::AcceptFailure::kForAllPeers:
      return std::unexpected(TransportError{.message = "cannot accept a debugger: " +
                                                       platform::error_text(error_number)});
    case platform::AcceptFailure::kShortOfSpace:
      // The program has used up a resource and may free some; it must not end because of us.
      std::this_thread::sleep_for(kPause);
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace jvmdebug::agent
