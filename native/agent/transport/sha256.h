// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), for the token of a debugger (token_gate.h). Own
// code: the agent needs nothing but libc, and the VM's classes do not exist yet when it listens.
// Checked with the vectors of NIST and of RFC 4231 in the native tests.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace jvmdebug::agent {

using Digest = std::array<std::uint8_t, 32>;

[[nodiscard]] Digest sha256(std::span<const std::uint8_t> message);

[[nodiscard]] Digest hmac_sha256(std::span<const std::uint8_t> key,
                                 std::span<const std::uint8_t> message);

// Whether both are equal; takes the same time wherever they differ.
[[nodiscard]] bool equal_in_constant_time(std::span<const std::uint8_t> left,
                                          std::span<const std::uint8_t> right);

}  // namespace jvmdebug::agent
