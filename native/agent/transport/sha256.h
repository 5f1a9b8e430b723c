// SPDX-License-Identifier: Apache-2.0
//
// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), for the token of a debugger (token_gate.h). Own
// code: the agent needs nothing but libc, and the VM's classes do not exist yet when it listens.
// Nothing is allocated, and no branch or index depends on what is hashed. Checked with the vectors
// of NIST and of RFC 4231 in the native tests, and against Python's hashlib on random input.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jvmdebug::agent {

using Digest = std::array<std::uint8_t, 32>;

// A hash of what is added, in pieces of any size.
class Sha256 {
 public:
  void add(std::span<const std::uint8_t> piece);

  // Returns the digest. Nothing may be added afterwards.
  [[nodiscard]] Digest finish();

 private:
  std::array<std::uint32_t, 8> state_ = kFirstState;
  std::array<std::uint8_t, 64> block_{};
  std::size_t used_ = 0;     // bytes of the block
  std::uint64_t added_ = 0;  // bytes in all

  // The first 32 bits of the fractional parts of the square roots of the first 8 primes.
  static constexpr std::array<std::uint32_t, 8> kFirstState = {0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                                               0xa54ff53a, 0x510e527f, 0x9b05688c,
                                                               0x1f83d9ab, 0x5be0cd19};
};

// The same with a key, of any length.
class HmacSha256 {
 public:
  explicit HmacSha256(std::span<const std::uint8_t> key);

  void add(std::span<const std::uint8_t> piece) { inner_.add(piece); }

  // Returns the code. Nothing may be added afterwards.
  [[nodiscard]] Digest finish();

 private:
  Sha256 inner_;
  Sha256 outer_;
};

// Whether both are equal; takes the same time wherever they differ.
[[nodiscard]] bool equal_in_constant_time(std::span<const std::uint8_t> left,
                                          std::span<const std::uint8_t> right);

}  // namespace jvmdebug::agent
