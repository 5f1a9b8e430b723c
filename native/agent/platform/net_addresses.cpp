// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "agent/platform/net.h"

namespace jvmdebug::agent::platform {
namespace {

constexpr std::uint8_t kLoopbackNetwork = 127;

}  // namespace

bool is_mapped_v4(const IpAddress& address) {
  const auto is_zero = [](std::uint8_t byte) { return byte == 0; };
  return std::ranges::all_of(std::span(address).first(kMappedPrefix - 2), is_zero) &&
         address[kMappedPrefix - 2] == 0xff && address[kMappedPrefix - 1] == 0xff;
}

bool is_loopback(const IpAddress& address) {
  if (is_mapped_v4(address)) {
    return address[kMappedPrefix] == kLoopbackNetwork;
  }
  IpAddress loopback{};
  loopback.back() = 1;
  return address == loopback;
}

}  // namespace jvmdebug::agent::platform
